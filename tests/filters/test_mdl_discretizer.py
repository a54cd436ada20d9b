"""Numbers cut into levels: in frames and arrays, with gaps and categories."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline

from tests.filters.tables import messy, numbers
from thresher.filters import MDLDiscretizer


def test_levels_count_the_cuts_below():
    X, y, _ = numbers()
    found = MDLDiscretizer().fit(X, y)
    levels = found.transform(X)
    for p, cuts in enumerate(found.cut_points_):
        assert_array_equal(levels[:, p], [(cuts < value).sum() for value in X[:, p]])
        assert found.n_levels_[p] == len(cuts) + 1
    assert (found.n_levels_[[1, 4]] > 1).all()
    assert found.n_levels_.min() == 1


def test_a_value_equal_to_a_cut_is_below_it_and_any_number_has_a_level():
    X, y = load_iris(return_X_y=True)
    found = MDLDiscretizer().fit(X, y)
    rows = np.array([[5.55, 2.95, 2.45, 0.8], [-1e300, 1e300, np.nan, 0.81]])
    assert_array_equal(found.transform(rows), [[0, 0, 0, 0], [0, 2, np.nan, 1]])


@pytest.mark.parametrize("as_frame", [lambda f: f, pl.from_pandas], ids=["pandas", "polars"])
def test_frames_stay_frames_and_categories_stay(as_frame):
    X, y = messy()
    frame = as_frame(X)
    found = MDLDiscretizer().fit(frame, y)
    cut = found.transform(frame)
    assert type(cut) is type(frame)
    assert list(cut.columns) == list(X.columns)
    for name in ("city", "colour"):
        p = X.columns.get_loc(name)
        assert found.cut_points_[p] is None
        assert found.n_levels_[p] == 0
        assert list(cut[name]) == list(frame[name])
    assert_array_equal(np.isnan(cut["gaps"].to_numpy()), X["gaps"].isna())
    assert np.isnan(cut["gone"].to_numpy()).all()
    assert_array_equal(found.get_feature_names_out(), X.columns)


def test_pandas_and_polars_and_arrays_give_the_same():
    X, y, _ = numbers()
    frame = pd.DataFrame(X, columns=[f"c{p}" for p in range(8)])
    expected = MDLDiscretizer().fit_transform(X, y)
    assert_array_equal(MDLDiscretizer().fit_transform(frame, y).to_numpy(), expected)
    assert_array_equal(MDLDiscretizer().fit_transform(pl.from_pandas(frame), y), expected)
    assert_array_equal(MDLDiscretizer().fit_transform(sp.csr_array(X), y), expected)


def test_the_index_of_a_frame_stays():
    X, y = messy()
    X.index = pd.Index(np.arange(len(X)) * 7 + 3)
    assert MDLDiscretizer().fit(X, y).transform(X).index.equals(X.index)


def test_missing_cells_stay_missing_and_do_not_move_cuts():
    X, y, _ = numbers()
    holes = np.random.default_rng(0).random(len(X)) < 0.4
    gappy = X.copy()
    gappy[holes, 1] = np.nan
    found = MDLDiscretizer().fit(gappy, y)
    alone = MDLDiscretizer().fit(X[~holes], y[~holes])
    assert_array_equal(found.cut_points_[1], alone.cut_points_[1])
    assert_array_equal(np.isnan(found.transform(gappy)[:, 1]), holes)


def test_a_numeric_target_is_cut_into_bins():
    X, _, y = numbers()
    few, many = (MDLDiscretizer(n_target_bins=n).fit(X, y) for n in (2, 8))
    halves = MDLDiscretizer().fit(X, y > np.median(y))
    assert_array_equal(few.cut_points_[1], halves.cut_points_[1])
    assert few.n_levels_[1] != many.n_levels_[1] or few.cut_points_[1][0] != many.cut_points_[1][0]


def test_a_column_that_changed_its_kind_is_refused():
    X, y = messy()
    found = MDLDiscretizer().fit(X, y)
    with pytest.raises(ValueError, match="'x' held numbers"):
        found.transform(X.assign(x=["a", "b"] * 120))
    with pytest.raises(ValueError, match="feature names"):
        found.transform(X.rename(columns={"x": "z"}))
    with pytest.raises(ValueError, match="features"):
        MDLDiscretizer().fit(*numbers()[:2]).transform(np.ones((3, 2)))


def test_before_a_learner_of_levels():
    X, y, _ = numbers()
    model = make_pipeline(MDLDiscretizer(), CategoricalNB(min_categories=10)).fit(X, y)
    assert model.score(X, y) > 0.85


def test_copies_and_set_output():
    X, y, _ = numbers()
    found = MDLDiscretizer().fit(X, y)
    assert_array_equal(pickle.loads(pickle.dumps(found)).transform(X), found.transform(X))
    assert not hasattr(clone(found), "cut_points_")
    assert isinstance(found.set_output(transform="pandas").transform(X), pd.DataFrame)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_target_bins": 1}, "n_target_bins must be a whole number of at least 2; got 1"),
        ({"n_target_bins": None}, "n_target_bins must be"),
        ({"task": "ranking"}, "task must be"),
        ({"task": ["auto"]}, "task must be"),
        ({"n_jobs": 0}, "n_jobs must be"),
    ],
    ids=str,
)
def test_wrong_parameters(options, message):
    X, y, _ = numbers()
    with pytest.raises(ValueError, match=message):
        MDLDiscretizer(**options).fit(X, y)


def test_wrong_targets():
    X, y, _ = numbers()
    for target, message in [
        (np.zeros(200), "only 1 class"),
        (np.where(y, np.nan, 0.5), "target is missing"),
        (y[:5], "inconsistent numbers of samples"),
        (None, "y"),
    ]:
        with pytest.raises(ValueError, match=message):
            MDLDiscretizer().fit(X, target)


def test_threads_change_nothing():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    X = rng.normal(size=(300, 200)) + y[:, None] * rng.random(200)
    one, two = (MDLDiscretizer(n_jobs=n_jobs).fit(X, y) for n_jobs in (1, 2))
    assert max(map(len, one.cut_points_)) > 1
    assert all(map(np.array_equal, one.cut_points_, two.cut_points_))
    assert np.array_equal(one.n_levels_, two.n_levels_)
