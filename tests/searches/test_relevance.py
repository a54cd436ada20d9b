"""Probabilities of relevance, against sums over all patterns of relevant variables."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties import examples
from thresher.searches._relevance import _LARGEST_SHARE, _MISS, Relevance


def told(n, share=0.2, failed=(), **options):
    relevance = Relevance(n, share, **options)
    for some in failed:
        relevance.failed(np.array(some))
    return relevance


def enumerated(n, share, alarm, failures, gone=()):
    """Posterior of each variable, given removals that failed and what is irrelevant for sure."""
    total, hits = 0.0, np.zeros(n)
    for pattern in product((False, True), repeat=n):
        relevant = np.array(pattern)
        if relevant[list(gone)].any():
            continue
        chance = np.prod(np.where(relevant, share, 1.0 - share))
        for removed in failures:
            passes = np.where(relevant[list(removed)], _MISS, 1.0 - alarm)
            chance *= 1.0 - np.prod(passes)
        total += chance
        hits += chance * relevant
    return hits / total


@pytest.mark.parametrize("share", [0.05, 0.3, 0.8])
@pytest.mark.parametrize("size", [1, 2, 3, 6])
def test_one_failure(size, share):
    relevance = told(6, share, [range(size)], fixed=True)
    expected = enumerated(6, share, relevance.false_alarm, [range(size)])
    np.testing.assert_allclose(relevance.probability, expected, rtol=1e-12)


@pytest.mark.parametrize(
    "failures",
    [
        [[0], [0], [3]],
        [[0, 1], [2, 3, 4]],
        [[0], [0, 1, 2]],
        [[4], [0, 1], [4], [2, 5, 3]],
    ],
    ids=str,
)
def test_several_failures(failures):
    relevance = told(6, 0.15, failures, fixed=True)
    expected = enumerated(6, 0.15, relevance.false_alarm, failures)
    np.testing.assert_allclose(relevance.probability, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("failures", "gone"),
    [
        ([], [2]),
        ([[0, 1, 2]], [5]),
        ([[0, 1, 2]], [2]),
        ([[0, 1, 2]], [0, 2]),
        ([[0], [1, 2]], [2]),
    ],
    ids=str,
)
def test_failures_and_a_success(failures, gone):
    relevance = told(6, 0.25, failures, fixed=True)
    relevance.removed(np.array(gone))
    expected = enumerated(6, 0.25, relevance.false_alarm, failures, gone)
    np.testing.assert_allclose(relevance.probability, expected, rtol=1e-12)
    assert (relevance.probability[gone] == 0.0).all()


@examples(40)
@given(
    st.lists(st.booleans(), min_size=1, max_size=3),
    st.permutations(range(7)),
    st.floats(0.01, 0.85),
    st.sets(st.integers(0, 6), max_size=3),
)
def test_any_failures_that_have_nothing_in_common(halves, order, share, gone):
    failures, start = [], 0
    for is_pair in halves:
        failures.append(order[start : start + 1 + is_pair])
        start += 1 + is_pair
    relevance = told(7, share, failures, fixed=True)
    for variable in gone:
        relevance.removed(np.array([variable]))
    kept = [f for f in failures if not set(f) <= gone]  # the others were false alarms
    expected = enumerated(7, share, relevance.false_alarm, kept, sorted(gone))
    np.testing.assert_allclose(relevance.probability, expected, rtol=1e-9)


def test_a_part_that_fails_again_clears_the_others():
    relevance = told(8, 0.1, [[0, 1, 2, 3], [0, 1]], fixed=True)
    same = told(8, 0.1, [[0, 1]], fixed=True)
    assert relevance.probability.tolist() == same.probability.tolist()
    assert relevance.suspects.tolist() == [0, 1]
    assert np.flatnonzero(relevance.unknown).tolist() == [2, 3, 4, 5, 6, 7]
    relevance.failed(np.array([1]))
    assert relevance.suspects.tolist() == []
    assert np.flatnonzero(~relevance.unknown).tolist() == [1]
    assert relevance.probability[0] == pytest.approx(0.1)


def test_the_latest_failure_is_the_suspect():
    relevance = told(8, 0.1, [[0, 1, 2], [4, 5]])
    assert relevance.suspects.tolist() == [4, 5]
    relevance.removed(np.array([4, 5]))
    assert relevance.suspects.tolist() == [0, 1, 2]
    assert told(8).suspects.tolist() == []


def test_when_others_are_gone_the_last_one_is_to_blame():
    relevance = told(8, 0.1, [[0, 1, 2]], fixed=True)
    chances = [relevance.probability[0]]
    for variable in (1, 2):
        relevance.removed(np.array([variable]))
        chances.append(relevance.probability[0])
    assert chances == sorted(chances)
    # it failed once, in company that may have raised false alarms of its own
    assert 0.4 < chances[-1] < told(8, 0.1, [[0]], fixed=True).probability[0]


def test_failed_sets_without_anyone_left_are_false_alarms():
    relevance = told(8, 0.1, [[0, 1], [2]])
    before = relevance.false_alarm
    relevance.removed(np.array([0]))
    assert relevance.false_alarm < before  # gone without any alarm of its own
    lower = relevance.false_alarm
    relevance.removed(np.array([1]))
    assert relevance.false_alarm > lower
    lower = relevance.false_alarm
    relevance.removed(np.array([2]))
    assert relevance.false_alarm > lower


def test_successes_make_false_alarms_rare():
    relevance = told(300)
    relevance.removed(np.arange(200))
    assert 0.0 < relevance.false_alarm < 0.01


def test_failures_raise_the_share_and_successes_lower_it():
    relevance = told(100, 0.1)
    start = relevance.probability[99]
    for variable in range(10):
        relevance.failed(np.array([variable]))
    high = relevance.probability[99]
    relevance.removed(np.arange(20, 80))
    assert start < high
    assert relevance.probability[99] < high
    known = told(100, 0.1, [[v] for v in range(10)], fixed=True)
    assert known.probability[99] == pytest.approx(0.1)


def test_a_copy_knows_the_same_and_goes_its_own_way():
    relevance = told(8, 0.2, [[0, 1, 2], [5]])
    before = relevance.probability.tolist()
    other = relevance.copy()
    assert other.probability.tolist() == before
    other.failed(np.array([1]))
    other.removed(np.array([0, 3]))
    assert relevance.probability.tolist() == before
    assert relevance.suspects.tolist() == [0, 1, 2]
    assert other.suspects.tolist() == []
    for one in (relevance, told(8, 0.2, [[0, 1, 2], [5]])):
        one.failed(np.array([6, 7]))
    assert relevance.probability.tolist() == one.probability.tolist()


def test_survival_is_the_chance_that_all_pass():
    relevance = told(8, 0.2, [[0, 1], [5]], fixed=True)
    chance, alarm = relevance.probability, relevance.false_alarm
    passes = chance * _MISS + (1.0 - chance) * (1.0 - alarm)
    order = np.array([7, 0, 5])
    np.testing.assert_allclose(relevance.survival(order), np.cumprod(passes[order]))


@examples(30)
@given(st.integers(0, 2**32), st.floats(0.001, 1.0), st.booleans())
def test_whatever_happens_probabilities_stay_probabilities(seed, share, fixed):
    rng = np.random.default_rng(seed)
    relevance = Relevance(12, share, fixed=fixed)
    left = np.arange(12)
    for _ in range(60):
        if not len(left):
            break
        some = rng.choice(left, rng.integers(1, len(left) + 1), replace=False)
        if rng.random() < 0.85:
            relevance.failed(some[: rng.integers(1, len(some) + 1)])
        else:
            some = some[:2]
            relevance.removed(some)
            left = np.setdiff1d(left, some)
        probability = relevance.probability
        assert np.isfinite(probability).all()
        assert ((probability >= 0.0) & (probability <= 1.0)).all()
        assert (probability[np.setdiff1d(np.arange(12), left)] == 0.0).all()
        assert 0.0 < relevance.false_alarm < 1.0
        assert np.isin(relevance.suspects, left).all()
        assert not relevance.unknown[np.setdiff1d(np.arange(12), left)].any()


def test_endless_false_alarms_leave_probabilities():
    # nothing is remembered, and what failed over and over goes in the end
    relevance = Relevance(30, 0.5)
    for _ in range(10):
        for variable in range(20):
            relevance.failed(np.array([variable]))
    relevance.failed(np.array([25, 26]))
    relevance.removed(np.arange(20))
    assert 0.0 < relevance.false_alarm < 1.0
    assert np.isfinite(relevance.probability).all()


def test_a_share_of_nothing_or_everything():
    assert (told(4, 0.0, [[0, 1], [2]], fixed=True).probability == 0.0).all()
    assert told(4, 1.0, fixed=True).probability.tolist() == [_LARGEST_SHARE] * 4
