"""Functions and estimators for workers, who must find them by name."""

import os
import signal
import time
from pathlib import Path

import numpy as np
from joblib.externals.loky import process_executor
from sklearn.tree import DecisionTreeClassifier

from thresher.parallel import _worker


def add(shared, k):
    return shared + k


def square(k):
    return k * k


def own_process(_shared, _k):
    time.sleep(0.02)  # so that both workers get some
    return os.getpid(), _worker.KEPT.n_loads


def what_arrives(shared, _k):
    codes, frozen, function = shared
    return codes.flags.writeable, frozen.flags.writeable, function(1), float(codes.sum())


def fail_on(k, wrong):
    if k == wrong:
        error = KeyError(f"no {k}")
        error.add_note("raised on purpose")
        raise error
    return k


class Unportable(Exception):  # noqa: N818
    """Can be pickled, but not be made again from that."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def raise_unportable(k):
    raise Unportable(k, k)


def leave(_k):
    raise SystemExit(3)


def die_on(k, wrong):
    if k == wrong:
        time.sleep(1)  # a worker that dies while it is started is not always started again
        os.kill(os.getpid(), signal.SIGKILL)
    return k


def loop_on(k, wrong):
    while k == wrong:
        time.sleep(0.001)
    return k


def hang_on(k, wrong):
    """Hang in C, without ever looking at signals or letting others work."""
    if k == wrong:
        sum(range(10**13))
    return k


def product(table, k):
    return (table[k:].T @ table[k:])[0]


def leak(held, _k):
    """Hold on to more and more memory, in a worker of a pool that is strict about it."""
    process_executor._MAX_MEMORY_LEAK_SIZE = 40_000_000
    process_executor._MEMORY_LEAK_CHECK_DELAY = 0.0
    held.append(np.ones(3_000_000))
    return os.getpid()


class SleepyTree(DecisionTreeClassifier):
    """A tree that takes its time, and leaves a mark when it begins and when it has ended."""

    def __init__(self, marks="", max_depth=None, random_state=None):
        super().__init__(max_depth=max_depth, random_state=random_state)
        self.marks = marks

    def fit(self, X, y, **options):
        own = Path(self.marks) / str(os.getpid())
        own.with_suffix(".begun").touch()
        time.sleep(5)
        own.with_suffix(".ended").touch()
        return super().fit(X, y, **options)


class DyingTree(DecisionTreeClassifier):
    """A tree whose first fit, in all processes together, kills its process."""

    def __init__(self, mark="", max_depth=None, random_state=None):
        super().__init__(max_depth=max_depth, random_state=random_state)
        self.mark = mark

    def fit(self, X, y, **options):
        if self.mark and not Path(self.mark).exists():
            Path(self.mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().fit(X, y, **options)
