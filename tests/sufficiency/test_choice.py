"""The smallest size that is enough."""

import numpy as np
import pytest

from thresher.sufficiency import choose_size
from thresher.sufficiency._choice import sizes_to_judge

RNG = np.random.default_rng(0)
NOISE = RNG.normal(0.0, 0.01, (12, 300))
#: Losses differ from row to row, alike for all sizes.
ROWS = RNG.random(300)


def losses(*means, rough=0.0):
    """Losses by size, from 0 on."""
    return {size: mean + ROWS + NOISE[size] * (1 + rough * 100) for size, mean in enumerate(means)}


def choose(by_learner, tolerance=0.05, **more):
    return choose_size(by_learner, 270, tolerance=tolerance, confidence=0.95, **more)


def verdicts(choice):
    return [own.verdict for own in choice.sizes]


def test_the_smallest_size_that_is_enough():
    choice = choose({"trees": losses(5, 2, 1.01, 1, 1.005)})
    assert (choice.chosen, choice.best, choice.learner) == (2, 3, "trees")
    assert verdicts(choice) == ["not enough", "not enough", "enough", "enough", "enough"]
    best = choice.at(3)
    assert best.low == best.loss == best.high
    assert best.at_most == 0.0
    for own in choice.sizes:
        assert own.low <= own.loss <= own.high
        assert own.at_most == pytest.approx(max(own.high - best.loss, 0) / best.loss)


def test_what_the_rows_cannot_tell_is_not_enough():
    choice = choose({"trees": losses(5, 1.05, 1.0, rough=1)}, tolerance=0.06)
    assert choice.at(1).verdict == "cannot tell"
    assert choice.chosen == 2


def test_a_larger_tolerance_never_asks_for_more():
    by_learner = {"trees": losses(5, 2, 1.5, 1.2, 1.1, 1.05, 1.02, 1.0)}
    sizes = [choose(by_learner, tolerance).chosen for tolerance in (0, 0.01, 0.05, 0.1, 0.2, 1)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 7


def test_where_nothing_helps_nothing_is_chosen():
    same = dict.fromkeys(range(4), 1 + ROWS)
    choice = choose({"trees": same})
    assert (choice.chosen, choice.best) == (0, 0)
    assert set(verdicts(choice)) == {"enough"}


def test_the_learner_that_predicts_best_decides():
    # trees need another column, but lose by no more than they may
    choice = choose({"trees": losses(5, 2.2, 2, 2), "linear": losses(5, 1, 1, 1)})
    assert choice.learner == "linear"
    assert choice.chosen == 1


def test_no_learner_is_starved():
    trees = losses(5, 1, 1, 1)
    choice = choose({"trees": trees, "linear": losses(5, 3.8, 1.4, 1.2)})
    assert choice.learner == "trees"
    assert verdicts(choice) == ["not enough", "not enough", "enough", "enough"]
    assert choice.chosen == 2


def test_a_learner_that_learns_nothing_is_not_starved():
    choice = choose({"trees": losses(5, 1, 1, 1), "linear": losses(5, 9, 8, 7)})
    assert choice.chosen == 1


@pytest.mark.parametrize(("most", "chosen"), [(5, 3), (3, 3), (2, 2), (1, 1), (0, 0)])
def test_no_larger_size_than_allowed(most, chosen):
    choice = choose({"trees": losses(5, 4, 2, 1, 1, 1)}, most=most)
    assert choice.chosen == chosen
    assert choice.best == 3 or choice.at(choice.best).verdict == "enough"


def test_where_none_is_enough_the_lowest_loss_of_those_allowed_is_taken():
    choice = choose({"trees": losses(5, 3, 4, 1)}, most=2)
    assert choice.chosen == 1
    assert choice.at(1).verdict == "not enough"


def test_perfect_predictions_bound_every_rise():
    perfect = {0: 1 + ROWS, 1: np.zeros(300), 2: np.zeros(300)}
    choice = choose({"trees": perfect})
    assert choice.chosen == 1
    assert choice.at(1).at_most == 0.0
    assert choice.at(0).at_most == np.inf


def test_few_sizes_are_judged_where_each_costs_much():
    sizes = list(range(40, -1, -1))
    few = sizes_to_judge(sizes, 9)
    assert few[0] == 40
    assert few[-1] == 0
    assert few == sorted(few, reverse=True)
    assert len(few) == 9
    assert sizes_to_judge(sizes, 100) == sizes
