"""Pictures with matplotlib: what is drawn, what is refused, and names that mean mischief."""

import io
import sys

import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from matplotlib import pyplot  # noqa: E402
from matplotlib.colors import to_hex  # noqa: E402

from tests.report import contents  # noqa: E402
from thresher import Selection  # noqa: E402
from thresher.report import plot  # noqa: E402

HOSTILE = (
    *contents.HOSTILE,
    "$\\frac{",
    "$x$",
    "\\$",
    "a_b^c",
    "\N{FOX FACE} fox",
    "身体",
    "שלום",
    "e\u0301\u0301\ufe0f",
    "%s {0}",
)
DRAWN = {
    "ace": ["Importances", "Course of the search", "Who can stand in for whom"],
    "wrapper": ["Scores", "Course of the search"],
    "cfs": ["Scores", "Course of the search"],
    "scores only": ["Scores"],
    "two stages": [
        "Importances",
        "Course of the search: screening",
        "Course of the search: refinement",
        "Who can stand in for whom",
    ],
    "enough": ["How many columns are enough", "Scores"],
    "wide": ["Scores: 20 of 300 columns"],
}


@pytest.fixture(autouse=True)
def _no_figure_stays_open():
    assert pyplot.get_fignums() == []
    yield
    pyplot.close("all")


def rendered(figure, kind="png"):
    figure.savefig(io.BytesIO(), format=kind, dpi=40)
    return figure


def bars(ax):
    return [patch for container in ax.containers for patch in container]


def labels(ax):
    return [text.get_text() for text in ax.get_yticklabels()]


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


@pytest.mark.parametrize("name", DRAWN)
def test_all_is_what_there_is(name):
    figure = rendered(plot(contents.ALL[name]()))
    assert [ax.get_title() for ax in figure.axes] == DRAWN[name]
    assert pyplot.get_fignums() == [figure.number]


@pytest.mark.parametrize("n_columns", [1, 2, 5, 20, 50])
def test_so_many_bars_as_asked(n_columns):
    figure = plot(contents.wide(40), "importances", n_columns=n_columns)
    (ax,) = rendered(figure).axes
    assert len(bars(ax)) == min(n_columns, 40)
    assert labels(ax)[0] == "sensor 0 / reading"


def test_bars_in_units_of_the_threshold():
    (ax,) = plot(contents.ace(), "importances").axes
    assert ax.get_xscale() == "log"
    assert labels(ax) == ["best contrasts", "a", "b", "b copy", "b shadow", "c", "noise"]
    assert legend(ax)[-2:] == ["range over 20 replicates", "threshold"]
    ends = sorted(bar.get_x() + bar.get_width() for bar in bars(ax))
    assert ends == pytest.approx([0.123456, 2, 6, 7, 8, 100])


def test_verdicts_differ_in_more_than_colour():
    (ax,) = plot(contents.ace(), "importances").axes
    looks = {
        container.get_label(): (container[0].get_fill(), container[0].get_facecolor()[3] == 0,
                                container[0].get_hatch())
        for container in ax.containers
    }  # fmt: skip
    assert sorted(looks) == ["irrelevant", "redundant", "relevant"]
    assert len(set(looks.values())) == 3


def test_other_scores_are_on_a_linear_axis_from_zero():
    (ax,) = plot(contents.scores_only(), "importances").axes
    assert ax.get_xscale() == "linear"
    assert {bar.get_x() + bar.get_width() for bar in bars(ax)} == {0.4, 0.1, -0.2}


def test_the_trace_marks_the_chosen_point_and_the_steps_not_taken():
    (ax,) = rendered(plot(contents.wrapper(), "trace")).axes
    assert legend(ax) == [
        "not taken",
        "accepted, ± one standard error",
        "chosen: 1 column, 0.21 ± 0.02",
    ]
    not_taken, path, chosen = ax.get_lines()
    assert (len(not_taken.get_xdata()), len(path.get_xdata())) == (12, 12)
    assert chosen.get_xydata().ravel() == pytest.approx([1, 0.21])
    assert len(ax.collections) == 1
    assert ax.get_ylabel() == "log loss"


