"""Learners: the loss of each held-out row, and how much each variable is needed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from thresher.ace import Problem
from thresher.columns import Binned
from thresher.parallel import run_in_threads
from thresher.trees import Squared, held_out_boosting

from ._design import Design
from ._logistic import fit_logistic

__all__ = ["BoostedTrees", "Learner", "LinearModel", "Remembering", "Trial"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
#: The variables that are left in each fold.
Sets = Sequence[Sequence[int]]

#: For trees, levels with fewer rows are merged into one: each would only fit its own few rows.
MIN_ROWS_OF_LEVEL = 10
#: Most inputs of a linear model whose curvature is computed in full; beyond, it is diagonal.
MAX_CURVATURE = 400
#: Most inputs of a logistic regression by Newton's method; beyond, scikit-learn is as fast.
MAX_NEWTON = 150
#: Log-odds of a class that a fold has not seen.
UNSEEN = -30.0


@dataclass(frozen=True, eq=False)
class Trial:
    """The result of one learner on the variables that are left in each fold.

    Parameters
    ----------
    losses : array of shape (n_rows,)
        Squared error or log loss of each held-out row.
    needs : tuple of arrays
        For each fold and each of its variables: estimated rise of the loss without the variable, as
        a share of the held-out loss.
    """

    losses: FloatArray
    needs: tuple[FloatArray, ...]


class Learner(Protocol):
    """A model that predicts held-out rows, and tells how much it needs each variable.

    Learners of one ``name`` are told apart by their ``key``.
    """

    name: str
    key: str

    def try_sets(self, sets: Sets, fold_of_row: IntArray) -> Trial:
        """Fit each fold on its own variables, and predict the rows that it holds out."""


class Remembering:
    """A learner that tries the same sets only once: both paths often come to the same ones.

    Parameters
    ----------
    learner : Learner
        The learner that tries them.
    """

    def __init__(self, learner: Learner) -> None:
        self.name, self.key = learner.name, learner.key
        self._learner = learner
        self._known: dict[tuple[tuple[tuple[int, ...], ...], bytes], Trial] = {}

    def try_sets(self, sets: Sets, fold_of_row: IntArray) -> Trial:
        """See `Learner`."""
        key = tuple(map(tuple, sets)), blake2b(fold_of_row.tobytes()).digest()
        if key not in self._known:
            self._known[key] = self._learner.try_sets(sets, fold_of_row)
        return self._known[key]


class BoostedTrees:
    """Boosted trees on codes.

    Parameters
    ----------
    problem : Problem
        Columns, response and weights.
    seed : SeedSequence
        Of the row samples, the same for all sets.
    n_jobs : int, optional
        Threads.
    quick : bool, default=False
        Learn faster, at the price of a little accuracy: enough to order variables.
    """

    name = "boosted trees"

    def __init__(
        self,
        problem: Problem,
        seed: np.random.SeedSequence,
        n_jobs: int | None = None,
        *,
        quick: bool = False,
    ) -> None:
        self._problem = replace(problem, binned=_without_rare_levels(problem.binned))
        self._seed, self._n_jobs, self._quick = seed, n_jobs, quick
        self.key = f"{self.name}, quick" if quick else self.name

    def try_sets(self, sets: Sets, fold_of_row: IntArray) -> Trial:
        """See `Learner`."""
        problem, response, weight = self._problem, self._problem.response, self._problem.weight
        starts = [
            np.tile(response.start(np.where(fold_of_row == fold, 0.0, weight)), (len(weight), 1))
            for fold in range(len(sets))
        ]
        constant = np.array([starts[fold][row] for row, fold in enumerate(fold_of_row)])
        nothing = response.losses(constant)
        if not len(sets[0]):
            return Trial(nothing, (np.empty(0),) * len(sets))
        seeds = [
            np.random.SeedSequence(self._seed.entropy, spawn_key=(*self._seed.spawn_key, fold))
            for fold in range(len(sets))
        ]
        found = held_out_boosting(
            [problem.cut_down(own) for own in sets], response, weight, fold_of_row, starts, seeds,
            quick=self._quick, n_jobs=self._n_jobs,
        )  # fmt: skip
        # held-out rows give the gain of all variables; the cuts, the share of each variable
        loss = float(weight @ found.losses)
        gained = max(float(weight @ nothing) - loss, 0.0)
        explained = gained / max(loss, np.finfo(float).tiny)
        needs = []
        for own, earned in zip(sets, found.earned, strict=True):
            by_variable = problem.by_variable(earned, own)
            needs.append(explained * by_variable / max(by_variable.sum(), np.finfo(float).tiny))
        return Trial(found.losses, tuple(needs))


class LinearModel:
    """Ridge regression, or logistic regression with the same penalty.

    Parameters
    ----------
    problem : Problem
        Response and weights.
    design : Design
        The columns as numbers.
    n_jobs : int, optional
        Threads.
    """

    name = key = "linear model"

    def __init__(self, problem: Problem, design: Design, n_jobs: int | None = None) -> None:
        self._response, self._weight, self._design = problem.response, problem.weight, design
        self._n_jobs = n_jobs

    def try_sets(self, sets: Sets, fold_of_row: IntArray) -> Trial:
        """See `Learner`."""
        found = run_in_threads(
            self._one_fold, [(own, fold_of_row == fold) for fold, own in enumerate(sets)],
            self._n_jobs,
        )  # fmt: skip
        prediction = np.empty_like(self._response.values)
        for fold, (held_out, _) in enumerate(found):
            prediction[fold_of_row == fold] = held_out
        losses = self._response.losses(prediction)
        loss = max(float(np.average(losses, weights=self._weight)), np.finfo(float).tiny)
        return Trial(losses, tuple(rises / loss for _, rises in found))

    def _one_fold(
        self, variables: Sequence[int], is_held: NDArray[np.bool_]
    ) -> tuple[FloatArray, FloatArray]:
        """Predict the held-out rows; estimate the rise of the mean loss without each variable."""
        of_variable = [self._design.of_variable[v] for v in variables]
        sizes = np.array([len(numbers) for numbers in of_variable], dtype=np.intp)
        weight = np.where(is_held, 0.0, self._weight)
        start = np.tile(self._response.start(weight), (int(is_held.sum()), 1))
        if not sizes.sum():
            return start, np.zeros(len(sizes))
        table = self._design.table[:, np.concatenate(of_variable)]
        fit = _ridge if isinstance(self._response, Squared) else _logistic
        prediction, by_number = fit(
            table[~is_held], self._response.values[~is_held], self._weight[~is_held],
            table[is_held], start,
        )  # fmt: skip
        rises = np.zeros(len(sizes))
        rises[sizes > 0] = np.add.reduceat(by_number, (np.cumsum(sizes) - sizes)[sizes > 0])
        return prediction, rises


def _ridge(
    table: FloatArray, values: FloatArray, weight: FloatArray, held: FloatArray, _: FloatArray
) -> tuple[FloatArray, FloatArray]:
    centre, mean = (
        np.average(table, axis=0, weights=weight),
        np.average(values[:, 0], weights=weight),
    )
    root = np.sqrt(weight)
    scaled, goal = (table - centre) * root[:, None], (values[:, 0] - mean) * root
    n_rows, n_numbers = scaled.shape
    if n_numbers <= n_rows:
        inverse = np.linalg.inv(scaled.T @ scaled + np.eye(n_numbers))
        coefficients = inverse @ (scaled.T @ goal)
        curvature = 1 / np.diag(inverse)
    else:
        coefficients = scaled.T @ np.linalg.solve(scaled @ scaled.T + np.eye(n_rows), goal)
        curvature = (scaled**2).sum(axis=0)
    prediction = (held - centre) @ coefficients + mean
    return prediction[:, None], coefficients**2 * curvature / weight.sum()


def _logistic(
    table: FloatArray, values: FloatArray, weight: FloatArray, held: FloatArray, start: FloatArray
) -> tuple[FloatArray, FloatArray]:
    label = values[:, 0].astype(np.intp) if values.shape[1] == 1 else values.argmax(axis=1)
    classes = np.unique(label)
    if len(classes) < 2:
        return start, np.zeros(table.shape[1])
    if values.shape[1] == 1 and table.shape[1] <= min(MAX_NEWTON, len(table)):
        fit = fit_logistic(table, values[:, 0], weight)
        coefficients, intercept = fit.coefficients[:-1], fit.coefficients[-1]
        curvature = 1 / np.diag(fit.covariance)[:-1]
        prediction = held @ coefficients + intercept
        return prediction[:, None], coefficients**2 * curvature / (2 * weight.sum())
    return _logistic_of_many(table, label, classes, weight, held, values.shape[1])


def _logistic_of_many(
    table: FloatArray,
    label: IntArray,
    classes: IntArray,
    weight: FloatArray,
    held: FloatArray,
    n_outputs: int,
) -> tuple[FloatArray, FloatArray]:
    """Logistic regression of many classes, or of more columns than rows."""
    from sklearn.linear_model import LogisticRegression

    n_numbers = table.shape[1]
    # the penalty sees the length of the coefficients only: as many axes as rows are enough
    is_wide = n_numbers > len(table)
    axes = np.linalg.svd(table, full_matrices=False)[2] if is_wide else np.eye(n_numbers)
    turned, turned_held = (table @ axes.T, held @ axes.T) if is_wide else (table, held)
    few = len(axes) * len(classes) <= MAX_CURVATURE
    model = LogisticRegression(max_iter=200, solver="newton-cholesky" if few else "lbfgs")
    model.fit(turned, label, sample_weight=weight)
    scores = model.decision_function(turned_held)
    if scores.ndim == 1:
        scores = np.column_stack([-scores / 2, scores / 2])
    prediction = scores[:, 1:] - scores[:, :1]
    if n_outputs > 1:
        prediction = np.full((len(held), n_outputs), UNSEEN)
        prediction[:, classes] = scores
    likely = model.predict_proba(turned)[:, -len(model.coef_) :]
    rises = np.zeros(n_numbers)
    for coefficients, share in zip(model.coef_ @ axes, likely.T, strict=True):
        rises += coefficients**2 * _curvature(table, weight * share * (1 - share))
    return prediction, rises / (2 * weight.sum())


def _curvature(table: FloatArray, weight: FloatArray) -> FloatArray:
    """Curvature of the loss along each coefficient: of its profile, or diagonal if many."""
    if table.shape[1] > MAX_CURVATURE:
        return np.asarray((table**2 * weight[:, None]).sum(axis=0))
    centred = table - np.average(table, axis=0, weights=weight + np.finfo(float).tiny)
    root = centred * np.sqrt(weight)[:, None]
    n_rows, n_numbers = root.shape
    if n_numbers > n_rows:  # the inverse by that of a smaller matrix, after Woodbury
        solved = np.linalg.solve(root @ root.T + np.eye(n_rows), root)
        return np.asarray(1 / (1 - (root * solved).sum(axis=0)))
    inverse = np.linalg.inv(root.T @ root + np.eye(n_numbers))
    return np.asarray(1 / np.diag(inverse))


def _without_rare_levels(binned: Binned) -> Binned:
    """Merge the rare levels of each category."""
    codes, n_bins = binned.codes.copy(), binned.n_bins.copy()
    for j in np.flatnonzero(binned.categorical & (n_bins > 2)).tolist():
        n_levels = int(n_bins[j])
        counts = np.bincount(codes[j], minlength=n_levels + 1)[:n_levels]
        is_rare = counts < MIN_ROWS_OF_LEVEL
        if is_rare.sum() < 2:
            continue
        n_frequent = n_levels - int(is_rare.sum())
        merged = np.full(n_levels + 1, n_frequent, dtype=codes.dtype)
        merged[:n_levels][~is_rare] = np.arange(n_frequent)
        merged[n_levels] = n_frequent + 1  # missing cells come after all levels
        codes[j], n_bins[j] = merged[codes[j]], n_frequent + 1
    return replace(binned, codes=codes, n_bins=n_bins)
