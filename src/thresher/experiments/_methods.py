"""The methods that experiments compare: each returns the positions of the columns it selects."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.filters import CFS, FCBF, GramSchmidt, ReliefF
from thresher.selectors import ACE

from ._cells import Spread
from ._picture import Panel, Series

__all__ = [
    "QUICK",
    "ace",
    "cfs",
    "fcbf",
    "gram_schmidt",
    "group_panel",
    "percent",
    "relief",
    "rfe",
]

GROUPS = ("relevant", "redundant", "irrelevant")
#: Settings of ACE where it need only show that all works.
QUICK: dict[str, Any] = {"n_trees": 10}


def ace(X: Any, y: Any, seed: int, task: str, **settings: Any) -> tuple[int, ...]:
    """ACE on one thread."""
    selector = ACE(random_state=seed, n_jobs=1, task=task, **settings).fit(X, y)
    return _positions(selector.support_)


def rfe(X: Any, y: Any, n_features: int, task: str) -> tuple[int, ...]:
    """Recursive elimination around a linear support vector machine, told how many to keep.

    Categories of generated data are numbers already.
    """
    from sklearn.feature_selection import RFE
    from sklearn.preprocessing import scale
    from sklearn.svm import LinearSVC, LinearSVR

    if task == "classification":
        machine, target = LinearSVC(dual=False), y
    else:
        # the squared loss has a primal solver that is fast and converges
        machine = LinearSVR(loss="squared_epsilon_insensitive", dual=False)
        target = scale(np.asarray(y, dtype=np.float64))
    fitted = RFE(machine, n_features_to_select=n_features)
    return _positions(fitted.fit(scale(np.asarray(X, dtype=np.float64)), target).support_)


def cfs(X: Any, y: Any, seed: int, task: str, search: str = "best-first") -> tuple[int, ...]:
    """Correlation-based selection, best-first or by a genetic algorithm."""
    return _positions(CFS(search=search, task=task, random_state=seed).fit(X, y).support_)


def fcbf(X: Any, y: Any, task: str) -> tuple[int, ...]:
    """Return what the fast correlation-based filter selects."""
    return _positions(FCBF(task=task).fit(X, y).support_)


def gram_schmidt(X: Any, y: Any, task: str) -> tuple[int, ...]:
    """Orthogonalisation until random columns would do as well."""
    return _positions(GramSchmidt(task=task).fit(X, y).support_)


def relief(X: Any, y: Any, n_features: int, task: str) -> tuple[int, ...]:
    """ReliefF (RReliefF), told how many to keep."""
    return _positions(ReliefF(n_features=n_features, task=task, n_jobs=1).fit(X, y).support_)


def percent(chosen: tuple[int, ...], group: Any) -> float:
    """Return how much of a group of columns was chosen."""
    members = set(group)
    return 100 * len(members.intersection(chosen)) / len(members)


def group_panel(title: str, shares: Mapping[str, NDArray[np.float64]]) -> Panel:
    """Show what each method selects of the groups: bars as in the figures of the ACE paper.

    Parameters
    ----------
    title : str
        What the data are.
    shares : mapping of arrays of shape (n_data_sets, 3)
        For each method, the percent of the relevant, redundant and irrelevant columns.
    """
    series = []
    for at, group in enumerate(GROUPS):
        found = [Spread.of(of_method[:, at]) for of_method in shares.values()]
        means, spreads = tuple(each.mean for each in found), tuple(each.sd for each in found)
        series.append(Series(group, tuple(shares), means, spreads))
    return Panel(title, "", "percent selected", tuple(series), "bar", y_range=(0.0, 100.0))


def _positions(support: Any) -> tuple[int, ...]:
    return tuple(np.flatnonzero(support).tolist())
