"""What is judged ahead is not judged again, counts only when asked for, and changes nothing."""

import warnings

import joblib
import numpy as np
import pytest
from sklearn.model_selection import RepeatedStratifiedKFold, ShuffleSplit
from sklearn.tree import DecisionTreeClassifier

from thresher import RVE, RaceSelector, RVErS
from thresher.evaluators import evaluator_for
from thresher.races import Brace, Exhaustive
from thresher.run import Budget
from thresher.run._foresight import Foresight
from thresher.run._meter import Meter
from thresher.testing._planted import planted_table

A, B, C, D = (frozenset({v}) for v in range(4))


class Fetch:
    """Losses that tell their subset, and a record of what was asked for."""

    def __init__(self, n_rows=5):
        self.n_rows = n_rows
        self.asked = []

    def __call__(self, subsets):
        self.asked.append(list(subsets))
        return np.array([[float(min(s))] * self.n_rows for s in subsets])


def test_what_was_judged_ahead_is_not_fetched_again():
    foresight, fetch = Foresight(), Fetch()
    losses, n_new = foresight.ask([A], 0, [B, C], fetch)
    assert (losses.tolist(), n_new) == ([[0.0] * 5], 1)
    assert fetch.asked == [[A, B, C]]
    losses, n_new = foresight.ask([B], 0, [C, D], fetch)
    assert (losses.tolist(), n_new) == ([[1.0] * 5], 1)
    assert fetch.asked == [[A, B, C]]


def test_only_what_was_asked_for_counts_and_once():
    foresight, fetch = Foresight(), Fetch()
    counts = [foresight.ask(ask, 0, [D], fetch)[1] for ask in ([A], [A], [A, B], [D, C], [D])]
    assert counts == [1, 0, 1, 2, 0]


def test_parts_are_kept_apart():
    foresight, fetch = Foresight(), Fetch()
    assert foresight.ask([A], 0, [], fetch)[1] == 1
    assert foresight.ask([A], 1, [], fetch)[1] == 1
    assert foresight.ask([A], -1, [], fetch)[1] == 1
    assert fetch.asked == [[A], [A], [A]]


def test_nothing_is_fetched_twice_at_once():
    foresight, fetch = Foresight(), Fetch()
    losses, n_new = foresight.ask([A, A, B], 0, [B, C, C], fetch)
    assert losses[:, 0].tolist() == [0.0, 0.0, 1.0]
    assert n_new == 2
    assert fetch.asked == [[A, B, C]]


def test_what_was_used_longest_ago_is_forgotten_first(monkeypatch):
    monkeypatch.setattr("thresher.run._foresight._MAX_CELLS", 10)
    foresight, fetch = Foresight(), Fetch()
    for subset in (A, B, A, C):
        foresight.ask([subset], 0, [], fetch)
    assert fetch.asked == [[A], [B], [C]]
    foresight.ask([A], 0, [], fetch)
    foresight.ask([C], 0, [], fetch)
    assert fetch.asked == [[A], [B], [C]]
    losses, n_new = foresight.ask([B], 0, [], fetch)
    assert losses.tolist() == [[1.0] * 5]
    assert fetch.asked == [[A], [B], [C], [B]]
    assert n_new == 0  # it would depend on what was judged ahead


def test_more_than_can_be_held_is_given_all_the_same(monkeypatch):
    monkeypatch.setattr("thresher.run._foresight._MAX_CELLS", 3)
    foresight, fetch = Foresight(), Fetch()
    losses, n_new = foresight.ask([A, B, C], 0, [D], fetch)
    assert losses[:, 0].tolist() == [0.0, 1.0, 2.0]
    assert n_new == 3


def test_losses_given_out_may_be_written_on():
    foresight, fetch = Foresight(), Fetch()
    foresight.ask([A], 0, [], fetch)[0][:] = 9.0
    assert foresight.ask([A], 0, [], fetch)[0].tolist() == [[0.0] * 5]


def meter_of(n_jobs, cv=4, ahead=(B, C, D), **limits):
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    X, y = planted_table(4, classes=True)
    meter = Meter(evaluator_for(tree, X, y, cv=cv, n_jobs=n_jobs), Budget(**limits))
    meter.ahead = lambda n: list(ahead[:n])
    return meter


def test_a_meter_fills_idle_workers():
    with joblib.parallel_config("threading"):
        for n_jobs, whole, of_a_part in ((1, 4, 1), (4, 4, 4), (6, 8, 4), (8, 8, 4)):
            meter = meter_of(n_jobs)
            meter.losses([A])
            assert (meter.evaluator.n_fits, meter.evaluations) == (whole, 1)
            meter = meter_of(n_jobs)
            meter.part_losses([A], 2)
            assert (meter.evaluator.n_fits, meter.evaluations) == (of_a_part, 1)
            assert meter._spent == pytest.approx(0.25)


