from itertools import product

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import KFold, LeaveOneOut, RepeatedKFold, ShuffleSplit
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, RadiusNeighborsClassifier
from threadpoolctl import threadpool_limits

from tests.naive import neighbours as naive
from tests.properties import examples
from thresher.columns import read_columns, with_groups
from thresher.evaluators import Flips, Loss, Problem, Target, _memory, make_folds
from thresher.evaluators import _neighbours as module
from thresher.evaluators._loss import classification_losses, regression_losses
from thresher.evaluators._neighbours import NeighboursEvaluator
from thresher.kernels.neighbours import Rule, flip_losses, subset_losses

CLASS_LOSSES = [Loss.ZERO_ONE, Loss.LOG, Loss.BRIER]
VALUE_LOSSES = [Loss.ABSOLUTE, Loss.SQUARED]
ROUNDING = module._ROUNDING


@pytest.fixture(autouse=True, scope="module")
def one_openmp_thread():
    """Keep scikit-learn from starting threads for a dozen rows: they cost more than the test."""
    with threadpool_limits(1, user_api="openmp"):
        yield


def make_problem(X, y, estimator, loss, *, cv="loo", groups=None, **options):
    classifier = isinstance(estimator, (KNeighborsClassifier, RadiusNeighborsClassifier))
    y = np.asarray(y)
    if classifier:
        classes, codes = np.unique(y, return_inverse=True)
        target = Target(y, codes, classes)
    else:
        target = Target(y, y.astype(np.float64), None)
    columns = with_groups(read_columns(X), groups)
    folds = make_folds(cv, y, classifier=classifier)
    return Problem(estimator, columns, target, folds, loss, **options)


def make_evaluator(*args, **options):
    problem = make_problem(*args, **options)
    assert NeighboursEvaluator.supports(problem)
    return NeighboursEvaluator(problem)


def table_of(kind, n_rows, n_columns, rng):
    """Make a table with many ties, with near-ties that differ by rounding only, or with none."""
    if kind == "integers":
        X = rng.integers(0, 3, size=(n_rows, n_columns)).astype(np.float64)
    elif kind == "decimals":
        X = rng.integers(0, 4, size=(n_rows, n_columns)) / 10.0
    else:
        X = rng.normal(size=(n_rows, n_columns))
    if kind != "normal" and n_columns > 2:
        X[:, 1] = 7.0  # constant
    if kind != "normal" and n_rows > 4:
        X[3] = X[0]
    return X


# --- kernels against their naive twins ------------------------------------------------------------


def joined(lists):
    starts = np.cumsum([0] + [len(part) for part in lists]).astype(np.intp)
    return starts, np.concatenate([np.asarray(part, dtype=np.intp) for part in lists])


@pytest.mark.parametrize("n_rows", [7, 32, 33, 70, 200])
@pytest.mark.parametrize("kind", ["integers", "decimals", "normal"])
def test_kernels_equal_the_naive_twin(n_rows, kind):
    rng = np.random.default_rng(n_rows)
    X = table_of(kind, n_rows, 6, rng)
    variables = [[0, 4], [1], [2], [3, 5]]
    base = {0, 1, 2}
    flips = np.array([-1, -2, -3, 4], dtype=np.intp)
    subsets = [sorted(c for v in base ^ {abs(f) - 1} for c in variables[v]) for f in flips.tolist()]
    tested = X if n_rows < 40 else X[:7]
    for manhattan, by_distance, held_out in product([False, True], repeat=3):
        n_classes = 3 if by_distance == manhattan else 0
        loss = int(rng.choice(CLASS_LOSSES if n_classes else VALUE_LOSSES))
        target = rng.integers(0, 3, size=n_rows).astype(np.float64)
        own = np.arange(len(tested)) if held_out else np.full(len(tested), -1)
        n_neighbours = 4 if held_out else 1
        rule = Rule(n_neighbours, manhattan, by_distance, n_classes, loss, ROUNDING)
        data = (np.ascontiguousarray(X.T), target, tested, target[: len(tested)], own)
        expected = naive.subset_losses(*data, subsets, rule)
        assert_allclose(subset_losses(*data, *joined(subsets), rule), expected, atol=1e-14)
        columns = np.array([0, 1, 2, 4], dtype=np.intp)
        found = flip_losses(*data, columns, flips, *joined(variables), rule)
        assert_allclose(found, expected, atol=1e-14)
        if kind == "integers":
            exact = rule._replace(rounding=0.0)
            assert_array_equal(flip_losses(*data, columns, flips, *joined(variables), exact), found)


