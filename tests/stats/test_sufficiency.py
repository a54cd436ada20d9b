"""Whether a set is enough: bounds of a rise, and what is read from them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.naive.sufficiency import bounds
from tests.properties import examples
from thresher.stats import ESTIMATED, AllowedRise, allowed_rise, sufficiency

NUMBERS = st.floats(-1e3, 1e3, allow_subnormal=False)


def up_to(bound):
    """A rise of that much is allowed, half of it as estimated."""
    return AllowedRise(bound, ESTIMATED * bound)


def test_the_allowed_rise_is_a_share_of_the_loss():
    assert allowed_rise(2.0, 100.0, 0.1) == pytest.approx((0.2, 0.1))
    assert allowed_rise(2.0, np.inf, 0.1) == pytest.approx((0.2, 0.1))
    assert allowed_rise(2.0, 100.0, 0.0) == (0.0, 0.0)


def test_where_little_is_gained_the_allowed_rise_is_a_share_of_the_gain():
    # five times the tolerance for the bound, and half of it for the estimate
    assert allowed_rise(1.0, 1.05, 0.1) == pytest.approx((0.025, 0.0025))
    assert allowed_rise(1.0, 1.5, 0.1) == pytest.approx((0.1, 0.025))
    assert allowed_rise(1.0, 1.0, 0.1) == (0.0, 0.0)
    assert allowed_rise(1.0, 0.5, 0.1) == (0.0, 0.0), "worse than knowing nothing"


def test_next_to_nothing_is_allowed_beside_predictions_that_are_nearly_perfect():
    assert allowed_rise(0.0, 2.0, 0.1) == pytest.approx((2e-4, 1e-4))
    assert allowed_rise(1e-9, 2.0, 0.1) == pytest.approx((2e-4, 1e-4))
    assert allowed_rise(1e-9, 2.0, 0.0) == (0.0, 0.0), "no worse at all"
    assert allowed_rise(0.0, np.inf, 0.1) == (0.0, 0.0)


def test_rows_that_fall_by_much_do_not_hide_that_hardly_any_rises():
    # without columns that disturb: a little higher everywhere, and much lower on a few rows
    best = np.zeros(300)
    best[:5] = 1.0
    losses = np.full(300, 1e-4)
    found = sufficiency(losses, best, 240, allowed=up_to(1e-3))
    assert found.verdict == "enough"
    assert 0 < found.high < 1.01e-4
    # the other way round it is not known
    assert sufficiency(best, losses, 240, allowed=up_to(1e-3)).high > 1e-2


@examples(100)
@given(
    st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=30),
    st.floats(1, 1e6),
    st.floats(0.5, 0.999),
)
def test_bounds_are_those_of_a_loop(pairs, n_train, confidence):
    losses, best = np.array(pairs).T
    found = sufficiency(losses, best, n_train, allowed=up_to(0.0), confidence=confidence)
    mean, low, high = bounds(losses, best, n_train, confidence)
    near = {"rel": 1e-9, "abs": 1e-6}
    assert found.rise == pytest.approx(mean, **near)
    assert found.low == pytest.approx(low, **near)
    assert found.high == pytest.approx(high, **near)
    assert found.loss == pytest.approx(losses.mean(), **near)
    assert found.best == pytest.approx(best.mean(), **near)


def test_without_shared_training_rows_bounds_are_those_of_student():
    losses, best = np.random.default_rng(0).normal(size=(2, 40))
    found = sufficiency(losses, best, np.inf, allowed=up_to(0.0), confidence=0.95)
    student = stats.ttest_rel(losses, best).confidence_interval(0.90)  # 5 % on either side
    assert (found.low, found.high) == pytest.approx((student.low, student.high))


@pytest.mark.parametrize("n_folds", [2, 5, 10])
def test_shared_training_rows_widen_the_bounds_as_nadeau_and_bengio_say(n_folds):
    losses, best = np.random.default_rng(1).normal(size=(2, 100))
    alone = sufficiency(losses, best, np.inf, allowed=up_to(0.0))
    found = sufficiency(losses, best, 100 * (n_folds - 1) / n_folds, allowed=up_to(0.0))
    # their factor is 1 / J + n_test / n_train for J test sets, here of n / J rows each
    factor = (1 / n_folds + 1 / (n_folds - 1)) / (1 / n_folds)
    width = (found.high - found.low) / (alone.high - alone.low)
    assert width**2 == pytest.approx(factor)


@pytest.mark.parametrize("n_folds", [2, 10])
def test_bounds_cover_the_true_rise(n_folds):
    """The mean of the training rows as a prediction, beside 0, which is the truth."""
    rng = np.random.default_rng(0)
    n, n_runs = 60, 4000
    n_train = n * (n_folds - 1) // n_folds
    fold_of_row = np.arange(n) % n_folds
    above = below = above_alone = 0
    for _ in range(n_runs):
        y = rng.normal(size=n)
        sums = np.bincount(fold_of_row, weights=y)
        prediction = ((y.sum() - sums) / n_train)[fold_of_row]
        found = sufficiency((y - prediction) ** 2, y**2, n_train, allowed=up_to(0.0))
        alone = sufficiency((y - prediction) ** 2, y**2, np.inf, allowed=up_to(0.0))
        above += found.high >= 1 / n_train
        above_alone += alone.high >= 1 / n_train
        below += found.low <= 1 / n_train
    assert above / n_runs > above_alone / n_runs
    assert above / n_runs >= 0.94
    assert below / n_runs >= 0.94


@pytest.mark.parametrize("kind", ["normal", "rare falls"])
def test_the_lower_of_two_upper_bounds_still_covers_the_true_rise(kind):
    rng = np.random.default_rng(0)
    n, n_runs = 60, 2000
    covered = 0
    for _ in range(n_runs):
        if kind == "normal":
            rise, true_rise = rng.normal(0.02, 1.0, n), 0.02
        else:
            rise, true_rise = np.where(rng.random(n) < 0.05, -1.0, 0.02), 0.95 * 0.02 - 0.05
        found = sufficiency(rise, np.zeros(n), np.inf, allowed=up_to(0.0))
        covered += found.high >= true_rise - 1e-12
    assert covered / n_runs >= 0.94


def test_what_is_read_from_the_bounds():
    best = np.zeros(50)
    rise = np.full(50, 0.1) + np.linspace(-0.05, 0.05, 50)

    def verdict(allowed):
        return sufficiency(rise, best, 45, allowed=up_to(allowed)).verdict

    found = sufficiency(rise, best, 45, allowed=up_to(0.1))
    assert found.low < 0.1 < found.high
    assert verdict(2 * found.rise + 1e-9) == "enough"
    # within the bounds, but more than half of what is allowed
    assert verdict(2 * found.rise - 1e-9) == "not enough"
    assert verdict(found.high) == "not enough"
    assert verdict(np.nextafter(found.high, 0)) == "cannot tell"
    assert verdict(found.low) == "cannot tell"
    assert verdict(np.nextafter(found.low, 0)) == "not enough"


def test_few_rows_cannot_tell_what_many_can():
    rng = np.random.default_rng(2)
    best = rng.normal(1.0, 0.1, 4000)
    rise = best + 0.01 + rng.normal(0.0, 0.5, 4000)
    few = sufficiency(rise[:20], best[:20], 18, allowed=up_to(0.1))
    many = sufficiency(rise, best, 3600, allowed=up_to(0.1))
    assert (few.verdict, many.verdict) == ("cannot tell", "enough")


def test_a_set_is_enough_beside_itself():
    losses = np.random.default_rng(3).random(20)
    found = sufficiency(losses, losses, 18, allowed=up_to(0.0))
    assert found.verdict == "enough"
    assert (found.rise, found.low, found.high) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(("rise", "verdict"), [(0.25, "not enough"), (-0.25, "enough")])
def test_a_rise_without_variance_leaves_no_doubt(rise, verdict):
    found = sufficiency(np.full(9, 1 + rise), np.ones(9), 8, allowed=up_to(0.1))
    assert found.verdict == verdict
    assert found.low == found.high == rise


def test_two_rows_are_few_but_will_do():
    found = sufficiency([1.0, 2.0], [1.0, 1.0], 1, allowed=up_to(0.1))
    assert found.verdict == "cannot tell"
    assert np.isfinite([found.low, found.high]).all()


@pytest.mark.parametrize("n", [0, 1])
def test_fewer_rows_are_refused(n):
    with pytest.raises(ValueError, match=f"at least 2 rows held out; got {n}"):
        sufficiency([1.0] * n, [1.0] * n, 10, allowed=up_to(0.1))


def test_a_higher_confidence_is_never_bolder():
    losses, best = np.random.default_rng(4).normal(size=(2, 30))
    wide, narrow = (
        sufficiency(losses, best, 27, allowed=up_to(0.2), confidence=level) for level in (0.99, 0.9)
    )
    assert wide.low < narrow.low < narrow.rise < narrow.high < wide.high
