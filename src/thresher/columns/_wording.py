"""Names of columns in messages."""

from collections.abc import Sequence

__all__ = ["listed"]

_SHOWN = 5
_LONGEST = 100


def listed(names: Sequence[str]) -> str:
    """Write out the first few names, and how many more there are.

    Examples
    --------
    >>> listed(["a", "b"])
    "'a', 'b'"
    >>> listed(list("abcdefgh"))
    "'a', 'b', 'c', 'd', 'e' and 3 more"
    """
    shown = ", ".join(_quoted(name) for name in names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"


def _quoted(name: str) -> str:
    return repr(name) if len(name) <= _LONGEST else f"{name[:_LONGEST]!r}..."
