"""The selection, its repetitions, and what becomes of them when time is short."""

import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from thresher.journal import NO_JOURNAL, JournalWarning, Scope
from thresher.selection import Selection, Validation

from ._allowance import Allowance
from ._join import ending_of
from ._plan import Plan
from ._procedure import Sample
from ._progress import Watcher
from ._question import Question
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
    question : Question
        The table and the target.
    watcher : Watcher
        Is told.
    allowance : Allowance
        For everything together.
    n_folds, n_resamples : int
        How often the selection will be repeated.
    journal : Scope
        Where all that takes long is written down.
    """

    def __init__(
        self,
        plan: Plan,
        question: Question,
        watcher: Watcher,
        allowance: Allowance,
        *,
        n_folds: int,
        n_resamples: int,
        journal: Scope = NO_JOURNAL,
    ):
        self._plan = plan
        self._question = question
        self._sample = Sample(question.columns, question.target.raw, watcher)
        self._watcher = watcher
        self._allowance = allowance
        self._journal = journal
        self._n_runs = 1 + n_folds + n_resamples
        self._n_done = 0
        self._n_begun, self._n_short = 0, 0
        # every run gets the same share, so that repetitions repeat what gave the answer
        self._share = allowance.share((_SELECTING if n_folds else 1.0) / self._n_runs)
        self._seconds = self._share.seconds
        #: how it all ended, if not by itself
        self.ending: str | None = None
        self.shortcomings: list[tuple[type[Warning], str]] = []

    def select(self, seed: int) -> Selection:
        """Select on all rows."""
        found = self._run("selection", self._sample, seed, self._so_far)
        if ending_of(found) in ("interrupted", "stopped"):
            self.ending = ending_of(found)
        return found

    def validate(
        self, folds: Sequence[Split], seed: int
    ) -> tuple[Validation | None, list[tuple[str, ...]]]:
        """Select in each fold, and judge that on the rows held out."""
        started = time.perf_counter()
        judge = Judge(
            self._plan.learner, self._question.variables, self._sample.y,
            named=self._plan.named, loss=self._plan.loss, n_jobs=self._plan.procedure.n_jobs,
        )  # fmt: skip
        repetitions: list[Repetition] = []
        chosen: list[tuple[str, ...]] = []

        def one_fold(k: int, seed: int) -> None:
            train, test = folds[k]
            name = f"validation, fold {k + 1} of {len(folds)}"
            found = self._on(name, train, seed)
            if found is not None and not self._allowance.is_spent:
                self._watcher.stage(f"learning with {type(judge.learner).__name__}", 0, None)
                own = self._journal.part(name).part("learning").of(train, test)
                repetitions.append(judge.judge(found.selected, train, test, seed, own))
                chosen.append(found.selected)

        self._repeat("validation, fold", one_fold, len(folds), seed)
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

        self._repeat("stability, resample", one_resample, len(resamples), seed)
        self._note("resamples", len(chosen), len(resamples))
        return chosen

    def _repeat(
        self, what: str, once: Callable[[int, int], None], n_wanted: int, seed: int
    ) -> None:
        """Repeat something, each time with a seed of its own, while there is time for it."""
        seeds = np.random.SeedSequence(seed).generate_state(n_wanted) >> 1
        self._n_begun, self._n_short = 0, 0
        try:
            # what there is to say of a method, its run on all rows has said
            with _quietly():
                for k in range(n_wanted):
                    if self.ending is None and not self._allowance.is_spent:
                        self._try(f"{what} {k + 1}", once, k, int(seeds[k]))
        except KeyboardInterrupt:
            self.ending = "interrupted"

    def _try(self, what: str, once: Callable[[int, int], None], k: int, seed: int) -> None:
        """Some rows may be too few; that must not cost the answer from all of them."""
        try:
            once(k, seed)
        except Exception as error:
            told = f"{what} is left out: {type(error).__name__}: {error}"
            self.shortcomings.append((UserWarning, told))
            self._n_done += 1

    def _note(self, what: str, n_made: int, n_wanted: int) -> None:
        """Say what is missing of the repetitions."""
        if n_made < n_wanted or n_made < 2:
            spent = "the budget is spent: " if self._allowance.is_spent else ""
            why = f"{self.ending}: " if self.ending else spent
            need = "; it takes two to say anything" if n_made < 2 else ""
            told = f"{why}{n_made} of {n_wanted} {what} were made{need}"
            self.shortcomings.append((UserWarning, told))
        if self._n_short:
            short, begun = self._n_short, self._n_begun
            told = f"the budget cut the selection short in {short} of {begun} {what}"
            self.shortcomings.append((UserWarning, told))

    def _on(self, name: str, rows: IntArray, seed: int) -> Selection | None:
        """Select on some rows; None if the user cut it short."""
        found = self._run(name, self._sample.rows(rows), seed, rows=rows)
        self._n_begun += 1
        self._n_short += ending_of(found) == "budget"
        if ending_of(found) in ("interrupted", "stopped"):
            self.ending = ending_of(found)
            return None
        return found

    def _so_far(self, selection: Selection) -> Selection:
        """How an answer that is still being worked on is shown."""
        settings = {**selection.settings, "ending": "running"}
        return replace(selection, explanation=self._plan.explanation, settings=settings)

    def _run(
        self,
        name: str,
        sample: Sample,
        seed: int,
        shown: Callable[[Selection], Selection] | None = None,
        rows: IntArray | None = None,
    ) -> Selection:
        self._watcher.run(name, self._n_done, self._n_runs)
        journal = self._journal.part(name, shown).of(rows)
        found = self._plan.procedure.run(sample, seed, self._part(), journal)
        journal.show(found)
        self._allowance = self._allowance.after(found.cost.evaluations)
        self._n_done += 1
        return found

    def _part(self) -> Allowance:
        """What the next run may spend."""
        if self._n_runs == 1:
            return self._allowance
        left = self._allowance.seconds
        if left is None or self._seconds is None:
            return self._share
        seconds = min(left, self._seconds)
        return Allowance(time.perf_counter() + seconds, self._share.evaluations)


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep warnings to oneself; in a thread they cannot be kept from others, so they are told."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("always", JournalWarning)  # that nobody has said before
        yield
