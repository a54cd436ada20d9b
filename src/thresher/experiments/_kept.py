"""What tasks of an experiment have given, in a journal, so that a run that was stopped goes on."""

import json
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from thresher.journal import NO_JOURNAL, Entry, JournalError, Scope, describe, digest
from thresher.selectors import library_versions

from ._plain import Plain

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
        Outcomes that were known from an earlier sitting.
    seconds : float
        How much longer it would have taken without them.

    Notes
    -----
    An outcome that cannot be written down, such as a fitted selector, is found out anew.
    """

    def __init__(self, scope: Scope = NO_JOURNAL):
        self._scope = scope
        self._lock = threading.Lock()
        self._new: set[bytes] = set()
        self.n_recalled = 0
        self.seconds = 0.0

    def call(
        self,
        function: Callable[..., Any],
        task: tuple[Any, ...],
        free: Mapping[str, Any],
        what: str,
        n_at_a_time: int = 1,
    ) -> Any:
        """Return ``function(*task, **free)``, from the journal if it is there."""
        if not self._scope:
            return function(*task, **free)
        key = self._scope.key(json.dumps(describe([function, task]), sort_keys=True))
        known = self._scope.find(key)
        if known is not None:
            outcome, seconds = self._read(known, function)
            with self._lock:
                if key not in self._new:
                    self.n_recalled += 1
                    self.seconds += seconds / n_at_a_time
            return outcome
        start = time.perf_counter()
        outcome = function(*task, **free)
        seconds = time.perf_counter() - start
        plain = Plain(function.__module__)
        with suppress(TypeError, ValueError):  # no record of ours, or too long
            note = {"outcome": plain.of(outcome), "seconds": seconds}
            self._scope.add(key, Entry(tuple(plain.arrays), note), what)
            with self._lock:
                self._new.add(key)
        return outcome

    @staticmethod
    def _read(entry: Entry, function: Callable[..., Any]) -> tuple[Any, float]:
        try:
            outcome = Plain(function.__module__, entry.arrays).back(entry.note["outcome"])
            return outcome, float(entry.note["seconds"])
        except (LookupError, TypeError, ValueError) as error:
            raise JournalError(f"an outcome in the journal is damaged: {error!r}") from error
