"""FCBF: columns that tell most about the target drive out those that say the same."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Columns
from thresher.evaluators import Target

from ._base import BaseFilter, Findings, Judgement, best_column, best_of, most_features, nearer_to
from ._information import information_within
from ._target_information import ALPHA, TargetInformation, known_chance, target_information

__all__ = ["FCBF"]

FloatArray = NDArray[np.float64]


class FCBF(BaseFilter):
    """Fast correlation-based filter (Yu and Liu, 2004).

    Columns are ranked by their symmetrical uncertainty with the target. From the best on, each one
    that is still there is selected, and drives out all that follow it and tell at least as much
    about it as about the target. Only correlations with selected columns are ever computed, so
    that many thousand columns take seconds.

    Numbers are cut into levels with an eye on the target (see `MDLDiscretizer`). A column that no
    cut makes worth its description tells nothing; this is what the filter misses: columns that
    matter only together.

    Parameters
    ----------
    threshold : float, default=0.0
        The symmetrical uncertainty with the target must be higher.
    n_features : int or "auto", default="auto"
        The most variables to select.
    cuts : "mdl" or int, default="mdl"
        How numbers become levels: by the minimum description length of the target, or cut into so
        many equally filled bins.
    missing : {"spread", "separate"}, default="spread"
        Whether missing cells are spread over the levels as often as these occur, or are a level.
    n_target_bins : int, default=5
        Into how many equally filled bins a numeric target is cut.
    task : {"auto", "classification", "regression"}, default="auto"
        What the target is. "auto" takes labels and few whole numbers for classes.
    feature_groups : mapping or sequence of columns, optional
        Columns that stand or fall together: selected if one of them is.
    keep : sequence of columns, default=()
        Columns that are always selected; they come first, and drive out others.
    n_jobs : int, optional
        Threads. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Not used: nothing is drawn.
    verbose : int, default=0
        Whether to print what was found on stderr.

    Attributes
    ----------
    support_ : bool array of shape (n_columns,)
        The selected columns.
    n_features_ : int
        How many they are.
    ranking_ : int array of shape (n_columns,)
        1 for selected columns, then 2, 3, ... for the others by their score.
    scores_ : array of shape (n_columns,)
        Symmetrical uncertainty with the target, 0 to 1; NaN for constant columns.
    selection_ : Selection
        Verdicts, with the column that drove out each redundant one, trace and cost.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from thresher.filters import FCBF
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selection = FCBF().fit(X, y).selection_
    >>> selection.selected[:3]
    ('flavanoids', 'od280/od315_of_diluted_wines', 'color_intensity')
    >>> selection.verdicts[5].reason
    'closer to flavanoids (0.44) than to the target (0.38)'
    """

    def __init__(
        self,
        *,
        threshold: float = 0.0,
        n_features: Any = "auto",
        cuts: str | int = "mdl",
        missing: str = "spread",
        n_target_bins: int = 5,
        task: str = "auto",
        feature_groups: Any = None,
        keep: Sequence[str | int] = (),
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ):
        self.threshold = threshold
        self.n_features = n_features
        self.cuts = cuts
        self.missing = missing
        self.n_target_bins = n_target_bins
        self.task = task
        self.feature_groups = feature_groups
        self.keep = keep
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _findings(self, columns: Columns, target: Target, seed: int) -> Findings:
        if self.threshold is None:
            raise ValueError("threshold must be a number; got None")
        most = most_features(self.n_features, columns)
        known = target_information(
            columns, target, cuts=self.cuts, missing=self.missing,
            n_target_bins=self.n_target_bins, n_jobs=self.n_jobs,
        )  # fmt: skip
        scores = known.found.symmetrical_uncertainty
        course = _Course(columns, known, scores, scores > self.threshold, self.n_jobs)
        for variable in _order(columns, scores, self.threshold):
            wanted = len(course.step_of) < most and course.is_left(variable)
            if wanted or variable in columns.required:
                course.select(variable)
        return Findings(
            selected=list(course.step_of),
            scores=scores,
            judgements=[_judgement(v, course, self.threshold) for v in range(columns.n_variables)],
            trace=course.trace,
            evaluations=columns.n_columns + course.n_pairs,
        )


def _order(columns: Columns, scores: FloatArray, threshold: float) -> list[int]:
    """Variables worth looking at: those to keep first, then by the score of their best column."""
    best = best_of(columns, scores)
    by_score = np.argsort(-best, kind="stable").tolist()
    kept = [v for v in by_score if v in columns.required]
    return kept + [v for v in by_score if v not in columns.required and best[v] > threshold]


@dataclass(eq=False)
class _Course:
    """Who has been selected, and who was driven out by whom."""

    columns: Columns
    known: TargetInformation
    scores: FloatArray
    worthy: NDArray[np.bool_]
    n_jobs: int | None
    step_of: dict[int, int] = field(default_factory=dict)
    trace: list[dict[str, Any]] = field(default_factory=list)
    n_pairs: int = 0

    def __post_init__(self) -> None:
        self.out_by = np.full(self.columns.n_columns, -1)
        self.shared = np.zeros(self.columns.n_columns)
        self.taken = np.zeros(self.columns.n_columns, dtype=np.bool_)

    def is_left(self, variable: int) -> bool:
        own = self.columns.variables[variable]
        return bool((self.worthy[own] & (self.out_by[own] < 0)).any())

    def select(self, variable: int) -> None:
        """Have the columns of a variable drive out others, but not each other."""
        own = self.columns.variables[variable]
        self.taken[own] = True
        n_before = int((self.out_by >= 0).sum())
        for p in own[np.argsort(-self.scores[own], kind="stable")].tolist():
            if not self.scores[p] > 0.0:
                break  # who tells nothing about the target, but is to be kept, drives out nobody
            left = np.flatnonzero((self.out_by < 0) & self.worthy & ~self.taken)
            shared = information_within(
                p, self.known.table, left, self.n_jobs
            ).symmetrical_uncertainty
            self.n_pairs += len(left)
            gone = shared >= self.scores[left]
            self.out_by[left[gone]] = variable
            self.shared[left[gone]] = shared[gone]
        self.step_of[variable] = len(self.trace)
        self.trace.append(
            {
                "step": len(self.trace),
                "added": [self.columns.variable_names[variable]],
                "n_variables": len(self.step_of),
                "score": float(self.scores[own].max()),
                "driven out": int((self.out_by >= 0).sum()) - n_before,
            }
        )


def _judgement(variable: int, course: _Course, threshold: float) -> Judgement:
    columns = course.columns
    best = best_column(columns, course.scores, variable)
    score = course.scores[best]
    p_value = known_chance(course.known.p_values[best])
    much = f"symmetrical uncertainty {score:.2g} with the target"
    if variable in columns.required:
        return Judgement("relevant", "kept, as asked", p_value, step=course.step_of[variable])
    if variable in course.step_of:
        step = course.step_of[variable]
        n_out = course.trace[step]["driven out"]
        drives = f"; drives out {n_out} other{'s' * (n_out > 1)}" if n_out else ""
        return Judgement("relevant", much + drives, p_value, step=step)
    if not score > 0.0:
        return Judgement("irrelevant", course.known.silence(best), p_value)
    if score <= threshold:
        return Judgement("irrelevant", f"{much}, at most {threshold:g}", p_value)
    if course.is_left(variable):
        return Judgement("irrelevant", f"{much}, but others have more", p_value)
    by = int(course.out_by[best])
    why = nearer_to(columns.variable_names[by], course.shared[best], score)
    step = course.step_of[by]
    if p_value is not None and p_value > ALPHA:
        return Judgement("irrelevant", f"{why}, which may well be chance", p_value, step=step)
    return Judgement("redundant", why, p_value, masked_by=by, step=step)
