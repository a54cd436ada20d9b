"""Stepwise against scikit-learn's SequentialFeatureSelector: same folds, same result, one run.

``--features`` sets how many columns both select; more of them make scikit-learn slower per step,
and us hardly. Backward elimination refits nearly all columns in each step, so both remove three.
scikit-learn runs with one or two workers, whichever is faster, and with one BLAS thread, without
which its least squares are far slower on a busy machine.
"""

import argparse
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.datasets import make_classification, make_regression
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_limits

from thresher import Stepwise


@dataclass(frozen=True)
class Job:
    """One row of the table: what is selected, and the least ratio we want."""

    name: str
    model: Any
    data: tuple[np.ndarray, np.ndarray]
    scoring: str
    bar: float
    direction: str = "forward"


def jobs() -> list[Job]:
    digits = make_classification(
        2000, 240, n_informative=30, n_redundant=60, n_classes=10, random_state=0
    )
    two = make_classification(1000, 50, n_informative=10, n_redundant=10, random_state=0)
    line = make_regression(2000, 100, n_informative=20, noise=50.0, random_state=0)
    mse = "neg_mean_squared_error"
    return [
        Job("GaussianNB 2000x240, 10 classes", GaussianNB(), digits, "accuracy", 300),
        Job("KNeighborsClassifier 1000x50", KNeighborsClassifier(), two, "accuracy", 20),
        Job("LinearRegression 2000x100", LinearRegression(), line, mse, 50),
        Job("LinearRegression 2000x100", LinearRegression(), line, mse, 50, "backward"),
        Job("Ridge 2000x100", Ridge(), line, mse, 50),
        Job("Ridge 2000x100", Ridge(), line, mse, 50, "backward"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--features", type=int, default=10)
    parser.add_argument("--n-jobs", type=int, default=2)
    options = parser.parse_args()
    for job in jobs():
        X, y = job.data
        classes = job.scoring == "accuracy"
        folds = StratifiedKFold(5) if classes else KFold(5)
        cv = list(folds.split(X, y))
        n_columns = X.shape[1]
        n_kept = options.features if job.direction == "forward" else n_columns - 3
        common = {"direction": job.direction, "scoring": job.scoring, "cv": cv}
        ours = Stepwise(job.model, n_features=n_kept, n_jobs=options.n_jobs, **common)
        _warm_up(job, cv)
        our_time = _time(ours, X, y)
        with threadpool_limits(1, user_api="blas"):
            theirs, their_time = _scikit_learn(job, n_kept, common, X, y)
        same = np.array_equal(ours.support_, theirs.support_)
        ratio = their_time / our_time
        print(
            f"{job.name:32} {job.direction:8} ours {our_time:7.3f} s  "
            f"scikit-learn {their_time:7.1f} s  ratio {ratio:6.0f} (bar {job.bar:.0f})  "
            f"{'same subset' if same else 'OTHER SUBSET'}",
            flush=True,
        )


def _warm_up(job: Job, cv: Any) -> None:
    X, y = job.data
    Stepwise(job.model, n_features=1, scoring=job.scoring, cv=cv).fit(X[:, :3], y)


def _scikit_learn(job: Job, n_kept: int, common: dict, X: np.ndarray, y: np.ndarray) -> Any:
    """Time scikit-learn with one or two workers, whichever is faster on one column."""
    probes = {}
    for n_jobs in (1, 2):
        probe = SequentialFeatureSelector(
            job.model, n_features_to_select=1, n_jobs=n_jobs, **{**common, "direction": "forward"}
        )
        probe.fit(X[:, :20], y)  # starts the workers
        probes[n_jobs] = _time(probe, X[:, :20], y)
    best = min(probes, key=probes.__getitem__)
    theirs = SequentialFeatureSelector(
        job.model, n_features_to_select=n_kept, n_jobs=best, **common
    )
    return theirs, _time(theirs, X, y)


def _time(selector: Any, X: np.ndarray, y: np.ndarray) -> float:
    start = perf_counter()
    selector.fit(X, y)
    return perf_counter() - start


if __name__ == "__main__":
    main()
