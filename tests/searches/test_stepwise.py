"""Forward, backward and floating search on losses that are written down by hand."""

import itertools

import numpy as np
import pytest

from thresher.races import Outcome
from thresher.searches import Backward, Floating, Forward, Space
from thresher.testing import check_strategy

ALL = [
    Forward(), Forward(rule="one-standard-error"), Backward(),
    Backward(rule="one-standard-error"), Backward(patient=True), Floating(), Floating("backward"),
    Floating(rule="one-standard-error"), Floating("backward", rule="one-standard-error"),
]  # fmt: skip


@pytest.mark.parametrize("strategy", ALL, ids=repr)
def test_strategies_conform(strategy):
    check_strategy(strategy)


def run(strategy, loss_of, n_variables, *, error=0.0, required=()):
    """Drive a strategy with losses from a function of the subset."""
    search = strategy.run(Space(n_variables, required), np.random.default_rng(0))
    contest, sizes = next(search), []
    while True:
        losses = np.array([loss_of(subset) for subset in contest.candidates])
        best = contest.candidates[int(losses.argmin())]
        sizes.append(len(best))
        try:
            contest = search.send(Outcome(best, losses.min(), error, losses))
        except StopIteration as end:
            return sorted(end.value), sizes


def additive(subset):
    """Variables 0, 1, 2 help, less and less; the others do a little harm."""
    gain = {0: 4.0, 1: 2.0, 2: 1.0}
    return 10.0 - sum(gain.get(v, -0.1) for v in subset)


@pytest.mark.parametrize(
    "strategy", [Forward(), Backward(), Floating(), Floating("backward")], ids=repr
)
def test_auto_finds_what_helps(strategy):
    assert run(strategy, additive, 6)[0] == [0, 1, 2]


@pytest.mark.parametrize(
    "strategy",
    [
        Forward(n_features=2), Backward(n_features=2), Floating(n_features=2),
        Floating("backward", n_features=2), Forward(n_features=(1, 2)), Backward(n_features=(1, 2)),
    ],
    ids=repr,
)  # fmt: skip
def test_sizes_are_kept(strategy):
    assert run(strategy, additive, 6)[0] == [0, 1]


def test_tolerance_stops_forward_and_shrinks_backward():
    assert run(Forward(tolerance=1.5), additive, 6)[0] == [0, 1]
    assert run(Backward(tolerance=1.5), additive, 6)[0] == [0, 1]
    assert run(Floating("backward", tolerance=1.5), additive, 6)[0] == [0, 1]


@pytest.mark.parametrize(
    "strategy",
    [kind(rule="one-standard-error") for kind in (Forward, Backward, Floating)],
    ids=repr,
)
def test_one_standard_error_takes_the_smallest_subset_not_worse(strategy):
    assert run(strategy, additive, 6, error=1.2)[0] == [0, 1]


def test_required_variables_stay():
    for strategy in (Forward(), Backward(), Floating(), Floating("backward")):
        assert run(strategy, additive, 6, required=(5,))[0] == [0, 1, 2, 5]


def test_backward_accepts_ties():
    assert run(Backward(), lambda subset: 1.0 - (0 in subset), 5)[0] == [0]


def test_floating_takes_back_a_step_that_forward_cannot():
    # 0 is best alone, but 1 and 2 together make it useless: the textbook case for floating
    def nested(subset):
        table = {(0,): 5.0, (1,): 6.0, (2,): 6.5, (0, 1): 4.0, (0, 2): 4.5, (1, 2): 1.0}
        return table.get(tuple(sorted(subset)), 0.9 if len(subset) == 3 else 9.0)

    assert run(Forward(n_features=2), nested, 3)[0] == [0, 1]
    floating = Floating(n_features=(2, 3), rule="one-standard-error")
    assert run(floating, nested, 3, error=0.5)[0] == [1, 2]


def test_floating_is_better_than_its_plain_counterpart_on_average():
    rng = np.random.default_rng(5)
    gains = []
    for _ in range(600):
        table = {
            frozenset(subset): float(rng.integers(0, 50))
            for size in range(7)
            for subset in itertools.combinations(range(6), size)
        }
        found = [run(kind(n_features=3), table.__getitem__, 6)[0] for kind in (Forward, Floating)]
        assert [len(subset) for subset in found] == [3, 3]
        gains.append(table[frozenset(found[0])] - table[frozenset(found[1])])
    assert np.mean(gains) > 2 * np.std(gains) / np.sqrt(600)


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (Forward(n_features=0), "n_features must lie in 1 .. 6"),
        (Forward(n_features=7), "n_features must lie in 1 .. 6"),
        (Forward(n_features=(3, 2)), "n_features must lie in 1 .. 6"),
        (Forward(n_features=2.5), "n_features must be a whole number"),
        (Forward(n_features="all"), "n_features must be a number, a range or 'auto'"),
        (Forward(tolerance=-1), "tolerance must be a number"),
        (Backward(rule="worst"), "rule must be 'best'"),
        (Floating(direction="sideways"), "direction must be 'forward' or 'backward'"),
    ],
    ids=repr,
)
def test_bad_parameters_are_refused(strategy, message):
    with pytest.raises(ValueError, match=message):
        run(strategy, additive, 6)


def test_more_columns_to_keep_than_features_wanted_is_refused():
    with pytest.raises(ValueError, match="less than the 2 columns to keep"):
        run(Forward(n_features=1), additive, 6, required=(0, 1))


def test_patience_goes_past_a_rise_and_looks_back():
    by_size = {4: 0.2, 3: 0.3, 2: 0.1, 1: 0.15}

    def loss_of(subset):
        return by_size[len(subset)]

    assert run(Backward(), loss_of, 4) == ([0, 1, 2, 3], [4, 3])
    assert run(Backward(patient=True), loss_of, 4) == ([2, 3], [4, 3, 2, 1])
    assert run(Backward(tolerance=0.05, patient=True), loss_of, 4)[0] == [3]
    patient = Backward(rule="one-standard-error", patient=True)
    assert run(patient, loss_of, 4, error=0.06)[0] == [3]
