"""The bytes of a file or of standard input, and errors that say where in them the trouble is."""

import gzip
import os
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

from ._table import TableError

__all__ = ["EMPTY", "Source", "is_stdin", "open_source"]

EMPTY = "empty: there is nothing to read"

_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BINARY = {b"PAR1": "a Parquet file", b"ARROW1": "an Arrow file", b"PK\x03\x04": "a zip archive"}


@dataclass(frozen=True)
class Source:
    """Where a table comes from.

    Parameters
    ----------
    name : str
        What messages call it: the path as given, or "standard input".
    data : bytes
        Everything in it, still compressed if it was.
    """

    name: str
    data: bytes

    def error(self, message: str, *, line: int | None = None) -> TableError:
        """Return (not raise) the error with the file, and the line if known, in front."""
        place = self.name if line is None else f"{self.name}, line {line}"
        return TableError(f"{place}: {message}")

    def text_bytes(self) -> bytes:
        """Return the content decompressed, valid UTF-8 without BOM, lines ended by newlines."""
        data = self._decompressed()
        self._refuse_binary(data)
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as problem:
            start = problem.start
            position = start - data.rfind(b"\n", 0, start)
            message = f"not UTF-8: byte 0x{data[start]:02x} at position {position} of the line"
            line = data.count(b"\n", 0, start) + 1
            raise self.error(f"{message}; convert the file to UTF-8 first", line=line) from None
        data = data.removeprefix(_BOM)
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if not data.strip():
            raise self.error(EMPTY)
        return data

    def text_lines(self) -> list[str]:
        """Return the lines of the text without their ends, so that line n is item n - 1."""
        return self.text_bytes().decode("utf-8").split("\n")

    def _decompressed(self) -> bytes:
        if not self.data.startswith(_GZIP):
            if self.data and self.name.lower().endswith(".gz"):
                raise self.error("the name says gzip, but the content is not gzip data")
            return self.data
        try:
            return gzip.decompress(self.data)
        except (OSError, EOFError, zlib.error) as problem:
            raise self.error(f"corrupt gzip data ({problem})") from problem

    def _refuse_binary(self, data: bytes) -> None:
        if data.startswith(_UTF16):
            raise self.error("not UTF-8: it looks like UTF-16; convert the file to UTF-8 first")
        zero = data.find(b"\0")
        if zero >= 0:
            what = next(
                (kind for magic, kind in _BINARY.items() if data.startswith(magic)), "binary"
            )
            line = data.count(b"\n", 0, zero) + 1
            raise self.error(f"a zero byte: this is not text but {what}", line=line)


def is_stdin(path: str | os.PathLike[str]) -> bool:
    """Tell whether ``path`` is the dash that stands for standard input."""
    return os.fspath(path) == "-"


def open_source(path: str | os.PathLike[str]) -> Source:
    """Read a file, or standard input for ``"-"``, to the end."""
    if is_stdin(path):
        source = Source("standard input", sys.stdin.buffer.read())
    else:
        source = Source(os.fspath(path), _file_bytes(path))
    if not source.data:
        raise source.error(EMPTY)
    return source


def _file_bytes(path: str | os.PathLike[str]) -> bytes:
    file = Path(path)
    if file.is_dir():
        raise TableError(f"{file}: this is a directory, not a file")
    if file.is_char_device() or file.is_block_device():
        raise TableError(f"{file}: this is a device, which may have no end; '-' is standard input")
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise TableError(f"{file}: no such file") from None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise TableError(f"{file}: cannot be read ({reason})") from problem
