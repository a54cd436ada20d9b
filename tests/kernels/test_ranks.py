"""Ranks, and who goes when the worst goes again and again, against scipy."""

import numpy as np
import pytest
from scipy import stats

from tests.naive.racing import worst_leave
from thresher.kernels.ranks import average_ranks, drop_worst
from thresher.stats import Tally, friedman


def losses_of(seed, n_rows, n_candidates, step):
    """Later candidates are worse; in steps, there are many ties."""
    rng = np.random.default_rng(seed)
    shift = rng.permutation(np.linspace(0.0, 1.0, n_candidates))
    losses = rng.normal(shift, 0.7, (n_rows, n_candidates)) + rng.normal(size=(n_rows, 1))
    return losses if step is None else np.round(losses / step) * step


STEPS = {"continuous": None, "ties": 0.5, "many ties": 2.0}
every_step = pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)


@every_step
def test_ranks_are_those_of_scipy(step):
    losses = losses_of(0, 20, 50, step)
    expected = np.array([stats.rankdata(row) for row in losses])
    assert average_ranks(losses).tolist() == expected.tolist()


@every_step
@pytest.mark.parametrize(("n_rows", "n_candidates"), [(15, 200), (40, 80), (4, 60)])
def test_several_hundred_candidates_leave_as_in_the_twin(n_rows, n_candidates, step):
    losses = losses_of(0, n_rows, n_candidates, step)
    standing = friedman(losses, delta=0.01, posthoc="worst")
    expected = worst_leave(losses, 0.01)
    assert standing.stays.tolist() == expected
    assert standing.p_value == pytest.approx(stats.friedmanchisquare(*losses.T).pvalue)
    assert standing.leader == losses.mean(axis=0).argmin()
    assert sum(expected) > 1
    if n_rows > 4:
        assert not all(expected)


def test_equal_counts_of_errors_are_equal_whichever_came_first():
    # as many errors each, in other rows: of these the last goes, and the first leads
    rng = np.random.default_rng(0)
    errors = np.zeros((30, 9))
    for k, n_errors in enumerate([20, 20, 20, 7, 7, 7, 20, 7, 7]):
        errors[rng.permutation(30)[:n_errors], k] = 1.0
    tally = Tally(9)
    for row in errors:
        tally.add(row)
    dropped, _ = drop_worst(errors, tally.means, np.full(10, -1.0))
    assert dropped.tolist() == [6, 2, 1, 0, 8, 7, 5, 4]
    assert friedman(errors, posthoc="worst").leader == 3


@every_step
def test_statistics_on_the_way_are_friedmans(step):
    losses = losses_of(1, 25, 30, step)
    never = np.zeros(31)  # whatever the statistic, one more goes
    dropped, statistics = drop_worst(losses, losses.mean(axis=0), never)
    left = list(range(30))
    for k, found in enumerate(statistics.tolist()):
        if len(left) >= 3:
            expected = stats.friedmanchisquare(*losses[:, left].T).statistic
            assert found == pytest.approx(expected, abs=1e-9)
        if k < len(dropped):
            means = losses.mean(axis=0)
            assert dropped[k] == max(left, key=lambda j: (means[j], j))
            left.remove(dropped[k])


def test_nobody_goes_where_all_are_the_same():
    same = np.repeat(np.random.default_rng(0).normal(size=(20, 1)), 6, axis=1)
    dropped, statistics = drop_worst(same, same.mean(axis=0), np.zeros(7))
    assert dropped.tolist() == []
    assert statistics.tolist() == [0.0]


def test_p_values_are_those_of_the_test_that_a_candidate_lost():
    losses = losses_of(3, 30, 12, None)
    standing = friedman(losses, delta=0.01, posthoc="worst")
    assert (standing.p_values[~standing.stays] < 0.01).all()
    assert (standing.p_values[standing.stays] == 1.0).all()
    assert 0 < standing.stays.sum() < 12


def test_the_one_with_the_lowest_mean_never_goes():
    rng = np.random.default_rng(0)
    # the best by ranks has the higher mean, because it is sometimes far off
    losses = np.column_stack([np.where(rng.random(60) < 0.1, 30.0, 0.0), np.ones(60)])
    standing = friedman(losses + 0.01 * rng.random((60, 2)), delta=0.05, posthoc="worst")
    assert standing.leader == 1
    assert standing.stays[1]
