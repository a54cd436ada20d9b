"""The whole selection as one function of the rows, so that it can be repeated on others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

from thresher.columns import CodedColumns, Columns, read_columns, with_groups
from thresher.journal import NO_JOURNAL, Scope
from thresher.selection import Selection
from thresher.selectors import RVErS, Stepwise

from ._allowance import Allowance
from ._join import capped, ending_of, joined
from ._methods import accepts, needs_encoding

__all__ = ["Procedure", "Sample"]

#: The screening's share of a budget, if a refinement follows.
_SCREENING = 0.6
#: By how much the loss may rise when columns are removed, as a share of the errors of knowing
#: nothing: of all rows, or of the variance.
_TOLERANCE = 0.002
#: When time is over, the first answer is wanted all the same.
_INSTANT = 1e-3


@dataclass(frozen=True, eq=False)
class Procedure:
    """A screening by one selector, and a refinement for a learner if there is one.

    Parameters
    ----------
    selector : scikit-learn selector with ``selection_``
        Never fitted itself; clones of it are.
    groups : mapping of str to columns
        Columns that stand or fall together.
    keep : tuple of str
        Columns that stay in any case.
    task : {"classification", "regression"}
        What the target is, the same on all rows.
    learner : classifier or regressor, optional
        For whom a raced elimination removes what is not missed.
    max_features : int, optional
        Columns at most.
    n_jobs : int, optional
        Workers.
    """

    selector: Any
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    keep: tuple[str, ...] = ()
    task: str = "auto"
    learner: Any = None
    max_features: int | None = None
    n_jobs: int | None = None

    def run(
        self, sample: "Sample", seed: int, allowance: Allowance, journal: Scope = NO_JOURNAL
    ) -> Selection:
        """Select among the columns of a table; the result does not depend on ``n_jobs``."""
        seeds = np.random.RandomState(seed).randint(1, 2**31 - 1, size=3).tolist()
        part = allowance if self.learner is None else allowance.share(_SCREENING)
        stages: dict[str, Selection] = {}

        def pages(stage: str) -> Scope:
            return journal.part(stage, lambda own: self._whole({**stages, stage: own}))

        found = self._fit(self.selector, sample, seeds[0], part, pages("screening"))
        stages["screening"] = found
        if self.learner is not None:
            self._refine(stages, sample, seeds[1:], allowance, pages)
        return self._whole(stages)

    def _whole(self, stages: Mapping[str, Selection]) -> Selection:
        whole = joined(stages, type(self.learner).__name__, self.max_features)
        if self.max_features is None:
            return whole
        return capped(whole, self.max_features, self._variables(whole), self.keep)

    def _refine(
        self,
        stages: dict[str, Selection],
        sample: "Sample",
        seeds: list[int],
        allowance: Allowance,
        pages: Callable[[str], Scope],
    ) -> None:
        """Remove what the learner does not miss; beyond that, down to the number asked for."""
        found = stages["screening"]
        allowance = allowance.after(found.cost.evaluations)
        if len(found.selected) < 2 or self._is_over(found, allowance):
            return
        gentle = RVErS(self.learner, tolerance=_tolerance(self.learner, sample.y))
        pool = sample.only(found.selected)
        found = self._fit_learner(gentle, pool, seeds[0], allowance, pages("refinement"))
        stages["refinement"] = found
        most = self.max_features
        allowance = allowance.after(found.cost.evaluations)
        if most is None or len(found.selected) <= most or self._is_over(found, allowance):
            return
        if not self.groups:  # a number of columns is no number of groups
            firm = Stepwise(self.learner, direction="backward", n_features=most, judge="brace")
            pool = sample.only(found.selected)
            own = pages("reduction")
            stages["reduction"] = self._fit_learner(firm, pool, seeds[1], allowance, own)

    def _is_over(self, found: Selection, allowance: Allowance) -> bool:
        return allowance.is_spent or ending_of(found) in ("interrupted", "stopped")

    def _fit_learner(
        self, wrapper: Any, pool: "Sample", seed: int, allowance: Allowance, journal: Scope
    ) -> Selection:
        kept = with_groups(pool.columns, None, self._kept(pool))
        wrapper.set_params(encode=needs_encoding(self.learner, kept))
        return self._fit(wrapper, pool, seed, allowance, journal)

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
    """Some rows of a table with their target, and who is told what happens to them."""

    columns: Columns
    y: NDArray[Any]
    observer: Callable[..., Any]

    def only(self, names: Sequence[str]) -> "Sample":
        """Cut it down to some columns."""
        wanted = set(names)
        chosen = [p for p, name in enumerate(self.columns.names) if name in wanted]
        if isinstance(self.columns, CodedColumns):
            return replace(self, columns=self.columns.only(np.array(chosen)))
        names = [self.columns.names[p] for p in chosen]
        return replace(self, columns=read_columns(self.columns.take(chosen), names=names))

    def rows(self, rows: NDArray[np.intp]) -> "Sample":
        """Cut it down to some rows, and look at its columns anew."""
        if isinstance(self.columns, CodedColumns):
            return replace(self, columns=self.columns.sample(rows), y=self.y[rows])
        table = self.columns.take(range(self.columns.n_variables), rows)
        columns = read_columns(table, names=self.columns.names)
        return replace(self, columns=columns, y=self.y[rows])


def _least(*limits: Any) -> Any:
    """The tightest of some limits, None if there is none; a selector wants it to be positive."""
    known = [limit for limit in limits if limit is not None]
    return max(min(known), _INSTANT) if known else None


def _tolerance(learner: Any, y: NDArray[Any]) -> float:
    return _TOLERANCE * (1.0 if is_classifier(learner) else float(np.var(y.astype(np.float64))))
