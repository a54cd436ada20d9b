"""What is written down of a result: arrays and a few words, in bytes that cannot hold code."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Entry"]

#: What arrays may hold. Objects are not among it: reading them would mean to run code.
_TYPES = frozenset({"<f8", "<i8", "|u1", "|b1"})
_MAX_HEAD = 1_000_000


@dataclass(frozen=True, eq=False)
class Entry:
    """A result.

    Parameters
    ----------
    arrays : tuple of arrays
        Numbers; they come back bit by bit.
    note : mapping
        What goes into JSON.
    """

    arrays: tuple[NDArray[Any], ...] = ()
    note: Mapping[str, Any] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """One line of JSON that tells types and shapes, then the numbers."""
        plain = [_plain(array) for array in self.arrays]
        head = {"arrays": [[a.dtype.str, list(a.shape)] for a in plain], "note": dict(self.note)}
        line = json.dumps(head).encode()
        if len(line) >= _MAX_HEAD:
            raise ValueError(f"a note of {len(line)} bytes is too long to be written down")
        return b"".join([line, b"\n", *(a.tobytes() for a in plain)])

    @classmethod
    def from_bytes(cls, text: bytes) -> "Entry":
        """Read it back; ValueError if the bytes are not what `to_bytes` writes."""
        line, newline, rest = text[:_MAX_HEAD].partition(b"\n")
        if not newline:
            raise ValueError("no end of the first line")
        rest = text[len(line) + 1 :]
        head = json.loads(line)
        if not (isinstance(head, dict) and set(head) == {"arrays", "note"}):
            raise ValueError("the first line does not tell what follows")
        arrays, start = [], 0
        for kind, shape in head["arrays"]:
            if kind not in _TYPES or not all(isinstance(n, int) and n >= 0 for n in shape):
                raise ValueError(f"an array of {kind!r} with shape {shape!r}")
            dtype = np.dtype(kind)
            stop = start + prod(shape) * dtype.itemsize
            if stop > len(rest):
                raise ValueError("fewer numbers than announced")
            arrays.append(np.frombuffer(rest[start:stop], dtype).reshape(shape).copy())
            start = stop
        if start != len(rest):
            raise ValueError("more numbers than announced")
        return cls(tuple(arrays), head["note"])


def _plain(array: Any) -> NDArray[Any]:
    """The same numbers as one of the types that are written."""
    found = np.asarray(array)
    wanted = {"f": "<f8", "i": "<i8", "u": "|u1" if found.dtype.itemsize == 1 else "<i8"}
    kind = "|b1" if found.dtype.kind == "b" else wanted.get(found.dtype.kind)
    if kind is None:
        raise TypeError(f"arrays of {found.dtype} are not written down")
    return np.asarray(found.astype(kind, order="C", casting="same_kind"))
