"""Boosted trees: masking, and predictions of rows held out."""

import numpy as np
import pytest

from thresher.columns import bin_columns, read_columns
from thresher.trees import (
    Logistic,
    Multinomial,
    Squared,
    boosted_masking,
    held_out_boosting,
)

N_ROWS = 200
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N_ROWS, 3))
SIGNAL = X[:, 0] + 0.5 * X[:, 1]
RESPONSES = {
    "squared": Squared((SIGNAL + 0.1 * RNG.normal(size=N_ROWS))[:, None]),
    "logistic": Logistic((SIGNAL > 0).astype(float)[:, None]),
    "multinomial": Multinomial(np.eye(3)[np.digitize(SIGNAL, [-0.5, 0.5])]),
}
WEIGHT = np.ones(N_ROWS)
FOLDS = np.arange(N_ROWS) % 4
SEEDS = np.random.SeedSequence(0).spawn(4)


def binned(table):
    return bin_columns(read_columns(table), max_bins=65)


def held_out(response, table=X, **options):
    starts = [
        np.tile(response.start(np.where(FOLDS == fold, 0.0, WEIGHT)), (N_ROWS, 1))
        for fold in range(4)
    ]
    return held_out_boosting(
        [binned(table)] * len(SEEDS), response, WEIGHT, FOLDS, starts, SEEDS, **options
    )


def masking(table, response, n_trees=30, seed=0):
    own = np.random.SeedSequence(seed)
    permutation = np.random.default_rng(own).permutation(N_ROWS)
    return boosted_masking(binned(table), response, WEIGHT, permutation, own, n_trees=n_trees)


@pytest.mark.parametrize("name", RESPONSES)
@pytest.mark.parametrize("quick", [False, True])
def test_predictions_beat_a_constant(name, quick):
    response = RESPONSES[name]
    found = held_out(response, quick=quick)
    constant = response.losses(np.tile(response.start(WEIGHT), (N_ROWS, 1)))
    assert found.losses.mean() < 0.6 * constant.mean()
    np.testing.assert_array_equal(found.losses, response.losses(found.prediction))
    assert found.n_trees > 0


@pytest.mark.parametrize("name", RESPONSES)
def test_threads_do_not_change_predictions(name):
    one, two = (held_out(RESPONSES[name], n_jobs=n_jobs) for n_jobs in (1, 2))
    assert np.array_equal(one.prediction, two.prediction)
    assert one.n_trees == two.n_trees


def test_rows_held_out_do_not_learn_from_their_own_target():
    before = held_out(RESPONSES["squared"])
    values = RESPONSES["squared"].values.copy()
    row = 17
    values[row] += 1e-3
    after = held_out(Squared(values))
    assert after.n_trees == before.n_trees, "choose another change: this one moves the stop"
    own = FOLDS == FOLDS[row]
    assert np.array_equal(after.prediction[own], before.prediction[own])
    assert not np.array_equal(after.prediction[~own], before.prediction[~own])


def test_noise_ends_where_it_began():
    rng = np.random.default_rng(5)
    response = Squared(rng.normal(size=(N_ROWS, 1)))
    found = held_out(response, table=rng.normal(size=(N_ROWS, 1)))
    assert found.n_trees <= 10
    assert found.losses.mean() <= 1.02 * response.values.var()


@pytest.mark.parametrize("name", RESPONSES)
def test_identical_columns_mask_each_other_fully(name):
    found = masking(np.column_stack([X[:, 0], X[:, 0], X[:, 1:]]), RESPONSES[name])
    assert found.masking.shape == (8, 8)
    # the tie at a node goes to one of them, and what it earned the other could have earned
    winner = int(found.earned[1] > found.earned[0])
    assert found.masking[winner, 1 - winner] == pytest.approx(found.earned[winner], rel=1e-9)


@pytest.mark.parametrize("name", RESPONSES)
def test_contrasts_hardly_mask_anything(name):
    found = masking(X, RESPONSES[name])
    null = found.masking[:3, 3:]
    assert found.earned[0] > found.earned[1] > 5 * found.earned[3:].max()
    assert null.max() < 0.1 * found.earned[0]
    assert (found.masking >= 0).all()


def test_a_noisy_copy_masks_in_part():
    copy = X[:, 0] + 0.3 * np.random.default_rng(3).normal(size=N_ROWS)
    found = masking(np.column_stack([X, copy]), RESPONSES["squared"])
    share = found.masking[0, 3] / found.earned[0]
    assert 0.3 < share < 1.0
    assert found.masking[0, 2] < 0.3 * found.masking[0, 3]


def test_each_fold_predicts_from_its_own_table():
    response = RESPONSES["squared"]
    starts = [
        np.tile(response.start(np.where(FOLDS == fold, 0.0, WEIGHT)), (N_ROWS, 1))
        for fold in range(4)
    ]
    tables = [binned(X[:, own]) for own in ([0, 1, 2], [0, 1], [1, 2], [0, 1, 2])]
    found = held_out_boosting(tables, response, WEIGHT, FOLDS, starts, SEEDS)
    assert [len(earned) for earned in found.earned] == [3, 2, 2, 3]
    assert all((earned >= 0).all() and earned.any() for earned in found.earned)
    by_fold = [found.losses[FOLDS == fold].mean() for fold in range(4)]
    assert by_fold[2] > 2 * max(by_fold[0], by_fold[1], by_fold[3]), "it lacks the first column"


@pytest.mark.parametrize("name", RESPONSES)
def test_what_is_earned_is_most_where_most_is_to_be_had(name):
    found = held_out(RESPONSES[name])
    for earned in found.earned:
        assert earned.argmax() == 0
        assert earned[1] > earned[2]


def test_no_trees_earn_nothing():
    rng = np.random.default_rng(5)
    found = held_out(Squared(np.ones((N_ROWS, 1))), table=rng.normal(size=(N_ROWS, 1)))
    assert found.n_trees == 0
    np.testing.assert_array_equal(found.earned, np.zeros((4, 1)))
