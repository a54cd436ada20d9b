"""Another set of the path, with the verdicts that go with it."""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from ._path import Path
from ._verdict import Verdict
from ._view import View, with_view

if TYPE_CHECKING:
    from ._selection import Selection

__all__ = ["at"]

#: The estimated rise may be no more than this part of the tolerance; as in `thresher.stats`.
ESTIMATED = 0.5
_LEFT_OUT = "left out at "
#: Reason of a column that the user asked for; reports recognise it.
_KEPT = "kept, as asked"


def at(selection: "Selection", n_features: Any, tolerance: Any) -> dict[str, Any]:
    """Return the fields of a selection that change with another set of the path."""
    if (n_features is None) == (tolerance is None):
        raise ValueError("give exactly one of n_features and tolerance")
    path = selection.path
    if path is None:
        raise ValueError(
            "this selection has no path of sets to choose from: "
            "thresher.select(X, y, goal='predict') leaves one"
        )
    if n_features is not None:
        size = _nearest_size(path, n_features, len(selection.verdicts))
    else:
        size = _smallest_within(path, tolerance)
    selected = path.columns(size)
    verdicts = _verdicts_at(selection, selected)
    return {
        "selected": selected,
        "verdicts": verdicts,
        "path": replace(path, chosen=size),
        "views": _views_that_restore(selection, verdicts),
        "goal": "predict" if selection.goal else "",
    }


def _nearest_size(path: Path, n_features: Any, n_all: int) -> int:
    is_whole = isinstance(n_features, Integral) and not isinstance(n_features, bool)
    if not is_whole or int(n_features) < 1:
        raise ValueError(f"n_features must be a whole number of at least 1; got {n_features!r}")
    wanted = int(n_features)
    if wanted > n_all:
        raise ValueError(f"n_features must be at most {n_all}, the number of columns; got {wanted}")
    # the empty set does not answer a request for columns, unless it is the only set
    sizes = [point.n_columns for point in path.points if point.n_columns] or [0]
    nearest = min(sizes, key=lambda size: (abs(size - wanted), -size))
    if nearest != wanted:
        _warn(f"n_features={wanted} was not tried; the nearest size that was is {nearest}")
    return nearest


def _smallest_within(path: Path, tolerance: Any) -> int:
    is_number = isinstance(tolerance, Real) and not isinstance(tolerance, bool)
    if not is_number or not 0 <= tolerance <= 1:  # which NaN is not, either
        raise ValueError(f"tolerance must be a number from 0 to 1; got {tolerance!r}")
    within = [
        point.n_columns
        for point in path.points
        if point.at_most <= tolerance and point.estimate <= ESTIMATED * tolerance
    ]
    if within:
        return within[0]
    _warn(
        f"tolerance={tolerance:g}: the rows cannot show for any set that it is within it; "
        "the largest set is taken"
    )
    return path.points[-1].n_columns


def _warn(message: str) -> None:
    # 5 levels up is the caller of `Selection.at`
    warnings.warn(message, UserWarning, stacklevel=5)


def _verdicts_at(selection: "Selection", selected: tuple[str, ...]) -> tuple[Verdict, ...]:
    """Verdicts for a set: a column is proved or not as before, and in the set or not."""
    # the result must not depend on the goal, nor on sets that were taken before
    made = _verdicts_for(selection, "predict")
    proved = {v.name for v in made if v.kind == "relevant"}
    if "all-relevant" in selection.views:
        everything = _verdicts_for(selection, "all-relevant")
        proved = {v.name for v in everything if v.kind == "relevant"}
    kept = frozenset(selected)
    representative = _representatives(selection.clusters, kept)
    verdicts = []
    for verdict in made:
        if verdict.name in kept:
            verdicts.append(_member(verdict, len(selected), is_proved=verdict.name in proved))
            continue
        masked_by = verdict.masked_by if verdict.masked_by in kept else None
        own = replace(verdict, masked_by=masked_by or representative.get(verdict.name))
        if verdict.is_selected or verdict.reason.startswith(_LEFT_OUT):
            own = replace(own, reason=f"{_LEFT_OUT}{_columns(len(selected))}")
        is_redundant = verdict.name in proved or verdict.kind in ("relevant", "redundant")
        own = replace(own, kind="redundant" if is_redundant else "irrelevant")
        verdicts.append(own if is_redundant else replace(own, masked_by=None))
    return tuple(verdicts)


def _verdicts_for(selection: "Selection", goal: str) -> tuple[Verdict, ...]:
    view = selection.views.get(goal)
    return selection.verdicts if view is None else with_view(selection.verdicts, view)


def _member(verdict: Verdict, n_columns: int, *, is_proved: bool) -> Verdict:
    reason = f"among the {_columns(n_columns)} of the path asked for"
    return replace(
        verdict,
        kind="relevant" if is_proved else "supporting",
        masked_by=None,
        reason=verdict.reason if verdict.reason == _KEPT else reason,
    )


def _representatives(
    clusters: tuple[tuple[str, ...], ...], kept: frozenset[str]
) -> Mapping[str, str]:
    """For each member of a cluster, the first member of it that is kept."""
    found = {}
    for cluster in clusters:
        first = next((name for name in cluster if name in kept), None)
        if first is not None:
            found.update(dict.fromkeys(cluster, first))
    return found


def _columns(number: int) -> str:
    return f"{number} column{'' if number == 1 else 's'}"


def _views_that_restore(
    selection: "Selection", verdicts: tuple[Verdict, ...]
) -> Mapping[str, View]:
    """Add the verdicts that the new set changes to each view, so that a view restores them."""
    changed = {
        before.name: {
            "kind": before.kind,
            "masked_by": before.masked_by,
            "reason": before.reason,
        }
        for before, after in zip(selection.verdicts, verdicts, strict=True)
        if before != after
    }
    return {
        goal: replace(view, verdicts={**changed, **view.verdicts})
        for goal, view in selection.views.items()
    }
