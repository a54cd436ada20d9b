import numpy as np
import pandas as pd
import pytest
from benchmarks.peers.nested import balanced_error, errors, known_errors, relative_error
from benchmarks.peers.real import DATA_SETS, folds, read, to_numbers
from benchmarks.peers.results import Results


def frame():
    rng = np.random.default_rng(0)
    values = rng.normal(size=60)
    values[::10] = np.nan
    return pd.DataFrame(
        {"number": values, "level": pd.Categorical(["p", "q", None] * 20), "other": np.arange(60)}
    )


def test_gaps_get_the_median_of_the_training_rows_and_categories_a_code():
    train = pd.DataFrame({"a": [1.0, 3.0, np.nan], "b": pd.Categorical(["q", "p", None])})
    test = pd.DataFrame({"a": [np.nan], "b": pd.Categorical(["r"])})
    X, X_test = to_numbers(train, test)
    assert X.tolist() == [[1.0, 1.0], [3.0, 0.0], [2.0, -1.0]]
    assert X_test.tolist() == [[2.0, -1.0]]


def test_a_column_without_any_cell_becomes_zero():
    train = pd.DataFrame({"a": [np.nan, np.nan]})
    assert to_numbers(train, train)[0].tolist() == [[0.0], [0.0]]


def test_folds_hold_every_row_once_and_keep_the_frame():
    y = np.tile([0, 1, 2], 20)
    found = folds("anneal", frame(), y, runs=5)
    assert [sum(len(fold.y_test) for fold in found[k : k + 3]) for k in range(0, 15, 3)] == [60] * 5
    assert len({fold.given.part for fold in found}) == len({f.given.digest() for f in found}) == 15
    assert all(len(fold.given.y) == 40 for fold in found)
    assert found[0].given.frame["level"].dtype == "category"
    assert found[0].given.n_features == 1


def test_large_tables_are_shuffled_once():
    large = pd.DataFrame({"x": np.arange(600)})
    assert len(folds("ada", large, np.tile([0, 1], 300), runs=5)) == 3


def test_a_table_of_numbers_is_no_frame():
    assert folds("ada", frame()[["other"]], np.tile([0, 1], 30))[0].given.frame is None


def test_reading_leaves_out_target_and_split(tmp_path):
    table = pd.DataFrame({"x": np.arange(9), "split": "train", "target": ["b", "a", "b"] * 3})
    table.to_parquet(tmp_path / "dna.parquet")
    found, y = read(tmp_path, "dna")
    assert list(found.columns) == ["x"]
    assert y.tolist() == [1, 0, 1] * 3
    assert read(tmp_path, "ada") is None
    assert read(None, "ada") is None


def test_large_tables_are_thinned_out_with_the_same_shares(tmp_path):
    y = np.repeat([0, 1], [900, 100])
    pd.DataFrame({"x": np.arange(1000), "target": y}).to_parquet(tmp_path / "ada.parquet")
    _, some = read(tmp_path, "ada", small=True)
    assert len(some) == 240
    assert some.sum() == 24


def test_errors_by_hand():
    assert balanced_error(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])) == 0.25
    assert relative_error(np.array([0.0, 4.0]), np.array([1.0, 3.0]), 2.0) == 0.5


@pytest.mark.parametrize("name", ["ada", "wisconsin"])
def test_without_columns_the_prediction_is_constant(name):
    y = np.tile([0, 1], 30) if DATA_SETS[name] == "classification" else np.arange(60.0)
    fold = folds(name, frame(), y)[0]
    chance = 0.5 if name == "ada" else 1.0
    assert errors(fold, []) == {"boosting": chance, "k-NN": chance}


def test_the_same_columns_are_judged_once(tmp_path, monkeypatch):
    fold = folds("wisconsin", frame(), np.arange(60.0))[0]
    results = Results(tmp_path / "results.jsonl")
    first = known_errors(fold, [2, 0], results)
    monkeypatch.setattr("benchmarks.peers.nested.errors", None)
    assert known_errors(fold, [0, 2], results) == first
    assert first["boosting"] < 1
