"""Colours that can be read by everyone, in both themes."""

import re
from importlib import resources

import pytest

STYLE = (resources.files("thresher.report") / "templates" / "page.css").read_text("utf-8")
_LIGHT, _DARK, _PRINT = (
    dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{3,8});", block))
    for block in re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
)


def luminance(colour):
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    levels = [int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in levels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [_LIGHT, _DARK, _LIGHT | _PRINT], ids=["light", "dark", "print"])
@pytest.mark.parametrize(
    "ink", ["ink", "muted", "relevant", "supporting", "redundant", "irrelevant", "link"]
)
def test_text_can_be_read(theme, ink):
    assert contrast(theme[ink], theme["paper"]) >= 4.5


@pytest.mark.parametrize("theme", [_LIGHT, _DARK, _LIGHT | _PRINT], ids=["light", "dark", "print"])
def test_marks_can_be_seen_and_notices_read(theme):
    assert contrast(theme["strong-line"], theme["paper"]) >= 3
    assert contrast(theme["focus"], theme["paper"]) >= 3
    assert contrast(theme["notice-ink"], theme["notice"]) >= 4.5


def test_every_colour_has_a_dark_twin():
    assert set(_LIGHT) == set(_DARK)
