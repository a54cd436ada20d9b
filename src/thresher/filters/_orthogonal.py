"""What variables explain of a target beside those chosen before, by Gram-Schmidt."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import dgemm

from thresher.stats._orthogonal import EPS, directions
from thresher.stats._probe import log_probe_chance

__all__ = ["Look", "OrthogonalSpace", "basis_of"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Differences that are rounding: copies of a column are to tie, so that the first one is chosen.
_TIE = 1e-9


@dataclass(frozen=True, eq=False)
class Look:
    """What each variable would explain next.

    Parameters
    ----------
    share : array of shape (n_variables,)
        Of what is left of the target; 0 for variables of which nothing is left.
    width : array of int of shape (n_variables,)
        Dimension of what is left of each variable; 0 for those chosen.
    target_width : int
        Dimension of what is left of the target.
    n_dimensions : int
        Dimension of the space that all this is left in.
    residual : float
        What is left of the variance of the target, as a share.
    """

    share: FloatArray
    width: IntArray
    target_width: int
    n_dimensions: int
    residual: float

    @property
    def n_candidates(self) -> int:
        """The number of variables of which something is left."""
        return int((self.width > 0).sum())

    def log_chance(self, variables: Any = slice(None)) -> FloatArray:
        """Logarithm of the chance that random columns, as many, explain as much as variables do."""
        return log_probe_chance(
            self.share[variables], self.width[variables], self.target_width, self.n_dimensions
        )

    def best(self) -> int:
        """Find the variable that chance would match least; of equals, the first."""
        # among variables of one width, it is the one that explains most
        tops = np.array([self._top(w) for w in np.unique(self.width[self.width > 0])])
        chance = self.log_chance(tops)
        near = tops[chance <= chance.min() + _TIE * (1.0 + abs(chance.min()))]
        return int(near[self.share[near] >= self.share[near].max() - _TIE].min())

    def _top(self, width: int) -> int:
        share = np.where(self.width == width, self.share, -1.0)
        return int(np.flatnonzero(share >= share.max() - _TIE)[0])


class OrthogonalSpace:
    """A target and variables, and what is left of them beside the variables projected out.

    Parameters
    ----------
    X : array of shape (n_rows, n_columns)
        Finite numbers.
    target : array of shape (n_rows, n_targets)
        Only the space that its centred columns span matters.
    variables : sequence of arrays of int
        The columns of each variable.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0, 1.0], [1.0, 1.1, 0.0], [2.0, 2.0, 0.0], [3.0, 3.1, 1.0]])
    >>> space = OrthogonalSpace(X, X[:, [0]] + 0.5 * X[:, [2]], [[0], [1], [2]])
    >>> space.look().share.round(3)
    array([0.952, 0.951, 0.048])
    >>> space.project_out(0)
    >>> space.look().share.round(3)
    array([0., 0., 1.])
    """

    def __init__(
        self, X: FloatArray, target: FloatArray, variables: Sequence[IntArray | Sequence[int]]
    ):
        units = directions(X)
        bases = [
            units[:, members] if len(members) == 1 else basis_of(units[:, members])
            for members in variables
        ]
        widths = np.array([basis.shape[1] for basis in bases], dtype=np.intp)
        order = np.argsort(widths, kind="stable")
        # in rows, variables of the same width side by side: one product serves all of them
        self._rest = np.ascontiguousarray(np.hstack([bases[v] for v in order]).T)
        self._start = np.empty(len(widths), dtype=np.intp)
        self._start[order] = np.cumsum(widths[order]) - widths[order]
        self._widths = widths
        self._blocks = [np.flatnonzero(widths == d) for d in np.unique(widths[widths > 0])]
        self._chosen = np.zeros(len(widths), dtype=bool)
        self._basis = np.empty((min(len(X), len(self._rest)), len(X)))
        self._n_out = 0
        self._target = basis_of(directions(target))
        self._n_targets = self._target.shape[1]

    @property
    def n_dimensions(self) -> int:
        """Dimension of the space orthogonal to the mean and all that was projected out."""
        return int(self._rest.shape[1]) - 1 - self._n_out

    def look(self) -> Look:
        """Judge all variables beside those projected out."""
        goal = basis_of(self._target)
        trace = np.zeros(len(self._widths))
        width = np.zeros(len(self._widths), dtype=np.intp)
        for members in self._blocks:
            trace[members], width[members] = _traces(self._block(members), goal)
        width[self._chosen] = 0
        narrow = np.minimum(width, goal.shape[1])
        share = np.where(narrow > 0, trace / np.maximum(narrow, 1), 0.0).clip(0.0, 1.0)
        residual = float((self._target**2).sum() / max(self._n_targets, 1))
        return Look(share, width, goal.shape[1], self.n_dimensions, residual)

    def project_out(self, variable: int) -> None:
        """Go on to the space orthogonal to a variable as well."""
        self._chosen[variable] = True
        if not self._widths[variable]:
            return
        rest = self._block(np.array([variable]))[0]
        basis = basis_of(rest.T).T
        # what rounding has left of earlier ones is large next to a short rest
        before = self._basis[: self._n_out]
        basis = basis_of((basis - (basis @ before.T) @ before).T).T
        self._basis[self._n_out : self._n_out + len(basis)] = basis
        self._n_out += len(basis)
        if not len(basis):
            return
        self._target = self._target - basis.T @ (basis @ self._target)
        weights = self._rest @ basis.T
        # in place: a copy of the table for each step would take longer than all the rest
        self._rest = dgemm(
            -1.0, basis.T, weights.T, beta=1.0, c=self._rest.T, overwrite_c=True
        ).T  # fmt: skip

    def _block(self, members: IntArray) -> FloatArray:
        """What is left of variables of one width: an array (variables, width, rows)."""
        width, first = self._widths[members[0]], self._start[members[0]]
        rows = self._rest[first : first + width * len(members)]
        return rows.reshape(len(members), width, -1)


def basis_of(columns: FloatArray) -> FloatArray:
    """Orthonormal basis of what columns of length 1 or less span, rounding left out."""
    if columns.shape[1] == 1:
        length = np.linalg.norm(columns)
        return columns / length if length > EPS else columns[:, :0]
    vectors, lengths, _ = np.linalg.svd(columns, full_matrices=False)
    return np.asarray(vectors[:, lengths > EPS])


def _traces(block: FloatArray, goal: FloatArray) -> tuple[FloatArray, IntArray]:
    """Sums of squared canonical correlations of variables with a goal, and their dimensions."""
    if block.shape[1] == 1:
        rows = block[:, 0]
        squares = np.vecdot(rows, rows)
        left = squares > EPS**2
        along = ((rows @ goal) ** 2).sum(axis=1)
        return along / np.where(left, squares, np.inf), left.astype(np.intp)
    squares, axes = np.linalg.eigh(block @ block.transpose(0, 2, 1))
    left = squares > EPS**2
    along = ((axes.transpose(0, 2, 1) @ (block @ goal)) ** 2).sum(axis=2)
    return (along / np.where(left, squares, np.inf)).sum(axis=1), left.sum(axis=1)