def test_steps_far_off_are_counted_and_do_not_press_the_curve_flat():
    content = contents.wrapper()
    content["trace"][0]["loss"] = 1e6
    (ax,) = plot(content, "trace").axes
    assert ax.get_ylim()[1] < 1
    assert "not taken, 1 more beyond" in legend(ax)


def test_merits_have_no_band():
    (ax,) = plot(contents.cfs(), "trace").axes
    assert ax.get_ylabel() == "merit (higher is better)"
    assert len(ax.collections) == 0


def test_hundreds_of_columns_have_a_logarithmic_axis():
    (ax,) = rendered(plot(contents.wrapper(150), "trace")).axes
    assert ax.get_xscale() == "symlog"


def test_supporting_columns_have_a_look_of_their_own():
    (ax,) = plot(contents.enough(), "importances").axes
    hatches = {container.get_label(): container[0].get_hatch() for container in ax.containers}
    assert hatches["supporting"] not in {hatches["relevant"], hatches["redundant"]}


def test_the_path_has_its_band_its_limit_and_its_marks():
    (ax,) = rendered(plot(contents.enough(), "path")).axes
    assert legend(ax) == [
        "rise over the best set, 90 % bounds",
        "enough",
        "cannot tell",
        "not enough, 1 beyond",
        "best + 3 %",
        "all: 20 columns, 0.201",
        "chosen: 4 columns, 0.204",
    ]
    chosen = next(x for x in ax.get_lines() if str(x.get_label()).startswith("chosen"))
    assert chosen.get_xydata().ravel() == pytest.approx([4, 0.204])
    assert ax.get_xscale() == "symlog"
    assert ax.get_ylim()[1] < 0.5  # the empty set does not press the others flat
    assert ax.get_ylabel() == "log loss"


@pytest.mark.parametrize("size", [1e250, 1e-310, 0.0, -1.0])
def test_extreme_losses_of_a_path(size):
    content = contents.enough()
    for point in content["path"]["points"]:
        for name in ("loss", "low", "high"):
            point[name] = None if point[name] is None else point[name] * size
    assert rendered(plot(content, "path")).axes


def test_a_path_of_one_known_loss_is_no_picture():
    content = contents.enough()
    for point in content["path"]["points"][1:]:
        point["loss"] = None
    with pytest.raises(ValueError, match="no path to draw; it has importances"):
        plot(content, "path")


def test_masking_is_empty_where_contrasts_would_do():
    (ax,) = rendered(plot(contents.ace(), "masking")).axes
    cells = ax.images[0].get_array()
    assert cells.shape == (4, 4)
    assert labels(ax) == ["b", "b shadow", "b copy", "a"]
    assert cells.mask.diagonal().all()
    assert cells.mask[3].all()
    assert cells[0, 1] == 1.0
    assert legend(ax) == ["relevant", "redundant"]
    (bar,) = ax.child_axes
    assert "empty: p ≥ 0.05" in bar.get_ylabel()


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_hostile_names_are_drawn_as_they_are(kind):
    figure = rendered(plot(contents.hostile(HOSTILE), n_columns=50), kind)
    for ax in figure.axes:
        own = labels(ax)
        assert {"$\\frac{", "$x$", "\\$", "(empty name)", "two\\nlines\\tand a tab"} <= set(own)
        assert all(len(label) <= 32 for label in own)
        assert not any(text.get_parse_math() for text in ax.get_yticklabels())


@pytest.mark.parametrize("family", [["DejaVu Sans"], ["no such font", "DejaVu Sans Mono"]])
def test_what_the_font_cannot_draw_is_replaced(family):
    with matplotlib.rc_context({"font.family": family}):
        (ax,) = plot(contents.hostile(("身体", "x \U000f0000", "é")), "importances").axes
    assert labels(ax)[1:] == ["\ufffd\ufffd", "x \\U000f0000", "é"]


