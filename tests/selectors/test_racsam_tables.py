"""RACSAM on tables of all kinds."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.linear_model import Ridge
from sklearn.tree import DecisionTreeClassifier

from thresher.learners import ObliviousTree

from .racsam import FEW, INITS, every_init, racsam, told


@pytest.fixture(scope="module")
def messy():
    """A frame of everything: the level and the number decide, the rest is noise or nothing."""
    rng = np.random.default_rng(0)
    n = 150
    level, number = rng.choice(["low", "mid", "high"], n), rng.normal(size=n)
    frame = pd.DataFrame(
        {
            "noise": rng.normal(size=n),
            "level": pd.Categorical(level),
            "gaps": np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n)),
            "same": np.ones(n),
            "number": np.where(rng.random(n) < 0.05, np.nan, number),
            "flag": rng.random(n) < 0.5,
        }
    )
    return frame, 3.0 * (level == "high") + number


@every_init
def test_frames_with_levels_and_gaps(init, messy):
    frame, y = messy
    selector = racsam(init=init, combine="average").fit(frame, y)
    assert {"level", "number"} <= set(selector.selection_.selected)
    assert selector.selection_.verdicts[3].reason == "constant"
    assert selector.ranking_[3] == selector.ranking_.max()
    assert selector.score(frame, y) > 0.7
    assert list(selector.transform(frame).columns) == list(selector.get_feature_names_out())
    told(selector, frame)


@every_init
def test_polars_frames(init, messy):
    frame, y = messy
    cells = {name: [None if pd.isna(v) else v for v in frame[name]] for name in frame}
    table = pl.DataFrame(cells).with_columns(pl.col("level").cast(pl.Categorical))
    selector = racsam(init=init).fit(table, y)
    same = racsam(init=init).fit(frame, y)
    assert selector.selection_.selected == same.selection_.selected
    np.testing.assert_allclose(selector.predict(table), same.predict(frame))
    assert isinstance(selector.transform(table), pl.DataFrame)


def test_classes_in_a_frame_with_gaps_and_a_learner_that_copes(messy):
    frame, y = messy
    tree = DecisionTreeClassifier(max_depth=4)
    table = frame.drop(columns="level")
    selector = racsam(tree, **FEW).fit(table, np.where(y > 1.0, "more", "less"))
    assert "number" in selector.selection_.selected
    told(selector, table)


def test_classes_in_a_frame_with_levels_and_gaps_by_the_default_learner(messy):
    frame, y = messy
    target = np.where(y > 1.0, "more", "less")
    selector = racsam(**FEW).fit(frame, target)
    assert isinstance(selector.estimators_[0], ObliviousTree)
    assert selector.score(frame, target) > 0.6
    told(selector, frame)


def test_columns_that_stand_or_fall_together(numbers):
    X, y = numbers
    selector = racsam(feature_groups={"pair": [1, 2], "rest": [5, 6, 7]}).fit(X, y)
    assert selector.support_[[1, 2, 4]].all()
    assert selector.support_[1] == selector.support_[2]
    assert len(set(selector.support_[5:].tolist())) == 1
    assert selector.ranking_[5] == selector.ranking_[6] == selector.ranking_[7]
    told(selector, X)


@every_init
def test_kept_columns(init, numbers):
    X, y = numbers
    selector = racsam(keep=[0, 7], init=init).fit(X, y)
    assert selector.support_[[0, 1, 7]].all()
    assert all({0, 7} <= set(winner.tolist()) for winner in selector.winners_)
    reasons = [verdict.reason for verdict in selector.selection_.verdicts]
    assert reasons[0] == reasons[7] == "kept, as asked"
    told(selector, X)


@every_init
def test_a_kept_column_with_a_twin(init, numbers):
    X, y = numbers
    selector = racsam(keep=[0], init=init).fit(X[:, [1, 1]], y)
    assert selector.support_[0]
    told(selector, X[:, [1, 1]])


def test_everything_is_kept(numbers):
    X, y = numbers
    selector = racsam(keep=range(8)).fit(X, y)
    assert selector.support_.all()
    assert [winner.tolist() for winner in selector.winners_] == [list(range(8))]
    assert selector.score(X, y) > 0.9


def test_one_column(numbers):
    X, y = numbers
    selector = racsam().fit(X[:, [1]], y)
    assert selector.support_.tolist() == [True]
    assert selector.selection_.verdicts[0].reason.startswith("in 1 of the 1 best subsets; without")
    told(selector, X[:, [1]])


@every_init
def test_constant_columns(init, numbers):
    X, y = numbers
    padded = np.column_stack([np.full(len(X), 3.0), X, np.zeros(len(X))])
    selector = racsam(init=init).fit(padded, y)
    assert np.flatnonzero(selector.support_).tolist() == [2, 5]
    assert selector.selection_.verdicts[0].reason == "constant"
    assert selector.ranking_[0] == selector.ranking_[-1] == selector.ranking_.max()
    told(selector, padded)


def test_sparse_tables_for_learners_that_take_them(numbers):
    X, y = numbers
    sparse = racsam(Ridge(), **FEW).fit(scipy.sparse.csr_matrix(X), y)
    dense = racsam(Ridge(), **FEW).fit(X, y)
    assert sparse.support_.tolist() == dense.support_.tolist()
    np.testing.assert_allclose(sparse.predict(scipy.sparse.csr_matrix(X)), dense.predict(X))


@pytest.mark.parametrize("n_rows", [2, 3, 10])
def test_fewer_rows_than_a_sample(n_rows, numbers):
    X, y = (values[:n_rows] for values in numbers)
    selector = racsam().fit(X, y)
    assert selector.n_features_ >= 1
    told(selector, X)


def test_rows_that_are_all_alike_but_two(numbers):
    X, y = numbers
    table, target = np.repeat(X[:2], 15, axis=0), np.repeat(y[:2], 15)
    selector = racsam().fit(table, target)
    assert selector.n_features_ == 1  # any will do
    assert selector.score(table, target) == pytest.approx(1.0)


def test_a_target_that_never_changes(numbers):
    selector = racsam().fit(numbers[0], np.full(200, 2.5))
    assert selector.n_features_ == 1
    assert (selector.predict(numbers[0]) == 2.5).all()


def test_more_columns_than_the_pool_holds():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 70))
    y = X[:, 60] + X[:, 65]
    for init in INITS:
        selector = racsam(init=init, max_tests=20, patience=1).fit(X, y)
        assert selector.support_[[60, 65]].any()
        assert len(selector.ranking_) == 70
