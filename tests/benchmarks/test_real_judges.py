"""Tables, splits, preparation and judges of ``benchmarks.real``."""

import numpy as np
import pandas as pd
import pytest
from benchmarks.real.judges import JUDGES, constant_for, error_of, judged_key
from benchmarks.real.preparation import codes, standardised
from benchmarks.real.rows import sample
from benchmarks.real.splits import split
from benchmarks.real.tables import Table, kind_of, names_in, read, read_index, tuned_half

INDEX = """# Data

| name | rows | task (classes) | note |
|---|---|---|---|
| scores | 9 | regression | whole numbers |
| labels | 9 | classification (2) | regression of old |
| lost | 9 | classification (3) | |
"""


def table(kind="classification", n_rows=60):
    rng = np.random.default_rng(0)
    x = rng.normal(size=n_rows)
    frame = pd.DataFrame({"x": x, "noise": rng.normal(size=n_rows)})
    frame["level"] = pd.Categorical(np.where(x > 0, "high", "low")).set_categories(["low", "high"])
    y = (x > 0).astype(np.int64) if kind == "classification" else x
    return Table("made", kind, frame.mask(rng.random(frame.shape) < 0.05), y)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "INDEX.md").write_text(INDEX)
    y = np.arange(9)
    pd.DataFrame({"x": y * 1.5, "split": "train", "target": y}).to_parquet(
        tmp_path / "scores.parquet"
    )
    levels = pd.Categorical(["b", "a", None] * 3)
    pd.DataFrame({"x": y, "target": levels}).to_parquet(tmp_path / "labels.parquet")
    pd.DataFrame({"x": y, "target": y / 2}).to_parquet(tmp_path / "unlisted.parquet")
    return tmp_path


def test_the_index_tells_the_kind_of_each_table(folder):
    assert read_index(folder) == {
        "scores": "regression",
        "labels": "classification",
        "lost": "classification",
    }
    assert names_in(folder) == ["labels", "lost", "scores", "unlisted"]
    assert tuned_half(read_index(folder)) == {"labels", "scores"}


def test_without_an_index_fractions_make_numbers_of_a_target():
    assert kind_of(pd.Series([1.0, 2.5])) == "regression"
    assert kind_of(pd.Series([1.0, 2.0])) == "classification"
    assert kind_of(pd.Series(["a", "b"], dtype="category")) == "classification"


def test_a_table_is_read_without_its_split_and_rows_without_target(folder):
    scores, labels = read(folder, "scores"), read(folder, "labels")
    assert list(scores.frame.columns) == ["x"]
    assert scores.y.tolist() == list(range(9))
    assert labels.y.tolist() == [1, 0] * 3
    assert len(read(folder, "unlisted", most_rows=4).y) == 4
    assert read(folder, "unlisted").kind == "regression"
    assert read(folder, "lost") is None


def test_rows_are_drawn_with_the_same_share_of_each_class_however_rare():
    y = np.repeat([0, 1, 2, 3], [60, 38, 1, 1])
    for seed in range(5):
        rows = sample(y, 70, stratified=True, seed=seed)
        assert len(np.unique(rows)) == 70
        assert np.bincount(y[rows], minlength=4).tolist()[0] == 42
    assert sample(y, 100, stratified=True, seed=0).tolist() == list(range(100))
    assert len(np.unique(sample(y, 70, stratified=False, seed=0))) == 70


def test_splits_are_the_same_each_time_and_differ_among_each_other():
    first, again, second = split(table(), 0), split(table(), 0), split(table(), 1)
    assert (len(first.y_train), len(first.y_test)) == (42, 18)
    assert first.digest == again.digest != second.digest
    assert first.given("frame").digest() == again.given("frame").digest()
    assert first.given("frame", seed=5).seed == 5


def test_what_is_missing_stays_missing_in_codes_and_new_levels_are_missing():
    train = pd.DataFrame({"a": [1.0, np.nan], "b": pd.Categorical(["q", "p"])})
    test = pd.DataFrame({"a": [2.0, 3.0], "b": pd.Categorical(["r", "p"])})
    first, second = codes(train, test)
    np.testing.assert_array_equal(first, [[1, 1], [np.nan, 0]])
    np.testing.assert_array_equal(second, [[2, np.nan], [3, 0]])


def test_standardised_numbers_know_their_variable_and_learn_from_the_training_rows_only():
    train = pd.DataFrame(
        {"a": [1.0, 3.0, 5.0, np.nan], "b": pd.Categorical(["q", "p", None, "p"]), "c": [7] * 4}
    )
    test = pd.DataFrame({"a": [100.0], "b": pd.Categorical(["r"]), "c": [8]})
    first, second, made = standardised(train, test)
    assert made.tolist() == [0, 1, 1, 1, 2]
    np.testing.assert_allclose(first.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(first[:, :4].std(axis=0), 1)
    assert first[3, 0] == 0  # the median is the mean here
    assert second[0, 0] == pytest.approx((100 - 3) / np.sqrt(2))
    assert (second[0, 1:4] < 0).all()  # none of the levels, and not missing either
    assert second[0, 4] == 1  # a constant is only centred


@pytest.mark.parametrize("kind", ["classification", "regression"])
@pytest.mark.parametrize("judge", JUDGES)
def test_judges_learn_what_columns_tell(kind, judge):
    each = split(table(kind, n_rows=150), 0)
    assert error_of(each, judge, [0, 2]) < 0.4
    assert error_of(each, judge, [1]) > 0.3


def test_without_columns_the_prediction_is_constant():
    classes, numbers = split(table(), 0), split(table("regression"), 0)
    majority = np.bincount(classes.y_train).argmax()
    assert error_of(classes, "linear", []) == np.mean(classes.y_test != majority)
    assert error_of(numbers, "linear", []) >= 1
    assert constant_for(classes) == 0.5 / 18
    assert constant_for(numbers) == 0.001


def test_a_class_of_one_row_does_no_harm():
    rare = table()
    rare.y[:1] = 2
    for number in range(3):
        each = split(rare, number)
        for judge in JUDGES:
            assert 0 <= error_of(each, judge, [0, 1, 2]) <= 1


def test_errors_are_known_by_content():
    first, second = split(table(), 0), split(table(), 1)
    key = judged_key(first, "linear", [2, 0])
    assert key == judged_key(split(table(), 0), "linear", [0, 2])
    others = [(second, "linear", [0, 2]), (first, "boosting", [0, 2]), (first, "linear", [0])]
    assert key not in [judged_key(*other) for other in others]
