"""Axes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties import examples
from thresher.report._scale import count_scale, linear_scale, ratio_scale

numbers = st.floats(-1e300, 1e300) | st.floats(-1.0, 1.0)


@examples(100)
@given(st.lists(numbers, min_size=1, max_size=5), st.booleans())
def test_linear_axes_hold_their_values_in_order(values, zero):
    scale = linear_scale(values, zero=zero)
    places = [scale.at(value) for value in sorted(values)]
    assert places == sorted(places)
    assert all(0 <= place <= 100 for place in places)
    assert 2 <= len(scale.ticks()) <= 12


@examples(100)
@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=5))
def test_ratio_axes_hold_the_threshold(values):
    scale = ratio_scale(values)
    assert 0 < scale.at(1.0) < 100
    assert all(0 <= scale.at(value) <= 100 for value in values)
    assert any(tick.label == "1" for tick in scale.ticks())


@examples(100)
@given(st.lists(st.integers(0, 100_000), min_size=2, max_size=5))
def test_count_axes_hold_their_counts(counts):
    scale = count_scale(counts)
    assert all(0 <= scale.at(count) <= 100 for count in counts)
    assert len(scale.ticks()) <= 18


def test_marks_are_round_and_every_other_one_may_go():
    ticks = linear_scale([0.02, 0.41], zero=True).ticks()
    assert [tick.label for tick in ticks] == ["0", "0.1", "0.2", "0.3", "0.4", "0.5"]
    assert [tick.minor for tick in ticks] == [False, True] * 3


@pytest.mark.parametrize("value", [0.0, 5e-324, 1e-300, 3.0])
def test_a_single_value_has_an_axis(value):
    assert linear_scale([value, value]).at(value) == pytest.approx(50, abs=30)
