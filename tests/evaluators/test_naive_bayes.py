import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from sklearn import config_context
from sklearn.base import clone
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB

from tests.naive import naive_bayes as naive
from tests.properties import examples
from thresher.columns import read_columns, with_groups
from thresher.evaluators import Flips, Loss, Problem, Target, evaluator_for, make_folds
from thresher.evaluators._discrete_nb import DiscreteNBEvaluator
from thresher.evaluators._folds import each_fold
from thresher.evaluators._gaussian_nb import GaussianNBEvaluator
from thresher.evaluators._loss import classification_losses

LOSSES = (Loss.ZERO_ONE, Loss.LOG, Loss.BRIER)


def make_problem(estimator, X, y, *, cv=3, loss=Loss.ZERO_ONE, groups=None, n_jobs=1, weights=None):
    classes, codes = np.unique(y, return_inverse=True)
    return Problem(
        estimator=estimator,
        columns=with_groups(read_columns(X), groups),
        target=Target(np.asarray(y), codes, classes),
        folds=make_folds(cv, codes, classifier=True),
        loss=loss,
        n_jobs=n_jobs,
        weights=weights,
    )


def evaluator(estimator, X, y, **options):
    problem = make_problem(estimator, X, y, **options)
    kind = GaussianNBEvaluator if isinstance(estimator, GaussianNB) else DiscreteNBEvaluator
    assert kind.supports(problem)
    return kind(problem)


@config_context(assume_finite=True, skip_parameter_validation=True)
def refitted(problem, subset):
    """Losses, for each kind of loss, of scikit-learn's own predictions, and rows too near a tie."""
    n_rows, n_classes = problem.columns.n_rows, problem.target.n_classes
    X, y = np.asarray(problem.columns.take(subset)), problem.target.values
    losses = {loss: np.full(n_rows, np.nan) for loss in LOSSES}
    size, tied = np.ones(n_rows), np.zeros(n_rows, dtype=bool)
    for fold in each_fold(problem.folds):
        model = clone(problem.estimator).fit(X[fold.train], y[fold.train])
        scores = model.predict_joint_log_proba(X[fold.test])
        losses[Loss.ZERO_ONE][fold.test] = model.predict(X[fold.test]) != y[fold.test]
        if np.isnan(scores).any():
            continue  # scikit-learn knows no probabilities either
        probability = np.zeros((len(fold.test), n_classes))
        probability[:, model.classes_] = model.predict_proba(X[fold.test])
        for loss in (Loss.LOG, Loss.BRIER):
            losses[loss][fold.test] = classification_losses(loss, probability, y[fold.test])
        size[fold.test] = np.abs(scores).max(axis=1, where=np.isfinite(scores), initial=1.0)
        if scores.shape[1] > 1:
            second, best = np.sort(scores, axis=1)[:, -2:].T
            tied[fold.test] = best - second < 1e-9 * size[fold.test]
    return losses, size, tied


@np.errstate(all="ignore")
def assert_same_as_refitted(estimator, X, y, subsets, *, cv, groups=None):
    """Each subset's losses are those of refitting; NaN counts as certain and wrong."""
    problem = make_problem(estimator, X, y, cv=cv, groups=groups)
    references = [refitted(problem, subset) for subset in subsets]
    for loss in LOSSES:
        judge = evaluator(estimator, X, y, cv=cv, groups=groups, loss=loss)
        expected = np.array([losses[loss] for losses, _, _ in references])
        worst = -np.log(np.finfo(float).eps)
        if loss is not Loss.LOG:
            worst = 1.0 if problem.target.n_classes == 2 else 2.0
        expected[np.isnan(expected)] = worst
        for family in (subsets, list(subsets)):
            found = judge.losses(family)
            if loss is Loss.ZERO_ONE:
                clear = ~np.array([tied for _, _, tied in references])
                np.testing.assert_array_equal(found[clear], expected[clear])
            else:
                # scikit-learn's scores carry a rounding error of this relative size themselves
                slack = 1e-12 + 1e-14 * np.array([size for _, size, _ in references])
                assert (np.abs(found - expected) <= slack + 1e-9 * expected).all()


