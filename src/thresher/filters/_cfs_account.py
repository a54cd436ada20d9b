"""What a merit says about each column."""

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import Flips, Subset

from ._base import Findings, Judgement, best_column, best_of, nearer_to
from ._merit import MeritEvaluator
from ._target_information import known_chance

__all__ = ["cfs_findings", "locally_predictive"]

FloatArray = NDArray[np.float64]


def locally_predictive(subset: Subset, evaluator: MeritEvaluator) -> Subset:
    """Add variables that correlate less with each selected column than with the target.

    The one with the highest correlation with the target is looked at first, and the next ones must
    differ from it, too, if it was added.
    """
    columns, found = evaluator.problem.columns, evaluator.correlations
    with_target = best_of(columns, found.with_target)
    grown = set(subset)
    for v in np.argsort(-with_target, kind="stable").tolist():
        if v in grown or not with_target[v] > 0.0:
            continue
        chosen = columns.columns_of(grown)
        near = max((_nearest(p, chosen, evaluator)[0] for p in columns.variables[v]), default=0.0)
        if near <= with_target[v]:
            grown.add(v)
    return frozenset(grown)


def cfs_findings(subset: Subset, evaluator: MeritEvaluator) -> Findings:
    """Judge each variable by its correlations, and by the merit with and without it."""
    columns, found = evaluator.problem.columns, evaluator.correlations
    merit = float(evaluator.merits([subset])[0])
    free = [v for v in range(columns.n_variables) if v not in columns.required]
    flipped = dict(zip(free, evaluator.merits(Flips(subset, free)).tolist(), strict=True))
    with_target = best_of(columns, found.with_target)
    chosen = columns.columns_of(subset)
    owner = {int(p): v for v in subset for p in columns.variables[v]}
    judged = []
    for v in range(columns.n_variables):
        best = best_column(columns, found.with_target, v)
        if v in columns.required:
            judged.append(Judgement("relevant", "kept, as asked"))
        elif v in subset:
            judged.append(_selected(best, evaluator, merit, flipped[v]))
        else:
            near, who = _nearest(best, chosen, evaluator)
            by = None if who is None or near < with_target[v] else owner[who]
            judged.append(_dropped(best, evaluator, near, by, merit - flipped[v]))
    return Findings(
        selected=sorted(subset, key=lambda v: -with_target[v]),
        scores=found.with_target,
        judgements=judged,
    )


def _selected(best: int, evaluator: MeritEvaluator, merit: float, without: float) -> Judgement:
    found = evaluator.correlations
    change = f"the merit is {merit:.3g} with it and {without:.3g} without it"
    why = f"correlation {found.with_target[best]:.2g} with the target; {change}"
    return Judgement("relevant", why, known_chance(found.p_values[best]))


def _dropped(
    best: int, evaluator: MeritEvaluator, near: float, by: int | None, harm: float
) -> Judgement:
    found = evaluator.correlations
    with_target, p_value = found.with_target[best], known_chance(found.p_values[best])
    if not with_target > 0.0:
        return Judgement("irrelevant", found.silence(best), p_value)
    much = f"correlation {with_target:.2g} with the target"
    if found.doubtful[best]:
        return Judgement("irrelevant", f"{much}, which may well be chance", p_value)
    if by is not None:
        name = evaluator.problem.columns.variable_names[by]
        why = nearer_to(name, near, with_target)
        return Judgement("redundant", why, p_value, masked_by=by)
    # the latter if the search has not come to it
    effect = f"lower the merit by {harm:.2g}" if harm > 0 else f"raise the merit by {abs(harm):.2g}"
    return Judgement("irrelevant", f"{much}, but it would {effect}", p_value)


def _nearest(
    column: int, chosen: NDArray[np.intp], evaluator: MeritEvaluator
) -> tuple[float, int | None]:
    """Highest correlation of a column with the selected ones, and with which."""
    # what is the same in all rows, but is to be kept, is near to nothing
    chosen = chosen[~evaluator.correlations.flat[chosen]]
    if not len(chosen):
        return 0.0, None
    # rows of the selected columns are known; those of the others would be computed for this alone
    near = [float(evaluator.correlations.with_column(p)[column]) for p in chosen.tolist()]
    best = int(np.argmax(near))
    return near[best], int(chosen[best])
