"""What the tests of RACSAM share."""

import numpy as np
import pytest

from thresher import RACSAM, Selection

INITS = ["gram-schmidt", "random", "correlation"]
#: For learners that are refitted.
FEW = {"n_candidates": 10, "max_candidates": 14, "n_winners": 3, "max_tests": 16, "patience": 1}
every_init = pytest.mark.parametrize("init", INITS)


def racsam(learner=None, **options):
    small = {"n_candidates": 60, "n_winners": 6, "max_tests": 40, "random_state": 0}
    return RACSAM(learner, **{**small, **options})


def told(selector, X, *, ending="complete"):
    """Check that results agree with each other and say something of every column."""
    selection, chosen = selector.selection_, np.flatnonzero(selector.support_)
    assert selector.n_features_ == len(chosen)
    assert selector.winners_[0].tolist() == chosen.tolist()
    assert selector.subsets_[0].tolist() == chosen.tolist()
    assert len(selector.subsets_) == len(selector.estimators_)
    if selector.combine == "best":
        assert len(selector.estimators_) == 1
    else:
        assert [s.tolist() for s in selector.subsets_] == [w.tolist() for w in selector.winners_]
    assert len({tuple(winner) for winner in selector.winners_}) == len(selector.winners_)
    for subset, model in zip(selector.subsets_, selector.estimators_, strict=True):
        assert model.n_features_in_ == len(subset)
    _check_ranking(selector)
    names = [verdict.name for verdict in selection.verdicts]
    assert [v.name for v in selection.verdicts if v.kind == "relevant"] == [
        names[p] for p in chosen
    ]
    assert all(verdict.reason for verdict in selection.verdicts)
    assert set(selection.selected) == {names[p] for p in chosen}
    assert selection.settings["ending"] == ending
    assert Selection.from_dict(selection.to_dict()) == selection
    assert selector.predict(X).shape == (len(X),)


def _check_ranking(selector):
    assert (selector.ranking_[selector.support_] == 1).all()
    assert (selector.ranking_[~selector.support_] > 1).all()
    held = np.zeros(len(selector.support_))
    for winner in selector.winners_:
        held[winner] += 1
    dropped = np.flatnonzero(~selector.support_)
    by_rank = dropped[np.argsort(selector.ranking_[dropped], kind="stable")]
    assert (np.diff(held[by_rank]) <= 0).all()
