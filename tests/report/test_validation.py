"""Validation and stability."""

import pytest

from tests.report import contents
from thresher.report import summarise
from thresher.report._draw_bars import draw_differences, draw_losses

BOUNDS = ("mean", "low", "high")


def test_losses_are_named_and_compared_in_words():
    own = summarise(contents.validated()).validation
    assert [m.label for m in own.losses][:2] == ["selected columns", "all columns"]
    assert own.loss == "share of rows predicted wrongly"
    assert [d.outcome for d in own.differences] == ["alike", "better", "better"]
    assert own.differences[0].words.startswith("no worse than all columns, as far as 569 rows can")
    assert "difference 0.005 (\N{MINUS SIGN}0.01 to 0.02)" in own.differences[0].words
    assert own.differences[1].words.startswith("better than as many columns drawn at random")


@pytest.mark.parametrize(
    ("key", "interval", "words"),
    [
        ("all", (0.1, 0.05, 0.15), "worse than all columns"),
        ("random", (0.0, -0.05, 0.15), "not clearly better than as many columns"),
        ("none", (-0.1, -0.2, 0.01), "not clearly better than chance"),
    ],
)
def test_what_is_not_shown_is_not_claimed(key, interval, words):
    content = contents.validated()
    content["validation"]["differences"] = {key: dict(zip(BOUNDS, interval, strict=True))}
    (difference,) = summarise(content).validation.differences
    assert difference.words.startswith(words)


def test_whiskers_lie_in_order_on_an_axis_with_zero():
    own = summarise(contents.validated()).validation
    chart = draw_losses(own.losses)
    assert chart.zero == 0
    assert all(0 <= row.low <= row.mean <= row.high <= 100 for row in chart.rows)
    assert chart.rows[0].mean < chart.rows[3].mean
    assert 0 < draw_differences(own.differences).zero < 100


def test_missing_bounds_and_choices_do_no_harm():
    content = contents.validated()
    validation = content["validation"]
    validation["losses"] = {"selected": {"mean": 0.2, "low": None, "high": None}}
    validation["differences"] = {"all": {"mean": None, "low": None, "high": None}}
    own = summarise(content).validation
    assert (own.losses[0].low, own.losses[0].high) == (0.2, 0.2)
    assert own.differences == ()


def test_stability_in_words_with_the_most_chosen_first():
    own = summarise(contents.validated()).stability
    assert own.words == "fair to good agreement"
    assert [bar.name for bar in own.bars][:3] == ["a", "b", "b copy"]
    assert own.sizes == ((2, 1), (3, 2), (4, 1))
    assert own.median_size == 3
    assert own.n_resamples == 4


@pytest.mark.parametrize(
    ("index", "words"), [(0.9, "excellent"), (0.1, "poor"), (None, "cannot be told")]
)
def test_the_index_is_put_in_words(index, words):
    content = contents.validated()
    content["stability"]["index"] = {"mean": index, "low": None, "high": None}
    assert summarise(content).stability.words.startswith(words)


def test_a_selected_column_that_no_repetition_chose_is_still_shown():
    content = contents.validated()
    content["stability"]["frequency"] = {"noise": 0.5}
    bars = summarise(content).stability.bars
    assert [(bar.name, bar.share) for bar in bars][:2] == [("noise", 0.5), ("a", 0.0)]
