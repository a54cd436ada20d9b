"""Importances, masking and what is explained, stage by stage."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from thresher.ace import explain, make_problem, measure_importance, measure_masking
from thresher.ace._residual import make_folds
from thresher.columns import read_columns, with_groups
from thresher.trees import Logistic, Multinomial, Squared

N_ROWS = 160


def data(seed=0, n_columns=6):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, n_columns))
    X[:, 5] = X[:, 0]
    return X, 2 * X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=N_ROWS)


X, Y = data()
RESPONSES = {
    "squared": Squared(Y[:, None]),
    "logistic": Logistic((Y > 0).astype(float)[:, None]),
    "multinomial": Multinomial(np.eye(3)[np.digitize(Y, [-1, 1])]),
}


def problem_of(name="squared", groups=None, weight=None):
    columns = with_groups(read_columns(X), groups, ())
    weight = np.ones(N_ROWS) if weight is None else weight
    return make_problem(columns, RESPONSES[name], weight)


def seed():
    return np.random.SeedSequence(3)


def importance(problem, **options):
    options = {"n_replicates": 5, "n_trees": 10, **options}
    start = problem.response.start(problem.weight)
    target = problem.response.residual(np.tile(start, (N_ROWS, 1)))
    return measure_importance(problem, target, seed(), **options)


def masking(problem, variables, **options):
    options = {"n_replicates": 5, "n_trees": 10, "masking_alpha": 0.05, **options}
    return measure_masking(problem, variables, seed(), **options)


@pytest.mark.parametrize("name", RESPONSES)
def test_importances_do_not_depend_on_threads(name):
    problem = problem_of(name)
    one, two = importance(problem, n_jobs=1), importance(problem, n_jobs=2)
    for part in ("scores", "contrasts", "forest", "linear"):
        assert np.array_equal(getattr(one, part), getattr(two, part))


@pytest.mark.parametrize("name", RESPONSES)
def test_columns_that_matter_stand_out(name):
    found = importance(problem_of(name))
    assert found.scores.shape == found.contrasts.shape == (5, 6)
    best = set(np.argsort(-found.scores.mean(axis=0))[:3].tolist())
    assert best <= {0, 1, 5}
    assert found.forest[0] > found.forest[2]
    # each measure is in units of the best contrast's mean, and there are two measures
    assert 0.5 < found.contrasts.max(axis=1).mean() <= 2.0


def test_groups_earn_what_their_columns_earn():
    apart = importance(problem_of())
    groups = {"both": ["x1", "x4"], "rest": ["x0", "x2"]}
    problem = problem_of(groups=groups)
    together = importance(problem)
    assert together.scores.shape == (5, 4)
    for v, members in enumerate(problem.variables):
        assert together.forest[v] == pytest.approx(apart.forest[members].sum())
        assert together.linear[v] == pytest.approx(apart.linear[members].sum())


def test_nothing_left_to_explain():
    problem = problem_of()
    found = measure_importance(problem, np.zeros((N_ROWS, 1)), seed(), n_replicates=3, n_trees=3)
    assert not found.scores.any()
    assert not found.contrasts.any()


@pytest.mark.parametrize("name", RESPONSES)
def test_masking_finds_the_copy(name):
    problem = problem_of(name)
    found = masking(problem, (5, 1, 0))
    assert found.variables == (5, 1, 0)
    assert found.score.shape == found.p_value.shape == (3, 3)
    assert np.diag(found.p_value).tolist() == [1.0] * 3
    winner, other = (0, 2) if found.importance[0] >= found.importance[2] else (2, 0)
    assert found.p_value[winner, other] < 1e-3
    assert found.score[winner, other] > 2 * found.score[winner, 1]


@pytest.mark.parametrize("groups", [None, {"g": ["x0", "x2"]}], ids=["single", "group"])
def test_masking_does_not_depend_on_threads(groups):
    problem = problem_of(groups=groups)
    one, two = (masking(problem, (0, 1, 3), n_jobs=n_jobs) for n_jobs in (1, 2))
    assert np.array_equal(one.score, two.score)
    assert np.array_equal(one.p_value, two.p_value)
    assert np.array_equal(one.importance, two.importance)


def test_masking_of_groups_adds_up():
    grouped = problem_of(groups={"g": ["x0", "x2"]})
    g = next(v for v, members in enumerate(grouped.variables) if len(members) == 2)
    one = next(v for v, members in enumerate(grouped.variables) if members.tolist() == [1])
    together = masking(grouped, (g, one))
    apart = masking(problem_of(), (0, 2, 1))
    np.testing.assert_allclose(together.score[0, 0], apart.score[:2, :2].sum(), rtol=1e-9)
    np.testing.assert_allclose(together.score[0, 1], apart.score[:2, 2].sum(), rtol=1e-9)
    np.testing.assert_allclose(together.score[1, 0], apart.score[2, :2].sum(), rtol=1e-9)
    np.testing.assert_allclose(together.importance[0], apart.importance[:2].sum(), rtol=1e-9)


@pytest.mark.parametrize("name", RESPONSES)
def test_folds_are_even_and_spread_classes(name):
    problem = problem_of(name)
    folds = make_folds(problem, seed())
    n_folds = int(folds.max()) + 1
    assert np.ptp(np.bincount(folds)) <= 1
    if name != "squared":
        label = problem.response.values @ np.arange(1, problem.response.values.shape[1] + 1)
        for own in np.unique(label):
            assert np.ptp(np.bincount(folds[label == own], minlength=n_folds)) <= 1


@pytest.mark.parametrize("name", RESPONSES)
def test_without_variables_predictions_are_constant(name):
    problem = problem_of(name)
    folds = make_folds(problem, seed())
    found = explain(problem, (), folds, seed())
    for fold in range(int(folds.max()) + 1):
        own = problem.response.start(np.where(folds == fold, 0.0, problem.weight))
        np.testing.assert_allclose(
            found.prediction[folds == fold], np.tile(own, ((folds == fold).sum(), 1))
        )
    assert found.n_trees == 0


@pytest.mark.parametrize("name", RESPONSES)
@pytest.mark.parametrize("quick", [False, True])
def test_the_same_seed_gives_the_same_predictions(name, quick):
    problem = problem_of(name)
    folds = make_folds(problem, seed())
    own = seed()
    first = explain(problem, (0, 1), folds, own, quick=quick, n_jobs=1)
    own.spawn(3)  # children drawn elsewhere must not matter
    again = explain(problem, (0, 1), folds, own, quick=quick, n_jobs=2)
    assert np.array_equal(first.prediction, again.prediction)
    nothing = explain(problem, (), folds, own)
    assert first.losses.mean() < 0.5 * nothing.losses.mean()


def test_noise_does_little_harm():
    problem = problem_of()
    folds = make_folds(problem, seed())
    nothing, noise = (explain(problem, own, folds, seed()) for own in ((), (3, 4)))
    assert noise.losses.mean() < 1.05 * nothing.losses.mean()


def test_a_straight_line_is_known_in_few_rows():
    problem = problem_of()
    found = explain(problem, (0, 1), make_folds(problem, seed()), seed())
    assert found.losses.mean() < 0.15 * Y.var()


def test_columns_that_are_constant_in_a_fold_are_no_trouble():
    rare = np.zeros((N_ROWS, 2))
    rare[0, 0] = rare[:2, 1] = 1.0
    problem = make_problem(read_columns(rare), RESPONSES["squared"], np.ones(N_ROWS))
    found = explain(problem, (0, 1), make_folds(problem, seed()), seed())
    assert np.isfinite(found.prediction).all()


def test_records_are_frozen():
    problem = problem_of()
    folds = make_folds(problem, seed())
    records = {
        "scores": importance(problem),
        "p_value": masking(problem, (0, 1)),
        "losses": explain(problem, (), folds, seed()),
    }
    for part, record in records.items():
        with pytest.raises(FrozenInstanceError):
            setattr(record, part, None)
