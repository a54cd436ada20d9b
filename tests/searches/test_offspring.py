"""Credit of variables, and candidates made of winners."""

import numpy as np
import pytest

from thresher.searches import Space
from thresher.searches._credit import Credit
from thresher.searches._offspring import GENERATORS, random_subsets

both = pytest.mark.parametrize("generator", list(GENERATORS))
WANTED = frozenset({2, 5, 11})


# --- credit ---------------------------------------------------------------------------------------


def race_of(n_variables, helpful, n_subsets, seed=0):
    """Random subsets, and their places by how many helpful variables they hold."""
    rng = np.random.default_rng(seed)
    subsets = [
        frozenset(rng.choice(n_variables, rng.integers(1, 5), replace=False).tolist())
        for _ in range(n_subsets)
    ]
    merit = [len(s & helpful) + 0.1 * rng.random() for s in subsets]
    return subsets, np.argsort(merit)[::-1]


def test_credit_goes_to_those_that_help():
    credit = Credit(15)
    credit.read(*race_of(15, {3, 8}, 200))
    assert set(np.argsort(-credit.scores)[:2].tolist()) == {3, 8}
    assert credit.scores[[3, 8]].min() > 4 * np.abs(np.delete(credit.scores, [3, 8])).max()


def test_company_earns_no_credit():
    rng = np.random.default_rng(0)
    subsets = []
    for _ in range(300):  # 1 is mostly seen with 0, which helps
        with_zero = rng.random() < 0.5
        pair = rng.random() < (0.9 if with_zero else 0.1)
        subsets.append(
            frozenset(
                {2 + int(rng.integers(5))}
                | ({0} if with_zero else set())
                | ({1} if pair else set())
            )
        )
    places = np.argsort([-(0 in s) + 0.1 * rng.random() for s in subsets])
    credit = Credit(7)
    credit.read(subsets, places)
    assert credit.scores[0] > 10
    assert abs(credit.scores[1]) < 3


def test_many_variables_are_looked_at_one_by_one(monkeypatch):
    monkeypatch.setattr("thresher.searches._credit._MOST_TOGETHER", 10)
    credit = Credit(15)
    credit.read(*race_of(15, {3, 8}, 200))
    assert set(np.argsort(-credit.scores)[:2].tolist()) == {3, 8}


def test_older_races_fade():
    credit = Credit(15)
    credit.read(*race_of(15, {3}, 200))
    before = credit.scores[3]
    credit.read(*race_of(15, {8}, 200, seed=1))
    assert 0 < credit.scores[3] < before
    assert credit.scores[8] > credit.scores[3]


def test_what_one_subset_alone_holds_gets_no_credit():
    credit = Credit(4)
    credit.read([frozenset({0}), frozenset({1}), frozenset({2}), frozenset({3})], [0, 1, 2, 3])
    assert credit.scores.tolist() == [0.0] * 4
    credit.read([frozenset({0})], [0])
    assert np.isfinite(credit.scores).all()


# --- offspring ------------------------------------------------------------------------------------


@both
def test_offspring_are_new_and_in_the_space(generator):
    space = Space(12, required={4})
    offspring, credit = GENERATORS[generator](space), Credit(12)
    winners = [frozenset({4, 1, 2}), frozenset({4, 7})]
    seen, rng = set(winners), np.random.default_rng(0)
    for _ in range(3):
        before = set(seen)
        new = offspring.propose(winners, credit, 25, seen, rng)
        assert 0 < len(new) <= 25
        assert len(set(new)) == len(new)
        assert not before & set(new)
        assert seen == before | set(new)
        assert all({4} <= s <= space.full for s in new)


def test_neighbours_are_near_their_parents():
    offspring, credit = GENERATORS["neighbours"](Space(40)), Credit(40)
    winner = frozenset(range(10))
    new = offspring.propose([winner], credit, 200, {winner}, np.random.default_rng(0))
    distances = np.array([len(s ^ winner) for s in new])
    assert np.median(distances) <= 2
    assert distances.max() < 15


def test_neighbours_rather_gain_variables_with_credit_and_lose_those_without():
    offspring, credit = GENERATORS["neighbours"](Space(40)), Credit(40)
    credit.scores[:] = -3.0
    credit.scores[[0, 1, 20, 21]] = 6.0
    winner = frozenset({0, 1, 2, 3, 4, 5})
    new = offspring.propose([winner], credit, 300, {winner}, np.random.default_rng(0))
    share = np.array([[v in s for v in range(40)] for s in new]).mean(axis=0)
    assert share[[20, 21]].min() > 2 * share[22:].max()
    assert share[[0, 1]].min() > share[2:6].max()


def test_a_neighbourhood_may_be_exhausted():
    offspring, credit = GENERATORS["neighbours"](Space(3)), Credit(3)
    seen: set[frozenset[int]] = set()
    new = offspring.propose([frozenset({0})], credit, 50, seen, np.random.default_rng(0))
    assert len(new) == 7
    assert offspring.propose([frozenset({0})], credit, 5, seen, np.random.default_rng(1)) == []


def test_schemata_decide_more_and_more():
    offspring, credit = GENERATORS["schemata"](Space(16)), Credit(16)
    credit.scores[:] = np.linspace(-4.0, 4.0, 16)
    credit.scores[15] = 9.0
    winners, rng = [frozenset(range(8, 16))], np.random.default_rng(0)
    used = []
    for _ in range(6):
        new = offspring.propose(winners, credit, 100, set(), rng)
        assert all(15 in s for s in new)
        used.append(len(frozenset().union(*new)))
    assert used == sorted(used, reverse=True)
    assert used[0] == 14
    assert used[-1] < 10


def test_random_subsets_are_different_and_of_all_sizes():
    subsets = random_subsets(Space(30), range(30), 6, 300, np.random.default_rng(0))
    assert len(set(subsets)) == 300
    counts = np.bincount([len(s) for s in subsets], minlength=7)
    assert counts[0] == 0
    assert counts[1] >= 15  # of 30
    assert counts[2:].min() > 35
    few = random_subsets(Space(100), range(100), 1, 300, np.random.default_rng(0))
    assert len(few) == len(set(few)) == 100
