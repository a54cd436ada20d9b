"""A strategy written by someone else, in a file of their own, without touching ours."""

import json
import sys

import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression

from thresher import WrapperSelector
from thresher.races import Contest
from thresher.searches import SearchStrategy
from thresher.testing import check_strategy


class RandomWalk(SearchStrategy):
    """Flip one variable at random, and stay where the loss is lower."""

    def __init__(self, n_flips: int = 60):
        self.n_flips = n_flips

    def run(self, space, rng):
        current = yield Contest([space.empty])
        for _ in range(self.n_flips):
            flips = space.neighbours(current.best)
            if not flips:
                break
            rival = yield Contest(flips[(k := int(rng.integers(len(flips)))) : k + 1], current.best)
            current = rival if rival.loss < current.loss else current
        return current.best


def test_it_passes_the_conformance_checks():
    check_strategy(RandomWalk())


def test_it_runs_in_the_selector():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 6))
    y = X[:, 1] - 2 * X[:, 4] + 0.1 * rng.normal(size=80)
    for search in (RandomWalk, RandomWalk(200), f"{__name__}.RandomWalk"):
        fitted = WrapperSelector(LinearRegression(), search=search, random_state=1).fit(X, y)
        assert {"x1", "x4"} <= set(fitted.selection_.selected)
        assert all(verdict.reason for verdict in fitted.selection_.verdicts)


def test_it_runs_from_the_command_line(tmp_path, capsys, monkeypatch):
    from thresher.cli._app import app

    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 4))
    frame = pd.DataFrame(X, columns=list("abcd")).assign(y=X[:, 2] + 0.1 * rng.normal(size=80))
    frame.to_csv(tmp_path / "t.csv", index=False)
    monkeypatch.setattr(
        sys, "argv",
        ["thresher", "select", str(tmp_path / "t.csv"), "--target", "y", "--method", "wrapper",
         "--search", f"{__name__}.RandomWalk", "--random-state", "1", "--json"],
    )  # fmt: skip
    app(standalone_mode=False)
    assert "c" in json.loads(capsys.readouterr().out)["selected"]
