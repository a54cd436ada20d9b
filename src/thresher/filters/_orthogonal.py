"""What variables explain of a target beside those chosen before, by Gram-Schmidt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import dgemm

from thresher.stats._orthogonal import EPS, directions
from thresher.stats._probe import excess_kurtosis, log_probe_chance, some_of

__all__ = ["Look", "OrthogonalSpace", "basis_of"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Differences that are rounding: copies of a column are to tie, so that the first one is chosen.
_TIE = 1e-9
#: Tails are long if they change the spread of shares that are due to chance by more than this.
_LONG = 0.05
#: Cells that are held at a time.
_BLOCK_CELLS = 2**20


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
    tails : array of shape (n_variables,)
        The product of the kurtoses of variable and target, where both have long tails; else 0.
    shuffled : array of shape (n_shuffles,), or None
        How little the best of all variables had to expect of chance when the target was in random
        order: logarithms, ascending. None where no tails are long, or nothing hangs on it.
    """

    share: FloatArray
    width: IntArray
    target_width: int
    n_dimensions: int
    residual: float
    tails: FloatArray
    shuffled: FloatArray | None = None

    @property
    def n_candidates(self) -> int:
        """The number of variables of which something is left."""
        return int((self.width > 0).sum())

    def log_chance(self, variables: Any = slice(None)) -> FloatArray:
        """Logarithm of the chance that random columns, as many, explain as much as variables do."""
        return self.log_chance_of(self.share[variables], variables)

    def log_chance_of(self, share: FloatArray, variables: Any) -> FloatArray:
        """Return the same for other shares."""
        return log_probe_chance(
            share,
            self.width[variables],
            self.target_width,
            self.n_dimensions,
            self.tails[variables],
        )

    def exceeded(self, variables: Any = slice(None)) -> FloatArray:
        """How often the best of all variables would explain as much in random order."""
        assert self.shuffled is not None
        n_lower = np.searchsorted(self.shuffled, self.log_chance(variables), side="right")
        return np.asarray((1 + n_lower) / (1 + len(self.shuffled)))

    def best(self) -> int:
        """Find the variable that chance would match least; of equals, the first."""
        # among variables of one width, it is the one that explains most, unless tails are long
        tops = np.flatnonzero(self.width > 0)
        if not self.tails.any():
            tops = np.array([self._top(w) for w in np.unique(self.width[tops])])
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
    n_shuffles : int, default=0
        In how many random orders of the target to look at it as well where tails are long, and the
        best of as many probes as there are variables would be worse with a chance of ``1 - alpha``.
    alpha : float, default=0.05
        See there.
    seed : int, default=0
        Of these orders.

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
        self,
        X: FloatArray,
        target: FloatArray,
        variables: Sequence[IntArray | Sequence[int]],
        *,
        n_shuffles: int = 0,
        alpha: float = 0.05,
        seed: int = 0,
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
        self._n_shuffles = n_shuffles
        self._alpha = alpha
        self._seed = seed

    @property
    def n_dimensions(self) -> int:
        """Dimension of the space orthogonal to the mean and all that was projected out."""
        return int(self._rest.shape[1]) - 1 - self._n_out

    def look(self) -> Look:
        """Judge all variables beside those projected out."""
        goal = basis_of(self._target)
        shares, width = self._shares(goal, 1)
        residual = float((self._target**2).sum() / max(self._n_targets, 1))
        tails = np.zeros(len(width))
        look = Look(shares[:, 0], width, goal.shape[1], self.n_dimensions, residual, tails)
        if not (self._n_shuffles and look.n_candidates and look.target_width):
            return look
        heavy = self._heaviness(goal, width)
        if not heavy.any():
            return look
        plain = (width == 1) & (look.target_width == 1)
        look = replace(look, tails=np.where(plain, heavy, 0.0))
        if some_of(look.log_chance().min(), look.n_candidates) > self._alpha:
            return look
        return replace(look, shuffled=self._shuffled(goal, look))

    def _shares(self, goals: FloatArray, n_goals: int) -> tuple[FloatArray, IntArray]:
        """What variables explain of goals that stand side by side, and how wide they are."""
        trace = np.zeros((len(self._widths), n_goals))
        width = np.zeros(len(self._widths), dtype=np.intp)
        for members in self._blocks:
            trace[members], width[members] = _traces(self._block(members), goals, n_goals)
        width[self._chosen] = 0
        narrow = np.minimum(width, goals.shape[1] // n_goals)[:, None]
        return np.where(narrow > 0, trace / np.maximum(narrow, 1), 0.0).clip(0.0, 1.0), width

    def _heaviness(self, goal: FloatArray, width: IntArray) -> FloatArray:
        """Return the product of the kurtoses of variable and target where tails are long, else 0.

        Of several columns, those with the longest tails count.
        """
        n = len(goal)
        of_goal = _kurtosis(goal.T).max()
        if of_goal <= 0:
            return np.zeros(len(width))
        of_rows = _kurtosis(self._rest)
        found = np.zeros(len(width))
        for members in self._blocks:
            first, each = self._start[members[0]], self._widths[members[0]]
            own = of_rows[first : first + each * len(members)]
            found[members] = own.reshape(len(members), each).max(axis=1)
        product = np.where(width > 0, found * of_goal, 0.0)
        return np.where(product > 3 * n * _LONG, product, 0.0)

    def _shuffled(self, goal: FloatArray, look: Look) -> FloatArray:
        """Look at the target in random orders: the least chance of any variable in each."""
        rng = np.random.default_rng(self._seed)
        before = self._basis[: self._n_out]
        n_at_once = max(1, _BLOCK_CELLS // max(goal.size, len(look.share)))
        candidates = np.flatnonzero(look.width > 0)
        least: list[FloatArray] = []
        for start in range(0, self._n_shuffles, n_at_once):
            n_goals = min(n_at_once, self._n_shuffles - start)
            goals = np.zeros((len(goal), goal.shape[1] * n_goals))
            for k in range(0, goals.shape[1], goal.shape[1]):
                some = goal[rng.permutation(len(goal))]
                basis = basis_of(some - before.T @ (before @ some))
                goals[:, k : k + basis.shape[1]] = basis
            shares, _ = self._shares(goals, n_goals)
            chances = [look.log_chance_of(own, candidates) for own in shares[candidates].T]
            least.append(np.min(chances, axis=1))
        return np.sort(np.concatenate(least))

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


def _traces(block: FloatArray, goals: FloatArray, n_goals: int) -> tuple[FloatArray, IntArray]:
    """Sums of squared canonical correlations of variables with goals, and their dimensions."""
    shape = (len(block), n_goals, goals.shape[1] // n_goals)
    if block.shape[1] == 1:
        rows = block[:, 0]
        squares = np.vecdot(rows, rows)
        left = squares > EPS**2
        along = ((rows @ goals) ** 2).reshape(shape).sum(axis=2)
        return along / np.where(left, squares, np.inf)[:, None], left.astype(np.intp)
    squares, axes = np.linalg.eigh(block @ block.transpose(0, 2, 1))
    left = squares > EPS**2
    along = (axes.transpose(0, 2, 1) @ (block @ goals)) ** 2
    along = (along / np.where(left, squares, np.inf)[:, :, None]).sum(axis=1)
    return along.reshape(shape).sum(axis=2), left.sum(axis=1)


def _kurtosis(rows: FloatArray) -> FloatArray:
    """Return the excess kurtosis of each row; these have mean 0."""
    found = np.empty(len(rows))
    n_at_once = max(1, _BLOCK_CELLS // rows.shape[1])
    for start in range(0, len(rows), n_at_once):
        squares = rows[start : start + n_at_once] ** 2
        found[start : start + n_at_once] = excess_kurtosis(
            squares.sum(axis=1), np.vecdot(squares, squares), rows.shape[1]
        )
    return found
