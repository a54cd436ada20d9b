"""Tables larger than memory: folders of Parquet or Arrow files, coded once into uint8 codes."""

from ._code import CodedTable, code_dataset
from ._large import is_large
from ._memory import read_memory

__all__ = ["CodedTable", "code_dataset", "is_large", "read_memory"]
