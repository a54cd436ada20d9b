"""Any scikit-learn estimator: a fresh clone for each subset and fold."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.dummy import DummyClassifier, DummyRegressor

from thresher.parallel import run_tasks

from ._base import Evaluator
from ._baseline import baseline_losses
from ._finite import described, finite_losses
from ._folds import Fold, Folds, each_fold
from ._ledger import Ledger
from ._loss import Loss, classification_losses, regression_losses
from ._problem import Problem
from ._requirements import weight_parameter
from ._subsets import Subset

__all__ = [
    "EstimatorEvaluator",
    "ScorerEvaluator",
    "refit_fold",
    "refit_rows",
    "refit_scores",
    "refitted_losses",
    "seeded",
]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
Hypothesis = tuple[Problem, Subset]


class EstimatorEvaluator(Evaluator):
    """Held-out row losses by refitting, in parallel over subsets and folds."""

    takes_samples: ClassVar[bool] = True

    @classmethod
    def supports(cls, problem: Problem) -> bool:
        """Whether there is a per-row loss to compute."""
        return problem.loss is not None

    @property
    def parts(self) -> Sequence[IntArray] | None:
        """The test rows of each fold: one fit gives the losses of them all."""
        folds = self.problem.folds
        return None if folds.leave_one_out else [fold.test for fold in folds]

    def part_losses(self, subsets: Iterable[Iterable[int]], part: int) -> FloatArray:
        """Losses of the rows of one fold, a fit for each subset."""
        return self._fold_losses(self._checked(subsets), self.problem.folds.folds[part])

    def _sample_losses(self, subsets: Sequence[Subset], fold: Fold) -> FloatArray:
        target = self.problem.target
        if target.classes is not None and len(np.unique(target.values[fold.train])) == 1:
            # small samples may miss all classes but one, which many classifiers refuse to learn
            known = baseline_losses(self.problem, fold, fold.test)
            return np.tile(known, (len(subsets), 1))
        return self._fold_losses(subsets, fold)

    def _fold_losses(self, subsets: Sequence[Subset], fold: Fold) -> FloatArray:
        self._count(len(subsets), len(fold.test), 1)
        return refit_fold([(self.problem, subset) for subset in subsets], fold, self.problem.n_jobs)

    def draw_losses(self, masks: NDArray[np.bool_], units: IntArray) -> FloatArray:
        """Mean loss of each subset on a fold of its own; see `Evaluator.draw_losses`."""
        if self.parts is None:
            return super().draw_losses(masks, units)
        folds = [self.problem.folds.folds[unit] for unit in units]
        subsets = [frozenset(np.flatnonzero(mask).tolist()) for mask in masks]
        for fold in folds:
            self._count(1, len(fold.test), 1)
        tasks = [
            (self.problem, subset, fold, fold.test)
            for subset, fold in zip(subsets, folds, strict=True)
        ]
        found = run_tasks(refitted_losses, tasks, self.problem.n_jobs)
        weights = self.problem.weights
        return np.array(
            [
                np.average(losses, weights=None if weights is None else weights[fold.test])
                for losses, fold in zip(found, folds, strict=True)
            ]
        )

    def _losses(self, subsets: Sequence[Subset], rows: IntArray | None) -> FloatArray:
        def count(n_tested: int) -> None:
            self._count(len(subsets), n_tested, 1)

        hypotheses = [(self.problem, subset) for subset in subsets]
        return refit_rows(hypotheses, self.problem.folds, rows, self.problem.n_jobs, count)


class ScorerEvaluator(Evaluator):
    """Fold losses under a scorer (its negative), for metrics that no per-row loss expresses."""

    unit: ClassVar[str] = "fold"

    @classmethod
    def supports(cls, problem: Problem) -> bool:
        """Whether there is a scorer."""
        return problem.scorer is not None

    @property
    def n_blocks(self) -> int:
        """The number of folds."""
        folds = self.problem.folds
        return folds.n_rows if folds.leave_one_out else len(folds)

    @property
    def weights(self) -> None:
        """None: folds count the same."""
        return

    @property
    def held_out(self) -> IntArray:
        """All folds."""
        return np.arange(self.n_blocks)

    def _losses(self, subsets: Sequence[Subset], rows: IntArray | None) -> FloatArray:
        n_chosen = self.n_blocks if rows is None else len(rows)
        self._count(len(subsets), n_chosen, n_chosen)
        hypotheses = [(self.problem, subset) for subset in subsets]
        return refit_scores(hypotheses, self.problem.folds, rows, self.problem.n_jobs)


def refit_rows(
    hypotheses: Sequence[Hypothesis],
    folds: Folds,
    rows: IntArray | None,
    n_jobs: int | None,
    count: Callable[[int], None],
) -> FloatArray:
    """Held-out losses of rows, of shape (n_hypotheses, n_rows), all in one go.

    ``count`` is told of the number of rows tested in each fold, when its turn comes.
    """
    ledger = Ledger(len(hypotheses), folds.n_rows, rows)
    tested: list[IntArray] = []

    def tasks() -> Iterator[tuple[Problem, Subset, Fold, IntArray]]:
        for fold, test in ledger.tests(each_fold(folds)):
            tested.append(test)
            count(len(test))
            for problem, subset in hypotheses:
                yield problem, subset, fold, test

    results = iter(run_tasks(refitted_losses, tasks(), n_jobs))
    for test in tested:
        ledger.add(test, np.array([next(results) for _ in hypotheses]).reshape(-1, len(test)))
    return ledger.means()


def refit_fold(hypotheses: Sequence[Hypothesis], fold: Fold, n_jobs: int | None) -> FloatArray:
    """Losses of all test rows of one fold."""
    tasks = [(problem, subset, fold, fold.test) for problem, subset in hypotheses]
    found = run_tasks(refitted_losses, tasks, n_jobs)
    return np.array(found).reshape(len(hypotheses), len(fold.test))


def refit_scores(
    hypotheses: Sequence[Hypothesis], folds: Folds, chosen: IntArray | None, n_jobs: int | None
) -> FloatArray:
    """Losses of whole folds under a scorer, of shape (n_hypotheses, n_folds)."""
    every = list(each_fold(folds))
    wanted = every if chosen is None else [every[f] for f in chosen]
    tasks = [(problem, subset, fold) for problem, subset in hypotheses for fold in wanted]
    losses = run_tasks(_fold_loss, tasks, n_jobs)
    return np.array(losses, dtype=np.float64).reshape(len(hypotheses), len(wanted))


def refitted_losses(problem: Problem, subset: Subset, fold: Fold, test: IntArray) -> FloatArray:
    """Losses of some rows of a fold, of a clone fitted on the fold's training rows."""
    if not subset:
        return baseline_losses(problem, fold, test)
    model = _fitted(problem, subset, fold)
    X_test = _table(problem, subset, test)
    truth = problem.target.values[test]
    loss = problem.row_loss
    with _blaming(problem, subset, "predicting"):
        if problem.target.classes is None:
            prediction = np.asarray(model.predict(X_test), dtype=np.float64).reshape(-1)
            return finite_losses(problem, [subset], regression_losses(loss, prediction, truth))
        if loss is Loss.ZERO_ONE:
            predicted = np.asarray(model.predict(X_test))
            return np.asarray(predicted != problem.target.raw[test], dtype=np.float64)
        probability = np.zeros((len(test), problem.target.n_classes))
        known = np.searchsorted(problem.target.classes, model.classes_)
        probability[:, known] = model.predict_proba(X_test)
    return finite_losses(problem, [subset], classification_losses(loss, probability, truth))


