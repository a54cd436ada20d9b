"""Kernels of oblivious trees against loops."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tests.naive import oblivious as naive
from thresher.columns import read_columns
from thresher.kernels import _oblivious_distances as kernels
from thresher.kernels._oblivious_distances import Coded, find_near, move_distances
from thresher.kernels.oblivious import most_voted
from thresher.learners._oblivious_coding import (
    as_queries,
    code_numbers,
    learn_coding,
    steps_of,
)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_distances_are_those_of_the_naive_twin(dtype):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, (50, 4)) / 5.0
    X[rng.random(X.shape) < 0.2] = np.nan
    coding, codes = learn_coding(read_columns(X))
    none = np.full((2, 4), -1)
    empty = np.empty((0, 50), dtype=np.int32)
    coded = Coded(codes, steps_of(coding.nominal), none, none, empty)
    points = np.ascontiguousarray(as_queries(codes).T)
    tested = kernels.Tested(points, np.zeros(50), np.full(50, -1))
    rows = [tuple(None if np.isnan(x) else x for x in row) for row in X.tolist()]
    spans = naive.ranges(rows)
    distances = np.empty((50, 50), dtype=dtype)
    every, nothing = np.arange(50), np.arange(0)
    move_distances(distances, every, coded, tested, every, nothing, np.arange(4), True)
    expected = [[naive.distance(row, asked, spans) for row in rows] for asked in rows]
    assert_array_equal(distances, expected)
    move_distances(distances, every, coded, tested, every, np.array([1, 2]), nothing, False)
    cut, few = naive.parts(rows, [0, 3]), [spans[0], spans[3]]
    assert_array_equal(distances, [[naive.distance(row, q, few) for row in cut] for q in cut])


@pytest.mark.parametrize("n_rows", [1, 31, 32, 33, 100])
@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.int64])
def test_rows_within_reach_are_found_in_order(n_rows, dtype):
    rng = np.random.default_rng(n_rows)
    minima, found = np.empty(n_rows // 32, dtype=dtype), np.empty(n_rows, dtype=np.int64)
    for reach in (0, 1, 4):
        distances = rng.integers(3, 20, n_rows).astype(dtype)
        n_found = find_near(distances, reach, minima, found)
        expected = np.flatnonzero(distances <= distances.min() + reach)
        assert_array_equal(found[:n_found], expected)


def test_votes_then_frequency_then_order_decide():
    def winner(votes, totals, own=-1):
        return most_voted(np.array([votes]).T * 1.0, 0, np.array(totals) * 1.0, own)

    assert winner([1, 3, 2], [9, 1, 9]) == 1
    assert winner([2, 2, 1], [3, 4, 9]) == 1
    assert winner([2, 2, 2], [4, 4, 4]) == 0
    assert winner([2, 2, 0], [4, 4, 4], own=0) == 1  # the row left out is no training row


def test_codes_are_places_in_the_range():
    values = np.array([[2.0, 4.0, 3.0, np.nan, 99.0], [5.0, 5.0, np.nan, 5.0, 7.0]])
    codes = code_numbers(values, np.array([2.0, 5.0]), np.array([4.0, 5.0]))
    top = 2**29
    assert codes.tolist() == [[0, top, top // 2, 2 * top, top], [0, 0, 2 * top, 0, 0]]
