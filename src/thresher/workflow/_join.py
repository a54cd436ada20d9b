"""No more columns than asked for, and how a selection ended."""

import warnings
from collections.abc import Sequence
from dataclasses import replace

from thresher.selection import Selection, Verdict

__all__ = ["capped", "ending_of"]


def ending_of(selection: Selection) -> str:
    """How a selection came to its end."""
    return str(selection.settings.get("ending", "complete"))


def capped(
    selection: Selection,
    max_features: int,
    variables: Sequence[Sequence[str]],
    keep: Sequence[str] = (),
) -> Selection:
    """Keep the best columns, no more than ``max_features``; groups stay whole.

    Parameters
    ----------
    selection : Selection
        Whose order of the selected columns counts.
    max_features : int
        How many columns may stay.
    variables : sequence of sequences of str
        Columns that are kept or dropped as a group.
    keep : sequence of str
        Columns that stay in any case.
    """
    if len(selection.selected) <= max_features:
        return selection
    group_of = {name: tuple(group) for group in variables for name in group}
    stay: list[str] = []
    for name in sorted(selection.selected, key=lambda name: name not in keep):
        group = group_of[name]
        if name not in stay and len(stay) + len(group) <= max_features:
            stay += group
    chosen = tuple(name for name in selection.selected if name in stay)
    if not chosen:
        first = group_of[selection.selected[0]]
        warnings.warn(
            f"nothing is selected: max_features={max_features} has no room for the group of "
            f"{len(first)} columns that {selection.selected[0]!r} belongs to",
            UserWarning,
            stacklevel=2,
        )
    verdicts = tuple(
        _left_out(verdict, max_features)
        if verdict.is_selected and verdict.name not in stay
        else verdict
        for verdict in selection.verdicts
    )
    return replace(selection, selected=chosen, verdicts=_with_maskers(verdicts, chosen))


def _left_out(verdict: Verdict, max_features: int) -> Verdict:
    reason = f"{verdict.reason}; left out, since max_features is {max_features}"
    return replace(verdict, kind="redundant", reason=reason)


def _with_maskers(verdicts: tuple[Verdict, ...], selected: Sequence[str]) -> tuple[Verdict, ...]:
    """Who masks a column must be selected; if it was left out in turn, whoever masks that."""
    masker_of = {v.name: v.masked_by for v in verdicts}
    stay = set(selected)
    mended = []
    for verdict in verdicts:
        first = masker = verdict.masked_by
        seen = {verdict.name}
        while masker is not None and masker not in stay:
            seen.add(masker)
            masker = masker_of.get(masker)
            masker = None if masker in seen else masker
        if first != masker:
            reason = f"{verdict.reason}; {first} was left out in turn"
            verdict = replace(verdict, masked_by=masker, reason=reason)  # noqa: PLW2901
        mended.append(verdict)
    return tuple(mended)
