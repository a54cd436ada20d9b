"""Randomized elimination, told by an oracle which removals are missed."""

import numpy as np
import pytest

from thresher.evaluators import Removals
from thresher.races import Outcome
from thresher.searches import RandomizedElimination, Space
from thresher.testing import check_strategy

from .oracle import drive, perfect, relevant_of

PAPER = {"biased": False, "remember": False, "stop": "failures", "drift": True}
SWITCHES = [
    {},
    PAPER,
    {"biased": False},
    {"remember": False},
    {"stop": "failures"},
    {"drift": True},
    {"biased": False, "remember": False},
    {"biased": False, "stop": "failures"},
    {"k": 1},
    {"k": 3},
    {"k": 1, **PAPER},
    {"cost": "constant"},
    {"cost": lambda n: 1897000 * (n + 1)},
    {"r_max": 6},
    {"r_min": 1, "r_max": 3},
]
switches = pytest.mark.parametrize("options", SWITCHES, ids=lambda o: "-".join(map(str, o)) or "-")


@switches
def test_every_combination_conforms(options):
    check_strategy(RandomizedElimination(**options))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("n", "r"), [(100, 10), (60, 1), (40, 25), (12, 11), (300, 4), (2, 1)])
def test_the_relevant_ones_are_found(n, r, seed):
    relevant = relevant_of(n, r, seed)
    found = drive(RandomizedElimination(), n, perfect(relevant), seed)
    assert found.subset == relevant


@switches
@pytest.mark.parametrize("seed", range(3))
def test_the_relevant_ones_stay_whatever_is_switched_off(options, seed):
    relevant = relevant_of(30, 5, seed)
    found = drive(RandomizedElimination(**options), 30, perfect(relevant), seed)
    if options.get("biased", True) or "k" in options:
        assert found.subset == relevant
    else:  # the number that is believed may be too low, and then the end comes early
        assert relevant <= found.subset
        assert len(found.subset) < 15


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("options", [{}, PAPER, {"k": 1}, {"biased": False}], ids=str)
def test_a_known_number_is_reached_exactly(options, seed):
    for n, r in ((100, 10), (20, 19), (20, 1), (3, 2)):
        relevant = relevant_of(n, r, seed)
        found = drive(RandomizedElimination(r, **options), n, perfect(relevant), seed)
        assert found.subset == relevant


@pytest.mark.parametrize("seed", range(5))
def test_a_known_number_that_is_too_low_is_reached_with_the_least_harm(seed):
    # each relevant variable costs its own number when it is missed
    weights = np.zeros(20)
    weights[[3, 7, 11, 15]] = [1.0, 2.0, 4.0, 8.0]

    def loss_of(subset):
        return float(sum(weights[v] for v in range(20) if v not in subset))

    found = drive(RandomizedElimination(2), 20, loss_of, seed)
    assert found.subset == {11, 15}


def test_a_known_number_that_is_too_low_is_not_reached_as_printed():
    relevant = relevant_of(10, 4, 0)
    found = drive(RandomizedElimination(2, **PAPER), 10, perfect(relevant))
    assert relevant <= found.subset
    assert len(found.subset) > 2


@pytest.mark.parametrize(
    "options",
    [{}, {"k": 1}, {"biased": False}, {"stop": "failures"}, {"k": 1, "biased": False}],
    ids=str,
)
@pytest.mark.parametrize("n_relevant", [None, 6])
def test_no_subset_is_judged_twice(options, n_relevant):
    for seed in range(4):
        relevant = relevant_of(50, 6, seed)
        found = drive(RandomizedElimination(n_relevant, **options), 50, perfect(relevant), seed)
        assert len(set(found.asked)) == len(found.asked)


def test_subsets_are_judged_again_where_nothing_is_remembered():
    found = drive(RandomizedElimination(**PAPER), 30, perfect(relevant_of(30, 5, 0)))
    assert len(set(found.asked)) < len(found.asked)


@pytest.mark.parametrize("options", [{}, {"biased": False}, {"stop": "failures"}], ids=str)
def test_the_last_phase_of_single_removals_tries_each_variable_once(options):
    for seed in range(5):
        relevant = relevant_of(25, 8, seed)
        found = drive(RandomizedElimination(k=1, **options), 25, perfect(relevant), seed)
        last = max(i for i, loss in enumerate(found.losses) if loss == 0.0)
        assert len(found.losses) - 1 - last <= len(found.subset)
        assert found.subset == relevant


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"biased": False},
        {"remember": False},
        PAPER,
        {"k": 1},
        {"n_relevant": 4},
        {"n_relevant": 4, **PAPER},
        {"n_relevant": 2},
    ],
    ids=lambda o: "-".join(map(str, o)) or "-",
)
def test_what_is_told_ahead_comes_if_all_fails(options):
    """At each contest of a run, another run of the same seed fails from there on."""
    relevant = relevant_of(16, 4, 1)
    strategy = RandomizedElimination(**options)
    run = drive(strategy, 16, perfect(relevant), seed=3)
    promised = 0
    for i, contest in enumerate(run.contests[:40]):
        if contest.ahead is None:
            assert i == 0
            continue
        replay = iter(run.losses[:i])
        failing = drive(strategy, 16, lambda _, replay=replay: next(replay, 9.0), seed=3)
        ahead = contest_at(strategy, run.losses[:i], seed=3).ahead(5)
        assert len(ahead) <= 5
        assert failing.asked[i + 1 : i + 1 + len(ahead)] == ahead
        # it stops short only where nothing can be told any more
        assert len(ahead) == 5 or len(failing.asked) - (i + 1 + len(ahead)) <= 14
        promised += len(ahead)
    assert promised > 20


