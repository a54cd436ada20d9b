"""What is read off an elimination: Table 4, Figures 2 and 3."""

import pytest

from thresher.experiments import _rve_figures2_3 as figures
from thresher.experiments import _rve_table4 as table
from thresher.experiments._rve_costs import perceptron_updates
from thresher.experiments._rve_perceptrons import Elimination


def billions(*sizes):
    return sum(map(perceptron_updates, sizes)) / 1e9


@pytest.fixture
def search():
    # twenty of a hundred inputs are removed in vain, then thirty for good, and so on
    return Elimination(
        sizes=(100, 80, 70, 40, 10, 9, 9),
        accepted=(True, False, True, False, True, False, False),
        inputs=10,
        complete=True,
        seconds=1.0,
    )


def test_updates_are_counted_until_no_more_inputs_are_left(search):
    assert search.updates_to(100) == pytest.approx(billions(100))
    assert search.updates_to(75) == pytest.approx(billions(100, 80, 70))
    assert search.updates_to(50) == pytest.approx(billions(100, 80, 70, 40, 10))
    assert search.updates_to(9) is None
    assert search.updates == pytest.approx(billions(100, 80, 70, 40, 10, 9, 9))


def test_right_is_all_of_the_relevant_inputs_and_no_other(search):
    assert search.right
    assert not Elimination((100, 11), (True, True), 11, complete=True, seconds=1.0).right
    assert not Elimination((100, 10), (True, True), 10, complete=False, seconds=1.0).right


def test_calls_after_the_last_removal_are_idle(search):
    *_, to_last, in_all, idle = figures._cells([search, search])
    assert to_last.mean == pytest.approx(billions(100, 80, 70, 40, 10))
    assert in_all.mean == pytest.approx(search.updates)
    assert idle.mean == pytest.approx(100 * billions(9, 9) / search.updates)


def test_searches_that_never_came_to_a_size_do_not_count_there(search):
    early = Elimination((100, 60), (True, True), 60, complete=True, seconds=1.0)
    assert figures._reaching([search, early], 20).n == 1
    assert figures._reaching([search, early], 60).n == 2
    assert figures._reaching([early], 20) is None


def test_differences_are_tested_where_there_are_runs_enough(search):
    other = Elimination((100, 50), (True, True), 50, complete=True, seconds=1.0)
    runs = {("RVE", "paper"): [search, other, search], ("r_max = 20", "paper"): [other] * 3}
    (told,) = table._differences(runs)
    assert "r_max = 20 and RVE" in told
    assert "paper: 0.0005" in told
    assert table._differences({("RVE", "paper"): [search]}) == []
