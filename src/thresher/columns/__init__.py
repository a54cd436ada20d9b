"""Tables of any make, typed once: kinds, names, missing values, and what belongs together."""

from ._binning import Binned, bin_columns
from ._columns import Columns, Kind, is_frame
from ._encode import encode
from ._groups import with_groups
from ._intake import read_columns
from ._objects import as_table, is_missing
from ._wording import listed

__all__ = [
    "Binned",
    "Columns",
    "Kind",
    "as_table",
    "bin_columns",
    "encode",
    "is_frame",
    "is_missing",
    "listed",
    "read_columns",
    "with_groups",
]
