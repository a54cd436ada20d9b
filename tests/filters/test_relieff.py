"""ReliefF: what its permutations promise, and what it finds."""

import re

import numpy as np
import pytest
from scipy.stats import binom

from tests.filters.tables import messy, numbers, verdicts
from thresher.columns import read_columns
from thresher.evaluators import make_target
from thresher.filters import ReliefF, RReliefF
from thresher.filters._relief_weights import relief_table, relief_weights

N_TABLES = 60


def noise(kind, seed):
    """A table in which no column matters."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 4))
    if kind == "ties":
        X = rng.integers(2, size=(20, 3)).astype(float)
        X[0], X[1] = 0.0, 1.0
    y = {
        "classes": lambda: rng.permutation(np.arange(40) % 3),
        "unbalanced": lambda: rng.permutation(np.arange(40) < 4).astype(int),
        "numbers": lambda: rng.normal(size=40),
        "heavy tails": lambda: rng.standard_cauchy(size=40),
        "ties": lambda: rng.permutation(np.arange(20) % 2),
    }[kind]()
    return X, y


@pytest.mark.parametrize("kind", ["classes", "unbalanced", "numbers", "heavy tails", "ties"])
def test_in_noise_anything_is_selected_as_rarely_as_alpha_says(kind):
    alpha, n_found = 0.2, 0
    for seed in range(N_TABLES):
        method = ReliefF(5, alpha=alpha, n_permutations=19, random_state=seed)
        n_found += method.fit(*noise(kind, seed)).n_features_ > 0
    assert n_found <= binom.ppf(0.999, N_TABLES, alpha)
    if kind not in ("ties", "unbalanced"):  # where equal weights, or none above 0, make it rarer
        assert n_found >= binom.ppf(0.001, N_TABLES, alpha)


def test_columns_that_matter_only_together_are_found():
    rng = np.random.default_rng(0)
    X = rng.random((240, 10))
    y = (X[:, 2] > 0.5) ^ (X[:, 7] > 0.5)
    assert ReliefF(random_state=0).fit(X, y).selection_.selected in (("x2", "x7"), ("x7", "x2"))


def test_categories_that_matter_only_together_are_found():
    X, _ = messy()
    y = np.where(X["flag"] ^ (X["city"] == "Oslo"), "u", "v")
    found = ReliefF(random_state=0).fit(X, y)
    assert set(found.selection_.selected) == {"flag", "city"}


def test_scores_are_the_weights():
    X, y, target = numbers()
    for task, values in (("classification", y), ("regression", target)):
        weights = relief_weights(
            relief_table(read_columns(X)),
            make_target(values, classifier=task == "classification"),
            n_neighbors=7,
            sigma=3.0,
        )[0]
        found = ReliefF(7, sigma=3.0, task=task, random_state=0).fit(X, values)
        assert np.array_equal(found.scores_, weights)


@pytest.mark.parametrize("n_permutations", [20, 99, 200])
def test_p_values_and_reasons_are_true(n_permutations):
    n_selected = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(60, 5))
        y = (X[:, 0] + 1.2 * rng.normal(size=60) > 0).astype(int)
        found = ReliefF(n_permutations=n_permutations, random_state=seed).fit(X, y)
        n_allowed = int(0.05 * (n_permutations + 1) + 1e-9) - 1
        for verdict in found.selection_.verdicts:
            passed = verdict.p_value <= 0.05 and verdict.score > 0
            assert (verdict.kind == "relevant") == passed
            n_as_high = verdict.p_value * (n_permutations + 1)  # itself included
            assert n_as_high == pytest.approx(round(n_as_high))
            assert 1 <= round(n_as_high) <= n_permutations + 1
            weight, *bar = re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", verdict.reason)
            assert float(weight) == pytest.approx(verdict.score, rel=0.01)
            if not verdict.score > 0:
                assert verdict.reason.endswith("not positive")
                continue
            # numbers are rounded in the same way
            assert passed <= (float(weight) >= float(bar[0]))
            assert passed >= (float(weight) > float(bar[0]))
            assert len(bar) == (3 if n_allowed else 1)
            if n_allowed:
                assert [int(n) for n in bar[1:]] == [n_allowed, n_permutations]
            n_selected += passed
    assert n_selected > 2


def test_a_number_takes_the_best_without_permutations():
    X, y, _ = numbers()
    found = ReliefF(n_features=3, random_state=0).fit(X, y)
    best = np.argsort(-found.scores_)[:3]
    assert found.selection_.selected == tuple(f"x{p}" for p in best)
    assert all(verdict.p_value is None for verdict in found.selection_.verdicts)
    assert verdicts(found)[f"x{best[0]}"].reason.endswith(", among the best 3")
    kept = ReliefF(n_features=3, keep=[0, 2], random_state=0).fit(X, y)
    assert kept.n_features_ == 3
    assert kept.support_[[0, 2, best[0]]].all()


def test_a_threshold_takes_what_is_higher():
    X, y, _ = numbers()
    for threshold in (-1.0, 0.0, 0.05):
        found = ReliefF(threshold=threshold, random_state=0).fit(X, y)
        assert np.array_equal(found.support_, found.scores_ > threshold)


def test_a_group_is_as_good_as_its_best_column():
    X, y = messy()
    found = ReliefF(feature_groups={"g": ["noise", "x"]}, random_state=0).fit(X, y)
    assert {"noise", "x"} <= set(found.selection_.selected)
    assert verdicts(found)["noise"].reason == verdicts(found)["x"].reason
    assert verdicts(found)["noise"].p_value == verdicts(found)["x"].p_value
    assert verdicts(found)["noise"].score < verdicts(found)["x"].score


@pytest.mark.parametrize("n_samples", [50, 0.25, np.float64(0.25), np.int64(50)])
def test_some_rows_are_enough(n_samples):
    X, y, _ = numbers()
    found = ReliefF(n_samples=n_samples, random_state=0).fit(X, y)
    assert found.support_[[1, 4]].all()
    assert found.selection_.cost.evaluations == 200 * 50
    everyone = ReliefF(random_state=0).fit(X, y)
    assert not np.array_equal(found.scores_, everyone.scores_)
    assert np.array_equal(
        ReliefF(n_samples=200, random_state=0).fit(X, y).scores_, everyone.scores_
    )


def test_neighbours_and_their_ranks_count():
    X, y, _ = numbers()
    weights = [
        ReliefF(n, sigma=sigma, n_features=1, random_state=0).fit(X, y).scores_
        for n, sigma in ((1, None), (10, None), (10, 0.1), (10, 1e6))
    ]
    assert not np.array_equal(weights[0], weights[1])
    np.testing.assert_allclose(weights[2], weights[0], atol=1e-12)  # only the nearest counts
    np.testing.assert_allclose(weights[3], weights[1], atol=1e-9)  # all count the same


def test_seeds_repeat_and_differ():
    X, y, _ = numbers()
    one, same, other = (
        ReliefF(n_samples=0.3, random_state=seed).fit(X, y).scores_ for seed in (1, 1, 2)
    )
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
    state = np.random.RandomState(3)
    ReliefF(n_samples=0.3, random_state=state).fit(X, y)
    assert state.randint(2**31 - 1) != np.random.RandomState(3).randint(2**31 - 1)


def test_copies_have_the_same_weight():
    X, y = messy()
    found = ReliefF(random_state=0).fit(X, y)
    assert verdicts(found)["x"].score == pytest.approx(verdicts(found)["copy"].score, rel=1e-9)
    assert {"x", "copy"} <= set(found.selection_.selected)


def test_too_few_permutations_for_alpha():
    X, y, _ = numbers()
    with pytest.raises(ValueError, match="n_permutations must be at least 99 for alpha = 0.01"):
        ReliefF(alpha=0.01).fit(X, y)
    ReliefF(alpha=0.01, n_features=2).fit(X, y)  # where none are needed
    for alpha, fewest in ((0.05, 19), (0.1, 9), (1 / 3, 2)):
        ReliefF(alpha=alpha, n_permutations=fewest).fit(X, y)


def test_more_samples_than_rows():
    X, y, _ = numbers()
    with pytest.raises(ValueError, match="n_samples must be at most the 200 rows; got 201"):
        ReliefF(n_samples=201).fit(X, y)


def test_whole_numbers_are_numbers_for_rrelieff():
    X, _, _ = numbers()
    y = np.round(3 * X[:, 0])
    as_numbers = RReliefF(n_features=2).fit(X, y)
    assert np.array_equal(
        as_numbers.scores_, ReliefF(n_features=2, task="regression").fit(X, y).scores_
    )
    assert not np.array_equal(as_numbers.scores_, ReliefF(n_features=2).fit(X, y).scores_)
    as_classes = RReliefF(n_features=2, task="classification").fit(X, y)
    assert np.array_equal(as_classes.scores_, ReliefF(n_features=2).fit(X, y).scores_)
