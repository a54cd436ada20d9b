"""What may stand in a cell of a result, and how it is written."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np

from thresher.selection import printable

__all__ = ["Cell", "Spread", "cell_of", "plain", "shown"]


@dataclass(frozen=True)
class Spread:
    """A mean over runs, and how far the runs differ.

    Parameters
    ----------
    mean : float
        Over the runs.
    sd : float or None
        Standard deviation of single runs; None if there is only one.
    n : int
        Runs.

    Examples
    --------
    >>> Spread.of([3, 5, 4])
    Spread(mean=4.0, sd=1.0, n=3)
    >>> shown(Spread.of([3, 5, 4]))
    '4 ± 1'
    """

    mean: float
    sd: float | None
    n: int

    @classmethod
    def of(cls, values: Iterable[float]) -> "Spread":
        """Return mean and standard deviation of the values, one for each run."""
        found = np.asarray(list(values), dtype=np.float64)
        sd = float(found.std(ddof=1)) if len(found) > 1 else None
        if sd is not None and np.ptp(found) == 0:
            sd = 0.0  # and not the last digits that rounding leaves
        return cls(float(found.mean()), sd, len(found))


Cell: TypeAlias = str | int | float | bool | Spread | None


def shown(cell: Cell) -> str:
    """Return a cell as text for people."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, Spread):
        return _number(cell.mean) + ("" if cell.sd is None else f" ± {_number(cell.sd, 2)}")
    return _number(cell) if isinstance(cell, float) else printable(str(cell))


def _number(value: float | None, digits: int = 4) -> str:
    if value is None:  # as JSON has what is no number
        return ""
    # 18496 is easier to read than 1.85e+04, and 100 than 1e+02
    whole = 10**digits - 0.5 <= abs(value) < 1e7
    return f"{value:.0f}" if whole else f"{value:.{digits}g}"


def plain(cell: Cell) -> Any:
    """Return a cell as JSON has it."""
    return asdict(cell) if isinstance(cell, Spread) else cell


def cell_of(value: Any) -> Cell:
    """Return the cell that `plain` was given."""
    return Spread(**value) if isinstance(value, dict) else value
