import numpy as np
import pytest
from scipy import stats

from thresher.experiments import EXPERIMENTS, Spread
from thresher.experiments import _oblivion_curves as curves
from thresher.experiments import _oblivion_figure2_1 as figure2_1


def test_half_the_width_is_that_of_scipys_interval():
    values = [0.7, 0.8, 0.85, 0.9, 0.6]
    low, high = stats.t.interval(0.95, 4, np.mean(values), stats.sem(values))
    assert curves.half_width(Spread.of(values)) == pytest.approx((high - low) / 2, abs=1e-4)
    assert curves.half_width(Spread.of([0.7])) is None


def test_there_is_a_panel_for_each_concept_and_learner_and_a_curve_for_each_number_of_bits():
    result = EXPERIMENTS["oblivion-curves"].run(runs=2, quick=True, n_jobs=1)
    panels = result.picture.panels
    assert [panel.title for panel in panels][:2] == [
        "conjunction: nearest neighbour",
        "conjunction: C4.5",
    ]
    assert len(panels) == 12
    assert all(len(panel.series) == 4 for panel in panels)
    row = result.rows[0]
    assert row[3].mean == pytest.approx(panels[0].series[0].y[0], abs=1e-4)
    assert "0.022 to 0.061" in row


def test_the_extension_of_the_concepts_has_1_4_and_2_positive_instances():
    result = EXPERIMENTS["oblivion-figure2-1"].run(n_jobs=1)
    assert result.rows[-1][3:] == (1, 4, 2, True)
    assert len(result.rows) == 9
    assert [len(panel.series[0].x) for panel in result.picture.panels] == [1, 4, 2]


def test_rows_of_one_combination_that_disagree_have_no_class():
    assert figure2_1._agreed(np.array([1, 1])) == 1
    assert figure2_1._agreed(np.array([1, 0])) is None
    assert figure2_1._agreed(np.array([])) is None
