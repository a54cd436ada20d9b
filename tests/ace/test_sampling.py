"""Replicates that draw their own rows: the same from a file as from memory, and by any worker."""

import pickle
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from thresher import ACE
from thresher.ace import make_sample
from thresher.coded import code_dataset
from thresher.columns import read_columns
from thresher.selectors import _ace


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """1400 rows in two files: numbers, text and gaps, two columns and a copy that matter."""
    rng = np.random.default_rng(0)
    n = 1400
    x = rng.normal(size=(6, n))
    hue = rng.choice(["red", "green", "blue"], n)
    score = x[0] + 0.8 * x[1] + (hue == "red") + rng.logistic(size=n)
    frame = pl.DataFrame(
        {
            **{f"x{j}": column for j, column in enumerate(x)},
            "copy": x[0] + 0.1 * x[5],
            "gaps": pl.Series(np.where(rng.random(n) < 0.2, np.nan, x[4])).fill_nan(None),
            "hue": hue,
            "class": np.digitize(score, [-1, 1.5]).astype(str),
            "score": score,
        }
    )
    folder = tmp_path_factory.mktemp("files")
    frame[:700].write_parquet(folder / "a.parquet")
    frame[700:].write_parquet(folder / "b.parquet")
    return folder


def coded(folder, target):
    other = {"class": "score", "score": "class"}[target]
    return code_dataset(folder, target, drop=[other])


def found(selection):
    return [(v.name, v.kind, v.score, v.p_value, v.reason) for v in selection.verdicts]


def fitted(X, y, **params):
    how = {"n_trees": 5, "max_samples": 400, "random_state": 0, **params}
    return found(ACE(**how).fit(X, y).selection_)


@pytest.mark.parametrize("target", ["class", "score"])
@pytest.mark.parametrize("params", [{}, {"keep": ["x3"]}, {"max_samples": None}], ids=str)
def test_a_coded_table_gives_what_the_same_bins_give_in_memory(target, params, table):
    own = coded(table, target)
    y = own.y.labels() if target == "class" else own.y
    ours = fitted(own.X, own.y, **params)
    assert ours == fitted(own.X.plain(), y, **params)
    kinds = {name: kind for name, kind, *_ in ours}
    assert kinds["x1"] == "relevant"
    assert kinds["x2"] == "irrelevant"


def test_threads_change_nothing(table):
    own = coded(table, "class")
    one = fitted(own.X, own.y, feature_groups={"pair": ["x0", "x2"]})
    assert one == fitted(own.X, own.y, feature_groups={"pair": ["x0", "x2"]}, n_jobs=2)


def test_as_many_samples_as_rows_are_all_of_them(table):
    X = coded(table, "score").X.plain()
    y = coded(table, "score").y
    everything = fitted(X, y, max_samples=None)
    assert everything == fitted(X, y, max_samples=1400) == fitted(X, y, max_samples=10**9)
    assert everything != fitted(X, y)


def test_of_a_coded_table_few_rows_are_drawn_unless_asked_otherwise(table, monkeypatch):
    own = coded(table, "score")
    monkeypatch.setattr(_ace, "CODED_SAMPLES", 1200)
    assert fitted(own.X, own.y, max_samples=None) == fitted(own.X, own.y, max_samples=1200)
    narrow = replace(own.X, memory=32 * own.X.n_columns * 1100)
    assert fitted(narrow, own.y, max_samples=None) == fitted(own.X, own.y, max_samples=1100)


def test_weights_go_with_their_rows(table):
    own = coded(table, "score")
    weight = np.random.default_rng(1).integers(0, 3, own.n_rows).astype(float)
    results = [
        found(
            ACE(n_trees=10, max_samples=500, random_state=0)
            .fit(X, own.y, sample_weight=weight)
            .selection_
        )
        for X in (own.X, own.X.plain())
    ]
    assert results[0] == results[1]


def test_what_workers_are_sent_is_small_and_draws_the_same_rows(table):
    own = coded(table, "class")
    y, ones = own.y.codes, np.ones(own.n_rows)
    problem, population = make_sample(own.X, y, 3, ones, 400, seed=0)
    sent = pickle.dumps(population)
    assert len(sent) < own.n_rows + 20_000, "a byte for each row, and what codes stand for"
    here, there = (some.draw(np.random.default_rng(5)) for some in (population, pickle.loads(sent)))
    np.testing.assert_array_equal(here.binned.codes, there.binned.codes)
    np.testing.assert_array_equal(here.response.values, there.response.values)
    other = population.draw(np.random.default_rng(6))
    assert (here.binned.codes != other.binned.codes).any()
    assert problem.n_rows == here.n_rows == 400


def test_rows_are_drawn_without_replacement_each_as_often():
    X = np.arange(200.0)[:, None]
    _, population = make_sample(read_columns(X), X[:, 0], 0, np.ones(200), 50, seed=0)
    rng = np.random.default_rng(0)
    times = np.zeros(200)
    for _ in range(400):
        drawn = population.draw(rng).response.values[:, 0].astype(int)
        assert len(set(drawn.tolist())) == 50
        times[drawn] += 1
    assert 60 < times.min() < times.max() < 145  # 100, give or take five standard deviations


@pytest.mark.parametrize("wrong", [5, 1.5, "all", True])
def test_a_wrong_number_of_samples_is_refused(wrong):
    with pytest.raises(ValueError, match="max_samples must be a whole number of at least 10"):
        ACE(max_samples=wrong).fit(np.eye(20), np.arange(20.0))
