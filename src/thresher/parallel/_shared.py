"""Something big that each worker gets once, however many tasks need it."""

import os
import tempfile
import threading
import uuid
import weakref
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, Generic, TypeVar

from joblib.externals.loky.backend import resource_tracker

from ._parcel import write_value
from ._worker import value_of_file

__all__ = ["Shared"]

Value = TypeVar("Value")


class Shared(Generic[Value]):
    """A handle for a value that many tasks need: columns, a table of codes, folds.

    Tasks in this process use the value itself. Other processes on this machine map one file into
    their memory, which is written when they first need it; a Dask or Ray cluster gets the value
    once. Workers keep the last few values they were sent. All of that is given back when the
    handle is closed or forgotten.

    Parameters
    ----------
    value : object
        The value. From now on it must not change.

    Examples
    --------
    >>> with Shared([1, 2, 3]) as numbers:
    ...     sum(numbers.value)
    6
    """

    def __init__(self, value: Value):
        self.value = value
        self.key = uuid.uuid4().hex
        #: Where else the value is, by the one who keeps it.
        self._places: dict[Hashable, Any] = {}
        self._lock = threading.Lock()

    def place(self, keeper: Hashable, put: Callable[[Value], Any]) -> Any:
        """Where ``keeper`` has the value, which ``put`` brings there unless it is already."""
        with self._lock:
            if keeper not in self._places:
                self._places[keeper] = put(self.value)
            return self._places[keeper]

    def forget(self, keeper: Hashable) -> None:
        """Take note that ``keeper`` has lost the value."""
        with self._lock:
            self._places.pop(keeper, None)

    def file(self) -> Path:
        """The file that other processes on this machine read the value from."""
        return Path(self.place("file", self._write))

    def close(self) -> None:
        """Give back what holds the value elsewhere; it may be sent again."""
        with self._lock:
            places = list(self._places.values())
            self._places.clear()
        for place in places:
            if isinstance(place, _File):
                place.remove()

    def __enter__(self) -> "Shared[Value]":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (self.key, self.file())

    def _write(self, value: Value) -> "_File":
        return _File(value)


class _File:
    """A temporary file that goes when nobody needs it, even if this process is killed."""

    def __init__(self, value: Any):
        handle, name = tempfile.mkstemp(prefix="thresher-", suffix=".shared")
        os.close(handle)
        self._name = name
        resource_tracker.register(name, "file")
        self.remove = weakref.finalize(self, _remove, name, os.getpid())
        write_value(value, Path(name))

    def __fspath__(self) -> str:
        return self._name


def _remove(name: str, owner: int) -> None:
    if os.getpid() != owner:  # a forked child
        return
    try:
        os.unlink(name)
    except OSError:  # some systems keep files that workers still look at: later, then
        resource_tracker.maybe_unlink(name, "file")
    else:
        resource_tracker.unregister(name, "file")


def _received(key: str, path: Path) -> Shared[Any]:
    shared = Shared(value_of_file(key, path))
    shared.key = key
    return shared
