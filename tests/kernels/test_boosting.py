import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.kernels.tables import make_data
from tests.naive import trees as naive
from thresher.kernels.boosting import boosted_trees
from thresher.kernels.gradients import LOGISTIC, MULTINOMIAL, SQUARED
from thresher.kernels.rng import shuffle_first

N_ROWS, N_TRAINING = 120, 100


def make_rows():
    return np.random.default_rng(0).permutation(N_ROWS).astype(np.uint32)


def draw_orders(n_trees, n_in, n_out):
    """The rows of each tree, as the kernel draws them."""
    rows, state = make_rows(), np.array([7], dtype=np.uint64)
    n_drawn = n_in + n_out if n_in + n_out < N_TRAINING else n_in
    orders = []
    for _ in range(n_trees):
        shuffle_first(rows[:N_TRAINING], n_drawn, state)
        orders.append(rows.astype(np.int64))
    return orders


def grow(
    data, *, link=SQUARED, contrasts=True, masked=True, n_trees=1, n_in=50, n_out=50, max_depth=3,
    leaf=3.0, rate=0.1,
):  # fmt: skip
    """Return (prediction, history, earned, masking), and what the twin makes of the same trees."""
    n_slots = (2 if contrasts else 1) * len(data.codes)
    prediction = np.zeros_like(data.target)
    history = np.empty((n_trees, N_ROWS - N_TRAINING, prediction.shape[1]))
    earned = np.zeros(n_slots)
    masking = np.zeros((n_slots, n_slots) if masked else (0, 0))
    boosted_trees(
        *data[:3], link, data.target, data.weight, data.permutation, contrasts, make_rows(),
        n_trees, N_TRAINING, n_in, n_out, max_depth, leaf, rate, np.array([7], dtype=np.uint64),
        prediction, history, earned, masking,
    )  # fmt: skip
    twin = naive.boosted_trees(
        *data[:3], link, data.target, data.weight, data.permutation, contrasts,
        draw_orders(n_trees, n_in, n_out), n_in, n_out, max_depth, leaf, rate,
        np.zeros_like(data.target),
    )  # fmt: skip
    return (prediction, history, earned, masking), twin


def data_for(link, **options):
    """Data whose target fits the loss, without ties between splits of different rows."""
    data = make_data(4, n_outputs=3 if link == MULTINOMIAL else 1, **options)
    if link == LOGISTIC:
        return data._replace(target=(data.target > 0.5).astype(np.float64))
    if link == MULTINOMIAL:
        return data._replace(target=np.eye(3)[data.target.argmax(axis=1)])
    return data


@pytest.mark.parametrize("weights", ["ones", "any"])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("link", [SQUARED, LOGISTIC, MULTINOMIAL])
@pytest.mark.parametrize("n_out", [50, 33, 0])
def test_trees_equal_the_naive_twin(link, missing, weights, n_out):
    data = data_for(link, missing=missing, weights=weights)
    (prediction, _, earned, masking), twin = grow(data, link=link, n_out=n_out, n_trees=2)
    assert_allclose(prediction, twin[0], rtol=1e-6, atol=1e-9)
    assert_allclose(earned, twin[1], rtol=1e-5, atol=1e-6)
    assert_allclose(masking, twin[2], rtol=1e-5, atol=1e-5)
    assert np.count_nonzero(masking) > 3


def test_several_numeric_outputs_share_a_tree():
    (prediction, _, earned, _), twin = grow(make_data(3, n_outputs=3), n_trees=2)
    assert_allclose(prediction, twin[0], rtol=1e-6, atol=1e-9)
    assert_allclose(earned, twin[1], rtol=1e-5, atol=1e-6)


def test_without_contrasts_only_columns_are_candidates():
    found, twin = grow(make_data(1, missing=True), contrasts=False, masked=False)
    assert_allclose(found[0], twin[0], rtol=1e-6, atol=1e-12)
    assert_allclose(found[2], twin[1], rtol=1e-5, atol=1e-9)


def test_history_holds_the_rows_held_out_after_each_tree():
    data = make_data(1)
    held = make_rows()[N_TRAINING:]
    (prediction, history, _, _), _ = grow(data, n_trees=3)
    assert_array_equal(history[-1], prediction[held])
    (first, _, _, _), _ = grow(data, n_trees=1)
    assert_array_equal(history[0], first[held])


@pytest.mark.parametrize("n_out", [50, 0])
def test_held_out_rows_are_predicted_but_do_not_shape_the_tree(n_out):
    data = make_data(4)
    found, _ = grow(data, n_out=n_out)
    held = draw_orders(1, 50, n_out)[0][50 + n_out :]
    assert (found[0][held] != 0.0).all()
    spoilt = data._replace(target=data.target.copy(), weight=data.weight.copy())
    spoilt.target[held] = np.nan
    spoilt.weight[held] = 1e9
    again, _ = grow(spoilt, n_out=n_out)
    for one, other in zip(found, again, strict=True):
        assert_array_equal(one, other)


def test_a_tree_of_depth_0_predicts_the_mean():
    data = make_data(1)
    found, _ = grow(data, max_depth=0, rate=1.0)
    expected = data.target[make_rows()[:N_TRAINING]].mean()
    assert_allclose(found[0], np.full((N_ROWS, 1), expected))
    assert not found[2].any()


def test_nodes_of_one_class_are_not_split_by_rounding():
    data = data_for(LOGISTIC, weights="any")
    data.target[:] = data.codes[0][:, None] > 4
    (_, _, earned, _), _ = grow(data, link=LOGISTIC, contrasts=False, n_out=0, masked=False)
    assert np.flatnonzero(earned).tolist() == [0]


def test_many_trees_fit_the_training_rows():
    data = make_data(1)
    prediction = np.zeros_like(data.target)
    boosted_trees(
        *data[:3], SQUARED, data.target, data.weight, data.permutation, False, make_rows(), 100,
        N_ROWS, 80, 40, 4, 3.0, 0.2, np.array([7], dtype=np.uint64), prediction,
        np.empty((100, 0, 1)), np.zeros(8), np.zeros((0, 0)),
    )  # fmt: skip
    assert (data.target - prediction).var() < 0.5 * data.target.var()


def test_twins_mask_each_other_and_contrasts_do_not():
    data = make_data(1, kinds="nnnnnnnn")
    data.codes[1] = 8 - data.codes[0]
    (_, _, earned, masking), _ = grow(data)
    splitter = earned[:8].argmax()
    assert splitter in (0, 1)
    assert_allclose(masking[splitter, 1 - splitter], earned[splitter])
    assert masking[splitter, 8:].max() < 0.5 * earned[splitter]
    assert masking[splitter, splitter] == 0.0