def test_a_meter_asks_for_nothing_ahead_of_several_subsets_or_without_a_promise():
    with joblib.parallel_config("threading"):
        meter = meter_of(8)
        meter.losses([A, B])
        assert (meter.evaluator.n_fits, meter.evaluations) == (8, 2)
        meter = meter_of(8)
        meter.ahead = None
        meter.losses([A])
        assert (meter.evaluator.n_fits, meter.evaluations) == (4, 1)


@pytest.mark.parametrize("n_jobs", [1, 8])
def test_whole_subsets_count_each_time_they_are_judged(n_jobs):
    with joblib.parallel_config("threading"):
        meter = meter_of(n_jobs)
        first = meter.losses([A])
        for _ in range(2):
            assert meter.losses([A]).tolist() == first.tolist()
        meter.losses([B])
        assert meter.evaluations == 4


@pytest.mark.parametrize("n_jobs", [1, 8])
def test_parts_count_once(n_jobs):
    with joblib.parallel_config("threading"):
        meter = meter_of(n_jobs)
        for _ in range(3):
            for part in range(4):
                meter.part_losses([A], part)
        assert meter.evaluations == 1


def table(n_rows=80, n_columns=10):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns))
    return X, ((X[:, 1] > 0) | (X[:, 4] > 0.5)).astype(int)


def fits(selector, limit=None):
    """What users see of the same fit with 1, 2 and 8 workers."""
    found = []
    for n_jobs in (1, 2, 8):
        selector.set_params(n_jobs=n_jobs, max_evaluations=limit, random_state=3)
        with joblib.parallel_config("threading"), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".* has spent its budget")
            selector.fit(*table())
        selection = selector.selection_
        trace = [{k: v for k, v in step.items() if k != "seconds"} for step in selection.trace]
        ending = selection.settings["ending"]
        evaluations = selection.cost.evaluations
        found.append((selection.selected, selection.verdicts, trace, evaluations, ending))
    return found


ONE_SPLIT = ShuffleSplit(1, test_size=0.4, random_state=0)
CASES = [
    {"judge": Exhaustive()},
    {"judge": Brace(gamma=0.0)},
    {"strategy": "paper"},
    {"strategy": "paper", "judge": Brace(gamma=0.0)},
    {"biased": False},
    {"remember": False},
    {"holdout": 0.3},
]


@pytest.mark.parametrize("cv", [3, ONE_SPLIT], ids=["three", "one"])
@pytest.mark.parametrize("options", CASES, ids=lambda o: "-".join(map(str, o.items())))
def test_the_number_of_workers_changes_nothing_but_the_time(options, cv):
    tree = DecisionTreeClassifier(max_depth=3)
    one, two, eight = fits(RVErS(tree, cv=cv, tolerance=0.01, **options))
    assert one == two
    assert one == eight
    assert len(one[2]) > 3


@pytest.mark.parametrize("judge", [Exhaustive(), Brace(gamma=0.0)], ids=["exhaustive", "raced"])
def test_the_number_of_workers_changes_nothing_where_the_number_is_known(judge):
    one, two, eight = fits(
        RVE(DecisionTreeClassifier(max_depth=3), n_relevant=2, cv=3, judge=judge)
    )
    assert one == two == eight
    assert len(one[0]) == 2


@pytest.mark.parametrize("limit", [1, 2, 3, 5])
@pytest.mark.parametrize(
    "options",
    [{"judge": Exhaustive()}, {"judge": Brace(gamma=0.0)}, {"strategy": "paper"}],
    ids=["exhaustive", "raced", "paper"],
)
def test_a_budget_is_spent_at_the_same_place(options, limit):
    tree = DecisionTreeClassifier(max_depth=3)
    one, two, eight = fits(RVErS(tree, cv=3, **options), limit)
    assert one == two == eight
    if limit == 1:
        assert one[3:] == (1, "budget")
    else:
        assert one[3] == limit or one[4] == "complete"


def test_what_is_forgotten_does_not_depend_on_the_number_of_workers(monkeypatch):
    monkeypatch.setattr("thresher.run._foresight._MAX_CELLS", 200)
    selector = RVErS(DecisionTreeClassifier(max_depth=3), cv=3, strategy="paper", judge=Brace())
    one, two, eight = fits(selector)
    assert one == two == eight


@pytest.mark.parametrize("weighted", [False, True], ids=["equal", "weighted"])
@pytest.mark.parametrize("n_repeats", [1, 2])
@pytest.mark.parametrize("kind", [RVErS, RaceSelector])
def test_losses_along_a_race_are_on_the_level_of_the_whole_cross_validation(
    kind, n_repeats, weighted
):
    """A race begins with one fold; what it says of the result in the end is not of that fold."""
    X, y = table()
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=n_repeats, random_state=0)
    weight = np.linspace(0.1, 2, len(y)) if weighted else None
    selector = kind(tree, cv=cv, random_state=0).fit(X, y, sample_weight=weight)
    evaluator = evaluator_for(tree, X, y, cv=cv, sample_weight=weight)
    [losses] = evaluator.losses([np.flatnonzero(selector.support_)])
    [chosen] = [step for step in selector.selection_.trace if step["chosen"]]
    assert chosen["loss"] == pytest.approx(np.average(losses, weights=weight))
