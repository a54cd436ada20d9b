"""C4.5 trees without some columns: what is regrown in part is the tree grown anew."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.naive import c45 as naive
from thresher.columns import read_columns
from thresher.kernels.c45 import held_out_probabilities
from thresher.kernels.c45_variants import record_of, variant_probabilities
from thresher.learners._c45_coding import code_columns, training_on


def coded(X, y):
    """A table, and its first rows to learn from: those whose class is given."""
    table = code_columns(read_columns(X))[1]
    n_classes = int(y.max()) + 1
    return table, training_on(table, np.arange(len(y)), y, np.ones(len(y)), n_classes)


def variants(X, y, base, removed, *, collapse=False):
    """Probabilities of all rows without each list of positions in the base."""
    table, training = coded(X, y)
    record = record_of(table, training, np.array(base), 1.0, 10**6)
    assert record.complete
    starts = np.cumsum([0, *map(len, removed)])
    out = np.empty((len(removed), len(X), training.n_classes))
    whole = np.empty(out.shape[1:])
    variant_probabilities(
        table,
        training,
        record,
        starts,
        np.concatenate(removed).astype(np.int64),
        1.0,
        collapse,
        np.arange(len(X)),
        whole,
        out,
    )
    return record, whole, out


def grown(X, y, columns, *, collapse=False):
    table, training = coded(X, y)
    out = np.empty((len(X), training.n_classes))
    held_out_probabilities(
        table, training, np.array(columns), 1.0, collapse, np.arange(len(X)), out
    )
    return out


def table_of(seed, n_rows=120, *, missing=0.0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({k: rng.choice(list("abc"), n_rows) for k in "pqrs"})
    X["t"], X["u"] = rng.normal(size=n_rows), rng.integers(0, 5, n_rows) * 1.0
    y = ((X["p"] == "a") * 1 + (X["u"] > 2) + (rng.random(n_rows) < 0.3)).to_numpy()
    return X.mask(rng.random(X.shape) < missing), y.astype(np.intp)


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("collapse", [False, True])
def test_variants_are_trees_grown_anew(missing, collapse):
    for seed in range(6):
        X, y = table_of(seed, missing=missing)
        removed = [[0], [1], [2], [3], [4], [5], [0, 3], [1, 2, 5], []]
        _, whole, out = variants(X, y, range(6), removed, collapse=collapse)
        assert_array_equal(whole, grown(X, y, range(6), collapse=collapse))
        for gone, found in zip(removed, out, strict=True):
            left = [j for j in range(6) if j not in gone]
            assert_array_equal(found, grown(X, y, left, collapse=collapse))


def test_variants_are_trees_of_the_naive_twin():
    X, y = table_of(9, missing=0.1)
    columns = [
        (X[name].dtype.kind not in "fi", [None if pd.isna(v) else v for v in X[name]]) for name in X
    ]
    _, _, out = variants(X, y, range(6), [[j] for j in range(6)])
    for j, found in enumerate(out):
        left = [column for k, column in enumerate(columns) if k != j]
        tree = naive.grow(left, y, [1.0] * len(y), n_classes=int(y.max()) + 1)
        rows = zip(*[values for _, values in left], strict=True)
        assert_allclose(found, [naive.probabilities(tree, row) for row in rows], atol=1e-12)


def test_an_unused_column_can_change_the_choice_by_the_average():
    # "fair" has a higher gain ratio than "pure", and an average gain only along with "noise"
    y = np.repeat([0, 1], 32)
    fair = np.where(np.arange(64) < 40, "no", "yes")
    pure = np.array(list("abcd")).repeat(16)
    noise = np.array(["even", "odd"] * 32)
    X = pd.DataFrame({"fair": fair, "pure": pure, "noise": noise})
    X.loc[64] = ["yes", "a", "even"]  # to be predicted: where the trees differ
    record, whole, out = variants(X, y, range(3), [[2]])
    used = set(record.nodes.fields[:, 0].tolist())
    assert used == {-1, 0, 1}
    assert_array_equal(whole[64], [0, 1])
    assert_array_equal(out[0][64], [1, 0])
    assert_array_equal(out[0], grown(X, y, [0, 1]))


def test_without_the_last_column_of_few_levels_the_average_is_of_the_others():
    rng = np.random.default_rng(0)
    many = {f"m{k}": rng.choice([f"v{v}" for v in range(30)], 60) for k in range(3)}
    X = pd.DataFrame({**many, "few": rng.choice(list("ab"), 60)})
    y = (X["few"] == "a").to_numpy().astype(np.intp) ^ (rng.random(60) < 0.2)
    _, _, out = variants(X, y, range(4), [[3], [0]])
    assert_array_equal(out[0], grown(X, y, range(3)))
    assert_array_equal(out[1], grown(X, y, [1, 2, 3]))


def test_a_record_keeps_to_its_room_or_says_so():
    X, y = table_of(1)
    table, training = coded(X, y)
    whole = record_of(table, training, np.arange(6), 1.0, 10**6)
    n_bytes = sum(array.nbytes for array in whole.judged)
    assert whole.judged.places.nbytes > 8 * len(X)  # rows count, too
    for room, complete in (
        (n_bytes, True),
        (n_bytes - 9, False),
        (n_bytes // 2, False),
        (0, False),
    ):
        record = record_of(table, training, np.arange(6), 1.0, room)
        assert record.complete == complete
        assert sum(array.nbytes for array in record.judged) <= room + 8