# --- against scikit-learn -------------------------------------------------------------------------


def expected_losses(problem, subset, algorithm="brute"):
    """Refit scikit-learn's learner; where it is free to choose among ties, ask the naive twin.

    Its brute-force search expands the square of Euclidean distances and so loses digits, unless
    sums are exact: use another algorithm where a row has twins or a column is far from 0.
    """
    X = problem.columns.matrix[:, problem.columns.columns_of(subset)]
    total, times = np.zeros(len(X)), np.zeros(len(X))
    for train, test in splits(problem.folds):
        total[test] += fold_losses(problem, X, train, test, algorithm)
        times[test] += 1
    with np.errstate(invalid="ignore"):
        return total / times


def splits(folds):
    if folds.leave_one_out:
        return list(LeaveOneOut().split(np.zeros(folds.n_rows)))
    return [(fold.train, fold.test) for fold in folds]


def fold_losses(problem, X, train, test, algorithm):
    target, loss = problem.target, problem.loss
    model = clone(problem.estimator).set_params(algorithm=algorithm)
    model.fit(X[train], target.raw[train])
    truth = target.values[test]
    if target.classes is None:
        losses = regression_losses(loss, model.predict(X[test]), truth)
    else:
        probability = np.zeros((len(truth), target.n_classes))
        if loss is Loss.ZERO_ONE:
            predicted = np.searchsorted(target.classes, model.predict(X[test]))
            probability[np.arange(len(truth)), predicted] = 1.0
        else:
            known = np.searchsorted(target.classes, model.classes_)
            probability[:, known] = model.predict_proba(X[test])
        losses = classification_losses(loss, probability, truth)
    rule = module._rule(problem, X.T)
    rows, labels = X[train].tolist(), target.values[train].tolist()
    for i, row in enumerate(X[test].tolist()):
        order = naive.ranked(rows, row, manhattan=rule.manhattan)
        k = rule.n_neighbours
        if k < len(order) and np.isclose(order[k - 1][0], order[k][0], rtol=1e-9, atol=1e-12):
            losses[i] = naive.row_loss(rows, labels, row, truth[i], rule)
    return losses


@st.composite
def problems(draw, kinds=("integers", "normal")):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows = draw(st.integers(8, 13))
    X = table_of(draw(st.sampled_from(kinds)), n_rows, draw(st.integers(2, 5)), rng)
    learner, losses = draw(
        st.sampled_from([(KNeighborsClassifier, CLASS_LOSSES), (KNeighborsRegressor, VALUE_LOSSES)])
    )
    if learner is KNeighborsClassifier:
        y = np.array(["b", "a", "c"])[rng.integers(0, draw(st.integers(2, 3)), size=n_rows)]
        y[:2] = "a", "b"
    else:
        y = rng.normal(size=n_rows)
    metric, p = draw(
        st.sampled_from([("minkowski", 2), ("minkowski", 1), ("l2", 3), ("cityblock", 2)])
    )
    estimator = learner(
        draw(st.integers(1, 4)),
        weights=draw(st.sampled_from(["uniform", "distance"])),
        metric=metric,
        p=p,
    )
    cv = draw(st.sampled_from(["loo", KFold(3, shuffle=True, random_state=0)]))
    return make_problem(X, y, estimator, draw(st.sampled_from(losses)), cv=cv)


