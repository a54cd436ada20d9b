"""The section on how many columns are enough."""

import re

import pytest

from tests.report import contents
from tests.report.pages import Reader
from thresher.report import render_page, summarise
from thresher.report._draw_path import draw_path
from thresher.report._path import percent_above


def chart(content):
    return draw_path(summarise(content).path)


def test_the_headline_is_the_claim_and_the_curve_comes_next():
    page = render_page(contents.enough())
    words = Reader(page).words
    assert words.startswith("4 of 20 columns predict as well as all (loss 0.204, all 0.201; ")
    assert page.index('id="enough"') < page.index("<h2>Selected columns")
    assert "log loss of boosted trees on 500 rows held out in 5 folds" in words
    assert "are enough" not in words.replace("How many columns are enough", "")


def test_points_say_what_is_known_about_them():
    told = {own.n_columns: own.words for own in summarise(contents.enough()).path.points}
    assert told[4] == "4 columns: 0.204, at most 3 % worse: enough"
    assert told[8] == "8 columns: 0.2, no worse: enough"
    assert told[1] == "1 column: 0.3, no bound: cannot tell"
    page = render_page(contents.enough())
    for size in (1, 2, 4, 8, 20):
        assert f"<title>{told[size]}</title>" in page


def test_losses_far_off_do_not_press_the_curve_flat():
    drawn = chart(contents.enough())
    assert drawn.n_beyond == 1  # the empty set
    assert [dot.point.n_columns for dot in drawn.dots] == [1, 2, 4, 8, 20]
    assert drawn.line.count("M") == 1
    assert "1 set with higher losses beyond the axis" in render_page(contents.enough())


def test_the_line_leaves_the_axis_where_it_should():
    content = contents.enough()
    del content["path"]["points"][1]  # from 0 to 2 columns, the line comes down from beyond
    drawn = chart(content)
    x, y = map(float, re.match(r"M([\d.]+) ([\d.]+)L", drawn.line).groups())
    first = drawn.dots[0]
    assert y == 0
    assert 0 < x < first.x


def test_infinite_bounds_reach_the_ends_of_the_axis():
    drawn = chart(contents.enough())
    one = next(dot for dot in drawn.dots if dot.point.n_columns == 1)
    assert f"L{one.x:g} 0L" in drawn.band
    assert f"L{one.x:g} 100" in drawn.band


def test_marks_of_the_chosen_set_of_all_and_of_the_tolerance():
    drawn = chart(contents.enough())
    assert drawn.chosen.point.n_columns == 4
    assert (drawn.all.x, drawn.all.point.n_columns) == (100, 20)
    best = next(dot for dot in drawn.dots if dot.point.n_columns == 8)
    assert drawn.limit < best.y


def test_settings_are_not_rounded():
    content = contents.enough()
    content["path"] |= {"tolerance": 0.015, "confidence": 0.975}
    words = Reader(render_page(content)).words
    assert "with 97.5 % confidence, that it is at most 1.5 % worse than the best one" in words
    assert "best loss and 1.5 %" in words
    content["path"]["tolerance"] = 0
    assert "that it is no worse than the best one" in Reader(render_page(content)).words


def test_few_columns_have_a_linear_axis():
    content = contents.enough()
    content["path"]["points"] = content["path"]["points"][2:5]
    content["path"] |= {"chosen": 4, "best": 8}
    drawn = chart(content)
    assert [dot.x for dot in drawn.dots] == pytest.approx([0, 33.33, 100])


def test_a_single_size_has_words_but_no_curve():
    content = contents.enough()
    content["path"] |= {"points": content["path"]["points"][3:4], "chosen": 4, "best": 4}
    assert chart(content) is None
    words = Reader(render_page(content)).words
    assert "How many columns are enough" in words


def test_losses_that_are_infinite_are_left_out_of_the_curve():
    content = contents.enough()
    content["path"]["points"][2]["loss"] = None
    assert [dot.point.n_columns for dot in chart(content).dots] == [1, 4, 8, 20]


def test_thousands_of_sizes_stay_small():
    content = contents.wide(20_000)
    point = contents.enough()["path"]["points"][3]
    names = [verdict["name"] for verdict in content["verdicts"]]
    path = contents.enough()["path"]
    path["order"] = names
    path["points"] = [point | {"n_columns": k, "loss": 1 + 1 / k} for k in range(1, 20_001)]
    path |= {"chosen": 777, "best": 20_000}
    content["path"] = path
    drawn = chart(content)
    assert len(drawn.dots) < 400
    assert drawn.chosen.point.n_columns == 777
    assert len(render_page(content).encode()) < 3_000_000


def test_hostile_words_in_a_path_are_text():
    content = contents.enough()
    content["path"] |= {"learner": contents.SCRIPT, "loss": contents.SCRIPT}
    reader = Reader(render_page(content))
    assert len(reader.all("script")) == 2
    assert reader.open == []


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0001, "0.1 %"),
        (0.0999, "10 %"),
        (0.3, "30 %"),
        (0.301, "31 %"),
        (1e9, "over 1,000,000 %"),
    ],
)
def test_bounds_are_rounded_up(share, text):
    assert percent_above(share) == text
