"""Cut points by description length, against the formula written out."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tests.naive.information import mdl_cuts
from tests.properties import examples
from thresher.filters._levels import cut_by_mdl


def cuts_of(values, classes):
    """Cut points and number of levels of one column."""
    found = cut_by_mdl(np.array([values], dtype=float), np.array(classes, dtype=np.intp))
    n_levels = int(found.n_levels[0])
    return found.edges[0, : max(0, n_levels - 1)].tolist(), n_levels


def codes_of(values, classes):
    table = np.array([values], dtype=float)
    return cut_by_mdl(table, np.array(classes, dtype=np.intp)).codes(table)[0]


@pytest.mark.parametrize("n_classes", [2, 3, 12])
@pytest.mark.parametrize("ties", [None, 12, 3], ids=["no ties", "ties", "many ties"])
@pytest.mark.parametrize("missing", [0.0, 0.3], ids=["complete", "gaps"])
def test_cuts_are_those_of_the_formula(n_classes, ties, missing):
    rng = np.random.default_rng(n_classes)
    n_cut = 0
    for n_rows in (2, 5, 30, 150, 400):
        values = rng.normal(size=n_rows) if ties is None else rng.integers(ties, size=n_rows) / 3.0
        noisy = values / (1.0 if ties is None else ties / 6.0) + 0.2 * rng.normal(size=n_rows)
        classes = np.digitize(noisy, np.quantile(noisy, np.arange(1, n_classes) / n_classes))
        values = np.where(rng.random(n_rows) < missing, np.nan, values)
        found, _ = cuts_of(values, classes)
        assert_allclose(found, mdl_cuts(values.tolist(), classes.tolist()), rtol=1e-14, atol=0)
        n_cut += len(found)
    assert n_cut > 3


@pytest.mark.parametrize(
    ("values", "classes", "cuts", "n_levels"),
    [
        ([1, 2], [0, 1], [1.5], 2),  # a bit gained pays for 0.4 bits
        ([1, 2, 3, 4], [0, 1, 0, 1], [], 1),
        ([1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 0, 0, 1, 1, 1, 1], [4.5], 2),
        ([3, 3, 3, 3], [0, 1, 0, 1], [], 1),
        ([1, 2, 3, 4], [0, 0, 0, 0], [], 1),
        ([np.nan] * 4, [0, 1, 0, 1], [], 0),
        ([np.nan, 2, np.nan, np.nan], [0, 1, 0, 1], [], 1),
        ([-1e300] * 8 + [1e300] * 8, [0] * 8 + [1] * 8, [0.0], 2),
        ([1.7e308] * 8 + [1.79e308] * 8, [0] * 8 + [1] * 8, [1.745e308], 2),
        ([1.0] * 8 + [np.nextafter(1.0, 2.0)] * 8, [0] * 8 + [1] * 8, [1.0], 2),
        ([0.0] * 8 + [5e-324] * 8, [0] * 8 + [1] * 8, [0.0], 2),
        ([-0.0, 0.0] * 8, [0, 1] * 8, [], 1),
    ],
    ids=[
        "two rows", "no order", "plain", "one value", "one class", "all missing", "one known",
        "huge", "near the largest", "neighbours", "next to zero", "two zeros",
    ],
)  # fmt: skip
def test_cuts_of_odd_columns(values, classes, cuts, n_levels):
    found, levels = cuts_of(values, classes)
    assert levels == n_levels
    assert found == pytest.approx(cuts, rel=1e-12)
    codes = codes_of(values, classes)
    assert_array_equal(codes < 0, np.isnan(values))
    assert len(set(codes[codes >= 0].tolist())) == n_levels


def test_of_equally_pure_cuts_the_first_counts():
    values, classes = list(range(60)), [0] * 20 + [1] * 20 + [0] * 20
    found, _ = cuts_of(values, classes)
    assert found == mdl_cuts(values, classes) == [19.5, 39.5]
    # if the last one counted, the half that is left to cut would be the other
    values, classes = list(range(17)), [0] * 5 + [1] * 7 + [0] * 5
    assert cuts_of(values, classes)[0] == mdl_cuts(values, classes)


def test_three_hundred_classes():
    rng = np.random.default_rng(0)
    classes = np.repeat(np.arange(300), 4)
    values = classes + rng.random(1200)
    found, n_levels = cuts_of(values, classes)
    assert_allclose(found, mdl_cuts(values.tolist(), classes.tolist()), rtol=1e-14)
    assert n_levels > 10


def test_columns_do_not_depend_on_each_other():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(7, 200))
    values[2] = np.nan
    values[5, :150] = np.nan
    classes = (values[0] + values[1] > 0).astype(np.intp)
    together = cut_by_mdl(values, classes)
    for j in range(7):
        found, n_levels = cuts_of(values[j], classes)
        assert together.n_levels[j] == n_levels
        assert together.edges[j, : max(0, n_levels - 1)].tolist() == found


NUMBERS = st.one_of(st.integers(-5, 5).map(float), st.floats(-1e3, 1e3), st.just(math.nan))
ROWS = st.lists(st.tuples(NUMBERS, st.integers(0, 2)), min_size=2, max_size=60)


@examples(150)
@given(ROWS)
def test_cuts_lie_between_values_and_separate_classes(rows):
    values, classes = zip(*rows, strict=True)
    found, n_levels = cuts_of(values, classes)
    known = sorted({v for v in values if not math.isnan(v)})
    assert n_levels == (len(found) + 1 if known else 0)
    assert found == sorted(set(found))
    for cut in found:
        assert known[0] <= cut < known[-1]
    assert_allclose(found, mdl_cuts(values, classes), rtol=1e-12, atol=0)


@examples(100)
@given(ROWS, st.sampled_from(["exponential", "cube", "tiny", "shift"]))
def test_monotone_maps_change_no_level(rows, name):
    values, classes = zip(*rows, strict=True)
    ranks = {v: k for k, v in enumerate(sorted({v for v in values if not math.isnan(v)}))}
    whole = np.array([ranks.get(v, math.nan) for v in values])
    mapped = {
        "exponential": np.exp,
        "cube": lambda v: (v - 20.0) ** 3,
        "tiny": lambda v: v * 1e-300,
        "shift": lambda v: 3.0 * v + 1e6,
    }[name](whole)
    assert_array_equal(codes_of(whole, classes), codes_of(mapped, classes))


@examples(60)
@given(ROWS)
def test_the_order_of_rows_and_the_names_of_classes_do_not_matter(rows):
    values, classes = zip(*rows, strict=True)
    backwards = cuts_of(values[::-1], [2 - c for c in classes[::-1]])
    assert backwards == cuts_of(values, classes)
