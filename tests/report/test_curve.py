"""Loss along the search."""

from tests.report import contents
from thresher.report import summarise
from thresher.report._draw_curve import draw_curve


def test_a_round_of_ace_tells_the_loss_of_what_was_kept_before_it():
    (curve,) = summarise(contents.ace()).curves
    assert [(p.n_columns, p.chosen) for p in curve.points] == [(0, False), (2, False), (3, True)]
    assert curve.chosen.loss == contents.ace()["trace"][2]["loss"]


def test_without_a_last_round_the_loss_of_the_choice_is_not_known():
    content = contents.ace()
    del content["trace"][2]
    (curve,) = summarise(content).curves
    assert [p.n_columns for p in curve.points] == [0, 2]
    assert curve.chosen is None
    assert draw_curve(curve).chosen is None


def test_columns_kept_by_request_are_there_from_the_start():
    content = contents.ace()
    content["verdicts"][0]["reason"] = "kept, as asked"
    assert summarise(content).curves[0].points[0].n_columns == 1


def test_steps_not_taken_are_dots_off_the_line():
    (curve,) = summarise(contents.wrapper(12)).curves
    chart = draw_curve(curve)
    assert curve.measure == "log loss"
    assert [p.n_columns for p in curve.path] == list(range(1, 13))
    assert chart.n_rejected == 12
    assert chart.rejected.count("M") == 12
    assert chart.chosen.words == "1 column: 0.21 \N{PLUS-MINUS SIGN} 0.02, step 23"
    assert chart.band.endswith("Z")


def test_hundreds_of_steps_stay_small():
    chart = draw_curve(summarise(contents.wrapper(3000)).curves[0])
    assert len(chart.rejected) < 60_000


def test_a_step_far_off_does_not_press_the_line_flat():
    content = contents.wrapper(5)
    content["trace"][0]["loss"] = 1e6
    chart = draw_curve(summarise(content).curves[0])
    assert chart.n_beyond == 1
    assert max(dot.y for dot in chart.dots) - min(dot.y for dot in chart.dots) > 20


def test_merit_takes_the_place_of_loss():
    (curve,) = summarise(contents.cfs()).curves
    assert curve.higher_is_better
    assert [p.loss for p in curve.points] == [0.0, 0.5, 0.6]
    assert draw_curve(curve).band == ""


def test_each_stage_has_its_curve():
    curves = summarise(contents.two_stages()).curves
    assert [curve.stage for curve in curves] == ["screening", "refinement"]
    assert [curve.chosen.n_columns for curve in curves] == [3, 1]


def test_of_several_points_with_as_many_columns_the_chosen_one_is_on_the_line():
    content = contents.wrapper(3)
    extra = {**content["trace"][-1], "step": 99, "chosen": False, "loss": 0.9}
    (curve,) = summarise({**content, "trace": [*content["trace"], extra]}).curves
    assert curve.path[0].chosen
    assert draw_curve(curve).others


def test_a_single_point_is_no_chart():
    content = contents.ace()
    del content["trace"][1:]
    (curve,) = summarise(content).curves
    assert draw_curve(curve) is None


def test_losses_that_are_missing_are_left_out():
    content = contents.wrapper(3)
    content["trace"][1]["loss"] = None
    content["trace"][3]["standard_error"] = None
    (curve,) = summarise(content).curves
    assert len(curve.points) == 5
    assert draw_curve(curve) is not None
