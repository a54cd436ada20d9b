"""Coded columns, their scores for linear models, and variables made of several columns."""

from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest

from thresher.ace import make_problem
from thresher.columns import read_columns, with_groups
from thresher.trees import Squared

N_ROWS = 150


def problem_of(table, *, weight=None, groups=None):
    columns = with_groups(read_columns(table), groups, ())
    n_rows = columns.n_rows
    weight = np.ones(n_rows) if weight is None else weight
    return make_problem(columns, Squared(np.arange(n_rows, dtype=float)[:, None]), weight)


def scores_of(problem):
    return problem.column_scores(np.arange(len(problem.binned.n_bins)))


def mixed():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "normal": rng.normal(size=N_ROWS),
            "skewed": rng.lognormal(sigma=3, size=N_ROWS),
            "gaps": np.where(rng.random(N_ROWS) < 0.3, np.nan, rng.normal(size=N_ROWS)),
            "flag": rng.random(N_ROWS) < 0.2,
            "pair": rng.choice(["u", "v"], N_ROWS),
            "colour": rng.choice(["red", "green", "blue"], N_ROWS),
        }
    )


def test_scores_are_standardised_where_there_is_an_order():
    weight = np.random.default_rng(1).random(N_ROWS)
    problem = problem_of(mixed(), weight=weight)
    assert problem.weight.mean() == pytest.approx(1.0)
    present = problem.binned.codes < problem.binned.n_bins[:, None]
    for j, own in enumerate(scores_of(problem)[:5]):
        w = problem.weight * present[j]
        assert w @ own / w.sum() == pytest.approx(0.0, abs=1e-5)
        assert w @ own**2 / w.sum() == pytest.approx(1.0, abs=1e-5)
        assert not own[~present[j]].any(), "missing cells say nothing"


def test_more_than_two_levels_have_no_numbers():
    assert not scores_of(problem_of(mixed()))[5].any()


def test_scores_only_know_the_order_of_values():
    table = mixed()
    moved = table.assign(
        normal=np.exp(3 * table["normal"]), skewed=np.log(table["skewed"]), gaps=table["gaps"] ** 3
    )
    assert np.array_equal(scores_of(problem_of(table)), scores_of(problem_of(moved)))
    turned = scores_of(problem_of(table.assign(normal=-table["normal"])))
    # bins are cut from the other end
    assert np.corrcoef(turned[0], scores_of(problem_of(table))[0])[0, 1] < -0.99


def test_columns_without_values_have_no_scores():
    table = pd.DataFrame({"void": np.full(20, np.nan), "one": np.ones(20), "x": np.arange(20.0)})
    scores = scores_of(problem_of(table))
    assert not scores[:2].any()
    assert scores[2].all()


def test_variables_add_up_their_columns():
    groups = {"first": ["normal", "flag"], "second": ["pair", "skewed"]}
    problem = problem_of(mixed(), groups=groups)
    assert problem.n_variables == 4
    per_column = np.arange(6.0) ** 2
    expected = [per_column[problem.variables[v]].sum() for v in range(4)]
    assert problem.by_variable(per_column).tolist() == expected
    assert problem.by_variable(np.tile(per_column, (3, 1))).tolist() == [expected] * 3
    chosen = [3, 0]
    own = per_column[problem.columns_of(chosen)]
    assert problem.by_variable(own, chosen).tolist() == [expected[3], expected[0]]


def test_single_columns_come_back_in_the_order_of_variables():
    problem = problem_of(mixed())
    assert problem.by_variable(np.arange(6.0)).tolist() == [0, 1, 2, 3, 4, 5]
    assert problem.by_variable(np.array([7.0, 8.0]), [4, 2]).tolist() == [7.0, 8.0]


def test_cutting_down_keeps_codes():
    problem = problem_of(mixed(), groups={"both": ["normal", "colour"]})
    chosen = [problem.n_variables - 1, 0]
    columns = problem.columns_of(chosen)
    cut = problem.cut_down(chosen)
    assert np.array_equal(cut.codes, problem.binned.codes[columns])
    assert np.array_equal(cut.n_bins, problem.binned.n_bins[columns])
    assert np.array_equal(cut.categorical, problem.binned.categorical[columns])
    assert problem.columns_of([]).tolist() == []


def test_problems_are_frozen():
    with pytest.raises(FrozenInstanceError):
        problem_of(mixed()).weight = None
