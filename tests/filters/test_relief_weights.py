"""Weights of ReliefF and RReliefF against a slow twin, and what they must not depend on."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from numpy.testing import assert_allclose, assert_array_equal

from tests.naive.relief import quicksort, relief
from thresher.columns import read_columns
from thresher.evaluators import Target, make_target
from thresher.filters import _relief_weights
from thresher.filters._relief_weights import relief_table, relief_weights
from thresher.kernels._relief_slots import sort_slots

N_ROWS = 45


def make_frame(kinds, seed=0, *, gaps=False, n_rows=N_ROWS):
    """Columns of numbers ("n"), whole numbers with many ties ("t"), and levels ("l")."""
    rng = np.random.default_rng(seed)
    columns = {}
    for position, kind in enumerate(kinds):
        if kind == "n":
            column = pd.Series(rng.normal(size=n_rows) * 10.0**position)
        elif kind == "t":
            column = pd.Series(rng.integers(0, 3, n_rows).astype(float))
        else:
            column = pd.Series(rng.choice(list("abcd")[: 2 + position % 3], n_rows))
        if gaps and position % 3 != 2:
            column[rng.random(n_rows) < 0.2] = None
        columns[f"{kind}{position}"] = column
    return pd.DataFrame(columns)


def make_labels(frame, n_classes=3, seed=1):
    rng = np.random.default_rng(seed)
    return rng.choice(n_classes, len(frame), p=np.arange(1, n_classes + 1) / (6, 3)[n_classes == 2])


def twin(frame, target, **options):
    columns, n_levels = [], []
    for name in frame:
        column = frame[name]
        if name.startswith("l"):
            codes, levels = pd.factorize(column)
            columns.append([None if code < 0 else int(code) for code in codes])
            n_levels.append(len(levels))
        else:
            columns.append([None if np.isnan(value) else float(value) for value in column])
            n_levels.append(0)
    return relief(columns, n_levels, target.values.tolist(), target.n_classes, **options)


def weigh(X, target, **options):
    return relief_weights(relief_table(read_columns(X)), target, **options)


TABLES = {
    "numbers": make_frame("nnnnnnn"),
    "levels": make_frame("llllll"),
    "ties": make_frame("tttttlt"),
    "mixed": make_frame("nltnlltnnnnnl"),
    "gaps": make_frame("nlltnlltnn", gaps=True),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("sigma", [None, 2.0])
@pytest.mark.parametrize("k", [1, 7])
@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_weights_are_those_of_the_twin(name, sigma, k, task):
    frame = TABLES[name]
    y = make_labels(frame) if task == "classes" else np.random.default_rng(2).normal(size=N_ROWS)
    target = make_target(y, classifier=task == "classes")
    expected = twin(frame, target, k=k, sigma=sigma)
    weights = weigh(frame, target, n_neighbors=k, sigma=sigma)
    assert weights.shape == (1, frame.shape[1])
    assert_allclose(weights[0], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("classifier", [True, False])
def test_only_some_rows_are_looked_at_but_all_may_be_neighbours(classifier):
    frame = TABLES["gaps"]
    target = make_target(make_labels(frame), classifier=classifier)
    rows = np.array([40, 3, 17, 3, 8])  # drawn with replacement
    expected = twin(frame, target, k=5, sigma=3.0, queries=rows.tolist())
    weights = weigh(frame, target, n_neighbors=5, sigma=3.0, rows=rows)
    assert_allclose(weights[0], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("classifier", [True, False])
@pytest.mark.parametrize("sigma", [None, 1.5])
def test_permutations_get_the_weights_of_the_permuted_target(classifier, sigma, monkeypatch):
    frame = TABLES["gaps"]
    y = make_labels(frame)
    rng = np.random.default_rng(3)
    permuted = np.array([rng.permutation(N_ROWS) for _ in range(4)])
    options = {"n_neighbors": 6, "sigma": sigma, "rows": rng.permutation(N_ROWS)[:35]}

    def alone(y):
        return weigh(frame, make_target(y, classifier=classifier), **options)[0]

    expected = np.array([alone(y), *(alone(y[order]) for order in permuted)])
    target = make_target(y, classifier=classifier)
    assert_array_equal(weigh(frame, target, permuted=permuted, **options), expected)
    # in several rounds, and one row at a time
    monkeypatch.setattr(_relief_weights, "_LIST_BYTES", 1)
    monkeypatch.setattr(_relief_weights, "_DISTANCE_BYTES", 1)
    assert_array_equal(weigh(frame, target, permuted=permuted, **options), expected)


@pytest.mark.parametrize("classifier", [True, False])
def test_weights_do_not_depend_on_the_number_of_jobs(classifier):
    frame = make_frame("n" * 100 + "nlt" * 5, gaps=True, n_rows=200)
    table = relief_table(read_columns(frame))
    target = make_target(make_labels(frame), classifier=classifier)
    permuted = np.array([np.random.default_rng(0).permutation(200)])
    one, two, five = (
        relief_weights(table, target, sigma=4.0, permuted=permuted, n_jobs=n_jobs)
        for n_jobs in (1, 2, 5)
    )
    assert_array_equal(one, two)
    assert_array_equal(one, five)


def test_classes_with_few_members_have_few_neighbours():
    frame = TABLES["mixed"]
    y = np.array(["rare"] * 3 + ["single"] + ["many"] * (N_ROWS - 4))
    target = make_target(y, classifier=True)
    for sigma in (None, 2.0):
        expected = twin(frame, target, k=10, sigma=sigma)
        assert_allclose(weigh(frame, target, sigma=sigma)[0], expected, rtol=0, atol=1e-12)


def test_more_neighbours_than_rows_are_all_of_them():
    frame = TABLES["gaps"].iloc[:8]
    for classifier in (True, False):
        target = make_target(np.arange(8) % 2, classifier=classifier)
        expected = twin(frame, target, k=100)
        weights = weigh(frame, target, n_neighbors=100)
        assert_allclose(weights[0], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("classifier", [True, False])
def test_a_target_that_is_always_the_same_weighs_nothing(classifier):
    same = np.zeros(N_ROWS, dtype=int)
    target = Target(same, same, np.array(["a", "never"]) if classifier else None)
    permuted = np.arange(N_ROWS)[None]
    assert_array_equal(weigh(TABLES["mixed"], target, permuted=permuted), np.zeros((2, 13)))


@pytest.mark.parametrize("classifier", [True, False])
def test_few_rows_give_finite_weights(classifier):
    X = np.array([[1.0, np.nan], [2.0, np.nan], [2.0, 3.0]])
    for n_rows in (2, 3):
        target = make_target(np.arange(n_rows), classifier=classifier)
        assert np.isfinite(weigh(X[:n_rows], target)).all()


def test_numbers_that_never_or_always_change_among_neighbours_give_finite_weights():
    X = np.column_stack([np.repeat([0.0, 1.0], 10), np.tile(np.arange(10.0), 2)])
    same = weigh(X, make_target(X[:, 0], classifier=False), n_neighbors=1)
    assert_allclose(same, [[0.0, -1.0 / 9.0]], atol=1e-12)
    always = weigh(X, make_target(np.arange(20.0) % 2, classifier=False), n_neighbors=1)
    assert_allclose(always, [[0.0, 1.0 / 9.0]], atol=1e-12)


def test_sparse_tables_get_the_weights_of_dense_ones():
    X = make_frame("ntn" * 30).to_numpy().copy()
    X[np.random.default_rng(0).random(X.shape) < 0.7] = 0.0
    target = make_target(make_labels(X), classifier=True)
    assert_array_equal(weigh(scipy.sparse.csr_array(X), target), weigh(X, target))


def test_tables_are_scaled_by_their_range():
    huge = np.finfo(float).max
    frame = pd.DataFrame(
        {
            "huge": [-huge, huge, 0.0],
            "tiny": [0.0, 5e-324, 1e-323],
            "gap": [np.nan, 3.0, 1.0],
            "nothing": [np.nan] * 3,
            "same": [7.0, 7.0, np.nan],
            "bool": [True, False, True],
            "when": pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03"]),
            "level": pd.Categorical(["b", None, "a"], categories=["a", "b", "never"]),
        }
    )
    table = relief_table(read_columns(frame))
    nan = np.nan
    expected = [
        [0, 1, 0.5],
        [0, 0.5, 1],
        [nan, 1, 0],
        [nan, nan, nan],
        [0, 0, nan],
        [1, 0, 1],
        [0, 0.5, 1],
        [1, nan, 0],
    ]
    assert_array_equal(table.values, expected)
    assert table.n_levels.tolist() == [0, 0, 0, 0, 0, 0, 0, 2]


def test_informative_columns_lead():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 20))
    interaction = make_target((X[:, 3] * X[:, 7] > 0).astype(int), classifier=True)
    assert set(np.argsort(weigh(X, interaction)[0])[-2:]) == {3, 7}
    total = make_target(X[:, 3] + X[:, 7], classifier=False)
    assert set(np.argsort(weigh(X, total)[0])[-2:]) == {3, 7}


def test_lists_of_neighbours_are_sorted_as_by_the_twin():
    rng = np.random.default_rng(0)
    for size in [*range(1, 12), 50, 200]:
        for n_values in (1, 3, 1000):
            distances = rng.integers(0, n_values, size).astype(float)
            rows = np.arange(size, dtype=np.int32)
            expected = list(zip(distances.tolist(), rows.tolist(), strict=True))
            quicksort(expected, 0, size - 1)
            sort_slots(distances, rows, size, np.empty((size + 2, 2), dtype=np.intp))
            assert list(zip(distances.tolist(), rows.tolist(), strict=True)) == expected
            assert (np.diff(distances) >= 0).all()
