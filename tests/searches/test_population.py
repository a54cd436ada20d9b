"""A population of subsets, told by an oracle what each of them loses."""

import math

import numpy as np
import pytest

from thresher.races import Contest, Outcome
from thresher.searches import Population, Space
from thresher.searches._offspring import GENERATORS
from thresher.testing import check_strategy

both = pytest.mark.parametrize("generator", list(GENERATORS))
WANTED = frozenset({2, 5, 11})


def distance(subset, wanted=WANTED):
    """Missing what is wanted costs most."""
    return float(3 * len(wanted - subset) + len(subset - wanted))


def drive(strategy, n=20, loss_of=distance, seed=0, required=()):
    """Run a strategy; return its subset and the contests it asked for."""
    search = strategy.run(Space(n, required), np.random.default_rng(seed))
    contests: list[Contest] = []
    try:
        contest = next(search)
        while True:
            contests.append(contest)
            losses = np.array([loss_of(candidate) for candidate in contest.candidates])
            best = int(losses.argmin())
            loss = None if contest.incumbent is None else loss_of(contest.incumbent)
            contest = search.send(
                Outcome(contest.candidates[best], losses[best], 0.0, losses, incumbent_loss=loss)
            )
    except StopIteration as end:
        return end.value, contests


def races_of(contests):
    """Contests of the search itself: neither the last one among winners nor the explanation."""
    return [c for c in contests if not c.challenge and c.n_left is None]


def raced(contests):
    return {
        subset for contest in contests if not contest.challenge for subset in contest.candidates
    }


# --- as every strategy ----------------------------------------------------------------------------


@both
@pytest.mark.parametrize(
    "options",
    [{}, {"n_winners": 1}, {"explain": False, "prefer_small": False}, {"pool": [0], "max_size": 1}],
    ids=["default", "one winner", "plain", "pool"],
)
def test_both_generators_conform(generator, options):
    check_strategy(Population(30, generator=generator, **{"n_winners": 5, **options}))


@pytest.mark.parametrize("seed", range(5))
@both
def test_what_is_wanted_is_found(generator, seed):
    subset, _ = drive(Population(200, 10, 600, generator=generator, patience=None), seed=seed)
    if generator == "neighbours":
        assert subset == WANTED
    else:  # decides by halves, and may keep what does little harm
        assert subset >= WANTED
        assert len(subset) <= 6


def test_what_is_required_is_in_all_candidates():
    for generator in GENERATORS:
        strategy = Population(60, 5, generator=generator)
        subset, contests = drive(strategy, required=(0, 7))
        assert subset >= {0, 7}
        assert all(s >= {0, 7} for contest in contests for s in contest.candidates)


@both
def test_nothing_but_what_is_required_may_be_best(generator):
    strategy = Population(30, 5, generator=generator, patience=None)
    subset, _ = drive(strategy, 12, lambda s: float(len(s)), required=(3,))
    if generator == "neighbours":
        assert subset == {3}
    assert len(subset) <= 3


def test_nothing_to_choose():
    assert drive(Population(), 2, required=(0, 1)) == (frozenset({0, 1}), [])
    subset, contests = drive(Population(), 1)
    assert subset == {0}
    assert contests[0].candidates == [{0}]


# --- candidates -----------------------------------------------------------------------------------


@pytest.mark.parametrize("required", [(), (1,)])
def test_few_subsets_are_all_raced(required):
    _, contests = drive(Population(16, 3), 4, required=required)
    expected = 15 if not required else 8
    assert len(contests[0].candidates) == len(set(contests[0].candidates)) == expected
    assert all(contests[0].candidates)
    assert len(races_of(contests)) == 1  # there is nothing new to race


@both
@pytest.mark.parametrize(("n_candidates", "most"), [(50, 51), (50, 137), (40, 40), (60, 25)])
def test_the_number_of_candidates_is_kept_to(generator, n_candidates, most):
    strategy = Population(n_candidates, 5, most, n_offspring=20, generator=generator, patience=None)
    _, contests = drive(strategy)
    assert len(contests[0].candidates) == min(n_candidates, most)
    n_raced = len(raced(contests))
    assert n_raced == most if generator == "neighbours" else n_raced <= most


def test_by_default_as_many_again_are_raced_later():
    _, contests = drive(Population(70, 5, patience=None))
    assert len(raced(contests)) == 140


@both
def test_no_subset_is_drawn_twice(generator):
    _, contests = drive(Population(60, 4, 200, generator=generator, patience=None))
    known = set()
    for contest in races_of(contests):
        candidates = contest.candidates
        assert len(set(candidates)) == len(candidates)
        new = [s for s in candidates if s not in known]
        # those that come back were raced before, and lead the list
        assert candidates[len(candidates) - len(new) :] == new
        known |= set(candidates)


