"""From the rounds of ACE to verdicts, alternatives and a trace."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.ace import Iteration, Masking
from thresher.columns import Columns
from thresher.selection import Verdict

__all__ = ["Account", "account_rounds", "rank_columns"]

#: Variables whose scores in each replicate go into the trace: all that matter, and the best others.
_TRACED = 50
#: Larger masking matrices are kept in ``iterations_`` only.
_LARGEST_MATRIX = 200


@dataclass(frozen=True)
class Account:
    """What the rounds come to."""

    selected: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    trace: tuple[dict[str, Any], ...]
    alternatives: dict[str, tuple[str, ...]]


def account_rounds(table: Columns, columns: Columns, rounds: Sequence[Iteration]) -> Account:
    """Write down a verdict for each column of the table, constant ones included."""
    kept = rounds[-1].kept
    masked_by = _maskers(rounds)
    decided = {v: _deciding_round(v, rounds) for v in range(columns.n_variables)}
    verdict_of: dict[str, Verdict] = {}
    for variable, members in enumerate(columns.variables):
        for p in members.tolist():
            verdict_of[columns.names[p]] = _verdict(
                columns.names[p], variable, columns, rounds, decided[variable], masked_by
            )
    best_first = sorted(kept, key=lambda v: (decided[v].number, -decided[v].test.statistic[v], v))
    alternatives = {
        columns.names[p]: tuple(
            columns.names[q]
            for v in sorted(masked_by)
            if masked_by[v] == keeper
            for q in columns.variables[v].tolist()
        )
        for keeper in best_first
        for p in columns.variables[keeper].tolist()
    }
    return Account(
        selected=tuple(columns.names[p] for v in best_first for p in columns.variables[v]),
        verdicts=tuple(
            verdict_of.get(name, Verdict(name, "irrelevant", reason="constant"))
            for name in table.names
        ),
        trace=tuple(_record(own, columns) for own in rounds),
        alternatives=alternatives,
    )


def rank_columns(verdicts: Sequence[Verdict]) -> NDArray[np.intp]:
    """1 for relevant columns, then redundant, then irrelevant ones, each by score."""
    place = {"redundant": 0, "irrelevant": 1}
    dropped = [k for k, v in enumerate(verdicts) if v.kind != "relevant"]
    dropped.sort(key=lambda k: (place[verdicts[k].kind], -(verdicts[k].score or 0.0), k))
    ranks = np.ones(len(verdicts), dtype=np.intp)
    ranks[dropped] = np.arange(2, len(dropped) + 2)
    return ranks


def _maskers(rounds: Sequence[Iteration]) -> dict[int, int]:
    """The variable that finally stands for each one dropped."""
    latest: dict[int, int] = {}
    for own in rounds:
        for v in own.kept:
            latest.pop(v, None)
        if own.elimination is not None and own.accepted:
            latest.update(own.elimination.masked_by)
    kept = set(rounds[-1].kept)
    resolved = {}
    for v, first in latest.items():
        masker, seen = first, {v}
        while masker not in kept and masker in latest and masker not in seen:
            seen.add(masker)
            masker = latest[masker]
        resolved[v] = masker
    return {v: masker for v, masker in resolved.items() if v not in kept}


def _deciding_round(variable: int, rounds: Sequence[Iteration]) -> Iteration:
    """The round that found the variable, or else that came nearest to."""
    for own in rounds:
        if variable in own.found:
            return own
    return min(rounds, key=lambda own: (own.test.p_value[variable], own.number))


def _verdict(
    name: str,
    variable: int,
    columns: Columns,
    rounds: Sequence[Iteration],
    own: Iteration,
    masked_by: dict[int, int],
) -> Verdict:
    p_value = _p_value(variable, own)
    threshold = own.test.threshold
    score = float(own.test.statistic[variable] / threshold) if threshold > 0 else 0.0
    times = f"{score:.3g} times the threshold of the contrasts"
    if variable in rounds[-1].kept:
        if variable in columns.required:
            return Verdict(name, "relevant", score, p_value, reason="kept, as asked")
        found = f"found in round {own.number}{_curtailed(own, 'after')}"
        reason = f"{found}: {_together(variable, own, columns) or times}"
        return Verdict(name, "relevant", score, p_value, step=own.number, reason=reason)
    if variable in masked_by:
        masker = masked_by[variable]
        label = columns.names[columns.variables[masker][0]]
        masking = _masking_between(masker, variable, rounds)
        evidence = "" if masking is None else f" (masking {masking[0]:.2g}, p = {masking[1]:.2g})"
        return Verdict(
            name, "redundant", score, p_value, label, own.number,
            f"important in round {own.number}, but redundant given {label}{evidence}",
        )  # fmt: skip
    reason = f"no better than contrasts{_curtailed(own, 'in')}: {times}, p = {p_value:.2g}"
    if variable in own.found:
        together = _together(variable, own, columns)
        reason = (
            f"{together or times} in round {own.number}, but rows held out were predicted no better"
        )
    return Verdict(name, "irrelevant", score, p_value, step=own.number, reason=reason)


def _p_value(variable: int, own: Iteration) -> float:
    by_itself = float(own.test.p_value[variable])
    in_pairs = {} if own.pairs is None else own.pairs.p_value
    return min(by_itself, in_pairs.get(variable, 1.0))


def _together(variable: int, own: Iteration, columns: Columns) -> str:
    """Say with whom a variable was found that shows nothing by itself."""
    if own.pairs is None or variable not in own.pairs.partner:
        return ""
    partner = columns.variable_names[own.pairs.partner[variable]]
    return f"matters together with {partner} (p = {own.pairs.p_value[variable]:.2g})"


def _curtailed(own: Iteration, preposition: str) -> str:
    """Say how many replicates there are, if they are fewer than planned."""
    n_done = len(own.importances.scores)
    if n_done == own.n_planned:
        return ""
    return f" {preposition} {n_done} of {own.n_planned} replicates"


def _masking_between(
    masker: int, variable: int, rounds: Sequence[Iteration]
) -> tuple[float, float] | None:
    """Score, as a share of what the masker earned, and p-value, from the last round with both."""
    for own in reversed(rounds):
        if own.masking is not None and {masker, variable} <= set(own.masking.variables):
            i, j = own.masking.variables.index(masker), own.masking.variables.index(variable)
            earned = float(own.masking.importance[i])
            share = float(own.masking.score[i, j]) / earned if earned > 0 else 0.0
            return share, float(own.masking.p_value[i, j])
    return None


def _record(own: Iteration, columns: Columns) -> dict[str, Any]:
    name = columns.variable_names
    best = np.argsort(-own.test.statistic, kind="stable")[: max(_TRACED, len(own.found))]
    traced = sorted({*best.tolist(), *own.found, *own.kept})
    masked_by = own.elimination.masked_by if own.elimination and own.accepted else {}
    return {
        "step": own.number,
        "loss": own.loss,
        "standard_error": own.standard_error,
        "n_variables": len(own.kept),
        "found": [name[v] for v in own.found],
        "together": {}
        if own.pairs is None
        else {name[v]: name[partner] for v, partner in own.pairs.partner.items()},
        "accepted": own.accepted,
        "kept": [name[v] for v in own.kept],
        "masked_by": {name[v]: name[masker] for v, masker in masked_by.items()},
        "n_replicates": len(own.importances.scores),
        "level": own.level,
        "cut_short": own.cut_short,
        "threshold": own.test.threshold,
        "contrast_maxima": own.importances.contrasts.max(axis=1).tolist(),
        "scores": {name[v]: own.importances.scores[:, v].tolist() for v in traced},
        "masking": _matrix(own.masking, columns),
    }


def _matrix(masking: Masking | None, columns: Columns) -> dict[str, Any] | None:
    if masking is None or len(masking.variables) > _LARGEST_MATRIX:
        return None
    return {
        "variables": [columns.variable_names[v] for v in masking.variables],
        "importance": masking.importance.tolist(),
        "score": masking.score.tolist(),
        "p_value": masking.p_value.tolist(),
    }
