"""The thermal and the pocket perceptron as estimators."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_blobs

from tests.naive import perceptron as naive
from tests.sklearn_checks import sklearn_checks
from thresher.datasets import make_seven_of_ten
from thresher.kernels.perceptron import column_scales
from thresher.learners import PocketPerceptron, ThermalPerceptron
from thresher.testing import check_learner

LEARNERS = [ThermalPerceptron, PocketPerceptron]


def some_table(n_rows=31, n_columns=5, n_classes=2, seed=0):
    """Classes that no plane separates, on columns of different scales."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns))
    score = X[:, 0] + X[:, 1] + 0.7 * rng.normal(size=n_rows)
    y = np.searchsorted(np.quantile(score, np.arange(1, n_classes) / n_classes), score)
    return X * 10.0 ** np.arange(n_columns) + 3.0, y


def seven_of_ten(seed, n_columns=100):
    data = make_seven_of_ten(2000, n_features=n_columns, random_state=seed)
    rows = slice(None, 1000), slice(1000, None)
    return data, [(data.X[part], data.y[part]) for part in rows]


@sklearn_checks(ThermalPerceptron(), PocketPerceptron(), PocketPerceptron(ratchet=False))
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("learner", LEARNERS)
def test_learners_conform(learner):
    check_learner(learner())


# --- against the naive twin -----------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_rows", [30, 31])
@pytest.mark.parametrize(
    "options",
    [{}, {"shuffle": False}, {"temperature": 5.0, "decay": 0.8}, {"learning_rate": 0.001}],
    ids=str,
)
def test_the_thermal_perceptron_does_what_its_twin_does(options, n_rows, n_classes):
    X, y = some_table(n_rows, n_classes=n_classes)
    model = ThermalPerceptron(**{"decay": 0.97, **options}, random_state=7)
    params = {k: v for k, v in model.get_params().items() if k != "random_state"}
    counts = []

    def train(rows, sides, draws):
        weights, n_epochs = naive.thermal(rows, sides, draws, **params)
        counts.append(n_epochs)
        return weights

    twin = naive.fitted(X.tolist(), y.tolist(), model.make_seed(), train)
    compare_with_twin(model.fit(X, y), twin, X)
    assert set(counts) == {model.n_iter_}


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("ratchet", [True, False])
@pytest.mark.parametrize("n_epochs", [1, 20])
def test_the_pocket_perceptron_does_what_its_twin_does(n_epochs, ratchet, n_classes):
    X, y = some_table(n_classes=n_classes)
    model = PocketPerceptron(n_epochs=n_epochs, ratchet=ratchet, random_state=3)

    def train(rows, sides, draws):
        return naive.pocket(rows, sides, draws, n_epochs=n_epochs, ratchet=ratchet)

    twin = naive.fitted(X.tolist(), y.tolist(), model.make_seed(), train)
    compare_with_twin(model.fit(X, y), twin, X)


def compare_with_twin(model, twin, X):
    sums = np.array(naive.decisions(twin, X.tolist()))
    found = model.decision_function(X)
    assert_allclose(found.reshape(sums.shape), sums, rtol=1e-9, atol=1e-12)
    assert_array_equal(model.predict(X), naive.predicted(twin, X.tolist()))


def test_scales_are_means_and_two_standard_deviations():
    X, _ = some_table()
    X[:, 2] = 0.1
    centre, scale = column_scales(X, np.arange(31))
    assert_allclose(centre, X.mean(axis=0))
    assert_allclose(scale, [*2 * X[:, :2].std(axis=0), 0.0, *2 * X[:, 3:].std(axis=0)])
    some = np.array([4, 5, 9])
    assert_allclose(column_scales(X, some)[1][:2], 2 * X[some, :2].std(axis=0))
    for factor in (1e-160, 1e140):
        assert_allclose(column_scales(X * factor, np.arange(31))[1], scale * factor)


# --- what they learn ------------------------------------------------------------------------------


def test_annealing_takes_as_many_epochs_as_in_the_paper():
    X, y = some_table(n_rows=40, n_columns=3)
    model = ThermalPerceptron(random_state=0).fit(X, y)
    assert (model.n_iter_, model.n_updates_) == (1897, 1897 * 40 * 4)
    once = ThermalPerceptron(temperature=1.0, final_temperature=1.0).fit(X, y)
    assert once.n_iter_ == 1
    X, y = some_table(n_rows=40, n_columns=3, n_classes=3)
    assert PocketPerceptron(n_epochs=9).fit(X, y).n_updates_ == 3 * 9 * 40 * 4


@pytest.mark.parametrize("learner", LEARNERS)
def test_seven_of_ten_is_learned_with_and_without_irrelevant_inputs(learner):
    for seed in range(3):
        data, ((X, y), (X_new, y_new)) = seven_of_ten(seed)
        relevant = list(data.relevant)
        for columns, least in ((range(100), 0.98), (relevant, 0.995)):
            model = learner(random_state=seed).fit(X[:, columns], y)
            assert model.score(X[:, columns], y) == 1.0
            assert model.score(X_new[:, columns], y_new) > least
        columns = [*relevant[1:], *data.irrelevant[:41]]
        fewer = learner(random_state=seed).fit(X[:, columns], y)
        assert 0.8 < fewer.score(X_new[:, columns], y_new) < 0.93


@pytest.mark.parametrize("learner", LEARNERS)
def test_classes_that_no_plane_separates_are_told_apart_nearly_as_well_as_can_be(learner):
    X, y = load_breast_cancer(return_X_y=True)
    scores = []
    for seed in range(5):
        flipped = np.random.default_rng(seed).random(len(y)) < 0.1
        model = learner(random_state=seed).fit(X[::2], (y ^ flipped)[::2])
        scores.append(model.score(X[1::2], y[1::2]))
    assert np.mean(scores) > 0.88
    X, y = load_iris(return_X_y=True)
    assert learner(random_state=0).fit(X, y).score(X, y) > 0.85