def _fold_loss(problem: Problem, subset: Subset, fold: Fold) -> float:
    if problem.scorer is None:
        raise TypeError("this problem has no scorer")
    model = _fitted(problem, subset, fold)
    y_test = problem.target.raw[fold.test]
    X_test = _table(problem, subset, fold.test)
    with _blaming(problem, subset, "scoring"):
        try:
            score = float(problem.scorer(model, X_test, y_test))
        except AttributeError:
            if subset:
                raise
            # the scorer asks for what a model without columns does not have: anything is better
            return np.inf
    if not np.isfinite(score):
        raise ValueError(
            f"the scorer gave {score} for {type(problem.estimator).__name__} in fold {fold.index} "
            f"(cv), which has {len(fold.test)} test row(s), on {described(problem, subset)}"
        )
    return -score


def _fitted(problem: Problem, subset: Subset, fold: Fold) -> Any:
    if fold.train is None:
        raise TypeError("leave-one-out must be spelled out before refitting")
    model = seeded(clone(problem.estimator), problem.seed) if subset else _dummy(problem)
    extra = {}
    if problem.weights is not None:
        extra[weight_parameter(model)] = problem.weights[fold.train]
    X_train = _table(problem, subset, fold.train)
    with _blaming(problem, subset, "fitting"):
        return model.fit(X_train, problem.target.raw[fold.train], **extra)


def _table(problem: Problem, subset: Subset, rows: IntArray) -> Any:
    # frames without columns lose their rows, so the empty subset becomes one constant column
    return problem.columns.take(subset, rows) if subset else np.zeros((len(rows), 1))


def _dummy(problem: Problem) -> Any:
    return DummyRegressor() if problem.target.classes is None else DummyClassifier()


def seeded(model: BaseEstimator, seed: int | None) -> BaseEstimator:
    """Give every open random_state the same seed: subsets then differ by their columns alone."""
    if seed is None:
        return model
    params = model.get_params(deep=True)
    open_seeds = {
        name: seed
        for name, value in params.items()
        if name.split("__")[-1] == "random_state" and value is None
    }
    return model.set_params(**open_seeds) if open_seeds else model


class _blaming:  # noqa: N801 - reads as a statement
    """Add to an estimator's own exception which columns it was given."""

    def __init__(self, problem: Problem, subset: Iterable[int], doing: str):
        self._problem, self._subset, self._doing = problem, subset, doing

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, Exception):
            name = type(self._problem.estimator).__name__
            error.add_note(
                f"raised by {name} while {self._doing} on {described(self._problem, self._subset)}"
            )
