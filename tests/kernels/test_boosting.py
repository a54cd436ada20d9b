import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.kernels.tables import make_data
from tests.naive import trees as naive
from thresher.kernels.boosting import boosted_tree

N_ROWS = 120


def grow(
    data, *, contrasts=True, masked=True, n_in=50, n_out=40, max_depth=3, leaf=3.0, rate=0.1, seed=0
):
    """Return (prediction, earned, masking) after one tree, and the arguments of the twin."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(N_ROWS)
    curvature = rng.uniform(0.5, 2.0, size=data.target.shape)
    n_slots = (2 if contrasts else 1) * len(data.codes)
    prediction = np.zeros_like(data.target)
    earned = np.zeros(n_slots)
    masking = np.zeros((n_slots, n_slots) if masked else (0, 0))
    shared = (
        *data[:4], curvature, data.weight, data.permutation, contrasts, order, n_in, n_out,
        max_depth, leaf, rate,
    )  # fmt: skip
    boosted_tree(*shared, prediction, earned, masking)
    return (prediction, earned, masking), shared


@pytest.mark.parametrize("weights", ["ones", "any"])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("n_outputs", [1, 3])
@pytest.mark.parametrize("n_out", [40, 0])
def test_trees_equal_the_naive_twin(n_outputs, missing, weights, n_out):
    data = make_data(n_outputs, n_outputs=n_outputs, missing=missing, weights=weights)
    found, shared = grow(data, n_out=n_out)
    step, earned, masking = naive.boosted_tree(*shared)
    assert_allclose(found[0], step, rtol=1e-6, atol=1e-12)
    assert_allclose(found[1], earned, rtol=1e-5, atol=1e-9)
    assert_allclose(found[2], masking, rtol=1e-5, atol=1e-6)
    assert np.count_nonzero(masking) > 3


def test_without_contrasts_only_columns_are_candidates():
    data = make_data(1, missing=True)
    found, shared = grow(data, contrasts=False, masked=False)
    step, earned, _ = naive.boosted_tree(*shared)
    assert_allclose(found[0], step, rtol=1e-6, atol=1e-12)
    assert_allclose(found[1], earned, rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("n_out", [40, 0])
def test_held_out_rows_are_predicted_but_do_not_shape_the_tree(n_out):
    data = make_data(4)
    (prediction, earned, masking), shared = grow(data, n_out=n_out)
    order = shared[8]
    held = order[50 + n_out :]
    assert (prediction[held] != 0.0).all()
    spoilt = data._replace(target=data.target.copy(), weight=data.weight.copy())
    spoilt.target[held] = np.nan
    spoilt.weight[held] = 1e9
    again, _ = grow(spoilt, n_out=n_out)
    for one, other in zip((prediction, earned, masking), again, strict=True):
        assert_array_equal(one, other)


def test_a_tree_of_depth_0_predicts_the_mean():
    data = make_data(1)
    found, shared = grow(data, max_depth=0, rate=1.0)
    used = shared[8][:90]
    expected = data.target[used].sum() / shared[4][used].sum()
    assert_allclose(found[0], np.full((N_ROWS, 1), expected))
    assert not found[1].any()


def test_many_trees_fit_the_training_rows():
    data = make_data(1)
    prediction = np.zeros_like(data.target)
    rng = np.random.default_rng(0)
    for _ in range(100):
        boosted_tree(
            data.codes, data.n_bins, data.categorical, data.target - prediction,
            np.ones_like(prediction), data.weight, data.permutation, False,
            rng.permutation(N_ROWS), 80, 40, 4, 3.0, 0.2, prediction, np.zeros(8), np.zeros((0, 0)),
        )  # fmt: skip
    assert (data.target - prediction).var() < 0.5 * data.target.var()


def test_twins_mask_each_other_and_contrasts_do_not():
    data = make_data(1, kinds="nnnnnnnn")
    data.codes[1] = 8 - data.codes[0]
    (_, earned, masking), _ = grow(data)
    splitter = earned[:8].argmax()
    assert splitter in (0, 1)
    assert_allclose(masking[splitter, 1 - splitter], earned[splitter])
    assert masking[splitter, 8:].max() < 0.5 * earned[splitter]
    assert masking[splitter, splitter] == 0.0
