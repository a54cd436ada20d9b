"""Gram-Schmidt with probes finds noise as often as it says, and not more often."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from thresher.filters import GramSchmidt


def n_found(n_tables, make, **params):
    """How many columns enter, in each of many tables without any influence."""
    counts = []
    for seed in range(n_tables):
        X, y = make(np.random.default_rng(seed))
        counts.append(GramSchmidt(**params).fit(X, y).n_features_)
    return np.array(counts)


NOISE = {
    "normal": lambda rng: (rng.normal(size=(100, 30)), rng.normal(size=100)),
    "skewed": lambda rng: (rng.exponential(size=(100, 30)), rng.normal(size=100)),
    "classes": lambda rng: (rng.normal(size=(100, 30)), rng.integers(0, 4, 100)),
    "skewed, classes": lambda rng: (rng.exponential(size=(100, 30)), rng.integers(0, 2, 100)),
    "more columns than rows": lambda rng: (rng.normal(size=(20, 60)), rng.normal(size=20)),
    "few rows": lambda rng: (rng.normal(size=(5, 8)), rng.normal(size=5)),
    "long tails": lambda rng: (rng.lognormal(size=(60, 20)), rng.lognormal(size=60)),
    "some long tails": lambda rng: (
        rng.normal(size=(60, 20)) ** [[1, 5] * 10],
        rng.lognormal(size=60),
    ),
    "long tails, a rare class": lambda rng: (rng.lognormal(size=(60, 20)), rng.permutation(60) < 6),
}


@pytest.mark.parametrize("kind", NOISE)
@pytest.mark.parametrize("n_tables", [80, pytest.param(1000, marks=pytest.mark.slow)])
def test_noise_enters_with_the_chance_that_was_asked_for(kind, n_tables):
    found = n_found(n_tables, NOISE[kind], alpha=0.1) > 0
    low, high = binom.ppf([0.0005, 0.9995], n_tables, 0.1)
    assert low <= found.sum() <= high


@pytest.mark.parametrize("n_tables", [50, pytest.param(500, marks=pytest.mark.slow)])
def test_noise_with_long_tails_in_groups_enters_with_the_chance_that_was_asked_for(n_tables):
    def make(rng):
        X = pd.DataFrame(rng.lognormal(size=(60, 12)), columns=[f"c{j}" for j in range(12)])
        return X, rng.choice(["one", "two", "three"], 60, p=[0.8, 0.1, 0.1])

    groups = {"pair": ["c0", "c1"], "triple": ["c2", "c3", "c4"]}
    found = n_found(n_tables, make, alpha=0.1, feature_groups=groups) > 0
    low, high = binom.ppf([0.0005, 0.9995], n_tables, 0.1)
    assert low <= found.sum() <= high


def long_tails():
    """A column with long tails that tells nothing, and one without that tells something."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 6))
    X[:, 3:] = np.exp(1.5 * X[:, 3:])
    return X, np.exp(rng.normal(size=200)) + X[:, 0]


def test_columns_with_long_tails_are_not_in_the_way_of_others():
    X, y = long_tails()
    found = [GramSchmidt(random_state=seed).fit(X, y) for seed in (0, 0, 1)]
    assert all(selector.get_support(indices=True).tolist() == [0] for selector in found)
    first, again, _ = (selector.selection_.verdicts for selector in found)
    assert first == again
    assert first[0].p_value == pytest.approx(1 / 200)  # none of the shuffles was as good


def test_a_number_of_columns_means_the_published_ranking():
    X, y = long_tails()
    selector = GramSchmidt(n_features=1).fit(X, y)
    correlations = [np.corrcoef(column, y)[0, 1] ** 2 for column in X.T]
    assert selector.get_support(indices=True).tolist() == [int(np.argmax(correlations))]
    assert selector.scores_.max() == pytest.approx(max(correlations))


def test_a_level_that_shuffles_could_not_reach_is_left_to_the_distribution():
    X, y = long_tails()
    y = y + 20 * X[:, 0]
    selector = GramSchmidt(alpha=1e-6).fit(X, y)
    assert selector.get_support(indices=True).tolist() == [0]
    assert selector.selection_.verdicts[0].p_value < 1e-6


@pytest.mark.parametrize("n_tables", [50, pytest.param(500, marks=pytest.mark.slow)])
def test_noise_in_groups_and_categories_enters_with_the_chance_that_was_asked_for(n_tables):
    def make(rng):
        X = pd.DataFrame(rng.normal(size=(80, 12)))
        X.columns = [f"c{j}" for j in range(12)]
        for name in ("u", "v", "w"):
            X[name] = rng.choice(list("abcde"), 80)
        return X, rng.choice(["one", "two", "three"], 80)

    groups = {"pair": ["c0", "c1"], "triple": ["c2", "c3", "u"]}
    found = n_found(n_tables, make, alpha=0.1, feature_groups=groups) > 0
    low, high = binom.ppf([0.0005, 0.9995], n_tables, 0.1)
    assert low <= found.sum() <= high


@pytest.mark.parametrize(("probes", "alpha"), [(1, 0.05), (1, 0.2), (4, 0.2)])
def test_the_published_rule_admits_about_the_root_of_the_noise(probes, alpha):
    # the k-th best of p columns like the probe is behind it with chance k / (p + 1), and the risk
    # adds up: 1 - alpha = prod (1 - k / (p + 1))^m, thus k^2 m / (2 p) = -log(1 - alpha)
    found = n_found(
        40,
        lambda rng: (rng.normal(size=(300, 99)), rng.normal(size=300)),
        probes=probes,
        alpha=alpha,
    )
    assert found.mean() == pytest.approx(np.sqrt(-2 * 100 / probes * np.log1p(-alpha)), abs=0.8)
