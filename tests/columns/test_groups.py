import numpy as np
import pytest

from thresher.columns import read_columns, with_groups


@pytest.fixture
def columns():
    return read_columns(np.eye(4), names=["a", "b", "c", "d"])


def test_groups_become_variables_at_the_place_of_their_first_column(columns):
    grouped = with_groups(columns, {"bd": ["b", "d"]})
    assert grouped.variable_names == ("a", "bd", "c")
    assert [v.tolist() for v in grouped.variables] == [[0], [1, 3], [2]]
    assert grouped.columns_of({1, 0}).tolist() == [0, 1, 3]


def test_groups_may_be_lists_of_positions(columns):
    grouped = with_groups(columns, [[0, 1], ["c", 3]])
    assert grouped.variable_names == ("group 0", "group 1")


def test_keeping_a_column_keeps_its_group(columns):
    grouped = with_groups(columns, {"bd": ["b", "d"]}, keep=["d", 0])
    assert grouped.required == {0, 1}


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({"g": []}, "the group 'g' names no column"),
        ({"g": ["z"]}, "the group 'g' names 'z', which is not a column"),
        ({"g": [7]}, "the group 'g' names position 7; there are 4 columns"),
        ({"g": ["a"], "h": ["a"]}, "column 'a' is in two groups, 'g' and 'h'"),
        ({"g": "ab"}, "the group 'g' must be a list of columns"),
        ("ab", "feature_groups must map names to columns"),
    ],
)
def test_bad_groups_are_refused_by_name(columns, groups, message):
    with pytest.raises(ValueError, match=message):
        with_groups(columns, groups)


@pytest.mark.parametrize(
    ("keep", "message"), [(["z"], "keep names 'z'"), ("a", "keep must be a list")]
)
def test_bad_keep_is_refused_by_name(columns, keep, message):
    with pytest.raises(ValueError, match=message):
        with_groups(columns, keep=keep)
