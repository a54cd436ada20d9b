"""Columns that stand or fall together, and columns that always stay."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np

from ._columns import Columns, is_frame

__all__ = ["FeatureGroups", "with_groups"]

Column = str | int
FeatureGroups = Mapping[str, Sequence[Column]] | Sequence[Sequence[Column]]


def with_groups(
    columns: Columns,
    feature_groups: FeatureGroups | None = None,
    keep: Iterable[Column] = (),
) -> Columns:
    """Join columns into variables, and mark those that every subset must hold.

    Parameters
    ----------
    columns : Columns
        As `read_columns` returns them.
    feature_groups : mapping of name to columns, or sequence of sequences of columns, optional
        Columns are given by name or position. A column in no group is a variable of its own.
    keep : iterable of columns
        Columns that are always kept, with the rest of their group.

    Examples
    --------
    >>> from thresher.columns import read_columns
    >>> columns = read_columns([[1, 0, 1], [2, 1, 0]], names=["age", "red", "blue"])
    >>> grouped = with_groups(columns, {"colour": ["red", "blue"]}, keep=["age"])
    >>> grouped.variable_names, sorted(grouped.required)
    (('age', 'colour'), [0])
    """
    nothing_asked = feature_groups is None and isinstance(keep, (tuple, list)) and not keep
    if nothing_asked and columns.variable_names == columns.names and not columns.required:
        return columns
    position = _Positions(columns)
    group_of: dict[int, str] = {}
    for name, members in _named(feature_groups):
        if not members:
            raise ValueError(f"feature_groups: the group {name!r} names no column")
        for member in members:
            p = position(member, f"feature_groups: the group {name!r}")
            if group_of.setdefault(p, name) != name:
                raise ValueError(
                    f"feature_groups: column {columns.names[p]!r} is in two groups, "
                    f"{group_of[p]!r} and {name!r}"
                )
    members_of: dict[tuple[str, str], list[int]] = {}
    for p, column_name in enumerate(columns.names):
        key = ("group", group_of[p]) if p in group_of else ("column", column_name)
        members_of.setdefault(key, []).append(p)
    variable_of = {p: v for v, group in enumerate(members_of.values()) for p in group}
    if isinstance(keep, str) or not isinstance(keep, Iterable):
        raise ValueError(f"keep must be a list of columns; got {keep!r}")
    return replace(
        columns,
        variables=tuple(np.array(group, dtype=np.intp) for group in members_of.values()),
        variable_names=tuple(name for _, name in members_of),
        required=frozenset(variable_of[position(c, "keep")] for c in keep),
    )


def _named(feature_groups: Any) -> list[tuple[str, Sequence[Column]]]:
    if feature_groups is None:
        return []
    if isinstance(feature_groups, Mapping):
        pairs = [(str(name), members) for name, members in feature_groups.items()]
    elif isinstance(feature_groups, str) or not isinstance(feature_groups, Iterable):
        raise ValueError(f"feature_groups must map names to columns; got {feature_groups!r}")
    else:
        pairs = [(f"group {g}", members) for g, members in enumerate(feature_groups)]
    for name, members in pairs:
        if isinstance(members, str) or not isinstance(members, Iterable):
            raise ValueError(
                f"feature_groups: the group {name!r} must be a list of columns; got {members!r}"
            )
    return [(name, list(members)) for name, members in pairs]


class _Positions:
    """Finds columns by name or position."""

    def __init__(self, columns: Columns):
        self._n_columns = columns.n_columns
        self._of_name: dict[str | int, int] = {name: p for p, name in enumerate(columns.names)}
        labels = columns.frame.columns if is_frame(columns.table) else []
        #: whole numbers that are names of columns, so that numbers cannot mean positions
        self._named_by_number = any(not isinstance(label, str) for label in labels)
        if self._named_by_number:
            self._of_name |= {label: p for p, label in enumerate(labels)}

    def __call__(self, column: Any, where: str) -> int:
        if isinstance(column, (bool, np.bool_)) or not isinstance(column, (str, Integral)):
            raise ValueError(f"{where} must hold names or positions of columns; got {column!r}")
        key = column if isinstance(column, str) else int(column)
        if key in self._of_name:
            return self._of_name[key]
        if isinstance(key, str) or self._named_by_number:
            raise ValueError(f"{where} names {key!r}, which is not a column of the table")
        if not 0 <= key < self._n_columns:
            raise ValueError(f"{where} names position {key}; there are {self._n_columns} columns")
        return key
