"""Scaling over two workers of this machine: threads, processes and a Dask cluster.

Efficiency is the time of one worker over twice the time of two. On a machine with other load it
says little, so the load is printed.

``python -m benchmarks.bench_engines [--quick]``
"""

import os
import sys
import time
import warnings
from contextlib import contextmanager

import joblib
import numpy as np
from sklearn.ensemble import RandomForestClassifier

from thresher import ACE, RVErS
from thresher.datasets import make_friedman_random

QUICK = "--quick" in sys.argv


def ace(n_jobs):
    data = make_friedman_random(300 if QUICK else 1000, random_state=0)
    return ACE(max_iterations=2, random_state=0, n_jobs=n_jobs), data.X, data.y


def rvers(n_jobs):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 20))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
    model = RandomForestClassifier(20 if QUICK else 100, random_state=0)
    selector = RVErS(model, cv=4, max_evaluations=8 if QUICK else 30, random_state=0, n_jobs=n_jobs)
    return selector, X, y


@contextmanager
def on_dask():
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1",
            dashboard_address="127.0.0.1:0", memory_limit=0,
        ) as cluster,
        Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):  # fmt: skip
        yield


ENGINES = {
    "threads": lambda: joblib.parallel_config(backend="threading"),
    "processes": lambda: joblib.parallel_config(backend="loky"),
    "dask": on_dask,
}


def seconds(make, n_jobs):
    """The time of a fit, and what it selects; workers are started and kernels compiled before."""
    warm, X, y = make(n_jobs)
    warm.set_params(max_evaluations=4).fit(X[:100], y[:100])
    selector, X, y = make(n_jobs)
    began = time.perf_counter()
    selector.fit(X, y)
    return time.perf_counter() - began, selector.support_


def main():
    print(f"{os.cpu_count()} cores, load before the start {os.getloadavg()[0]:.1f}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, make in {"ACE": ace, "RVErS": rvers}.items():
            with joblib.parallel_config(backend="sequential"):
                alone, support = seconds(make, 1)
            print(f"{name}: one worker {alone:.1f} s", flush=True)
            for engine, working in ENGINES.items():
                try:
                    with working():
                        both, same = seconds(make, 2)
                except ImportError:
                    print(f"  {engine}: not installed")
                    continue
                print(
                    f"  {engine}: two workers {both:.1f} s, efficiency {alone / both / 2:.0%}, "
                    f"{'same' if np.array_equal(same, support) else 'ANOTHER'} selection",
                    flush=True,
                )


if __name__ == "__main__":
    main()
