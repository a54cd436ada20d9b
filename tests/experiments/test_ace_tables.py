"""Shortcuts and bookkeeping of the experiments on ACE, against the long way."""

import numpy as np
import pytest

from thresher import ACE
from thresher.datasets import make_tied
from thresher.experiments import Spread
from thresher.experiments import _ace_null as null
from thresher.experiments import _ace_table2 as table2
from thresher.experiments import _ace_table6 as table6
from thresher.experiments import _ace_tied as tied
from thresher.experiments._methods import group_panel


def test_bars_show_the_mean_and_the_spread_of_each_group():
    shares = {"a": np.array([[10.0, 0, 0], [30.0, 0, 0]]), "b": np.zeros((2, 3))}
    panel = group_panel("title", shares)
    assert [series.label for series in panel.series] == ["relevant", "redundant", "irrelevant"]
    assert panel.series[0].x == ("a", "b")
    assert panel.series[0].y == (20.0, 0.0)
    assert panel.series[0].spread == (pytest.approx(np.sqrt(200)), 0.0)


@pytest.mark.parametrize("seed", range(4))
def test_the_papers_t_test_is_that_of_a_fit_with_it(seed):
    shape = (80, 12)
    rng = np.random.default_rng([seed, *shape])
    X, y = rng.standard_normal(shape), rng.standard_normal(shape[0])
    settings = {"n_trees": 10}
    fit = ACE(correction="t", random_state=seed, redundancy=False, max_iterations=1, **settings)
    test = fit.fit(X, y).iterations_[0].test
    _, papers = null._one_data_set("normal", shape, "regression", seed, settings)
    assert papers == bool((test.p_value <= 0.05).any())


def test_columns_are_counted_by_what_they_are():
    data = make_tied(100, n_features=40, random_state=0)
    families = data.equivalence_classes
    counts, of = tied._count(data, families, {0, 1, 8, 13, 35, 36})
    assert dict(zip(tied.COUNTS, counts, strict=True)) == {
        "members": 3,
        "families": 2,
        "descendants": 1,
        "irrelevant": 2,
    }
    assert of == (13, 5, 17, 10)
    assert sum((of[0], *of[2:])) == data.X.shape[1]


def test_what_the_paper_lists_is_counted_alike():
    families = make_tied(20, n_features=40, random_state=0).equivalence_classes
    members = {position + 1 for family in families for position in family}
    for problem in tied.PROBLEMS:
        if not problem.scores:
            continue
        in_families = members & set(problem.scores)
        covered = [family for family in families if tied._best(problem.scores, family)]
        listed = {number for number, score in problem.scores.items() if score}
        false_alarms = listed - members
        assert problem.paper[:3] == (len(in_families), len(covered), len(false_alarms))


def test_scores_are_relative_to_the_best():
    data = make_tied(300, n_features=40, categorical=True, random_state=0)
    chosen = (0, 3, 8, 30)
    scores = tied._scores(data, (data.y == 0).astype(int), chosen, 0, {"n_trees": 10})
    assert set(scores) == {1, 4, 9, 31}
    assert scores[1] == 100.0
    assert all(0 <= score < 50 for number, score in scores.items() if number != 1)
    assert tied._scores(data, data.y, (), 0, {}) == {}


def test_ours_stand_beside_the_same_quantity_of_the_paper():
    ours = (48, Spread(8.0, 1.0, 5), Spread(0.2, 0.01, 5), Spread(0.19, 0.01, 5))
    assert table2._beside(ours, table2.PAPER["ada"]) == (
        48, 47, ours[1], 16, ours[2], 0.1909, ours[3], 0.1855,
    )  # fmt: skip


def test_the_stand_in_has_the_shape_of_the_papers_data():
    assert table6.N_RELEVANT + table6.N_REDUNDANT + table6.N_IRRELEVANT == 35
    every, without, with_, *_ = table6._one_data_set(0, 300, True)
    assert every[:2] == [35, table6.N_RELEVANT]
    assert with_[0] <= without[0]
