"""What is spent, what is remembered, and that budgets hold in races, too."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

from thresher.evaluators import Flips, evaluator_for
from thresher.races import Brace, Contest, Race
from thresher.run import Budget, search
from thresher.run._budget import BudgetSpent
from thresher.run._memory import RowMemory
from thresher.run._meter import Meter
from thresher.searches import Forward, HillClimbing, Schemata, SchemataPlus, Space
from thresher.testing._planted import planted_evaluator, planted_table

ROWS = np.arange(60)


def meter_of(evaluator=None, **limits):
    return Meter(evaluator or planted_evaluator(), Budget(**limits))


def test_losses_of_rows_are_asked_for_once():
    meter = meter_of()
    subsets = [frozenset({0}), frozenset({1, 2})]
    first = meter.losses(subsets, ROWS[:20])
    assert meter.evaluator.n_losses == 40
    again = meter.losses(subsets, ROWS[10:20])
    assert meter.evaluator.n_losses == 40
    assert again.tolist() == first[:, 10:].tolist()
    meter.losses(subsets, ROWS[15:30])
    assert meter.evaluator.n_losses == 60
    meter.losses([frozenset({1, 2})], ROWS[::-1])
    assert meter.evaluator.n_losses == 90


def test_what_is_remembered_is_what_the_evaluator_says():
    evaluator, meter = planted_evaluator(), meter_of()
    rng = np.random.default_rng(0)
    for _ in range(20):
        flips = Flips(frozenset({0}), rng.choice(8, 4, replace=False).tolist())
        subsets = flips if rng.random() < 0.5 else list(flips)
        rows = rng.choice(60, 15, replace=False)
        found = meter.losses(subsets, rows)
        assert found.tolist() == evaluator.losses(subsets, rows).tolist()
    assert meter.evaluator.n_losses < evaluator.n_losses


def test_a_race_that_is_run_again_costs_nothing():
    meter = meter_of()
    contest = Contest(Flips(frozenset({0}), range(1, 8)), frozenset({0}), challenge=True)
    first = Brace().decide(contest, meter, np.random.default_rng(0))
    spent, n_losses = meter.evaluations, meter.evaluator.n_losses
    again = Brace().decide(contest, meter, np.random.default_rng(0))
    assert (meter.evaluations, meter.evaluator.n_losses) == (spent, n_losses)
    assert again.losses.tolist() == first.losses.tolist()


def test_draws_on_several_rows_are_remembered():
    meter = meter_of()
    masks = np.zeros((12, 8), dtype=bool)
    masks[:, 1] = True
    masks[9:, 2] = True  # too few to be worth it
    drawn = meter.draw_losses(masks, ROWS[:12])
    assert meter.evaluator.n_losses == 12
    remembered = meter.losses([frozenset({1})], ROWS[:9])
    assert remembered[0].tolist() == drawn[:9].tolist()
    assert meter.evaluator.n_losses == 12
    meter.losses([frozenset({1})], ROWS[:12])
    assert meter.evaluator.n_losses == 15
    meter.losses([frozenset({1, 2})], ROWS[9:12])
    assert meter.evaluator.n_losses == 18


def test_notes_and_subsets_that_are_too_many_are_forgotten(monkeypatch):
    monkeypatch.setattr("thresher.run._memory._LATEST", 20)
    monkeypatch.setattr("thresher.run._memory._MAX_CELLS", 3 * 60)
    evaluator = planted_evaluator()
    memory = RowMemory(60)
    masks = np.zeros((10, 8), dtype=bool)
    for variable in range(6):
        drawn = masks.copy()
        drawn[:, variable] = True
        memory.note(drawn, ROWS[:10], evaluator.draw_losses(drawn, ROWS[:10]))
    _, n_new = memory.ask(evaluator, [frozenset({5})], ROWS[:10])
    assert n_new == 0
    _, n_new = memory.ask(evaluator, [frozenset({0})], ROWS[:10])
    assert n_new == 10
    many = Flips(frozenset(), range(8))
    found, _ = memory.ask(evaluator, many, ROWS[:10])
    assert found.tolist() == evaluator.losses(many, ROWS[:10]).tolist()
    _, n_new = memory.ask(evaluator, [frozenset({0})], ROWS[:10])
    assert n_new == 10
    _, n_new = memory.ask(evaluator, [frozenset({7})], ROWS[:10])
    assert n_new == 0


def test_some_of_the_rows_are_a_fraction_of_an_evaluation():
    meter = meter_of()
    assert meter.evaluations == 0
    meter.losses([frozenset({0})], ROWS[:15])
    assert meter.evaluations == 1
    meter.losses([frozenset({0})], ROWS[:60])
    assert meter.evaluations == 1
    meter.losses([frozenset({1}), frozenset({2})], ROWS[:31])
    assert meter.evaluations == 3
    meter.draw_losses(np.eye(8, dtype=bool)[[3] * 57], ROWS[:57])
    assert meter.evaluations == 3
    meter.draw_losses(np.eye(8, dtype=bool)[[3] * 3], ROWS[57:])
    assert meter.evaluations == 4
    meter.losses([frozenset({4})])
    assert meter.evaluations == 5


def test_a_part_is_a_fraction_of_an_evaluation():
    model = DecisionTreeRegressor(max_depth=2, random_state=0)
    meter = meter_of(evaluator_for(model, *planted_table(4), cv=5))
    subsets = [frozenset({v}) for v in range(4)]
    for part in range(5):
        meter.part_losses(subsets, part)
        assert meter.evaluations == int(np.ceil(4 * (part + 1) / 5))
    meter.draw_losses(np.eye(4, dtype=bool), np.arange(4))
    assert meter.evaluations == 5
    assert meter.evaluator.n_fits == 24


def test_those_who_want_to_know_are_told_of_fractions_too():
    told = []
    meter = Meter(planted_evaluator(), Budget(), told=[told.append])
    for start in range(0, 60, 20):
        meter.losses([frozenset({0}), frozenset({1})], ROWS[start : start + 20])
    assert told == [1, 2, 2]


def test_nothing_is_asked_for_when_the_budget_is_spent():
    meter = meter_of(max_evaluations=1)
    meter.losses([frozenset({0})], ROWS)
    n_losses = meter.evaluator.n_losses
    with pytest.raises(BudgetSpent):
        meter.losses([frozenset({1})], ROWS[:5])
    with pytest.raises(BudgetSpent):
        meter.draw_losses(np.eye(8, dtype=bool), ROWS[:8])
    with pytest.raises(BudgetSpent):
        meter.losses([frozenset({1})])
    assert meter.evaluator.n_losses == n_losses


def test_the_clock_ends_a_race():
    meter = meter_of(max_time=1e-9)
    with pytest.raises(BudgetSpent):
        Brace().decide(Contest(Flips(frozenset(), range(8))), meter, np.random.default_rng(0))
    assert meter.evaluator.n_losses == 0


@pytest.mark.parametrize("strategy", [Forward(), HillClimbing("full"), SchemataPlus()], ids=repr)
@pytest.mark.parametrize("limit", [1, 3, 6])
def test_budgets_hold_in_races_but_for_the_last_block_of_rows(strategy, limit):
    run = search(
        strategy,
        Space(8),
        planted_evaluator(),
        Brace(),
        random_state=0,
        budget=Budget(max_evaluations=limit),
    )
    assert run.subset
    assert run.subset <= frozenset(range(8))
    assert run.losses <= 60 * limit + 8 * 10
    assert run.ending == "complete" or run.losses >= 60 * (limit - 1)


@pytest.mark.parametrize("judge", [Brace(), Race()], ids=["brace", "race"])
def test_schemata_that_are_cut_short_still_give_a_subset(judge):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 12))
    y = X[:, 0] + 0.5 * X[:, 1] + rng.normal(size=300)
    evaluator = evaluator_for(KNeighborsRegressor(3), X, y, cv="loo")
    subsets = []
    for limit in (1, 2, 5):
        run = search(
            Schemata(),
            Space(12),
            evaluator,
            judge,
            random_state=0,
            budget=Budget(max_evaluations=limit),
        )
        assert run.ending == "budget"
        assert run.evaluations >= limit
        assert run.losses <= 300 * limit + 1024
        assert run.subset
        subsets.append(run.subset)
    assert 0 in subsets[-1]


def test_a_budget_that_is_large_enough_changes_nothing():
    runs = [
        search(Schemata(), Space(8), planted_evaluator(), Brace(), random_state=0, budget=budget)
        for budget in (None, Budget(max_evaluations=10_000))
    ]
    assert [run.ending for run in runs] == ["complete", "complete"]
    assert runs[0].subset == runs[1].subset == {0, 1}
    assert runs[0].losses == runs[1].losses
    assert runs[0].evaluations == runs[1].evaluations
