"""Content that is not as thresher writes it, which a file from anywhere may be."""

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["damage_is_told"]


@contextmanager
def damage_is_told() -> Iterator[None]:
    """Turn what goes wrong with a trace of another shape into one clear complaint."""
    try:
        yield
    except (LookupError, TypeError, AttributeError, ArithmeticError, ValueError) as error:
        told = f"no {error}" if isinstance(error, KeyError) else error
        raise ValueError(
            f"the selection is not as thresher writes it, so that it cannot be shown: {told}"
        ) from error
