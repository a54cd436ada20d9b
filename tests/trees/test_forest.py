"""Importances of columns and contrasts in forests."""

import numpy as np
import pytest

from thresher.columns import bin_columns, read_columns
from thresher.trees import forest_importances

N_ROWS = 300


def table(n_columns=6, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, n_columns))
    X[rng.random(X.shape) < 0.05] = np.nan
    target = np.nan_to_num(X[:, :1]) + 0.5 * rng.normal(size=(N_ROWS, 1))
    return bin_columns(read_columns(X), max_bins=65), target


def importances(binned, target, *, weight=None, n_replicates=6, n_trees=20, n_jobs=None, seed=0):
    rng = np.random.default_rng(seed)
    permutations = np.array([rng.permutation(N_ROWS) for _ in range(n_replicates)])
    seeds = rng.integers(2**63, size=n_replicates, dtype=np.uint64)
    weight = np.ones(N_ROWS) if weight is None else weight
    return forest_importances(
        binned, target, weight, permutations, seeds, n_trees=n_trees, n_jobs=n_jobs
    )


def test_the_column_that_matters_earns_most():
    scores, contrasts = importances(*table())
    assert scores.shape == contrasts.shape == (6, 6)
    assert (scores[:, 0] > 5 * scores[:, 1:].max(axis=1)).all()
    assert (scores[:, 0] > 5 * contrasts.max(axis=1)).all()


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_threads_change_nothing(n_jobs):
    binned, target = table()
    for one, many in zip(
        importances(binned, target, n_jobs=1),
        importances(binned, target, n_jobs=n_jobs),
        strict=True,
    ):
        assert np.array_equal(one, many)


def test_replicates_do_not_depend_on_their_number():
    binned, target = table()
    rng = np.random.default_rng(0)
    permutations = np.array([rng.permutation(N_ROWS) for _ in range(4)])
    seeds = np.arange(4, dtype=np.uint64)
    run = [
        forest_importances(binned, target, np.ones(N_ROWS), permutations[:k], seeds[:k], n_trees=5)
        for k in (2, 4)
    ]
    assert np.array_equal(run[0][0], run[1][0][:2])
    assert np.array_equal(run[0][1], run[1][1][:2])


@pytest.mark.parametrize(("scale", "shift"), [(1.0, 100.0), (1e-6, 0.0), (-3.0, 7.0)])
def test_scale_and_shift_of_the_target_do_not_matter(scale, shift):
    binned, target = table()
    scores, contrasts = importances(binned, target)
    moved, moved_contrasts = importances(binned, scale * target + shift)
    np.testing.assert_allclose(moved, scores, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(moved_contrasts, contrasts, rtol=1e-6, atol=1e-9)


def test_scale_of_the_weights_does_not_matter_much():
    binned, target = table()
    scores, _ = importances(binned, target)
    shares = scores[:, 0] / scores.sum(axis=1)
    doubled, _ = importances(binned, target, weight=np.full(N_ROWS, 2.0))
    np.testing.assert_allclose(doubled[:, 0] / doubled.sum(axis=1), shares, atol=0.1)


def test_weights_tell_which_rows_count():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(N_ROWS, 5))
    first = np.arange(N_ROWS) < N_ROWS // 2
    target = np.where(first, X[:, 0], X[:, 1])[:, None]
    binned = bin_columns(read_columns(X), max_bins=65)
    for favoured, column in ((first, 0), (~first, 1)):
        weight = np.where(favoured, 9.0, 1.0)
        scores, _ = importances(binned, target, weight=weight / weight.mean())
        assert scores.mean(axis=0).argmax() == column


def test_a_constant_target_explains_nothing():
    binned, _ = table()
    scores, contrasts = importances(binned, np.full((N_ROWS, 1), 3.0))
    assert not scores.any()
    assert not contrasts.any()


def test_several_outputs_share_the_trees():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(N_ROWS, 6))
    binned = bin_columns(read_columns(X), max_bins=65)
    scores, _ = importances(binned, np.column_stack([X[:, 1], X[:, 4]]))
    assert set(np.argsort(-scores.mean(axis=0))[:2].tolist()) == {1, 4}


def test_contrasts_score_as_columns_of_noise_do():
    """Fresh noise in each replicate, so that no column keeps its luck."""
    columns, contrasts = [], []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(N_ROWS, 8))
        target = 2 * X[:, :1] + rng.normal(size=(N_ROWS, 1))
        binned = bin_columns(read_columns(X), max_bins=65)
        own, null = importances(binned, target, n_replicates=2, n_trees=10, seed=seed)
        columns.append(own[:, 1:].mean())
        contrasts.append(null[:, 1:].mean())
    difference = np.array(columns) - np.array(contrasts)
    error = difference.std(ddof=1) / np.sqrt(len(difference))
    assert abs(difference.mean()) < 4 * error
    assert abs(np.mean(columns) / np.mean(contrasts) - 1) < 0.25
