"""thresher: which columns matter, found fast, with evidence.

The public names are loaded when they are first used, so that ``import thresher`` stays cheap.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._version import __version__

if TYPE_CHECKING:
    from .selection import Cost, Selection, Verdict
    from .selectors import (
        ACE,
        RACSAM,
        RVE,
        Oblivion,
        RaceSearchCV,
        RaceSelector,
        RVErS,
        Stepwise,
        WrapperSelector,
    )
    from .workflow import select

__all__ = [
    "ACE",
    "RACSAM",
    "RVE",
    "Cost",
    "Oblivion",
    "RVErS",
    "RaceSearchCV",
    "RaceSelector",
    "Selection",
    "Stepwise",
    "Verdict",
    "WrapperSelector",
    "__version__",
    "select",
]

_HOME = {
    "ACE": ".selectors",
    "Cost": ".selection",
    "Oblivion": ".selectors",
    "RACSAM": ".selectors",
    "RaceSearchCV": ".selectors",
    "RVE": ".selectors",
    "RVErS": ".selectors",
    "RaceSelector": ".selectors",
    "Selection": ".selection",
    "Stepwise": ".selectors",
    "Verdict": ".selection",
    "WrapperSelector": ".selectors",
    "select": ".workflow",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
