"""Several stages, one selection."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from thresher.selection import Cost, Selection, Verdict

__all__ = ["capped", "ending_of", "joined"]

#: The ending of the whole is the worst one of its stages.
_ENDINGS = ("running", "interrupted", "stopped", "budget", "complete")


def joined(
    stages: Mapping[str, Selection], learner: str, max_features: int | None = None
) -> Selection:
    """Join a screening of all columns and what refined the columns it selected.

    A column that matters, but that the learner does not miss, is redundant.

    Parameters
    ----------
    stages : mapping of str to Selection
        In their order; each looked at the columns that the one before had selected.
    learner : str
        For whom the later stages were made.
    max_features : int, optional
        The reason for a stage called "reduction".
    """
    screened, *later = stages.values()
    if not later:
        return screened
    last_word = {v.name: (stage, v) for stage, own in stages.items() for v in own.verdicts}
    limit = f", since max_features is {max_features}" if max_features else ""
    selected = later[-1].selected
    verdicts = tuple(
        _both(v, *last_word[v.name], f"for {learner}", limit) for v in screened.verdicts
    )
    costs = [own.cost for own in stages.values()]
    return replace(
        screened,
        selected=selected,
        verdicts=_with_maskers(verdicts, selected),
        trace=tuple(
            {"stage": name, **record} for name, own in stages.items() for record in own.trace
        ),
        cost=Cost(
            sum(cost.evaluations for cost in costs),
            sum(cost.losses for cost in costs),
            sum(cost.seconds for cost in costs),
        ),
        method=", then ".join(own.method for own in stages.values()),
        settings={
            **{key: value for own in stages.values() for key, value in _prefixed(own).items()},
            "ending": min(map(ending_of, stages.values()), key=_ENDINGS.index),
        },
        failures=tuple(failure for own in stages.values() for failure in own.failures),
    )


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
        Columns that stand or fall together.
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
        if verdict.kind == "relevant" and verdict.name not in stay
        else verdict
        for verdict in selection.verdicts
    )
    return replace(selection, selected=chosen, verdicts=_with_maskers(verdicts, chosen))


def _both(first: Verdict, stage: str, second: Verdict, learner: str, limit: str) -> Verdict:
    """What the screening said, and the last word of those that refined it."""
    if stage == "screening" or first.reason == second.reason:  # kept, as asked
        return first
    if second.kind == "relevant":
        return replace(first, reason=f"{first.reason}; {learner} {second.reason}")
    reason = f"{first.reason}; {learner} {second.reason}"
    if stage == "reduction":
        reason = f"{first.reason}; left out {learner}{limit}: {second.reason}"
    return replace(first, kind="redundant", reason=reason)


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


def _prefixed(selection: Selection) -> Mapping[str, Any]:
    return {f"{selection.method}.{name}": value for name, value in selection.settings.items()}
