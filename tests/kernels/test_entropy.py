"""Entropies of pairs of columns, row by row and bit by bit, against sums written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tests.naive.information import entropies, symmetrical_uncertainty
from tests.properties import examples
from thresher.filters._information import information_with, information_within
from thresher.filters._levels import Leveled

LEVELS = {
    "few": [2, 3, 5, 8],
    "many": [9, 300, 2, 40],
    "one": [1, 1, 2, 1],
    "none": [0, 0, 3, 2],
    "mixed": [1, 0, 4, 300],
}


def table_of(columns):
    codes = np.array(columns, dtype=np.int16)
    n_levels = codes.max(axis=1).astype(np.intp) + 1
    return Leveled(codes, n_levels, np.zeros(len(codes), dtype=bool))


def random_table(n_levels, *, n_rows=90, missing=0.0, seed=0):
    """A table; a column of 0 levels is missing altogether."""
    rng = np.random.default_rng(seed)
    codes = np.array([rng.integers(max(1, k), size=n_rows) for k in n_levels], dtype=np.int16)
    codes[rng.random(codes.shape) < missing] = -1
    codes[np.array(n_levels) == 0] = -1
    return table_of(codes)


def expected_of(one, table):
    return np.array([entropies(one.tolist(), other.tolist()) for other in table.codes])


def stacked(found):
    return np.column_stack([found.one, found.other, found.both])


@pytest.mark.parametrize("missing", [0.0, 0.2, 0.9], ids=["complete", "gaps", "mostly gaps"])
@pytest.mark.parametrize("kind", LEVELS)
@pytest.mark.parametrize("n_rows", [2, 65, 90])
def test_entropies_of_all_pairs(kind, missing, n_rows):
    table = random_table(LEVELS[kind], n_rows=n_rows, missing=missing, seed=n_rows)
    everyone = np.arange(len(table.codes))
    for j in everyone:
        expected = expected_of(table.codes[j], table)
        within = stacked(information_within(j, table, everyone))
        assert_allclose(within, expected, rtol=0, atol=1e-12)
        apart = information_with(table.codes[j], int(table.n_levels[j]), table)
        assert_allclose(stacked(apart), expected, rtol=0, atol=1e-12)


def test_bits_tell_the_same_as_rows():
    table = random_table([2, 3, 8, 8, 4], n_rows=130)
    assert (table.bits.starts >= 0).all()
    for j in range(5):
        by_bits = stacked(information_within(j, table, np.arange(5)))
        by_rows = stacked(information_with(table.codes[j], int(table.n_levels[j]), table))
        assert_allclose(by_bits, by_rows, rtol=0, atol=1e-13)


def test_columns_with_gaps_or_many_levels_are_not_made_of_bits():
    table = random_table([2, 9, 8, 0], missing=0.0)
    assert_array_equal(table.bits.starts >= 0, [True, False, True, False])
    gappy = table_of([[0, 1, -1, 0], [0, 1, 1, 0]])
    assert_array_equal(gappy.bits.starts >= 0, [False, True])


def test_some_columns_only_in_any_order():
    table = random_table([2, 300, 5, 3, 12], missing=0.0)
    chosen = np.array([4, 0, 3, 1])
    found = stacked(information_within(2, table, chosen))
    assert_allclose(found, expected_of(table.codes[2], table)[chosen], rtol=0, atol=1e-12)
    assert stacked(information_within(2, table, chosen[:0])).shape == (0, 3)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_threads_change_no_bit(missing):
    table = random_table([2, 300, 5, 3, 12, 8, 7], missing=missing)
    for j in range(7):
        one, two = (stacked(information_within(j, table, np.arange(7), n)) for n in (1, 3))
        assert_array_equal(one, two)


def test_missing_cells_as_a_level():
    table = table_of([[0, 1, -1, 0, -1], [1, 0, 1, 0, 1], [-1, -1, -1, -1, -1]])
    separate = table.missing_as_level()
    assert_array_equal(separate.codes, [[0, 1, 2, 0, 2], [1, 0, 1, 0, 1], [0, 0, 0, 0, 0]])
    assert_array_equal(separate.n_levels, [3, 2, 1])
    assert_array_equal(table.codes[0], [0, 1, -1, 0, -1])  # the table itself is as it was


COLUMN = st.integers(-1, 4)
ROWS = st.lists(st.tuples(COLUMN, COLUMN), min_size=2, max_size=40)


@examples(150)
@given(ROWS)
def test_information_is_symmetric_and_bounded(rows):
    table = table_of(list(zip(*rows, strict=True)))
    there, back = (information_within(j, table, np.arange(2)) for j in (0, 1))
    assert (there.gain >= 0).all()
    for found in (there.symmetrical_uncertainty, there.gain_ratio):
        assert (found >= 0).all()
        assert (found <= 1 + 1e-12).all()
    one, other = there.symmetrical_uncertainty[1], back.symmetrical_uncertainty[0]
    assert one == pytest.approx(other, abs=1e-12)
    naive = symmetrical_uncertainty(*(column.tolist() for column in table.codes))
    assert one == pytest.approx(naive, abs=1e-12)
    assert there.gain[1] <= min(there.one[1], there.other[1]) + 1e-12


@examples(60)
@given(ROWS, st.permutations(range(5)))
def test_names_of_levels_do_not_matter(rows, names):
    one, other = zip(*rows, strict=True)
    renamed = [names[level] if level >= 0 else -1 for level in other]
    plain, changed = (
        information_within(0, table_of([one, c]), np.array([1])) for c in (other, renamed)
    )
    assert_allclose(plain.gain, changed.gain, rtol=0, atol=1e-12)


@examples(60)
@given(st.lists(st.integers(0, 5), min_size=2, max_size=40))
def test_a_copy_tells_everything_or_nothing(column):
    found = information_within(0, table_of([column, column]), np.array([1]))
    expected = float(len(set(column)) > 1)
    assert found.symmetrical_uncertainty[0] == pytest.approx(expected, abs=1e-12)
