"""CFS that is cut short, watched or seeded."""

import numpy as np
import pytest

from tests.filters.tables import numbers, verdicts
from thresher.filters import CFS
from thresher.searches import Backward, Genetic


def check(cfs):
    """A result that was cut short is as complete as any other."""
    assert cfs.n_features_ == cfs.support_.sum() == len(cfs.selection_.selected)
    assert np.array_equal(cfs.ranking_ == 1, cfs.support_)
    assert all(verdict.reason for verdict in cfs.selection_.verdicts)
    assert 0 <= cfs.merit_ <= 1


@pytest.mark.parametrize("search", ["best-first", "greedy", "genetic", "backward", "floating"])
@pytest.mark.parametrize("n", [1, 2, 7, 12])
def test_the_end_of_a_budget_gives_the_best_so_far(search, n):
    X, y, _ = numbers()
    cfs = CFS(search=search, max_evaluations=n, random_state=0)
    with pytest.warns(UserWarning, match=f"CFS has spent its budget after {n} evaluations"):
        cfs.fit(X, y)
    check(cfs)
    assert cfs.selection_.settings["ending"] == "budget"


def test_no_time_at_all():
    X, y, _ = numbers()
    with pytest.warns(UserWarning, match="CFS has spent its budget"):
        cfs = CFS(max_time=1e-9).fit(X, y)
    check(cfs)


@pytest.mark.filterwarnings("ignore:CFS has spent its budget")
def test_more_evaluations_never_lower_the_merit():
    X, _, y = numbers()
    merits = [CFS(max_evaluations=n).fit(X, y).merit_ for n in (2, 5, 10, 20, 100)]
    assert merits == sorted(merits)
    assert merits[-1] <= CFS().fit(X, y).merit_


@pytest.mark.parametrize("at", [0, 1, 3])
def test_ctrl_c_gives_the_best_so_far(at):
    X, y, _ = numbers()
    steps = []

    def watch(step):
        steps.append(step)
        if step.number == at:
            raise KeyboardInterrupt

    cfs = CFS().observe(watch)
    with pytest.warns(UserWarning, match="interrupted: returning the best subset so far"):
        cfs.fit(X, y)
    check(cfs)
    assert cfs.selection_.settings["ending"] == "interrupted"
    assert cfs.merit_ >= 1 - min(step.loss for step in steps if step.winner or at == 0) - 1e-12


def test_an_observer_may_end_the_search():
    X, y, _ = numbers()
    cfs = CFS().observe(lambda step: step.number == 1).fit(X, y)
    check(cfs)
    assert cfs.selection_.settings["ending"] == "stopped"


def test_the_trace_tells_merits():
    X, y, _ = numbers()
    cfs = CFS(search="greedy").fit(X, y)
    chosen = [step["merit"] for step in cfs.selection_.trace if step["chosen"]]
    assert chosen == pytest.approx([cfs.merit_])
    assert max(step["merit"] for step in cfs.selection_.trace) == pytest.approx(cfs.merit_)


def test_seeds_repeat_and_none_is_needed_without_draws():
    X, _, y = numbers(n_columns=30)
    search = Genetic(n_generations=3)
    one, two = (CFS(search=search, random_state=5).fit(X, y) for _ in range(2))
    assert one.selection_.verdicts == two.selection_.verdicts
    assert CFS().fit(X, y).selection_.verdicts == CFS(random_state=1).fit(X, y).selection_.verdicts


def test_searches_with_options_of_their_own():
    X, y, _ = numbers()
    assert CFS(search=Backward(n_features=3)).fit(X, y).n_features_ == 3


def test_verbose_tells_steps(capsys):
    X, y, _ = numbers()
    cfs = CFS(verbose=1).fit(X, y)
    printed = capsys.readouterr().err
    assert printed.count("step") == len(cfs.selection_.trace)
    assert "+x1" in printed
    assert verdicts(cfs)["x1"].kind == "relevant"


def test_before_any_column_was_looked_at_the_best_one_is_known():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 50))
    y = (X[:, 7] > 0).astype(int)
    with pytest.warns(UserWarning, match="spent its budget"):
        found = CFS(max_evaluations=1).fit(X, y)
    assert np.flatnonzero(found.support_).tolist() == [7]
    assert found.n_correlations_ < 200
