"""Content that is not as thresher writes it, which a file from anywhere may be."""

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["damage_is_told"]

_SIGNS: tuple[type[Exception], ...] = (
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    ValueError,
)


@contextmanager
def damage_is_told(*more: type[Exception]) -> Iterator[None]:
    """Turn what goes wrong with a trace of another shape into one clear complaint.

    ``more`` are errors by which other libraries say the same.
    """
    try:
        yield
    except _SIGNS + more as error:
        told = f"no {error}" if isinstance(error, KeyError) else error
        raise ValueError(
            f"the selection is not as thresher writes it, so that it cannot be shown: {told}"
        ) from error
