import numpy as np
import pytest

from thresher.evaluators import Flips
from thresher.races import Contest, Exhaustive
from thresher.races._exhaustive import mean_losses, standard_error
from thresher.testing import check_judge
from thresher.testing._planted import planted_evaluator


def test_the_judge_conforms():
    check_judge(Exhaustive())


def test_mean_and_error_equal_the_textbook():
    losses = np.random.default_rng(0).normal(size=(3, 50))
    assert np.allclose(mean_losses(losses, None), losses.mean(axis=1))
    assert standard_error(losses[0], None) == pytest.approx(losses[0].std(ddof=1) / np.sqrt(50))


def test_weights_count_like_repeated_rows_in_the_mean():
    losses = np.random.default_rng(1).normal(size=(2, 6))
    times = np.array([1, 2, 3, 1, 0, 2])
    expected = np.repeat(losses, times, axis=1).mean(axis=1)
    assert np.allclose(mean_losses(losses, times.astype(float)), expected)
    equal = np.full(6, 3.0)
    assert standard_error(losses[0], equal) == pytest.approx(standard_error(losses[0], None))


def test_rows_without_a_loss_do_not_count():
    losses = np.array([[1.0, np.nan, 3.0]])
    assert mean_losses(losses, None)[0] == 2.0
    assert standard_error(losses[0], None) == 1.0


def test_chunks_do_not_change_the_outcome(monkeypatch):
    contest = Contest(Flips(frozenset(), range(8)))
    rng = np.random.default_rng(0)
    whole = Exhaustive().decide(contest, planted_evaluator(), rng)
    monkeypatch.setattr("thresher.races._exhaustive._CHUNK", 60)
    pieces = Exhaustive().decide(contest, planted_evaluator(), rng)
    assert pieces.best == whole.best
    assert np.allclose(pieces.losses, whole.losses)
    assert pieces.standard_error == pytest.approx(whole.standard_error)


def test_a_contest_needs_candidates():
    with pytest.raises(ValueError, match="at least one candidate"):
        Contest([])
