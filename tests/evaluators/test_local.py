"""Fast losses of kernel and locally weighted regression are those of refitting."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, LeaveOneOut
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.naive import local as naive
from thresher.evaluators import Flips, Loss, evaluator_for
from thresher.kernels._exponential import exponentials
from thresher.learners import KernelRegressor, LocallyWeightedRegressor
from thresher.testing import check_evaluator

WIDTHS = [2.0**-9, 0.1, 1.0, 100.0]
LEARNERS = [KernelRegressor, LocallyWeightedRegressor]
CVS = {"loo": "loo", "folds": KFold(5, shuffle=True, random_state=0)}


def some_table(n_rows=30, n_columns=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n_rows, n_columns))
    X[7] = X[3]  # twins
    X[11] = X[3]
    return X, np.sin(6 * X[:, 0]) + X[:, -1] + rng.normal(size=n_rows) / 10


def fast_evaluator(*args, **options):
    evaluator = evaluator_for(*args, **options)
    assert type(evaluator).__name__ == "LocalEvaluator"
    return evaluator


def naive_losses(evaluator, X, y, subsets, model, loss):
    folds = evaluator.problem.folds
    splits = list(LeaveOneOut().split(X)) if folds.leave_one_out else []
    splits = splits or [(fold.train, fold.test) for fold in folds]
    columns = [sorted(evaluator.problem.columns.columns_of(s).tolist()) for s in subsets]
    ridge = getattr(model, "ridge", None)
    rule = {"width": model.width, "ridge": ridge, "loss": Loss.named(loss)}
    return naive.held_out_losses(X, y, splits, columns, **rule)


# --- against refitting and the naive twin ---------------------------------------------------------


@pytest.mark.parametrize("cv", CVS.values(), ids=CVS)
@pytest.mark.parametrize("loss", ["absolute", "squared"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_losses_are_those_of_refitting_and_of_the_naive_twin(learner, width, loss, cv):
    X, y = some_table()
    model = learner(width=width)
    fast = fast_evaluator(model, X, y, loss=loss, cv=cv)
    slow = evaluator_for(model, X, y, loss=loss, cv=cv, fast=False)
    subsets = [frozenset(s) for s in ({0}, {0, 1}, {4, 2, 1}, range(5))]
    found = fast.losses(subsets)
    assert_array_equal(found, slow.losses(subsets))
    expected = naive_losses(fast, X, y, subsets, model, loss)
    assert_allclose(found, expected, rtol=1e-7, atol=1e-10)
    for base in (frozenset(), frozenset({0, 2, 3}), frozenset(range(5))):
        flips = Flips(base, range(5))  # both in and out
        assert_allclose(fast.losses(flips), fast.losses(list(flips)), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("cv", CVS.values(), ids=CVS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_flip_moves_all_columns_of_a_group(learner, cv):
    X, y = some_table(n_columns=7)
    groups = {"outer": [0, 6], "inner": [2, 3, 4]}
    model = learner(width=0.3)
    fast = fast_evaluator(model, X, y, cv=cv, feature_groups=groups)
    slow = evaluator_for(model, X, y, cv=cv, feature_groups=groups, fast=False)
    assert fast.problem.columns.variable_names == ("outer", "x1", "inner", "x5")
    for base in (frozenset(), frozenset({0, 2}), frozenset({1, 2, 3})):
        flips = Flips(base, range(4))
        assert_allclose(fast.losses(flips), slow.losses(flips), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("width", [1e-12, 0.3])
def test_each_row_may_be_tested_under_a_subset_of_its_own(learner, width):
    X, y = some_table()
    evaluator = fast_evaluator(learner(width=width), X, y, cv="loo")
    masks = np.random.default_rng(1).random((20, 5)) < 0.5
    rows = np.random.default_rng(2).integers(0, 30, size=20)
    expected = [
        evaluator.losses([np.flatnonzero(mask)], [row])[0, 0]
        for mask, row in zip(masks, rows, strict=True)
    ]
    assert_array_equal(evaluator.draw_losses(masks, rows), expected)


@pytest.mark.parametrize("learner", LEARNERS)
def test_one_column_and_a_constant_target(learner):
    X, _ = some_table(n_columns=1)
    evaluator = fast_evaluator(learner(), X, np.full(30, 0.1), cv="loo")
    assert_array_equal(evaluator.losses([{0}]), np.zeros((1, 30)))


def test_twins_share_the_prediction_when_the_width_is_tiny():
    X, y = some_table()
    evaluator = fast_evaluator(KernelRegressor(width=1e-100), X, y, loss="absolute", cv="loo")
    expected = abs(y[3] - (y[7] + y[11]) / 2)
    for base in ({1}, {0, 1, 4}):
        flips = Flips(frozenset(base), [0, 2, 3])
        assert_allclose(evaluator.losses(flips, rows=[3]), expected)


@pytest.mark.parametrize("width", [2.0**-9, 1e-5, 1e-9, 1.0])
def test_removing_a_column_of_huge_numbers_leaves_no_trace_of_it(width):
    X, y = some_table()
    huge = np.column_stack([X, np.random.default_rng(1).normal(size=30) * 1e9])
    model = KernelRegressor(width=width)
    flipped = fast_evaluator(model, huge, y).losses(Flips(frozenset(range(6)), [5]))
    assert_allclose(flipped, fast_evaluator(model, X, y).losses([range(5)]), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("width", [1e-6, 0.1])
def test_many_columns_reached_by_flips_have_the_losses_of_the_list(width):
    X, y = some_table(n_rows=60, n_columns=80)
    evaluator = fast_evaluator(KernelRegressor(width=width), X, y, cv="loo")
    for base in (range(79), range(40)):
        flips = Flips(frozenset(base), range(0, 80, 7))
        assert_allclose(
            evaluator.losses(flips), evaluator.losses(list(flips)), rtol=1e-9, atol=1e-11
        )


@pytest.mark.parametrize("cv", CVS.values(), ids=CVS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_two_threads_give_the_same_bits_as_one(learner, cv):
    X, y = some_table()
    one, two = (fast_evaluator(learner(), X, y, cv=cv, n_jobs=n_jobs) for n_jobs in (1, 2))
    flips = Flips(frozenset({1, 2}), range(5))
    assert_array_equal(one.losses(flips), two.losses(flips))
    assert_array_equal(one.losses(list(flips)), two.losses(list(flips)))
    check_evaluator(two)


def test_exponentials_are_right_to_the_last_digits():
    rng = np.random.default_rng(0)
    values = np.concatenate(
        [-50 * rng.random(5000), -708 * rng.random(5000), -(10.0 ** -rng.uniform(0, 300, 500))]
    )
    values = np.concatenate([values, [0.0, -0.0, -708.0, -708.1, -1e300, -np.inf]])
    found = values.copy()
    exponentials(found, np.empty(len(values), dtype=np.int64))
    assert_allclose(found[:-3], np.exp(values[:-3]), rtol=5e-16)
    assert_array_equal(found[-3:], 0.0)


# --- what is supported ----------------------------------------------------------------------------


class Renamed(KernelRegressor):
    """A subclass may predict in its own way."""


def test_other_problems_are_left_to_refitting():
    X, y = some_table()
    options = [{"sample_weight": np.ones(30)}, {"scoring": "r2", "cv": 3}, {"fast": False}]
    for option in options:
        assert type(evaluator_for(KernelRegressor(), X, y, **option)).__name__ != "LocalEvaluator"
    assert type(evaluator_for(Renamed(), X, y)).__name__ == "EstimatorEvaluator"
    for model in (KernelRegressor(width=0), LocallyWeightedRegressor(ridge=-1)):
        with pytest.raises(ValueError, match="must be a finite number"):
            evaluator_for(model, X, y).losses([{0}])
    with pytest.raises(ValueError, match="squares are not finite"):
        evaluator_for(KernelRegressor(), X * 1e200, y).losses([{0}])


# --- pipelines ------------------------------------------------------------------------------------


@pytest.mark.parametrize("idle", [None, "passthrough"])
@pytest.mark.parametrize(
    "model", [KernelRegressor(), LocallyWeightedRegressor(), KNeighborsRegressor(3), Ridge()]
)
def test_a_pipeline_of_one_real_step_is_seen_through(model, idle):
    X, y = some_table()
    inner = Pipeline([("idle", idle), ("model", model)])
    for pipeline in (Pipeline([("model", model)]), Pipeline([("idle", idle), ("inner", inner)])):
        fast = evaluator_for(pipeline, X, y)
        assert type(fast) is type(evaluator_for(model, X, y))
        slow = evaluator_for(pipeline, X, y, fast=False)
        subsets = [{0}, {1, 2}, {0, 3, 4}]
        assert_allclose(fast.losses(subsets), slow.losses(subsets), rtol=1e-9, atol=1e-12)


def test_weights_reach_the_step_of_a_pipeline_that_was_seen_through():
    X, y = some_table()
    pipeline = Pipeline([("idle", "passthrough"), ("model", Ridge())])
    weights = np.random.default_rng(0).random(30)
    fast = evaluator_for(pipeline, X, y, sample_weight=weights)
    slow = evaluator_for(pipeline, X, y, sample_weight=weights, fast=False)
    assert type(fast).__name__ == "LinearEvaluator"
    assert_allclose(fast.losses([{0}, {1, 2}]), slow.losses([{0}, {1, 2}]), rtol=1e-9)


def test_a_pipeline_that_does_something_is_refitted():
    X, y = some_table()
    pipeline = Pipeline([("scale", StandardScaler()), ("model", KernelRegressor())])
    assert type(evaluator_for(pipeline, X, y)).__name__ == "EstimatorEvaluator"


# --- how far losses can be apart ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "loss", "span"),
    [
        (KNeighborsRegressor(3), "absolute", 8.0),
        (KNeighborsRegressor(3), "squared", 64.0),
        (KernelRegressor(), "absolute", 8.0),
        (KernelRegressor(), "squared", 64.0),
        (LocallyWeightedRegressor(), "absolute", None),
        (Ridge(), "squared", None),
        (DecisionTreeRegressor(), "squared", None),
    ],
)
def test_span_of_losses_in_regression(model, loss, span):
    X, _ = some_table()
    y = np.arange(30) % 9 - 4.0
    evaluator = evaluator_for(model, X, y, loss=loss)
    assert evaluator.loss_span == span
    if span is not None:
        assert np.ptp(evaluator.losses([{0}, {1, 2}, set()])) <= span


@pytest.mark.parametrize("model", [KNeighborsClassifier(3), DecisionTreeClassifier()])
def test_span_of_losses_in_classification(model):
    X, _ = some_table()
    two, three = np.arange(30) % 2, np.arange(30) % 3
    spans = [("zero_one", 1.0, 1.0), ("brier", 1.0, 2.0), ("log", 36.04365338911715, None)]
    for loss, of_two, of_three in spans:
        evaluator = evaluator_for(model, X, two, loss=loss)
        assert evaluator.loss_span == pytest.approx(of_two)
        assert np.ptp(evaluator.losses([{0}, {1, 2}])) <= evaluator.loss_span
        span = evaluator_for(model, X, three, loss=loss).loss_span
        assert span == pytest.approx(of_three or of_two)
    assert evaluator_for(model, X, two, scoring="roc_auc").loss_span is None
