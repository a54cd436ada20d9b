"""Who watches over ACE: its rounds, its progress, its limits."""

import sys
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from thresher import ace, run
from thresher.columns import Columns
from thresher.journal import Scope
from thresher.selection import Selection, printable

from ._callbacks import Listener
from ._journalling import show

__all__ = ["Watch"]

#: Seconds between two reports of progress within a stage.
PERIOD = 0.1


class Watch(ace.Monitor):
    """Keeps the rounds as they end, tells observers and callbacks, and watches limits and Ctrl-C.

    Parameters
    ----------
    selector : ACE
        Its parameters and observers count.
    table, columns : Columns
        All columns, and those that vary.
    settings : thresher.ace.Settings
        Of the stages.
    started : float
        When the time began to run, by `time.perf_counter`.
    """

    def __init__(
        self,
        selector: Any,
        table: Columns,
        columns: Columns,
        settings: ace.Settings,
        started: float,
    ):
        self.rounds: list[ace.Iteration] = []
        self.ending = "complete"
        self.evaluations = 0
        self.seconds = 0.0
        self._selector = selector
        self._table = table
        self._columns = columns
        self._started = started
        self._listener = Listener(selector, settings.max_iterations)
        self._observers = getattr(selector, "_observers", ())
        self._progress = _Progress(self._observers)
        self._standing: Callable[[], Selection] | None = None

    def write_to(self, journal: Scope, standing: Callable[[], Selection]) -> None:
        """Have results written down, and ``standing`` shown to whoever looks meanwhile."""
        self.journal = journal
        self._standing = standing

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: Any) -> bool:
        self.seconds = self._elapsed()
        self._listener.end()
        if isinstance(error, KeyboardInterrupt) and self.rounds:
            self.close(error)
            return True
        return False

    def allotted(self, n_tasks: int) -> int:
        """As many as ``max_evaluations`` leaves."""
        limit = self._selector.max_evaluations
        return n_tasks if limit is None else max(min(n_tasks, limit - self.evaluations), 0)

    def spent(self) -> bool:
        """Whether time or evaluations are used up, or the user has seen enough."""
        limit = self._selector.max_time
        late = limit is not None and self._elapsed() >= limit
        return self.closed or late or self.allotted(1) < 1

    def count(self, n_tasks: int = 1) -> None:
        """Add to the evaluations."""
        self.evaluations += n_tasks

    def tick(self, stage: str, done: int, total: int | None) -> None:
        """Tell observers, but not all the time."""
        self._progress.tick(stage, done, total, self.evaluations)
        self.journal.tell(stage=stage, done=done, total=total, evaluations=self.evaluations)

    def close(self, end: BaseException) -> None:
        """Remember what came first: the end of the budget or Ctrl-C."""
        if not self.closed:
            self.closed = True
            self.ending = "interrupted" if isinstance(end, KeyboardInterrupt) else "budget"

    def __call__(self, found: ace.Iteration) -> bool:
        """Take note of a round; return whether to go on."""
        before = self.rounds[-1].kept if self.rounds else ()
        self.rounds.append(found)
        self.seconds = self._elapsed()
        self._progress.flush(self.evaluations)
        step = run.Step(
            number=found.number - 1, winner=frozenset(found.kept), incumbent=frozenset(before),
            loss=found.loss, standard_error=found.standard_error,
            n_candidates=self._columns.n_variables, evaluations=self.evaluations,
            seconds=self.seconds, accepted=True,
        )  # fmt: skip
        if self._selector.verbose:
            self._print(found)
        if self._standing is not None:
            self._show(self._standing)
        stop = self._listener.step(self._support)
        for observer in self._observers:
            stop = bool(observer(step)) or stop
        if stop and not self.closed:
            self.ending = "stopped"
        return not stop

    def _show(self, standing: Callable[[], Selection]) -> None:
        ending, self.ending = self.ending, "running"
        show(self.journal, standing)
        self.ending = ending

    def warn(self, stacklevel: int) -> None:
        """Warn if the rounds did not come to their end; ``stacklevel`` as seen by the caller."""
        what = {"budget": "has spent its budget", "interrupted": "was interrupted"}.get(self.ending)
        if what is None:
            return
        where, doubt = _standing(self.rounds, self._selector.alpha)
        warnings.warn(
            f"ACE {what} after {where} and {self.seconds:.1f} s; this is what it has found so far"
            f"{doubt}",
            UserWarning,
            stacklevel=stacklevel + 1,
        )

    def _elapsed(self) -> float:
        return time.perf_counter() - self._started

    def _print(self, found: ace.Iteration) -> None:
        names = [printable(self._columns.variable_names[v], 60) for v in found.found]
        print(
            f"round {found.number:3d}  loss {found.loss:.6g}  found {len(names)}, "
            f"kept {len(found.kept)}  {' '.join(names[:5])}",
            file=sys.stderr,
        )

    def _support(self) -> dict[str, Any]:
        chosen = {self._columns.names[p] for p in self._columns.columns_of(self.rounds[-1].kept)}
        return {"support_": np.array([name in chosen for name in self._table.names])}


def _standing(rounds: Sequence[ace.Iteration], alpha: float) -> tuple[str, str]:
    """How far the rounds came, and what is doubtful for that."""
    own = rounds[-1]
    unseen = "redundancy was not looked at"
    if own.cut_short == "importances":
        n_done = len(own.importances.scores)
        where = f"{n_done} of {own.n_planned} replicates of round {own.number}"
        level = f", at level {own.level:.2g} instead of {alpha:g}" if own.level > alpha else ""
        return where, f"{level}; {unseen}"
    if own.cut_short == "masking":
        return f"the importances of round {own.number}", f"; {unseen}"
    if own.cut_short == "elimination":
        where = f"a part of the elimination in round {own.number}"
        return where, "; some of it may be redundant"
    return f"{len(rounds)} round(s)", ""


class _Progress:
    """Tells observers how far a stage is, now and then; always of its beginning and its end.

    Only the thread that fits calls it, so observers need no lock.
    """

    def __init__(self, observers: Sequence[Any]):
        self._stage = [o.stage for o in observers if hasattr(o, "stage")]
        self._evaluated = [o.evaluated for o in observers if hasattr(o, "evaluated")]
        self._latest: tuple[str, int, int | None] = ("", 0, None)
        self._told: tuple[str, int, int | None] = self._latest
        self._told_evaluations = 0
        self._time = 0.0

    def tick(self, stage: str, done: int, total: int | None, evaluations: int) -> None:
        """Take note; tell it if it is due."""
        begins = stage != self._latest[0]
        if begins:
            self.flush(evaluations)
        self._latest = stage, done, total
        if begins or done == total or time.perf_counter() - self._time >= PERIOD:
            self.flush(evaluations)

    def flush(self, evaluations: int) -> None:
        """Tell what has not been told yet."""
        self._time = time.perf_counter()
        if self._told != self._latest:
            self._told = self._latest
            for tell in self._stage:
                tell(*self._latest)
        if self._told_evaluations != evaluations:
            self._told_evaluations = evaluations
            for tell in self._evaluated:
                tell(evaluations)
