import numpy as np
import pytest

from thresher.datasets import make_linear_masked


def squared_correlations(data):
    return np.corrcoef(data.X, data.y, rowvar=False)[-1, :-1] ** 2


def test_defaults_have_the_papers_203_columns():
    data = make_linear_masked(random_state=0)
    assert data.X.shape == (400, 203)
    assert [data.feature_names[position] for position in data.relevant] == ["x1", "a", "b", "c"]
    assert set(data.redundant) == set(range(1, 100))


def test_single_columns_explain_what_the_paper_says():
    data = make_linear_masked(40_000, n_copies=5, n_irrelevant=5, random_state=0)
    explained = squared_correlations(data)
    assert explained[0] == pytest.approx(0.5, abs=0.02)
    np.testing.assert_allclose(explained[1:5], 0.5 * 0.98**2, atol=0.02)
    np.testing.assert_allclose(explained[5:8], 0.1, atol=0.01)
    np.testing.assert_allclose(explained[8:], 0, atol=0.001)


def test_noise_is_standard_normal():
    data = make_linear_masked(40_000, n_copies=2, n_irrelevant=0, random_state=0)
    residual = data.y - data.X[:, data.relevant].sum(axis=1)
    assert residual.mean() == pytest.approx(0, abs=0.02)
    assert residual.std() == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("correlation", [0.0, 0.9, 1.0])
def test_all_pairs_of_copies_are_equally_correlated(correlation):
    data = make_linear_masked(20_000, n_copies=4, correlation=correlation, random_state=0)
    pairs = np.corrcoef(data.X[:, :4], rowvar=False)[np.triu_indices(4, 1)]
    np.testing.assert_allclose(pairs, correlation, atol=0.03)


def test_copies_add_nothing_once_x1_is_known():
    data = make_linear_masked(20_000, n_copies=20, n_irrelevant=0, random_state=0)
    residual = data.y - data.X[:, data.relevant].sum(axis=1)
    own = data.X[:, 1:20] - data.X[:, [0]]
    assert np.abs([np.corrcoef(residual, column)[0, 1] for column in own.T]).max() < 0.035
