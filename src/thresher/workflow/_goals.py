"""The verdicts of a selection for each of the three goals, from the same evidence."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from thresher.selection import Kind, Path, Selection, Verdict, View

__all__ = ["with_goal"]

#: One column masks another if the other could have earned at least this share of its importance.
LEAST_SHARE = 0.1
#: Reason of a column that the user asked for.
_KEPT = "kept, as asked"


def with_goal(
    selection: Selection,
    goal: str,
    rises: Mapping[str, float] = MappingProxyType({}),
    *,
    max_features: int | None = None,
    limit: Callable[[Selection], Selection] = lambda selection: selection,
) -> Selection:
    """Add a view for each goal to a screening, and show the one that is asked for.

    Parameters
    ----------
    selection : Selection
        The screening: its relevant and redundant columns are proved to matter. Without a path, it
        says nothing of what is enough.
    goal : {"predict", "explain", "all-relevant"}
        Which view becomes the selection; "explain" where there is no path to predict from.
    rises : mapping of str to float
        By how much the loss rises without a column of the chosen set, as a share.
    max_features : int, optional
        Columns at most.
    limit : callable
        Takes the selection of each goal down to that many columns.
    """
    path = selection.path
    shares = _masking_shares(selection.trace)
    explained, explaining = _to_explain(selection)
    read = {
        "explain": explained,
        "all-relevant": tuple(map(_to_find_all, selection.verdicts)),
    }
    proved = [v.name for v in selection.ranked() if v.kind in ("relevant", "redundant")]
    order = {
        "explain": explaining,
        "all-relevant": tuple(sorted(proved, key=lambda name: name not in selection.selected)),
    }
    if path is not None:
        read["predict"] = _to_predict(selection.verdicts, path, rises, shares, max_features)
        order["predict"] = path.columns(path.chosen)
    elif goal == "predict":
        goal = "explain"
    for name, verdicts in read.items():
        limited = limit(replace(selection, selected=order[name], verdicts=verdicts))
        order[name], read[name] = limited.selected, limited.verdicts
    differing = [
        own[0].name
        for own in zip(*read.values(), strict=True)
        if len({(v.kind, v.masked_by, v.reason, v.p_value) for v in own}) > 1
    ]
    views = {
        name: View(order[name], _entries(verdicts, differing)) for name, verdicts in read.items()
    }
    return replace(selection, selected=order[goal], verdicts=read[goal], goal=goal, views=views)


def _entries(verdicts: Sequence[Verdict], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    wanted = set(names)
    return {
        v.name: {
            "kind": v.kind, "masked_by": v.masked_by, "reason": v.reason, "p_value": v.p_value
        }
        for v in verdicts
        if v.name in wanted
    }  # fmt: skip


def _to_explain(selection: Selection) -> tuple[tuple[Verdict, ...], tuple[str, ...]]:
    """Verdicts and selected columns, one for each group of columns that say nearly the same.

    Of the proved columns of a group, the one that the rule of `cluster_variables` puts first stands
    for the others.
    """
    of = {v.name: v for v in selection.verdicts}
    selected = list(selection.selected)
    for cluster in selection.clusters:
        kept = [name for name in selected if name in cluster]
        proved = [name for name in cluster if of[name].kind in ("relevant", "redundant")]
        if not kept or any(of[name].reason == _KEPT for name in kept):
            continue
        first, place = proved[0], selected.index(kept[0])
        selected[place] = first
        selected = [name for k, name in enumerate(selected) if k == place or name not in kept]
        words = of[first].reason if of[first].kind == "relevant" else "matters by itself"
        of[first] = replace(
            of[first], kind="relevant", masked_by=None,
            reason=f"{words}; stands for {len(cluster) - 1} more that say nearly the same",
        )  # fmt: skip
        for name in proved[1:]:
            of[name] = replace(
                of[name], kind="redundant", masked_by=first,
                reason=f"matters by itself, but says nearly the same as {first}",
            )  # fmt: skip
    left = set(selected)
    for name, verdict in of.items():
        if verdict.masked_by is not None and verdict.masked_by not in left:
            of[name] = replace(verdict, masked_by=_stand_in(verdict.masked_by, of, left))
    return tuple(of[v.name] for v in selection.verdicts), tuple(selected)


def _stand_in(name: str, of: Mapping[str, Verdict], selected: set[str]) -> str | None:
    """The column that stands for one that was selected before."""
    masker = of[name].masked_by
    return masker if masker in selected else None


def _to_find_all(verdict: Verdict) -> Verdict:
    """Select redundant columns, too: they are proved to matter."""
    if verdict.kind != "redundant":
        return verdict
    beside = "others" if verdict.masked_by is None else verdict.masked_by
    reason = f"important in round {verdict.step}, though redundant given {beside}"
    return replace(verdict, kind="relevant", masked_by=None, reason=reason)


def _to_predict(
    verdicts: Sequence[Verdict],
    path: Path,
    rises: Mapping[str, float],
    shares: Mapping[tuple[str, str], float],
    max_features: int | None,
) -> tuple[Verdict, ...]:
    chosen = path.columns(path.chosen)
    inside = frozenset(chosen)
    enough = path.point(path.chosen).verdict == "enough"
    rest = _without_others(len(chosen), max_features, enough=enough)
    part = _part_of(path, enough=enough)
    return tuple(
        _member(verdict, rises.get(verdict.name), part)
        if verdict.name in inside
        else _left_out(verdict, chosen, shares, rest)
        for verdict in verdicts
    )


def _member(verdict: Verdict, rise: float | None, part: str) -> Verdict:
    """A column of the chosen set: relevant if it is proved to matter, else supporting."""
    needed = ""
    if rise is not None and rise > 0:
        needed = f"without it the held-out loss rises by {_percent(rise)}"
    why = needed or part
    if verdict.kind == "relevant":
        reason = f"{verdict.reason}; {needed}" if needed else verdict.reason
    elif verdict.kind == "redundant":
        reason = f"matters by itself; {why}"
    else:
        reason = f"not proved by itself, but {why}"
    kind: Kind = "supporting" if verdict.kind == "irrelevant" else "relevant"
    return replace(verdict, kind=kind, masked_by=None, reason=reason)


def _without_others(n_chosen: int, max_features: int | None, *, enough: bool) -> str:
    """Why a column that is proved to matter is left out."""
    if not n_chosen:
        return "no set of columns predicts held-out rows better than none"
    if not enough and max_features is not None:
        return f"left out, since max_features is {max_features}"
    if not enough:
        return "no set that was allowed has a lower held-out loss"
    if n_chosen == 1:
        return "the chosen column is enough without it"
    return f"the {n_chosen} chosen columns are enough without it"


def _left_out(
    verdict: Verdict,
    chosen: Sequence[str],
    shares: Mapping[tuple[str, str], float],
    rest: str,
) -> Verdict:
    """A column outside the chosen set: redundant if it is proved to matter."""
    if verdict.kind == "irrelevant":
        return verdict
    known = {name: shares.get((name, verdict.name), 0.0) for name in chosen}
    masker = max(known, key=lambda name: known[name], default=None)
    if masker is None or known[masker] < LEAST_SHARE:
        reason = f"matters by itself, but {rest}"
        return replace(verdict, kind="redundant", masked_by=None, reason=reason)
    reason = f"redundant given {masker} (masking {known[masker]:.2g}); {rest}"
    return replace(verdict, kind="redundant", masked_by=masker, reason=reason)


def _part_of(path: Path, *, enough: bool) -> str:
    """Why a column is in the chosen set."""
    if not enough and path.chosen == path.points[-1].n_columns:
        return "the rows cannot tell whether fewer columns are enough"
    if not enough:
        return "part of the allowed set with the lowest held-out loss"
    if path.chosen == 1:
        return "it is enough alone"
    return f"one of the {path.chosen} columns that are enough together"


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 1 else f"{100 * share:,.0f} %"


def _masking_shares(trace: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], float]:
    """By (masker, masked): share of the masker's importance that the other could have earned."""
    shares: dict[tuple[str, str], float] = {}
    for record in trace:
        masking = record.get("masking")
        if not masking:
            continue
        names = masking["variables"]
        for masker, row, earned in zip(names, masking["score"], masking["importance"], strict=True):
            if earned > 0:
                shares |= {
                    (masker, other): score / earned
                    for other, score in zip(names, row, strict=True)
                    if other != masker
                }
    return shares
