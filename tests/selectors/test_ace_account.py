"""Verdicts from the rounds."""

import numpy as np

from thresher import ACE
from thresher.ace import _loop


def test_what_a_rejected_round_finds_is_irrelevant_and_says_why(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    y = X[:, 0] + 0.3 * rng.normal(size=200)
    found = _loop._new
    monkeypatch.setattr(
        _loop, "_new", lambda test, alpha, kept: found(test, alpha, kept) or ((3,) if kept else ())
    )
    monkeypatch.setattr(_loop._Loop, "_accept", lambda _loop, own: own.number == 1)
    selector = ACE(n_trees=20, random_state=0).fit(X, y)
    assert selector.get_support(indices=True).tolist() == [0]
    verdict = selector.selection_.verdicts[3]
    assert verdict.kind == "irrelevant"
    assert "rows held out were predicted no better" in verdict.reason
    assert [step["accepted"] for step in selector.selection_.trace] == [True, False]
