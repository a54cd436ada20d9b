"""The bars of the importance chart."""

import pytest

from tests.report import contents
from thresher.report import summarise
from thresher.report._columns import Column
from thresher.report._draw_bars import draw_importances
from thresher.report._importances import summarise_importances


def test_scores_of_ace_are_multiples_of_the_threshold():
    own = summarise(contents.ace()).importances
    assert own.threshold == 1.0
    assert own.n_replicates == len(own.contrasts) == contents.REPLICATES
    assert max(own.contrasts) < 1
    assert [bar.name for bar in own.bars] == ["a", "b", "b copy", "b shadow", "c", "noise"]
    assert own.bars[0].low == pytest.approx(50)
    assert own.bars[0].high == pytest.approx(150)


def test_scores_that_the_trace_does_not_confirm_have_no_threshold():
    content = contents.ace()
    for verdict in content["verdicts"]:
        verdict["score"] = 0.5 if verdict["score"] is not None else None
    own = summarise(content).importances
    assert own.threshold is None
    assert own.contrasts == ()
    assert own.bars[0].low is None


def test_other_scores_are_drawn_from_zero():
    own = summarise(contents.scores_only()).importances
    chart = draw_importances(own)
    assert own.threshold is None
    positive, _, negative = chart.rows
    assert positive.left == chart.mark
    assert negative.left + negative.width == pytest.approx(chart.mark)


def test_bars_of_ace_pass_the_line_if_they_beat_the_contrasts():
    chart = draw_importances(summarise(contents.ace()).importances)
    ends = {row.name: row.left + row.width for row in chart.rows}
    assert ends["noise"] < chart.mark < ends["c"] < ends["a"] <= 100
    assert all(0 <= at <= chart.mark for at in chart.contrasts)


def test_selected_columns_are_shown_even_if_others_score_higher():
    columns = [Column(f"s{k}", "relevant", 0.1) for k in range(5)]
    columns += [Column(f"o{k}", "redundant", 1.0 + k) for k in range(50)]
    own = summarise_importances(columns, (), n_columns=12)
    assert len(own.bars) == 12
    assert {f"s{k}" for k in range(5)} <= {bar.name for bar in own.bars}
    assert own.n_left_out == 43


def test_many_selected_columns_leave_room_for_the_best_others():
    columns = [Column(f"s{k}", "relevant", 5.0) for k in range(50)]
    columns += [Column(f"o{k}", "irrelevant", 0.5) for k in range(50)]
    own = summarise_importances(columns, (), n_columns=30)
    assert len(own.bars) == 30
    assert sum(bar.kind == "irrelevant" for bar in own.bars) == 10


def test_the_number_of_columns_in_charts_can_be_chosen():
    page = summarise(contents.validated(), n_columns=3)
    assert len(page.importances.bars) == len(page.stability.bars) == len(page.masking.names) == 3
    assert page.importances.n_left_out == 3


def test_without_scores_there_is_no_chart():
    assert summarise(contents.nothing()).importances is None
