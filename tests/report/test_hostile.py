"""Names that mean mischief, and tables that are too large."""

import pytest

from tests.report import contents
from tests.report.pages import Reader
from thresher.report import render_page

LARGEST = 3_000_000


@pytest.fixture(scope="module")
def hostile():
    return render_page(contents.hostile())


def test_markup_in_names_is_text(hostile):
    reader = Reader(hostile)
    assert contents.SCRIPT in reader.words
    assert "{{ 7 * 7 }} {% raw %}" in reader.words
    assert len(reader.all("script")) == 2
    assert reader.all("img") == []
    assert all("alert(" not in script for script in reader.scripts[1:])


def test_invisible_characters_are_shown_and_never_sent(hostile):
    words = Reader(hostile).words
    assert "two\\nlines\\tand a tab" in words
    assert "right to left \\u202eoverride\\u2066" in words
    assert "nul \\x00, escape \\x1b[31m, delete \\x7f, next line \\x85" in words
    assert "lone \\ud800 surrogate" in words
    assert not any(c in hostile for c in "\x00\x1b\x7f\x85\u202e\u2066\u2028\U000e0001")
    hostile.encode()


def test_names_are_isolated_cut_and_whole_in_their_titles(hostile):
    reader = Reader(hostile)
    names = [own for tag, own in reader.elements if tag == "bdi" and own.get("class") == "name"]
    assert "w" * 10_000 in {own["title"] for own in names}
    assert "w" * 401 not in "".join(reader.text)
    assert "(empty name)" in reader.words
    assert "“   ”" in "".join(reader.text)


def test_twenty_thousand_columns_fit():
    page = render_page(contents.wide(20_000))
    assert len(page.encode()) < LARGEST
    assert "sensor 19999 / reading" in page
    assert "The page would be too large with all reasons" in page


def test_more_columns_fit_by_leaving_out_the_least_important():
    page = render_page(contents.wide(60_000))
    assert len(page.encode()) < LARGEST
    assert "that matter least are not listed" in page


@pytest.mark.parametrize("letter", ["w", '"', "\u202e", "身"])
def test_very_long_names_fit(letter):
    content = contents.hostile(tuple(f"{k} {letter * 10_000}" for k in range(300)))
    page = render_page(content)
    assert len(page.encode()) < LARGEST
    assert Reader(page).open == []


def test_a_column_that_only_groups_are_named_after():
    content = contents.ace()
    content["verdicts"][2]["masked_by"] = "a group of columns"
    assert "a group of columns" in Reader(render_page(content)).words
