"""Best-first search against a literal one, and against WEKA's over merits of CFS."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsRegressor

from tests.oracles import read_table, read_weka
from thresher.evaluators import Flips, evaluator_for
from thresher.races import Brace, Exhaustive, Exit, Outcome
from thresher.run import Budget, search
from thresher.searches import BestFirst, Space
from thresher.testing import check_strategy
from thresher.testing._planted import planted_evaluator

from .told import told

STARTS = [
    BestFirst(),
    BestFirst("full"),
    BestFirst(direction="both"),
    BestFirst("full", direction="both"),
]
every_start = pytest.mark.parametrize("strategy", STARTS, ids=repr)


def rugged(n_variables, seed, n_levels=None):
    """Losses without much order; with few levels, many are the same."""
    weights = np.random.default_rng(seed).normal(size=(n_variables, n_variables))

    def loss(subset):
        here = sorted(subset)
        value = weights[np.ix_(here, here)].sum() / (1 + len(here))
        return value if n_levels is None else float(np.round(value * n_levels))

    return loss


def literal(loss_of, n_variables, strategy, required=()):
    """Best-first search with lists of whole subsets; the result, and what was judged when."""
    required, adds = frozenset(required), strategy.start == "empty"
    best = required if adds else frozenset(range(n_variables))
    best_loss = loss_of(best) if best else float("inf")
    opened, judged, n_vain = [(best_loss, len(best), best)], [best], 0
    while opened and n_vain < strategy.patience:
        place = min(range(len(opened)), key=lambda k: opened[k][:2])
        _, _, here = opened.pop(place)
        out = [here - {v} for v in sorted(here - required) if len(here) > 1]
        more = [here | {v} for v in range(n_variables) if v not in here]
        both = strategy.direction == "both"
        children = (out if both or not adds else []) + (more if both or adds else [])
        children = [child for child in children if child not in judged]
        improved = not children
        for child in children:
            loss = loss_of(child)
            judged.append(child)
            opened.append((loss, len(child), child))
            leaner = len(child) < len(here) and len(child) < len(best) and loss <= best_loss
            if loss < best_loss - strategy.tolerance or leaner:
                best, best_loss, improved, n_vain = child, loss, True, 0
        n_vain += not improved
    return best, judged


@pytest.mark.parametrize("n_levels", [None, 4], ids=["all different", "many ties"])
@pytest.mark.parametrize("required", [(), (2,), (0, 5)], ids=str)
@pytest.mark.parametrize("patience", [1, 5])
@every_start
def test_it_judges_what_a_literal_search_judges(strategy, patience, required, n_levels):
    strategy = BestFirst(strategy.start, patience, direction=strategy.direction)
    for seed in range(8):
        loss_of = rugged(7, seed, n_levels)
        found, contests = told(strategy, 7, loss_of, required)
        best, judged = literal(loss_of, 7, strategy, required)
        assert found == best
        assert [subset for contest in contests for subset in contest.candidates] == judged


def merit_of(data):
    """CFS merits from WEKA's symmetrical uncertainties, which it rounds to 32 bits."""
    expected = read_weka(data)
    names = expected["attributes"]
    pairs = read_table(f"{data}.su_pairs")
    uncertainty = {}
    for one, other, value in pairs.itertuples(index=False):
        uncertainty[one, other] = uncertainty[other, one] = float(np.float32(value))
    (target,) = (set(pairs["att_i"]) | set(pairs["att_j"])) - set(names)

    def merit(subset):
        here = [names[v] for v in sorted(subset)]
        if not here:
            return 0.0
        # two columns that have nothing in common count as copies there
        between = sum(uncertainty[pair] or 1.0 for pair in combinations(here, 2))
        total = sum(uncertainty[name, target] for name in here)
        return float(total / np.sqrt(len(here) + 2.0 * between))

    return merit, names, expected


@pytest.mark.parametrize("data", ["nominal", "numeric", "mixed_missing"])
def test_cfs_selects_the_columns_that_it_selects_in_weka(data):
    merit, names, expected = merit_of(data)
    for known in expected["CFS"]["subsets"]:
        assert merit(known["atts0"]) == pytest.approx(known["merit"], abs=1e-12)
    strategy = BestFirst(tolerance=1e-5)
    found, _ = told(strategy, len(names), lambda subset: -merit(subset))
    assert {names[v] for v in found} == set(expected["CFS_L_BestFirst"]["selected"])
    assert merit(found) == pytest.approx(expected["CFS_L_BestFirst"]["merit"], abs=1e-12)


def test_it_goes_back_where_a_greedy_search_is_stuck():
    losses = {(0,): 5.0, (1,): 6.0, (2,): 7.0, (1, 2): 1.0}

    def trap(subset):
        return losses.get(tuple(sorted(subset)), 8.0)

    assert told(BestFirst(patience=2), 4, trap)[0] == {1, 2}
    assert told(BestFirst(patience=1), 4, trap)[0] == {0}


