"""Least squares from second moments: one subset, and every subset one column away from it.

A column more or less costs a matrix product. What second moments are too coarse to settle comes
back as None or with a doubt of 1 and more, for the caller to refit.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from ._linear_moments import ACCURACY_LIMIT, Moments

__all__ = ["Change", "Solution", "added", "removed", "solve"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: How much sooner digits are lost when the solution of least norm is to be found among several.
_NULL_STRAIN = 1e3
#: Rounding error of a pivot, before it grows with the coefficients of the column on the others.
_PIVOT_NOISE = 1e-15
#: Share of a column in the null space that leaves no doubt about where it belongs.
_INDEPENDENT, _DEPENDENT = 1e-13, 1e-7


@dataclass(frozen=True, eq=False)
class Solution:
    """Least squares on one set of columns, as the solution of least norm if there are several.

    The (pseudo-)inverse of the penalised Gram matrix is ``root @ root.T``; kept in two halves, it
    loses far fewer digits. ``null`` is the projector on the null space, None if there is none, and
    ``null_share`` its diagonal for columns of unit length, which tells dependent columns from
    others whatever their units. ``largest`` and ``inverse_norm`` are upper bounds on the
    eigenvalues of the Gram matrix and of its inverse; for ``inflation`` and ``doubt`` see
    `Rule.doubt`.
    """

    columns: IntArray
    root: FloatArray
    coefficients: FloatArray
    null: FloatArray | None
    null_share: FloatArray
    inflation: float
    largest: float
    inverse_norm: float
    doubt: float


@dataclass(frozen=True, eq=False)
class Change:
    """What single columns, added or removed, do to the predictions of a solution.

    With candidate c the prediction of row i moves by ``step[c] * direction[c, i]`` and its leverage
    (per unit of weight) by ``direction[c, i]**2 * leverage[c]``, which is to be believed where
    ``doubt[c]`` is less than 1.
    """

    direction: FloatArray
    step: FloatArray
    leverage: FloatArray
    doubt: FloatArray

    def only(self, chosen: IntArray) -> "Change":
        """Return the change for some of the candidates."""
        return Change(
            self.direction[chosen], self.step[chosen], self.leverage[chosen], self.doubt[chosen]
        )


def solve(moments: Moments, columns: IntArray) -> Solution | None:
    """Solve on these columns; None if second moments cannot tell what a refit would give."""
    power = moments.power[columns]
    # constants alone: what a refit makes of their rounding errors is its own affair
    if moments.doubtful[columns].any() or (columns.size and not power.any()):
        return None
    gram = moments.gram(columns, columns)
    np.fill_diagonal(gram, power)
    scale = 1.0 / np.sqrt(np.where(power > 0, power, power.max(initial=0.0)))
    halves = _inverse_root(gram * scale * scale[:, None], moments.rule.null_level)
    if halves is None:
        return None
    root, kernel = halves
    inflation = float((root**2).sum()) * (_NULL_STRAIN if kernel.size else 1.0)
    root = root * scale[:, None]
    null = None
    if kernel.size:
        # the least norm is meant in the units of the table
        basis = np.linalg.qr(kernel * scale[:, None])[0]
        null = basis @ basis.T
        root -= null @ root
    largest, inverse_norm = float(power.sum()), float((root**2).sum())
    doubt = float(moments.rule.doubt(inflation, largest * inverse_norm))
    if doubt >= 1:
        # traces overrate a Gram matrix of many columns: let its eigenvalues decide
        values = np.linalg.eigvalsh(gram)
        largest, smallest = float(values[-1]), float(values[kernel.shape[1]])
        inverse_norm = 1.0 / smallest if smallest > 0 else np.inf
        doubt = float(moments.rule.doubt(inflation, largest * inverse_norm))
    if doubt >= 1:
        return None
    return Solution(
        columns=columns,
        root=root,
        coefficients=root @ (root.T @ moments.product[columns]),
        null=null,
        null_share=np.einsum("ij,ij->i", kernel, kernel),
        inflation=inflation,
        largest=largest,
        inverse_norm=inverse_norm,
        doubt=doubt,
    )


def _inverse_root(matrix: FloatArray, null_level: float) -> tuple[FloatArray, FloatArray] | None:
    """Root of the pseudo-inverse of a matrix with unit diagonal, and its null space, if clear."""
    if not matrix.size:
        return matrix, matrix
    live = matrix.diagonal() > 0
    if not live.all():
        return _with_constants(_inverse_root(matrix[np.ix_(live, live)], null_level), live)
    factor, failed = lapack.dpotrf(matrix, lower=1, clean=1)
    if not failed:
        inverse, _ = lapack.dtrtri(factor, lower=1)
        if (inverse**2).sum() < ACCURACY_LIMIT:
            return inverse.T, matrix[:, :0]
    values, vectors = np.linalg.eigh(matrix)
    n_null = int(np.count_nonzero(values < null_level))
    kept, vectors_kept = values[n_null:], vectors[:, n_null:]
    if kept[0] <= 0 or (1.0 / kept).sum() >= ACCURACY_LIMIT:
        return None
    return vectors_kept / np.sqrt(kept), vectors[:, :n_null]


def _with_constants(
    halves: tuple[FloatArray, FloatArray] | None, live: NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray] | None:
    """Put back the columns of zeros, each a direction of the null space by itself."""
    if halves is None:
        return None
    root = np.zeros((len(live), halves[0].shape[1]))
    root[live] = halves[0]
    kernel = np.zeros((len(live), halves[1].shape[1]))
    kernel[live] = halves[1]
    return root, np.hstack([kernel, np.eye(len(live))[:, ~live]])


def added(
    moments: Moments, base: Solution, base_rows: FloatArray, columns: IntArray, rows: FloatArray
) -> Change:
    """Add each of ``columns`` alone to a solution.

    Parameters
    ----------
    moments : Moments
        What ``base`` was solved from.
    base : Solution
        Where the changes start.
    base_rows : array of shape (n_base, n_test)
        The columns of ``base`` at the rows to predict, from `Moments.held_out`.
    columns : array of int
        None of them in ``base``.
    rows : array of shape (n_columns, n_test)
        Those columns at the same rows; used up.
    """
    cross = moments.gram(base.columns, columns)
    half = base.root.T @ cross
    shadow = base.root @ half  # the coefficients of each column on the base
    power = moments.power[columns]
    unit = np.where(power > 0, power, 1.0)
    pivot = power - np.einsum("ij,ij->j", half, half)
    length = 1.0 + np.einsum("ij,ij->j", shadow, shadow)
    strain = 1.0 + moments.power[base.columns] @ shadow**2 / unit
    independent = pivot > unit / ACCURACY_LIMIT
    dependent = np.abs(pivot) + _PIVOT_NOISE * strain * unit < moments.rule.null_level * unit
    gain = np.where(independent, 1.0 / np.where(independent, pivot, 1.0), 0.0)
    step = gain * (moments.product[columns] - base.coefficients @ cross)
    # a dependent column shares the work of the base so that the norm becomes least
    step = np.where(dependent, base.coefficients @ shadow / length, step)
    doubtful = moments.doubtful[columns] | ~(independent | dependent)
    if not base.columns.size:
        doubtful |= power == 0  # see solve
    inflation = base.inflation + strain * unit * gain
    if base.null is None:
        inflation[dependent] *= _NULL_STRAIN
    doubt = moments.rule.doubt(
        inflation,
        (base.largest + power) * (base.inverse_norm + length * gain),
    )
    rows -= shadow.T @ base_rows
    return Change(
        direction=rows,
        step=step,
        leverage=gain,
        doubt=np.where(doubtful, np.inf, doubt),
    )


def removed(moments: Moments, base: Solution, base_rows: FloatArray, columns: IntArray) -> Change:
    """Remove each of ``columns`` alone from a solution that holds them; see `added`."""
    places = np.searchsorted(base.columns, columns)
    power = moments.power[base.columns]
    live = power > 0
    halves = base.root[places]
    path, pivot = base.root @ halves.T, np.einsum("ij,ij->i", halves, halves)
    dependent = base.null_share[places] > _DEPENDENT
    doubtful = ~dependent & (base.null_share[places] > _INDEPENDENT)
    # what is left must not be constants alone; see solve
    doubtful |= np.count_nonzero(live) - live[places] == 0
    stretch = strain = np.ones(len(columns))
    if base.null is not None:
        # the rest takes over the part of a dependent column, along the null space
        path = np.where(dependent, base.null[:, places], path)
        pivot = np.where(dependent, base.null[places, places], pivot)
        stretch = np.where(dependent, pivot, stretch)
        unit = np.where(live[places], power[places], np.inf)
        strain = np.where(dependent, np.maximum(1.0, power @ path**2 / (unit * pivot**2)), strain)
    doubt = moments.rule.doubt(base.inflation * strain, base.largest * base.inverse_norm / stretch)
    return Change(
        direction=path.T @ base_rows,
        step=-base.coefficients[places] / pivot,
        leverage=np.where(dependent, 0.0, -1.0 / pivot),
        doubt=np.where(doubtful, np.inf, doubt),
    )
