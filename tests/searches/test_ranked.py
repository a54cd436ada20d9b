"""The beginnings of a ranking."""

import numpy as np
import pytest

from thresher.races import Brace, Exhaustive
from thresher.run import Budget, search
from thresher.searches import Ranked, Space
from thresher.testing import check_strategy
from thresher.testing._planted import planted_evaluator

from .told import told


def compared_by(strategy, n_variables, loss_of, required=()):
    """The result for losses from a function, and the subsets compared."""
    found, contests = told(strategy, n_variables, loss_of, required)
    return found, [subset for contest in contests for subset in contest.candidates]


def test_all_beginnings_are_compared_at_once():
    found, compared = compared_by(Ranked((2, 0, 3, 1)), 4, lambda subset: len(subset ^ {0, 2, 3}))
    assert compared == [{2}, {0, 2}, {0, 2, 3}, {0, 1, 2, 3}]
    assert found == {0, 2, 3}


def test_without_a_ranking_variables_come_in_their_own_order():
    assert compared_by(Ranked(), 3, len)[1] == [{0}, {0, 1}, {0, 1, 2}]


def test_the_smallest_of_equals_is_taken():
    assert compared_by(Ranked((3, 1, 0)), 4, lambda subset: float(1 not in subset))[0] == {1, 3}


def test_what_is_not_in_the_ranking_is_never_added():
    found, compared = compared_by(Ranked(np.array([4, 1])), 6, lambda subset: -len(subset))
    assert found == {1, 4}
    assert len(compared) == 2


def test_required_variables_are_in_all_and_where_they_stand_makes_no_difference():
    expected = [{1, 4}, {1, 3, 4}, {0, 1, 3, 4}]
    for order in ((3, 0), (4, 3, 1, 0), (3, 4, 4, 0, 1)):
        assert compared_by(Ranked(order), 5, len, required={1, 4})[1] == expected


@pytest.mark.parametrize(
    ("n_features", "sizes"),
    [("auto", [2, 3, 4, 5]), (3, [3]), ((3, 4), [3, 4]), ((1, 3), [2, 3]), ((4, 6), [4, 5])],
    ids=str,
)
def test_n_features_counts_all_variables(n_features, sizes):
    strategy = Ranked((5, 3, 2), n_features)
    _, compared = compared_by(strategy, 6, len, required={0, 1})
    assert [len(subset) for subset in compared] == sizes


def test_small_spaces():
    assert compared_by(Ranked(), 1, len) == ({0}, [{0}])
    assert compared_by(Ranked(), 3, len, required=range(3)) == (frozenset(range(3)), [])
    assert compared_by(Ranked((0,)), 2, len, required={0}) == ({0}, [])


@pytest.mark.parametrize("judge", [Exhaustive(), Brace()], ids=repr)
def test_the_learner_says_how_many(judge):
    strategy = Ranked((0, 1, 5, 2, 3, 4, 6, 7))
    check_strategy(Ranked())
    found = search(strategy, Space(8), planted_evaluator(), judge, random_state=0)
    assert found.subset == {0, 1}
    assert len(found.steps) == strategy.n_steps(Space(8)) == 1
    assert found.steps[0].accepted


@pytest.mark.parametrize("n_evaluations", [1, 3])
def test_a_budget_leaves_a_legal_subset(n_evaluations):
    budget = Budget(max_evaluations=n_evaluations)
    strategy, space = Ranked((3, 0, 1)), Space(8, {6})
    found = search(strategy, space, planted_evaluator(), Exhaustive(), budget=budget)
    assert found.ending == "budget"
    assert {6} <= found.subset <= {0, 1, 3, 6}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": (1, 2, 1)}, "order must hold each variable once; 1 is in it more than once"),
        ({"order": (1, 4)}, "order must hold variables, 0 to 3; got 4"),
        ({"order": (-1,)}, "order must hold variables, 0 to 3; got -1"),
        ({"order": (0.5,)}, "order must hold variables, 0 to 3; got 0.5"),
        ({"order": ("age",)}, "order must hold variables, 0 to 3; got 'age'"),
        ({"order": (0, 1), "n_features": 3}, "n_features=3 is more than the 2 variables"),
        ({"n_features": 5}, "n_features must lie in 1 .. 4"),
        ({"n_features": "few"}, "n_features must be a number, a range or 'auto'; got 'few'"),
    ],
    ids=str,
)
def test_bad_parameters_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        compared_by(Ranked(**options), 4, len)


def test_of_very_many_variables_not_all_numbers_are_tried():
    compared = compared_by(Ranked(), 3000, len)[1]
    sizes = [len(subset) for subset in compared]
    assert sizes[:1000] == list(range(1, 1001))
    assert sizes[-1] == 3000
    assert len(sizes) < 1150
    assert np.max(np.diff(sizes)) <= 30


def test_a_range_beyond_a_thousand_is_kept_to():
    sizes = [len(subset) for subset in compared_by(Ranked(n_features=(1500, 1540)), 3000, len)[1]]
    assert sizes == [1500, 1515, 1530, 1540]
