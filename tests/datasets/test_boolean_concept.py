import numpy as np
import pytest

from thresher.datasets import make_boolean_concept

CONCEPTS = {
    "conjunction": lambda a, b, c: a and b and c,
    "m-of-n": lambda a, b, c: (a and b) or (a and c) or (b and c),
    "parity-like": lambda a, b, c: (a and b and c) or not (a or b or c),
}


@pytest.mark.parametrize("n_irrelevant", [0, 9])
@pytest.mark.parametrize("concept", CONCEPTS)
def test_class_is_the_concept_of_the_first_three_bits(concept, n_irrelevant):
    data = make_boolean_concept(concept, n_irrelevant, random_state=0)
    assert data.X.shape == (100, 3 + n_irrelevant)
    assert data.relevant == (0, 1, 2)
    expected = [bool(CONCEPTS[concept](*row[:3])) for row in data.X]
    np.testing.assert_array_equal(data.y, expected)


@pytest.mark.parametrize(
    ("concept", "share"), [("conjunction", 1 / 8), ("m-of-n", 1 / 2), ("parity-like", 1 / 4)]
)
def test_classes_have_the_frequencies_of_the_space(concept, share):
    data = make_boolean_concept(concept, 2, n_rows=20_000, random_state=0)
    assert data.y.mean() == pytest.approx(share, abs=0.01)
    np.testing.assert_allclose(data.X.mean(axis=0), 0.5, atol=0.015)


def test_single_bits_of_the_parity_like_concept_say_nothing():
    data = make_boolean_concept("parity-like", n_rows=20_000, random_state=0)
    for bit in data.X.T:
        assert data.y[bit == 1].mean() == pytest.approx(data.y[bit == 0].mean(), abs=0.02)
