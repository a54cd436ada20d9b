import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.kernels.tables import data_for, make_data
from tests.naive import trees as naive
from thresher.kernels.boosting import boosted_trees
from thresher.kernels.gradients import LOGISTIC, MULTINOMIAL, SQUARED
from thresher.kernels.rng import shuffle_first

N_ROWS = 120


def draw_orders(n_trees, n_in, n_out):
    """The rows of each tree, as the kernel draws them."""
    rows, state = np.arange(N_ROWS, dtype=np.uint32), np.array([7], dtype=np.uint64)
    orders = []
    for _ in range(n_trees):
        shuffle_first(rows, n_in + n_out if n_in + n_out < N_ROWS else n_in, state)
        orders.append(rows.astype(np.int64))
    return orders


def grow(data, *, link=SQUARED, n_trees=1, n_in=50, n_out=50, max_depth=3, leaf=3.0, rate=0.1):
    """Return (prediction, earned, masking), and what the twin makes of the same trees."""
    n_slots = 2 * len(data.codes)
    prediction = np.zeros_like(data.target)
    earned, masking = np.zeros(n_slots), np.zeros((n_slots, n_slots))
    boosted_trees(
        *data[:3], link, data.target, data.weight, data.permutation, n_trees, n_in, n_out,
        max_depth, leaf, rate, np.array([7], dtype=np.uint64), prediction, earned, masking,
    )  # fmt: skip
    twin = naive.boosted_trees(
        *data[:3], link, data.target, data.weight, data.permutation, True,
        draw_orders(n_trees, n_in, n_out), n_in, n_out, max_depth, leaf, rate,
        np.zeros_like(data.target),
    )  # fmt: skip
    return (prediction, earned, masking), twin


@pytest.mark.parametrize("weights", ["ones", "any"])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("link", [SQUARED, LOGISTIC, MULTINOMIAL])
@pytest.mark.parametrize("n_out", [70, 50, 30])
def test_trees_equal_the_naive_twin(link, missing, weights, n_out):
    data = data_for(link, missing=missing, weights=weights)
    (prediction, earned, masking), twin = grow(data, link=link, n_out=n_out, n_trees=2)
    assert_allclose(prediction, twin[0], rtol=1e-6, atol=1e-9)
    assert_allclose(earned, twin[1], rtol=1e-5, atol=1e-6)
    assert_allclose(masking, twin[2], rtol=1e-5, atol=1e-5)
    assert np.count_nonzero(masking) > 3


def test_several_numeric_outputs_share_a_tree():
    (prediction, earned, _), twin = grow(make_data(3, n_outputs=3), n_trees=2)
    assert_allclose(prediction, twin[0], rtol=1e-6, atol=1e-9)
    assert_allclose(earned, twin[1], rtol=1e-5, atol=1e-6)


def test_rows_that_are_not_drawn_are_predicted_but_do_not_shape_the_tree():
    data = make_data(4)
    found, _ = grow(data)
    others = draw_orders(1, 50, 50)[0][100:]
    assert (found[0][others] != 0.0).all()
    spoilt = data._replace(target=data.target.copy(), weight=data.weight.copy())
    spoilt.target[others] = np.nan
    spoilt.weight[others] = 1e9
    again, _ = grow(spoilt)
    for one, other in zip(found, again, strict=True):
        assert_array_equal(one, other)


def test_a_tree_of_depth_0_predicts_the_mean():
    data = make_data(1)
    found, _ = grow(data, max_depth=0, rate=1.0)
    expected = data.target[draw_orders(1, 50, 50)[0][:100]].mean()
    assert_allclose(found[0], np.full((N_ROWS, 1), expected))
    assert not found[1].any()


def test_many_trees_fit_the_rows():
    data = make_data(1)
    (prediction, _, _), _ = grow(data, n_trees=40, n_in=80, n_out=40, max_depth=4, rate=0.4)
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
