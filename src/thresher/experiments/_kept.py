"""What tasks of an experiment have given, in a journal, so that a run that was stopped goes on."""

import json
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.journal import NO_JOURNAL, Entry, JournalError, Scope, describe, digest
from thresher.selectors import library_versions

__all__ = ["Kept", "admit"]

#: The package whose sources decide what comes out.
_PACKAGE = Path(__file__).parents[1]


def admit(journal: Scope) -> None:
    """Refuse a journal of other versions, or of other sources of this one.

    A version under development has many sources, and outcomes of two of them make no table.
    """
    if journal:
        sources = (path.read_bytes() for path in sorted(_PACKAGE.rglob("*.py")))
        about = {"versions": library_versions(), "sources": digest(*sources).hex()}
        journal.admit({"method": "reproduce", **about})


class Kept:
    """Tasks that are done once, however often the experiment is begun.

    Parameters
    ----------
    scope : Scope
        Where outcomes are written down; by default nowhere.

    Attributes
    ----------
    n_recalled : int
        Outcomes that were known.
    seconds : float
        How much longer it would have taken without them.

    Notes
    -----
    An outcome that cannot be written down, such as a fitted selector, is found out anew.
    """

    def __init__(self, scope: Scope = NO_JOURNAL):
        self._scope = scope
        self._lock = threading.Lock()
        self.n_recalled = 0
        self.seconds = 0.0

    def call(
        self, function: Callable[..., Any], task: tuple[Any, ...], what: str, n_at_a_time: int = 1
    ) -> Any:
        """Return ``function(*task)``, from the journal if it is there."""
        if not self._scope:
            return function(*task)
        key = self._scope.key(json.dumps(describe([function, task]), sort_keys=True))
        known = self._scope.find(key)
        if known is not None:
            return self._recalled(known, function, n_at_a_time)
        start = time.perf_counter()
        outcome = function(*task)
        seconds = time.perf_counter() - start
        arrays: list[NDArray[Any]] = []
        try:
            plain = _plain(outcome, arrays)
        except TypeError:
            return outcome
        self._scope.add(key, Entry(tuple(arrays), {"outcome": plain, "seconds": seconds}), what)
        return outcome

    def _recalled(self, entry: Entry, function: Callable[..., Any], n_at_a_time: int) -> Any:
        try:
            outcome = _whole(entry.note["outcome"], entry.arrays, function.__module__)
            seconds = float(entry.note["seconds"])
        except (LookupError, TypeError, ValueError) as error:
            raise JournalError(f"an outcome in the journal is damaged: {error!r}") from error
        with self._lock:
            self.n_recalled += 1
            self.seconds += seconds / n_at_a_time
        return outcome


def _plain(value: Any, arrays: list[NDArray[Any]]) -> Any:
    """Return what JSON can hold; arrays go to the list, where they keep every bit."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value) in {bool, int, float, str}:
        return value
    if type(value) in {list, tuple}:
        return {type(value).__name__: [_plain(each, arrays) for each in value]}
    if type(value) is dict:
        return {"dict": [[_plain(k, arrays), _plain(v, arrays)] for k, v in value.items()]}
    if isinstance(value, np.ndarray) and value.dtype.kind in "bif":
        arrays.append(value)
        return {"array": len(arrays) - 1}
    if is_dataclass(value):
        held = {each.name: _plain(getattr(value, each.name), arrays) for each in fields(value)}
        return {"record": type(value).__name__, "fields": held}
    raise TypeError(f"{type(value).__name__} is not written down")


def _whole(plain: Any, arrays: tuple[NDArray[Any], ...], module: str) -> Any:
    """Return what `_plain` was given; records are those of the module, whatever a file says."""
    if not isinstance(plain, dict):
        return plain
    if "record" in plain:
        kind: Any = vars(sys.modules[module])[plain["record"]]
        if not (isinstance(kind, type) and is_dataclass(kind)):
            raise ValueError(f"{plain['record']} is no record")
        held = {name: _whole(own, arrays, module) for name, own in plain["fields"].items()}
        return kind(**held)
    ((name, content),) = plain.items()
    if name == "array":
        return arrays[content]
    if name == "dict":
        return {_whole(k, arrays, module): _whole(v, arrays, module) for k, v in content}
    return {"list": list, "tuple": tuple}[name](_whole(each, arrays, module) for each in content)
