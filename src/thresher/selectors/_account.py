"""From a finished run to the records users read: ranking, verdicts, trace."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Columns
from thresher.evaluators import changes
from thresher.run import Run, Step
from thresher.selection import Cost, Selection, Verdict

from ._finalists import finalist_judgement, finalist_order

__all__ = ["Moves", "account", "library_versions", "moves_of", "ranking"]


@dataclass(frozen=True)
class Moves:
    """When each variable was last added and last removed on the way to the result.

    ``gain`` is what the last such step said of it: loss without it minus loss with it; of those
    that moved together, ``company`` tells how many others there were.
    """

    added: Mapping[int, int]
    removed: Mapping[int, int]
    gain: Mapping[int, float]
    company: Mapping[int, int]


def account(
    table: Columns,
    columns: Columns,
    run: Run,
    moves: Moves,
    *,
    method: str,
    settings: Mapping[str, Any],
) -> Selection:
    """Write down what a run over ``columns`` found, a verdict for each column of the table."""
    verdict_of: dict[str, Verdict] = {}
    for variable, members in enumerate(columns.variables):
        kind, score, step, reason = _judgement(variable, columns, run, moves)
        for p in members.tolist():
            name = columns.names[p]
            verdict_of[name] = Verdict(name, kind, score, step=step, reason=reason)
    best_first = sorted(run.subset, key=lambda v: _order(v, run, moves))
    return Selection(
        selected=tuple(columns.names[p] for v in best_first for p in columns.variables[v]),
        verdicts=tuple(
            verdict_of.get(name, Verdict(name, "irrelevant", reason="constant"))
            for name in table.names
        ),
        trace=tuple(_step_record(step, columns, run) for step in run.steps),
        cost=Cost(evaluations=run.evaluations, losses=run.losses, seconds=run.seconds),
        method=method,
        settings={**settings, "ending": run.ending},
        versions=library_versions(),
    )


def ranking(table: Columns, columns: Columns, run: Run, moves: Moves) -> NDArray[np.intp]:
    """Rank of each column: 1 if selected; then by how late it went, or how near it was to help.

    Columns that took no part, because they are constant, come last, all with the same rank.
    """
    dropped = [v for v in range(columns.n_variables) if v not in run.subset]
    if run.finalists:
        dropped.sort(key=lambda v: finalist_order(v, run))
    else:
        dropped.sort(key=lambda v: (-moves.removed.get(v, len(run.steps)), -_gain(v, run)))
    rank_of = {columns.names[p]: 1 for p in columns.columns_of(run.subset)}
    for rank, variable in enumerate(dropped, start=2):
        rank_of |= {columns.names[p]: rank for p in columns.variables[variable]}
    return np.array([rank_of.get(name, len(dropped) + 2) for name in table.names], dtype=np.intp)


def library_versions() -> dict[str, str]:
    """Versions of what the numbers depend on."""
    libraries = ("thresher", "scikit-learn", "numpy", "scipy", "numba")
    return {"python": platform.python_version(), **{name: _version(name) for name in libraries}}


@cache  # they are read from files
def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError

    from thresher._version import __version__

    try:
        return __version__ if name == "thresher" else version(name)
    except PackageNotFoundError:
        return "not installed"


def moves_of(run: Run) -> Moves:
    """Follow a run from its first subset to its last one."""
    added: dict[int, int] = {}
    removed: dict[int, int] = {}
    gain: dict[int, float] = {}
    company: dict[int, int] = {}
    before: Step | None = None
    for step in run.steps:
        if not step.accepted:
            continue
        start = step.incumbent if before is None else before.winner
        if start is not None:
            came, went = changes(start, step.winner)
            added.update(dict.fromkeys(came, step.number))
            removed.update(dict.fromkeys(went, step.number))
            moved = [*came, *went]
            company.update(dict.fromkeys(moved, len(moved) - 1))
            for variable in moved:
                gain.pop(variable, None)  # an earlier step said it, of another subset
            if before is None or before.averaged or step.averaged or step.apart:
                pass  # there is no loss to compare with
            elif len(came) + len(went) == 1 and np.isfinite(before.loss):
                change = before.loss - step.loss
                gain.update(dict.fromkeys(came, change) | dict.fromkeys(went, -change))
        before = step
    return Moves(added, removed, gain, company)


def _gain(variable: int, run: Run) -> float:
    return run.evidence[variable].gain if variable in run.evidence else -np.inf


def _order(variable: int, run: Run, moves: Moves) -> tuple[float, float, int]:
    if run.finalists:
        return finalist_order(variable, run)
    return (moves.added.get(variable, 0), -_gain(variable, run), variable)


def _judgement(
    variable: int, columns: Columns, run: Run, moves: Moves
) -> tuple[Any, float | None, int | None, str]:
    """Kind, score, step and reason of a variable."""
    if run.finalists:
        return finalist_judgement(variable, columns, run)
    evidence = run.evidence.get(variable)
    score = None if evidence is None else evidence.gain
    moved = f": {_effect(moves.gain[variable])}" if variable in moves.gain else ""
    if variable in columns.required:
        return "relevant", score, None, "kept, as asked"
    if variable in run.subset:
        step = moves.added.get(variable)
        if step is not None:
            others = _with_others(moves.company[variable])
            known = moved
            if not moved and evidence is not None and evidence.step == step:
                known = f": {_effect(score)}"
            return "relevant", score, step, f"added at step {step}{others}{known}"
        step = None if evidence is None else evidence.step
        why = _unjudged(run, "in the chosen subset") if score is None else f"kept: {_effect(score)}"
        return "relevant", score, step, why + _probably(variable, run)
    if moves.removed.get(variable, -1) > moves.added.get(variable, -1):
        step, n_others = moves.removed[variable], moves.company[variable]
        return "irrelevant", score, step, f"removed at step {step}{_with_others(n_others)}{moved}"
    if variable in moves.added:
        step = moves.added[variable]
        return "irrelevant", score, step, f"added at step {step}, after the subset that was chosen"
    if evidence is None:
        return "irrelevant", None, None, _unjudged(run, "in no subset that was chosen")
    why = _effect(score, would="would ")
    return "irrelevant", score, evidence.step, f"not added at step {evidence.step}: {why}"


def _with_others(n_others: int) -> str:
    """Say how many other variables were added or removed in the same step."""
    if not n_others:
        return ""
    return f" with {n_others} other{'s' if n_others > 1 else ''}"


def _probably(variable: int, run: Run) -> str:
    """Say how probable it is that a variable is relevant, where the search kept count."""
    probability = run.relevance.get(variable, 0.0)
    if not probability:
        return ""
    return f"; relevant with probability {min(probability, 0.999):.3g}"


def _unjudged(run: Run, otherwise: str) -> str:
    if run.ending == "complete":
        return otherwise
    return f"{otherwise}; not judged on its own before the search was cut short"


def _effect(gain: float | None, would: str = "") -> str:
    if gain is None or gain == 0:
        return "the loss is the same with and without it"
    verb = "lower" if gain > 0 else "raise"
    return f"it {would}{verb}{'' if would else 's'} the loss by {abs(gain):.3g}"


def _known(value: float) -> float | None:
    """Return a number, or None where a search that was cut short has none."""
    return value if np.isfinite(value) else None


def _step_record(step: Step, columns: Columns, run: Run) -> dict[str, Any]:
    before = step.incumbent
    change = (frozenset[int](), frozenset[int]())
    if before is not None:
        change = changes(before, step.winner)
    return {
        "step": step.number,
        "n_variables": len(step.winner),
        "added": [columns.variable_names[v] for v in sorted(change[0])],
        "removed": [columns.variable_names[v] for v in sorted(change[1])],
        "loss": _known(step.loss),
        "standard_error": _known(step.standard_error),
        "accepted": step.accepted,
        "chosen": step.winner == run.subset and not step.averaged,
        "n_candidates": step.n_candidates,
        "evaluations": step.evaluations,
        "seconds": step.seconds,
    }
