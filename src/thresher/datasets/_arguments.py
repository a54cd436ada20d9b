"""Checks of generator parameters; each message says the name, what was expected and found."""

import operator
from typing import Any, TypeAlias

import numpy as np

__all__ = ["Seed", "check_choice", "check_count", "check_random_state", "check_real"]

Seed: TypeAlias = int | np.random.Generator | None


def check_count(name: str, value: Any, minimum: int, maximum: int | None = None) -> int:
    """Return ``value`` as an int between ``minimum`` and ``maximum``, both allowed."""
    wanted = f"at least {minimum}" if maximum is None else f"from {minimum} to {maximum}"
    message = f"{name} must be an integer {wanted}, got {value!r}"
    # True and False are integers to Python, but never a count that somebody meant.
    if isinstance(value, bool | np.bool_):
        raise ValueError(message)
    try:
        count = operator.index(value)
    except TypeError:
        raise ValueError(message) from None
    if count < minimum or (maximum is not None and count > maximum):
        raise ValueError(message)
    return count


def check_real(name: str, value: Any, minimum: float, maximum: float = np.inf) -> float:
    """Return ``value`` as a finite float between ``minimum`` and ``maximum``, both allowed."""
    wanted = f"at least {minimum:g}" if maximum == np.inf else f"from {minimum:g} to {maximum:g}"
    message = f"{name} must be a finite number {wanted}, got {value!r}"
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ValueError(message) from None
    if not np.isfinite(number) or not minimum <= number <= maximum:
        raise ValueError(message)
    return number


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Raise unless ``value`` is one of ``choices``."""
    if value not in choices:
        listed = ", ".join(map(repr, choices))
        raise ValueError(f"{name} must be one of {listed}, got {value!r}")


def check_random_state(random_state: Seed) -> np.random.Generator:
    """Return the numpy generator that ``random_state`` stands for."""
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise ValueError(
            "random_state must be None, a non-negative integer or a numpy.random.Generator, "
            f"got {random_state!r}"
        ) from None
