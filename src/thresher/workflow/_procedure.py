"""The whole selection as one function of the rows, so that it can be repeated on others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from thresher.columns import CodedColumns, Columns, read_columns
from thresher.journal import NO_JOURNAL, Scope
from thresher.selection import Selection
from thresher.selectors import ACE

from ._allowance import Allowance
from ._enough import Wish, add_what_is_enough
from ._goals import with_goal
from ._join import capped, ending_of
from ._methods import accepts

__all__ = ["Procedure", "Sample"]

#: The screening's share of a budget, if the path to fewer columns follows.
_SCREENING = 0.6
#: Minimum time limit, so that an expired budget still yields an initial answer.
_INSTANT = 1e-3


@dataclass(frozen=True, eq=False)
class Procedure:
    """A screening by one selector, and a search for the smallest set that is enough.

    Parameters
    ----------
    selector : scikit-learn selector with ``selection_``
        Never fitted itself; clones of it are.
    groups : mapping of str to columns
        Columns that are kept or dropped as a group.
    keep : tuple of str
        Columns that stay in any case.
    task : {"classification", "regression"}
        The task, the same on all rows.
    wish : Wish, optional
        The goal, and what counts as enough. Without it, the screening is the answer.
    learner : classifier or regressor, optional
        The estimator whose losses decide what is enough.
    max_features : int, optional
        Largest number of columns.
    n_jobs : int, optional
        Number of workers.
    """

    selector: Any
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    keep: tuple[str, ...] = ()
    task: str = "auto"
    wish: Wish | None = None
    learner: Any = None
    max_features: int | None = None
    n_jobs: int | None = None

    def run(
        self, sample: "Sample", seed: int, allowance: Allowance, journal: Scope = NO_JOURNAL
    ) -> Selection:
        """Select among the columns of a table; the result does not depend on ``n_jobs``."""
        seeds = np.random.RandomState(seed).randint(1, 2**31 - 1, size=3).tolist()
        part = allowance if self.wish is None else allowance.share(_SCREENING)
        screening = journal.part("screening", self._limited)
        found = self._fit(self.selector, sample, seeds[0], part, screening)
        allowance = allowance.after(found.cost.evaluations)
        if self.wish is None:
            return self._limited(found)
        if self._is_over(found, allowance):
            return with_goal(found, self.wish.goal, limit=self._limited)
        return self._enough(found, sample, allowance, journal.part("path", self._limited))

    def _limited(self, found: Selection) -> Selection:
        if self.max_features is None:
            return found
        return capped(found, self.max_features, self._variables(found), self.keep)

    def _enough(
        self, found: Selection, sample: "Sample", allowance: Allowance, journal: Scope
    ) -> Selection:
        assert self.wish is not None
        # of a table too large for ACE, only the columns that FCBF has kept
        pool = sample if isinstance(self.selector, ACE) else sample.only(found.selected)
        return add_what_is_enough(
            found, pool.columns, pool.y, task=self.task, groups=self.groups,
            keep=self._kept(pool), wish=self.wish, estimator=self.learner,
            max_features=self.max_features, limit=self._limited, n_jobs=self.n_jobs,
            allowance=allowance,
            observer=sample.observer, journal=journal.of(sample.columns.names),
        )  # fmt: skip

    def _is_over(self, found: Selection, allowance: Allowance) -> bool:
        return allowance.is_spent or ending_of(found) in ("interrupted", "stopped")

    def _fit(
        self, selector: Any, sample: "Sample", seed: int, allowance: Allowance, journal: Scope
    ) -> Selection:
        own = clone(selector)
        present = set(sample.columns.names)
        wishes = {
            "random_state": seed,
            "task": self.task,
            "feature_groups": {n: m for n, m in self.groups.items() if present.issuperset(m)}
            or None,
            "keep": self._kept(sample),
            "max_time": _least(getattr(own, "max_time", None), allowance.seconds),
            "max_evaluations": _least(getattr(own, "max_evaluations", None), allowance.evaluations),
        }
        if self.n_jobs is not None:
            wishes["n_jobs"] = self.n_jobs
        if journal:
            # a stage may get other columns than before, if the budget was another
            wishes["journal"] = journal.of(sample.columns.names, seed)
        own.set_params(**{k: v for k, v in wishes.items() if accepts(type(own), k)})
        if hasattr(own, "observe"):
            own.observe(sample.observer)
        selection: Selection = own.fit(sample.columns, sample.y).selection_
        return selection

    def _kept(self, sample: "Sample") -> tuple[str, ...]:
        present = set(sample.columns.names)
        return tuple(name for name in self.keep if name in present)

    def _variables(self, selection: Selection) -> list[Sequence[str]]:
        grouped = {name for members in self.groups.values() for name in members}
        single = [[v.name] for v in selection.verdicts if v.name not in grouped]
        return [*self.groups.values(), *single]


@dataclass(frozen=True, eq=False)
class Sample:
    """Some rows of a table with their target, and the observer of what happens to them."""

    columns: Columns
    y: NDArray[Any]
    observer: Callable[..., Any]

    def only(self, names: Sequence[str]) -> "Sample":
        """Restrict it to some columns."""
        wanted = set(names)
        chosen = [p for p, name in enumerate(self.columns.names) if name in wanted]
        if isinstance(self.columns, CodedColumns):
            return replace(self, columns=self.columns.only(np.array(chosen)))
        names = [self.columns.names[p] for p in chosen]
        return replace(self, columns=read_columns(self.columns.take(chosen), names=names))

    def rows(self, rows: NDArray[np.intp]) -> "Sample":
        """Restrict it to some rows, and type its columns anew."""
        if isinstance(self.columns, CodedColumns):
            return replace(self, columns=self.columns.sample(rows), y=self.y[rows])
        table = self.columns.take(range(self.columns.n_variables), rows)
        columns = read_columns(table, names=self.columns.names)
        return replace(self, columns=columns, y=self.y[rows])


def _least(*limits: Any) -> Any:
    """The tightest of some limits, None if there is none; positive, as selectors demand."""
    known = [limit for limit in limits if limit is not None]
    return max(min(known), _INSTANT) if known else None
