"""The selection, its repetitions, and what becomes of them when time is short."""

import time
import warnings
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Columns
from thresher.evaluators import Target
from thresher.selection import Selection, Validation

from ._allowance import Allowance
from ._join import ending_of
from ._plan import Plan
from ._procedure import Sample
from ._progress import Watcher
from ._repeats import Split
from ._validation import Judge, Repetition, summarised

__all__ = ["Work"]

IntArray = NDArray[np.intp]

#: The selection's share of the time for a fold; the rest is for the learner.
_SELECTING = 0.7


class Work:
    """Runs a plan on all rows, then on parts of them, as far as the budget and the user allow.

    Parameters
    ----------
    plan : Plan
        What to do.
    columns : Columns
        The table.
    target : Target
        What is to be predicted.
    watcher : Watcher
        Is told.
    allowance : Allowance
        For everything together.
    n_runs : int
        How often the selection will be made; each gets the same share.
    """

    def __init__(
        self,
        plan: Plan,
        columns: Columns,
        target: Target,
        watcher: Watcher,
        allowance: Allowance,
        n_runs: int,
    ):
        self.shortcomings: list[tuple[type[Warning], str]] = []
        self._plan = plan
        self._sample = Sample(columns, target.raw, watcher)
        self._watcher = watcher
        self._allowance = allowance
        self._n_runs = n_runs
        self._n_done = 0
        #: how it all ended, if not by itself
        self.ending: str | None = None

    def select(self, seed: int) -> Selection:
        """Select on all rows."""
        found = self._run("selection", self._sample, seed)
        if ending_of(found) in ("interrupted", "stopped"):
            self.ending = ending_of(found)
        return found

    def validate(
        self, folds: Sequence[Split], seed: int
    ) -> tuple[Validation | None, list[tuple[str, ...]]]:
        """Select in each fold, and judge that on the rows held out."""
        started = time.perf_counter()
        judge = Judge(
            self._plan.learner, self._sample.columns, self._sample.y,
            named=self._plan.named, groups=self._plan.procedure.groups,
            keep=self._plan.procedure.keep, n_jobs=self._plan.procedure.n_jobs,
        )  # fmt: skip
        repetitions: list[Repetition] = []
        chosen: list[tuple[str, ...]] = []

        def one_fold(k: int, seed: int) -> None:
            train, test = folds[k]
            found = self._on(f"validation, fold {k + 1} of {len(folds)}", train, seed)
            if found is not None:
                self._watcher.stage(f"learning with {type(judge.learner).__name__}", 0, None)
                repetitions.append(judge.judge(found.selected, train, test, seed))
                chosen.append(found.selected)

        self._repeat(one_fold, len(folds), seed)
        self._note("folds", len(chosen), len(folds))
        return summarised(repetitions, judge, started), chosen

    def resample(self, resamples: Sequence[IntArray], seed: int) -> list[tuple[str, ...]]:
        """Select on each of several parts of the rows."""
        chosen: list[tuple[str, ...]] = []

        def one_resample(k: int, seed: int) -> None:
            name = f"stability, resample {k + 1} of {len(resamples)}"
            found = self._on(name, resamples[k], seed)
            if found is not None:
                chosen.append(found.selected)

        self._repeat(one_resample, len(resamples), seed)
        self._note("resamples", len(chosen), len(resamples))
        return chosen

    def _repeat(self, once: Callable[[int, int], None], n_wanted: int, seed: int) -> None:
        """Repeat something, each time with a seed of its own, while there is time for it."""
        seeds = np.random.SeedSequence(seed).generate_state(n_wanted) >> 1
        try:
            with warnings.catch_warnings():
                # what there is to say of a method, its run on all rows has said
                warnings.simplefilter("ignore", UserWarning)
                for k in range(n_wanted):
                    if self.ending is None and not self._allowance.is_spent:
                        once(k, int(seeds[k]))
        except KeyboardInterrupt:
            self.ending = "interrupted"

    def _note(self, what: str, n_made: int, n_wanted: int) -> None:
        if n_made < n_wanted:
            why = "the budget is spent" if self.ending is None else self.ending
            self.shortcomings.append(
                (UserWarning, f"{why}: {n_made} of {n_wanted} {what} were made")
            )

    def _on(self, name: str, rows: IntArray, seed: int) -> Selection | None:
        """Select on some rows; None if the user cut it short."""
        found = self._run(name, self._sample.rows(rows), seed, share=_SELECTING)
        if ending_of(found) in ("interrupted", "stopped"):
            self.ending = ending_of(found)
            return None
        return found

    def _run(self, name: str, sample: Sample, seed: int, share: float = 1.0) -> Selection:
        self._watcher.run(name, self._n_done, self._n_runs)
        left = self._n_runs - self._n_done
        part = self._allowance if left == 1 else self._allowance.share(share / left)
        found = self._plan.procedure.run(sample, seed, part)
        self._allowance = self._allowance.after(found.cost.evaluations)
        self._n_done += 1
        return found
