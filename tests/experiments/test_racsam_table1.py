"""Counts of rows and early ends, against searches that know nothing of them."""

import numpy as np
import pytest

from thresher import RACSAM, Stepwise
from thresher.datasets import make_double_friedman
from thresher.experiments import _racsam_table1 as table1
from thresher.experiments._racsam_counting import CountingRACSAM
from thresher.learners import LazyRegressor


def test_counting_changes_nothing():
    data = make_double_friedman(300, n_features=12, random_state=0)
    settings = {"n_candidates": 60, "n_winners": 5, "max_train": 90, "random_state": 0}
    steps = []
    counted = CountingRACSAM(**settings).observe(lambda step: steps.append(step) and None)
    counted.fit(data.X, data.y)
    plain = RACSAM(**settings).fit(data.X, data.y)
    assert [w.tolist() for w in counted.winners_] == [w.tolist() for w in plain.winners_]
    assert counted.selection_.cost.losses == plain.selection_.cost.losses
    # neither the play-off nor what explains the result is a race between generations
    assert len(counted.races_) == len(steps) - 2
    for race in counted.races_:
        assert race.sizes == {heat: min(50 + 10 * heat, 90) for heat in range(len(race.sizes))}
    assert [race.best for race in counted.races_] == [step.winner for step in steps[:-2]]
    seen = [race.n_seen for race in counted.races_]
    assert seen[0] == steps[0].n_candidates == 60
    assert seen == sorted(set(seen))
    assert seen[-1] <= 2 * 60


@pytest.mark.parametrize("seed", range(5))
def test_forward_selection_that_ends_early_fails_in_any_case(seed, monkeypatch):
    monkeypatch.setattr(table1, "N_TRAIN", 60)
    n_features, n_test = 13, 40
    data = make_double_friedman(table1.N_ROWS, n_features=n_features, random_state=seed)
    rows = np.arange(100)
    whole = Stepwise(LazyRegressor(), cv=[(rows[:60], rows[60:])], loss="absolute")
    found = np.flatnonzero(whole.fit(data.X, data.y).support_).tolist()
    assert table1._forward(n_features, seed, n_test) == (found == sorted(data.relevant))
