"""What may go to a terminal or into JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["printable", "without_nan"]


def printable(text: str, width: int | None = None) -> str:
    """Escape what would disturb a terminal, and cut what is too long."""
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return safe if width is None or len(safe) <= width else f"{safe[: width - 3]}..."


def without_nan(value: Any) -> Any:
    """JSON has no NaN and no infinity: they become null."""
    if isinstance(value, Mapping):
        return {str(key): without_nan(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [without_nan(item) for item in value]
    if isinstance(value, float) and not abs(value) < float("inf"):
        return None
    return value
