"""What a result leaves on disk, and how its cells read."""

import itertools
import json
import re

import pytest
from matplotlib.figure import Figure

from thresher.experiments import (
    Experiment,
    Panel,
    Picture,
    Result,
    Series,
    Spread,
    draw,
    markdown_table,
    save,
    shown,
    write_index,
)

CURVE = Series("ours", (1, 2, 3), (2.0, None, 4.0), spread=(0.1, None, 0.2))
PICTURE = Picture((Panel("errors", "rows", "error", (CURVE,)),))
RESULT = Result(
    "Sizes of things",
    ("thing", "size", "known"),
    (("a", Spread.of([1, 2, 3]), True), ("b|c", Spread.of([5]), None)),
    ("Sizes are in rows.",),
    ("A thing is smaller here, because rows are few.",),
    PICTURE,
)


def _save(folder):
    save(RESULT, "sizes", folder, command="thresher reproduce sizes", seconds=90.0, runs=3)


def test_a_mean_is_written_with_its_spread_and_a_single_run_without():
    assert shown(Spread.of([1, 2, 3])) == "2 ± 1"
    assert shown(Spread.of([5])) == "5"
    assert shown(18496.3) == "18496"
    assert shown(0.000123) == "0.000123"
    assert [shown(None), shown(True), shown(3)] == ["", "yes", "3"]


def test_a_record_holds_what_repeats_it(tmp_path):
    _save(tmp_path)
    record = json.loads((tmp_path / "sizes.json").read_text("utf-8"))
    assert record["command"] == "thresher reproduce sizes"
    assert record["seconds"] == 90.0
    assert record["seeds"] == "0 to 2"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", record["date"])
    assert {"processor", "cores", "memory", "system"} == set(record["machine"])
    assert {"thresher", "numpy", "scikit-learn"} <= set(record["versions"])
    assert record["rows"][0]["size"] == {"mean": 2.0, "sd": 1.0, "n": 3}
    assert record["picture"]["panels"][0]["series"][0]["y"] == [2.0, None, 4.0]


def test_a_page_has_command_picture_table_and_reasons(tmp_path):
    _save(tmp_path)
    page = (tmp_path / "sizes.md").read_text("utf-8")
    assert page.startswith("# sizes: Sizes of things\n")
    assert "`thresher reproduce sizes`" in page
    assert "(sizes.svg)" in page
    assert "| a | 2 ± 1 | yes |" in page
    assert "| b\\|c | 5 |  |" in page
    assert "because rows are few" in page
    assert "1.5 minutes on" in page
    assert (tmp_path / "sizes.svg").read_text("utf-8").startswith("<?xml")


def test_the_same_result_gives_the_same_files(tmp_path):
    _save(tmp_path / "one")
    _save(tmp_path / "two")
    for name in ("sizes.svg", "sizes.md", "sizes.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_index_lists_every_record(tmp_path):
    _save(tmp_path)
    save(RESULT, "other", tmp_path, command="make other", seconds=1.0)
    sizes = Experiment("sizes", "How large things are", lambda _: RESULT, 1, shows=("RVE Table 1",))
    later = Experiment("later", "Not run", lambda _: RESULT, 1)
    write_index(tmp_path, {"later": later, "sizes": sizes})
    lines = (tmp_path / "index.md").read_text("utf-8").splitlines()
    (row,) = (line for line in lines if line.startswith("| [sizes](sizes.md) "))
    assert "| How large things are | RVE Table 1 | 1.5 |" in row
    assert any(line.startswith("| [other](other.md) | Sizes of things |") for line in lines)
    assert "| later | Not run |  |  | not run yet |" in lines


def test_columns_of_numbers_are_aligned_to_the_right():
    assert markdown_table(RESULT).splitlines()[1] == "|---|--:|--:|"


@pytest.mark.parametrize(
    ("kind", "ending"),
    [("line", "png"), ("line", "pdf")]
    + [(kind, "svg") for kind in ("line", "step", "points", "bar", "boxes")],
)
def test_every_kind_of_panel_can_be_drawn(kind, ending, tmp_path):
    if kind == "boxes":
        series = (Series("ours", ("a", "b"), ((1.0, 2.0, 9.0), (2.0, 3.0))),)
    else:
        places = ("a name that is long", "b") if kind == "bar" else (1.0, 2.0)
        series = (
            Series("ours", places, (1.0, None), spread=(0.5, None)),
            Series("theirs", places, (1.0, 3.0), paper=True),
        )
    panel = Panel("title", "x", "y", series, kind, log_y=kind == "line", y_range=(0.1, 10))
    path = tmp_path / f"picture.{ending}"
    draw(Picture((panel,) * 3), path)
    assert path.stat().st_size > 1000


@pytest.mark.parametrize("places", [("a", "b", "c"), ("one\nname of lines", "two\nmore", "three")])
def test_legend_and_names_leave_bars_alone(places, monkeypatch):
    drawn = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *_, **__: drawn.append(figure))
    labels = ("ours", "ours, with words", "theirs", "theirs, with words")
    series = tuple(Series(label, places, (9.0, 9.0, 9.0)) for label in labels)
    draw(Picture((Panel("title", "x", "y", series, "bar"),)), "picture.png")
    (figure,) = drawn
    figure.draw_without_rendering()
    (axes,), (legend,) = figure.axes, figure.legends
    assert not legend.get_window_extent().overlaps(axes.get_window_extent())
    names = axes.get_yticklabels() if "\n" in places[0] else axes.get_xticklabels()
    boxes = [name.get_window_extent() for name in names]
    assert not any(one.overlaps(other) for one, other in itertools.pairwise(boxes))


def test_points_of_a_series_must_fit_together():
    with pytest.raises(ValueError, match="series 'ours': x, y and spread must have one length"):
        Series("ours", (1, 2), (1.0,))
