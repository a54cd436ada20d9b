"""Folds are drawn several times where rows are few, and losses are means over the draws."""

import numpy as np
import pytest

from tests.sufficiency.tables import problem_of, question
from thresher.journal import NO_JOURNAL
from thresher.sufficiency._elimination import eliminate_in_folds, try_sets
from thresher.sufficiency._folds import MOST_MODELS, RepeatedFolds, repeated_folds
from thresher.sufficiency._fresh import FreshTrials
from thresher.sufficiency._learners import LinearModel

SEED = np.random.SeedSequence(3)


@pytest.mark.parametrize(
    ("n_rows", "n_repeats"), [(40, 2), (320, 4), (400, 3), (800, 1), (2000, 1)]
)
def test_few_rows_are_held_out_more_often(n_rows, n_repeats):
    problem, _ = problem_of(np.arange(n_rows)[:, None], np.arange(n_rows) % 2.0)
    folds = repeated_folds(problem, SEED)
    assert len(folds.of_row) == n_repeats
    assert folds.n_models <= MOST_MODELS
    assert folds.n_folds == (10 if n_rows < 300 else 5)
    assert folds.n_models == folds.n_folds * n_repeats
    assert folds.n_train == pytest.approx(n_rows * (1 - 1 / folds.n_folds))
    again = repeated_folds(problem, SEED)
    for one, other in zip(folds.of_row, again.of_row, strict=True):
        assert (one == other).all()
        assert sorted(set(one.tolist())) == list(range(folds.n_folds))
    assert len({own.tobytes() for own in folds.of_row}) == n_repeats


def test_wide_tables_are_divided_less_often():
    X = np.random.default_rng(0).normal(size=(100, 1000))
    assert len(repeated_folds(problem_of(X, X[:, 0])[0], SEED).of_row) == 2
    X = np.random.default_rng(0).normal(size=(100, 3000))
    assert len(repeated_folds(problem_of(X, X[:, 0])[0], SEED).of_row) == 1


@pytest.mark.parametrize("kind", ["squared", "logistic", "multinomial"])
def test_the_loss_of_a_row_is_its_mean_over_repeats(kind):
    problem, _, design, _ = question(kind)
    folds = repeated_folds(problem, SEED)
    learner = LinearModel(problem, design)
    n = folds.n_folds
    sets = [(k % 6, (k + 1) % 6) for k in range(folds.n_models)]
    trial = try_sets([learner], sets, folds, NO_JOURNAL)["linear model"]
    each = [learner.try_sets(sets[k * n : (k + 1) * n], own) for k, own in enumerate(folds.of_row)]
    assert trial.losses == pytest.approx(sum(own.losses for own in each) / len(each))
    assert np.array(trial.needs) == pytest.approx(np.concatenate([own.needs for own in each]))


def test_each_fold_of_each_repeat_has_variables_of_its_own():
    problem, _, design, _ = question("squared")
    folds = repeated_folds(problem, SEED)
    path = eliminate_in_folds([LinearModel(problem, design)], folds, range(6))
    assert {len(sets) for sets in path.sets.values()} == {folds.n_models}
    apart = [
        eliminate_in_folds([LinearModel(problem, design)], RepeatedFolds((own,)), range(6)).sets[2]
        for own in folds.of_row
    ]
    assert path.sets[2] == tuple(own for sets in apart for own in sets)


def test_fresh_trials_take_the_mean_over_repeats_too():
    problem, _, design, _ = question("squared")
    folds = repeated_folds(problem, SEED)
    learner = LinearModel(problem, design)
    means = [learner.try_sets([(0, 1)] * folds.n_folds, own).losses.mean() for own in folds.of_row]
    assert FreshTrials([learner], folds).loss((1, 0), learner.name) == pytest.approx(np.mean(means))
