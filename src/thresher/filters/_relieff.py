"""ReliefF: columns that differ between neighbours of other classes, and not of the same one."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Columns
from thresher.evaluators import Target

from ._base import (
    BaseFilter,
    Findings,
    Judgement,
    among_best,
    best_of,
    most_features,
    varying_target,
)
from ._relief_weights import relief_table, relief_weights
from ._row_sample import few_rows

__all__ = ["RReliefF", "ReliefF"]

FloatArray = NDArray[np.float64]

#: A smaller weight is what rounding leaves of none.
_ROUNDING = 1e-12
#: Of a coded table, which may be larger than memory: every row is compared with every other.
_MOST_ROWS = 10_000


class ReliefF(BaseFilter):
    """ReliefF for classes, RReliefF for numbers (Robnik-Sikonja and Kononenko, 2003).

    The weight of a column says how much more it differs between a row and its nearest neighbours of
    other classes than of its own; for a numeric target, between neighbours whose targets differ
    than between others. Since neighbours are near in all columns, it sees columns that matter only
    together with others. It does not see redundancy: copies have the same weight.

    What is a high weight depends on the table. Unless a number or a threshold is given, the same is
    computed under permuted targets, where no column matters, and a column is selected if its weight
    is higher than the highest of all columns there, but for a share of ``alpha`` of the
    permutations.

    Parameters
    ----------
    n_neighbors : int, default=10
        Neighbours of each class; of any target in regression.
    n_features : int or "auto", default="auto"
        How many variables, the best ones; "auto" leaves it to the threshold or the permutations.
    threshold : float, optional
        The weight must be higher.
    n_samples : int or float, optional
        Rows whose neighbours are looked at, or their share, drawn at random; all if None.
        Neighbours may be any rows.
    sigma : float, optional
        Neighbours count by their rank r as exp(-(r / sigma)²); all the same if None.
    alpha : float, default=0.05
        Chance that, in a table without any influence, anything is selected.
    n_permutations : int, default=20
        Of the target; a test at level ``alpha`` needs at least ``1 / alpha - 1`` of them.
    task : {"auto", "classification", "regression"}, default="auto"
        What the target is. "auto" takes labels and few whole numbers for classes.
    feature_groups : mapping or sequence of columns, optional
        Columns that stand or fall together; a group is as good as its best column.
    keep : sequence of columns, default=()
        Columns that are always selected.
    n_jobs : int, optional
        Threads. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seeds the draw of rows and permutations.
    verbose : int, default=0
        Whether to print what was found on stderr.

    Attributes
    ----------
    support_ : bool array of shape (n_columns,)
        The selected columns.
    n_features_ : int
        How many they are.
    ranking_ : int array of shape (n_columns,)
        1 for selected columns, then 2, 3, ... for the others by their weight.
    scores_ : array of shape (n_columns,)
        The weights, between -1 and 1; NaN for constant columns.
    selection_ : Selection
        Verdicts, with p-values where targets were permuted, and cost.

    Notes
    -----
    Numbers differ by their distance as a share of the range of the column, categories by 0 or 1. A
    missing number is as far away as it could be, a missing category as far as one drawn at random.
    Which of several equally near rows are neighbours depends on their order, as in WEKA.

    Examples
    --------
    Only both inputs together tell the class.

    >>> import numpy as np
    >>> from thresher.filters import ReliefF
    >>> X = np.random.default_rng(0).random((200, 6))
    >>> y = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)
    >>> ReliefF(random_state=0).fit(X, y).support_
    array([ True,  True, False, False, False, False])
    """

    def __init__(
        self,
        n_neighbors: int = 10,
        *,
        n_features: Any = "auto",
        threshold: float | None = None,
        n_samples: Any = None,
        sigma: float | None = None,
        alpha: float = 0.05,
        n_permutations: int = 20,
        task: str = "auto",
        feature_groups: Any = None,
        keep: Sequence[str | int] = (),
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ):
        self.n_neighbors = n_neighbors
        self.n_features = n_features
        self.threshold = threshold
        self.n_samples = n_samples
        self.sigma = sigma
        self.alpha = alpha
        self.n_permutations = n_permutations
        self.task = task
        self.feature_groups = feature_groups
        self.keep = keep
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _findings(self, columns: Columns, target: Target, seed: int) -> Findings:
        columns, target = few_rows(columns, target, seed, most=_MOST_ROWS, who="ReliefF")
        most = most_features(self.n_features, columns)
        rng = np.random.default_rng(seed)
        rows = self._sample(columns.n_rows, rng)
        permuted = self._permutations(columns.n_rows, rng)
        weights = relief_weights(
            relief_table(columns), target, n_neighbors=self.n_neighbors, sigma=self.sigma,
            rows=rows, permuted=permuted, n_jobs=self.n_jobs,
        )  # fmt: skip
        weights[np.abs(weights) < _ROUNDING] = 0.0
        scores, by_chance = weights[0], weights[1:].max(axis=1)
        best = best_of(columns, scores)
        order = np.argsort(-best, kind="stable").tolist()
        p_values, bar = None, ""
        if isinstance(self.n_features, Integral):
            wanted = [v for v in order if v in columns.required]
            wanted += [v for v in order if v not in columns.required][: max(0, most - len(wanted))]
            bar = among_best(most, columns)
        elif self.threshold is not None:
            wanted = [v for v in order if v in columns.required or best[v] > self.threshold]
            bar = f"higher than {self.threshold:g}"
        else:
            reached = (by_chance[None, :] >= best[:, None]).sum(axis=1)
            p_values = (1.0 + reached) / (1.0 + len(by_chance))
            passed = (p_values <= self.alpha) & (best > 0.0)
            wanted = [v for v in order if v in columns.required or passed[v]]
            bar = f"higher than under permuted targets ({_reach(by_chance, self.alpha)})"
        chosen = frozenset(wanted)
        judged = [
            _judgement(v, columns, best, bar, p_values, is_in=v in chosen)
            for v in range(columns.n_variables)
        ]
        n_pairs = columns.n_rows * (columns.n_rows if rows is None else len(rows))
        return Findings([v for v in order if v in chosen], scores, judged, evaluations=n_pairs)

    def _sample(self, n_rows: int, rng: np.random.Generator) -> NDArray[np.intp] | None:
        if self.n_samples is None:
            return None
        size = self.n_samples
        if not isinstance(size, Integral):
            size = max(1, round(size * n_rows))
        if size > n_rows:
            raise ValueError(f"n_samples must be at most the {n_rows} rows; got {self.n_samples}")
        return np.sort(rng.choice(n_rows, int(size), replace=False))

    def _permutations(self, n_rows: int, rng: np.random.Generator) -> NDArray[np.intp] | None:
        """Orders of the target under which no column matters, if they are to decide."""
        if isinstance(self.n_features, Integral) or self.threshold is not None:
            return None
        fewest = int(np.ceil(1 / self.alpha - 1 - 1e-9))
        if self.n_permutations < fewest:
            raise ValueError(
                f"n_permutations must be at least {fewest} for alpha = {self.alpha}; got "
                f"{self.n_permutations}"
            )
        return np.array([rng.permutation(n_rows) for _ in range(self.n_permutations)])


class RReliefF(ReliefF):
    """ReliefF of a numeric target, even if it looks like classes: "auto" means regression.

    All else is said of `ReliefF`, whose parameters it has.

    Examples
    --------
    >>> import numpy as np
    >>> from thresher.filters import RReliefF
    >>> X = np.random.default_rng(0).random((200, 4))
    >>> y = np.round(3 * X[:, 0] + 3 * X[:, 1])  # grades from 0 to 6
    >>> RReliefF(random_state=0).fit(X, y).support_
    array([ True,  True, False, False])
    """

    def _target(self, y: Any, n_rows: int) -> Target:
        return varying_target(y, n_rows, "regression" if self.task == "auto" else self.task)


def _reach(by_chance: FloatArray, alpha: float) -> str:
    """Say how high weights are under permuted targets, but for the share that may be higher."""
    n = len(by_chance)
    n_higher = int(((1.0 + np.arange(n)) / (1.0 + n) <= alpha).sum()) - 1
    level = f"{np.sort(by_chance)[-1 - n_higher]:.3g} at most"
    return f"{level}, but for {n_higher} of {n}" if n_higher else level


def _judgement(
    variable: int,
    columns: Columns,
    best: FloatArray,
    bar: str,
    p_values: FloatArray | None,
    *,
    is_in: bool,
) -> Judgement:
    p_value = None if p_values is None else float(p_values[variable])
    if variable in columns.required:
        return Judgement("relevant", "kept, as asked", p_value)
    why = f"weight {best[variable]:.3g}, {'' if is_in else 'not '}{bar}"
    if p_values is not None and not best[variable] > 0.0:
        why = f"weight {best[variable]:.3g}, not positive"
    return Judgement("relevant" if is_in else "irrelevant", why, p_value)
