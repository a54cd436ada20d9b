"""The stages in turn, until nothing is left to explain."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from thresher.journal import Entry
from thresher.parallel import ONE_BLAS_THREAD, Shared
from thresher.stats import ContrastTest
from thresher.trees import HeldOut

from ._comparison import Correction, compare, compare_few
from ._elimination import Elimination, Enough, Losses, remove_masked
from ._importance import Importances, measure_importance
from ._masking import Masking, measure_masking
from ._monitor import NOBODY, CutShort, Monitor, gather
from ._pairs import PAIRS_SHARE, Pairs, find_pairs
from ._problem import Problem
from ._residual import explain, make_folds
from ._sampling import Population

__all__ = ["Iteration", "Settings", "run_ace"]

FloatArray = NDArray[np.float64]
Stage = Literal["importances", "masking", "elimination", "explaining"]

#: Share of the loss of knowing nothing that does not matter, however sure it is.
NEGLIGIBLE = 1e-3


@dataclass(frozen=True)
class Settings:
    """Parameters of the stages; see `thresher.ACE`."""

    n_replicates: int = 20
    n_trees: int = 100
    alpha: float = 0.05
    masking_alpha: float = 0.05
    correction: Correction = "max-t"
    redundancy: bool | Literal["surrogates"] = True
    max_iterations: int = 10


@dataclass(frozen=True, eq=False)
class Iteration:
    """What one round of the stages found.

    Parameters
    ----------
    number : int
        Counted from 1.
    loss : float
        Mean loss, on rows held out, of what was known before this round.
    standard_error : float
        Of that mean.
    importances : Importances
        Of all variables, for what was left to explain.
    test : ContrastTest
        Which of them beat the contrasts.
    found : tuple of int
        Significant variables that were not among those kept before.
    pairs : Pairs or None
        Variables that matter in pairs, in what single ones leave to explain: not looked for in the
        first round, unless none is significant by itself. They are among those found.
    masking : Masking or None
        Among those kept before and those found; None if nothing was found or asked for.
    elimination : Elimination or None
        Who of them stays.
    accepted : bool
        Whether what was found counts: in later rounds, only if rows held out are predicted better
        than before.
    kept : tuple of int
        The variables kept after this round.
    level : float
        Of the test: ``alpha``, or more if there are too few replicates for that.
    n_planned : int
        Replicates that there were to be; ``importances`` has as many as there are.
    cut_short : {"importances", "masking", "elimination", "explaining"} or None
        The stage that was under way when time was up; the first round counts all the same.
    """

    number: int
    loss: float
    standard_error: float
    importances: Importances
    test: ContrastTest
    found: tuple[int, ...]
    masking: Masking | None
    elimination: Elimination | None
    accepted: bool
    kept: tuple[int, ...]
    level: float
    n_planned: int
    cut_short: Stage | None = None
    pairs: Pairs | None = None


def run_ace(
    problem: Problem,
    settings: Settings,
    seed: np.random.SeedSequence,
    *,
    required: frozenset[int] = frozenset(),
    n_jobs: int | None = None,
    proceed: Callable[[Iteration], bool] = lambda _: True,
    monitor: Monitor = NOBODY,
    population: Population | None = None,
) -> tuple[Iteration, ...]:
    """Run rounds until one finds nothing that lowers the loss, or ``proceed`` says no.

    Parameters
    ----------
    problem : Problem
        Columns, response and weights.
    settings : Settings
        Parameters of the stages.
    seed : SeedSequence
        Of all that is random.
    required : frozenset of int
        Variables that are kept from the start: the others must add to them.
    n_jobs : int, optional
        Workers; the result does not depend on them.
    proceed : callable
        Told of each round as it ends; False stops.
    monitor : Monitor
        Told how far each round is. If it cuts one short, the rounds before are the result; of the
        first round, what is known so far.
    population : Population, optional
        All rows, of which the problem is a sample. As long as nothing is explained, each replicate
        draws rows of its own; what needs residuals looks at those of the problem.
    """
    with ONE_BLAS_THREAD:  # as in workers: the number of threads shows in the last digits
        loop = _Loop(problem, settings, seed, required, n_jobs, monitor, population)
        with loop.shared, loop.population or nullcontext():
            return _run(loop, proceed)


def _run(loop: "_Loop", proceed: Callable[[Iteration], bool]) -> tuple[Iteration, ...]:
    kept = tuple(sorted(loop.required))
    rounds: list[Iteration] = []
    try:
        while True:
            own = loop.round(len(rounds) + 1, kept)
            rounds.append(own)
            done = set(own.kept) == set(kept) or own.number == loop.settings.max_iterations
            done |= loop.all_explained
            kept = own.kept
            if not proceed(own) or done:
                return tuple(rounds)
    except (CutShort, KeyboardInterrupt) as end:
        loop.monitor.close(end)
        if not rounds:
            if loop.draft is None:
                raise
            rounds.append(loop.draft)
            proceed(loop.draft)
    return tuple(rounds)


class _Loop:
    """What stays the same over the rounds."""

    def __init__(
        self,
        problem: Problem,
        settings: Settings,
        seed: np.random.SeedSequence,
        required: frozenset[int],
        n_jobs: int | None,
        monitor: Monitor = NOBODY,
        population: Population | None = None,
    ):
        self.shared = Shared(problem)
        self.population = None if population is None else Shared(population)
        fold_seed, self.tree_seed, self.round_seed = seed.spawn(3)
        self.problem = problem
        self.settings = settings
        self.required = required
        self.n_jobs = n_jobs
        self.monitor = monitor
        self.fold_of_row = make_folds(problem, fold_seed)
        self.known = self._explain(
            tuple(sorted(required)), n_jobs=n_jobs,
            progress=lambda done, total: monitor.tick("explaining columns to keep", done, total),
        )  # fmt: skip
        nothing = explain(problem, (), self.fold_of_row, self.tree_seed).losses
        loss_of_nothing = float((nothing * problem.weight).mean())
        self.negligible = NEGLIGIBLE * loss_of_nothing
        self.enough = Enough(nothing=loss_of_nothing, negligible=self.negligible)
        #: The first round, as far as it is known.
        self.draft: Iteration | None = None

    @property
    def all_explained(self) -> bool:
        """Whether hardly anything is left that further columns could explain."""
        return float((self.known.losses * self.problem.weight).mean()) <= self.negligible

    def round(self, number: int, kept: tuple[int, ...]) -> Iteration:
        """All stages once: measure, test, mask, eliminate, explain."""
        if number > 1 and self.monitor.spent():
            raise CutShort
        importance_seed, masking_seed = self.round_seed.spawn(2)
        own = self._look(number, kept, importance_seed)
        self._note(own)
        if own.cut_short == "masking":
            own = self._drop(own, kept, masking_seed)
            self._note(own)
        accepted = set(own.kept) == set(kept) or self._accept(own)
        return replace(own, accepted=accepted, kept=own.kept if accepted else kept, cut_short=None)

    def _note(self, own: Iteration) -> None:
        """Keep what is known of a round, and end it here if the stage was cut short."""
        self.draft = own
        if self.monitor.closed:
            raise CutShort

    def _look(self, number: int, kept: tuple[int, ...], seed: np.random.SeedSequence) -> Iteration:
        """Stage 1: who beats the contrasts."""
        settings, known = self.settings, self.known
        residual = self.problem.response.residual(known.prediction)
        importances = measure_importance(
            self.shared, residual, seed,
            n_replicates=settings.n_replicates, n_trees=settings.n_trees, n_jobs=self.n_jobs,
            monitor=self.monitor, stage=f"round {number}: importances",
            population=self.population if number == 1 and not kept else None,
        )  # fmt: skip
        short = len(importances.scores) < settings.n_replicates
        test, level = (compare_few if short else compare)(
            importances, settings.alpha, settings.correction
        )
        found, pairs = _new(test, level, kept), None
        if not short and (number > 1 or not found):  # single columns first: they explain pairs
            pairs = find_pairs(self.problem, residual, PAIRS_SHARE * settings.alpha)
            found += _new_in_pairs(pairs, (*kept, *found))
        now = (*kept, *found)
        to_drop = bool(found and settings.redundancy and len(now) > 1)
        losses = known.losses * self.problem.weight
        return Iteration(
            number, float(losses.mean()), float(losses.std(ddof=1) / np.sqrt(len(losses))),
            importances, test, found, None, None, True, now, level, settings.n_replicates,
            "importances" if short else "masking" if to_drop else "explaining", pairs,
        )  # fmt: skip

    def _drop(
        self, own: Iteration, before: tuple[int, ...], seed: np.random.SeedSequence
    ) -> Iteration:
        """Stages 2 and 3: which of those kept before and those found are redundant."""
        settings, number = self.settings, own.number
        masking = measure_masking(
            self.population or self.shared, own.kept, seed, n_replicates=settings.n_replicates,
            n_trees=max(settings.n_trees // 2, 1), masking_alpha=settings.masking_alpha,
            n_jobs=self.n_jobs, monitor=self.monitor, stage=f"round {number}: masking",
        )  # fmt: skip
        elimination = remove_masked(
            masking,
            settings.masking_alpha,
            None if settings.redundancy == "surrogates" else self._trial_losses(number),
            required=self.required,
            known=frozenset(before),
            enough=self.enough,
        )
        stage: Stage = "explaining" if elimination.complete else "elimination"
        if masking.n_replicates < settings.n_replicates:
            stage = "masking"
        return replace(
            own, masking=masking, elimination=elimination, kept=elimination.kept, cut_short=stage
        )

    def _accept(self, own: Iteration) -> bool:
        """Whether the variables of a round are the better ones to go on from.

        The first round has its test. Later ones test all columns again, and may exchange near
        copies for ever; and what pairs promise must show when trees make use of it.
        """
        number, kept = own.number, own.kept
        if number == self.settings.max_iterations == 1:
            return True  # nothing goes on from here

        def progress(done: int, total: int) -> None:
            self.monitor.tick(f"round {number}: explaining", done, total)
            if done < total and self.monitor.spent():
                raise CutShort

        explained = self._explain(kept, n_jobs=self.n_jobs, progress=progress)
        self.monitor.count()
        weight = self.problem.weight
        tested = number == 1 and own.pairs is None
        accepted = tested or bool(weight @ explained.losses < weight @ self.known.losses)
        if accepted:
            self.known = explained
        return accepted

    def _explain(
        self,
        variables: tuple[int, ...],
        *,
        n_jobs: int | None = None,
        progress: Callable[[int, int], object] = lambda _done, _total: None,
    ) -> HeldOut:
        journal, key = self.monitor.journal, ("explaining", frozenset(variables))
        known = journal.recall(*key)
        if known is not None:
            prediction, losses = known.arrays
            return HeldOut(prediction, losses, known.note["n_trees"])
        found = explain(
            self.problem, variables, self.fold_of_row, self.tree_seed,
            n_jobs=n_jobs, progress=progress,
        )  # fmt: skip
        journal.note(Entry((found.prediction, found.losses), {"n_trees": found.n_trees}), *key)
        return found

    def _trial_losses(self, number: int) -> Losses:
        """Held-out losses of several subsets, side by side; of a single one, fold by fold."""
        monitor, stage = self.monitor, f"round {number}: elimination"
        trials = Shared((self.fold_of_row, self.tree_seed))
        n_trials = 0

        def losses(subsets: list[frozenset[int]]) -> list[FloatArray]:
            nonlocal n_trials
            alone = len(subsets) == 1
            found: list[FloatArray] = []
            if monitor.allotted(len(subsets)) == len(subsets):  # some of them decide nothing
                found = gather(
                    one_trial, [(subset, self.n_jobs if alone else 1) for subset in subsets],
                    self.n_jobs, monitor, lambda done: monitor.tick(stage, n_trials + done, None),
                    what=("trial without some",), shared=(self.shared, trials), here=alone,
                )  # fmt: skip
            if len(found) < len(subsets):
                monitor.close(end := CutShort())
                raise end
            n_trials += len(subsets)
            return found

        return losses


def one_trial(
    problem: Problem,
    trials: tuple[NDArray[np.int64], np.random.SeedSequence],
    subset: frozenset[int],
    n_jobs: int | None,
) -> FloatArray:
    """Loss of each row, held out, when only these variables are there to predict it."""
    fold_of_row, seed = trials
    variables = tuple(sorted(subset))
    held_out = explain(problem, variables, fold_of_row, seed, quick=True, n_jobs=n_jobs)
    return held_out.losses * problem.weight


def _new(test: ContrastTest, alpha: float, kept: tuple[int, ...]) -> tuple[int, ...]:
    """Significant variables that are not kept yet, best first."""
    significant = np.flatnonzero(test.p_value <= alpha)
    best_first = significant[np.argsort(-test.statistic[significant], kind="stable")]
    return tuple(v for v in best_first.tolist() if v not in kept)


def _new_in_pairs(pairs: Pairs | None, kept: tuple[int, ...]) -> tuple[int, ...]:
    """Variables of pairs that are not kept yet, best first."""
    if pairs is None:
        return ()
    best_first = sorted(pairs.partner, key=lambda v: (pairs.p_value[v], v))
    return tuple(v for v in best_first if v not in kept)
