import sys

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import LinearRegression

from thresher.datasets import make_friedman_random
from thresher.datasets._gaussian_sum import draw_terms, evaluate_terms


def naive_sum(terms, row):
    """Friedman's formula, one term and one row at a time."""
    total = 0.0
    for term in terms:
        distance = np.array([row[position] for position in term.inputs]) - term.centre
        total += term.weight * np.exp(-0.5 * distance @ (term.axes @ term.axes.T) @ distance)
    return total


def test_sum_of_gaussians_equals_the_naive_formula():
    rng = np.random.default_rng(0)
    terms, X = draw_terms(6, 5, rng), rng.standard_normal((20, 5))
    expected = [naive_sum(terms, row) for row in X]
    np.testing.assert_allclose(evaluate_terms(terms, X), expected, rtol=1e-12)


def test_shapes_of_the_gaussians_follow_friedman():
    for term in draw_terms(50, 10, np.random.default_rng(0)):
        steepness = np.sqrt(np.linalg.eigvalsh(term.axes @ term.axes.T))
        assert np.all((steepness > 0.1 - 1e-9) & (steepness < 2 + 1e-9))
        assert -1 <= term.weight <= 1
        assert len(set(term.inputs)) == len(term.inputs) <= 10


def test_terms_read_about_four_inputs():
    sizes = [
        len(term.inputs)
        for seed in range(200)
        for term in draw_terms(10, 10, np.random.default_rng(seed))
    ]
    assert np.mean(sizes) == pytest.approx(4, abs=0.4)


@pytest.mark.parametrize(("n_terms", "n_inputs"), [(1, 1), (1, 8), (3, 40), (10, 10)])
def test_every_input_is_in_some_term(n_terms, n_inputs):
    for seed in range(20):
        terms = draw_terms(n_terms, n_inputs, np.random.default_rng(seed))
        assert len(terms) == n_terms
        assert set().union(*(term.inputs for term in terms)) == set(range(n_inputs))


def test_function_is_learnable_and_not_linear():
    data = make_friedman_random(4000, n_redundant=0, n_irrelevant=10, random_state=3)
    train, test = slice(0, 3000), slice(3000, None)
    boosted = HistGradientBoostingRegressor(max_iter=60, random_state=0)
    scores = [
        model.fit(data.X[train], data.y[train]).score(data.X[test], data.y[test])
        for model in (boosted, LinearRegression())
    ]
    assert scores[0] > 0.8
    assert scores[1] < 0.6


def test_redundant_columns_are_combinations_of_three_relevant_ones():
    data = make_friedman_random(2000, random_state=0)
    for position, sources in data.redundant.items():
        assert len(sources) == 3
        inputs, column = data.X[:, sources], data.X[:, position]
        fit = LinearRegression().fit(inputs, column)
        residual = column - inputs @ fit.coef_
        assert np.linalg.norm(fit.coef_) == pytest.approx(1, abs=0.05)
        assert residual.mean() == pytest.approx(0.5, abs=0.05)
        assert residual.var() == pytest.approx(1 / 12, abs=0.02)


def test_few_relevant_columns_can_still_be_repeated():
    data = make_friedman_random(20, n_relevant=2, n_redundant=3, random_state=0)
    assert set(data.redundant.values()) == {(0, 1)}


def test_classes_split_the_regression_target_at_its_median():
    number = make_friedman_random(random_state=5)
    label = make_friedman_random(task="classification", random_state=5)
    np.testing.assert_array_equal(label.X, number.X)
    np.testing.assert_array_equal(label.y, number.y > np.median(number.y))
    assert label.y.mean() == 0.5


def test_noise_is_relative_to_the_signal():
    quiet, loud = (make_friedman_random(4000, noise=noise, random_state=0) for noise in (0, 0.5))
    np.testing.assert_array_equal(quiet.X, loud.X)
    assert (loud.y - quiet.y).std() / quiet.y.std() == pytest.approx(0.5, abs=0.02)


def test_mixed_table_cuts_half_of_the_columns_into_equal_parts():
    numeric = make_friedman_random(random_state=0)
    mixed = make_friedman_random(mixed=True, random_state=0)
    np.testing.assert_array_equal(mixed.y, numeric.y)
    assert tuple(mixed.X.columns) == mixed.feature_names
    categorical = [name for name in mixed.X if mixed.X[name].dtype == "category"]
    assert len(categorical) == 35
    for position, name in enumerate(mixed.feature_names):
        column = mixed.X[name]
        if name not in categorical:
            np.testing.assert_array_equal(column, numeric.X[:, position])
            continue
        assert 2 <= len(column.cat.categories) <= 32
        assert not column.cat.ordered
        counts = np.bincount(column.cat.codes, minlength=len(column.cat.categories))
        assert np.ptp(counts) <= 1
        order = np.argsort(numeric.X[:, position])
        assert np.all(np.diff(column.cat.codes.to_numpy()[order]) >= 0)


def test_numbers_of_levels_span_the_papers_range():
    levels = {
        len(column.cat.categories)
        for seed in range(12)
        for _, column in make_friedman_random(50, mixed=True, random_state=seed).X.items()
        if column.dtype == "category"
    }
    assert levels == set(range(2, 33))


def test_mixed_table_without_pandas_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        make_friedman_random(20, mixed=True, random_state=0)
    assert isinstance(make_friedman_random(20, random_state=0).X, np.ndarray)
