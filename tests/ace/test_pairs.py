"""Variables that matter only together."""

import math

import numpy as np
import pandas as pd
import pytest

from thresher import ACE
from thresher.ace import _pairs, make_problem
from thresher.ace._pairs import find_pairs
from thresher.columns import read_columns, with_groups
from thresher.datasets import make_boolean_concept
from thresher.trees import Squared


def problem_of(X, target, *, weight=None, groups=None):
    columns = with_groups(read_columns(X), groups, ())
    weight = np.ones(len(target)) if weight is None else weight
    values = np.asarray(target, dtype=float)
    return make_problem(columns, Squared(values[:, None]), weight), values[:, None]


def test_ratios_are_those_of_the_long_way():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 4)), rng.normal(size=300)
    weight = rng.random(300)
    problem, target = problem_of(X, y + 3 * X[:, 1] * X[:, 3], weight=weight)
    found = find_pairs(problem, target, 0.05)
    scores, w = problem.column_scores(np.arange(4)), problem.weight
    rest = w * (target[:, 0] - np.average(target[:, 0], weights=w))
    n_pairs, best = 6, {}
    for a in range(4):
        for b in range(4):
            if a == b:
                continue
            product = scores[a] * scores[b]
            spread = max(
                ((product * rest) ** 2).sum(),
                (product**2).sum() * (rest**2).mean(),
                300 * (rest**2).mean(),
            )
            ratio = abs((product * rest).sum()) / math.sqrt(spread)
            p_value = 2 * n_pairs * math.exp(-(ratio**2) / 2)
            if p_value <= 0.05 and p_value < best.get(a, (1.0, 0))[0]:
                best[a] = (p_value, b)
    assert found.partner == {v: partner for v, (_, partner) in best.items()} == {1: 3, 3: 1}
    assert found.p_value == pytest.approx({v: p for v, (p, _) in best.items()}, rel=1e-3)


def test_levels_of_categories_may_matter_together():
    rng = np.random.default_rng(1)
    X = pd.DataFrame(
        {name: rng.choice(list("uvw"), 500) for name in ("first", "second", "third")}
    ).assign(number=rng.normal(size=500))
    problem, target = problem_of(X, (X["first"] == "u") != (X["second"] == "v"))
    found = find_pairs(problem, target, 0.01)
    assert found.partner == {0: 1, 1: 0}


def test_columns_of_one_group_are_no_pair():
    rng = np.random.default_rng(2)
    X = pd.DataFrame(rng.normal(size=(300, 3)), columns=list("abc"))
    y = X["a"] * X["b"]
    problem, target = problem_of(X, y, groups={"both": ["a", "b"]})
    assert find_pairs(problem, target, 0.01).partner == {}
    problem, target = problem_of(X, y)
    assert find_pairs(problem, target, 0.01).partner == {0: 1, 1: 0}


@pytest.mark.parametrize("kind", ["normal", "rare levels", "alike"])
@pytest.mark.parametrize("target", ["heavy tails", "rare class"])
def test_nothing_is_found_where_nothing_matters(kind, target):
    found = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(400, 60))
        if kind == "rare levels":
            X = (rng.random(X.shape) < rng.uniform(0.01, 0.1, 60)).astype(float)
        elif kind == "alike":
            X = X[:, :1] + 0.2 * X
        y = rng.standard_t(1.5, 400) if target == "heavy tails" else rng.random(400) < 0.06
        found += bool(find_pairs(*problem_of(X, y), 0.05).partner)
    assert found <= 3, "20 tables at 5 percent"


def test_weights_that_go_with_the_target_make_no_pairs_of_columns_that_are_alike():
    found = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(400, 20)) + rng.normal(size=(400, 1))
        y = rng.random(400) < 0.1
        weight = np.where(y, 9.0, 1.0)
        found += bool(find_pairs(*problem_of(X, y, weight=weight / weight.mean()), 0.05).partner)
    assert found <= 3, "20 tables at 5 percent"


def test_tables_with_too_many_pairs_are_left_alone(monkeypatch):
    rng = np.random.default_rng(3)
    problem, target = problem_of(rng.normal(size=(50, 5)), rng.normal(size=50))
    assert find_pairs(problem, target, 0.05) is not None
    monkeypatch.setattr(_pairs, "MAX_WORK", 100)
    assert find_pairs(problem, target, 0.05) is None
    problem, target = problem_of(rng.normal(size=(50, 1)), rng.normal(size=50))
    assert find_pairs(problem, target, 0.05) is None


def test_ace_finds_bits_that_only_matter_together_and_says_so():
    data = make_boolean_concept("parity-like", 12, n_rows=300, random_state=0)
    ace = ACE(random_state=0, n_trees=30).fit(data.X, data.y)
    assert np.flatnonzero(ace.support_).tolist() == [0, 1, 2]
    for verdict in ace.selection_.verdicts[:3]:
        assert verdict.kind == "relevant"
        assert verdict.p_value <= 0.05 * _pairs.PAIRS_SHARE
        assert "matters together with x" in verdict.reason
    assert set(ace.selection_.trace[0]["together"]) == {"x0", "x1", "x2"}


def test_a_pair_is_found_beside_single_columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 8))
    score = 2 * X[:, 0] + 2.5 * (np.sign(X[:, 2]) == np.sign(X[:, 5]))
    ace = ACE(random_state=0, n_trees=30).fit(X, score + rng.normal(size=600))
    assert np.flatnonzero(ace.support_).tolist() == [0, 2, 5]
    reason = ace.selection_.verdicts[2].reason
    assert reason.startswith("found in round 2: matters together with x5")


def test_what_single_columns_show_is_not_looked_for_in_pairs():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(200, 4))
    ace = ACE(random_state=0, n_trees=15).fit(X, 2 * X[:, 0] + 0.1 * rng.normal(size=200))
    first, last = ace.iterations_[0], ace.iterations_[-1]
    assert first.pairs is None
    assert last.pairs is not None
    assert last.pairs.partner == {}
