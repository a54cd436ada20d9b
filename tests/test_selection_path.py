"""Other sets of the path and other goals, from one selection."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from tests.report import contents
from thresher.selection import Path, PathPoint, Selection, Validation, Verdict, View


@pytest.fixture
def selection():
    return Selection.from_dict(contents.enough())


def kinds(selection):
    return {verdict.name: verdict.kind for verdict in selection.verdicts}


def reasons(selection):
    return {verdict.name: verdict.reason for verdict in selection.verdicts}


def test_a_path_survives_its_file(selection, tmp_path):
    selection.save(tmp_path / "result.json")
    loaded = Selection.load(tmp_path / "result.json")
    assert loaded == selection
    assert loaded.path.points[0].at_most == float("inf")
    assert loaded.path.points[1].low == float("-inf")


def test_selected_columns_are_those_that_are_relevant_or_supporting(selection):
    assert kinds(selection)["x3"] == "supporting"
    with pytest.raises(ValueError, match="'relevant' or 'supporting'"):
        Selection((), (Verdict("a", "supporting"),))


@pytest.mark.parametrize("size", [1, 2, 4, 8, 20, np.int64(8)])
def test_a_size_that_was_tried(selection, size):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        other = selection.at(n_features=size)
    assert other.selected == selection.path.order[:size]
    assert other.path.chosen == size
    assert other.goal == "predict"


def test_verdicts_go_with_the_set(selection):
    larger = selection.at(n_features=8)
    found = kinds(larger)
    assert [found[f"x{k}"] for k in range(9)] == [
        "relevant", "relevant", "supporting", "supporting", "relevant", "supporting", "supporting",
        "supporting", "irrelevant",
    ]  # fmt: skip
    assert reasons(larger)["x7"] == "among the 8 columns of the path asked for"
    assert next(v for v in larger.verdicts if v.name == "x4").masked_by is None
    smaller = selection.at(n_features=1)
    found = kinds(smaller)
    assert [found[f"x{k}"] for k in range(5)] == [
        "relevant", "redundant", "irrelevant", "irrelevant", "redundant",
    ]  # fmt: skip
    assert reasons(smaller)["x1"] == "left out at 1 column"
    assert reasons(smaller)["x9"] == "no better than chance"
    assert reasons(smaller)["x4"] == reasons(selection)["x4"]


def test_a_column_left_out_is_masked_by_the_kept_one_of_its_group(selection):
    groups = replace(selection, clusters=(("x0", "x1"),))
    assert groups.at(n_features=1).verdicts[1].masked_by == "x0"
    path = replace(selection.path, order=("x1", "x0", *selection.path.order[2:]))
    other = replace(selection, path=path).at(n_features=1)
    assert other.verdicts[4].masked_by is None  # x0, which masked it, is left out


def test_columns_that_were_asked_for_say_so_still(selection):
    verdicts = (replace(selection.verdicts[0], reason="kept, as asked"), *selection.verdicts[1:])
    assert reasons(replace(selection, verdicts=verdicts).at(n_features=2))["x0"] == "kept, as asked"


@pytest.mark.parametrize(("wanted", "size"), [(3, 4), (5, 4), (6, 8), (14, 20), (13, 8), (19, 20)])
def test_a_size_that_was_not_tried_gives_the_nearest_and_says_so(selection, wanted, size):
    with pytest.warns(UserWarning, match=f"n_features={wanted} was not tried.* is {size}") as told:
        assert len(selection.at(n_features=wanted).selected) == size
    assert told[0].filename == __file__


def test_the_empty_set_is_not_near_to_one_column(selection):
    path = replace(selection.path, points=(selection.path.points[0], *selection.path.points[3:]))
    with pytest.warns(UserWarning, match="nearest size that was is 4"):
        replace(selection, path=path).at(n_features=1)


@pytest.mark.parametrize(
    ("tolerance", "size"),
    [(0.0, 8), (0, 8), (0.02, 8), (0.0291, 8), (0.04, 4), (0.4, 4), (0.5, 2), (1, 2)],
)
def test_the_smallest_set_within_a_tolerance(selection, tolerance, size):
    assert len(selection.at(tolerance=tolerance).selected) == size


def test_rows_that_cannot_show_a_tolerance_keep_all_columns(selection):
    unsure = tuple(replace(point, at_most=0.5) for point in selection.path.points)
    open_ended = replace(selection, path=replace(selection.path, points=unsure))
    with pytest.warns(UserWarning, match="tolerance=0.1: the rows cannot show"):
        assert len(open_ended.at(tolerance=0.1).selected) == 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "exactly one of n_features and tolerance"),
        ({"n_features": 2, "tolerance": 0.1}, "exactly one of n_features and tolerance"),
        ({"n_features": 0}, "n_features must be a whole number of at least 1; got 0"),
        ({"n_features": -3}, "n_features must be a whole number"),
        ({"n_features": True}, "n_features must be a whole number"),
        ({"n_features": 2.0}, "n_features must be a whole number"),
        ({"n_features": "2"}, "n_features must be a whole number"),
        ({"n_features": 21}, "n_features must be at most 20, the number of columns; got 21"),
        ({"tolerance": -0.1}, "tolerance must be a number from 0 to 1; got -0.1"),
        ({"tolerance": 1.1}, "tolerance must be a number from 0 to 1"),
        ({"tolerance": float("nan")}, "tolerance must be a number from 0 to 1; got nan"),
        ({"tolerance": True}, "tolerance must be a number from 0 to 1"),
        ({"tolerance": "0.1"}, "tolerance must be a number from 0 to 1"),
    ],
)
def test_what_cannot_be_asked_for(selection, arguments, message):
    with pytest.raises(ValueError, match=message):
        selection.at(**arguments)


def test_without_a_path_the_remedy_is_named():
    with pytest.raises(ValueError, match="no path of sets .* goal='predict'"):
        Selection((), ()).at(n_features=1)


def test_views_lead_forth_and_back(selection):
    explained = selection.view("explain")
    assert explained.selected == ("x0", "x1")
    assert explained.goal == "explain"
    assert kinds(explained)["x2"] == "irrelevant"
    everything = explained.view("all-relevant")
    assert everything.selected == ("x0", "x1", "x4")
    assert everything.view("predict") == selection


def test_a_view_undoes_another_set(selection):
    for size in (1, 8, 20):
        other = selection.at(n_features=size)
        back = other.view("predict")
        assert (back.selected, back.verdicts) == (selection.selected, selection.verdicts)
        assert back.path == selection.path
        assert other.view("explain").verdicts == selection.view("explain").verdicts
        again = other.at(n_features=2)
        assert again.verdicts == selection.at(n_features=2).verdicts


def test_another_set_of_a_view_is_for_prediction(selection):
    other = selection.view("explain").at(n_features=8)
    assert other.goal == "predict"
    assert kinds(other) == kinds(selection.at(n_features=8))


def test_views_may_have_p_values_of_their_own():
    entries = [{"kind": "redundant", "p_value": 0.5}, {"kind": "relevant", "p_value": 0.01}]
    views = {
        "predict": View((), {"a": entries[0]}),
        "all-relevant": View(("a",), {"a": entries[1]}),
    }
    selection = Selection((), (Verdict("a", "redundant", p_value=0.5),), views=views)
    assert selection.view("all-relevant").verdicts[0].p_value == 0.01
    assert selection.view("all-relevant").view("predict").verdicts[0].p_value == 0.5


def test_what_was_measured_on_other_columns_is_left_out(selection):
    measured = replace(selection, validation=Validation({}, {}, {}, "log", "trees", 5, 100))
    assert measured.view("predict").validation is not None
    assert measured.at(n_features=4).validation is not None
    assert measured.view("explain").validation is None
    assert measured.at(n_features=8).validation is None


def test_goals_without_evidence(selection):
    with pytest.raises(ValueError, match="one of 'predict', 'explain', 'all-relevant'; got 'win'"):
        selection.view("win")
    with pytest.raises(ValueError, match="by CFS holds no evidence for other goals"):
        Selection((), (), method="CFS").view("explain")
    with pytest.raises(ValueError, match="than 'predict'; select anew with goal='explain'"):
        Selection((), (), goal="predict").view("explain")
    some = replace(selection, views={"predict": selection.views["predict"]})
    with pytest.raises(ValueError, match="evidence for 'predict' only"):
        some.view("explain")
    alone = Selection((), (), goal="explain")
    assert alone.view("explain") is alone


@pytest.mark.parametrize("n_columns", [-1, -20])
def test_points_have_a_size(n_columns):
    with pytest.raises(ValueError, match="n_columns must be at least 0"):
        PathPoint(n_columns, 0.1, 0.1, 0.1, 0.0, "enough")


def test_points_have_a_known_verdict():
    with pytest.raises(ValueError, match="verdict must be one of 'enough', "):
        PathPoint(1, 0.1, 0.1, 0.1, 0.0, "maybe")


def test_sets_of_a_path_are_nested(selection):
    assert selection.path.columns(2) == ("x0", "x1")
    assert selection.path.point(2).loss == 0.24
    with pytest.raises(ValueError, match="ascend"):
        Path((), (selection.path.points[0],) * 2, 0, 0, "log", "", 0.0, 0.9, 1, 1)


def test_the_repr_and_the_notebook_tell_what_is_shown(selection):
    told = (
        "4 of 20 columns predict as well as all (loss 0.204, all 0.201; at most 3 % worse than "
        "the best set with 90 % confidence)"
    )
    assert selection.claim == told
    assert repr(selection).splitlines()[:2] == ["Selection: 4 of 20 columns by ACE", told]
    assert f"<p>{told}</p>" in selection._repr_html_()
    assert "supporting" in selection._repr_html_()
    assert list(selection.to_frame("pandas")["kind"])[:3] == ["relevant", "relevant", "supporting"]


def test_without_losses_or_proofs_there_is_no_claim():
    plain = Selection(("a",), (Verdict("a", "relevant"),))
    assert plain.claim == ""
    assert len(repr(plain).splitlines()) == 3


def test_the_estimate_has_the_same_limit_as_when_the_set_was_chosen():
    from thresher.selection import _at
    from thresher.stats import ESTIMATED

    assert _at.ESTIMATED == ESTIMATED
