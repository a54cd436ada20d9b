"""From the screening to the smallest set that is enough, with verdicts for all three goals."""

import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.ace import CutShort, make_sample
from thresher.columns import CodedColumns, Columns, read_columns, with_groups
from thresher.evaluators import Target
from thresher.journal import Scope
from thresher.parallel import ONE_BLAS_THREAD
from thresher.selection import Cost, Path, PathPoint, Selection
from thresher.selectors import outcome_of, target_of
from thresher.stats import CONFIDENCE, TOLERANCE
from thresher.sufficiency import Sufficient, find_sufficient

from ._allowance import Allowance
from ._goals import with_goal
from ._join import ending_of

__all__ = ["Wish", "add_what_is_enough"]

#: Most rows for the path. Of longer tables it sees a sample; the screening has all rows.
MOST_ROWS = 20_000
#: Of a class with fewer rows, all are among them.
RARE = 50


@dataclass(frozen=True)
class Wish:
    """What the user asks for: a goal, and what counts as enough.

    Parameters
    ----------
    goal : {"predict", "explain", "all-relevant"}
        What the selection is for.
    tolerance : float
        Largest rise of the loss, as a share of that of the best set, with which a set is enough.
    confidence : float
        Of each bound by itself.
    """

    goal: str = "predict"
    tolerance: float = TOLERANCE
    confidence: float = CONFIDENCE


def add_what_is_enough(
    screened: Selection,
    columns: Columns,
    y: NDArray[Any],
    *,
    task: str,
    groups: Mapping[str, Any],
    keep: tuple[str, ...],
    wish: Wish,
    estimator: Any,
    max_features: int | None,
    limit: Callable[[Selection], Selection],
    n_jobs: int | None,
    allowance: Allowance,
    observer: Any,
    journal: Scope,
) -> Selection:
    """Add the path, the clusters and the views to a screening, and select for the goal.

    If the budget ends before the path is found, the screening is returned, with the goal "explain".

    Parameters
    ----------
    screened : Selection
        The screening: relevant columns are proved to matter, and so are redundant ones.
    columns, y, task, groups, keep
        The table, the target and the constraints.
    wish : Wish
        The goal, and what counts as enough.
    estimator : classifier or regressor, optional
        The estimator whose losses decide.
    max_features : int, optional
        Columns at most.
    limit : callable
        Takes a selection down to that many columns.
    n_jobs, allowance, observer, journal
        Workers, budget, progress and journal.
    """
    started, n_tried = time.perf_counter(), 0

    def told(stage: str, done: int, total: int) -> None:
        nonlocal n_tried
        if hasattr(observer, "stage"):
            observer.stage(stage, done, total)
        journal.tell(stage=stage, done=done, total=total)
        if done < total:
            if allowance.after(n_tried).is_spent:
                raise CutShort
            n_tried += 1

    def cost(n_trials: int) -> Cost:
        own, seconds = screened.cost, time.perf_counter() - started
        return Cost(own.evaluations + n_trials, own.losses, own.seconds + seconds)

    table = with_groups(columns, groups or None, keep).informative()
    target = target_of(y, table.n_rows, task)
    table, target = _some_rows(table, target)
    weight = np.ones(table.n_rows)
    problem, _ = make_sample(
        table, *outcome_of(target, weight), weight, table.n_rows, seed=0, n_jobs=n_jobs
    )
    proved = _variables_of(table, screened.selected) - table.required
    try:
        with ONE_BLAS_THREAD:  # as in workers: the number of threads shows in the last digits
            found = find_sufficient(
                problem, table, proved=proved, estimator=estimator, y=target.raw,
                tolerance=wish.tolerance, confidence=wish.confidence,
                most=max_features, n_jobs=n_jobs, progress=told,
                journal=journal,
            )  # fmt: skip
    except (CutShort, KeyboardInterrupt) as end:
        ending = "interrupted" if isinstance(end, KeyboardInterrupt) else "budget"
        settings = {**screened.settings, "ending": ending}
        if ending == "budget" and ending_of(screened) != "budget":
            warnings.warn(
                "the budget was spent before it was known how many columns are enough to predict; "
                "what is known is which ones are proved to matter",
                UserWarning,
                stacklevel=2,
            )
        proof = replace(screened, settings=settings, cost=cost(n_tried))
        return with_goal(proof, wish.goal, max_features=max_features, limit=limit)
    path = _path_of(found, table, wish, problem.n_rows, _unit(target, estimator))
    clusters = tuple(
        tuple(table.names[p] for p in _first(table, cluster)) for cluster in found.clusters
    )
    whole = replace(
        screened,
        path=path,
        clusters=clusters,
        cost=cost(found.n_trials),
    )
    rises = {
        table.names[p]: rise for v, rise in found.rises.items() for p in table.variables[v].tolist()
    }
    return with_goal(whole, wish.goal, rises, max_features=max_features, limit=limit)


