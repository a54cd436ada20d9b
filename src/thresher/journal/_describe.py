"""Parameters as text that is the same in every process."""

import inspect
import re
import types
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._digest import digest

__all__ = ["describe"]

#: Where an object lies in memory says nothing about what it is.
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_MAX_DEPTH = 20


def describe(value: Any, depth: int = 0) -> Any:
    """Turn a parameter into JSON: equal parameters of two processes give the same.

    Estimators and other objects are described by their class and all they hold, functions by their
    name and code, arrays by their fingerprint.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> describe(KNeighborsClassifier(3))["n_neighbors"]
    3
    >>> describe(max)
    'builtins.max'
    """
    if depth > _MAX_DEPTH:
        raise ValueError("parameters are nested too deeply for a journal")
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else repr(value)
    if isinstance(value, Mapping):
        return {
            name if isinstance(name, str) else f"{type(name).__name__} {name!r}": describe(
                own, depth + 1
            )
            for name, own in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [describe(own, depth + 1) for own in value]
    if isinstance(value, (set, frozenset)):
        return sorted((describe(own, depth + 1) for own in value), key=repr)
    if callable(value) and hasattr(value, "__qualname__"):
        return _described_function(value, depth)
    return _described_object(value, depth)


def _described_function(value: Any, depth: int) -> Any:
    """A class or function by its name; what is not the same under the same name, by more."""
    name = f"{getattr(value, '__module__', None)}.{value.__qualname__}"
    if inspect.ismethod(value):
        return [name, describe(value.__self__, depth + 1)]
    if not isinstance(value, types.FunctionType):
        return name
    held = [cell.cell_contents for cell in value.__closure__ or ()]
    more = [value.__defaults__, value.__kwdefaults__, held]
    return [name, _described_code(value.__code__), describe(more, depth + 1)]


def _described_code(code: types.CodeType) -> str:
    """Two lambdas of a module have the same name."""
    parts = [code.co_code, " ".join(code.co_names)]
    for constant in code.co_consts:
        inner = isinstance(constant, types.CodeType)
        # sets have another order in each process
        parts.append(_described_code(constant) if inner else repr(describe(constant)))
    return digest(*parts).hex()


def _described_object(value: Any, depth: int) -> Any:
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            return describe(value.tolist(), depth + 1)
        return f"array {value.dtype} {value.shape} {digest(value).hex()}"
    own_class: Any = type(value)
    kind = f"{own_class.__module__}.{own_class.__qualname__}"
    if hasattr(value, "get_params") and not isinstance(value, type):
        params = value.get_params(deep=False)
        told = {name: describe(own, depth + 1) for name, own in sorted(params.items())}
        return {"class": kind, **told}
    if isinstance(value, np.random.RandomState):
        return [kind, describe(value.get_state(legacy=True), depth + 1)]
    if isinstance(value, np.random.Generator):
        return [kind, describe(value.bit_generator.state, depth + 1)]
    if hasattr(value, "__array__"):  # series and frames, whose repr leaves most of them out
        return [kind, describe(np.asarray(value), depth + 1)]
    if own_class.__repr__ is object.__repr__ and hasattr(value, "__dict__"):
        told = {name: describe(own, depth + 1) for name, own in sorted(vars(value).items())}
        return {"class": kind, **told}
    return _ADDRESS.sub("", repr(value))
