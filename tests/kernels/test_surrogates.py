import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from tests.naive import trees as naive
from tests.oracles import read_json, read_table
from tests.properties import examples
from thresher.columns import bin_columns, read_columns
from thresher.kernels.surrogates import surrogate

LEFT, RIGHT, UNKNOWN = 1, 0, 2


def words_of_sides(sides, weight):
    """Weight in the upper half, and in the lower half the weight of what goes left."""
    whole = weight.astype(np.int64)
    return np.where(sides == UNKNOWN, 0, (whole << 32) + whole * (sides == LEFT))[None, :]


def lambda_of(codes, n_bins, is_level, sides, weight, rows_in, rows_out, min_weight=2.0):
    words = words_of_sides(sides, weight)
    places, places_out = (np.array([rows, rows], dtype=np.uint32) for rows in (rows_in, rows_out))
    return surrogate(
        codes[None, :].astype(np.uint8), np.uint32(0), 0, n_bins, bool(is_level),
        places, np.ascontiguousarray(words[:, rows_in]),
        places_out, np.ascontiguousarray(words[:, rows_out]),
        min_weight, np.empty((1, 256), dtype=np.int64), np.empty(256, dtype=np.uint8),
    )  # fmt: skip


@given(st.integers(0, 2**32 - 1), st.booleans(), st.integers(1, 5))
@examples(300)
def test_lambdas_equal_brute_force(seed, is_level, min_weight):
    rng = np.random.default_rng(seed)
    n_rows, n_bins = rng.integers(2, 30), int(rng.integers(1, 8))
    sides = rng.choice([LEFT, RIGHT, UNKNOWN], size=n_rows, p=[0.5, 0.4, 0.1])
    follow = np.where(sides == LEFT, rng.integers(0, n_bins, n_rows) // 2, n_bins - 1)
    codes = np.where(rng.random(n_rows) < 0.6, follow, rng.integers(0, n_bins + 1, size=n_rows))
    weight = rng.integers(0, 3, size=n_rows).astype(np.float64)
    out = rng.random(n_rows) < 0.5
    rows_in, rows_out = np.flatnonzero(~out), np.flatnonzero(out)
    positive = rows_in[weight[rows_in] > 0.0]
    left = naive.best_surrogate(
        codes[positive], n_bins, is_level, sides[positive], weight[positive], float(min_weight)
    )
    if is_level and left is not None:
        # rows without weight show no level
        left = [None if b not in codes[positive] else left[b] for b in range(n_bins + 1)]
    found = lambda_of(codes, n_bins, is_level, sides, weight, rows_in, rows_out, float(min_weight))
    if left is None:
        assert found == 0.0
    elif is_level:
        assert_allclose(found, naive.association(codes[out], left, sides[out], weight[out]))
    else:
        # thresholds that agree equally well in the bag may differ out of it
        in_bag = lambda_of(
            codes, n_bins, is_level, sides, weight, rows_in, rows_in, float(min_weight)
        )
        own = naive.association(codes[positive], left, sides[positive], weight[positive])
        assert_allclose(in_bag, own, atol=1e-12)


def test_a_copy_is_a_perfect_surrogate_and_so_is_its_mirror_image():
    codes = np.arange(40) % 10
    sides = np.where(codes <= 3, LEFT, RIGHT)
    rows = np.arange(40)
    for own in (codes, 9 - codes):
        assert lambda_of(own, 10, False, sides, np.ones(40), rows, rows) == 1.0
        assert lambda_of(own, 10, True, sides, np.ones(40), rows, rows) == 1.0


def test_the_split_is_chosen_in_the_bag_and_judged_out_of_it():
    codes = np.array([0, 0, 0, 1, 1, 1] * 2)
    sides = np.array([LEFT] * 3 + [RIGHT] * 3 + [RIGHT] * 3 + [LEFT] * 3)
    rows = np.arange(12)
    assert lambda_of(codes, 2, False, sides, np.ones(12), rows[:6], rows[:6]) == 1.0
    assert lambda_of(codes, 2, False, sides, np.ones(12), rows[:6], rows[6:]) == -1.0


# --- rpart ----------------------------------------------------------------------------------------


def members(leaves, node):
    """Rows of a node: rpart numbers the children of node k with 2k and 2k + 1."""
    return np.array([any(leaf >> up == node for up in range(leaf.bit_length())) for leaf in leaves])


def primary_sides(table, split):
    """Where the primary split sends each row."""
    values = table[split["var"]]
    if split["ncat"] in (-1, 1):
        goes_left = (values < split["cut"]) == (split["direction"] == "<cut goes left")
    else:
        goes_left = values.isin(str(split["left_levels"]).split())
    return np.where(values.isna(), UNKNOWN, np.where(goes_left, LEFT, RIGHT))


@pytest.mark.parametrize(
    ("name", "n_surrogates"),
    [
        ("numeric_anova", 9),
        ("numeric_class", 19),
        ("categorical_anova", 22),
        ("categorical_class", 4),
        ("missing_anova", 17),
    ],
)
def test_lambdas_equal_those_of_rpart(name, n_surrogates):
    """With missing cells in Breiman's style: over the cases that have both columns."""
    table = read_table(f"rpart_{name.split('_')[0]}")
    leaves = read_json("rpart_leaves")[name]
    splits = read_table("rpart_splits").query("dataset == @name")
    binned = bin_columns(read_columns(table), max_bins=256)
    names = list(table.columns)
    found, expected = [], []
    for node, group in splits.groupby("node"):
        rows = np.flatnonzero(members(leaves, node))
        assert len(rows) == group["node_n"].iloc[0]
        sides = primary_sides(table, group[group["kind"] == "primary"].iloc[0])
        for _, split in group[group["kind"] == "surrogate"].iterrows():
            j = names.index(split["var"])
            column = binned.codes[j], int(binned.n_bins[j]), binned.categorical[j]
            found.append(lambda_of(*column, sides, np.ones(len(table)), rows, rows))
            expected.append(split["adj"])
    assert len(expected) == n_surrogates
    assert_allclose(found, expected, rtol=0.0, atol=1e-9)
