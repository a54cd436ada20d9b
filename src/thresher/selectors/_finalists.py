"""What the winners of a population say about each variable."""

from typing import Any

from thresher.columns import Columns
from thresher.run import Run

__all__ = ["finalist_judgement", "finalist_order"]


def finalist_order(variable: int, run: Run) -> tuple[float, float, int]:
    """Key by which variables are sorted: held by the most winners first, then by gain."""
    evidence = run.evidence.get(variable)
    gain = float("-inf") if evidence is None else evidence.gain
    return -_n_holding(variable, run), -gain, variable


def finalist_judgement(
    variable: int, columns: Columns, run: Run
) -> tuple[Any, float | None, int | None, str]:
    """Kind, score, step and reason of a variable."""
    evidence = run.evidence.get(variable)
    score = None if evidence is None else evidence.gain
    step = None if evidence is None else evidence.step
    if variable in columns.required:
        return "relevant", score, step, "kept, as asked"
    kept = variable in run.subset
    n_holding, n_all = _n_holding(variable, run), len(run.finalists)
    where = f"in {n_holding or 'none'} of the {n_all} best subsets"
    if n_holding and not kept:
        where += ", but not in the chosen one"
    return "relevant" if kept else "irrelevant", score, step, where + _difference(score, kept=kept)


def _n_holding(variable: int, run: Run) -> int:
    return sum(variable in subset for subset in run.finalists)


def _difference(score: float | None, *, kept: bool) -> str:
    """Say how the chosen subset would do without the variable, or with it."""
    if score is None:
        return ""
    change = score if kept else -score
    other = "without it" if kept else "with it"
    if not change:
        return f"; {other} its loss would be the same"
    return f"; {other} its loss would be {'higher' if change > 0 else 'lower'} by {abs(change):.3g}"
