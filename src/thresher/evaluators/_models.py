"""Losses of several models on one table, all of its columns in each."""

import operator
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.utils import get_tags

from thresher.columns import Columns, read_columns
from thresher.journal import NO_JOURNAL, Scope
from thresher.parallel import run_in_threads

from ._base import Evaluator, FastEvaluator
from ._evaluator_for import evaluator_for
from ._folds import make_folds
from ._loss import Loss
from ._memory import MemoryEvaluator
from ._problem import Problem, Target
from ._refits import Refits
from ._requirements import check_estimator
from ._subsets import Subset
from ._target import make_target

__all__ = ["ModelsEvaluator"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


class ModelsEvaluator:
    """Held-out losses of models, on the same rows of the same folds.

    It answers what a race asks (`thresher.races.LossSource`), only that candidates are not subsets
    but the positions 0 .. n - 1 of models. Each has an evaluator of its own, as `evaluator_for`
    chooses it: nothing is refitted that need not be.

    Parameters
    ----------
    estimators : sequence of estimators
        All classifiers, or all regressors.
    X, y, cv, loss, scoring, sample_weight, groups, n_jobs, random_state, on_error, timeout
        See `evaluator_for`. The table is read and split once. Constant columns stay.

    Attributes
    ----------
    problems : tuple of Problem
        One for each model.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> models = [KNeighborsClassifier(k) for k in (1, 5, 100)]
    >>> evaluator = ModelsEvaluator(models, *load_iris(return_X_y=True), cv="loo")
    >>> evaluator.losses([0, 1, 2]).mean(axis=1).round(3).tolist()
    [0.04, 0.033, 0.473]
    """

    def __init__(
        self,
        estimators: Sequence[Any],
        X: Any,
        y: Any,
        *,
        cv: Any = 5,
        loss: str | None = None,
        scoring: Any = None,
        sample_weight: Any = None,
        groups: Any = None,
        n_jobs: int | None = None,
        random_state: int | None = None,
        on_error: Literal["raise", "skip"] = "raise",
        timeout: float | None = None,
    ):
        classifier = _are_classifiers(estimators)
        columns = X if isinstance(X, Columns) else read_columns(X)
        self.target: Target = make_target(y, classifier=classifier)
        folds = make_folds(
            cv, self.target.values, classifier=classifier, groups=groups, labels=self.target.classes
        )
        self.n_jobs = n_jobs
        self.journal: Scope = NO_JOURNAL
        self.failures: list[dict[str, str]] = []
        self.tentative: frozenset[Subset] = frozenset()
        self._evaluators = [
            evaluator_for(
                estimator,
                columns,
                self.target.raw,
                cv=folds,
                loss=loss,
                scoring=scoring,
                sample_weight=sample_weight,
                n_jobs=1,  # threads and workers share out models
                random_state=random_state,
                on_error=on_error,
                timeout=timeout,
            )
            for estimator in estimators
        ]
        self._all: Subset = frozenset(range(columns.n_variables))
        memory_based = [e for e in self._evaluators if isinstance(e, MemoryEvaluator)]
        for evaluator in memory_based[1:]:
            evaluator.share_parts(memory_based[0])

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Learner, table, target, loss and folds of each model."""
        return tuple(evaluator.problem for evaluator in self._evaluators)

    @property
    def row_loss(self) -> Loss | None:
        """What a row costs; None under a scorer that no per-row loss expresses."""
        return self._first.problem.loss

    @property
    def unit(self) -> str:
        """What losses are paired over: "row" or "fold"."""
        return self._first.unit

    @property
    def n_blocks(self) -> int:
        """How many rows or folds there are."""
        return self._first.n_blocks

    @property
    def n_splits(self) -> int:
        """How often rows are held out; in leave-one-out, once for each."""
        folds = self._first.problem.folds
        return folds.n_rows if folds.leave_one_out else len(folds)

    @property
    def weights(self) -> FloatArray | None:
        """How much each row counts."""
        return self._first.weights

    @cached_property
    def held_out(self) -> IntArray:
        """The rows or folds that are held out at least once."""
        return self._first.held_out

    @cached_property
    def parts(self) -> Sequence[IntArray] | None:
        """Test rows of each fold, as soon as one model must be refitted to give them."""
        found = (evaluator.parts for evaluator in self._evaluators)
        return next((parts for parts in found if parts is not None), None)

    @property
    def growth(self) -> float:
        """Rows to ask for at once, as a share of those seen."""
        return min(evaluator.growth for evaluator in self._evaluators)

    @cached_property
    def loss_span(self) -> float | None:
        """The largest difference there can be between two losses; None if no bound is known."""
        spans = [evaluator.loss_span for evaluator in self._evaluators]
        known = [span for span in spans if span is not None]
        return max(known) if len(known) == len(spans) else None

    @property
    def n_losses(self) -> int:
        """Losses computed so far."""
        return sum(evaluator.n_losses for evaluator in self._evaluators)

    @property
    def n_fits(self) -> int:
        """Hypotheses trained and tested so far."""
        return sum(evaluator.n_fits for evaluator in self._evaluators)

    def losses(
        self, models: Iterable[int], rows: Sequence[int] | IntArray | None = None
    ) -> FloatArray:
        """Return the held-out loss of every row under each model.

        Parameters
        ----------
        models : iterable of int
            Positions in ``estimators``.
        rows : sequence of int, optional
            Only these rows (folds, where ``unit`` is "fold"), in this order.

        Returns
        -------
        array of shape (n_models, n_blocks or len(rows))
            NaN where a row is never held out. A row held out several times gets its mean loss.
        """
        wanted = None if rows is None else self._first._checked_rows(rows)
        n_columns = self.n_blocks if wanted is None else len(wanted)

        def refit(slow: Sequence[Evaluator]) -> FloatArray:
            hypotheses = self._hypotheses(slow)
            if self.unit == "fold":
                _count(slow, n_columns, n_columns)
                return self._refits.scores(hypotheses, wanted)
            return self._refits.rows(hypotheses, wanted, lambda n: _count(slow, n, 1))

        return self._asked(models, n_columns, lambda fast: fast.losses([self._all], wanted), refit)

    def part_losses(self, models: Iterable[int], part: int) -> FloatArray:
        """Losses of the test rows of one fold, of shape (n_models, len(parts[part]))."""
        if self.parts is None:
            raise TypeError("these models have no parts: ask for rows")
        fold = self._first.problem.folds.folds[part]

        def refit(slow: Sequence[Evaluator]) -> FloatArray:
            _count(slow, len(fold.test), 1)
            return self._refits.fold(self._hypotheses(slow), fold)

        return self._asked(
            models, len(fold.test), lambda fast: fast.part_losses([self._all], part), refit
        )

    def draw_losses(self, masks: NDArray[np.bool_], units: IntArray) -> FloatArray:
        """Refuse: there are no subsets to draw."""
        raise TypeError("models have no subsets to draw: ask for losses")

    @property
    def _first(self) -> Evaluator:
        return self._evaluators[0]

    def _checked(self, models: Iterable[int]) -> list[int]:
        positions = [operator.index(model) for model in models]
        wrong = [p for p in positions if not 0 <= p < len(self._evaluators)]
        if wrong:
            raise ValueError(
                f"models are positions, 0 to {len(self._evaluators) - 1}; got {wrong[:5]}"
            )
        return positions

    @cached_property
    def _refits(self) -> Refits:
        """Those of all models together, so that their table is sent once."""
        return Refits(self.problems, self.n_jobs, self)

    @property
    def all_failed(self) -> bool:
        """Whether there were failures, and nothing else."""
        fast = any(isinstance(evaluator, FastEvaluator) for evaluator in self._evaluators)
        return not fast and self._refits.all_failed

    def _hypotheses(self, evaluators: Sequence[Evaluator]) -> list[tuple[int, Subset]]:
        place = {id(evaluator): k for k, evaluator in enumerate(self._evaluators)}
        return [(place[id(evaluator)], self._all) for evaluator in evaluators]

    def _asked(
        self,
        models: Iterable[int],
        n_columns: int,
        look_up: Callable[[FastEvaluator], FloatArray],
        refit: Callable[[Sequence[Evaluator]], FloatArray],
    ) -> FloatArray:
        """Ask fast evaluators in threads, one by one, and refit the others all together."""
        asked = [self._evaluators[model] for model in self._checked(models)]
        out = np.empty((len(asked), n_columns))
        fast = [(k, e) for k, e in enumerate(asked) if isinstance(e, FastEvaluator)]
        slow = [k for k, e in enumerate(asked) if not isinstance(e, FastEvaluator)]
        found = run_in_threads(look_up, [(evaluator,) for _, evaluator in fast], self.n_jobs)
        for (k, _), losses in zip(fast, found, strict=True):
            out[k] = losses[0]
        if slow:
            out[slow] = refit([asked[k] for k in slow])
        return out


def _are_classifiers(estimators: Sequence[Any]) -> bool:
    if not len(estimators):
        raise ValueError("estimators is empty; expected at least one model")
    for estimator in estimators:
        check_estimator(estimator)
        if get_tags(estimator).input_tags.pairwise:
            raise ValueError(
                f"{estimator!r} wants a square matrix of distances or kernels between rows, which "
                "is no table to hold rows out of"
            )
    kinds = {is_classifier(estimator) for estimator in estimators}
    if len(kinds) > 1:
        raise ValueError("estimators must be all classifiers or all regressors; got both")
    return bool(kinds.pop())


def _count(evaluators: Sequence[Evaluator], n_losses: int, n_fits: int) -> None:
    for evaluator in evaluators:
        evaluator._count(1, n_losses, n_fits)
