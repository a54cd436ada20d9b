"""From the words of the command line to the values of parameters."""

import ast
import csv
from typing import Any

__all__ = ["folds", "groups", "parameter", "size", "whole"]


def size(text: str | None) -> Any:
    """Read ``--n-features``: a number, a range or "auto"."""
    if text is None or text == "auto":
        return text
    parts = text.split(":")
    if len(parts) > 2 or not all(part.isdecimal() for part in parts):
        raise ValueError(
            f"--n-features must be a number, a range such as 3:10, or auto; got {text!r}"
        )
    return int(parts[0]) if len(parts) == 1 else (int(parts[0]), int(parts[1]))


def folds(text: str | None) -> Any:
    """Read ``--cv``: a number of folds or "loo"."""
    if text is None or text == "loo":
        return text
    return whole(text, "--cv", or_else=" or loo")


def whole(text: str | None, option: str, or_else: str = "") -> int | None:
    """Read a number of folds."""
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal()):
        raise ValueError(f"{option} must be a number of folds{or_else}; got {text!r}")
    return int(text)


def groups(texts: list[str]) -> dict[str, list[str]] | None:
    """Read ``--feature-groups``: name=col1,col2; a name with a comma stands in quotes."""
    found = {}
    for text in texts:
        name, equals, members = text.partition("=")
        if not equals:
            raise ValueError(f"--feature-groups must read name=col1,col2; got {text!r}")
        (listed,) = csv.reader([members], skipinitialspace=True)
        found[name] = [member for member in listed if member]
    return found or None


def parameter(text: str) -> tuple[str, Any]:
    """Read ``--param``: name=value, a Python literal or plain text."""
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--param must read name=value; got {text!r}")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value
