"""The merit of a subset: columns that tell about the target, and not the same."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Columns
from thresher.evaluators import Evaluator, Flips, Fold, Folds, Problem, Subset, Target

from ._correlations import Correlations

__all__ = ["MeritEvaluator"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


class MeritEvaluator(Evaluator):
    """Tells ``1 - merit`` of subsets in place of a loss, so that any search can be used.

    The merit of k columns is the correlation of their sum with the target, were all correlations
    linear (Hall, 2000): the sum of those with the target, divided by the root of k plus twice the
    sum of those with each other.

    Parameters
    ----------
    columns : Columns
        The table.
    target : Target
        What is to be predicted.
    correlations : Correlations
        Of its columns.
    selector : estimator
        Who asks.
    """

    unit = "fold"

    def __init__(self, columns: Columns, target: Target, correlations: Correlations, selector: Any):
        everyone = np.arange(columns.n_rows)
        folds = Folds((Fold(0, everyone, everyone),), columns.n_rows)
        super().__init__(
            Problem(selector, columns, target, folds, loss=None, n_jobs=selector.n_jobs)
        )
        self.correlations = correlations
        # what is the same in all rows, but is to be kept, must not change what else is selected
        kept = columns.columns_of(columns.required)
        self._weights = correlations.weights.copy()
        self._weights[kept[correlations.flat[kept]]] = 0.0

    @classmethod
    def supports(cls, problem: Problem) -> bool:
        """Whether a learner does the same: none does."""
        return False

    @property
    def n_blocks(self) -> int:
        """All rows at once."""
        return 1

    @property
    def held_out(self) -> IntArray:
        """The one block there is."""
        return np.zeros(1, dtype=np.intp)

    @property
    def is_quick(self) -> bool:
        """Merits are sums of a few numbers."""
        return True

    def merits(self, subsets: Sequence[Subset]) -> FloatArray:
        """Merit of each subset of variables."""
        if isinstance(subsets, Flips) and len(subsets):
            return self._flipped(subsets)
        return np.array([self._merit(subset) for subset in subsets])

    def _losses(self, subsets: Sequence[Subset], rows: IntArray | None) -> FloatArray:
        self._count(len(subsets), 1, 1)
        losses = 1.0 - self.merits(subsets)[:, None]
        return losses if rows is None else losses[:, rows]

    def _merit(self, subset: Subset) -> float:
        members = self.problem.columns.columns_of(subset)
        return float(_ratio(*self._sums(members), least=0.0))

    def _sums(self, members: IntArray) -> tuple[float, float]:
        """Sums of correlations with the target, and of those within a subset."""
        weights = self._weights[members]
        with_target = float(weights @ self.correlations.with_target[members])
        within = sum(
            w * float(weights @ self.correlations.with_column(p)[members])
            for w, p in zip(weights.tolist(), members.tolist(), strict=True)
        )
        return with_target, within

    def _flipped(self, flips: Flips) -> FloatArray:
        """Merits of a base with one variable more or less, from sums over the base."""
        found, columns = self.correlations, self.problem.columns
        base = columns.columns_of(flips.base)
        with_target, within = self._sums(base)
        with_base = np.zeros(found.n_columns)
        for p in base.tolist():
            with_base += self._weights[p] * found.with_column(p)
        flipped = [columns.variables[v] for v in flips.variables]
        members = np.concatenate(flipped)
        weights = self._weights[members]
        sizes = np.array([len(some) for some in flipped])
        starts = np.cumsum(sizes) - sizes
        own = np.add.reduceat(weights**2, starts)
        for k in np.flatnonzero(sizes > 1).tolist():
            own[k] = self._sums(flipped[k])[1]
        sign = np.array([-1.0 if v in flips.base else 1.0 for v in flips.variables])
        # a variable that leaves takes its own correlations out of the base twice
        return _ratio(
            with_target + sign * np.add.reduceat(weights * found.with_target[members], starts),
            within + own + 2.0 * sign * np.add.reduceat(weights * with_base[members], starts),
            least=1e-12 * (within + own),
        )


def _ratio(with_target: Any, within: Any, *, least: Any) -> FloatArray:
    """Return the merit from its two sums; 0 of no column, of which only rounding is left."""
    possible = np.asarray(within) > least
    return np.asarray(
        np.where(possible, with_target / np.sqrt(np.where(possible, within, 1.0)), 0.0)
    )
