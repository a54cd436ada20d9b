"""Axes: from values to percent of the width or height of a chart, with round tick marks."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from ._words import figure

__all__ = ["Scale", "Tick", "count_scale", "linear_scale", "ratio_scale"]


@dataclass(frozen=True)
class Tick:
    """A mark on an axis, at so many percent; the label of a minor one may go if room is short."""

    at: float
    label: str
    minor: bool = False


@dataclass(frozen=True)
class Scale:
    """An axis from ``low`` to ``high``, linear, or logarithmic after adding ``shift``."""

    low: float
    high: float
    marks: tuple[float, ...]
    log: bool = False
    shift: float = 0.0

    def at(self, value: float) -> float:
        """Where a value lies, in percent; values beyond the ends lie at the ends."""
        low, high, own = (self._place(v) for v in (self.low, self.high, self._inside(value)))
        return round(100 * (own - low) / (high - low), 2)

    def ticks(self) -> tuple[Tick, ...]:
        """The marks with their labels."""
        thin = len(self.marks) > (5 if self.log else 3)
        return tuple(
            Tick(self.at(mark), figure(mark), thin and not self._is_major(mark))
            for mark in self.marks
        )

    def _is_major(self, mark: float) -> bool:
        if self.log:
            return mark <= 0 or round(math.log10(mark), 9).is_integer()
        return round(mark / self._step()) % 2 == 0

    def _step(self) -> float:
        return self.marks[1] - self.marks[0] if len(self.marks) > 1 else 1.0

    def _inside(self, value: float) -> float:
        return min(max(value, self.low), self.high)

    def _place(self, value: float) -> float:
        return math.log(value + self.shift) if self.log else value


def linear_scale(values: Iterable[float], *, zero: bool = False, n_marks: int = 5) -> Scale:
    """An axis that ends at round numbers and holds all values, and zero if asked."""
    inside = [*values, *([0.0] if zero else [])]
    low, high = min(inside), max(inside)
    if high - low <= 1e-12 * max(abs(low), abs(high), 1e-300):
        width = abs(high) if abs(high) > 1e-300 else 1.0
        low, high = low - width / 2, high + width / 2
    step = _round_step((high - low) / n_marks)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    marks = tuple(k * step for k in range(first, last + 1))
    return Scale(marks[0], marks[-1], marks)


def ratio_scale(values: Iterable[float], lowest: float = 0.1) -> Scale:
    """A logarithmic axis around 1, from ``lowest`` if any value is below 1."""
    inside = list(values)
    low = lowest if min(inside) < 1 else 0.5
    high = max(2.0, *inside)
    marks = [m * 10.0**e for e in range(-1, math.ceil(math.log10(high)) + 1) for m in (1, 2, 5)]
    wide = high / low > 300
    shown = [m for m in marks if low <= m and (not wide or math.log10(m).is_integer())]
    end = next((m for m in shown if m >= high), high)
    end = min(end, high * 1.15)
    return Scale(low, end, tuple(m for m in shown if m <= end), log=True)


def count_scale(counts: Iterable[int], *, widest_ratio: float = math.inf) -> Scale:
    """An axis for numbers of columns, logarithmic where they range from few to hundreds.

    So is one where the largest is more than ``widest_ratio`` times the smallest.
    """
    inside = list(counts)
    low, high = min(inside), max(inside)
    if high - low < 100 and high + 1 <= widest_ratio * (low + 1):
        step = max(1, round(_round_step(max(high - low, 1) / 6)))
        marks = [m for m in range(low - low % step, high + 1, step) if m >= low]
        return Scale(low, max(high, low + 1), tuple(float(m) for m in marks))
    steps = (1, 3) if high >= 100 else (1, 2, 5)
    powers = [0, *(m * 10**e for e in range(8) for m in steps)]
    inner = [float(m) for m in powers if low <= m <= high]
    return Scale(low, high, tuple(inner), log=True, shift=1.0)


def _round_step(width: float) -> float:
    """The next of 1, 2, 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(width))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= width * (1 - 1e-9))
