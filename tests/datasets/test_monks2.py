from itertools import product

import numpy as np
import pytest

from thresher.datasets import make_monks2


def test_whole_space_follows_the_rule():
    data = make_monks2()
    expected = list(product((1, 2, 3), (1, 2, 3), (1, 2), (1, 2, 3), (1, 2, 3, 4), (1, 2)))
    np.testing.assert_array_equal(data.X, expected)
    np.testing.assert_array_equal(data.y, [int(row.count(1) == 2) for row in expected])
    assert data.y.sum() == 142
    assert data.relevant == tuple(range(6))


def test_local_bits_are_the_one_of_n_code_of_the_same_rows():
    original, local = make_monks2(), make_monks2(encoding="local")
    assert local.X.shape == (432, 17)
    np.testing.assert_array_equal(local.y, original.y)
    for position, name in enumerate(local.feature_names):
        attribute, value = int(name[1]) - 1, int(name[3])
        np.testing.assert_array_equal(local.X[:, position], original.X[:, attribute] == value)


def test_local_truth_is_the_first_value_bits():
    data = make_monks2(encoding="local")
    assert [data.feature_names[position] for position in data.relevant] == [
        f"a{attribute}=1" for attribute in range(1, 7)
    ]
    np.testing.assert_array_equal(data.y, data.X[:, data.relevant].sum(axis=1) == 2)


def test_redundant_bits_exclude_the_first_value_of_their_own_attribute():
    data = make_monks2(encoding="local")
    assert len(data.redundant) == 11
    for position, (first,) in data.redundant.items():
        assert data.feature_names[position][:2] == data.feature_names[first][:2]
        assert not np.any(data.X[:, position] & data.X[:, first])


@pytest.mark.parametrize("encoding", ["original", "local"])
def test_sample_has_different_rows_from_the_space(encoding):
    data = make_monks2(169, encoding=encoding, random_state=0)
    space = make_monks2(encoding=encoding)
    known = {tuple(row): label for row, label in zip(space.X, space.y, strict=True)}
    assert len(np.unique(data.X, axis=0)) == 169
    assert [known[tuple(row)] for row in data.X] == data.y.tolist()