def some_subset(problem):
    return st.frozensets(st.integers(0, problem.columns.n_variables - 1), min_size=1)


@examples(40)
@given(data=st.data(), problem=problems())
def test_losses_of_subsets_are_those_of_refitting(data, problem):
    assert NeighboursEvaluator.supports(problem)
    subsets = [data.draw(some_subset(problem)) for _ in range(2)]
    found = NeighboursEvaluator(problem).losses(subsets)
    for subset, losses in zip(subsets, found, strict=True):
        assert_allclose(losses, expected_losses(problem, subset), rtol=1e-9, atol=1e-9)


@examples(40)
@given(data=st.data(), problem=problems())
def test_losses_of_flips_are_those_of_refitting(data, problem):
    base = data.draw(some_subset(problem))
    variables = [v for v in range(problem.columns.n_variables) if base != {v}]
    flips = Flips(base, data.draw(st.permutations(variables))[:2])
    found = NeighboursEvaluator(problem).losses(flips)
    for subset, losses in zip(flips, found, strict=True):
        assert_allclose(losses, expected_losses(problem, subset), rtol=1e-9, atol=1e-9)


@examples(80)
@given(data=st.data(), problem=problems(kinds=("integers", "decimals", "normal")))
def test_flips_equal_the_same_subsets_in_a_list_bit_for_bit(data, problem):
    base = data.draw(st.frozensets(st.integers(0, problem.columns.n_variables - 1)))
    flips = Flips(base, range(problem.columns.n_variables))
    evaluator = NeighboursEvaluator(problem)
    assert_array_equal(evaluator.losses(flips), evaluator.losses(list(flips)))


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("learner", [KNeighborsClassifier, KNeighborsRegressor])
def test_many_rows_and_neighbours_agree_with_scikit_learn(learner, weights):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(150, 8))
    y = rng.integers(0, 4, size=150)
    loss = Loss.LOG if learner is KNeighborsClassifier else Loss.SQUARED
    evaluator = make_evaluator(X, y, learner(20, weights=weights), loss, cv=KFold(4))
    flips = Flips(frozenset({1, 2, 5}), range(8))
    for subset, losses in zip(flips, evaluator.losses(flips), strict=True):
        assert_allclose(losses, expected_losses(evaluator.problem, subset), rtol=1e-9)


# --- rules about ties -----------------------------------------------------------------------------


def test_of_rows_at_the_same_distance_the_first_is_the_neighbour():
    X = [[0.0], [1.0], [-1.0], [1.0]]
    y = [0.0, 5.0, 7.0, 9.0]
    evaluator = make_evaluator(X, y, KNeighborsRegressor(1), Loss.ABSOLUTE)
    assert evaluator.losses([[0]], rows=[0]) == 5.0


def test_of_classes_with_the_same_votes_the_first_is_predicted():
    X = [[0.0], [1.0], [-1.0]]
    evaluator = make_evaluator(X, ["a", "b", "a"], KNeighborsClassifier(2), Loss.ZERO_ONE)
    assert evaluator.losses([[0]], rows=[0]) == 0.0


def test_neighbours_at_distance_zero_vote_alone_under_distance_weights():
    X = [[0.0, 0.1], [0.0, 5.0], [0.0, 5.0], [1e-9, 5.0]]
    y = [1.0, 2.0, 4.0, 100.0]
    learner = KNeighborsRegressor(3, weights="distance")
    evaluator = make_evaluator(X, y, learner, Loss.ABSOLUTE)
    both = frozenset({0, 1})
    assert_array_equal(evaluator.losses(Flips(both, [1]), rows=[0]), [[2.0]])
    assert_array_equal(evaluator.losses(Flips(frozenset(), [0]), rows=[0]), [[2.0]])


