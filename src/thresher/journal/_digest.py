"""Short fingerprints of keys and data."""

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np

__all__ = ["digest"]

#: Bytes of a fingerprint: two of 10^12 keys are the same by accident once in 10^14 journals.
SIZE = 16


def digest(*parts: Any) -> bytes:
    """Fingerprint of a sequence of texts, numbers, arrays, sets of numbers, and nests of these.

    The same in every process and on every machine, unlike `hash`.

    Examples
    --------
    >>> digest("loss", frozenset({1, 2}), 0) == digest("loss", {2, 1}, 0)
    True
    >>> digest("a", "bc") == digest("ab", "c")
    False
    """
    found = hashlib.blake2b(digest_size=SIZE)
    for part in parts:
        _add(found, part)
    return found.digest()


def _add(found: Any, part: Any) -> None:
    """Feed one part; its type and length come first, so that parts cannot run into each other."""
    if isinstance(part, np.ndarray):
        plain = np.ascontiguousarray(part)
        if plain.dtype.hasobject:
            raise TypeError("arrays of objects have no fingerprint")
        found.update(f"array {plain.dtype.str} {plain.shape}:".encode())
        found.update(plain.data if plain.size else b"")
    elif isinstance(part, (set, frozenset)):
        found.update(b"set:")
        _add(found, np.sort(np.fromiter(part, dtype=np.int64)))
    elif isinstance(part, (bytes, bytearray, memoryview)):
        found.update(f"bytes {len(part)}:".encode())
        found.update(part)
    elif isinstance(part, str):
        text = part.encode("utf-8", "surrogatepass")
        found.update(f"text {len(text)}:".encode())
        found.update(text)
    elif part is None or isinstance(part, (bool, int, float, np.generic)):
        _add(found, f"{type(part).__name__} {part!r}")
    elif isinstance(part, Iterable):
        some = list(part)
        found.update(f"sequence {len(some)}:".encode())
        for one in some:
            _add(found, one)
    else:
        raise TypeError(f"{type(part).__name__} has no fingerprint")
