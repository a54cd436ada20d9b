"""Copies leave the chosen set if the rest is enough."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge

from tests.sufficiency.tables import N_ROWS, problem_of, signals
from thresher.sufficiency import find_sufficient
from thresher.sufficiency._choice import choose_size, reference_of
from thresher.sufficiency._copies import copies_in, without_copies
from thresher.sufficiency._paths import PathLosses

ROWS = np.random.default_rng(0).random(400)
FOLDS = np.arange(400) % 5


def path(*means):
    """A path of so many variables less one, with these mean losses by size."""
    losses = {size: mean + ROWS for size, mean in enumerate(means)}
    sets = {size: (tuple(range(size)),) * 5 for size in losses}
    return PathLosses(tuple(range(len(means) - 1)), sets, {"trees": losses})


def drop(copies, needed, own=None):
    """What is left of four variables, each of those needed worth a whole loss."""
    start = own or path(5, 4, 3, 2, 1)
    reference = reference_of(start.losses, FOLDS)

    def choose(of):
        return choose_size(of.losses, reference, 320)

    asked = []

    def losses_of(variables):
        asked.append(tuple(variables))
        return {"trees": 1.0 + len(needed - set(variables)) + ROWS}

    found, choice = without_copies(start, choose(start), copies, losses_of, choose)
    return found, choice, asked


def test_copies_come_after_those_that_are_needed_more():
    assert copies_in([4, 1, 3, 2], [(2, 1), (3, 9), (4, 7)]) == [2]
    assert copies_in([1, 2, 3, 4, 5], [(5, 1), (2, 3, 4)]) == [5, 4, 3]
    assert copies_in([1, 2], []) == []


def test_all_copies_go_at_once_if_the_rest_is_enough():
    found, choice, asked = drop([3, 2], needed={0, 1})
    assert asked == [(0, 1)]
    assert choice.chosen == 2
    assert found.order == (0, 1, 2, 3)
    assert sorted(found.sets) == [0, 1, 2, 4], "sizes in between are no longer sets of the order"
    assert found.sets[2] == ((0, 1),) * 5


def test_copies_that_are_needed_stay():
    found, choice, asked = drop([3, 2, 1], needed={0, 2})
    assert asked == [(0,), (0, 1, 2), (0, 1), (0, 2)]
    assert choice.chosen == 2
    assert set(found.order[:2]) == {0, 2}
    found, choice, _ = drop([3, 2], needed={0, 1, 2, 3})
    assert choice.chosen == 4
    assert sorted(found.sets) == [0, 1, 2, 3, 4]


def test_one_copy_is_tried_once():
    _, choice, asked = drop([3], needed={3})
    assert (choice.chosen, asked) == (4, [(0, 1, 2)])


def test_without_copies_nothing_is_tried():
    start = path(5, 4, 3, 2, 1)
    found, choice, asked = drop([], needed=set(), own=start)
    assert found is start
    assert (choice.chosen, asked) == (4, [])


@pytest.mark.parametrize("estimator", [None, Ridge()])
def test_a_column_that_is_there_twice_is_selected_once(estimator):
    X, number = signals(4)
    frame = pd.DataFrame(X[:, :3], columns=list("abc"))
    frame["a again"] = 3 * frame["a"] + 1
    frame["b again"] = frame["b"]
    problem, columns = problem_of(frame, number)
    found = find_sufficient(problem, columns, estimator=estimator, y=number)
    names = {columns.names[v] for v in found.chosen}
    assert {"a", "b"} <= names <= {"a", "b", "c"}
    assert len(number) == N_ROWS