def test_removing_a_column_of_huge_numbers_leaves_no_trace_of_it():
    rng = np.random.default_rng(0)
    small = rng.integers(0, 5, size=(60, 3)) / 10.0
    small[7] = small[31]
    X = np.column_stack([rng.normal(size=60) * 1e12, small])
    y = rng.normal(size=60)
    for weights in ("uniform", "distance"):
        learner = KNeighborsRegressor(3, weights=weights)
        with_huge = make_evaluator(X, y, learner, Loss.SQUARED)
        without = make_evaluator(small, y, learner, Loss.SQUARED)
        flipped = with_huge.losses(Flips(frozenset(range(4)), [0]))
        assert_array_equal(flipped, without.losses([range(3)]))


@pytest.mark.parametrize(
    ("scale", "exact"), [(1.0, True), (0.5, False), (1e9, False)], ids=["whole", "halves", "large"]
)
def test_only_sums_that_may_be_rounded_are_checked_for_rounding(scale, exact):
    X = scale * np.arange(40.0).reshape(20, 2)
    evaluator = make_evaluator(X, np.arange(20), KNeighborsRegressor(3), Loss.SQUARED)
    assert (evaluator._rule.rounding == 0.0) is exact
    flips = Flips(frozenset({0}), [1])
    assert_array_equal(evaluator.losses(flips), evaluator.losses(list(flips)))


# --- what the base class promises -----------------------------------------------------------------


def grouped_case(**options):
    rng = np.random.default_rng(5)
    X = table_of("decimals", 40, 7, rng)
    y = rng.integers(0, 3, size=40)
    groups = {"outer": [0, 6], "inner": [2, 3, 4]}
    learner = KNeighborsClassifier(3, weights="distance")
    return make_evaluator(X, y, learner, Loss.BRIER, groups=groups, **options)


@pytest.mark.parametrize("cv", ["loo", 4])
def test_a_flip_moves_all_columns_of_a_group(cv):
    evaluator = grouped_case(cv=cv)
    names = evaluator.problem.columns.variable_names
    assert names == ("outer", "x1", "inner", "x5")
    for base in [frozenset(), frozenset({0, 2}), frozenset({1, 2, 3})]:
        flips = Flips(base, [v for v in range(4) if base != {v}])
        found = evaluator.losses(flips)
        assert_array_equal(found, evaluator.losses(list(flips)))
        for subset, losses in zip(flips, found, strict=True):
            expected = expected_losses(evaluator.problem, subset, "kd_tree")
            assert_allclose(losses, expected, atol=1e-9)


def test_rows_come_in_the_order_asked_for_and_may_repeat():
    evaluator = grouped_case(cv=4)
    flips = Flips(frozenset({1}), [0, 2, 3])
    rows = [34, 3, 3, 0]
    assert_array_equal(evaluator.losses(flips, rows), evaluator.losses(flips)[:, rows])


@pytest.mark.parametrize("cv", ["loo", 4])
def test_two_threads_give_the_same_bits_as_one(cv):
    flips = Flips(frozenset({1, 2}), range(4))
    one, two = grouped_case(cv=cv, n_jobs=1), grouped_case(cv=cv, n_jobs=2)
    assert_array_equal(one.losses(flips), two.losses(flips))
    assert_array_equal(one.losses(list(flips)), two.losses(list(flips)))


@pytest.mark.parametrize(
    "cv",
    [RepeatedKFold(n_splits=3, n_repeats=2, random_state=0), ShuffleSplit(3, random_state=0)],
)
def test_rows_held_out_several_times_or_never(cv):
    evaluator = grouped_case(cv=cv)
    subset = frozenset({0, 3})
    losses = evaluator.losses([subset])[0]
    assert_allclose(losses, expected_losses(evaluator.problem, subset, "kd_tree"), atol=1e-9)
    tested = np.concatenate([test for _, test in splits(evaluator.problem.folds)])
    assert_array_equal(np.flatnonzero(~np.isnan(losses)), np.unique(tested))


