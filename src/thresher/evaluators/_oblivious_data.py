"""The training rows of a fold as codes, and the distances of tested rows to them."""

import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Columns
from thresher.kernels._oblivious_distances import Coded, Tested, move_distances
from thresher.learners._oblivious_coding import (
    MISSING,
    WHOLE,
    as_queries,
    code_numbers,
    steps_of,
)

from ._folds import Fold

__all__ = ["Distances", "Part", "Table"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
CodeArray = NDArray[np.int32]

#: Bases that are remembered before those that no row is at are forgotten.
_MOST_BASES = 32


class Table:
    """A table from which the rows of any fold can be coded.

    Parameters
    ----------
    columns : Columns
        Of any kind, with missing cells.
    """

    def __init__(self, columns: Columns):
        self.shape = (columns.n_columns, columns.n_rows)
        self.nominal = columns.has_levels
        self._numbers = np.flatnonzero(~self.nominal)
        self._values = np.empty((len(self._numbers), columns.n_rows))
        for part, block in columns.numeric_blocks(self._numbers.tolist()):
            self._values[np.searchsorted(self._numbers, part)] = block.T
        self._levels = np.full(self.shape, MISSING, dtype=np.int32)
        for p in np.flatnonzero(self.nominal).tolist():
            codes = columns.levels(p)[0]
            self._levels[p] = np.where(codes < 0, MISSING, codes)
        # where all columns only differ or do not, distances are counts, and fit in small numbers
        self.counts = _two_valued(self._values)
        self.whole = 1 if self.counts else WHOLE
        self.dtype = _dtype_of(len(self.nominal) * self.whole)

    @property
    def steps(self) -> CodeArray:
        """What makes distances of codes."""
        if self.counts:
            return np.repeat(np.array([[0], [0], [1], [1]], dtype=np.int32), self.shape[0], axis=1)
        return steps_of(self.nominal)

    def part(self, fold: Fold, target: FloatArray) -> "Part":
        """Code a fold by the ranges of its training rows."""
        if fold.train is None:
            return self._without_one(fold, target)
        low, high = _range(self._values[:, fold.train])
        train, test = (self._codes_of(rows, low, high) for rows in (fold.train, fold.test))
        none = np.full((2, len(train)), -1, dtype=np.intp)
        nothing = np.empty((0, len(fold.train)), dtype=np.int32)
        own = np.full(len(fold.test), -1, dtype=np.intp)
        return Part(
            Coded(train, self.steps, none, none, nothing),
            Tested(_points(test), target[fold.test], own),
            target[fold.train],
            fold.test,
        )

    def _codes_of(self, rows: IntArray, low: FloatArray, high: FloatArray) -> CodeArray:
        codes = np.ascontiguousarray(self._levels[:, rows])
        codes[self._numbers] = self._coded(self._values[:, rows], low, high)
        return codes

    def _without_one(self, fold: Fold, target: FloatArray) -> "Part":
        """Code all rows, and anew those columns whose range is another without one row."""
        low, high = _range(self._values)
        codes = self._levels.copy()
        codes[self._numbers] = self._coded(self._values, low, high)
        lonely = np.full((2, len(codes)), -1, dtype=np.intp)
        place = np.full((2, len(codes)), -1, dtype=np.intp)
        rescaled, n_rescaled = [np.empty((0, self.shape[1]), dtype=np.int32)], 0
        for k, sign in enumerate((1.0, -1.0)):
            rows, then = _lone_extremes(sign * self._values)
            some = np.flatnonzero(rows >= 0)
            ends = (sign * then[some], high[some]) if k == 0 else (low[some], sign * then[some])
            alone = np.isnan(then[some])  # no other row has a value
            rescaled.append(
                self._coded(self._values[some], *(np.where(alone, np.nan, end) for end in ends))
            )
            lonely[k, self._numbers[some]] = rows[some]
            place[k, self._numbers[some]] = n_rescaled + np.arange(len(some))
            n_rescaled += len(some)
        coded = Coded(codes, self.steps, lonely, place, np.concatenate(rescaled))
        tested = Tested(_points(codes), target, np.arange(self.shape[1]))
        return Part(coded, tested, target, fold.test)

    def _coded(self, values: FloatArray, low: FloatArray, high: FloatArray) -> CodeArray:
        codes = code_numbers(values, low, high)
        if not self.counts:
            return codes
        return np.where(codes == MISSING, MISSING, (codes > 0).astype(np.int32)).astype(np.int32)


@dataclass(frozen=True, eq=False)
class Part:
    """A fold in codes: training rows, tested rows, the training target, and which rows are tested.

    In leave-one-out all rows are there, and those that are tested are placed as in the table.
    """

    coded: Coded
    tested: Tested
    target: FloatArray
    test: IntArray

    @property
    def leaves_one_out(self) -> bool:
        """Whether each row is predicted from all the others."""
        return len(self.tested.own) > 0 and bool(self.tested.own[0] >= 0)

    def places(self, rows: IntArray) -> IntArray:
        """Where some rows of the table are among the tested ones."""
        if self.leaves_one_out:
            return rows
        order = np.argsort(self.test, kind="stable")
        return np.asarray(order[np.searchsorted(self.test, rows, sorter=order)])


class Distances:
    """Distances of the tested rows of a part to its training rows, kept while the base changes.

    Each row is brought to another base when it is asked for, by the columns that have come and gone
    since; as distances are whole numbers, nothing is lost on the way. Threads may ask for different
    rows at the same time.

    Parameters
    ----------
    part : Part
        Whose rows they are.
    dtype : numpy dtype
        Large enough for the distance over all columns.
    """

    def __init__(self, part: Part, dtype: np.dtype[np.signedinteger]):
        self._part = part
        self.values = np.empty((len(part.tested.own), part.coded.codes.shape[1]), dtype=dtype)
        self._at = np.full(len(self.values), -1)
        self._bases: dict[int, IntArray] = {}
        self._number_of: dict[bytes, int] = {}
        self._n_bases = 0
        self._lock = threading.Lock()

    def bring(self, places: IntArray, base: IntArray) -> None:
        """Have the distances of some rows be those over ``base``."""
        with self._lock:
            number = self._number(base)
            at = self._at[places]
            bases = {k: self._bases.get(k) for k in np.unique(at).tolist()}
        for k, before in bases.items():
            if k == number:
                continue
            rows = places[at == k]
            nothing = base[:0]
            removed = nothing if before is None else np.setdiff1d(before, base)
            added = base if before is None else np.setdiff1d(base, before)
            anew = before is None or len(removed) + len(added) > len(base)
            if anew:
                removed, added = nothing, base
            move_distances(
                self.values, rows, self._part.coded, self._part.tested, rows, removed, added, anew
            )
        self._at[places] = number

    def _number(self, base: IntArray) -> int:
        key = base.tobytes()
        if key in self._number_of:
            return self._number_of[key]
        if len(self._bases) >= _MOST_BASES:
            used = set(np.unique(self._at).tolist())
            self._bases = {k: columns for k, columns in self._bases.items() if k in used}
            self._number_of = {columns.tobytes(): k for k, columns in self._bases.items()}
        self._n_bases += 1
        self._number_of[key] = self._n_bases
        self._bases[self._n_bases] = base
        return self._n_bases


def _points(codes: CodeArray) -> CodeArray:
    return np.ascontiguousarray(as_queries(codes).T)


def _range(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    return np.fmin.reduce(values, axis=1), np.fmax.reduce(values, axis=1)


def _two_valued(values: FloatArray) -> bool:
    """Whether no column of numbers has more than two different ones."""
    return all(
        bool(((x == np.fmin.reduce(x)) | (x == np.fmax.reduce(x)) | np.isnan(x)).all())
        for x in values
    )


def _lone_extremes(values: FloatArray) -> tuple[IntArray, FloatArray]:
    """Row of the only smallest value of each column, or -1, and the smallest without it."""
    rows = np.full(len(values), -1, dtype=np.intp)
    then = np.full(len(values), np.nan)
    for c, x in enumerate(values):
        known = np.flatnonzero(~np.isnan(x))
        if not len(known):
            continue
        first = known[np.argmin(x[known])]
        others = x[known[known != first]]
        if not len(others) or others.min() > x[first]:
            rows[c] = first
            then[c] = others.min() if len(others) else np.nan
    return rows, then


def _dtype_of(largest: int) -> np.dtype[np.signedinteger]:
    kinds = (np.int16, np.int32, np.int64)
    return np.dtype(next(kind for kind in kinds if largest < np.iinfo(kind).max))
