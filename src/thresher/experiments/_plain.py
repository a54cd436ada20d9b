"""Outcomes of tasks as JSON and arrays, and back: what is read is what was written, or an error."""

import sys
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Plain"]

#: Arrays that a journal gives back bit by bit.
_TYPES = ("<f8", "<i8", "|b1")


class Plain:
    """Turns outcomes into what a journal holds, and back.

    Parameters
    ----------
    module : str
        Where the records are defined that outcomes consist of, whatever a file says.
    arrays : sequence of arrays
        Those of an outcome that is to be read.

    Examples
    --------
    >>> plain = Plain(__name__)
    >>> told = plain.of([(1, 2.5), {"a": None}])
    >>> Plain(__name__, plain.arrays).back(told)
    [(1, 2.5), {'a': None}]
    """

    def __init__(self, module: str, arrays: Sequence[NDArray[Any]] = ()):
        self._known = vars(sys.modules[module])
        self.arrays = list(arrays)

    def of(self, value: Any) -> Any:
        """Return what JSON can hold; arrays go to ``arrays``. TypeError if it cannot be done."""
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or type(value) in {bool, int, float, str}:
            return value
        if type(value) in {list, tuple}:
            return {type(value).__name__: [self.of(each) for each in value]}
        if type(value) is dict:
            return {"dict": [[self.of(name), self.of(own)] for name, own in value.items()]}
        if isinstance(value, np.ndarray) and value.dtype.str in _TYPES:
            self.arrays.append(value)
            return {"array": len(self.arrays) - 1}
        kind = type(value)
        if self._is_record(kind.__name__) and self._known[kind.__name__] is kind:
            held = {each.name: self.of(getattr(value, each.name)) for each in fields(value)}
            return {"record": kind.__name__, "fields": held}
        raise TypeError(f"{kind.__name__} is not written down")

    def back(self, plain: Any) -> Any:
        """Return what `of` was given."""
        if not isinstance(plain, dict):
            return plain
        if "record" in plain:
            if not self._is_record(plain["record"]):
                raise ValueError(f"{plain['record']} is no record")
            held = {name: self.back(own) for name, own in plain["fields"].items()}
            return self._known[plain["record"]](**held)
        ((name, content),) = plain.items()
        if name == "array":
            return self.arrays[content]
        if name == "dict":
            return {self.back(key): self.back(own) for key, own in content}
        return {"list": list, "tuple": tuple}[name](self.back(each) for each in content)

    def _is_record(self, name: str) -> bool:
        kind = self._known.get(name)
        return isinstance(kind, type) and is_dataclass(kind)