def test_large_tables_are_gathered_column_by_column_with_the_same_result(monkeypatch):
    kept = grouped_case(cv=4)
    monkeypatch.setattr(_memory, "_CACHE_BYTES", 0)
    gathered = grouped_case(cv=4)
    assert kept._keeps_parts
    assert not gathered._keeps_parts
    flips = Flips(frozenset({2}), [3, 0])
    assert_array_equal(kept.losses(flips), gathered.losses(flips))
    assert_array_equal(kept.losses([[3, 2], [1]]), gathered.losses([[3, 2], [1]]))


def test_booleans_and_datetimes_count_as_numbers():
    rng = np.random.default_rng(1)
    table = pd.DataFrame(
        {
            "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 99, 30), unit="s"),
            "flag": rng.integers(0, 2, 30).astype(bool),
        }
    )
    learner = KNeighborsRegressor(3)
    evaluator = make_evaluator(table, rng.normal(size=30), learner, Loss.SQUARED)
    subset = frozenset({0, 1})
    expected = expected_losses(evaluator.problem, subset, "kd_tree")
    assert_allclose(evaluator.losses([subset])[0], expected)


# --- what is supported ----------------------------------------------------------------------------


class Renamed(KNeighborsClassifier):
    """A subclass may predict in its own way."""


@pytest.mark.parametrize(
    "learner",
    [
        Renamed(),
        RadiusNeighborsClassifier(),
        KNeighborsClassifier(weights=lambda distances: distances),
        KNeighborsClassifier(metric="chebyshev"),
        KNeighborsClassifier(metric=lambda a, b: 0.0),
        KNeighborsClassifier(p=1.5),
        KNeighborsClassifier(metric_params={"w": [1.0, 2.0]}),
        KNeighborsClassifier(n_neighbors=20),
        KNeighborsClassifier(n_neighbors=0),
        KNeighborsClassifier(algorithm="guess"),
    ],
)
def test_other_learners_are_not_supported(learner):
    X = np.arange(40.0).reshape(20, 2)
    assert not NeighboursEvaluator.supports(make_problem(X, [0, 1] * 10, learner, Loss.LOG))


def test_as_many_neighbours_as_training_rows_are_supported():
    X, y = np.arange(40.0).reshape(20, 2), np.arange(20.0)
    for n_neighbors, supported in [(15, True), (16, False)]:
        problem = make_problem(X, y, KNeighborsRegressor(n_neighbors), Loss.SQUARED, cv=4)
        assert NeighboursEvaluator.supports(problem) is supported
    for n_neighbors, supported in [(19, True), (20, False)]:
        learner = KNeighborsRegressor(n_neighbors)
        problem = make_problem(X, y, learner, Loss.SQUARED, cv=LeaveOneOut())
        assert NeighboursEvaluator.supports(problem) is supported


@pytest.mark.parametrize(
    "X",
    [
        scipy.sparse.eye(20, format="csr"),
        np.where(np.arange(20) == 3, np.nan, 1.0)[:, None],
        np.full((20, 1), 1e200),
        pd.DataFrame({"colour": ["red", "blue"] * 10}),
    ],
)
def test_other_tables_are_not_supported(X):
    problem = make_problem(X, [0, 1] * 10, KNeighborsClassifier(3), Loss.LOG)
    assert not NeighboursEvaluator.supports(problem)


def test_other_problems_are_not_supported():
    X, y = np.arange(40.0).reshape(20, 2), np.arange(20.0)
    learner = KNeighborsRegressor(3)
    weighted = make_problem(X, y, learner, Loss.SQUARED, weights=np.ones(20))
    scored = make_problem(X, y, learner, None, scorer=lambda estimator, X, y: 0.0)
    twice = make_problem(X, np.column_stack([y, y]), learner, Loss.SQUARED)
    mixed = make_problem(X, y, learner, Loss.LOG)
    assert not any(map(NeighboursEvaluator.supports, [weighted, scored, twice, mixed]))
