"""The smallest size that is enough."""

import numpy as np
import pytest

from thresher.sufficiency import choose_size
from thresher.sufficiency._choice import reference_of, sizes_to_judge

RNG = np.random.default_rng(0)
NOISE = RNG.normal(0.0, 0.01, (12, 300))
#: Losses differ from row to row, alike for all sizes.
ROWS = RNG.random(300)
FOLDS = np.arange(300) % 10


def losses(*means, rough=0.0):
    """Losses by size, from 0 on."""
    return {size: mean + ROWS + NOISE[size] * (1 + rough * 100) for size, mean in enumerate(means)}


def choose(by_learner, tolerance=0.05, **more):
    reference = more.pop("reference", None) or reference_of(by_learner, FOLDS)
    return choose_size(by_learner, reference, 270, tolerance=tolerance, confidence=0.95, **more)


def verdicts(choice):
    return [own.verdict for own in choice.sizes]


def test_the_smallest_size_that_is_enough():
    choice = choose({"trees": losses(5, 2, 1.01, 1, 1.005)})
    assert (choice.chosen, choice.best, choice.learner) == (2, 3, "trees")
    assert verdicts(choice) == ["not enough", "not enough", "enough", "enough", "enough"]
    best = choice.at(3)
    assert best.at_most < 0.01
    for own in choice.sizes:
        assert own.low <= own.loss <= own.high
        assert own.at_most >= max(own.high - best.loss, 0) / best.loss - 0.01


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
    choice = choose({"trees": losses(5, 2.02, 2, 2), "linear": losses(5, 1, 1, 1)})
    assert choice.learner == "linear"
    assert choice.chosen == 1


def test_no_learner_is_starved():
    trees = losses(5, 1, 1, 1)
    choice = choose({"trees": trees, "linear": losses(5, 3.8, 1.24, 1.2)})
    assert choice.learner == "trees"
    assert verdicts(choice) == ["not enough", "not enough", "enough", "enough"]
    assert choice.chosen == 2


def test_a_size_with_the_lowest_loss_by_luck_is_compared_with_what_other_folds_chose():
    lucky = losses(5, 1, 1, 1, rough=1)
    lucky[1] = lucky[1] - 0.05
    by_learner = {"trees": lucky}
    reference = reference_of(by_learner, FOLDS)
    lowest = min(own.mean() for own in lucky.values())
    assert reference.best.mean() >= lowest
    # the bounds of the rise over all variables are too wide
    assert choose(by_learner, 0.01).chosen == 3


def test_other_folds_choose_the_size_that_counts_for_a_fold():
    folds = np.array([0, 0, 1, 1, 2, 2])
    by_size = {
        0: np.full(6, 9.0),
        1: np.array([1.0, 1, 5, 5, 3, 3]),
        2: np.array([5.0, 5, 1, 1, 2, 2]),
        3: np.full(6, 8.0),
    }
    reference = reference_of({"trees": by_size}, folds)
    # fold 0 by 1 and 2: size 2; fold 1 by 0 and 2: size 1; fold 2 by 0 and 1: the smaller one
    assert reference.best.tolist() == [5, 5, 5, 5, 3, 3]
    assert reference.everything["trees"].tolist() == [8] * 6
    assert reference.nothing["trees"].tolist() == [9] * 6


def test_all_variables_are_the_best_set_where_what_folds_choose_is_worse():
    by_size = {0: np.full(4, 9.0), 1: np.array([1.0, 1, 9, 9]), 2: np.full(4, 2.0)}
    reference = reference_of({"trees": by_size}, np.array([0, 0, 1, 1]))
    assert reference.best.tolist() == [2, 2, 2, 2]


def test_a_size_must_be_enough_beside_all_variables_too():
    one, other = np.zeros(300), np.zeros(300)
    one[:150], other[150:] = 1.0, 1.0
    by_learner = {"trees": {0: np.full(300, 9.0), 1: one, 2: other}}
    # equal to the best set, but row by row far from all variables: the rows cannot tell
    reference = reference_of({"trees": {0: np.full(300, 9.0), 1: one, 2: one}}, FOLDS)
    reference = type(reference)("trees", one, {"trees": other}, reference.nothing)
    choice = choose(by_learner, 0.1, reference=reference)
    assert verdicts(choice)[1] == "cannot tell"


def test_where_no_size_is_enough_all_variables_stay():
    by_learner = {"trees": losses(5, 3, 1.3, 1.29, rough=1)}
    reference = reference_of(by_learner, FOLDS)
    better = reference.best - 0.1
    reference = type(reference)("trees", better, reference.everything, reference.nothing)
    choice = choose(by_learner, 0.1, reference=reference)
    assert "enough" not in verdicts(choice)
    assert choice.chosen == 3


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
