"""Numbers and names in words."""

import pytest

from thresher.report._words import (
    as_number,
    counted,
    cut,
    duration,
    figure,
    loss_words,
    setting,
    visible,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (130.4, "130"),
        (999.9, "1,000"),
        (0.0001, "0.0001"),
        (0.00005, "5e-5"),
        (-0.25, "\N{MINUS SIGN}0.25"),
        (1234567.0, "1,234,567"),
        (2.5e12, "2.5e12"),
        (None, ""),
    ],
)
def test_figures_are_short(value, text):
    assert figure(value) == text


@pytest.mark.parametrize("value", [None, "0.5", True, float("nan"), float("inf"), 1e308, [1]])
def test_what_is_not_a_number_is_none(value):
    assert as_number(value) is None


def test_invisible_characters_become_visible():
    assert visible("a\nb\x00\u202e\U000e0001") == "a\\nb\\x00\\u202e\\U000e0001"
    assert visible("\ud800") == "\\ud800"
    assert visible("größe 身長") == "größe 身長"


def test_long_text_is_cut_to_its_width():
    assert cut("abcdef", 4) == "abc\N{HORIZONTAL ELLIPSIS}"
    assert cut("abcd", 4) == "abcd"


def test_settings_are_read_from_their_text():
    content = {"settings": {"loss": "'log'", "alpha": "0.05", "estimator": "GaussianNB()"}}
    assert setting(content, "loss") == "log"
    assert setting(content, "alpha") == 0.05
    assert setting(content, "estimator") == "GaussianNB()"
    assert setting(content, "absent") is None


def test_counts_and_times():
    assert counted(0, "column") == "0 columns"
    assert duration(0) == "0 ms"
    assert duration(61.4) == "61 s"
    assert duration(600) == "10 min"


@pytest.mark.parametrize(
    ("name", "words"), [(None, "loss"), (["zero_one"], "loss"), ("odd", "odd")]
)
def test_losses_of_any_name(name, words):
    assert loss_words(name) == words
