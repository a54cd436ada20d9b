"""Numbers and dates as people write them."""

import datetime as dt

import polars as pl
import pytest

from thresher.files._infer import types_from_text


def typed(*cells):
    (series,) = types_from_text(pl.DataFrame({"x": list(cells)}, schema={"x": pl.String}))
    return series


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (("12.5%", "-3 %", ""), [12.5, -3.0, None]),
        (("$1.20", "-$3", "$ 0.5"), [1.2, -3.0, 0.5]),
        (("1,200.50", "-3", "12,000,000"), [1200.5, -3.0, 12e6]),
        (("1.234%", "2.345%"), [1.234, 2.345]),
        (("3,14", "-2,5", "1.000,25"), [3.14, -2.5, 1000.25]),
        (("1.5 €", "n/a", "#N/A"), [1.5, None, None]),
        (("18446744073709551615", "18446744073709551614"), [2**64 - 1, 2**64 - 2]),
    ],
)
def test_numbers_are_found(cells, numbers):
    assert typed(*cells).to_list() == numbers


@pytest.mark.parametrize(
    "cells",
    [("2026/12/24", "2025/1/5"), ("24.12.2026", "5.1.2025"), ("24/12/2026", "5/1/2025"),
     ("12/24/2026", "1/5/2025")],
)  # fmt: skip
def test_dates_are_found(cells):
    assert typed(*cells).to_list() == [dt.date(2026, 12, 24), dt.date(2025, 1, 5)]


@pytest.mark.parametrize(
    "cells",
    [("1/2/2026", "3/4/2026"), ("a", "b"), ("1.2.3", "4"), ("%", "$"),
     ("12345-678", "23456-789")],
)  # fmt: skip
def test_what_has_two_meanings_or_none_stays_text(cells):
    assert typed(*cells).dtype == pl.String


def test_commas_with_two_meanings_are_told():
    with pytest.warns(UserWarning, match="comma in '1,234' part thousands or decimals"):
        assert typed("1,234", "5,678").dtype == pl.String


def test_a_few_strange_cells_are_told():
    with pytest.warns(UserWarning, match="'x' is taken for text: .* but not 'unknown'"):
        assert typed(*map(str, range(40)), "unknown").dtype == pl.String
