"""What RVE and RVErS share."""

import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier

from thresher import races, run, searches
from thresher.columns import Columns
from thresher.evaluators import Evaluator, with_folds
from thresher.journal import NO_JOURNAL, Entry

from ._holdout import best_on_the_way, check_weights, rows_to_hold_out, without_rows
from ._names import resolve
from ._parameters import warn_if_large
from ._wrapper import BaseWrapper

__all__ = ["RandomizedSelector"]

#: What each improvement is in the paper's algorithm and in ours.
_PRESETS: dict[str, dict[str, Any]] = {
    "improved": {"biased": True, "remember": True, "stop": "posterior", "judge": "raced"},
    "paper": {"biased": False, "remember": False, "stop": "failures", "judge": "exhaustive"},
}
#: Sizes at which a learner is timed, as shares of all variables, and how often.
_TIMED_SHARES, _TIMES = (1.0, 0.5, 0.25, 0.125), 2


class RandomizedSelector(BaseWrapper):
    """A randomized elimination; a subclass says what is known of the number of variables."""

    strategy: str
    biased: Any
    remember: Any
    stop: Any
    holdout: Any
    tolerance: float
    cost: Any
    k: int | None
    confidence: float
    drift: bool

    @abstractmethod
    def _numbers(self) -> dict[str, Any]:
        """Return the parameters of `RandomizedElimination` about the number of variables."""

    def _setting(self, name: str) -> Any:
        """Return a parameter, or what "auto" means for it."""
        if not isinstance(self.strategy, str) or self.strategy not in _PRESETS:
            raise ValueError(f"strategy must be 'improved' or 'paper'; got {self.strategy!r}")
        value = getattr(self, name)
        is_auto = isinstance(value, str) and value == "auto"
        return _PRESETS[self.strategy][name] if is_auto else value

    def _strategy(self) -> searches.SearchStrategy:
        return searches.RandomizedElimination(
            tolerance=self.tolerance,
            cost="linear" if self._is_measured else self.cost,
            k=self.k,
            biased=self._setting("biased"),
            remember=self._setting("remember"),
            stop=self._setting("stop"),
            confidence=self.confidence,
            drift=self.drift,
            **self._numbers(),
        )

    @property
    def _is_measured(self) -> bool:
        return isinstance(self.cost, str) and self.cost == "measured"

    def _judge(self) -> races.Judge:
        judge = self._setting("judge")
        if isinstance(judge, str) and judge == "raced":
            return races.Brace(gamma=0.0)
        found: races.Judge = resolve(judge, races.Judge, races, "judge")
        if isinstance(found, races.Friedman) and self.tolerance:
            raise ValueError(
                f"judge={judge!r} compares ranks, which know no tolerance; use 'brace', or set "
                "tolerance=0"
            )
        return found

    def _evaluator(
        self, columns: Columns, y: Any, seed: int, sample_weight: Any = None, groups: Any = None
    ) -> Evaluator:
        evaluator = super()._evaluator(columns, y, seed, sample_weight, groups)
        warn_if_large(
            "tolerance", self.tolerance, evaluator.baseline, "columns that matter may be removed"
        )
        self._held_out: NDArray[np.intp] | None = None
        if self.holdout is None:
            return evaluator
        target = evaluator.problem.target.values
        classifier = is_classifier(self.estimator)
        groups = None if groups is None else np.asarray(groups)
        held = rows_to_hold_out(
            target, self.holdout, classifier=classifier, groups=groups, seed=seed
        )
        check_weights(evaluator.weights, held)
        self._held_out = held
        folds = without_rows(
            self.cv, evaluator.problem.folds, target, held, classifier=classifier, groups=groups
        )
        return with_folds(evaluator, folds)

    def _fit_to(
        self, evaluator: Evaluator, strategy: searches.SearchStrategy, judge: races.Judge
    ) -> tuple[searches.SearchStrategy, races.Judge]:
        if isinstance(self._setting("judge"), str) and self._setting("judge") == "raced":
            # where a loss costs next to nothing, a race would cost more than it saves
            judge = races.Exhaustive() if evaluator.parts is None else judge
        if self._is_measured and isinstance(strategy, searches.RandomizedElimination):
            strategy.cost = _timed(evaluator)
        return strategy, judge

    def _concluded(self, result: run.Run, evaluator: Evaluator) -> run.Run:
        held, self._held_out = self._held_out, None
        return result if held is None else best_on_the_way(result, evaluator, held)


def _timed(evaluator: Evaluator) -> Callable[[int], float]:
    """Time the learner at a few sizes and fit the order of growth.

    No two clocks agree, so a search that goes on must take the times of the one before.
    """
    n = evaluator.n_variables
    sizes = sorted({max(1, round(share * n)) for share in _TIMED_SHARES})
    journal, evaluator.journal = evaluator.journal, NO_JOURNAL  # what is looked up takes no time
    known = journal.recall("seconds of a fit")
    seconds = _seconds(evaluator, sizes) if known is None else known.arrays[0]
    journal.note(Entry((seconds,)), "seconds of a fit")
    evaluator.journal = journal
    return searches.fitted_cost(np.array(sizes, dtype=np.float64), seconds)


def _seconds(evaluator: Evaluator, sizes: Sequence[int]) -> NDArray[np.float64]:
    n = evaluator.n_variables
    rng = np.random.default_rng(0)
    seconds = []
    for size in sizes:
        subset = frozenset(rng.permutation(n)[:size].tolist())
        evaluator.losses([subset])  # whatever happens only once shall not count
        times = []
        for _ in range(_TIMES):
            start = time.perf_counter()
            evaluator.losses([subset])
            times.append(time.perf_counter() - start)
        seconds.append(max(min(times), 1e-9))
    return np.array(seconds)