def contest_at(strategy, losses, seed, n=16):
    """The contest that follows after some losses."""
    search = strategy.run(Space(n), np.random.default_rng(seed))
    contest = next(search)
    for loss in losses:
        contest = search.send(Outcome(contest.candidates[0], loss, 0.0, np.array([loss])))
    return contest


@pytest.mark.parametrize("options", [{}, PAPER, {"n_relevant": 3}], ids=str)
def test_looking_ahead_changes_nothing(options):
    loss_of = perfect(relevant_of(20, 3, 0))
    plain = drive(RandomizedElimination(**options), 20, loss_of, seed=5)
    strategy = RandomizedElimination(**options)
    search = strategy.run(Space(20), np.random.default_rng(5))
    contest = next(search)
    for expected in plain.contests[1:]:
        if contest.ahead is not None:
            contest.ahead(7)
        loss = loss_of(contest.candidates[0])
        contest = search.send(Outcome(contest.candidates[0], loss, 0.0, np.array([loss])))
        assert list(contest.candidates) == list(expected.candidates)
    loss = loss_of(contest.candidates[0])
    with pytest.raises(StopIteration) as end:
        search.send(Outcome(contest.candidates[0], loss, 0.0, np.array([loss])))
    assert end.value.value == plain.subset


@pytest.mark.parametrize("options", [{}, PAPER], ids=["improved", "paper"])
def test_the_seed_decides(options):
    loss_of = perfect(relevant_of(40, 5, 0))
    strategy = RandomizedElimination(**options)
    runs = [drive(strategy, 40, loss_of, seed).asked for seed in (1, 1, 2)]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


@switches
def test_required_variables_are_never_removed(options):
    relevant = relevant_of(20, 3, 0)
    required = {0, 19}
    found = drive(RandomizedElimination(**options), 20, perfect(relevant), required=required)
    assert all(required <= subset for subset in found.asked)
    assert relevant | required <= found.subset


def test_required_variables_count_among_the_known_number():
    relevant = frozenset({4, 5})
    found = drive(RandomizedElimination(4), 20, perfect(relevant), required={0, 4})
    assert {0, 4, 5} <= found.subset
    assert len(found.subset) == 4
    found = drive(RandomizedElimination(2), 20, perfect(relevant), required={0, 4})
    assert found.subset == {0, 4}


@pytest.mark.parametrize("options", [{}, PAPER, {"k": 5}, {"k": 50}, {"r_min": 1}], ids=str)
def test_something_is_always_left(options):
    for n in (1, 2, 3, 17):
        found = drive(RandomizedElimination(**options), n, lambda subset: 0.0)
        assert len(found.subset) == 1
        assert all(found.asked)


def test_with_required_variables_all_others_may_go():
    found = drive(RandomizedElimination(), 6, lambda subset: 0.0, required={2})
    assert found.subset == {2}
    found = drive(RandomizedElimination(), 3, lambda subset: 0.0, required={0, 1, 2})
    assert (found.subset, found.asked) == ({0, 1, 2}, [])


@pytest.mark.parametrize("options", [{}, PAPER], ids=["improved", "paper"])
def test_one_and_two_variables(options):
    strategy = RandomizedElimination(**options)
    assert drive(strategy, 1, perfect(frozenset({0}))).asked == []
    assert drive(strategy, 2, perfect(frozenset({0, 1}))).subset == {0, 1}
    assert drive(strategy, 2, perfect(frozenset({1}))).subset == {1}
    assert drive(RandomizedElimination(1, **options), 2, perfect(frozenset({1}))).subset == {1}
    assert drive(RandomizedElimination(1, **options), 1, perfect(frozenset({0}))).subset == {0}


def test_contests_are_challenges_of_the_current_subset():
    found = drive(RandomizedElimination(), 30, perfect(relevant_of(30, 3, 0)))
    current, loss = frozenset(range(30)), 0.0
    assert found.asked[0] == current
    for contest, judged in zip(found.contests[1:], found.losses[1:], strict=True):
        assert contest.challenge
        assert isinstance(contest.candidates, Removals)
        assert (contest.incumbent, contest.incumbent_loss) == (current, loss)
        assert contest.candidates.base == current
        assert contest.candidates[0] < current
        if judged == 0.0:
            current = contest.candidates[0]
    assert found.subset == current


