"""What an experiment is, what it is given and what it returns."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from thresher.parallel import run_in_threads

__all__ = ["Cell", "Conditions", "Experiment", "Result"]

Cell: TypeAlias = str | int | float | bool | None
Outcome = TypeVar("Outcome")


@dataclass(frozen=True)
class Result:
    """A table with a title, and what a reader must know to judge it.

    Parameters
    ----------
    title : str
        What was measured.
    columns : tuple of str
        Headings.
    rows : tuple of tuples
        One cell per heading; None where there is nothing to say.
    notes : tuple of str
        Whole sentences.

    Examples
    --------
    >>> Result("Sizes", ("name", "size"), (("a", 1),)).to_dict()["rows"]
    [{'name': 'a', 'size': 1}]
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.title}: expected {len(self.columns)} cells, got {row}")

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain lists and dictionaries."""
        return {
            "title": self.title,
            "columns": list(self.columns),
            "rows": [dict(zip(self.columns, row, strict=True)) for row in self.rows],
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Conditions:
    """What an experiment is run with.

    Parameters
    ----------
    runs : int
        Data sets of each kind, or repetitions.
    data : Path or None
        The folder with real data.
    quick : bool
        Whether a small version that only shows that all works will do.
    n_jobs : int or None
        Threads.
    progress : callable
        Told in words how far the work is.
    """

    runs: int
    data: Path | None
    quick: bool
    n_jobs: int | None
    progress: Callable[[str], Any]

    def map(
        self, function: Callable[..., Outcome], tasks: Sequence[tuple[Any, ...]], what: str
    ) -> list[Outcome]:
        """Call ``function(*task)`` for each task, several at a time, and report progress.

        Tasks are spread over threads, so each should itself keep to one.
        """
        lock = threading.Lock()
        n_done = 0

        def one(*task: Any) -> Outcome:
            nonlocal n_done
            outcome = function(*task)
            with lock:
                n_done += 1
                self.progress(f"{what}: {n_done} of {len(tasks)}")
            return outcome

        return run_in_threads(one, tasks, self.n_jobs)


@dataclass(frozen=True)
class Experiment:
    """An experiment of a paper under a name.

    Parameters
    ----------
    name : str
        As on the command line.
    summary : str
        One line.
    function : callable
        From `Conditions` to a `Result`.
    runs : int
        Repetitions as in the paper.
    quick_runs : int
        Repetitions of the quick version.
    needs : tuple of str
        Data sets that must be in the data folder.
    """

    name: str
    summary: str
    function: Callable[[Conditions], Result]
    runs: int
    quick_runs: int = 1
    needs: tuple[str, ...] = ()

    def run(
        self,
        *,
        runs: int | None = None,
        data: Path | None = None,
        quick: bool = False,
        n_jobs: int | None = None,
        progress: Callable[[str], Any] = lambda _: None,
    ) -> Result:
        """Run the experiment; see `Conditions`."""
        usual = self.quick_runs if quick else self.runs
        if runs is not None and runs < 1:
            raise ValueError(f"runs must be at least 1; got {runs}")
        return self.function(
            Conditions(usual if runs is None else runs, data, quick, n_jobs, progress)
        )
