"""What happens in a worker: values that are kept, and a task that is done."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import joblib

from ._blas import ONE_BLAS_THREAD
from ._failure import Failure
from ._limit import Limit, limited
from ._parcel import Parcel, read_value, unpack

__all__ = ["KEPT", "Kept", "Outcome", "perform", "perform_elsewhere", "value_of_file"]

#: Values that a worker keeps: of the selection under way, and of a few before.
N_KEPT = 8


class Outcome(NamedTuple):
    """What came of a task, and how long it took."""

    value: Any
    failure: Failure | None
    seconds: float


class Kept:
    """The last few values that this process was sent.

    ``n_loads`` counts how many it had to load.
    """

    def __init__(self, n_kept: int = N_KEPT):
        self.n_loads = 0
        self._values: OrderedDict[str, Any] = OrderedDict()
        self._n_kept = n_kept
        self._lock = threading.Lock()

    def get(self, key: str, load: Callable[[], Any]) -> Any:
        """The value of this key, loaded unless it is here."""
        with self._lock:  # threads that need the same wait for the first one
            if key not in self._values:
                self._values[key] = load()
                self.n_loads += 1
                while len(self._values) > self._n_kept:
                    self._values.popitem(last=False)
            self._values.move_to_end(key)
            return self._values[key]


KEPT = Kept()


def value_of_file(key: str, path: Path) -> Any:
    """A value that another process on this machine has written."""
    return KEPT.get(key, lambda: read_value(path))


def value_of_parcel(key: str, parcel: Parcel) -> Any:
    """A value that came over the network."""
    return KEPT.get(key, lambda: unpack(parcel))


def perform(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Outcome:
    """Do a task in this process: what it raises becomes a failure."""
    began = perf_counter()
    try:
        with ONE_BLAS_THREAD:
            value = function(*arguments)
    except Exception as error:
        return Outcome(None, Failure.of(error), perf_counter() - began)
    return Outcome(value, None, perf_counter() - began)


def perform_elsewhere(
    function: Callable[..., Any],
    places: tuple[tuple[str, Path | Parcel], ...],
    task: tuple[Any, ...],
    limit: Limit | None,
) -> Outcome:
    """Do a task in a worker: load what it needs, keep to the limit, and fail in a way that travels.

    What the estimator spreads by joblib stays in this worker.
    """
    began = perf_counter()
    try:
        values = [
            value_of_parcel(key, place) if isinstance(place, Parcel) else value_of_file(key, place)
            for key, place in places
        ]
        with joblib.parallel_config(backend="threading"), ONE_BLAS_THREAD, limited(limit):
            value = function(*values, *task)
    except TimeoutError as error:
        kind = "timeout" if limit is not None and limit.is_over(error) else None
        return Outcome(None, Failure.of(error, kind).to_travel(), perf_counter() - began)
    except (Exception, SystemExit) as error:
        return Outcome(None, Failure.of(error).to_travel(), perf_counter() - began)
    return Outcome(value, None, perf_counter() - began)
