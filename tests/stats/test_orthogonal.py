"""Orders of columns, against correlations and projections by numpy."""

import numpy as np
import pytest

from thresher.stats import correlation_order, gram_schmidt_order


def table(seed, n_rows=40, n_columns=7, n_targets=1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns)) * 10.0 ** rng.integers(-3, 4, n_columns)
    y = X[:, :3] / X[:, :3].std(axis=0) @ rng.normal(size=(3, n_targets))
    return X, y + rng.normal(size=(n_rows, n_targets))


def residual_order(X, y, n_wanted=None):
    """Gram-Schmidt by a least-squares fit for each column that is left."""
    n, p = X.shape
    Y = (y - y.mean(axis=0)).reshape(n, -1)
    Y = Y / np.linalg.norm(Y, axis=0)
    chosen = []
    while len(chosen) < (p if n_wanted is None else n_wanted):
        basis = np.column_stack([np.ones(n), X[:, chosen]])
        Q, _ = np.linalg.qr(basis)
        target, cosines = Y - Q @ (Q.T @ Y), {}
        for j in set(range(p)) - set(chosen):
            left = X[:, j] - Q @ (Q.T @ X[:, j])
            if np.linalg.norm(left) > 1e-6 * np.linalg.norm(X[:, j] - X[:, j].mean()):
                cosines[j] = (((left / np.linalg.norm(left)) @ target) ** 2).sum()
        if not cosines:
            break
        chosen.append(max(cosines, key=cosines.get))
    return chosen


@pytest.mark.parametrize("n_targets", [1, 3])
@pytest.mark.parametrize("seed", range(10))
def test_orthogonalisation_equals_projections_by_least_squares(seed, n_targets):
    X, y = table(seed, n_targets=n_targets)
    assert gram_schmidt_order(X, y).tolist() == residual_order(X, y)
    assert gram_schmidt_order(X, y, 3).tolist() == residual_order(X, y, 3)


@pytest.mark.parametrize("n_targets", [1, 3])
@pytest.mark.parametrize("seed", range(10))
def test_correlation_is_that_of_numpy(seed, n_targets):
    X, y = table(seed, n_targets=n_targets)
    together = np.corrcoef(X.T, y.T)[: X.shape[1], X.shape[1] :]
    expected = np.argsort(-(together**2).sum(axis=1))
    assert correlation_order(X, y).tolist() == expected.tolist()
    if n_targets == 1:
        assert correlation_order(X, y[:, 0]).tolist() == expected.tolist()


def test_a_column_that_repeats_others_is_never_chosen():
    X, y = table(0)
    doubled = np.column_stack([X, 3.0 * X[:, 0] - 2.0, X[:, 1] + X[:, 2]])
    order = gram_schmidt_order(doubled, y)
    assert len(order) == 7
    assert len({0, 7} & set(order.tolist())) == 1
    assert len({1, 2, 8} & set(order.tolist())) == 2


def test_constant_columns_are_last_or_left_out():
    X, y = table(1)
    X[:, 2] = 5.1  # a mean that rounds
    assert 2 not in gram_schmidt_order(X, y)
    assert correlation_order(X, y)[-1] == 2


def test_more_columns_than_rows():
    X, y = table(2, n_rows=6, n_columns=30)
    order = gram_schmidt_order(X, y)
    assert len(order) == 5  # and then nothing is left of any column
    # in the last step one direction is left: all columns are the same but for rounding
    assert order.tolist()[:4] == residual_order(X, y)[:4]


@pytest.mark.parametrize("scale", [1e-200, 1e-12, 1e12, 1e200, 1e307])
def test_the_scale_does_not_matter(scale):
    X, y = table(3)
    small = X / np.abs(X).max(axis=0)
    for order in (gram_schmidt_order, correlation_order):
        assert order(small * scale, y).tolist() == order(small, y).tolist()
        target = y / np.abs(y).max()
        assert order(small, target * scale).tolist() == order(small, target).tolist()


def test_a_target_that_is_explained_leaves_the_order_of_the_rest_open():
    X, _ = table(4)
    order = gram_schmidt_order(X, X[:, 5] * 2.0)
    assert order[0] == 5
    assert sorted(order.tolist()) == list(range(7))


def test_a_constant_target_says_nothing():
    X, _ = table(5)
    assert sorted(gram_schmidt_order(X, np.ones(40)).tolist()) == list(range(7))
    assert correlation_order(X, np.ones(40)).tolist() == list(range(7))


def test_a_mean_that_is_large_next_to_the_spread():
    X, y = table(6)
    scaled = X / X.std(axis=0)
    assert gram_schmidt_order(scaled + 1e6, y).tolist() == gram_schmidt_order(scaled, y).tolist()
    assert gram_schmidt_order(X, y, 0).tolist() == []
