import numpy as np
import pandas as pd

from thresher.columns import encode, read_columns, with_groups


def test_encoded_tables_are_finite_numbers():
    table = pd.DataFrame(
        {
            "n": [1.0, None, 5.0, 2.0],
            "gone": [None, None, None, None],
            "c": ["a", "b", None, "a"],
            "same": ["k"] * 4,
        }
    ).astype({"gone": "float64"})
    encoded = encode(read_columns(table))
    assert np.isfinite(encoded.table).all()
    assert encoded.variable_names == ("n", "gone", "c", "same")
    assert encoded.names == (
        "n", "n is missing", "gone is missing", "c = b", "c is missing", "same = k",
    )  # fmt: skip


def test_many_levels_never_explode():
    text = [f"u{i // 2}" for i in range(5000)]
    encoded = encode(read_columns(pd.DataFrame({"pairs": text, "x": range(5000)})), max_levels=20)
    assert [len(v) for v in encoded.variables] == [20, 1]


def test_identifiers_become_their_place_in_sorted_order():
    encoded = encode(read_columns(pd.DataFrame({"id": ["c", "a", "b"]})))
    assert encoded.names == ("id",)
    assert encoded.table[:, 0].argsort().tolist() == [1, 2, 0]


def test_groups_and_required_variables_survive():
    table = pd.DataFrame({"a": ["x", "y", "z", "x"], "b": [1, 2, 3, 4], "c": [3.0, None, 1.0, 2.0]})
    encoded = encode(with_groups(read_columns(table), {"ac": ["a", "c"]}, keep=["b"]))
    assert encoded.required == {1}
    assert [encoded.names[j] for j in encoded.variables[0]] == [
        "a = y", "a = z", "c", "c is missing",
    ]  # fmt: skip


def test_numbers_are_standardised():
    encoded = encode(read_columns(np.array([[1.0], [3.0], [8.0]])))
    assert np.allclose([encoded.table.mean(), encoded.table.std()], [0, 1])


def test_huge_numbers_are_standardised_too():
    encoded = encode(read_columns(np.array([[1e308], [-1e308], [0.0]])))
    assert np.isfinite(encoded.table).all()
    assert np.isclose(encoded.table.std(), 1.0)


def test_the_middle_of_huge_numbers_is_finite():
    encoded = encode(read_columns(np.array([[1.6e308], [1.7e308], [np.nan]])))
    assert np.allclose(encoded.table[:, 0], [-np.sqrt(1.5), np.sqrt(1.5), 0.0])
