"""The paper's cost model, by the exact values of its recurrences."""

import numpy as np
import pytest

from thresher.experiments import EXPERIMENTS, Spread
from thresher.experiments._rve_costs import N_RELEVANT, expected_path, perceptron_updates, table1
from thresher.searches import elimination_schedule


def test_table_1_as_printed_gives_the_known_costs_and_sizes_of_draws():
    cost, best = table1(100, N_RELEVANT)
    assert best[[100, 50, 20]].tolist() == [9, 4, 1]
    assert cost[100] == pytest.approx(5.512e9, rel=1e-4)
    schedule = elimination_schedule(100, N_RELEVANT, perceptron_updates)
    np.testing.assert_array_equal(schedule.k, best)
    np.testing.assert_allclose(schedule.cost, cost)


@pytest.mark.parametrize(("k", "updates", "calls"), [(None, 5.704e9, 90.45), (1, 1.2339e10, 141.8)])
def test_the_expected_way_costs_what_the_recurrence_says(k, updates, calls):
    path = expected_path(100, k)
    assert path[0].inputs == 100
    assert path[-1].inputs == N_RELEVANT
    assert path[-1].updates == pytest.approx(updates, rel=1e-3)
    assert path[-1].calls == pytest.approx(calls, rel=1e-3)


def test_figure_1_shows_what_is_expected_beside_what_is_simulated():
    result = EXPERIMENTS["rve-figure1"].run(runs=3, quick=True, n_jobs=1)
    of_100 = dict(zip(result.columns, result.rows[-1], strict=True))
    assert (of_100["inputs"], of_100["k"]) == (100, 9)
    assert isinstance(of_100["RVE"], Spread)
    assert of_100["RVE"].n == 3
    assert any("another k at 0 sizes" in note for note in result.notes)
    labels = [series.label for series in result.picture.panels[0].series]
    assert labels[:3] == ["one by one, expected", "RVE, expected", "one perceptron"]
