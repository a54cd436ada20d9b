"""Sparse text files, whose target is the label."""

import gzip

import numpy as np
import pytest
from scipy.sparse import csr_array

from thresher.files import TableError, read_table

from .conftest import Write

ONE_BASED = "+1 1:0.5 3:2 # remark\n\n-1 qid:4 2:-1e3\n0 \n"


@pytest.mark.parametrize("target", [None, "label"])
@pytest.mark.parametrize("name", ["t.libsvm", "t.svmlight", "t.svm"])
def test_names_follow_the_indices_of_the_file(write: Write, name: str, target: str | None) -> None:
    table = read_table(write(name, ONE_BASED), target)
    assert isinstance(table.X, csr_array)
    assert table.feature_names == ("f1", "f2", "f3")
    assert table.target_name == "label"
    assert table.n_rows == 3
    np.testing.assert_array_equal(table.X.toarray(), [[0.5, 0, 2], [0, -1000, 0], [0, 0, 0]])
    np.testing.assert_array_equal(table.y, [1, -1, 0])


def test_index_zero(write: Write) -> None:
    table = read_table(write("t.svm", "1 0:5 2:6\n2 1:7\n"), None)
    assert table.feature_names == ("f0", "f1", "f2")
    np.testing.assert_array_equal(table.X.toarray(), [[5, 0, 6], [0, 7, 0]])


def test_compressed(write: Write) -> None:
    table = read_table(write("t.svm.gz", gzip.compress(ONE_BASED.encode())), None)
    assert table.X.shape == (3, 3)


def test_drop(write: Write) -> None:
    path = write("t.svm", ONE_BASED)
    table = read_table(path, None, drop=["f1"])
    assert table.feature_names == ("f2", "f3")
    np.testing.assert_array_equal(table.X.toarray(), [[0, 2], [-1000, 0], [0, 0]])
    with pytest.raises(TableError, match="no dropped column 'f9'"):
        read_table(path, None, drop=["f9"])
    with pytest.raises(TableError, match="'label' cannot be dropped"):
        read_table(path, None, drop=["label"])
    with pytest.raises(TableError, match="no column is left"):
        read_table(path, None, drop=["f1", "f2", "f3"])


@pytest.mark.parametrize(
    "line", ["a 1:2", "1,2 1:2", "1 1:x", "1 3:1 2:1", "1 1:1 1:2", "1 -1:1", "1 99999999999:1"]
)
@pytest.mark.parametrize("before", [0, 1, 4, 7])
def test_broken_rows_are_named_by_line(write: Write, line: str, before: int) -> None:
    path = write("t.svm", "1 1:1\n" * before + f"{line}\n" + "1 1:1\n" * 3)
    with pytest.raises(TableError) as caught:
        read_table(path, None)
    assert str(caught.value).startswith(f"{path}, line {before + 1}: ")


@pytest.mark.parametrize(
    ("text", "target", "message"),
    [
        ("1 1:1\n", "y", "the target of such files is called 'label', not 'y'"),
        (
            "1 1:1\nnan 1:1\nnan 1:2\n",
            None,
            "'label' has 2 missing values, the first in data row 2",
        ),
        ("# only a remark\n", None, "no rows"),
        ("1\n2\n", None, "no column is left besides the target"),
        ("1 20000000:1\n", None, "feature index 20000000 is above"),
    ],
)
def test_errors(write: Write, text: str, target: str | None, message: str) -> None:
    with pytest.raises(TableError, match=message):
        read_table(write("t.svm", text), target)


def test_polars_is_not_needed(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.files._read.find_spec", lambda package: None)
    assert read_table(write("t.svm", ONE_BASED), None).n_rows == 3
