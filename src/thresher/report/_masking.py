"""Who can stand in for whom: groups of columns that say the same, and the masking matrix."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._columns import Column
from ._words import as_number

__all__ = ["Cluster", "MaskingMatrix", "StandIn", "summarise_clusters", "summarise_masking"]

#: How the reason of a redundant column ends, where the method measured masking.
_EVIDENCE = re.compile(r"\(masking ([0-9.e+-]+), p = [0-9.e+-]+\)\Z")


@dataclass(frozen=True)
class StandIn:
    """A column like its keeper, and how much of the keeper's contribution it could have made."""

    name: str
    kind: str
    score: float | None
    strength: float | None
    p_value: float | None


@dataclass(frozen=True)
class Cluster:
    """A column with those that it stands for, strongest first."""

    keeper: str
    kind: str
    stand_ins: tuple[StandIn, ...]


@dataclass(frozen=True)
class MaskingMatrix:
    """How much of what the column of a row contributed each other column could have.

    Parameters
    ----------
    names : tuple of str
        The columns, those of a cluster side by side.
    kinds : tuple of str
        Their verdicts.
    share : tuple of tuple of float
        Row by row: of the row's own contribution if ``of_own``, or else of the strongest stand-in
        in the row.
    p_value : tuple of tuple of float or None
        Of no more masking than by contrasts.
    of_own : bool
        Whether the record says what each column contributed.
    level : float
        Below which a p-value counts.
    step : int
        The round.
    n_left_out : int
        Columns in the record that are not shown.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    share: tuple[tuple[float, ...], ...]
    p_value: tuple[tuple[float | None, ...], ...]
    of_own: bool
    level: float
    step: int
    n_left_out: int


def summarise_clusters(
    columns: Sequence[Column], interchangeable: Sequence[Sequence[str]] = ()
) -> tuple[Cluster, ...]:
    """Group columns by who masks them, in the order of the selected columns.

    Groups of ``interchangeable`` columns are added, their representative first.
    """
    column_of = {column.name: column for column in columns}
    groups: dict[str, dict[str, StandIn]] = {
        column.name: {} for column in columns if column.is_selected
    }
    for column in columns:
        if column.kind == "redundant" and column.masked_by is not None:
            told = _EVIDENCE.search(column.reason)
            strength = _float(told[1]) if told else None
            p_value = column.p_value if told else None
            groups.setdefault(column.masked_by, {})[column.name] = StandIn(
                column.name, column.kind, column.score, strength, p_value
            )
    for names in interchangeable:
        keeper = _keeper(names, column_of)
        for name in names:
            own = column_of[name]
            if name != keeper:
                stand_in = StandIn(name, own.kind, own.score, None, None)
                groups.setdefault(keeper, {}).setdefault(name, stand_in)
    return tuple(
        Cluster(
            keeper,
            column_of[keeper].kind if keeper in column_of else "relevant",
            tuple(sorted(members.values(), key=lambda m: -(m.strength or 0.0))),
        )
        for keeper, members in groups.items()
        if members
    )


def _keeper(names: Sequence[str], column_of: Mapping[str, Column]) -> str:
    """The representative, or the first selected column if it is not selected itself."""
    return next((name for name in names if column_of[name].is_selected), names[0])


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def summarise_masking(
    columns: Sequence[Column],
    trace: Sequence[Mapping[str, Any]],
    level: float = 0.05,
    n_columns: int = 40,
    clusters: Sequence[Cluster] = (),
) -> MaskingMatrix | None:
    """The largest matrix of the trace, its columns in the order of their clusters."""
    records = [record for record in trace if len(_variables(record)) > 1]
    if not records:
        return None
    record = max(records, key=lambda record: len(_variables(record)))
    variables, matrix = _variables(record), record["masking"]
    place, kind_of = _cluster_order(columns, clusters)
    order = sorted(range(len(variables)), key=lambda k: place.get(variables[k], len(place)))
    order = order[:n_columns]
    own = matrix.get("importance")
    return MaskingMatrix(
        names=tuple(variables[k] for k in order),
        kinds=tuple(kind_of.get(variables[k], "irrelevant") for k in order),
        share=tuple(_shares(matrix["score"][i], i, order, own) for i in order),
        p_value=tuple(tuple(as_number(matrix["p_value"][i][j]) for j in order) for i in order),
        of_own=own is not None,
        level=level,
        step=record["step"],
        n_left_out=len(variables) - len(order),
    )


def _variables(record: Mapping[str, Any]) -> Sequence[str]:
    variables: Sequence[str] = (record.get("masking") or {}).get("variables", ())
    return variables


def _cluster_order(
    columns: Sequence[Column], clusters: Sequence[Cluster]
) -> tuple[dict[str, int], dict[str, str]]:
    """Each selected column followed by those that it masks, then the rest."""
    names: dict[str, None] = {}
    for cluster in clusters:
        names |= dict.fromkeys([cluster.keeper, *(member.name for member in cluster.stand_ins)])
    names |= dict.fromkeys(column.name for column in columns)
    kinds = {column.name: column.kind for column in columns}
    return {name: k for k, name in enumerate(names)}, kinds


def _shares(
    row: Sequence[Any], own_place: int, order: Sequence[int], own: Sequence[Any] | None
) -> tuple[float, ...]:
    scores = [as_number(row[j]) or 0.0 for j in order]
    others = (as_number(value) or 0.0 for j, value in enumerate(row) if j != own_place)
    whole = max(others, default=0.0) if own is None else as_number(own[own_place]) or 0.0
    return tuple(score / whole if whole > 0 else 0.0 for score in scores)