def test_a_race_has_the_winners_the_champions_and_what_is_new():
    n_winners, seed = 4, 1
    strategy = Population(60, n_winners, 300, n_offspring=15, patience=None, prefer_small=False)
    rng = np.random.default_rng(0)
    noise = {}

    def loss_of(subset):  # luck, so that the best changes
        noise[subset] = rng.random()
        return noise[subset]

    search = strategy.run(Space(20), np.random.default_rng(seed))
    contest, champions, n_races = next(search), [], 0
    while contest.n_left is None:
        losses = np.array([loss_of(s) for s in contest.candidates])
        outcome = Outcome(contest.candidates[losses.argmin()], losses.min(), 0.0, losses)
        winners = contest.winners(outcome)
        champions.append(winners[0])
        contest, n_races = search.send(outcome), n_races + 1
        assert contest.incumbent == winners[0]
        back = list(dict.fromkeys([*winners, *champions]))
        assert contest.candidates[: len(back)] == back
        assert len(contest.candidates) - len(back) == (15 if contest.n_left is None else 0)
    assert n_races == 1 + (300 - 60) // 15
    assert len(set(champions)) > 5
    assert set(contest.candidates) == {*winners, *champions}


def test_the_pool_is_for_the_first_race():
    pool = [0, 1, 3, 4, 6, 8]
    subset, contests = drive(Population(50, 5, 400, pool=pool, patience=None))
    first, later = contests[0].candidates, races_of(contests)[1:]
    assert frozenset().union(*first) == set(pool)
    assert frozenset().union(*(s for contest in later for s in contest.candidates)) > set(pool)
    assert subset == WANTED


def test_a_pool_of_required_variables_is_no_choice():
    subset, contests = drive(Population(30, 3, 300, pool=[2]), required=(2,))
    assert len(contests[0].candidates) == 30
    assert subset == WANTED


@pytest.mark.parametrize("max_size", [1, 2, 4])
@pytest.mark.parametrize("n", [5, 20])
def test_the_first_candidates_are_small(n, max_size):
    _, contests = drive(Population(40, 5, max_size=max_size), n, lambda s: float(sum(s)))
    sizes = {len(subset) for subset in contests[0].candidates}
    assert sizes == set(range(1, max_size + 1))


def test_by_default_the_first_candidates_have_the_root_of_the_number():
    _, contests = drive(Population(200, 5), 30)
    assert max(len(subset) for subset in contests[0].candidates) == math.ceil(math.sqrt(30))


# --- the end --------------------------------------------------------------------------------------


@pytest.mark.parametrize("patience", [1, 3, None])
def test_patience_with_a_best_that_stays(patience):
    strategy = Population(63, 3, 1000, n_offspring=10, patience=patience)
    subset, contests = drive(strategy, 12, lambda s: distance(s, frozenset({1})))
    assert subset == {1}
    n_races = len(races_of(contests))
    assert n_races == 1 + patience if patience else n_races > 20


def test_the_last_race_goes_on_until_one_is_left():
    _, contests = drive(Population(60, 4, explain=False))
    last = contests[-1]
    assert last.n_left == 1
    assert last.max_rows is None
    assert last.n_winners == 4
    assert all(contest.n_left is None for contest in contests[:-1])


def test_only_the_first_race_is_cut_off():
    _, contests = drive(Population(60, 4, first_rows=33, patience=None))
    assert [contest.max_rows for contest in contests][:3] == [33, None, None]
    _, contests = drive(Population(60, 4, first_rows=None))
    assert contests[0].max_rows is None


@pytest.mark.parametrize("required", [(), (2,)])
def test_explaining_changes_nothing_but_asks_about_each_variable(required):
    plain, contests = drive(Population(60, 4, explain=False), required=required)
    explained, more = drive(Population(60, 4), required=required)
    assert plain == explained
    assert len(more) == len(contests) + 1
    assert more[-1].challenge
    assert more[-1].incumbent == explained
    asked = [next(iter(s ^ explained)) for s in more[-1].candidates]
    assert asked == [v for v in range(20) if v not in required]


def test_small_subsets_are_preferred_if_alike():
    def flat(subset):  # anything that holds what is wanted does
        return float(len(WANTED - subset))

    small, _ = drive(Population(300, 20, 900, patience=None), loss_of=flat)
    assert small == WANTED
    _, contests = drive(Population(300, 20, 900, prefer_small=False), loss_of=flat)
    assert not any(contest.prefer_small for contest in contests if contest.n_winners > 1)


def test_one_winner_is_enough():
    subset, contests = drive(Population(200, 1, 600, patience=None))
    assert subset == WANTED
    assert all(contest.n_winners == 1 for contest in contests)


@pytest.mark.parametrize("value", [0, -1, 1.5, "many", True])
@pytest.mark.parametrize(
    "name",
    [
        "n_candidates", "n_winners", "max_candidates", "n_offspring", "max_size", "patience",
        "first_rows",
    ],
)  # fmt: skip
def test_wrong_numbers_are_named(name, value):
    with pytest.raises(ValueError, match=f"^{name} must be a whole number of at least 1; got"):
        drive(Population(**{name: value}))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_candidates": None}, "n_candidates must be a whole number"),
        ({"n_winners": None}, "n_winners must be a whole number"),
        ({"generator": "stork"}, "generator must be one of 'neighbours', 'schemata'; got 'stork'"),
        ({"pool": [3, 20]}, r"pool must hold variables, 0 to 19; got \[20\]"),
    ],
    ids=["n_candidates", "n_winners", "generator", "pool"],
)
def test_other_wrong_parameters_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        drive(Population(**options))
