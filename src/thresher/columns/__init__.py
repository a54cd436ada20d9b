"""Tables of any make, typed once: kinds, names, missing values, and what belongs together."""

from ._binning import Binned, bin_columns
from ._coded import CodedColumns, ColumnCodes, bytes_in_words
from ._codes import Codes
from ._columns import Columns, Kind, is_frame
from ._digest import column_digests
from ._encode import encode
from ._groups import with_groups
from ._intake import as_array, read_columns
from ._labels import Labels
from ._objects import as_table, is_missing
from ._stored_bins import StoredBins, stored_bins
from ._wording import listed

__all__ = [
    "Binned",
    "CodedColumns",
    "Codes",
    "ColumnCodes",
    "Columns",
    "Kind",
    "Labels",
    "StoredBins",
    "as_array",
    "as_table",
    "bin_columns",
    "bytes_in_words",
    "column_digests",
    "encode",
    "is_frame",
    "is_missing",
    "listed",
    "read_columns",
    "stored_bins",
    "with_groups",
]