def test_patience_counts_expansions_without_improvement():
    for patience in (1, 3, 6):
        # every variable makes it worse: one contest for the start, one that finds the best
        _, contests = told(BestFirst(patience=patience), 8, len)
        assert len(contests) == 2 + patience


def test_what_is_better_is_so_by_more_than_the_tolerance():
    gains = {0: 4.0, 1: 2.0, 2: 1.0, 3: 0.5}

    def additive(subset):
        return 10.0 - sum(gains[v] for v in subset)

    for tolerance, expected in ((0.0, {0, 1, 2, 3}), (0.7, {0, 1, 2}), (1.5, {0, 1})):
        assert told(BestFirst(patience=1, tolerance=tolerance), 4, additive)[0] == expected


def test_the_earlier_of_two_that_hardly_differ_is_taken_and_the_steps_show_it():
    def twins(subset):
        return 9.0 if len(subset) != 1 else {0: 5.0, 1: 4.0, 2: 3.99999}[min(subset)]

    found, contests = told(BestFirst(tolerance=0.01), 3, twins)
    assert found == {1}
    assert [list(contest.candidates) for contest in contests if contest.incumbent == set()] == [
        [{0}, {1}, {2}],
        [{1}],
    ]
    assert contests[3].incumbent == {1}


@pytest.mark.parametrize("direction", ["away", "both"])
def test_what_does_no_good_is_removed(direction):
    def flat(subset):
        return float(not {1, 3} <= subset)

    strategy = BestFirst("full", patience=1, direction=direction)
    assert told(strategy, 12, flat)[0] == {1, 3}


@every_start
def test_no_subset_is_judged_twice_and_all_come_as_flips(strategy):
    _, contests = told(strategy, 7, rugged(7, 3))
    assert all(isinstance(contest.candidates, Flips) for contest in contests[1:])
    judged = [subset for contest in contests for subset in contest.candidates]
    assert len(set(judged)) == len(judged)
    assert all(judged[1:])


def test_whoever_was_never_looked_at_is_last():
    def partly(subset):
        return float("nan") if 0 in subset else float(len(subset ^ {1, 2}))

    assert told(BestFirst(), 4, partly)[0] == {1, 2}
    assert told(BestFirst(), 3, lambda subset: float("nan"))[0]  # but never nothing


def test_whoever_left_a_race_is_behind_its_winner():
    under_way = BestFirst().run(Space(3), np.random.default_rng(0))
    next(under_way)
    first = under_way.send(Outcome(frozenset(), 0.9, 0.0, np.array([0.9])))
    left = Exit(candidate=0, n_seen=15, leader=2, p_value=0.0)
    losses = np.array([0.1, 0.8, 0.4])
    second = under_way.send(Outcome(first.candidates[2], 0.4, 0.0, losses, exits=(left,)))
    assert second.incumbent == second.candidates.base == {2}


@every_start
def test_required_variables_stay_and_planted_ones_are_found(strategy):
    check_strategy(strategy)
    for judge in (Exhaustive(), Brace()):
        found = search(strategy, Space(8, {5, 7}), planted_evaluator(), judge, random_state=0)
        assert all(step.winner >= {5, 7} for step in found.steps)
        assert found.subset >= {0, 5, 7}
        assert found.subset in [step.winner for step in found.steps if step.accepted]


@every_start
def test_a_race_spends_less(strategy):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 8))
    evaluator = evaluator_for(KNeighborsRegressor(3), X, 2.0 * X[:, 1] + X[:, 4])
    raced, judged = (
        search(strategy, Space(8), evaluator, judge, random_state=0)
        for judge in (Brace(), Exhaustive())
    )
    assert raced.subset == judged.subset == {1, 4}
    assert raced.losses < 0.8 * judged.losses


@every_start
def test_small_spaces(strategy):
    assert told(strategy, 1, len)[0] == {0}
    assert told(strategy, 3, len, required=range(3)) == (frozenset(range(3)), [])


@pytest.mark.parametrize("n_evaluations", [1, 4, 12, 30])
@every_start
def test_a_budget_leaves_a_legal_subset(strategy, n_evaluations):
    budget = Budget(max_evaluations=n_evaluations)
    found = search(strategy, Space(8, {6}), planted_evaluator(), Exhaustive(), budget=budget)
    assert found.subset >= {6}
    assert found.evaluations <= n_evaluations


@every_start
def test_the_result_does_not_depend_on_the_numbers_that_subsets_are_known_by(strategy):
    runs = [told(strategy, 9, rugged(9, 1), seed=seed) for seed in range(4)]
    assert len({(found, len(contests)) for found, contests in runs}) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": "middle"}, "start must be 'empty' or 'full'; got 'middle'"),
        ({"patience": 0}, "patience must be a whole number of at least 1; got 0"),
        ({"patience": 2.5}, "patience must be a whole number"),
        ({"patience": True}, "patience must be a whole number"),
        ({"tolerance": -1.0}, "tolerance must be a number that is not negative; got -1.0"),
        ({"direction": "up"}, "direction must be 'away' or 'both'; got 'up'"),
    ],
    ids=str,
)
def test_bad_parameters_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        told(BestFirst(**options), 3, len)
