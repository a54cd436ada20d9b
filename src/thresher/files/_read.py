"""The public function: choose the format, read the file, set the target apart."""

import os
from collections.abc import Sequence
from importlib.util import find_spec

from ._format import Format, SparseRows
from ._formats import FORMATS, SUFFIXES
from ._source import is_stdin, open_source
from ._split import split_frame, split_sparse
from ._table import Table, TableError

__all__ = ["read_table"]


def read_table(
    path: str | os.PathLike[str],
    target: str | None,
    *,
    format: str | None = None,
    drop: Sequence[str] = (),
) -> Table:
    r"""Read the features and the target from a file.

    Parameters
    ----------
    path : str or path
        The file; ``"-"`` reads standard input. Text formats may be gzip-compressed.
    target : str or None
        The target column. LIBSVM files have one that is called ``"label"``; for them, and only for
        them, None will do.
    format : str, optional
        One of `FORMATS` (or a suffix such as ``"jsonl"``); by default the suffix of ``path``
        decides, and standard input is taken for CSV.
    drop : sequence of str, default ()
        Columns to leave out of the features.

    Returns
    -------
    Table
        The features as a polars DataFrame (LIBSVM: a scipy ``csr_array``), the target as an array.

    Raises
    ------
    TableError
        For every flaw of the file, the target or the arguments; the message says where it is.
    ImportError
        If polars or pyarrow is needed and absent.

    Notes
    -----
    A float that is not a number is a missing value. A column without a name becomes
    ``unnamed_<position>``. Columns of nested or binary values are refused unless dropped; so are
    dates as a target. What the text formats do about types is said in their own modules.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "plants.csv")
    ...     _ = file.write_text("id,height,colour,kind\n1,2.5,red,a\n2,?,blue,b\n")
    ...     table = read_table(file, "kind", drop=["id"])
    >>> table.feature_names, table.y.tolist(), table.X["height"].to_list()
    (('height', 'colour'), ['a', 'b'], [2.5, None])
    """
    chosen = _chosen_format(path, format)
    _require(chosen)
    source = open_source(path)
    contents = chosen.read(source)
    dropped = (drop,) if isinstance(drop, str) else tuple(drop)
    if isinstance(contents, SparseRows):
        return split_sparse(contents, source, target, dropped)
    return split_frame(contents, source, target, dropped)


def _chosen_format(path: str | os.PathLike[str], name: str | None) -> Format:
    if name is not None:
        wanted = name.lower().removeprefix(".")
        found = FORMATS.get(wanted) or SUFFIXES.get(f".{wanted}")
        if found is None:
            raise TableError(f"unknown format {name!r}; the known ones are {', '.join(FORMATS)}")
        return found
    if is_stdin(path):
        return FORMATS["csv"]
    file = os.fspath(path)
    for suffix, found in SUFFIXES.items():
        if file.lower().endswith(suffix):
            return found
    known = ", ".join(SUFFIXES)
    raise TableError(f"{file}: unknown suffix; give format=, or one of the suffixes {known}")


def _require(chosen: Format) -> None:
    absent = [package for package in chosen.needs if find_spec(package) is None]
    if absent:
        raise ImportError(
            f"reading {chosen.name} files needs {' and '.join(absent)}: pip install thresher[cli]"
        )
