"""What an experiment is, and what it is given."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from thresher.journal import Scope
from thresher.parallel import effective_n_threads, run_in_threads

from ._kept import Kept
from ._result import Result

__all__ = ["Conditions", "Experiment"]

Outcome = TypeVar("Outcome")


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
    openml : bool
        Whether data that the folder does not hold may be fetched from OpenML.
    kept : Kept
        What tasks have given before.
    """

    runs: int
    data: Path | None
    quick: bool
    n_jobs: int | None
    progress: Callable[[str], Any]
    openml: bool = False
    kept: Kept = field(default_factory=Kept)

    def map(
        self,
        function: Callable[..., Outcome],
        tasks: Sequence[tuple[Any, ...]],
        what: str,
        **free: Any,
    ) -> list[Outcome]:
        """Call ``function(*task, **free)`` for each task, several at a time, and report progress.

        Tasks are spread over threads, so each should itself keep to one. No outcome may depend on
        what is ``free``: outcomes are kept without regard to it.
        """
        lock = threading.Lock()
        n_done = 0
        n_at_a_time = min(effective_n_threads(self.n_jobs), len(tasks))

        def one(*task: Any) -> Outcome:
            nonlocal n_done
            outcome: Outcome = self.kept.call(function, task, free, what, n_at_a_time)
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
    shows : tuple of str
        Which tables and figures of a paper it shows, such as "RVE Figure 2".
    minutes : float
        What the full version takes on two cores, measured.
    """

    name: str
    summary: str
    function: Callable[[Conditions], Result]
    runs: int
    quick_runs: int = 1
    needs: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    minutes: float = 1.0

    def run(
        self,
        *,
        runs: int | None = None,
        data: Path | None = None,
        quick: bool = False,
        n_jobs: int | None = None,
        progress: Callable[[str], Any] = lambda _: None,
        openml: bool = False,
        kept: Kept | None = None,
    ) -> Result:
        """Run the experiment; see `Conditions`."""
        if runs is not None and runs < 1:
            raise ValueError(f"runs must be at least 1; got {runs}")
        n_runs = self.runs_of(runs, quick=quick)
        return self.function(
            Conditions(n_runs, data, quick, n_jobs, progress, openml, kept or Kept())
        )

    def kept_in(self, journal: Scope, *, quick: bool) -> Kept:
        """Return what was written down of this experiment.

        The number of runs may differ: those that are known need not be done again.
        """
        return Kept(journal.part(f"{self.name}, quick" if quick else self.name))

    def runs_of(self, runs: int | None, *, quick: bool) -> int:
        """Return the repetitions: as asked for, or the usual ones."""
        usual = self.quick_runs if quick else self.runs
        return usual if runs is None else runs
