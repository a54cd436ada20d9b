from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.linear_model import Lasso, LinearRegression, Ridge
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit

from tests.naive import linear as naive
from tests.properties import examples
from thresher.columns import read_columns, with_groups
from thresher.evaluators import FastEvaluator, Flips, Loss, Problem, Target, make_folds
from thresher.evaluators import _linear as module
from thresher.evaluators._linear import LinearEvaluator

ESTIMATORS = [
    LinearRegression(),
    LinearRegression(fit_intercept=False),
    Ridge(1.0),
    Ridge(0.01, fit_intercept=False, solver="svd"),
]


def problem_for(estimator, X, y, cv=4, *, loss=Loss.SQUARED, groups=None, **more):
    y = np.asarray(y)
    return Problem(
        estimator=estimator,
        columns=with_groups(read_columns(X), groups),
        target=Target(y, y.astype(np.float64), None),
        folds=make_folds(cv, y, classifier=False),
        loss=loss,
        **more,
    )


def refitted_losses(problem, subsets):
    """Losses of scikit-learn's own fits; every row must be held out once."""
    out = np.empty((len(subsets), problem.columns.n_rows))
    y = problem.target.raw
    splits = [(fold.train, fold.test) for fold in problem.folds]
    if problem.folds.leave_one_out:
        splits = naive.splits_of_leave_one_out(len(y))
    for k, subset in enumerate(subsets):
        for train, test in splits:
            weights = None if problem.weights is None else problem.weights[train]
            model = clone(problem.estimator)
            model.fit(problem.columns.take(subset, train), y[train], sample_weight=weights)
            error = model.predict(problem.columns.take(subset, test)) - y[test]
            out[k, test] = np.abs(error) if problem.loss is Loss.ABSOLUTE else error**2
    return out


def assert_same(found, expected, y, tolerance):
    """Compare losses, in units of the target's variance (or of the loss itself if that is more)."""
    scale = np.var(y) + np.abs(expected)
    np.testing.assert_array_less(np.abs(found - expected), tolerance * scale + 1e-300)


