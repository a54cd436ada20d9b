"""Learners beside refits: losses of rows held out, and what each variable is needed for."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr
from sklearn.linear_model import LogisticRegression, Ridge

from tests.naive.sufficiency import ridge_objective
from tests.sufficiency.tables import (
    FOLD_OF_ROW,
    KINDS,
    N_ROWS,
    problem_of,
    question,
    signals,
    target,
)
from thresher.sufficiency._design import Design, make_design
from thresher.sufficiency._learners import BoostedTrees, LinearModel, Remembering, Trial, _curvature
from thresher.trees import held_out_boosting

SEED = np.random.SeedSequence(5)
SETS = [(0, 1, 2, 3), (0, 2, 4, 5), (1, 2, 3, 4), (0, 1, 3, 5)]


def table_of(design, variables):
    return design.table[:, np.concatenate([design.of_variable[v] for v in variables])]


@pytest.mark.parametrize("n_columns", [6, 200])
def test_ridge_losses_are_those_of_refits(n_columns):
    problem, _, design, y = question("squared", n_columns)
    sets = SETS if n_columns == 6 else [tuple(range(n_columns))] * 4
    found = LinearModel(problem, design).try_sets(sets, FOLD_OF_ROW)
    for fold, own in enumerate(sets):
        held = FOLD_OF_ROW == fold
        table = table_of(design, own)
        prediction = Ridge(alpha=1.0).fit(table[~held], y[~held]).predict(table[held])
        np.testing.assert_allclose(found.losses[held], (y[held] - prediction) ** 2, rtol=1e-6)


@pytest.mark.parametrize("n_columns", [6, 200])
@pytest.mark.parametrize("kind", ["logistic", "multinomial"])
def test_logistic_losses_are_those_of_refits(kind, n_columns):
    problem, _, design, y = question(kind, n_columns)
    sets = SETS if n_columns == 6 else [tuple(range(n_columns))] * 4
    found = LinearModel(problem, design).try_sets(sets, FOLD_OF_ROW)
    for fold, own in enumerate(sets):
        held = FOLD_OF_ROW == fold
        table = table_of(design, own)
        model = LogisticRegression(max_iter=2000, tol=1e-8).fit(table[~held], y[~held])
        likely = model.predict_proba(table[held])[np.arange(held.sum()), y[held]]
        np.testing.assert_allclose(found.losses[held], -np.log(likely), rtol=3e-2, atol=1e-3)


def test_ridge_needs_are_the_rise_of_the_objective_without_each():
    problem, _, design, y = question("squared")
    found = LinearModel(problem, design).try_sets(SETS, FOLD_OF_ROW)
    for fold, own in enumerate(SETS):
        rows = FOLD_OF_ROW != fold
        whole = ridge_objective(table_of(design, own)[rows], y[rows])
        rises = [
            ridge_objective(table_of(design, [v for v in own if v != out])[rows], y[rows]) - whole
            for out in own
        ]
        expected = np.array(rises) / rows.sum() / found.losses.mean()
        np.testing.assert_allclose(found.needs[fold], expected, rtol=1e-8)


@pytest.mark.parametrize("kind", ["logistic", "multinomial"])
def test_logistic_needs_are_ordered_as_refits_without_each(kind):
    problem, _, design, y = question(kind)
    found = LinearModel(problem, design).try_sets([tuple(range(6))] * 4, FOLD_OF_ROW)

    def objective(variables, rows):
        table = table_of(design, variables)[rows]
        model = LogisticRegression(max_iter=2000, tol=1e-8).fit(table, y[rows])
        likely = model.predict_proba(table)[np.arange(rows.sum()), y[rows]]
        return 0.5 * (model.coef_**2).sum() - np.log(likely).sum()

    for fold in range(4):
        rows = FOLD_OF_ROW != fold
        whole = objective(range(6), rows)
        rises = [objective([v for v in range(6) if v != out], rows) - whole for out in range(6)]
        assert spearmanr(found.needs[fold], rises).statistic > 0.7
        # the three that matter come first, in their order
        assert np.argsort(-found.needs[fold])[:3].tolist() == np.argsort(rises)[::-1][:3].tolist()


@pytest.mark.parametrize("n_columns", [30, 200])
def test_the_curvature_of_wide_tables_is_that_of_the_inverse(n_columns):
    rng = np.random.default_rng(0)
    table, weight = rng.normal(size=(60, n_columns)), rng.random(60)
    centred = table - np.average(table, axis=0, weights=weight)
    hessian = (centred.T * weight) @ centred + np.eye(n_columns)
    np.testing.assert_allclose(_curvature(table, weight), 1 / np.diag(np.linalg.inv(hessian)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("learner", ["trees", "linear"])
def test_needs_find_what_matters_and_losses_beat_a_constant(kind, learner):
    problem, _, design, _ = question(kind)
    own = BoostedTrees(problem, SEED) if learner == "trees" else LinearModel(problem, design)
    found = own.try_sets([tuple(range(6))] * 4, FOLD_OF_ROW)
    nothing = own.try_sets([()] * 4, FOLD_OF_ROW)
    assert found.losses.mean() < 0.7 * nothing.losses.mean()
    assert np.mean(found.needs, axis=0).argmax() == 0
    assert all((needs >= 0).all() for needs in found.needs)
    assert [len(needs) for needs in nothing.needs] == [0] * 4


def test_both_learners_know_the_same_without_variables():
    for kind in KINDS:
        problem, _, design, _ = question(kind)
        trees = BoostedTrees(problem, SEED).try_sets([()] * 4, FOLD_OF_ROW)
        linear = LinearModel(problem, design).try_sets([()] * 4, FOLD_OF_ROW)
        np.testing.assert_allclose(trees.losses, linear.losses)


def test_trees_with_a_table_for_each_fold_are_those_with_a_common_one():
    problem, _, _, _ = question("logistic")
    own = (0, 1, 3)
    found = BoostedTrees(problem, SEED).try_sets([own] * 4, FOLD_OF_ROW)
    starts = [
        np.tile(
            problem.response.start(np.where(FOLD_OF_ROW == fold, 0.0, problem.weight)), (N_ROWS, 1)
        )
        for fold in range(4)
    ]
    seeds = [np.random.SeedSequence(5, spawn_key=(fold,)) for fold in range(4)]
    common = held_out_boosting(
        [problem.cut_down(own)] * 4, problem.response, problem.weight, FOLD_OF_ROW, starts, seeds
    )
    np.testing.assert_array_equal(found.losses, common.losses)
    for needs, earned in zip(found.needs, common.earned, strict=True):
        np.testing.assert_allclose(needs / needs.sum(), earned / earned.sum())


def test_the_order_of_a_set_changes_nothing_but_the_order_of_needs():
    problem, _, design, _ = question("squared")
    linear = LinearModel(problem, design)
    one, other = (linear.try_sets([own] * 4, FOLD_OF_ROW) for own in ((0, 1, 2), (2, 0, 1)))
    np.testing.assert_allclose(one.losses, other.losses)
    np.testing.assert_allclose(one.needs[0], other.needs[0][[1, 2, 0]])


@pytest.mark.parametrize("kind", KINDS)
def test_a_design_without_numbers_knows_nothing(kind):
    problem, _, design, _ = question(kind)
    empty = Design(design.table[:, :0], tuple(np.arange(0) for _ in range(6)))
    found = LinearModel(problem, empty).try_sets([tuple(range(6))] * 4, FOLD_OF_ROW)
    np.testing.assert_array_equal(found.needs, np.zeros((4, 6)))
    nothing = LinearModel(problem, design).try_sets([()] * 4, FOLD_OF_ROW)
    np.testing.assert_allclose(found.losses, nothing.losses)


def test_a_class_that_a_fold_has_not_seen_costs_much_but_not_everything():
    X, number = signals()
    y = target(number, 2)
    y[np.flatnonzero(FOLD_OF_ROW == 1)[:3]] = 2
    problem, columns = problem_of(X, y, 3)
    linear = LinearModel(problem, make_design(columns))
    found = linear.try_sets([tuple(range(6))] * 4, FOLD_OF_ROW)
    assert np.isfinite(found.losses).all()
    assert found.losses[y == 2].min() > 10
    trees = BoostedTrees(problem, SEED).try_sets([tuple(range(6))] * 4, FOLD_OF_ROW)
    assert np.isfinite(trees.losses).all()


def test_a_fold_with_a_single_class_predicts_it():
    X, _ = signals()
    y = (FOLD_OF_ROW == 0).astype(int)  # without the first fold, there is one class
    problem, columns = problem_of(X, y, 2)
    found = LinearModel(problem, make_design(columns)).try_sets([tuple(range(6))] * 4, FOLD_OF_ROW)
    assert np.isfinite(found.losses).all()
    np.testing.assert_array_equal(found.needs[0], np.zeros(6))


def test_rare_levels_are_one_to_trees():
    rng = np.random.default_rng(0)
    names = np.array([f"n{k}" for k in range(N_ROWS)], dtype=object)
    names[:60] = "often"
    X = pd.DataFrame({"name": names, "x": rng.normal(size=N_ROWS)})
    problem, _ = problem_of(X, rng.normal(size=N_ROWS))
    merged = BoostedTrees(problem, SEED)._problem.binned
    assert merged.n_bins[0] == 2
    assert len(np.unique(merged.codes[0])) == 2
    assert problem.binned.n_bins[0] > 2, "the problem itself stays as it was"


def test_a_design_has_numbers_levels_and_gaps():
    rng = np.random.default_rng(0)
    gaps = rng.normal(size=N_ROWS)
    gaps[:10] = np.nan
    wild = rng.normal(size=N_ROWS)
    wild[3] = 1e9
    X = pd.DataFrame(
        {
            "gaps": gaps,
            "level": np.where(np.arange(N_ROWS) % 3 == 0, "a", "b"),
            "many": [f"n{k}" for k in range(N_ROWS)],
            "wild": wild,
            "one gap": np.where(np.arange(N_ROWS) == 5, np.nan, wild % 1),
        }
    )
    _, columns = problem_of(X, rng.normal(size=N_ROWS))
    design = make_design(columns)
    assert [len(own) for own in design.of_variable] == [2, 1, 0, 1, 1]
    assert np.isfinite(design.table).all()
    assert np.abs(design.table).max() <= 8
    np.testing.assert_allclose(design.table[:, :3].mean(axis=0), 0, atol=1e-12)


def test_a_wild_table_raises_no_warnings():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=N_ROWS) * 1e150, np.full(N_ROWS, 7.0), rng.random(N_ROWS)])
    X[:, 1][0] = 7.0 + 1e-12
    problem, columns = problem_of(X, (X[:, 0] > 0).astype(int), 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = LinearModel(problem, make_design(columns)).try_sets([(0, 1, 2)] * 4, FOLD_OF_ROW)
    assert np.isfinite(found.losses).all()
    assert found.needs[0].argmax() == 0


def test_the_same_sets_are_tried_once():
    class Counting:
        name = key = "counting"
        asked = 0

        def try_sets(self, sets, fold_of_row):
            self.asked += 1
            return Trial(np.full(len(fold_of_row), float(self.asked)), ())

    learner = Counting()
    remembering = Remembering(learner)
    other_folds = FOLD_OF_ROW[::-1].copy()
    asked = [(SETS, FOLD_OF_ROW), ([list(own) for own in SETS], FOLD_OF_ROW.copy())]
    asked += [(SETS[::-1], FOLD_OF_ROW), (SETS, other_folds), (SETS, FOLD_OF_ROW)]
    losses = [remembering.try_sets(*own).losses[0] for own in asked]
    assert losses == [1.0, 1.0, 2.0, 3.0, 1.0]
    assert remembering.name == "counting"
