"""The known formats: a new one is imported here and named in ``__all__``, nothing else."""

from ._arff import ARFF
from ._arrow import ARROW
from ._csv import CSV, TSV
from ._format import Format
from ._libsvm import LIBSVM
from ._ndjson import NDJSON
from ._parquet import PARQUET

__all__ = ["CSV", "TSV", "PARQUET", "ARROW", "ARFF", "NDJSON", "LIBSVM"]

FORMATS: dict[str, Format] = {found.name: found for found in (globals()[key] for key in __all__)}
"""Every format by its name, in the order in which messages list them."""

SUFFIXES: dict[str, Format] = {
    ending: found for found in FORMATS.values() for ending in found.endings
}
"""The format of every file name ending."""