def test_tex_never_reads_a_name():
    with matplotlib.rc_context({"text.usetex": True}):
        figure = plot(contents.hostile(HOSTILE))
    assert not any(text.get_usetex() for ax in figure.axes for text in ax.get_yticklabels())


def test_hostile_stages_and_losses():
    content = contents.wrapper()
    content["settings"]["loss"] = "$\\frac{\n\N{FOX FACE}"
    content["trace"] = [{"stage": "$\\sqrt{", **record} for record in content["trace"]]
    (ax,) = rendered(plot(content, "trace")).axes
    assert ax.get_title() == "Course of the search: $\\sqrt{"
    assert ax.get_ylabel() == "$\\frac{\\n\ufffd"


@pytest.mark.parametrize("size", [1e299, -1e299, 1e-310, 0.0])
def test_extreme_numbers(size):
    content = contents.wrapper()
    for record in content["trace"]:
        record["loss"] *= size
        record["standard_error"] *= abs(size)
    for k, verdict in enumerate(content["verdicts"]):
        verdict["score"] = size * (1 - k % 3)
    assert rendered(plot(content)).axes


def test_missing_errors_and_scores():
    content = contents.ace()
    for record in content["trace"]:
        record["standard_error"] = None
        record["contrast_maxima"] = []
    figure = rendered(plot(content))
    assert "best contrasts" not in labels(figure.axes[0])
    assert "accepted" in legend(figure.axes[1])
    content["verdicts"] = [{**verdict, "score": None} for verdict in content["verdicts"]]
    assert len(plot(content).axes) == 2


@pytest.mark.parametrize("which", ["importances", "trace", "masking"])
def test_a_picture_goes_into_the_given_axes(which):
    figure, (left, right) = pyplot.subplots(1, 2)
    assert plot(contents.two_stages(), which, ax=left) is figure
    rendered(figure)
    assert left.has_data()
    assert not right.has_data()
    assert len(pyplot.get_fignums()) == 1


def test_given_axes_take_the_last_stage():
    ax = pyplot.figure().add_subplot()
    plot(contents.two_stages(), "trace", ax=ax)
    assert ax.get_title().endswith("refinement")


def test_axes_of_a_part_of_a_figure():
    figure = pyplot.figure()
    part = figure.subfigures(1, 2)[0]
    assert plot(contents.ace(), "importances", ax=part.add_subplot()) is figure


def test_dark_styles_have_light_ink():
    with pyplot.style.context("dark_background"):
        figure = rendered(plot(contents.ace()))
    threshold = next(x for x in figure.axes[0].get_lines() if x.get_label() == "threshold")
    assert to_hex(threshold.get_color()) == "#ffffff"
    empty = figure.axes[2].images[0].get_cmap()(0.0)
    assert max(empty[:3]) < 0.3


@pytest.mark.parametrize(
    ("make", "arguments", "message"),
    [
        (contents.ace, {"which": "scores"}, "which must be one of 'all', 'path', 'importances'"),
        (contents.scores_only, {"which": "masking"}, "no masking to draw; it has importances"),
        (contents.cfs, {"which": "masking"}, "it has importances and trace"),
        (contents.nothing, {}, "nothing can be drawn: fewer than two columns"),
        (contents.nothing, {"which": "trace"}, "nothing can be drawn"),
        (contents.ace, {"n_columns": 0}, "n_columns must be at least 1"),
        (contents.ace, {"ax": "left"}, "name it with which"),
    ],
)
def test_refusals(make, arguments, message):
    with pytest.raises(ValueError, match=message):
        plot(make(), **arguments)
    assert pyplot.get_fignums() == []


def test_axes_must_be_axes():
    with pytest.raises(TypeError, match="ax must be matplotlib axes, not list"):
        plot(contents.ace(), "trace", ax=[])


def test_without_matplotlib_the_remedy_is_named(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"pip install 'thresher\[plot\]'"):
        plot(contents.ace())


def test_selections_plot_themselves():
    content = contents.ace()
    content["verdicts"][5]["score"] = float("nan")
    figure = Selection.from_dict(content).plot("importances", n_columns=3)
    assert len(bars(figure.axes[0])) == 3
