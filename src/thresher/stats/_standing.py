"""What a rule says about the candidates of a race."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Standing", "check_levels", "level_of_look"]


@dataclass(frozen=True, eq=False)
class Standing:
    """Who stays in a race, and why.

    Parameters
    ----------
    leader : int
        The candidate the others were compared with.
    stays : bool array of shape (n_candidates,)
        Who is still in.
    p_values : array of shape (n_candidates,)
        How credible it is that a candidate beats the leader by more than gamma; those below the
        level leave. The leader's is 1.
    p_value : float, optional
        Of a test of all candidates at once, where a rule begins with one.
    """

    leader: int
    stays: NDArray[np.bool_]
    p_values: NDArray[np.float64]
    p_value: float | None = None


def check_levels(delta: float, gamma: float) -> None:
    """Refuse levels that mean nothing.

    Examples
    --------
    >>> check_levels(0.0, 0.001)
    Traceback (most recent call last):
    ...
    ValueError: delta must lie between 0 and 1; got 0.0
    """
    if not _is_number(delta) or not 0 < delta < 1:
        raise ValueError(f"delta must lie between 0 and 1; got {delta!r}")
    if not _is_number(gamma) or not 0 <= gamma < np.inf:
        raise ValueError(f"gamma must be a finite number that is not negative; got {gamma!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def level_of_look(delta: float, look: int, n_candidates: int) -> float:
    """Level of one comparison, if all looks at all candidates together may err with ``delta``.

    Look number 1, 2, ... gets the share 1 / (look (look + 1)), and these add up to 1 however long
    the race goes on; the candidates other than the best share it evenly.

    Examples
    --------
    >>> level_of_look(0.06, look=1, n_candidates=4), level_of_look(0.06, look=2, n_candidates=4)
    (0.01, 0.0033333333333333335)
    """
    return delta / (look * (look + 1)) / max(1, n_candidates - 1)


def leave_below(p_values: NDArray[np.float64], leader: int, delta: float) -> Standing:
    """Let everyone go whose p-value is below the level, but not the leader."""
    p_values[leader] = 1.0
    return Standing(leader, p_values >= delta, p_values)