def random_table(rng, n_rows, n_columns, y):
    """Columns of all sorts: smooth, tied, constant, constant within classes, duplicates."""
    columns = []
    for _ in range(n_columns):
        kind = rng.integers(7)
        if kind == 0 and columns:
            columns.append(columns[rng.integers(len(columns))])
        elif kind <= 1:
            columns.append(np.full(n_rows, float(rng.integers(-2, 3))))
        elif kind == 2:
            columns.append(rng.permutation(y.max() + 1)[y] * 1.0)
        elif kind == 3:
            columns.append(rng.integers(0, 3, n_rows) * 1.0)
        elif kind == 4:
            columns.append((y == rng.integers(y.max() + 1)) * rng.integers(0, 2, n_rows) * 1.0)
        else:
            scale = 10.0 ** rng.integers(-3, 4)
            columns.append(scale * (rng.normal(size=n_rows) + rng.integers(0, 3) * y))
    return np.column_stack(columns)


def random_problem(seed, *, loo):
    """A table, classes (some of them rare), groups, a cross-validation, subsets and flips."""
    rng = np.random.default_rng(seed)
    n_rows, n_columns = int(rng.integers(5, 11 if loo else 25)), int(rng.integers(2, 6))
    y = rng.integers(0, rng.integers(2, 5), n_rows)
    y[:2] = 0, 1
    y = np.unique(y, return_inverse=True)[1]
    X = random_table(rng, n_rows, n_columns, y)
    groups = [[0, 1]] if rng.random() < 0.5 else None
    n_variables = n_columns - (groups is not None)
    cv = "loo" if loo else KFold(int(rng.integers(2, 4)), shuffle=True, random_state=seed % 1000)
    base = frozenset(np.flatnonzero(rng.random(n_variables) < 0.5).tolist())
    flips = Flips(base, [v for v in range(n_variables) if base != {v}])
    return X, y, groups, cv, flips if flips else Flips(frozenset(), [0])


SEEDS = st.integers(0, 2**32 - 1)


@examples(40)
@given(seed=SEEDS, loo=st.booleans(), smoothing=st.sampled_from([1e-9, 1e-9, 1e-3, 0.0]))
def test_gaussian_losses_are_those_of_refitting(seed, loo, smoothing):
    X, y, groups, cv, flips = random_problem(seed, loo=loo)
    estimator = GaussianNB(var_smoothing=smoothing)
    assert_same_as_refitted(estimator, X, y, flips, cv=cv, groups=groups)


@examples(40)
@given(
    seed=SEEDS,
    loo=st.booleans(),
    alpha=st.sampled_from([1.0, 0.3, 1e-10]),
    fit_prior=st.booleans(),
    binarize=st.sampled_from([0.0, 0.7]),
)
def test_bernoulli_losses_are_those_of_refitting(seed, loo, alpha, fit_prior, binarize):
    X, y, groups, cv, flips = random_problem(seed, loo=loo)
    estimator = BernoulliNB(alpha=alpha, fit_prior=fit_prior, binarize=binarize)
    assert_same_as_refitted(estimator, X, y, flips, cv=cv, groups=groups)


@examples(40)
@given(
    seed=SEEDS,
    loo=st.booleans(),
    alpha=st.sampled_from([1.0, 0.3, 1e-10]),
    fit_prior=st.booleans(),
    by_column=st.booleans(),
)
def test_categorical_losses_are_those_of_refitting(seed, loo, alpha, fit_prior, by_column):
    X, y, groups, cv, flips = random_problem(seed, loo=loo)
    X = np.clip(np.abs(np.rint(X)), 0, 5)
    least = 6  # so that scikit-learn never meets a category it does not know
    estimator = CategoricalNB(alpha=alpha, fit_prior=fit_prior, min_categories=least)
    assert_same_as_refitted(estimator, X, y, flips, cv=cv, groups=groups)
    if by_column:
        array = clone(estimator).set_params(min_categories=[least] * X.shape[1])
        np.testing.assert_array_equal(
            evaluator(array, X, y, cv=cv, groups=groups).losses(flips),
            evaluator(estimator, X, y, cv=cv, groups=groups).losses(flips),
        )


