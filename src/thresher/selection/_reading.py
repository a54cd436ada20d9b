"""Selections from files, which anybody may have written: nothing in them is trusted."""

import json
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from ._path import Enough
from ._verdict import Kind
from ._view import GOALS, allowed_goals

__all__ = ["check_content", "read_json"]

#: Bytes; a hundred thousand columns take about 20 million.
_LARGEST_FILE = 2**29
#: Records within records; the deepest that thresher writes is half of it.
_DEEPEST = 20
#: Whole numbers beyond this cannot be shown as floats.
_LARGEST_NUMBER = 10**300


def read_json(path: str | os.PathLike[str]) -> Any:
    """Read strict JSON from a file of reasonable size and shape; a ValueError names the file."""
    try:
        content = json.loads(_bytes_of(path).decode("utf-8"), parse_constant=_refuse_constant)
        _check_shape(content)
    except (ValueError, RecursionError) as error:
        told = "nested too deeply" if isinstance(error, RecursionError) else error
        raise ValueError(f"{path}: not a selection file ({told})") from error
    return content


def _bytes_of(path: str | os.PathLike[str]) -> bytes:
    # not to wait for a writer where the path is a pipe
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError("this is a folder, a pipe or a device, not a file")
        with os.fdopen(handle, "rb", closefd=False) as file:
            data = file.read(_LARGEST_FILE + 1)
    finally:
        os.close(handle)
    if len(data) > _LARGEST_FILE:
        raise ValueError(f"larger than {_LARGEST_FILE >> 20} MB")
    return data


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def _check_shape(content: Any) -> None:
    """Refuse what later steps would choke on: depth, and numbers that are no floats."""
    level: list[Any] = [content]
    for _ in range(_DEEPEST):
        if not level:
            return
        deeper: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                deeper.extend(value.values())
            elif isinstance(value, list):
                deeper.extend(value)
            elif isinstance(value, int) and not -_LARGEST_NUMBER < value < _LARGEST_NUMBER:
                raise ValueError("a whole number that is too large")
        level = deeper
    if level:
        raise ValueError("nested too deeply")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _maybe(accepts: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or accepts(value)


def _is_record(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(key, str) for key in value)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _is_kind(value: Any) -> bool:
    return isinstance(value, str) and value in get_args(Kind)


def _is_enough(value: Any) -> bool:
    return isinstance(value, str) and value in get_args(Enough)


def _is_goal(value: Any) -> bool:
    return isinstance(value, str) and value in ("", *GOALS)


def _is_share(value: Any) -> bool:
    return _is_number(value) and 0 <= value <= 1


def _is_count(value: Any) -> bool:
    return _is_whole(value) and value >= 0


Expected = Mapping[str, tuple[str, Callable[[Any], bool]]]

_TEXT = ("text", _is_text)
_NUMBER = ("a number", _is_number)
_NUMBER_OR_NULL = ("a number or null", _maybe(_is_number))
_WHOLE = ("a whole number", _is_whole)
_RECORD = ("an object", _is_record)
_LIST = ("a list", _is_list)
_SHARE = ("a number from 0 to 1", _is_share)
_COUNT = ("a whole number of at least 0", _is_count)
_KIND = (f"{', '.join(map(repr, get_args(Kind)[:-1]))} or {get_args(Kind)[-1]!r}", _is_kind)

_SELECTION: Expected = {
    "selected": _LIST, "verdicts": _LIST, "trace": _LIST, "cost": _RECORD, "method": _TEXT,
    "settings": _RECORD, "versions": _RECORD, "explanation": _TEXT, "failures": _LIST,
    "validation": ("an object or null", _maybe(_is_record)),
    "stability": ("an object or null", _maybe(_is_record)),
    "goal": (f"empty or one of {allowed_goals()}", _is_goal),
    "path": ("an object or null", _maybe(_is_record)), "clusters": _LIST, "views": _RECORD,
}  # fmt: skip
_VERDICT: Expected = {
    "name": _TEXT,
    "kind": _KIND,
    "score": _NUMBER_OR_NULL,
    "p_value": _NUMBER_OR_NULL,
    "masked_by": ("text or null", _maybe(_is_text)),
    "step": ("a whole number or null", _maybe(_is_whole)),
    "reason": _TEXT,
}
_COST: Expected = {"evaluations": _WHOLE, "losses": _WHOLE, "seconds": _NUMBER}
_VALIDATION: Expected = {
    "losses": _RECORD, "differences": _RECORD, "n_columns": _RECORD, "loss": _TEXT,
    "learner": _TEXT, "n_folds": _WHOLE, "n_rows": _WHOLE, "confidence": _NUMBER,
    "seconds": _NUMBER,
}  # fmt: skip
_STABILITY: Expected = {"frequency": _RECORD, "index": _RECORD, "sizes": _LIST, "share": _NUMBER}
_PATH: Expected = {
    "order": _LIST, "points": _LIST, "chosen": _COUNT, "best": _COUNT, "loss": _TEXT,
    "learner": _TEXT, "tolerance": _SHARE, "confidence": _SHARE, "n_rows": _COUNT,
    "n_folds": _COUNT,
}  # fmt: skip
_POINT: Expected = {
    "n_columns": _COUNT,
    "loss": _NUMBER_OR_NULL,
    "low": _NUMBER_OR_NULL,
    "high": _NUMBER_OR_NULL,
    "at_most": _NUMBER_OR_NULL,
    "verdict": (f"one of {', '.join(map(repr, get_args(Enough)))}", _is_enough),
}
_VIEW: Expected = {"selected": _LIST, "verdicts": _RECORD}
_VIEWED: Expected = {name: _VERDICT[name] for name in ("kind", "masked_by", "reason", "p_value")}
_INTERVAL: Expected = dict.fromkeys(("mean", "low", "high"), _NUMBER_OR_NULL)


def check_content(content: Mapping[str, Any]) -> None:
    """Refuse what is not a selection as `Selection.to_dict` gives it: the field, and what it is."""
    _check(content, _SELECTION, "the selection")
    _check_names(content["selected"], "selected")
    for position, verdict in enumerate(content["verdicts"]):
        _check(verdict, _VERDICT, f"verdicts[{position}]", needed=("name", "kind"))
    _check(content["cost"], _COST, "cost", needed=())
    for part in ("trace", "failures"):
        for position, record in enumerate(content.get(part, ())):
            _check(record, {}, f"{part}[{position}]", needed=())
    if content.get("validation") is not None:
        _check_validation(content["validation"])
    if content.get("stability") is not None:
        _check_stability(content["stability"])
    if content.get("path") is not None:
        _check_path(content["path"])
    for position, cluster in enumerate(content.get("clusters", ())):
        _check({"cluster": cluster}, {"cluster": _LIST}, f"clusters[{position}]")
        _check_names(cluster, f"clusters[{position}]")
    for goal, view in content.get("views", {}).items():
        _check_view(view, f"views[{goal!r:.60}]")


def _check_names(names: Sequence[Any], where: str) -> None:
    for position, name in enumerate(names):
        _check({"name": name}, {"name": _TEXT}, f"{where}[{position}]")


def _check_path(content: Any) -> None:
    _check(content, _PATH, "path", needed=tuple(_PATH))
    _check_names(content["order"], "path.order")
    for position, point in enumerate(content["points"]):
        _check(point, _POINT, f"path.points[{position}]", needed=tuple(_POINT))


def _check_view(content: Any, where: str) -> None:
    _check(content, _VIEW, where, needed=tuple(_VIEW))
    _check_names(content["selected"], f"{where}.selected")
    for name, entry in content["verdicts"].items():
        _check(entry, _VIEWED, f"{where}.verdicts[{name!r:.60}]", needed=("kind",))


def _check_validation(content: Any) -> None:
    _check(content, _VALIDATION, "validation", needed=tuple(_VALIDATION)[:7])
    for part in ("losses", "differences"):
        for name, interval in content[part].items():
            _check(interval, _INTERVAL, f"validation.{part}[{name!r}]", needed=tuple(_INTERVAL))
    numbers = dict.fromkeys(content["n_columns"], _NUMBER_OR_NULL)
    _check(content["n_columns"], numbers, "validation.n_columns")


def _check_stability(content: Any) -> None:
    _check(content, _STABILITY, "stability", needed=tuple(_STABILITY))
    _check(content["index"], _INTERVAL, "stability.index", needed=tuple(_INTERVAL))
    numbers = dict.fromkeys(content["frequency"], _NUMBER_OR_NULL)
    _check(content["frequency"], numbers, "stability.frequency")
    for position, size in enumerate(content["sizes"]):
        _check({"size": size}, {"size": _WHOLE}, f"stability.sizes[{position}]")


def _check(record: Any, expected: Expected, where: str, needed: Sequence[str] = ()) -> None:
    if not _is_record(record):
        raise ValueError(f"{where} must be an object; got {_shown(record)}")
    absent = [name for name in needed if name not in record]
    if absent:
        raise ValueError(f"{where} lacks {', '.join(absent)}")
    for name, (words, accepts) in expected.items():
        if name in record and not accepts(record[name]):
            raise ValueError(f"{where}: {name} must be {words}; got {_shown(record[name])}")


def _shown(value: Any) -> str:
    text = ascii(value) if isinstance(value, (str, int, float, bool, type(None))) else ""
    return text if 0 < len(text) <= 60 else f"{type(value).__name__} {text[:57]}...".rstrip()
