"""What all filters do with all kinds of tables."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

from tests.filters.tables import messy, numbers, verdicts
from thresher import Selection
from thresher.filters import CFS, FCBF, GainRatio, ReliefF
from thresher.searches import Genetic

FILTERS = [
    CFS(),
    CFS(correlation="pearson"),
    CFS(search=Genetic(n_generations=20), cuts=4, random_state=0),
    FCBF(),
    FCBF(cuts=4, missing="separate"),
    GainRatio(),
    GainRatio(GaussianNB(), encode=True, cv=3),
    ReliefF(random_state=0),
    ReliefF(n_features=2, random_state=0),
]
all_filters = pytest.mark.parametrize("method", FILTERS, ids=repr)


def fitted_to(method, X, y, **params):
    return clone(method).set_params(**params).fit(X, y)


def same(one, other):
    """Assert that two filters found the same, to the last bit."""
    assert one.selection_.selected == other.selection_.selected
    assert one.selection_.verdicts == other.selection_.verdicts
    assert_array_equal(one.support_, other.support_)
    assert_array_equal(one.ranking_, other.ranking_)
    assert_array_equal(one.scores_, other.scores_)


@all_filters
def test_results_agree_with_each_other(method):
    X, y = messy()
    found = fitted_to(method, X, y)
    names = np.array(X.columns)
    by_name = verdicts(found)
    assert list(by_name) == names.tolist()
    assert set(found.selection_.selected) == set(names[found.support_])
    assert found.n_features_ == found.support_.sum() == len(found.selection_.selected)
    assert_array_equal(found.ranking_ == 1, found.support_)
    assert_array_equal(found.get_feature_names_out(), names[found.support_])
    assert list(found.transform(X).columns) == names[found.support_].tolist()
    for verdict, score in zip(found.selection_.verdicts, found.scores_, strict=True):
        assert verdict.reason
        assert np.isnan(score) if verdict.score is None else score == verdict.score
        if verdict.kind == "redundant":
            assert verdict.masked_by in found.selection_.selected
        else:
            assert verdict.masked_by is None
    dropped = np.flatnonzero(~found.support_ & ~np.isnan(found.scores_))
    ranked = dropped[np.argsort(found.ranking_[dropped])]
    assert (np.diff(found.scores_[ranked]) <= 0).all()
    assert len(set(found.ranking_[dropped].tolist())) == len(dropped)


@all_filters
def test_what_matters_is_found_and_what_is_constant_is_not(method):
    X, y = messy()
    found = fitted_to(method, X, y)
    assert {"x", "copy"} & set(found.selection_.selected)
    for name in ("level", "gone"):
        assert verdicts(found)[name].reason == "constant"
        assert verdicts(found)[name].kind == "irrelevant"
        assert found.ranking_[X.columns.get_loc(name)] == found.ranking_.max()
    assert np.isnan(found.scores_[-2:]).all()


@all_filters
def test_pandas_and_polars_give_the_same(method):
    X, y = messy()
    theirs = pl.from_pandas(X)
    found, expected = fitted_to(method, theirs, pl.Series(y)), fitted_to(method, X, pd.Series(y))
    assert found.selection_.selected == expected.selection_.selected
    assert_array_equal(found.ranking_, expected.ranking_)
    # levels come in another order, and so do the sums over them
    assert_allclose(found.scores_, expected.scores_, rtol=1e-12, atol=1e-15)
    reasons = [[v.reason for v in f.selection_.verdicts] for f in (found, expected)]
    assert reasons[0] == reasons[1]
    assert isinstance(found.transform(theirs), pl.DataFrame)


@all_filters
def test_sparse_and_dense_give_the_same(method):
    X, y, _ = numbers()
    X = np.where(np.abs(X) < 0.4, 0.0, X)
    dense = fitted_to(method, X, y)
    for sparse in (sp.csr_matrix(X), sp.csc_array(X)):
        found = fitted_to(method, sparse, y)
        same(found, dense)
        assert sp.issparse(found.transform(sparse))


@all_filters
def test_threads_change_no_bit(method):
    X, y = messy()
    same(fitted_to(method, X, y, n_jobs=1), fitted_to(method, X, y, n_jobs=2))


@all_filters
def test_the_order_of_columns_does_not_matter(method):
    X, y, _ = numbers()
    order = np.random.default_rng(0).permutation(X.shape[1])
    found, moved = fitted_to(method, X, y), fitted_to(method, X[:, order], y)
    if not isinstance(method.get_params().get("search"), Genetic):  # draws by position
        assert_array_equal(found.support_[order], moved.support_)
    assert_allclose(found.scores_[order], moved.scores_, rtol=1e-12, atol=1e-15)


@all_filters
def test_names_of_classes_do_not_matter(method):
    X, y, _ = numbers()
    found = fitted_to(method, X, y)
    same(found, fitted_to(method, X, np.where(y, "yes", "no")))
    swapped = fitted_to(method, X, np.where(y, "no", "yes"))
    assert_array_equal(swapped.support_, found.support_)
    assert_allclose(swapped.scores_, found.scores_, rtol=1e-12, atol=1e-15)


@all_filters
@pytest.mark.filterwarnings("ignore:The least populated class")
def test_a_class_of_one_row(method):
    X, y, _ = numbers()
    labels = np.where(y, "yes", "no").astype(object)
    labels[17] = "perhaps"
    assert fitted_to(method, X, labels).support_[[1, 4]].all()


@pytest.mark.parametrize("method", [m for m in FILTERS if "estimator=" not in repr(m)], ids=repr)
def test_numeric_targets(method):
    X, _, y = numbers()
    found = fitted_to(method, X, y)
    assert found.support_[[1, 4]].all()
    same(found, fitted_to(method, X, y, task="regression"))


@all_filters
def test_kept_columns_are_selected_and_say_so(method):
    X, y = messy()
    keep = ["noise", "gone"]
    found = fitted_to(method, X, y, keep=keep)
    assert set(keep) <= set(found.selection_.selected)
    assert {verdicts(found)[name].reason for name in keep} == {"kept, as asked"}


@all_filters
@pytest.mark.parametrize(
    "groups",
    [
        {"g": ["copy", "noise"]},
        {"g": ["x", "colour", "level"]},
        {"g": ["noise", "flag", "when"], "h": ["city", "gaps"]},
        {"g": ["level", "gone"]},
    ],
    ids=["copy and noise", "number and category", "two groups", "constants"],
)
def test_groups_stand_or_fall_together(method, groups):
    X, y = messy()
    found = fitted_to(method, X, y, feature_groups=groups)
    for members in groups.values():
        assert len({name in found.selection_.selected for name in members}) == 1
        assert len({verdicts(found)[name].kind for name in members}) == 1
        assert len({found.ranking_[X.columns.get_loc(name)] for name in members}) == 1
    assert found.n_features_ == len(found.selection_.selected) == found.support_.sum()


@all_filters
def test_copies_of_the_filter_are_the_filter(method):
    X, y = messy()
    found = fitted_to(method, X, y)
    same(pickle.loads(pickle.dumps(found)), found)
    assert repr(clone(found)) == repr(method)
    assert not hasattr(clone(found), "support_")
    assert repr(found.get_params()) == repr(method.get_params())  # fit has changed none


@all_filters
def test_nothing_is_left_of_an_earlier_fit(method):
    X, y = messy()
    other, target, _ = numbers()
    twice = fitted_to(method, X, y).fit(other, target)
    same(twice, fitted_to(method, other, target))
    assert twice.n_features_in_ == other.shape[1]
    assert not hasattr(twice, "feature_names_in_")


@all_filters
def test_selections_can_be_saved(method, tmp_path):
    X, y = messy()
    selection = fitted_to(method, X, y).selection_
    selection.save(tmp_path / "found.json")
    loaded = Selection.load(tmp_path / "found.json")
    assert loaded.verdicts == selection.verdicts
    assert loaded.selected == selection.selected
    assert loaded.method == type(method).__name__
    assert "x" in repr(selection)
    assert "<table>" in selection._repr_html_()


@pytest.mark.parametrize("method", [CFS(), FCBF(), GainRatio()], ids=repr)
def test_of_pure_noise_next_to_nothing_is_selected(method):
    selected = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(150, 40)), rng.integers(3, size=150)
        found = fitted_to(method, X, y)
        selected += found.n_features_
        if not found.n_features_:
            assert {v.kind for v in found.selection_.verdicts} == {"irrelevant"}
            with pytest.warns(UserWarning, match="No features were selected"):
                assert found.transform(X).shape == (150, 0)
    assert selected <= 8  # of 400


@pytest.mark.parametrize("method", [CFS(), FCBF(), GainRatio(n_features=20)], ids=repr)
def test_thousands_of_columns(method):
    X, y, _ = numbers(n_columns=2000)
    found = fitted_to(method, X, y)
    assert found.support_[[1, 4]].all()
    assert found.n_features_ < 40