def test_categorical_counts_categories_as_scikit_learn_does():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 60)
    X = (rng.integers(0, 4, (60, 4)) + y[:, None]) % 5
    X[0] = 4  # with its only other row in another fold
    cv = KFold(3)
    assert all((X[train].max(axis=0) == 4).all() for train, _ in cv.split(X))
    for estimator in (CategoricalNB(), CategoricalNB(min_categories=[1, 7, 3, 5])):
        problem = make_problem(estimator, X, y, cv=cv, loss=Loss.LOG)
        if estimator.min_categories is None:
            assert_same_as_refitted(estimator, X, y, [{0, 2}, {1}, {0, 1, 2, 3}], cv=cv)
        else:
            assert_same_as_refitted(estimator, X, y, [{0, 1, 2, 3}], cv=cv)
        assert DiscreteNBEvaluator.supports(problem)


def naive_losses(scores_of, problem, subset, loss):
    X, y = problem.columns.take(subset), problem.target.values
    losses = np.empty(len(y))
    for fold in each_fold(problem.folds):
        for r in fold.test:
            scores = scores_of(X[fold.train], y[fold.train], X[r], problem.target.n_classes)
            losses[r] = naive.loss_of_scores(loss.name.lower(), scores, y[r])
    return losses


@pytest.mark.parametrize("cv", [KFold(3, shuffle=True, random_state=1), "loo"])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(
    ("estimator", "scores_of"),
    [
        (GaussianNB(), naive.gaussian_scores),
        (BernoulliNB(binarize=None), naive.bernoulli_scores),
        (CategoricalNB(), naive.categorical_scores),
    ],
)
def test_losses_equal_the_naive_twin(estimator, scores_of, loss, cv):
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1, 2, 3], [10, 9, 4, 1])
    X = (rng.integers(0, 6, (24, 5)) + (y == 1)[:, None] * 3.0) / 1.7
    X[:, 3] = y == 2
    if isinstance(estimator, BernoulliNB):
        X = (X > 2).astype(float)
    elif isinstance(estimator, CategoricalNB):
        X = np.rint(X)
        X[[3, 17], [0, 1]] = 9, 11  # categories that no training part knows
    judge = evaluator(estimator, X, y, cv=cv, loss=loss)
    for flips in (Flips(frozenset({0, 3}), range(5)), Flips(frozenset(), range(5))):
        expected = [naive_losses(scores_of, judge.problem, subset, loss) for subset in flips]
        np.testing.assert_allclose(judge.losses(flips), expected, rtol=1e-9, atol=1e-12)


def test_a_rare_row_out_leaves_no_trace_of_rounding():
    # without the last row, class 1 has no variance in column 0: only epsilon remains
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    X = np.column_stack([[0.1, 0.9, 0.2, 0.4, 0.7, 0.7, 0.7, 1e5], np.linspace(0, 1, 8)])
    assert_same_as_refitted(GaussianNB(), X, y, [{0}, {1}, {0, 1}], cv="loo")


@pytest.mark.parametrize("base", [frozenset(range(12)), frozenset({1, 4, 7})])
def test_gaussian_flips_survive_terms_of_any_size(base):
    """Columns that are constant within a class have densities of 1e9, which must not cancel."""
    rng = np.random.default_rng(8)
    y = rng.integers(0, 3, 30)
    X = rng.normal(size=(30, 12)) + y[:, None] * 0.3
    X[:, 1] = (y == 1) * rng.integers(0, 2, 30)
    X[:, 4] = np.where(y == 2, rng.normal(size=30), 0.5)
    for cv in (KFold(3, shuffle=True, random_state=0), "loo"):
        assert_same_as_refitted(GaussianNB(), X, y, Flips(base, range(12)), cv=cv)


@pytest.mark.parametrize("spread", [0.0, 1.0, 4.0])
def test_gaussian_flips_follow_the_largest_variance(spread):
    """On wide and on narrow ranges of variances: the sums are, or are not, linear in epsilon."""
    rng = np.random.default_rng(9)
    y = np.tile([0, 1], 9)
    X = (rng.normal(size=(18, 8)) + y[:, None]) * 10.0 ** rng.normal(scale=spread, size=8)
    for smoothing in (1e-9, 1e-2):
        for base in (frozenset({1, 2, 3}), frozenset(range(8))):
            for cv in (3, "loo"):
                assert_same_as_refitted(
                    GaussianNB(var_smoothing=smoothing), X, y, Flips(base, range(8)), cv=cv
                )


