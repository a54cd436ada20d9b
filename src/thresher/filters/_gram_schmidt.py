"""Gram-Schmidt orthogonalisation with a random probe, as a filter."""

import math
from collections.abc import Sequence
from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from thresher.columns import Columns, encode
from thresher.evaluators import Target
from thresher.parallel import ONE_BLAS_THREAD

from ._base import BaseFilter, Findings, most_features
from ._gram_schmidt_account import account_path
from ._orthogonal import OrthogonalSpace
from ._probe_path import ProbeRule, follow_probes
from ._row_sample import few_rows

__all__ = ["GramSchmidt"]

FloatArray = NDArray[np.float64]

#: Of a coded table, which may be larger than memory.
_MOST_ROWS = 200_000
#: For a level of one in a thousand.
_MOST_SHUFFLES = 9_999


class GramSchmidt(BaseFilter):
    """Columns that explain what earlier ones leave of the target, as long as noise would not.

    The next column is the one that explains most of what is left of the target, after target and
    columns have been projected to the space orthogonal to the columns chosen before: a column that
    repeats others comes late. A column of pure noise, a *probe*, explains something as well, and
    how much is known: in nu dimensions (the rows, less one for the mean and one for each column
    projected out), a share that follows the beta distribution with parameters 1/2 and (nu - 1)/2.
    Columns enter as long as probes would hardly have done as well [1]_ [2]_.

    Parameters
    ----------
    n_features : int or "auto", default="auto"
        "auto" lets probes decide. A number means so many variables without a test, those in
        ``keep`` among them; fewer, if the others are linear combinations of these, or nothing is
        left of the target.
    alpha : float, default=0.05
        Chance that a probe comes before a column that enters; see ``probes``.
    probes : int or "all", default="all"
        Probes that compete with the columns. "all" takes as many as there are candidates left, at
        each step anew: each step is a test at level ``alpha`` for the best of so many, and in a
        table without any influence ``alpha`` is the chance that anything enters. With a number,
        ``alpha`` bounds the risk that any of these probes comes before any column that entered,
        over all steps, as if the probes were drawn anew at each. 1 is the published rule; of p
        columns without influence it lets about sqrt(2 alpha p) enter, and m probes let about
        sqrt(2 alpha p / m).
    task : {"auto", "classification", "regression"}, default="auto"
        What the target is. "auto" takes labels and few whole numbers for classes.
    feature_groups : mapping, optional
        Columns that stand or fall together: ``{"name": ["column", ...]}``.
    keep : sequence of str or int, default=()
        Columns to keep in any case; they are projected out first.
    n_jobs : int, optional
        Accepted, as by all filters; one thread is enough, since it waits for the memory.
    random_state : int, RandomState or None, default=None
        Of the random orders where columns and target both have long tails. Elsewhere nothing is
        drawn, since the distribution of probes is known.
    verbose : int, default=0
        Whether to print a line to stderr.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
        The columns selected.
    n_features_ : int
        Their number, possibly 0.
    ranking_ : array of int of shape (n_features_in_,)
        1 for selected columns, then the others by their score.
    selection_ : Selection
        A verdict with evidence for each column. Columns that a probe would not have matched on
        their own, but does beside the selected ones, are redundant, and so are linear combinations
        of these.
    scores_ : array of shape (n_features_in_,)
        Share of what was left of the target that a column explained when it entered, or, for those
        that did not, after the last one that did.

    Notes
    -----
    Several classes span a target of q dimensions, one less than there are classes. So do the
    indicators of a category, a number with missing cells, or a group a variable of d dimensions.
    The share is then the mean squared canonical correlation between what is left of both: R^2 if
    either has one dimension, and Pillai's trace divided by the smaller of the two otherwise. That
    of a probe of d columns follows the beta distribution with parameters q/2 and (nu - q)/2 if
    d = 1, d/2 and (nu - d)/2 if q = 1, and is approximated by the one with the exact mean and
    variance otherwise. Variables are ranked by the chance that a probe of as many columns explains
    as much, which for single columns is the order of their shares.

    The distribution is exact if the columns or the target are normal, and close if either has no
    long tails. Where both have, a few rows decide. Under ``probes="all"``, a probe is then a column
    itself in random order, whose share varies more, by a known factor [3]_; and the best candidate
    must also hold its own against the best of all when the target is shuffled, 10 / ``alpha`` times
    (unless ``alpha`` is below 0.001: these would be too many). Columns whose tails are less long
    are preferred then. With a number of probes or as ``n_features``, the rule is the published one.
    Logarithms or ranks find more where tails are long.

    Only linear influence is seen. Mixed columns are coded by `thresher.columns.encode`, and sparse
    tables become dense. The time is proportional to the cells of the table and to the columns that
    enter.

    References
    ----------
    .. [1] Stoppiglia, Dreyfus, Dubois and Oussar, "Ranking a random feature for variable and
       feature selection", Journal of Machine Learning Research 3, 2003.
    .. [2] Chen, Billings and Luo, "Orthogonal least squares methods and their application to
       non-linear system identification", International Journal of Control 50, 1989.
    .. [3] Pitman, "Significance tests which may be applied to samples from any populations. II. The
       correlation coefficient test", Supplement to the Journal of the Royal Statistical Society 4,
       1937.

    Examples
    --------
    >>> from thresher.datasets import make_linear_masked
    >>> from thresher.filters import GramSchmidt
    >>> data = make_linear_masked(200, n_copies=3, n_irrelevant=20, random_state=0)
    >>> found = GramSchmidt().fit(data.X, data.y).selection_
    >>> found.selected
    ('x0', 'x4', 'x3', 'x5')
    >>> found.verdicts[1].kind, found.verdicts[1].masked_by
    ('redundant', 'x0')
    """

    def __init__(
        self,
        *,
        n_features: int | Literal["auto"] = "auto",
        alpha: float = 0.05,
        probes: int | Literal["all"] = "all",
        task: str = "auto",
        feature_groups: Any = None,
        keep: Sequence[str | int] = (),
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ):
        self.n_features = n_features
        self.alpha = alpha
        self.probes = probes
        self.task = task
        self.feature_groups = feature_groups
        self.keep = keep
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _findings(self, columns: Columns, target: Target, seed: int) -> Findings:
        columns, target = few_rows(columns, target, seed, most=_MOST_ROWS, who="GramSchmidt")
        most = most_features(self.n_features, columns)
        rule = ProbeRule(
            alpha=self.alpha,
            n_probes=None if self.probes == "all" else int(self.probes),
            n_wanted=most if isinstance(self.n_features, Integral) else None,
        )
        published = rule.n_wanted is not None or rule.n_probes is not None
        encoded = columns if columns.is_plain else encode(columns)
        with ONE_BLAS_THREAD:
            space = OrthogonalSpace(
                encoded.matrix,
                _goal(target),
                encoded.variables,
                n_shuffles=0 if published else _n_shuffles(self.alpha),
                alpha=self.alpha,
                seed=seed,
            )
            path = follow_probes(space, rule, columns.required)
            return account_path(columns, encoded, path, rule)


def _n_shuffles(alpha: float) -> int:
    """So many that ten of them may be as good at the level; none where that would be too many."""
    wanted = math.ceil(10 / alpha) - 1
    return wanted if wanted <= _MOST_SHUFFLES else 0


def _goal(target: Target) -> FloatArray:
    """The target as columns: numbers, or indicators of all classes but the most frequent one."""
    if target.classes is None:
        return np.asarray(target.values[:, None], dtype=np.float64)
    often = np.bincount(target.values, minlength=target.n_classes).argmax()
    others = np.delete(np.arange(target.n_classes), often)
    return np.asarray(target.values[:, None] == others, dtype=np.float64)
