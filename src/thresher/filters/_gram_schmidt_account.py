"""What Gram-Schmidt found, in verdicts and words."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Columns
from thresher.stats._orthogonal import directions

from ._base import Findings, Judgement
from ._orthogonal import basis_of
from ._probe_path import ProbePath, ProbeRule

__all__ = ["account_path"]

FloatArray = NDArray[np.float64]


def account_path(columns: Columns, encoded: Columns, path: ProbePath, rule: ProbeRule) -> Findings:
    """Turn a path into verdicts.

    Parameters
    ----------
    columns, encoded : Columns
        The table, and the numbers it was rewritten as; their variables are the same.
    path : ProbePath
        What was found.
    rule : ProbeRule
        The rule that was followed.
    """
    share = path.last.share.copy()
    for step in path.steps:
        if step.accepted:
            share[step.variable] = step.share
    scores = np.empty(columns.n_columns)
    for variable, members in enumerate(columns.variables):
        scores[members] = share[variable]
    return Findings(
        selected=path.chosen,
        scores=scores,
        judgements=_judgements(columns, encoded, path, _Words(columns, path, rule)),
        trace=_trace(columns, path),
        evaluations=path.evaluations,
    )


def _judgements(
    columns: Columns, encoded: Columns, path: ProbePath, words: "_Words"
) -> list[Judgement]:
    number_of = {v: number for number, v in enumerate(path.chosen, start=1)}
    last = len(path.steps) or None
    # linear combinations of the selected are redundant, whatever they explain on their own
    gone = (path.alone.width > 0) & (path.last.width == 0)
    redundant = gone | (path.passed_alone & ~path.passed_last)
    dropped = [v for v in np.flatnonzero(redundant).tolist() if v not in number_of]
    mask_of = dict(zip(dropped, _nearest(encoded, dropped, path.chosen), strict=True))
    made = []
    for v, p_value in enumerate(path.p_values.tolist()):
        if v in number_of:
            entry = path.steps[number_of[v] - 1].p_value
            reason = words.selected(v, number_of[v])
            made.append(Judgement("relevant", reason, entry, step=number_of[v]))
        elif v in mask_of:
            reason = words.redundant(v, mask_of[v])
            made.append(Judgement("redundant", reason, p_value, mask_of[v], last))
        else:
            made.append(Judgement("irrelevant", words.irrelevant(v), p_value, step=last))
    return made


def _nearest(encoded: Columns, dropped: Sequence[int], chosen: Sequence[int]) -> list[int]:
    """For each dropped variable, the chosen one that it correlates with most."""
    if not dropped:
        return []
    matrix = encoded.matrix
    bases = [basis_of(directions(matrix[:, encoded.variables[v]])) for v in chosen]
    ends = np.cumsum([basis.shape[1] for basis in bases])[:-1]
    together = np.hstack(bases)
    nearest = []
    for v in dropped:
        own = basis_of(directions(matrix[:, encoded.variables[v]]))
        common = ((own.T @ together) ** 2).sum(axis=0)
        alike = [
            part.sum() / max(min(own.shape[1], len(part)), 1) for part in np.split(common, ends)
        ]
        nearest.append(chosen[int(np.argmax(np.round(alike, 9)))])
    return nearest


def _trace(columns: Columns, path: ProbePath) -> list[dict[str, Any]]:
    """One entry for each step; the last one adds nothing if its best candidate failed."""
    trace, n_variables = [], 0
    for number, step in enumerate(path.steps, start=1):
        n_variables += step.accepted
        trace.append(
            {
                "step": number,
                "added": [columns.variable_names[step.variable]] if step.accepted else [],
                "n_variables": n_variables,
                "share": step.share,
                "p_value": step.p_value,
                "risk": step.risk,
                "residual": step.residual,
            }
        )
    return trace


class _Words:
    """Reasons for verdicts."""

    def __init__(self, columns: Columns, path: ProbePath, rule: ProbeRule):
        self._columns = columns
        self._path = path
        self._n_probes = rule.n_competing(path.last)
        # of three classes or more, a single column can explain one dimension only
        self._verb = "shares {} with" if path.alone.target_width > 1 else "explains {} of"

    def selected(self, variable: int, number: int) -> str:
        """Say why a variable is selected."""
        if variable in self._columns.required:
            return "kept, as asked"
        step = self._path.steps[number - 1]
        return (
            f"{self._explains(step.share)} what was left of the target at step {number}; "
            f"{_probes(step.n_probes, step.p_value)}"
        )

    def redundant(self, variable: int, mask: int) -> str:
        """Say why a variable is redundant."""
        others = len(self._path.chosen) - 1
        names = self._columns.variable_names[mask] + " and the others" * (others > 0)
        alone = f"{self._explains(self._path.alone.share[variable])} the target on its own"
        if self._path.last.width[variable] == 0:
            made_of = "a linear combination" if others else "a linear function"
            return f"{alone}, but is {made_of} of {names}"
        if self._path.last.target_width == 0:
            return f"{alone}, of which {names} leave{'' if others else 's'} nothing"
        left = _percent(self._path.last.share[variable])
        return f"{alone}, but {left} of what {names} leave{'' if others else 's'}"

    def irrelevant(self, variable: int) -> str:
        """Say why a variable is irrelevant, or not selected."""
        path = self._path
        if path.alone.width[variable] == 0:
            return "constant but for rounding"
        if path.last.target_width == 0:
            return "nothing is left of the target to explain"
        left = "what the selected ones leave of the target" if path.chosen else "the target"
        share = self._explains(path.last.share[variable])
        chance = _probes(self._n_probes, float(path.p_values[variable]))
        if path.passed_last[variable]:  # n_features was reached
            return f"not among the first {len(path.chosen)}, though it {share} {left}; {chance}"
        return f"{share} {left}; {chance}"

    def _explains(self, share: float) -> str:
        return self._verb.format(_percent(share))


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _probes(n_probes: int, p_value: float) -> str:
    who = "a random column" if n_probes == 1 else f"the best of {n_probes} random columns"
    chance = f"{p_value:.2g}" if p_value > 0 else "below 1e-300"
    return f"{who} would with probability {chance}"