ESTIMATORS = [GaussianNB(), BernoulliNB(binarize=0.3), CategoricalNB(min_categories=9)]


def levels(estimator, n_rows=80, n_columns=9, seed=11):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    X = rng.normal(size=(n_rows, n_columns)) + 0.5 * y[:, None]
    return (np.clip(np.rint(X + 3), 0, 8) if isinstance(estimator, CategoricalNB) else X), y


@pytest.mark.parametrize("cv", [4, "loo"])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_flips_equal_the_same_subsets_in_a_list(estimator, cv):
    X, y = levels(estimator)
    for loss in LOSSES:
        judge = evaluator(estimator, X, y, cv=cv, loss=loss, groups=[[2, 5], [8, 1, 0]])
        for base in (frozenset(), frozenset({0, 3, 5}), frozenset(range(6))):
            flips = Flips(base, range(6))
            found, expected = judge.losses(flips), judge.losses(list(flips))
            if isinstance(estimator, GaussianNB):
                np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13)
            else:
                np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("cv", [4, "loo"])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_threads_do_not_change_a_bit(estimator, cv):
    X, y = levels(estimator)
    one, two = (evaluator(estimator, X, y, cv=cv, loss=Loss.LOG, n_jobs=n) for n in (1, 2))
    for subsets in (
        Flips(frozenset({0, 4, 7}), range(9)),
        Flips(frozenset(range(9)), range(9)),
        [{0, 1}, {5}, {2, 3, 8}],
    ):
        np.testing.assert_array_equal(one.losses(subsets), two.losses(subsets))


@pytest.mark.parametrize("cv", [4, "loo"])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_some_rows_are_judged_as_all_rows_are(estimator, cv):
    X, y = levels(estimator, n_rows=700)
    judge = evaluator(estimator, X, y, cv=cv, loss=Loss.BRIER)
    rows = [699, 3, 4, 3, 250]
    for subsets in (Flips(frozenset({0, 4}), range(4)), [{1, 2}]):
        every = judge.losses(subsets)
        np.testing.assert_array_equal(judge.losses(subsets, rows=rows), every[:, rows])


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_rows_held_out_twice_get_their_mean_and_never_held_out_nan(estimator):
    X, y = levels(estimator)
    repeated = RepeatedKFold(n_splits=3, n_repeats=2, random_state=4)
    splits = list(repeated.split(X))
    halves = [evaluator(estimator, X, y, cv=splits[k : k + 3], loss=Loss.LOG) for k in (0, 3)]
    flips = Flips(frozenset({1, 2}), [0, 2, 3])
    np.testing.assert_allclose(
        evaluator(estimator, X, y, cv=repeated, loss=Loss.LOG).losses(flips),
        np.mean([half.losses(flips) for half in halves], axis=0),
    )
    shuffled = ShuffleSplit(n_splits=2, test_size=0.3, random_state=0)
    judge = evaluator(estimator, X, y, cv=shuffled, loss=Loss.LOG)
    never = ~np.isin(np.arange(80), np.concatenate([f.test for f in judge.problem.folds]))
    assert never.any()
    np.testing.assert_array_equal(np.isnan(judge.losses([{0}, {1, 2}])), [never, never])


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_given_priors_are_used(estimator):
    X, y = levels(estimator)
    prior = [0.6, 0.3, 0.1]
    key = "priors" if isinstance(estimator, GaussianNB) else "class_prior"
    for cv in (4, "loo"):
        informed = clone(estimator).set_params(**{key: prior})
        assert_same_as_refitted(informed, X, y, [{0, 1}, {4}], cv=cv)