def _some_rows(table: Columns, target: Target) -> tuple[Columns, Target]:
    """Draw rows of a long table, the same ones each time."""
    if table.n_rows <= MOST_ROWS:
        return table, target
    rows = _drawn(target)
    if isinstance(table, CodedColumns):
        cut: Columns = table.sample(rows)
    else:
        taken = table.take(range(table.n_variables), rows)
        cut = read_columns(taken, names=list(table.names))
    cut = replace(
        cut, variables=table.variables, variable_names=table.variable_names,
        required=table.required,
    )  # fmt: skip
    return cut, replace(target, values=target.values[rows], raw=target.raw[rows])


def _drawn(target: Target) -> NDArray[np.intp]:
    """Rows drawn at random; of each class its share, and of a rare one most of its rows."""
    rng = np.random.default_rng(0)
    if target.classes is None:
        return np.sort(rng.choice(len(target.values), MOST_ROWS, replace=False))
    counts = np.bincount(target.values)
    wanted = np.maximum(counts * MOST_ROWS // counts.sum(), np.minimum(counts, RARE))
    of_class = [np.flatnonzero(target.values == k) for k in range(len(counts))]
    return np.sort(
        np.concatenate(
            [rng.choice(rows, n, replace=False) for rows, n in zip(of_class, wanted, strict=True)]
        )
    )


def _unit(target: Target, estimator: Any) -> float:
    """What a loss of 1 is in the units of the target: ours are shares of its variance."""
    if target.classes is not None or estimator is not None:
        return 1.0
    with np.errstate(over="ignore", invalid="ignore"):
        variance = float(np.var(target.values))
    return variance if np.isfinite(variance) and variance > 0 else 1.0


def _variables_of(table: Columns, names: tuple[str, ...]) -> frozenset[int]:
    wanted = set(names)
    return frozenset(
        v
        for v, members in enumerate(table.variables)
        if any(table.names[p] in wanted for p in members.tolist())
    )


def _first(table: Columns, variables: tuple[int, ...]) -> list[int]:
    return [int(table.variables[v][0]) for v in variables]


def _path_of(found: Sufficient, table: Columns, wish: Wish, n_rows: int, unit: float) -> Path:
    """Convert the path from variables to columns: a variable may have several."""
    order = [table.names[p] for v in found.order for p in table.variables[v].tolist()]
    n_columns = np.cumsum([0, *(len(table.variables[v]) for v in found.order)])
    points = tuple(
        PathPoint(
            int(n_columns[own.size]),
            own.loss * unit,
            own.low * unit,
            own.high * unit,
            own.at_most,
            own.verdict,
        )
        for own in found.choice.sizes
    )
    return Path(
        order=tuple(order), points=points,
        chosen=int(n_columns[found.choice.chosen]), best=int(n_columns[found.choice.best]),
        loss=found.loss, learner=found.choice.learner, tolerance=wish.tolerance,
        confidence=wish.confidence, n_rows=n_rows, n_folds=found.n_folds,
    )  # fmt: skip
