"""Fewer and fewer variables: sizes, folds that hold rows out, and the order on all rows."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties import examples
from tests.sufficiency.tables import FOLD_OF_ROW, FOLDS, N_ROWS, problem_of, question, signals
from thresher.journal import Entry, opened
from thresher.sufficiency import eliminate_everywhere, eliminate_in_folds, path_sizes
from thresher.sufficiency._design import make_design
from thresher.sufficiency._learners import BoostedTrees, LinearModel, Trial

SEED = np.random.SeedSequence(5)


class Scripted:
    """Needs variables in a known order, other ones in other folds if so asked."""

    def __init__(self, needs, name="scripted", by_fold=0):
        self.name = self.key = name
        self._needs, self._by_fold = np.asarray(needs, dtype=float), by_fold
        self.tried = []

    def try_sets(self, sets, fold_of_row):
        self.tried.append([tuple(own) for own in sets])
        needs = tuple(
            np.roll(self._needs, self._by_fold * fold)[list(own)] for fold, own in enumerate(sets)
        )
        return Trial(np.full(len(fold_of_row), float(len(sets[0]))), needs)


@examples(200)
@given(st.data())
def test_sizes_go_down_from_all_to_those_required(data):
    n = data.draw(st.integers(1, 5000))
    n_required = data.draw(st.integers(0, n))
    sizes = path_sizes(n, n_required)
    assert sizes[0] == n
    assert sizes[-1] == n_required
    assert all(later < earlier for earlier, later in pairwise(sizes))
    few = [size for size in sizes if size < 16]
    assert few == list(range(few[0] if few else 0, n_required - 1, -1))
    assert len(sizes) < 60


def test_a_table_whose_variables_all_stay_has_one_size():
    assert path_sizes(7, 7) == [7]


def test_what_is_required_stays_then_what_is_needed():
    learner = Scripted([1, 2, 3, 4])
    required = frozenset({0})
    found = eliminate_in_folds([learner], FOLDS, range(4), required=required)
    assert found.sets == {
        4: ((0, 1, 2, 3),) * 4,
        3: ((0, 2, 3),) * 4,
        2: ((0, 3),) * 4,
        1: ((0,),) * 4,
    }
    everywhere = eliminate_everywhere([learner], FOLDS, range(4), required=required)
    assert everywhere.order == (0, 3, 2, 1)
    assert everywhere.sets == found.sets


def test_a_path_may_start_from_some_variables():
    learner = Scripted([1, 5, 3, 4])
    found = eliminate_everywhere([learner], FOLDS, [3, 0, 2])
    assert found.order == (3, 2, 0)
    assert found.sets[3] == ((0, 2, 3),) * 4


def test_each_fold_drops_what_it_needs_least():
    found = eliminate_in_folds([Scripted([4, 3, 2, 1], by_fold=1)], FOLDS, range(4))
    assert found.sets[3] == ((0, 1, 2), (1, 2, 3), (0, 2, 3), (0, 1, 3))
    assert found.sets[1] == ((0,), (1,), (2,), (3,))
    assert found.sets[0] == ((),) * 4


def test_a_variable_stays_if_any_learner_needs_it():
    learners = [Scripted([9, 0, 0, 1], "one"), Scripted([0, 0, 9, 0], "other")]
    for eliminate in (eliminate_in_folds, eliminate_everywhere):
        found = eliminate(learners, FOLDS, range(4))
        assert found.sets[2] == ((0, 2),) * 4
        assert set(found.losses) == {"one", "other"}


def test_of_variables_needed_alike_the_first_stays():
    assert eliminate_everywhere([Scripted([1, 1, 1])], FOLDS, range(3)).order == (0, 1, 2)


@pytest.mark.parametrize("kind", ["squared", "logistic", "multinomial"])
def test_rows_held_out_have_no_say_in_what_is_dropped(kind):
    *_, design, y = question(kind, n_columns=9)
    changed = y.copy()
    changed[FOLD_OF_ROW == 0] = np.random.default_rng(1).permutation(y[FOLD_OF_ROW == 0])
    n_classes = 0 if kind == "squared" else len(np.unique(y))
    sizes = path_sizes(9)

    def sets(values):
        problem, _ = problem_of(signals(9)[0], values, n_classes)
        return eliminate_in_folds([LinearModel(problem, design)], FOLDS, range(9)).sets

    before, after = sets(y), sets(changed)
    assert all(before[size][0] == after[size][0] for size in sizes)
    assert any(before[size][1:] != after[size][1:] for size in sizes)


@pytest.mark.parametrize("kind", ["squared", "logistic"])
def test_the_order_is_nested_and_has_all_variables(kind):
    problem, _, design, _ = question(kind, n_columns=20)
    learners = [BoostedTrees(problem, SEED), LinearModel(problem, design)]
    found = eliminate_everywhere(learners, FOLDS, range(20))
    assert sorted(found.order) == list(range(20))
    for size in path_sizes(20):
        assert set(map(frozenset, found.sets[size])) == {frozenset(found.order[:size])}
    assert found.order[0] == 0


def test_the_number_of_workers_changes_nothing():
    problem, _, design, _ = question("logistic", n_columns=8)
    one, two = (
        eliminate_in_folds(
            [BoostedTrees(problem, SEED, n), LinearModel(problem, design, n)],
            FOLDS,
            range(8),
        )
        for n in (1, 2)
    )
    assert one.sets == two.sets
    for name, by_size in one.losses.items():
        for size, losses in by_size.items():
            np.testing.assert_array_equal(losses, two.losses[name][size])


@pytest.mark.parametrize("eliminate", [eliminate_in_folds, eliminate_everywhere])
def test_a_journal_spares_all_trials_of_a_second_run(eliminate, tmp_path):
    def run(journal, needs=(3, 1, 2)):
        learner = Scripted(needs, by_fold=1)
        found = eliminate([learner], FOLDS, range(3), journal=journal)
        return found, len(learner.tried)

    with opened(tmp_path / "run.db") as journal:
        first, n_first = run(journal)
    with opened(tmp_path / "run.db") as journal:
        again, n_again = run(journal)
    assert (n_first > 2, n_again) == (True, 0)
    assert (again.sets, again.order) == (first.sets, first.order)
    np.testing.assert_equal(again.losses, first.losses)


def test_a_journal_does_not_mistake_a_set_for_another_of_its_size(tmp_path):
    learner = Scripted([3, 2, 1])
    with opened(tmp_path / "run.db") as journal:
        eliminate_everywhere([learner], FOLDS, range(3), journal=journal)
        n_before = len(learner.tried)
        found = eliminate_everywhere(
            [learner], FOLDS, range(3), required=frozenset({2}), journal=journal
        )
    assert found.order == (2, 0, 1)
    assert [sets[0] for sets in learner.tried[n_before:]] == [(0, 2), (2,)]


def test_progress_is_told_and_may_end_the_work():
    told = []
    eliminate_in_folds([Scripted([1, 2])], FOLDS, range(2), progress=lambda *a: told.append(a))
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]

    def enough(done, _):
        if done:
            raise KeyboardInterrupt

    learner = Scripted([1, 2])
    with pytest.raises(KeyboardInterrupt):
        eliminate_everywhere([learner], FOLDS, range(2), progress=enough)
    assert len(learner.tried) == 1


def test_entries_of_a_journal_keep_losses_as_they_are(tmp_path):
    losses = np.random.default_rng(0).random(N_ROWS)
    with opened(tmp_path / "run.db") as journal:
        journal.note(Entry((losses, np.zeros((4, 0)))), "size", 0, "x")
        known = journal.recall("size", 0, "x")
    np.testing.assert_array_equal(known.arrays[0], losses)
    assert [len(part) for part in known.arrays[1]] == [0] * 4


def test_tables_of_categories_go_through_both_learners():
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue"], N_ROWS)
    X = pd.DataFrame({"colour": colour, "noise": rng.normal(size=N_ROWS)})
    problem, columns = problem_of(X, (colour == "red").astype(int), 2)
    learners = [BoostedTrees(problem, SEED), LinearModel(problem, make_design(columns))]
    found = eliminate_everywhere(learners, FOLDS, range(2))
    assert found.order == (0, 1)
