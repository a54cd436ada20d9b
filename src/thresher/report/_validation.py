"""Losses on rows that the selection has not seen, and what they say about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._words import as_number, counted, figure, loss_words

__all__ = ["Difference", "Measured", "ValidationSummary", "summarise_validation"]

#: In the order of the chart.
_CHOICES = {
    "selected": "selected columns",
    "all": "all columns",
    "random": "as many at random",
    "none": "none (chance)",
}
_AGAINST = {"all": "all columns", "random": "as many columns drawn at random", "none": "chance"}
_BRIEFLY = {"all": "all columns", "random": "as many at random", "none": "chance"}


@dataclass(frozen=True)
class Measured:
    """The loss with one choice of columns: mean and interval."""

    key: str
    label: str
    n_columns: float | None
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Difference:
    """Loss with the selected columns minus that with another choice, and what it means."""

    key: str
    label: str
    mean: float
    low: float
    high: float
    words: str

    @property
    def outcome(self) -> str:
        """Who wins: "better", "worse", or "alike" if the interval holds zero."""
        if self.high < 0:
            return "better"
        return "worse" if self.low > 0 else "alike"


@dataclass(frozen=True)
class ValidationSummary:
    """What the chart and the sentences of the validation need."""

    losses: tuple[Measured, ...]
    differences: tuple[Difference, ...]
    loss: str
    learner: str
    n_folds: int
    n_rows: int
    confidence: float
    seconds: float

    @property
    def headline(self) -> str:
        """The comparisons in one sentence."""
        told = [difference.words.partition(":")[0] for difference in self.differences]
        return f"on rows not used for the selection: {'; '.join(told)}"


def summarise_validation(content: Mapping[str, Any]) -> ValidationSummary | None:
    """Read the validation, if there is one."""
    found = content.get("validation")
    if not found:
        return None
    losses = []
    for key, label in _CHOICES.items():
        bounds = _interval(found["losses"].get(key))
        if bounds:
            losses.append(Measured(key, label, as_number(found["n_columns"].get(key)), *bounds))
    differences = []
    for key, label in _BRIEFLY.items():
        bounds = _interval(found["differences"].get(key))
        if bounds:
            words = _words(key, bounds, found["n_rows"])
            differences.append(Difference(key, label, *bounds, words))
    if not losses:
        return None
    return ValidationSummary(
        losses=tuple(losses),
        differences=tuple(differences),
        loss=loss_words(found["loss"]),
        learner=found["learner"],
        n_folds=found["n_folds"],
        n_rows=found["n_rows"],
        confidence=as_number(found.get("confidence")) or 0.95,
        seconds=as_number(found.get("seconds")) or 0.0,
    )


def _interval(content: Mapping[str, Any] | None) -> tuple[float, float, float] | None:
    """Mean, low and high; bounds that are not known are those of the mean."""
    mean = as_number((content or {}).get("mean"))
    if content is None or mean is None:
        return None
    low, high = as_number(content.get("low")), as_number(content.get("high"))
    return mean, mean if low is None else low, mean if high is None else high


def _words(key: str, bounds: tuple[float, float, float], n_rows: int) -> str:
    mean, low, high = bounds
    against = _AGAINST[key]
    told = f"difference {figure(mean)} ({figure(low)} to {figure(high)})"
    if high < 0:
        return f"better than {against}: {told}"
    if low > 0:
        return f"worse than {against}: {told}"
    if key == "all":
        return f"no worse than {against}, as far as {counted(n_rows, 'row')} can tell: {told}"
    return f"not clearly better than {against}: {told}"
