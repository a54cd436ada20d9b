"""Subsets in pairs: one that matches a schema, and its mirror image, on the same row."""

import numpy as np
from numpy.typing import NDArray

from ._schema import Draws, Schema

__all__ = ["PairSource"]

IntArray = NDArray[np.intp]
BoolArray = NDArray[np.bool_]

#: Pairs of subsets times rows up to which none is drawn twice.
_SMALL = 200_000


class PairSource:
    """Gives random pairs, those first of which one half is known.

    Of a pair, each open variable is in on one side and out on the other: so one difference of two
    losses says something about all of them, and how hard the row is cancels out. A pair without
    any variable on one side is never drawn.

    Parameters
    ----------
    schema : Schema
        What both halves match.
    known : Draws
        All of which match it.
    units : int array
        Rows or parts to draw from.
    rng : Generator
        Draws.

    Attributes
    ----------
    population : int or None
        Number of pairs that there are, if none is drawn twice.
    """

    def __init__(self, schema: Schema, known: Draws, units: IntArray, rng: np.random.Generator):
        self._units, self._rng = units, rng
        self._n_open, self._no_empty = len(schema.open), not schema.on
        order = rng.permutation(len(known))
        choices = known.masks[order][:, list(schema.open)]
        self._known = (choices, known.units[order])
        self._cycle = units[:0]
        self.population: int | None = None
        n_patterns = 2 ** (self._n_open - 1)
        if len(units) * n_patterns <= _SMALL:
            self._codes = self._enumerate(n_patterns)
            self.population = len(self._codes)

    def take(self, n_pairs: int) -> tuple[BoolArray, IntArray]:
        """One half of each of so many pairs (fewer if there are no more), and their units."""
        if self.population is not None:
            codes, self._codes = self._codes[:n_pairs], self._codes[n_pairs:]
            return self._decode(codes)
        choices, units = self._known
        some = choices[:n_pairs], units[:n_pairs]
        self._known = choices[n_pairs:], units[n_pairs:]
        n_missing = n_pairs - len(some[1])
        if not n_missing:
            return some
        fresh = self._fresh(n_missing)
        return np.concatenate([some[0], fresh[0]]), np.concatenate([some[1], fresh[1]])

    def _fresh(self, n: int) -> tuple[BoolArray, IntArray]:
        choices = self._rng.random((n, self._n_open)) < 0.5
        if self._no_empty:
            flat = choices.all(axis=1) | ~choices.any(axis=1)
            choices[flat, self._rng.integers(self._n_open, size=int(flat.sum()))] ^= True
        while len(self._cycle) < n:  # each row once before any comes again
            self._cycle = np.concatenate([self._cycle, self._rng.permutation(self._units)])
        units, self._cycle = self._cycle[:n], self._cycle[n:]
        return choices, units

    def _enumerate(self, n_patterns: int) -> IntArray:
        """Codes of all pairs: a place among the units, and a pattern without the first variable."""
        choices, units = self._known
        mirrored = choices ^ choices[:, :1]
        patterns = mirrored[:, 1:] @ (1 << np.arange(self._n_open - 1))
        places = np.searchsorted(self._units, units)
        known = places * n_patterns + patterns
        rest = self._rng.permutation(len(self._units) * n_patterns)
        codes = np.concatenate([known, rest]).astype(np.intp)
        _, first = np.unique(codes, return_index=True)
        codes = codes[np.sort(first)]
        return codes[codes % n_patterns > 0] if self._no_empty else codes

    def _decode(self, codes: IntArray) -> tuple[BoolArray, IntArray]:
        n_patterns = 2 ** (self._n_open - 1)
        choices = np.zeros((len(codes), self._n_open), dtype=bool)
        patterns = codes % n_patterns
        choices[:, 1:] = (patterns[:, None] >> np.arange(self._n_open - 1)) & 1
        return choices, self._units[codes // n_patterns]
