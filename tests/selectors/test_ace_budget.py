"""ACE under limits of time and evaluations, under Ctrl-C, and as its observers see it."""

import json
import time
import warnings

import numpy as np
import pandas as pd
import pytest

from thresher import ACE

N_ROWS = 150
N_REPLICATES = 20


def ace(**options):
    return ACE(**{"n_trees": 15, "random_state": 0, **options})


@pytest.fixture(scope="module")
def table():
    """Two columns that matter, near copies of the first, three of noise, one that is constant."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(N_ROWS, 5)), columns=["a", "b", "n1", "n2", "n3"])
    for k in range(3):
        X[f"copy{k}"] = X["a"] + 0.01 * rng.normal(size=N_ROWS)
    return X.assign(fixed=1.0)


@pytest.fixture(scope="module")
def target(table):
    noise = np.random.default_rng(1).normal(size=N_ROWS)
    return (3 * table["a"] + table["b"] + 0.2 * noise).to_numpy()


@pytest.fixture(scope="module")
def whole(table, target):
    return ace().fit(table, target)


class Observer:
    """Keeps what it is told; does something once a stage is so far."""

    def __init__(self, stage=None, at=0, then=lambda: None):
        self.strike, self.then = (stage, at), then
        self.told, self.steps, self.evaluations = [], [], []

    def __call__(self, step):
        self.steps.append(step)

    def stage(self, name, done, total):
        self.told.append((name, done, total))
        if (name, done) == self.strike:
            self.then()

    def evaluated(self, evaluations):
        self.evaluations.append(evaluations)


def fit_late(clock, table, target, stage, at, **options):
    """Fit; time is up once a stage is so far."""
    late = Observer(stage, at, lambda: clock.jump(1e9))
    with pytest.warns(UserWarning, match="ACE has spent its budget") as caught:
        selector = ace(max_time=1e8, **options).observe(late).fit(table, target)
    assert len(caught) == 1
    assert selector.selection_.settings["ending"] == "budget"
    assert [v.name for v in selector.selection_.verdicts] == list(table.columns)
    json.dumps(selector.selection_.to_dict(), allow_nan=False)
    return selector, str(caught[0].message)


def interrupt():
    raise KeyboardInterrupt


def verdicts(selector):
    return {verdict.name: verdict for verdict in selector.selection_.verdicts}


def test_replicates_that_are_done_in_time_are_tested(clock, table, target):
    selector, message = fit_late(clock, table, target, "round 1: importances", 4)
    assert "after 4 of 20 replicates of round 1" in message
    assert "at level 0.2 instead of 0.05; redundancy was not looked at" in message
    assert {"a", "b"} <= set(selector.selection_.selected)
    found = verdicts(selector)["b"]
    assert found.p_value == 0.2
    assert found.reason.startswith("found in round 1 after 4 of 20 replicates: ")
    dropped = [v for v in selector.selection_.verdicts if v.kind != "relevant"]
    assert {v.kind for v in dropped} == {"irrelevant"}
    for verdict in dropped:
        assert verdict.name == "fixed" or verdict.p_value > 0.2
        assert verdict.name == "fixed" or "in 4 of 20 replicates" in verdict.reason
    [record] = selector.selection_.trace
    assert record["n_replicates"] == len(record["contrast_maxima"]) == 4
    assert record["level"] == 0.2
    assert record["cut_short"] == "importances"
    assert selector.selection_.cost.evaluations == 4


def test_one_replicate_is_done_however_short_the_time(table, target):
    with pytest.warns(UserWarning, match="after 1 of 20 replicates of round 1"):
        selector = ace(max_time=1e-9).fit(table, target)
    assert verdicts(selector)["a"].p_value == 0.5
    assert selector.selection_.cost.evaluations == 1


@pytest.mark.parametrize("correction", ["bonferroni", "bh", "t"])
@pytest.mark.parametrize("n_done", [1, 5])
def test_other_corrections_find_the_best_so_far(clock, table, target, correction, n_done):
    selector, message = fit_late(
        clock, table, target, "round 1: importances", n_done, correction=correction
    )
    assert "a" in selector.selection_.selected
    [record] = selector.selection_.trace
    assert (record["level"] > 0.05) == (correction != "t" or n_done == 1)
    assert ("instead of 0.05" in message) == (record["level"] > 0.05)
    for verdict in selector.selection_.verdicts:
        if verdict.kind == "relevant":
            assert verdict.p_value <= record["level"]


@pytest.mark.parametrize("at", [0, 1, 6])
def test_without_masking_nothing_is_redundant(clock, table, target, whole, at):
    selector, message = fit_late(clock, table, target, "round 1: masking", at)
    assert "after the importances of round 1" in message
    assert "redundancy was not looked at" in message
    assert set(selector.selection_.selected) == set(whole.selection_.trace[0]["found"])
    assert selector.alternatives_ == dict.fromkeys(selector.selection_.selected, ())
    assert selector.selection_.trace[0]["cut_short"] == "masking"


def test_trials_that_are_done_in_time_count(clock, table, target, whole):
    last = whole.iterations_[0].elimination.n_trials - 1
    selector, message = fit_late(clock, table, target, "round 1: elimination", last)
    assert "after a part of the elimination in round 1" in message
    assert "some of it may be redundant" in message
    kept = set(selector.selection_.selected)
    assert set(whole.selection_.trace[0]["kept"]) <= kept
    assert kept <= set(whole.selection_.trace[0]["found"])


@pytest.mark.parametrize(
    ("stage", "at"), [("round 1: explaining", 0), ("round 2: importances", 0)]
)  # fmt: skip
def test_the_first_round_counts_if_there_is_no_time_for_another(clock, table, target, stage, at):
    selector, message = fit_late(clock, table, target, stage, at)
    assert "after 1 round(s)" in message
    assert message.endswith("this is what it has found so far")
    whole = ace(max_iterations=1).fit(table, target)
    assert selector.selection_.verdicts == whole.selection_.verdicts


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_limits_that_are_not_reached_change_nothing(table, target, whole, n_jobs):
    limited = ace(max_time=1e6, max_evaluations=10**6, n_jobs=n_jobs).observe(Observer())
    limited.fit(table, target)
    assert limited.selection_.verdicts == whole.selection_.verdicts
    assert limited.selection_.trace == whole.selection_.trace
    assert limited.selection_.cost.evaluations == whole.selection_.cost.evaluations
    assert limited.selection_.settings["ending"] == "complete"


def fit_limited(table, target, limit, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        selector = ace(max_evaluations=limit, **options).fit(table, target)
    assert len(caught) == (selector.selection_.settings["ending"] == "budget")
    return selector


def test_evaluations_strike_anywhere_and_whatever_the_threads(table, target, whole):
    needed = whole.selection_.cost.evaluations
    n_trials = whole.iterations_[0].elimination.n_trials
    masked, explained = 2 * N_REPLICATES, 2 * N_REPLICATES + n_trials
    places = {
        "importances": [1, 7, N_REPLICATES - 1],
        "masking": [N_REPLICATES, N_REPLICATES + 1, N_REPLICATES + 5],
        "elimination": range(masked, explained),
        "explaining": [explained],
        None: [explained + 1, explained + 9, needed - 1],
    }
    for place, limits in places.items():
        for limit in limits:
            selector = fit_limited(table, target, limit)
            assert selector.selection_.settings["ending"] == "budget"
            assert selector.selection_.trace[-1]["cut_short"] == place, limit
            assert selector.selection_.cost.evaluations <= limit
            other = fit_limited(table, target, limit, n_jobs=3)
            assert other.selection_.verdicts == selector.selection_.verdicts
            assert other.selection_.trace == selector.selection_.trace
            assert other.selection_.cost.evaluations == selector.selection_.cost.evaluations


def test_as_many_evaluations_as_needed_are_enough(table, target, whole):
    limited = fit_limited(table, target, whole.selection_.cost.evaluations)
    assert limited.selection_.settings["ending"] == "complete"
    assert limited.selection_.verdicts == whole.selection_.verdicts
    assert limited.selection_.trace == whole.selection_.trace


def test_few_evaluations_with_columns_to_keep(table, target):
    selector = fit_limited(table, target, 1, keep=["n1"])
    assert "n1" in selector.selection_.selected
    assert selector.selection_.cost.evaluations == 1


@pytest.mark.parametrize("limit", [0, -1, 1.5, "1", True], ids=str)
def test_limits_that_make_no_sense_are_refused(table, target, limit):
    with pytest.raises(ValueError, match="max_evaluations must be a whole number"):
        ace(max_evaluations=limit).fit(table, target)


@pytest.mark.parametrize(
    ("stage", "at", "message", "later"),
    [
        ("round 1: importances", 3, "of 20 replicates of round 1", "the importances of round 1"),
        ("round 1: masking", 4, "the importances of round 1", "a part of the elimination"),
        ("round 1: elimination", 2, "a part of the elimination in round 1", "1 round"),
        ("round 1: explaining", 10, "1 round", "1 round"),
        ("round 2: importances", 3, "1 round", "1 round"),
    ],
)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupt_at_any_moment_keeps_what_is_known(
    clock, table, target, stage, at, message, later, n_jobs
):
    selector = ace(n_jobs=n_jobs).observe(Observer(stage, at, interrupt))
    # while one thread is held up, the other one may come to the end of the stage
    where = message if n_jobs == 1 else f"({message}|{later})"
    with pytest.warns(UserWarning, match=f"ACE was interrupted after .*{where}") as caught:
        selector.fit(table, target)
    assert len(caught) == 1
    assert selector.selection_.settings["ending"] == "interrupted"
    assert {"a", "b"} & set(selector.selection_.selected)
    assert len(selector.selection_.verdicts) == table.shape[1]
    assert len(selector.iterations_) == 1


@pytest.mark.parametrize("stage", ["coding columns", "round 1: importances"])
def test_an_interrupt_before_anything_is_known_is_raised(table, target, stage):
    with pytest.raises(KeyboardInterrupt):
        ace().observe(Observer(stage, 0, interrupt)).fit(table, target)


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("stage", ["coding columns", "round 1: masking", "round 2: importances"])
def test_errors_of_observers_pass(table, target, stage, n_jobs):
    def fail():
        raise RuntimeError("observer")

    with pytest.raises(RuntimeError, match="observer"):
        ace(n_jobs=n_jobs).observe(Observer(stage, 0, fail)).fit(table, target)


@pytest.mark.parametrize("options", [{"max_evaluations": 3}, {"max_time": 1e-9}], ids=str)
def test_warnings_point_at_whoever_calls_fit(table, target, options):
    with pytest.warns(UserWarning, match="spent its budget") as caught:
        ace(**options).fit(table, target)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_is_monotone_and_complete(clock, table, target, n_jobs):
    observer = Observer()
    selector = ace(n_jobs=n_jobs).observe(observer).fit(table, target)
    stages = list(dict.fromkeys(name for name, _, _ in observer.told))
    first = ["importances", "masking", "elimination", "explaining"]
    assert stages[:5] == ["coding columns", *(f"round 1: {name}" for name in first)]
    for stage in stages:
        counts = [done for name, done, _ in observer.told if name == stage]
        [total] = {total for name, _, total in observer.told if name == stage}
        assert counts[0] == 0
        assert counts == sorted(set(counts))
        assert counts[-1] == total or total is None
    forests = [done for name, done, _ in observer.told if name == "round 1: importances"]
    assert forests == list(range(N_REPLICATES + 1))
    assert observer.evaluations == sorted(observer.evaluations)
    assert observer.evaluations[-1] == selector.selection_.cost.evaluations
    assert [step.evaluations for step in observer.steps][-1] == observer.evaluations[-1]


def test_progress_is_not_told_all_the_time(table, target, monkeypatch):
    monkeypatch.setattr(time, "perf_counter", lambda: 0.0)
    observer = Observer()
    ace().observe(observer).fit(table, target)
    by_stage = {}
    for name, done, total in observer.told:
        by_stage.setdefault(name, []).append((done, total))
    for name, told in by_stage.items():
        assert len(told) == 2, name
        assert told[-1][0] == told[-1][1] or told[-1][1] is None


def test_observers_may_do_without_stages(table, target, whole):
    class Evaluated:
        n = 0

        def __call__(self, step):
            return step.number == 0

        def evaluated(self, n):
            self.n = n

    observer = Evaluated()
    selector = ace().observe(observer).fit(table, target)
    assert selector.selection_.settings["ending"] == "stopped"
    assert observer.n == selector.selection_.cost.evaluations > 2 * N_REPLICATES
    assert len(selector.iterations_) == 1
