"""Names of columns in messages."""

from collections.abc import Sequence

__all__ = ["listed"]

_SHOWN = 5


def listed(names: Sequence[str]) -> str:
    """Write out the first few names, and how many more there are.

    Examples
    --------
    >>> listed(["a", "b"])
    "'a', 'b'"
    >>> listed(list("abcdefgh"))
    "'a', 'b', 'c', 'd', 'e' and 3 more"
    """
    shown = ", ".join(repr(name) for name in names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"
