"""A part of a journal: one selection among several that one call makes."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sklearn.utils import check_random_state

from ._digest import digest
from ._entry import Entry
from ._journal import Journal

__all__ = ["NO_JOURNAL", "Scope", "opened"]

#: A snapshot may take this share of the time.
_SHARE = 0.05
_PERIOD = 1.0


class Scope:
    """Where a selection writes its results down, under names that belong to it alone.

    Parameters
    ----------
    journal : Journal or None
        None: nothing is written, and nothing is known.
    name : str
        What is being done.
    shown : callable, optional
        From a selection as it stands in this part to that of the whole. Without it, a part of a
        journal does not show how it stands.
    """

    def __init__(
        self,
        journal: Journal | None = None,
        name: str = "",
        shown: Callable[[Any], Any] | None = None,
    ):
        self._journal = journal
        self.name = name
        self._shown = shown
        self._of: tuple[bytes, ...] = ()
        self._next = {"selection": 0.0, "progress": 0.0}

    def __bool__(self) -> bool:
        return self._journal is not None

    def __repr__(self) -> str:
        return "None" if self._journal is None else repr(str(self._journal.path))

    def __deepcopy__(self, memo: Any) -> "Scope":
        return self  # a copy of a selector writes to the same file

    def part(self, name: str, shown: Callable[[Any], Any] | None = None) -> "Scope":
        """A part of this part; what it shows goes through what this one shows."""
        outer = self._shown
        both = shown
        if shown is not None and self.name:
            both = None if outer is None else lambda selection: outer(shown(selection))
        own = Scope(self._journal, f"{self.name}/{name}" if self.name else name, both)
        own._of = self._of
        return own

    def of(self, *data: Any) -> "Scope":
        """The same part for certain data: what is known of others does not count for them."""
        own = Scope(self._journal, self.name, self._shown)
        own._of = (*self._of, digest(*data)) if self else ()
        return own

    def key(self, what: str, *key: Any) -> bytes:
        """Under what a result is found."""
        return digest(self.name, *self._of, what, *key)

    def recall(self, what: str, *key: Any) -> Entry | None:
        """Look up what is known; None if nothing is."""
        return self.find(self.key(what, *key)) if self else None

    def note(self, entry: Entry, what: str, *key: Any) -> None:
        """Write a result down."""
        if self:
            self.add(self.key(what, *key), entry, what)

    def find(self, key: bytes) -> Entry | None:
        """Look up by a `key`."""
        return None if self._journal is None else self._journal.find(key)

    def add(self, key: bytes, entry: Entry, what: str) -> None:
        """Write down under a `key`."""
        if self._journal is not None:
            self._journal.add(key, f"{self.name}: {what}" if self.name else what, entry)

    def snapshot_due(self, what: str = "selection") -> bool:
        """Whether it is time to show how things stand."""
        if self._journal is None or (what == "selection" and self.name and self._shown is None):
            return False
        return time.monotonic() >= self._next[what]

    def show(self, selection: Any, *, took: float = 0.0) -> None:
        """Show the selection as it stands; ``took`` is how long it took to find out."""
        if self._journal is None or (self.name and self._shown is None):
            return
        started = time.monotonic()
        whole = selection if self._shown is None else self._shown(selection)
        self._journal.show("selection", {"selection": whole.to_dict()})
        now = time.monotonic()
        self._next["selection"] = now + max(_PERIOD, (took + now - started) / _SHARE)

    def tell(self, **progress: Any) -> None:
        """Show how far the work is, now and then."""
        if self._journal is not None and self.snapshot_due("progress"):
            named = {"doing": self.name} if self.name else {}
            self._journal.show("progress", {**named, **progress})
            self._next["progress"] = time.monotonic() + _PERIOD

    def seed(self, random_state: Any) -> int:
        """Draw the seed of everything, or take the one that the journal began with."""
        drawn = int(check_random_state(random_state).randint(2**31 - 1))
        return drawn if self.name else self.settle_seed(drawn, fixed=random_state is not None)

    def settle_seed(self, seed: int, *, fixed: bool) -> int:
        """Take the seed that the journal began with, which must be this one if it is fixed."""
        if self._journal is None:
            return seed
        if fixed:
            self._journal.settle("seed", seed, anew=True)
            self._journal.admit({"seed": seed})
        return int(self._journal.settle("seed", seed))

    def admit(self, header: Mapping[str, Any]) -> None:
        """Refuse a journal of another run; parts of a journal belong to the run of the whole."""
        if self._journal is not None and not self.name:
            self._journal.admit(header)


NO_JOURNAL = Scope()


@contextmanager
def opened(journal: str | os.PathLike[str] | Scope | None) -> Iterator[Scope]:
    """Open what a user gave as ``journal``; a part of an open one is used as it is."""
    if journal is None:
        yield NO_JOURNAL
    elif isinstance(journal, Scope):
        yield journal
    else:
        with Journal(journal) as own:
            yield Scope(own)