def test_only_the_ratio_of_rate_and_temperatures_matters():
    X, y = some_table()
    one = ThermalPerceptron(decay=0.97, random_state=0).fit(X, y)
    scaled = {"temperature": 8.0, "final_temperature": 1.2, "learning_rate": 4.0}
    other = ThermalPerceptron(decay=0.97, **scaled, random_state=0).fit(X, y)
    assert_array_equal(one.coef_, other.coef_)


@pytest.mark.parametrize("learner", LEARNERS)
def test_units_of_columns_do_not_matter(learner):
    X, y = some_table()
    factors = 2.0 ** np.array([-200, 30, 0, 7, 200])  # powers of 2, so that nothing is rounded
    one = learner(random_state=0).fit(X, y)
    other = learner(random_state=0).fit(X * factors, y)
    assert_array_equal(one.decision_function(X), other.decision_function(X * factors))


@pytest.mark.parametrize("learner", LEARNERS)
def test_constant_columns_do_not_matter(learner):
    X, y = some_table()
    padded = np.column_stack([np.full(31, 0.1), X, np.full(31, -7.0)])
    gentle = {"learning_rate": 0.001, "decay": 0.97} if learner is ThermalPerceptron else {}
    one = learner(**gentle, random_state=0).fit(X, y)
    other = learner(**gentle, random_state=0).fit(padded, y)
    assert_allclose(other.coef_[:, 1:-1], one.coef_, rtol=1e-9)
    assert_array_equal(other.coef_[:, [0, -1]], 0.0)
    elsewhere = np.where(np.arange(7) % 6 == 0, 1e9, padded)
    assert_array_equal(other.decision_function(elsewhere), other.decision_function(padded))


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_coefficients_give_the_decisions(learner, n_classes):
    X, y = make_blobs(80, 3, centers=n_classes, random_state=0)
    model = learner(random_state=0).fit(X, y)
    n_planes = 1 if n_classes == 2 else n_classes
    assert (model.coef_.shape, model.intercept_.shape) == ((n_planes, 3), (n_planes,))
    sums = X @ model.coef_.T + model.intercept_
    decision = model.decision_function(X)
    assert_allclose(decision, sums[:, 0] if n_classes == 2 else sums, rtol=1e-9, atol=1e-12)
    chosen = (decision > 0).astype(int) if n_classes == 2 else decision.argmax(axis=1)
    assert_array_equal(model.predict(X), chosen)


@pytest.mark.parametrize("learner", LEARNERS)
def test_rows_that_contradict_each_other_do_no_harm(learner):
    X, y = np.zeros((6, 2)), [0, 1, 1, 1, 0, 1]
    model = learner(random_state=0).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert len(set(model.predict(X))) == 1


# --- random numbers -------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_seed_decides(learner):
    X, y = some_table(n_rows=80)
    model = learner(random_state=5)
    first = model.fit(X, y).coef_
    assert_array_equal(clone(model).fit(X, y).coef_, first)
    assert_array_equal(learner(random_state=np.random.RandomState(5)).fit(X, y).coef_, first)
    assert (learner(random_state=6).fit(X, y).coef_ != first).any()


def test_without_shuffling_nothing_is_random():
    X, y = some_table(n_rows=80)
    one, two = (ThermalPerceptron(shuffle=False, random_state=s).fit(X, y) for s in (1, 2))
    assert_array_equal(one.coef_, two.coef_)


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0, -1.0, np.nan, np.inf, "much", None, True])
@pytest.mark.parametrize("name", ["temperature", "final_temperature", "decay", "learning_rate"])
def test_bad_numbers_are_named(name, value):
    with pytest.raises(ValueError, match=f"^{name} must be a finite number above 0; got"):
        ThermalPerceptron(**{name: value}).fit(*some_table())


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (ThermalPerceptron(decay=1.0), "decay must be a number between 0 and 1; got 1.0"),
        (ThermalPerceptron(final_temperature=3), "final_temperature must not be above temperature"),
        (ThermalPerceptron(shuffle=1), "shuffle must be True or False; got 1"),
        (ThermalPerceptron(random_state="x"), "random_state: 'x' cannot be used to seed"),
        (PocketPerceptron(ratchet=None), "ratchet must be True or False; got None"),
        (PocketPerceptron(n_epochs=0), "n_epochs must be a whole number of at least 1; got 0"),
        (PocketPerceptron(n_epochs=2.0), "n_epochs must be a whole number of at least 1; got 2.0"),
        (PocketPerceptron(n_epochs=True), "n_epochs must be a whole number"),
        (PocketPerceptron(random_state=-1), "random_state: "),
    ],
)
def test_other_bad_parameters_are_named(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(*some_table())


@pytest.mark.parametrize("learner", LEARNERS)
def test_bad_tables_are_named(learner):
    X, y = some_table()
    with pytest.raises(ValueError, match="NaN"):
        learner().fit(np.where(X == X[3, 2], np.nan, X), y)
    with pytest.raises(ValueError, match="y has only 1 class, 0; expected at least 2"):
        learner().fit(X, y * 0)
    with pytest.raises(ValueError, match="X holds numbers as large as 1e\\+160"):
        learner().fit(X * 0 + 1e160, y)
    with pytest.raises(ValueError, match="X holds numbers as large as"):
        learner().fit(X, y).predict(X * 0 - 1e160)