def creeping(n):
    """A loss that rises by less than the tolerance with each variable that goes."""
    return lambda subset: 0.001 * (n - len(subset))


def test_small_rises_add_up_where_the_bar_drifts():
    found = drive(RandomizedElimination(k=1, tolerance=0.002, drift=True), 20, creeping(20))
    assert len(found.subset) == 1


def test_small_rises_do_not_add_up_otherwise():
    found = drive(RandomizedElimination(k=1, tolerance=0.0025), 20, creeping(20))
    assert len(found.subset) == 18
    for contest in found.contests[1:]:
        bar = contest.incumbent_loss + contest.tolerance
        assert bar == pytest.approx(0.0025)


def test_the_bar_is_the_lowest_loss_so_far():
    falling = drive(RandomizedElimination(k=1), 20, lambda subset: 0.1 * len(subset))
    for contest in falling.contests[1:]:
        assert contest.incumbent_loss == pytest.approx(0.1 * len(contest.incumbent))
        assert contest.tolerance == pytest.approx(0.002)


def test_a_removal_within_the_tolerance_is_a_success():
    for tolerance, left in ((0.3, {2}), (0.25, {2}), (0.2, {1, 2}), (0.0, {1, 2})):
        strategy = RandomizedElimination(tolerance=tolerance)
        found = drive(strategy, 9, lambda s: 0.25 * (1 not in s) + 0.5 * (2 not in s))
        assert found.subset == left


def test_relevance_is_told_with_every_contest():
    relevant = relevant_of(40, 4, 0)
    found = drive(RandomizedElimination(), 40, perfect(relevant))
    probability = found.contests[-1].relevance()
    assert probability.shape == (40,)
    gone = sorted(frozenset(range(40)) - found.subset)
    assert (probability[gone] == 0.0).all()
    assert (probability[sorted(relevant)] > 0.9).all()


def test_far_fewer_calls_than_as_printed():
    calls = {"improved": 0, "paper": 0}
    for seed in range(10):
        loss_of = perfect(relevant_of(100, 10, seed))
        calls["improved"] += len(drive(RandomizedElimination(), 100, loss_of, seed).asked)
        calls["paper"] += len(drive(RandomizedElimination(**PAPER), 100, loss_of, seed).asked)
    assert calls["improved"] < 0.6 * calls["paper"]


def test_calls_as_printed_are_those_expected():
    """The mean over seeds of RVE, against the exact expectation of 90.45 for N=100, r=10."""
    strategy = RandomizedElimination(10, cost=lambda n: 1897000 * (n + 1), **PAPER)
    calls = [
        len(drive(strategy, 100, perfect(relevant_of(100, 10, s)), s).asked) for s in range(40)
    ]
    error = np.std(calls, ddof=1) / np.sqrt(len(calls))
    assert abs(np.mean(calls) - 90.45) < 3.0 * error


@pytest.mark.parametrize("noise", [0.02, 0.1])
def test_false_alarms_do_not_keep_a_run_from_ending(noise):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        relevant = relevant_of(60, 5, seed)

        def loss_of(subset, relevant=relevant, rng=rng):
            return float(not relevant <= subset or rng.random() < noise)

        found = drive(RandomizedElimination(), 60, loss_of, seed)
        assert relevant <= found.subset
        assert len(found.subset) < 25


def test_costs_are_those_of_all_variables_the_required_ones_included():
    asked = []

    def cost(n):
        asked.append(n)
        return -1.0 if n == 7 else 1.0

    with pytest.raises(ValueError, match=r"cost\(7\) gave -1"):
        drive(RandomizedElimination(cost=cost), 8, perfect(frozenset()), required={0, 1, 2})
    assert asked == [3, 4, 5, 6, 7]


def test_wide_tables_with_required_variables():
    relevant = relevant_of(10_000, 3, 0)
    for n_relevant in (None, 4):
        found = drive(RandomizedElimination(n_relevant), 10_000, perfect(relevant), required={5})
        assert found.subset == relevant | {5}
        assert len(found.asked) < 5 * np.sqrt(10_000)


@pytest.mark.parametrize("n_relevant", [None, 10])
def test_draws_that_are_far_too_large_do_not_go_on_for_ever(n_relevant):
    relevant = relevant_of(40, 10, 0)
    strategy = RandomizedElimination(n_relevant, k=20, **PAPER)
    assert relevant <= drive(strategy, 40, perfect(relevant)).subset


def test_all_variables_may_be_required():
    found = drive(RandomizedElimination(3), 3, perfect(frozenset()), required={0, 1, 2})
    assert found.subset == {0, 1, 2}
