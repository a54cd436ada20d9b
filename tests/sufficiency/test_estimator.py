"""The user's own estimator as the judge: the losses of refits."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

from tests.selectors.counted import FITS, Counted
from tests.sufficiency.tables import FOLD_OF_ROW, FOLDS, N_ROWS, problem_of, signals, target
from thresher.journal import opened
from thresher.sufficiency._estimator import Estimator, proper_loss
from thresher.sufficiency._folds import RepeatedFolds

SETS = {2: ((0, 1), (0, 2), (1, 2), (0, 1)), 1: ((0,), (2,), (1,), (0,)), 0: ((),) * 4}


def refitted(estimator, X, y):
    """Losses by size, from one fit for each fold."""
    losses = {}
    for size, sets in SETS.items():
        if not size:
            continue
        losses[size] = np.empty(N_ROWS)
        for fold, own in enumerate(sets):
            held = FOLD_OF_ROW == fold
            table = X[:, list(own)]
            model = clone(estimator).fit(table[~held], y[~held])
            losses[size][held] = row_losses(model, table[held], y[held])
    return losses


def row_losses(model, table, y):
    if not hasattr(model, "classes_"):
        return (y - model.predict(table)) ** 2
    if not hasattr(model, "predict_proba"):
        return (y != model.predict(table)).astype(float)
    gap = model.predict_proba(table) - (y[:, None] == model.classes_)
    if len(model.classes_) == 2:  # whose Brier score is that of the second class
        return gap[:, 1] ** 2
    return (gap**2).sum(axis=1)


def judge(estimator, X, y, **more):
    return Estimator(estimator, problem_of(X, y)[1], y, more.pop("folds", FOLDS), seed=0, **more)


@pytest.mark.parametrize(
    ("estimator", "n_classes"),
    [
        (Ridge(), 0),
        (KNeighborsRegressor(3), 0),
        (GaussianNB(), 3),
        (KNeighborsClassifier(5), 2),
        (RidgeClassifier(), 2),
        (DecisionTreeClassifier(max_depth=3, random_state=0), 2),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else str(value),
)
def test_losses_are_those_of_refits(estimator, n_classes):
    X, number = signals()
    y = target(number, n_classes)
    found = judge(estimator, X, y).judge(SETS, lambda *_: None)
    expected = refitted(estimator, X, y)
    assert set(found) == set(SETS)
    for size, losses in expected.items():
        np.testing.assert_allclose(found[size], losses, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    ("estimator", "n_repeats"), [(GaussianNB(), 2), (DecisionTreeClassifier(max_depth=2), 1)]
)
def test_what_need_not_be_refitted_is_judged_on_all_repeats(estimator, n_repeats):
    X, number = signals()
    y = target(number, 2)
    repeats = RepeatedFolds((FOLD_OF_ROW, np.roll(FOLD_OF_ROW, 1) // 2 * 2 % 4 + FOLD_OF_ROW % 2))
    sets = {size: own * 2 for size, own in SETS.items()}
    told = []
    found = judge(estimator, X, y, folds=repeats).judge(sets, lambda *done: told.append(done))
    apart = [
        judge(estimator, X, y, folds=RepeatedFolds((own,))).judge(SETS, lambda *_: None)
        for own in repeats.of_row[:n_repeats]
    ]
    for size, losses in found.items():
        np.testing.assert_allclose(losses, sum(own[size] for own in apart) / n_repeats)
    assert told[-1] == (4 * n_repeats, 4 * n_repeats)


def test_the_loss_is_proper_where_there_are_probabilities():
    assert proper_loss(Ridge()) == "squared"
    assert proper_loss(GaussianNB()) == "brier"
    assert proper_loss(RidgeClassifier()) == "zero_one"


def test_without_variables_the_constant_is_judged():
    X, y = signals()
    found = judge(Ridge(), X, y).judge({0: SETS[0]}, lambda *_: None)
    for fold in range(4):
        held = FOLD_OF_ROW == fold
        np.testing.assert_allclose(found[0][held], (y[held] - y[~held].mean()) ** 2)


def test_folds_are_told():
    told = []
    judge(Ridge(), *signals()).judge(SETS, lambda *done: told.append(done))
    assert told == [(k, 4) for k in range(5)]


def test_workers_change_nothing():
    X, number = signals()
    y = target(number, 2)
    one, two = (judge(GaussianNB(), X, y, n_jobs=n).judge(SETS, lambda *_: None) for n in (1, 2))
    np.testing.assert_equal(one, two)


def test_a_journal_spares_all_fits(tmp_path):
    X, number = signals()
    y = target(number, 2)
    expected = judge(Counted(), X, y).judge(SETS, lambda *_: None)

    def fits():
        FITS.clear()
        with opened(tmp_path / "run.db") as journal:
            found = judge(Counted(), X, y, journal=journal).judge(SETS, lambda *_: None)
        np.testing.assert_equal(found, expected)
        return len(FITS)

    assert fits() > 4
    assert fits() == 0
