"""LIBSVM, also known as SVMlight: ``label index:value ...``.

Columns are named by their indices in the file, ``f1`` for index 1; there is an ``f0`` only if the
file uses index 0. The label is a number; query ids are passed over.
"""

import io
from typing import Any

from scipy.sparse import csr_array
from sklearn.datasets import load_svmlight_file

from ._format import Format, SparseRows
from ._source import Source

__all__ = ["LIBSVM"]

_MOST_FEATURES = 10_000_000  # one wild index must not cost gigabytes of names
_PROBLEMS = (ValueError, OverflowError)


def _read_libsvm(source: Source) -> SparseRows:
    data = source.text_bytes()
    try:
        rows, labels = _parsed(data)
    except _PROBLEMS as problem:
        raise source.error(str(problem), line=_first_bad_line(data)) from problem
    X = csr_array(rows)
    first = 0 if (X.indices == 0).any() else 1
    if X.shape[1] - first > _MOST_FEATURES:
        raise source.error(f"feature index {X.shape[1] - 1} is above {_MOST_FEATURES}")
    names = tuple(f"f{index}" for index in range(first, X.shape[1]))
    return SparseRows(X[:, first:], labels, names, "label")


LIBSVM = Format("libsvm", (".libsvm", ".svmlight", ".svm"), _read_libsvm, needs=())


def _parsed(data: bytes) -> Any:
    # Counting from 0 keeps the indices as they are; column 0 then stays empty in most files.
    return load_svmlight_file(io.BytesIO(data), zero_based=True)


def _first_bad_line(data: bytes) -> int:
    """Return the number of the line that the parser, which does not tell, stumbles over."""
    lines = data.split(b"\n")
    good, bad = 0, len(lines)
    while bad - good > 1:
        middle = (good + bad) // 2
        try:
            _parsed(b"\n".join(lines[good:middle]))
            good = middle
        except _PROBLEMS:
            bad = middle
    return bad
