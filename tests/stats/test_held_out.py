"""Intervals of means over rows that cross-validation held out."""

import numpy as np
import pytest
from scipy import stats

from thresher.stats import held_out_interval


def test_numbers_get_students_interval_with_the_correction():
    values = np.random.default_rng(0).normal(size=40)
    found = held_out_interval(values, 32)
    error = values.std(ddof=1) * np.sqrt(1 / 40 + 1 / 32)
    low, high = stats.t.interval(0.95, 39, values.mean(), error)
    assert (found.mean, found.low, found.high) == pytest.approx((values.mean(), low, high))


def test_errors_get_wilsons_interval():
    errors = np.repeat([1, 0], [7, 33])
    found = held_out_interval(errors, np.inf)
    plain = held_out_interval(errors, np.inf, of="errors")
    expected = stats.binomtest(7, 40).proportion_ci(method="wilson")
    # Student's quantile in place of the normal one makes it a little wider
    assert plain.low == pytest.approx(expected.low, abs=0.01)
    assert plain.high == pytest.approx(expected.high, abs=0.01)
    assert plain.mean == found.mean == 7 / 40


@pytest.mark.parametrize(("value", "side"), [(0, "high"), (1, "low")])
def test_no_error_at_all_is_no_certainty(value, side):
    found = held_out_interval(np.full(30, value), 24, of="errors")
    assert found.mean == value
    assert abs(getattr(found, side) - value) > 0.1


def test_equal_predictions_are_no_certainty_either():
    found = held_out_interval(np.zeros(50), 40, of="differences of errors")
    assert found.low < 0 < found.high
    assert found.low == -found.high


def test_fewer_training_rows_mean_less_certainty():
    values = np.random.default_rng(1).normal(size=50)
    narrow, wide = held_out_interval(values, 1e9), held_out_interval(values, 40)
    assert wide.high - wide.low == pytest.approx(1.5 * (narrow.high - narrow.low))


@pytest.mark.parametrize("share", [0.02, 0.3, 0.5])
def test_errors_are_covered_as_often_as_promised_or_more(share):
    rng = np.random.default_rng(2)
    found = [held_out_interval(rng.random(60) < share, np.inf, of="errors") for _ in range(500)]
    assert np.mean([own.low <= share <= own.high for own in found]) > 0.93


def test_one_row_is_not_enough():
    with pytest.raises(ValueError, match="at least 2 rows"):
        held_out_interval([1.0], 5)
