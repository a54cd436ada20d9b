"""The stages in turn, until nothing is left to explain."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from thresher.parallel import run_in_threads
from thresher.stats import ContrastTest, contrast_test
from thresher.trees import HeldOut

from ._elimination import Elimination, remove_masked
from ._importance import Importances, measure_importance
from ._masking import Masking, measure_masking
from ._problem import Problem
from ._residual import explain, make_folds

__all__ = ["Iteration", "Settings", "run_ace"]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Settings:
    """Parameters of the stages; see `thresher.ACE`."""

    n_replicates: int = 20
    n_trees: int = 100
    alpha: float = 0.05
    masking_alpha: float = 0.05
    correction: Literal["max-t", "bonferroni", "bh", "t"] = "max-t"
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
    masking : Masking or None
        Among those kept before and those found; None if nothing was found or asked for.
    elimination : Elimination or None
        Who of them stays.
    accepted : bool
        Whether what was found counts: in later rounds, only if rows held out are predicted better
        than before.
    kept : tuple of int
        The variables kept after this round.
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


def run_ace(
    problem: Problem,
    settings: Settings,
    seed: np.random.SeedSequence,
    *,
    required: frozenset[int] = frozenset(),
    n_jobs: int | None = None,
    proceed: Callable[[Iteration], bool] = lambda _: True,
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
        Threads; the result does not depend on it.
    proceed : callable
        Told of each round as it ends; False stops.
    """
    loop = _Loop(problem, settings, seed, required, n_jobs)
    kept = tuple(sorted(required))
    rounds: list[Iteration] = []
    while True:
        own = loop.round(len(rounds) + 1, kept)
        rounds.append(own)
        done = set(own.kept) == set(kept) or own.number == settings.max_iterations
        kept = own.kept
        if not proceed(own) or done:
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
    ):
        fold_seed, self.tree_seed, self.round_seed = seed.spawn(3)
        self.problem = problem
        self.settings = settings
        self.required = required
        self.n_jobs = n_jobs
        self.fold_of_row = make_folds(problem, fold_seed)
        self.known = self._explain(tuple(sorted(required)), n_jobs=n_jobs)

    def round(self, number: int, kept: tuple[int, ...]) -> Iteration:
        """All stages once: measure, test, mask, eliminate, explain."""
        settings = self.settings
        importance_seed, masking_seed = self.round_seed.spawn(2)
        known = self.known
        importances = measure_importance(
            self.problem, self.problem.response.residual(known.prediction), importance_seed,
            n_replicates=settings.n_replicates, n_trees=settings.n_trees, n_jobs=self.n_jobs,
        )  # fmt: skip
        test = contrast_test(
            importances.scores, importances.contrasts,
            alpha=settings.alpha, correction=settings.correction,
        )  # fmt: skip
        found = _new(test, settings.alpha, kept)
        masking, elimination, now = None, None, (*kept, *found)
        if found and settings.redundancy and len(now) > 1:
            masking = measure_masking(
                self.problem, now, masking_seed, n_replicates=settings.n_replicates,
                n_trees=max(settings.n_trees // 2, 1), masking_alpha=settings.masking_alpha,
                n_jobs=self.n_jobs,
            )  # fmt: skip
            elimination = remove_masked(
                masking,
                settings.masking_alpha,
                None if settings.redundancy == "surrogates" else self._losses,
                required=self.required,
                known=frozenset(kept),
            )
            now = elimination.kept
        accepted = set(now) == set(kept) or self._accept(number, now)
        losses = known.losses * self.problem.weight
        return Iteration(
            number, float(losses.mean()), float(losses.std(ddof=1) / np.sqrt(len(losses))),
            importances, test, found, masking, elimination, accepted, now if accepted else kept,
        )  # fmt: skip

    def _accept(self, number: int, kept: tuple[int, ...]) -> bool:
        """Whether these variables are the better ones to go on from.

        The first round has its test. Later ones test all columns again, and may exchange near
        copies for ever.
        """
        explained = self._explain(kept, n_jobs=self.n_jobs)
        weight = self.problem.weight
        accepted = number == 1 or bool(weight @ explained.losses < weight @ self.known.losses)
        if accepted:
            self.known = explained
        return accepted

    def _explain(
        self, variables: tuple[int, ...], *, quick: bool = False, n_jobs: int | None = None
    ) -> HeldOut:
        return explain(
            self.problem, variables, self.fold_of_row, self.tree_seed, quick=quick, n_jobs=n_jobs
        )

    def _losses(self, subsets: list[frozenset[int]]) -> list[FloatArray]:
        """Held-out losses of several subsets, side by side; of a single one, fold by fold."""
        within = self.n_jobs if len(subsets) == 1 else None

        def one_subset(subset: frozenset[int]) -> FloatArray:
            variables = tuple(sorted(subset))
            held_out = self._explain(variables, quick=True, n_jobs=within)
            return held_out.losses * self.problem.weight

        return run_in_threads(one_subset, [(subset,) for subset in subsets], self.n_jobs)


def _new(test: ContrastTest, alpha: float, kept: tuple[int, ...]) -> tuple[int, ...]:
    """Significant variables that are not kept yet, best first."""
    significant = np.flatnonzero(test.p_value <= alpha)
    best_first = significant[np.argsort(-test.statistic[significant], kind="stable")]
    return tuple(v for v in best_first.tolist() if v not in kept)
