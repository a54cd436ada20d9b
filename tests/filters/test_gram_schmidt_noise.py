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
}


@pytest.mark.parametrize("kind", NOISE)
def test_noise_enters_with_the_chance_that_was_asked_for(kind):
    found = n_found(200, NOISE[kind], alpha=0.1) > 0
    low, high = binom.ppf([0.0005, 0.9995], 200, 0.1)
    assert low <= found.sum() <= high


def test_noise_in_groups_and_categories_enters_with_the_chance_that_was_asked_for():
    def make(rng):
        X = pd.DataFrame(rng.normal(size=(80, 12)))
        X.columns = [f"c{j}" for j in range(12)]
        for name in ("u", "v", "w"):
            X[name] = rng.choice(list("abcde"), 80)
        return X, rng.choice(["one", "two", "three"], 80)

    groups = {"pair": ["c0", "c1"], "triple": ["c2", "c3", "u"]}
    found = n_found(100, make, alpha=0.1, feature_groups=groups) > 0
    low, high = binom.ppf([0.0005, 0.9995], 100, 0.1)
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
