"""Means and inner products of training columns, which is all that least squares needs of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["ACCURACY_LIMIT", "Moments", "Rule"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Largest trusted trace of the inverse of a Gram matrix with unit diagonal, which is the sum of the
#: variance inflation factors: coefficients then have 8 digits where it matters.
ACCURACY_LIMIT = 1e8
#: Eigenvalues of such a matrix below this are zero but for rounding.
_NULL_LEVEL = 1e-13
#: Centred columns this small against the raw ones are rounding errors of a constant ...
_CONSTANT = 1e-12
#: ... and up to here too few of their digits are left.
_NEARLY_CONSTANT = 1e-7
#: Columns handled at a time, so that temporary copies stay small.
_BLOCK = 512


@dataclass(frozen=True)
class Rule:
    """What is minimised.

    Parameters
    ----------
    intercept : bool
        Whether columns and target are centred.
    alpha : float
        Ridge penalty.
    cutoff : float
        Singular values up to this share of the largest count as zero, which makes the solution of
        least norm well defined; 0 if the learner has no such provision.
    """

    intercept: bool
    alpha: float
    cutoff: float

    @property
    def null_level(self) -> float:
        """Eigenvalues below are dropped by the learner as well; 0 if that is not for sure."""
        return _NULL_LEVEL if self.cutoff**2 > 4 * _NULL_LEVEL else 0.0

    def doubt(self, inflation: ArrayLike, spread: ArrayLike) -> FloatArray:
        """Compare with what is tolerable: below 1, moments give what a refit would give.

        Parameters
        ----------
        inflation : float or array
            Upper bound on the trace that `ACCURACY_LIMIT` is about.
        spread : float or array
            Upper bound on the ratio of the extreme eigenvalues in the units of the table, which the
            cutoff must not come near.
        """
        inflation, spread = np.asarray(inflation), np.asarray(spread)
        return np.maximum(inflation / ACCURACY_LIMIT, spread * (4 * self.cutoff**2))


class Moments:
    """First and second moments of the training rows of one fold.

    Parameters
    ----------
    table : array of shape (n_columns, n_rows)
        The data, one row per column of the table.
    y : array of shape (n_rows,)
        The target.
    weights : array of shape (n_rows,)
        Weights of the rows.
    train, test : arrays of int
        Rows of the fold.
    rule : Rule
        What is minimised.
    keep : bool
        Whether to hold the Gram matrix and the centred test rows, instead of computing what is
        asked for.
    """

    def __init__(
        self,
        table: FloatArray,
        y: FloatArray,
        weights: FloatArray,
        *,
        train: IntArray,
        test: IntArray,
        rule: Rule,
        keep: bool,
    ):
        self.rule = rule
        self._table, self._train, self._root = table, train, np.sqrt(weights[train])
        n_columns, used = len(table), weights[train]
        self.intercept_leverage = 1.0 / float(used.sum()) if rule.intercept else 0.0
        self.y_mean = float(np.average(y[train], weights=used)) if rule.intercept else 0.0
        self.mean = np.zeros(n_columns)
        self.constant = np.zeros(n_columns, dtype=bool)
        self.doubtful = np.zeros(n_columns, dtype=bool)
        #: the diagonal of the penalised Gram matrix, and X'y
        self.power, self.product = np.empty(n_columns), np.empty(n_columns)
        target = self._root * (y[train] - self.y_mean)
        for start in range(0, n_columns, _BLOCK):
            self._summarise(slice(start, start + _BLOCK), used, target)
        self._gram = self._test_rows = None
        if keep:
            everything = np.arange(n_columns)
            self._gram = self._products(everything, everything)
            self._test_rows = self._centred(everything, test)

    def _summarise(self, block: slice, weights: FloatArray, target: FloatArray) -> None:
        rows = self._table[block][:, self._train]
        size = (rows**2) @ weights
        if self.rule.intercept:
            self.mean[block] = np.average(rows, axis=1, weights=weights)
        rows -= self.mean[block, None]
        power = (rows**2) @ weights
        self.constant[block] = power <= _CONSTANT**2 * size
        self.doubtful[block] = (power < _NEARLY_CONSTANT**2 * size) & ~self.constant[block]
        rows[self.constant[block]] = 0.0
        self.power[block] = np.where(self.constant[block], 0.0, power) + self.rule.alpha
        self.product[block] = (rows * self._root) @ target

    def gram(self, left: IntArray, right: IntArray) -> FloatArray:
        """Inner products of training columns, without the penalty."""
        if self._gram is not None:
            return self._gram[np.ix_(left, right)]
        return self._products(left, right)

    def _products(self, left: IntArray, right: IntArray) -> FloatArray:
        out = np.empty((len(left), len(right)))
        rows = self._training(left)
        for start in range(0, len(right), _BLOCK):
            part = slice(start, start + _BLOCK)
            out[:, part] = rows @ self._training(right[part]).T
        return out

    def _training(self, columns: IntArray) -> FloatArray:
        rows = self._centred(columns, self._train)
        rows *= self._root
        rows[self.constant[columns]] = 0.0
        return rows

    def _centred(self, columns: IntArray, rows: IntArray) -> FloatArray:
        out = self._table[columns].take(rows, axis=1)
        out -= self.mean[columns, None]
        return out

    def held_out(self, columns: IntArray, test: IntArray) -> FloatArray:
        """Columns at test rows, measured from their training means: a new (n_columns, n_test)."""
        if self._test_rows is not None and len(test) == self._test_rows.shape[1]:
            return self._test_rows[columns]  # as many as the fold has, hence all of them
        return self._centred(columns, test)
