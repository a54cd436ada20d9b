import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.naive import binning as naive
from tests.properties import examples
from thresher.columns import bin_columns, read_columns
from thresher.kernels.binning import assign_codes, quantile_edges

NUMBERS = st.one_of(
    st.integers(-5, 5).map(float),
    st.floats(allow_nan=False, allow_infinity=False, width=64),
)


@given(arrays(np.float64, st.integers(0, 60), elements=NUMBERS), st.integers(2, 12))
@examples(150)
def test_edges_and_codes_equal_the_naive_twin(values, max_bins):
    ordered = np.sort(values)
    edges = quantile_edges(ordered, max_bins)
    assert edges.tolist() == naive.quantile_edges(ordered.tolist(), max_bins)
    assert len(edges) < max_bins

    codes = np.empty(len(values) + 1, dtype=np.uint8)
    with_missing = np.append(values, np.nan)
    assign_codes(with_missing, edges, 77, codes)
    assert codes.tolist() == naive.assign_codes(with_missing.tolist(), edges.tolist(), 77)


@given(arrays(np.float64, st.integers(2, 60), elements=NUMBERS), st.integers(3, 12))
@examples(100)
def test_codes_keep_the_order_of_values_and_never_part_equal_ones(values, max_bins):
    codes = bin_columns(read_columns(values[:, None]), max_bins=max_bins).codes[0]
    order = np.argsort(values, kind="stable")
    assert (np.diff(codes[order].astype(int)) >= 0).all()
    for value in np.unique(values):
        assert len(np.unique(codes[values == value])) == 1


def test_bins_hold_about_equally_many_values():
    values = np.random.default_rng(0).exponential(size=10_000)
    binned = bin_columns(read_columns(values[:, None]), max_bins=65)
    counts = np.bincount(binned.codes[0])
    assert len(counts) == binned.n_bins[0] == 64
    assert counts.min() > 0.9 * 10_000 / 64


def test_large_tables_are_binned_from_a_sample_of_their_rows():
    values = np.random.default_rng(1).normal(size=120_000)
    counts = np.bincount(bin_columns(read_columns(values[:, None])).codes[0])
    assert len(counts) == 254
    assert counts.max() < 2.0 * counts.mean()


def test_missing_cells_have_a_code_of_their_own():
    table = pd.DataFrame({"n": [1.0, None, 2.0], "c": pd.Categorical(["b", None, "a"])})
    binned = bin_columns(read_columns(table))
    assert binned.codes.tolist() == [[0, 2, 1], [1, 2, 0]]
    assert binned.levels[1] == ("a", "b")
    assert binned.categorical.tolist() == [False, True]


def test_a_column_that_is_all_missing_has_one_code():
    binned = bin_columns(read_columns(np.array([[np.nan], [np.nan]])))
    assert binned.codes.tolist() == [[1, 1]]


def test_rare_levels_beyond_the_limit_share_the_last_code():
    text = ["often"] * 5 + ["twice"] * 2 + [f"once{i:06d}" for i in range(1000)]
    binned = bin_columns(read_columns(pd.DataFrame({"c": text})), max_bins=5)
    assert binned.n_bins.tolist() == [4]
    assert binned.levels[0][-1] is None
    assert len(set(binned.codes[0][:5].tolist())) == 1
    assert (binned.codes[0][-900:] == 3).all()


def test_a_hundred_thousand_distinct_strings_are_handled():
    table = pd.DataFrame({"id": [f"user {i}" for i in range(100_000)]})
    binned = bin_columns(read_columns(table))
    assert binned.n_bins.tolist() == [254]


@pytest.mark.parametrize("max_bins", [2, 257])
def test_max_bins_outside_a_byte_is_refused(max_bins):
    with pytest.raises(ValueError, match="max_bins must lie in 3 .. 256"):
        bin_columns(read_columns([[1.0], [2.0]]), max_bins=max_bins)


def test_threads_do_not_change_the_codes():
    X = np.random.default_rng(0).normal(size=(500, 70))
    one, two = (bin_columns(read_columns(X), n_jobs=n) for n in (1, 2))
    assert np.array_equal(one.codes, two.codes)
