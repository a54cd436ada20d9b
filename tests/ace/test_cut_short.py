"""Rounds that a monitor cuts short, each at its place."""

from collections import Counter

import numpy as np
import pytest

from thresher.ace import CutShort, Monitor, Settings, make_problem, run_ace
from thresher.columns import read_columns
from thresher.trees import Squared

N_ROWS = 150
N_REPLICATES = 20


class Strike(Monitor):
    """Says stop, or is interrupted, once a stage is so far; keeps what it is told."""

    def __init__(self, stage=None, at=0, error=None):
        self.stage, self.at, self.error = stage, at, error
        self.struck = False
        self.told = []
        self.n_counted = 0

    def spent(self):
        return self.closed or self.struck

    def count(self, n_tasks=1):
        self.n_counted += n_tasks

    def tick(self, stage, done, total):
        self.told.append((stage, done, total))
        if stage == self.stage and done == self.at:
            self.struck = True
            if self.error is not None:
                raise self.error

    def close(self, end):
        self.closed = True


@pytest.fixture(scope="module")
def problem():
    """Two columns that matter, and copies of the first."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, 8))
    X[:, 5:] = X[:, :1] + 0.01 * rng.normal(size=(N_ROWS, 3))
    target = 3 * X[:, 0] + X[:, 1] + 0.2 * rng.normal(size=N_ROWS)
    values = (target - target.mean()) / target.std()
    return make_problem(read_columns(X), Squared(values[:, None]), np.ones(N_ROWS))


def run(problem, monitor, n_jobs=1, **options):
    settings = Settings(**{"n_replicates": N_REPLICATES, "n_trees": 15, **options})
    return run_ace(problem, settings, np.random.SeedSequence(0), n_jobs=n_jobs, monitor=monitor)


@pytest.fixture(scope="module")
def whole(problem):
    return run(problem, Monitor())


ENDS = {"budget": None, "interrupt": KeyboardInterrupt()}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_watching_changes_nothing(problem, whole, n_jobs):
    watched = run(problem, Strike(), n_jobs)
    assert [own.kept for own in watched] == [own.kept for own in whole]
    for one, other in zip(watched, whole, strict=True):
        assert np.array_equal(one.importances.scores, other.importances.scores)
        assert np.array_equal(one.test.p_value, other.test.p_value)
        assert one.loss == other.loss
        assert one.cut_short is None
        assert one.level == 0.05


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_is_monotone_and_complete(problem, whole, n_jobs):
    monitor = Strike()
    run(problem, monitor, n_jobs)
    stages = list(dict.fromkeys(stage for stage, _, _ in monitor.told))
    first = ["importances", "masking", "elimination", "explaining"]
    assert stages[:4] == [f"round 1: {name}" for name in first]
    assert stages[4] == "round 2: importances"
    for stage in stages:
        steps = [(done, total) for own, done, total in monitor.told if own == stage]
        counts = [done for done, _ in steps]
        assert counts[0] == 0
        assert counts == sorted(counts)
        [total] = {total for _, total in steps}
        assert total is None or counts[-1] == total
    trials = [done for stage, done, _ in monitor.told if stage == "round 1: elimination"]
    assert trials[-1] == whole[0].elimination.n_trials
    expected = sum(
        N_REPLICATES * (1 + (own.masking is not None))
        + (own.elimination.n_trials if own.elimination else 0)
        for own in whole
    )
    n_explained = Counter(done == total for stage, done, total in monitor.told if "expl" in stage)
    assert monitor.n_counted == expected + n_explained[True]


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("at", [1, 4, 19])
def test_replicates_that_are_done_are_tested(problem, end, at, n_jobs):
    [own] = run(problem, Strike("round 1: importances", at, ENDS[end]), n_jobs)
    n_done = len(own.importances.scores)
    assert n_done == at or (n_jobs > 1 and n_done > at), "what has begun counts, too"
    assert own.n_planned == N_REPLICATES
    assert own.cut_short == ("importances" if n_done < N_REPLICATES else "masking")
    assert own.level == max(0.05, 1 / (1 + n_done))
    assert {0, 1} <= set(own.found)
    assert own.kept == own.found
    assert own.masking is None
    assert own.elimination is None
    assert own.test.p_value.min() >= min(own.level, 1 / (1 + n_done)) or n_done >= 19


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_one_replicate_is_done_in_any_case(problem, n_jobs):
    [own] = run(problem, Strike("round 1: importances", 0), n_jobs)
    assert len(own.importances.scores) == 1
    assert own.level == 0.5
    assert 0 in own.found


def test_an_interrupt_before_anything_is_known_is_raised(problem):
    with pytest.raises(KeyboardInterrupt):
        run(problem, Strike("round 1: importances", 0, KeyboardInterrupt()))


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("at", [0, 1, 5])
def test_masking_cut_short_drops_nothing(problem, whole, end, at, n_jobs):
    [own] = run(problem, Strike("round 1: masking", at, ENDS[end]), n_jobs)
    # while one thread is held up, the other one may do all that is left
    is_whole = n_jobs > 1 and own.masking is not None and own.masking.n_replicates == N_REPLICATES
    assert own.cut_short == ("elimination" if is_whole else "masking")
    assert set(own.kept) == set(own.found)
    assert own.found == whole[0].found
    if own.masking is not None:
        assert 2 <= own.masking.n_replicates < N_REPLICATES + is_whole
        assert own.elimination.masked_by == {}


def test_surrogates_need_no_trials(problem):
    [own] = run(problem, Strike("round 1: masking", 5), redundancy="surrogates")
    assert own.cut_short == "masking"
    assert own.masking.n_replicates == 5
    assert len(own.kept) < len(own.found)


def dropped_until(problem, whole, end, at, n_jobs):
    """How many are dropped if elimination ends after so many trials."""
    [own] = run(problem, Strike("round 1: elimination", at, ENDS[end]), n_jobs)
    assert own.cut_short == "elimination"
    assert set(own.kept) >= set(whole[0].kept)
    assert set(own.kept) | set(own.elimination.masked_by) == set(own.found)
    assert not own.elimination.complete
    return len(own.elimination.masked_by)


@pytest.mark.parametrize("end", ENDS)
def test_elimination_cut_short_keeps_what_was_decided(problem, whole, end):
    places = range(whole[0].elimination.n_trials)
    dropped = [dropped_until(problem, whole, end, at, 1) for at in places]
    assert dropped[0] == 0
    assert dropped == sorted(dropped)
    assert len(set(dropped)) > 2
    # with two workers, trials under way may still decide what they were begun for, and no more
    steps = sorted({*dropped, len(whole[0].elimination.masked_by)})
    for at in places:
        place = steps.index(dropped[at])
        assert dropped_until(problem, whole, end, at, 2) in steps[place : place + 2]


@pytest.mark.parametrize("end", ENDS)
def test_the_first_round_counts_while_it_is_being_explained(problem, whole, end):
    [own] = run(problem, Strike("round 1: explaining", 10, ENDS[end]))
    assert own.cut_short == "explaining"
    assert own.kept == whole[0].kept
    assert own.accepted


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("at", [0, 7])
def test_a_later_round_does_not_count(problem, whole, end, at, n_jobs):
    [own] = run(problem, Strike("round 2: importances", at, ENDS[end]), n_jobs)
    assert own.cut_short is None
    assert own.kept == whole[0].kept


def test_time_that_is_up_with_the_last_task_changes_nothing(problem, whole):
    monitor = Strike(f"round {len(whole)}: importances", N_REPLICATES)
    assert not whole[-1].found
    assert len(run(problem, monitor)) == len(whole)
    assert not monitor.closed


def test_a_monitor_may_cut_short_by_itself(problem):
    [own] = run(problem, Strike("round 1: importances", 3, CutShort()), 2)
    assert own.cut_short == "importances"


def test_other_errors_pass(problem):
    with pytest.raises(RuntimeError, match="other"):
        run(problem, Strike("round 1: importances", 3, RuntimeError("other")), 2)


def test_a_single_round_need_not_be_explained(problem, whole):
    monitor = Strike()
    [own] = run(problem, monitor, max_iterations=1)
    assert own.kept == whole[0].kept
    assert not any("explaining" in stage for stage, _, _ in monitor.told)
