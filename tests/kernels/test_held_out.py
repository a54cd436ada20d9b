import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.kernels.tables import data_for, make_data
from tests.naive import trees as naive
from thresher.kernels.gradients import LOGISTIC, MULTINOMIAL, SQUARED
from thresher.kernels.held_out import boosted_predictions
from thresher.kernels.rng import shuffle_first

N_ROWS, N_TRAINING = 120, 100


def make_rows():
    return np.random.default_rng(0).permutation(N_ROWS).astype(np.uint32)


def draw_orders(n_trees, n_in):
    """The rows of each tree, as the kernel draws them."""
    rows, state = make_rows(), np.array([7], dtype=np.uint64)
    orders = []
    for _ in range(n_trees):
        shuffle_first(rows[:N_TRAINING], n_in, state)
        orders.append(rows.astype(np.int64))
    return orders


def predict(data, *, link=SQUARED, n_trees=1, n_in=50, max_depth=3, leaf=3.0, rate=0.1):
    """Return the prediction, that of the rows held out after each tree, and each tree's gains."""
    prediction = np.zeros_like(data.target)
    history = np.empty((n_trees, N_ROWS - N_TRAINING, prediction.shape[1]))
    earned = np.empty((n_trees, len(data.codes)))
    boosted_predictions(
        *data[:3], link, data.target, data.weight, make_rows(), n_trees, N_TRAINING, n_in,
        max_depth, leaf, rate, np.array([7], dtype=np.uint64), prediction, history, earned,
    )  # fmt: skip
    return prediction, history, earned


def by_twin(data, *, link=SQUARED, n_trees=1, n_in=50, max_depth=3, leaf=3.0, rate=0.1):
    """Return the twin's prediction, and what its splits earned."""
    return naive.boosted_trees(
        *data[:3], link, data.target, data.weight, data.permutation, False,
        draw_orders(n_trees, n_in), n_in, 0, max_depth, leaf, rate, np.zeros_like(data.target),
    )[:2]  # fmt: skip


@pytest.mark.parametrize("weights", ["ones", "any"])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("link", [SQUARED, LOGISTIC, MULTINOMIAL])
@pytest.mark.parametrize("max_depth", [1, 2, 5])
def test_predictions_equal_the_naive_twin(link, missing, weights, max_depth):
    data = data_for(link, missing=missing, weights=weights)
    settings = {"link": link, "n_trees": 2, "n_in": 80, "max_depth": max_depth}
    expected, earned = by_twin(data, **settings)
    prediction, _, found = predict(data, **settings)
    assert_allclose(prediction, expected, rtol=1e-6, atol=1e-9)
    assert_allclose(found.sum(axis=0), earned, rtol=1e-6, atol=1e-9)
    assert earned.any()


def test_several_numeric_outputs_share_a_tree():
    data = make_data(3, n_outputs=3)
    expected, _ = by_twin(data, n_trees=2)
    assert_allclose(predict(data, n_trees=2)[0], expected, rtol=1e-6, atol=1e-9)


def test_history_holds_the_rows_held_out_after_each_tree():
    data = make_data(1)
    held = make_rows()[N_TRAINING:]
    prediction, history, _ = predict(data, n_trees=3)
    assert_array_equal(history[-1], prediction[held])
    assert_array_equal(history[0], predict(data)[0][held])


def test_rows_out_of_the_bag_are_predicted_but_do_not_shape_the_tree():
    data = make_data(4)
    found = predict(data)
    others = draw_orders(1, 50)[0][50:]
    assert (found[0][others] != 0.0).all()
    spoilt = data._replace(target=data.target.copy(), weight=data.weight.copy())
    spoilt.target[others] = np.nan
    spoilt.weight[others] = 1e9
    for one, other in zip(found, predict(spoilt), strict=True):
        assert_array_equal(one, other)


def test_a_tree_of_depth_0_predicts_the_mean():
    data = make_data(1)
    expected = data.target[draw_orders(1, 50)[0][:50]].mean()
    assert_allclose(predict(data, max_depth=0, rate=1.0)[0], np.full((N_ROWS, 1), expected))


def test_nodes_of_one_class_are_not_split_by_rounding():
    data = data_for(LOGISTIC, weights="any")
    data.target[:] = data.codes[0][:, None] > 4
    prediction, *_ = predict(data, link=LOGISTIC)
    assert len(np.unique(prediction)) == 2


def test_many_trees_fit_the_training_rows():
    data = make_data(1)
    prediction, *_ = predict(data, n_trees=100, n_in=80, max_depth=4, rate=0.2)
    rows = make_rows()[:N_TRAINING]
    assert (data.target - prediction)[rows].var() < 0.5 * data.target[rows].var()
