"""Read a table with a target column from a file.

CSV, TSV, NDJSON, ARFF and LIBSVM text (plain or gzip), Parquet, Arrow files and streams. To add a
format, write one file that defines a `Format` and import it in ``_formats.py``; suffixes, the
``format=`` choices and the error messages follow from there.
"""

from ._disguised import are_numbers
from ._formats import FORMATS
from ._read import read_table
from ._table import Table, TableError

__all__ = ["read_table", "Table", "TableError", "FORMATS", "are_numbers"]