def regression_data(n=40, p=7, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * rng.uniform(0.5, 20, size=p) + rng.normal(size=p)
    return X, X[:, :3].sum(axis=1) + rng.normal(size=n)


def without_refits(monkeypatch):
    def fail(*_):
        raise AssertionError("this should not need a refit")

    monkeypatch.setattr(LinearEvaluator, "_refitted", fail)


def nonempty_flips(base, n_variables):
    base = frozenset(base)
    return Flips(base, [v for v in range(n_variables) if base ^ {v}])


# ---------------------------------------------------------------- what is supported


class Special(LinearRegression):
    pass


@pytest.mark.parametrize(
    "estimator",
    [*ESTIMATORS, Ridge(0), Ridge(np.float64(2)), Ridge(1, solver="cholesky")],
    ids=str,
)
def test_direct_solvers_are_supported(estimator):
    assert LinearEvaluator.supports(problem_for(estimator, *regression_data()))


@pytest.mark.parametrize(
    "estimator",
    [
        Special(),
        LinearRegression(positive=True),
        Ridge(positive=True),
        Ridge(solver="lsqr"),
        Ridge(solver="saga"),
        Ridge(np.array([1.0])),
        Ridge(np.inf),
        Lasso(),
    ],
    ids=str,
)
def test_other_learners_are_not_supported(estimator):
    assert not LinearEvaluator.supports(problem_for(estimator, *regression_data()))


def test_other_tables_targets_and_metrics_are_not_supported():
    X, y = regression_data()
    problem = problem_for(LinearRegression(), X, y)
    holes = X.copy()
    holes[0, 0] = np.nan
    pd = pytest.importorskip("pandas")
    words = pd.DataFrame({"number": y, "word": ["a", "b"] * 20})
    two = Target(np.c_[y, y], np.c_[y, y], None)
    for other in (
        replace(problem, columns=read_columns(holes)),
        replace(problem, columns=read_columns(scipy.sparse.csc_array(X))),
        replace(problem, columns=read_columns(words)),
        replace(problem, target=two),
        replace(problem, target=Target(y > 0, (y > 0).astype(int), np.array([0, 1]))),
        replace(problem, loss=None, scorer=lambda model, X, y: 0.0),
        replace(problem, loss=Loss.LOG),
    ):
        assert not LinearEvaluator.supports(other)


# ---------------------------------------------------------------- against the naive twin


@pytest.mark.parametrize("cv", [4, "loo"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_losses_are_those_of_the_naive_twin(estimator, weighted, cv, monkeypatch):
    without_refits(monkeypatch)
    X, y = regression_data()
    weights = np.random.default_rng(1).uniform(0, 3, size=len(y)) if weighted else None
    problem = problem_for(estimator, X, y, cv, weights=weights)
    evaluator = LinearEvaluator(problem)
    splits = [(fold.train, fold.test) for fold in problem.folds]
    if cv == "loo":
        splits = naive.splits_of_leave_one_out(len(y))
    for subsets in (
        [frozenset({0}), frozenset({2, 1, 5}), frozenset(range(7))],
        nonempty_flips({0, 3}, 7),
        nonempty_flips(range(7), 7),
        nonempty_flips((), 7),
    ):
        expected = naive.squared_losses(
            X,
            y,
            subsets,
            splits,
            alpha=getattr(estimator, "alpha", 0.0),
            intercept=estimator.fit_intercept,
            weights=weights,
        )
        assert_same(evaluator.losses(subsets), expected, y, 1e-10)


# ---------------------------------------------------------------- against scikit-learn


@st.composite
def tables(draw):
    """Small tables with all that makes least squares awkward."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(6, 16))
    p = draw(st.sampled_from([1, 3, 5, 7, 20]))
    if draw(st.booleans()):
        X = rng.normal(size=(n, p)) * 10.0 ** rng.integers(-1, 3, size=p) + rng.normal(size=p)
    else:
        X = rng.integers(0, 3, size=(n, p)).astype(float)
    troubles = ["constant", "almost constant", "copy", "combination", "close copy"]
    for trouble in draw(st.lists(st.sampled_from(troubles), max_size=3)):
        a, b, c = rng.integers(p, size=3)
        match trouble:
            case "constant":
                X[:, a] = rng.normal()
            case "almost constant":
                X[:, a] = 0.1
                X[rng.integers(n), a] = 3.0
            case "copy":
                X[:, a] = X[:, b]
            case "combination":
                X[:, a] = 2 * X[:, b] - 0.3 * X[:, c] + 1
            case "close copy":
                X[:, a] = X[:, b] + 10.0 ** rng.integers(-11, -1) * rng.normal(size=n)
    y = X @ rng.normal(size=p) / (1 + np.abs(X).max()) + rng.normal(size=n)
    return X, y


@examples(40)
@given(
    table=tables(),
    estimator=st.sampled_from(ESTIMATORS),
    cv=st.sampled_from([3, KFold(4, shuffle=True, random_state=0), "loo"]),
    loss=st.sampled_from([Loss.ABSOLUTE, Loss.SQUARED]),
    grouped=st.booleans(),
    weighted=st.booleans(),
    density=st.sampled_from([0.0, 0.3, 0.9]),
    data=st.data(),
)
def test_losses_are_those_of_scikit_learn(
    table, estimator, cv, loss, grouped, weighted, density, data
):
    X, y = table
    groups = {"pair": [0, 2]} if grouped and X.shape[1] > 2 else None
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    weights = rng.uniform(0.1, 2, size=len(y)) if weighted else None
    problem = problem_for(estimator, X, y, cv, loss=loss, groups=groups, weights=weights)
    evaluator = LinearEvaluator(problem)
    n_variables = problem.columns.n_variables
    base = np.flatnonzero(rng.random(n_variables) < density)
    flips = nonempty_flips(base.tolist(), n_variables)[:6]
    expected = refitted_losses(problem, flips)
    assert_same(evaluator.losses(flips), expected, y, 1e-6)
    assert_same(evaluator.losses(list(flips)), expected, y, 1e-6)


@examples(40)
@given(
    seed=st.integers(0, 2**32 - 1),
    shape=st.sampled_from([(30, 4), (60, 12), (12, 5)]),
    estimator=st.sampled_from(ESTIMATORS),
    cv=st.sampled_from([3, "loo"]),
    density=st.sampled_from([0.0, 0.5, 1.0]),
)
def test_flips_are_the_same_subsets_as_a_list(seed, shape, estimator, cv, density):
    X, y = regression_data(*shape, seed=seed)
    evaluator = LinearEvaluator(problem_for(estimator, X, y, cv))
    base = np.flatnonzero(np.random.default_rng(seed).random(shape[1]) < density)
    flips = nonempty_flips(base.tolist(), shape[1])
    assert_same(evaluator.losses(flips), evaluator.losses(list(flips)), y, 1e-9)


# ---------------------------------------------------------------- awkward tables, one by one


def check_sweeps(problem, tolerance=1e-8):
    """Compare forward and backward flips with scikit-learn's fits."""
    evaluator = LinearEvaluator(problem)
    n_variables = problem.columns.n_variables
    for base in ((), range(n_variables), range(1, n_variables, 2)):
        flips = nonempty_flips(base, n_variables)
        expected = refitted_losses(problem, flips)
        assert_same(evaluator.losses(flips), expected, problem.target.values, tolerance)


@pytest.mark.parametrize("cv", [3, "loo"])
@pytest.mark.parametrize("estimator", [LinearRegression(), Ridge(0.1)], ids=str)
def test_dummies_copies_and_constants_need_no_refits(estimator, cv, monkeypatch):
    rng = np.random.default_rng(0)
    dummies = np.eye(3)[np.tile([0, 1, 2], 4)]
    X = np.hstack([dummies, rng.normal(size=(12, 2)), dummies[:, :1], np.full((12, 1), 0.1)])
    y = X @ rng.normal(size=X.shape[1]) + rng.normal(size=12)
    problem = problem_for(estimator, X, y, cv)
    check_sweeps(problem)
    without_refits(monkeypatch)
    for base in ({0, 3}, range(7), {0, 1, 2, 5, 6}):
        LinearEvaluator(problem).losses(nonempty_flips(base, 7))


def test_columns_constant_only_in_training():
    X, y = regression_data(30, 4)
    X[:20, 1] = 0.1
    X[:20, 2] = 7.0
    first, last = np.arange(20), np.arange(20, 30)
    check_sweeps(problem_for(LinearRegression(), X, y, [(first, last), (last, first)]))


@pytest.mark.parametrize("estimator", [LinearRegression(), Ridge(0.1)], ids=str)
@pytest.mark.parametrize("cv", [3, "loo"])
def test_more_columns_than_rows(estimator, cv):
    X, y = regression_data(8, 9)
    check_sweeps(problem_for(estimator, X, y, cv))


def test_a_row_that_alone_decides_a_coefficient():
    X, y = regression_data(12, 3)
    X[:, 1] = 0.0
    X[4, 1] = 1.0
    check_sweeps(problem_for(LinearRegression(), X, y, "loo"))
    check_sweeps(problem_for(LinearRegression(fit_intercept=False), X, y, "loo"))


@pytest.mark.parametrize("exponents", [(0, -3, 3, -2), (0, -7, 1, 0), (6, 0, -1, 0)])
@pytest.mark.parametrize("tolerance", [1e-6, 1e-3, 0.0])
def test_singular_values_below_the_cutoff_of_scikit_learn(exponents, tolerance):
    X, y = regression_data(30, 4)
    X = X * 10.0 ** np.array(exponents)
    check_sweeps(problem_for(LinearRegression(tol=tolerance), X, y), 1e-6)


@pytest.mark.parametrize("distance", [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-12])
@pytest.mark.parametrize("cv", [3, "loo"])
def test_columns_that_are_nearly_the_same(distance, cv):
    X, y = regression_data(12, 3)
    X[:, 2] = X[:, 0] + distance * X[:, 1]
    check_sweeps(problem_for(LinearRegression(), X, y, cv), 1e-6)


def test_columns_far_from_zero():
    X, y = regression_data(30, 4)
    X += np.array([1e9, 1e5, 0, 1e12])
    check_sweeps(problem_for(LinearRegression(), X, y), 1e-6)


def test_ridge_without_penalty():
    check_sweeps(problem_for(Ridge(0.0), *regression_data()))


def test_small_penalties_apply_in_the_units_of_the_table():
    X, y = regression_data()
    X *= 10.0 ** np.arange(-3, 4)
    check_sweeps(problem_for(Ridge(1e-3), X, y))


def test_groups_and_frames():
    pd = pytest.importorskip("pandas")
    X, y = regression_data(30, 6)
    X[:, 5] = X[:, 4] - X[:, 0]
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(d=X[:, 3] > 0)
    groups = {"first": ["a", "e", "f"], "second": ["c", "d"]}
    check_sweeps(problem_for(LinearRegression(), frame, y, groups=groups))


# ---------------------------------------------------------------- rows, folds and threads


def test_chosen_rows_are_those_of_the_whole():
    X, y = regression_data()
    rows = [30, 3, 17, 4]
    for cv in (4, "loo"):
        evaluator = LinearEvaluator(problem_for(LinearRegression(), X, y, cv))
        for subsets in (nonempty_flips({0, 1}, 7), [{1}, {3, 4}]):
            whole = evaluator.losses(subsets)
            assert_same(evaluator.losses(subsets, rows), whole[:, rows], y, 1e-12)


def test_repeated_and_incomplete_splits():
    X, y = regression_data()
    flips = nonempty_flips({0, 5}, 7)
    for cv in (
        RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
        ShuffleSplit(n_splits=3, test_size=0.3, random_state=0),
    ):
        problem = problem_for(Ridge(1.0), X, y, cv)
        found = LinearEvaluator(problem).losses(flips)
        total, times = np.zeros_like(found), np.zeros(len(y))
        for fold in problem.folds:
            alone = replace(problem, folds=replace(problem.folds, folds=(fold,)))
            total[:, fold.test] += refitted_losses(alone, flips)[:, fold.test]
            times[fold.test] += 1
        tested = times > 0
        assert np.isnan(found[:, ~tested]).all()
        assert_same(found[:, tested], (total / np.maximum(times, 1))[:, tested], y, 1e-9)


@pytest.mark.parametrize("cv", [5, "loo"])
def test_number_of_threads_leaves_every_bit_alone(cv):
    X, y = regression_data(103, 23)
    families = [[frozenset(range(k, k + 5)) for k in range(9)]]
    if hasattr(FastEvaluator, "splits_flips"):
        families += [nonempty_flips(range(b), 23) for b in (0, 9, 23)]
    for family in families:
        one, two = (
            LinearEvaluator(problem_for(LinearRegression(), X, y, cv, n_jobs=n)).losses(family)
            for n in (1, 2)
        )
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("cv", [3, "loo"])
def test_what_does_not_fit_in_memory_is_computed_as_needed(cv, monkeypatch):
    X, y = regression_data()
    kept = LinearEvaluator(problem_for(LinearRegression(), X, y, cv))
    monkeypatch.setattr(module, "_KEPT_CELLS", 0)
    needed = LinearEvaluator(problem_for(LinearRegression(), X, y, cv))
    for subsets in (nonempty_flips({0, 1}, 7), nonempty_flips(range(7), 7), [{1}, {3, 4}]):
        assert_same(needed.losses(subsets), kept.losses(subsets), y, 1e-12)


def test_blas_threads_are_given_back():
    threadpoolctl = pytest.importorskip("threadpoolctl")
    before = [pool["num_threads"] for pool in threadpoolctl.threadpool_info()]
    LinearEvaluator(problem_for(LinearRegression(), *regression_data())).losses([{0}])
    assert [pool["num_threads"] for pool in threadpoolctl.threadpool_info()] == before


@pytest.mark.parametrize("scale", [1e200, 1e-200])
def test_numbers_without_squares_are_left_to_scikit_learn(scale):
    X, y = regression_data()
    assert LinearEvaluator.supports(problem_for(LinearRegression(), X, y))
    X = X.copy()
    X[:, 0] *= scale
    assert not LinearEvaluator.supports(problem_for(LinearRegression(), X, y))
    assert not LinearEvaluator.supports(problem_for(LinearRegression(), X[:, 1:], y * scale))
