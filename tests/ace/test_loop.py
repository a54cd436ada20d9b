"""The rounds."""

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from thresher.ace import Settings, make_problem, run_ace
from thresher.ace._loop import _Loop, _new
from thresher.columns import read_columns
from thresher.trees import Squared

N_ROWS = 150
FAST = Settings(n_replicates=20, n_trees=15)


def problem_of(target, X):
    values = (target - target.mean()) / target.std()
    return make_problem(read_columns(X), Squared(values[:, None]), np.ones(N_ROWS))


def run(problem, settings=FAST, seed=0, **options):
    return run_ace(problem, settings, np.random.SeedSequence(seed), **options)


@pytest.fixture(scope="module")
def easy():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, 6))
    X[:, 5] = X[:, 0]
    return problem_of(3 * X[:, 0] + X[:, 1] + 0.2 * rng.normal(size=N_ROWS), X)


@pytest.fixture(scope="module")
def noise():
    rng = np.random.default_rng(3)
    return problem_of(rng.normal(size=N_ROWS), rng.normal(size=(N_ROWS, 5)))


def test_ends_when_nothing_new_is_found(easy):
    rounds = run(easy)
    assert [own.number for own in rounds] == list(range(1, len(rounds) + 1))
    assert set(rounds[-1].kept) in ({0, 1}, {5, 1})
    assert all(own.found for own in rounds[:-1])
    last = rounds[-1]
    assert not last.found or set(last.kept) == set(rounds[-2].kept)
    assert last.loss < 0.3 * rounds[0].loss
    assert rounds[0].loss == pytest.approx(1.0, abs=0.05)
    assert rounds[0].standard_error > 0


def test_noise_ends_after_a_round(noise):
    [only] = run(noise)
    assert only.found == only.kept == ()
    assert only.masking is None
    assert only.elimination is None


@pytest.mark.parametrize("misleading", [False, True])
def test_later_rounds_must_lower_the_loss(easy, monkeypatch, misleading):
    """A round is made to find a column of noise that raises the loss a little, or lowers it."""
    explained = _Loop._explain

    def with_a_verdict(loop, variables, **options):
        found = explained(loop, variables, **options)
        factor = (1.1 if misleading else 0.9) if 4 in variables else 1.0
        return replace(found, losses=factor * found.losses)

    monkeypatch.setattr(_Loop, "_explain", with_a_verdict)
    monkeypatch.setattr(
        "thresher.ace._loop._new",
        lambda test, alpha, kept: _new(test, alpha, kept) or (() if 4 in kept else (4,)),
    )
    rounds = run(easy)
    [own] = [own for own in rounds if own.found == (4,)]
    assert own.accepted is not misleading
    assert (4 in own.kept) is not misleading
    assert rounds[-1].kept == own.kept


def test_the_number_of_rounds_is_bounded(easy):
    [only] = run(easy, Settings(n_replicates=20, n_trees=15, max_iterations=1))
    assert only.found


def test_whoever_is_told_may_stop(easy):
    told = []

    def proceed(own):
        told.append(own)
        return False

    rounds = run(easy, proceed=proceed)
    assert rounds == tuple(told)
    assert len(rounds) == 1


def test_without_redundancy_copies_stay(easy):
    rounds = run(easy, Settings(n_replicates=20, n_trees=15, redundancy=False))
    assert {0, 1, 5} <= set(rounds[-1].kept)
    assert all(own.masking is None and own.elimination is None for own in rounds)


def test_found_variables_come_best_first(easy):
    first = run(easy)[0]
    scores = first.test.statistic[list(first.found)]
    assert (np.diff(scores) <= 0).all()
    assert (first.test.p_value[list(first.found)] <= 0.05).all()


def test_required_variables_are_there_from_the_start(easy):
    rounds = run(easy, required=frozenset({0, 3}))
    assert all({0, 3} <= set(own.kept) for own in rounds)
    assert not any({0, 3} & set(own.found) for own in rounds)
    assert 1 in rounds[-1].kept
    assert 5 not in rounds[-1].kept, "a copy of what is known adds nothing"
    assert rounds[0].loss < 0.5


def test_threads_change_nothing(easy):
    one, two = run(easy, n_jobs=1), run(easy, n_jobs=2)
    assert [own.kept for own in one] == [own.kept for own in two]
    assert [own.loss for own in one] == [own.loss for own in two]
    for a, b in zip(one, two, strict=True):
        assert np.array_equal(a.test.p_value, b.test.p_value)
        assert np.array_equal(a.importances.scores, b.importances.scores)


def test_records_are_frozen(noise):
    with pytest.raises(FrozenInstanceError):
        FAST.alpha = 0.1
    with pytest.raises(FrozenInstanceError):
        run(noise)[0].kept = ()
