"""Who watches a selection: a live display on stderr, the user's own callable, or nobody."""

import sys
from collections.abc import Callable
from typing import Any

from thresher.run import Step
from thresher.selection import printable

from ._allowance import Allowance

__all__ = ["Display", "Watcher", "watcher_for"]


class Watcher:
    """Is told how far a selection has come; this one keeps it to itself.

    A selection is one run, or several when it is repeated on parts of the rows (`run`). Each run
    has stages whose progress is known (`stage`) or searches that tell of each step (``__call__``).
    """

    def __enter__(self) -> "Watcher":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def limit(self, allowance: Allowance) -> None:
        """Tell what may be spent."""

    def run(self, name: str, number: int, total: int) -> None:
        """Begin a run, of which ``number`` are done."""

    def stage(self, name: str, done: int, total: int | None) -> None:
        """Tell how much of a stage is done."""

    def evaluated(self, evaluations: int) -> None:
        """Tell that a long step goes on."""

    def __call__(self, step: Step) -> bool | None:
        """Tell of a step; a true answer ends the run."""
        return None


class Relay(Watcher):
    """Hands each step to the user's own callable."""

    def __init__(self, tell: Callable[[Step], bool | None]):
        self._tell = tell

    def __call__(self, step: Step) -> bool | None:
        """Ask the callable."""
        return self._tell(step)


class Display(Watcher):
    """Draws bars with the time left, by Rich."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            Progress,
            SpinnerColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
        from rich.table import Column

        self._allowance = Allowance()
        # where the terminal is narrow, the words give way, not the times
        words = Column(ratio=1, no_wrap=True, overflow="ellipsis")
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False, table_column=words),
            BarColumn(bar_width=16),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            expand=True,
            transient=True,
        )
        self._whole: Any = None
        self._stand = "reading columns"
        self._task = self._progress.add_task(self._stand, total=None)

    def __enter__(self) -> "Display":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def limit(self, allowance: Allowance) -> None:
        """Show the time that is left of it."""
        self._allowance = allowance

    def run(self, name: str, number: int, total: int) -> None:
        """Show which run this is, if there are several."""
        if total < 2:
            return
        if self._whole is None:
            self._whole = self._progress.add_task(name, total=total)
        self._progress.update(self._whole, description=name, completed=number)

    def stage(self, name: str, done: int, total: int | None) -> None:
        """Show how much of a stage is done; a new stage begins a new bar."""
        if name != self._stand:
            self._begin(name, total)
        self._progress.update(
            self._task, description=self._described(name), completed=done, total=total
        )

    def evaluated(self, evaluations: int) -> None:
        """Show that a long step goes on."""
        told = f"{self._stand}, {evaluations} evaluations"
        self._progress.update(self._task, description=self._described(told))

    def __call__(self, step: Step) -> None:
        """Show where a search stands."""
        if step.number == 0:
            self._begin("", step.n_steps)
        self._stand = f"step {step.number + 1}: {len(step.winner)} variables, loss {step.loss:.4g}"
        self._progress.update(self._task, total=step.n_steps, completed=step.number + 1)
        self.evaluated(step.evaluations)

    def _begin(self, name: str, total: int | None) -> None:
        """Start a bar anew: Rich keeps the total of an old one if the new one is not known."""
        self._progress.remove_task(self._task)
        self._stand = name
        self._task = self._progress.add_task(self._described(name), total=total)

    def _described(self, text: str) -> str:
        text = printable(text)  # names of files may hold what controls a terminal
        seconds = self._allowance.seconds
        return text if seconds is None else f"{text} (budget: {max(seconds, 0):.0f} s left)"


def watcher_for(progress: Any) -> Watcher:
    """Return who watches: "auto" shows a display where a person looks at stderr and Rich is there.

    Parameters
    ----------
    progress : bool, "auto" or callable
        As the user gave it; a callable is told of each `Step`.
    """
    if isinstance(progress, Watcher):
        return progress
    if callable(progress):
        return Relay(progress)
    if progress not in (True, False, "auto"):
        raise ValueError(f"progress must be True, False, 'auto' or a callable; got {progress!r}")
    if progress is False or (progress == "auto" and not sys.stderr.isatty()):
        return Watcher()
    try:
        return Display()
    except ImportError:
        if progress is True:
            raise
        return Watcher()
