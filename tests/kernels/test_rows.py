import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from thresher.kernels import _rows
from thresher.kernels._rows import all_alike, lower, make_part, slice_part, upper


def prepare_outputs(target, weight):
    return _rows.prepare_outputs(target, weight, np.arange(len(target), dtype=np.uint32))


def fields(outputs):
    """Weights and outputs in the words, as they were before they became whole numbers."""
    halves = [half(word) for word in outputs.words.T.ravel() for half in (lower, upper)]
    table = np.array(halves).reshape(outputs.words.shape[1], -1)
    weight, table = table[:, 1], np.delete(table, 1, axis=1)
    unit = np.sqrt(outputs.gain_unit * outputs.one)
    return weight / outputs.one, table[:, : outputs.n_outputs] * unit / outputs.one


@pytest.mark.parametrize("n_outputs", [1, 2, 3, 4])
@pytest.mark.parametrize("weighted", [False, True])
def test_words_hold_the_weighted_centred_target(n_outputs, weighted):
    rng = np.random.default_rng(0)
    target = 1000.0 + rng.normal(size=(50, n_outputs))
    weight = rng.gamma(1.0, size=50) if weighted else np.ones(50)
    found_weight, found = fields(prepare_outputs(target, weight))
    assert_allclose(found_weight, weight, atol=1e-6)
    centred = target - np.average(target, axis=0, weights=weight)
    assert_allclose(found, centred * weight[:, None], atol=1e-5)


def test_whole_weights_are_kept_exactly():
    weight = np.array([0.0, 1.0, 2.0, 3.0, 500_000_000.0])
    outputs = prepare_outputs(np.arange(5.0)[:, None], weight)
    assert outputs.one == 1.0
    assert_array_equal([upper(word) for word in outputs.words[0]], weight)


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
def test_sums_never_overflow_a_half(scale):
    rng = np.random.default_rng(0)
    target = scale * rng.standard_cauchy(size=(10_000, 3))
    weight = scale * rng.gamma(1.0, size=10_000)
    outputs = prepare_outputs(target, weight)
    for words in outputs.words:
        assert max(abs(lower(w)) for w in words) < 2**30
        largest = [np.abs([half(w) for w in words]).sum() for half in (lower, upper)]
        assert max(largest) < 2**31


def test_only_some_rows_are_prepared():
    rng = np.random.default_rng(0)
    target, rows = rng.normal(size=(30, 2)), rng.permutation(30)[:12].astype(np.uint32)
    outputs = _rows.prepare_outputs(target, np.ones(30), rows)
    alone = prepare_outputs(target[rows], np.ones(12))
    assert_array_equal(outputs.words[:, rows], alone.words)
    assert not np.delete(outputs.words, rows, axis=1).any()
    assert outputs[1:] == alone[1:]


def test_a_constant_target_has_nothing_to_sum():
    outputs = prepare_outputs(np.full((7, 1), 3.3), np.ones(7))
    assert_array_equal(outputs.words, np.full((1, 7), 1 << 32))


def test_a_slice_fetches_what_belongs_to_its_rows():
    rng = np.random.default_rng(0)
    order, permutation = rng.permutation(20), rng.permutation(20)
    outputs = prepare_outputs(rng.normal(size=(20, 3)), np.ones(20))
    whole = make_part(order, 2)
    parts = [slice_part(whole, 0, 8, permutation, outputs)]
    parts.append(slice_part(whole, 8, 20, permutation, outputs))
    for part, rows in zip(parts, [order[:8], order[8:]], strict=True):
        assert_array_equal(part.rows, rows)
        assert_array_equal(part.places, [rows, permutation[rows]])
        assert_array_equal(part.words, outputs.words[:, rows])


def test_rows_are_alike_if_no_output_differs():
    target = np.array([[1.0, 2.0], [1.0, 2.0], [1.0, 3.0]])
    assert all_alike(target, np.array([0, 1], dtype=np.uint32))
    assert not all_alike(target, np.array([0, 1, 2], dtype=np.uint32))
    assert all_alike(target, np.array([], dtype=np.uint32))
