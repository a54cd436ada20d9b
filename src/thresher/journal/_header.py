"""Whether a journal belongs to a run, and if not, what is different."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["differences"]

_MOST = 5
_WIDTH = 60


def differences(before: Any, now: Any, path: str = "") -> list[str]:
    """Say in words what differs between two headers.

    Examples
    --------
    >>> differences({"seed": 1, "cv": 5}, {"seed": 2, "cv": 5})
    ['seed was 1 and is 2']
    """
    found = list(_compare(before, now, path))
    if len(found) > _MOST:
        found = [*found[:_MOST], f"and {len(found) - _MOST} more"]
    return found


def _compare(before: Any, now: Any, path: str) -> Iterator[str]:
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        if set(before) == set(now) and list(before) != list(now) and path == "column":
            yield "the columns are in another order"
        for name in dict.fromkeys([*before, *now]):
            own = f"{path} {name!r}" if path == "column" else f"{path} {name}".strip()
            if name not in now:
                yield f"{own} is missing now"
            elif name not in before:
                yield f"{own} is new"
            else:
                yield from _compare(before[name], now[name], own)
    elif json.dumps(before) != json.dumps(now):  # 1, 1.0 and True are not the same parameter
        if path.startswith("column ") or path in _FINGERPRINTS:
            yield f"{path} {_FINGERPRINTS.get(path, 'has other values')}"
        else:
            yield f"{path} was {_short(before)} and is {_short(now)}"


#: Headers that hold fingerprints, which would tell nobody anything.
_FINGERPRINTS = {
    "sources": "of thresher have changed",
    "target": "has other values",
    "sample_weight": "has other values",
    "folds": "are others: give a splitter that shuffles a random_state",
    "validation": "has other folds: give a splitter that shuffles a random_state",
}


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 3]}..."