@pytest.mark.parametrize("estimator", [GaussianNB(), BernoulliNB(), CategoricalNB()])
def test_booleans_and_datetimes_count_as_numbers(estimator):
    y = np.tile([0, 1], 20)
    truth = np.arange(40) % 3 == 0
    table = pd.DataFrame({"flag": truth, "when": pd.to_datetime(1700000000 + y, unit="s")})
    discrete = isinstance(estimator, CategoricalNB)
    judge = evaluator(estimator, table[["flag"]] if discrete else table, y, cv=4, loss=Loss.LOG)
    expected = evaluator(estimator, truth[:, None] * 1.0, y, cv=4, loss=Loss.LOG)
    np.testing.assert_array_equal(judge.losses([{0}]), expected.losses([{0}]))
    if isinstance(estimator, GaussianNB):
        assert judge.losses([{1}]).mean() < 1e-6


class Subclass(GaussianNB):
    pass


GOOD = np.random.default_rng(0).integers(0, 2, (12, 2)).astype(float)
CLASSES = np.tile([0, 1], 6)
RARE = np.array([0] * 6 + [1] * 5 + [2])
HOLE = np.where(np.arange(24).reshape(12, 2) == 5, np.nan, GOOD)


@pytest.mark.parametrize(
    ("estimator", "X", "y", "options"),
    [
        (Subclass(), GOOD, CLASSES, {}),
        (GaussianNB(), GOOD, CLASSES, {"weights": np.ones(12)}),
        (GaussianNB(), GOOD, CLASSES, {"loss": None}),
        (GaussianNB(), HOLE, CLASSES, {}),
        (BernoulliNB(), HOLE, CLASSES, {}),
        (GaussianNB(), scipy.sparse.csr_matrix(GOOD), CLASSES, {}),
        (GaussianNB(), pd.DataFrame({"a": ["u", "v"] * 6}), CLASSES, {}),
        (GaussianNB(priors=[0.5, 0.6]), GOOD, CLASSES, {}),
        (GaussianNB(priors=[0.4, 0.4, 0.2]), GOOD, RARE, {"cv": "loo"}),
        (GaussianNB(var_smoothing=-1.0), GOOD, CLASSES, {}),
        (GaussianNB(), GOOD * 1e200, CLASSES, {}),
        (BernoulliNB(alpha=[1.0, 2.0]), GOOD, CLASSES, {}),
        (BernoulliNB(alpha=0.0), GOOD, CLASSES, {}),
        (BernoulliNB(binarize=None), GOOD * 2, CLASSES, {}),
        (BernoulliNB(class_prior=[1.0]), GOOD, CLASSES, {}),
        (CategoricalNB(alpha=0.0), GOOD, CLASSES, {}),
        (CategoricalNB(), GOOD - 1, CLASSES, {}),
        (CategoricalNB(), GOOD / 2, CLASSES, {}),
        (CategoricalNB(), GOOD * 1e9, CLASSES, {}),
        (CategoricalNB(min_categories=[2, 2, 2]), GOOD, CLASSES, {}),
        (CategoricalNB(min_categories=2.5), GOOD, CLASSES, {}),
        (CategoricalNB(class_prior=[0.2, 0.3, 0.5]), GOOD, RARE, {"cv": KFold(3)}),
    ],
)
def test_what_is_left_to_refitting(estimator, X, y, options):
    problem = make_problem(estimator, X, y, **options)
    assert not GaussianNBEvaluator.supports(problem)
    assert not DiscreteNBEvaluator.supports(problem)


def test_too_small_alpha_is_raised_unless_forced():
    X, y = levels(BernoulliNB())
    low = BernoulliNB(alpha=0.0, force_alpha=False)
    floor = BernoulliNB(alpha=1e-10)
    subsets = [{0, 1}, {2}]
    np.testing.assert_array_equal(
        evaluator(low, X, y).losses(subsets), evaluator(floor, X, y).losses(subsets)
    )


def test_threshold_is_compared_in_the_precision_of_the_table():
    X, y = levels(BernoulliNB())
    X = np.where(X > 0.5, np.float32(0.1), np.float32(0.0))
    assert_same_as_refitted(BernoulliNB(binarize=0.1), X, y, [{0}, {1, 2}], cv=3)


def test_variances_whose_inverse_overflows():
    X = np.random.default_rng(0).normal(size=(12, 2)) * 1e-155
    y = np.arange(12) % 2
    losses = evaluator_for(GaussianNB(), X, y, cv="loo").losses([{0}, {0, 1}])
    assert np.isfinite(losses).all()
