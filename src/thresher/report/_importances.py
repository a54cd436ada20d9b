"""How much each column matters, and against what: the bars of the importance chart."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from ._columns import Column
from ._words import as_number

__all__ = ["Bar", "Importances", "in_threshold_units", "summarise_importances"]


@dataclass(frozen=True)
class Bar:
    """The importance of one column, with its range over replicates where the trace has it."""

    name: str
    kind: str
    score: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Importances:
    """Scores of the columns that matter most, highest first.

    Parameters
    ----------
    bars : tuple of Bar
        The selected columns and the best of the others.
    threshold : float or None
        What a score has to exceed: 1 where scores are in units of the threshold that contrasts
        set, None where the method has no such threshold.
    contrasts : tuple of float
        The best contrast of each replicate of the first round, in the same units.
    n_replicates : int
        Over how many the ranges are taken.
    n_left_out : int
        Columns with a score that are not among the bars.
    """

    bars: tuple[Bar, ...]
    threshold: float | None
    contrasts: tuple[float, ...]
    n_replicates: int
    n_left_out: int


def summarise_importances(
    columns: Sequence[Column], trace: Sequence[Mapping[str, Any]], n_columns: int = 30
) -> Importances | None:
    """Pick the columns to show; None if fewer than two have a score."""
    scored = [column for column in columns if column.score is not None]
    if len(scored) < 2:
        return None
    chosen = _most_important(scored, n_columns)
    tested = in_threshold_units(columns, trace)
    rounds = _rounds(trace) if tested else {}
    bars = tuple(_bar(column, rounds) for column in chosen)
    first = rounds[min(rounds)] if rounds else {}
    return Importances(
        bars=bars,
        threshold=1.0 if tested else None,
        contrasts=tuple(_in_units(first.get("contrast_maxima", ()), first)),
        n_replicates=len(first.get("contrast_maxima", ())),
        n_left_out=len(scored) - len(bars),
    )


def in_threshold_units(columns: Iterable[Column], trace: Sequence[Mapping[str, Any]]) -> bool:
    """Are the scores of the verdicts multiples of the contrasts' threshold?

    They are where the trace says the same: mean score over replicates divided by the threshold.
    The records of another stage may have given the verdicts other scores.
    """
    rounds = _rounds(trace)
    checked = 0
    for column in columns:
        record = rounds.get(column.step, {})
        if column.score is None or column.name not in record.get("scores", {}):
            continue
        expected = fmean(_in_units(record["scores"][column.name], record))
        if not math.isclose(expected, column.score, rel_tol=1e-3, abs_tol=1e-6):
            return False
        checked += 1
    return checked > 0


def _rounds(trace: Sequence[Mapping[str, Any]]) -> dict[Any, Mapping[str, Any]]:
    """Records with contrasts by step."""
    return {
        record["step"]: record
        for record in trace
        if record.get("scores") and (as_number(record.get("threshold")) or 0) > 0
    }


def _in_units(values: Iterable[Any], record: Mapping[str, Any]) -> list[float]:
    numbers = [as_number(value) for value in values]
    return [number / record["threshold"] for number in numbers if number is not None]


def _most_important(scored: Sequence[Column], n_columns: int) -> list[Column]:
    """All selected columns, if there is room, and the best of the others, by score."""
    selected = [column for column in scored if column.is_selected]
    others = [column for column in scored if not column.is_selected]
    room = max(n_columns - len(selected), n_columns // 3)
    chosen = selected[: n_columns - min(room, len(others))] + others[:room]
    return sorted(chosen, key=lambda column: -(column.score or 0.0))


def _bar(column: Column, rounds: Mapping[Any, Mapping[str, Any]]) -> Bar:
    record = rounds.get(column.step, {})
    replicates = record.get("scores", {}).get(column.name, ())
    spread = _in_units(replicates, record) if replicates else []
    return Bar(
        name=column.name,
        kind=column.kind,
        score=column.score or 0.0,
        low=min(spread, default=None),
        high=max(spread, default=None),
    )
