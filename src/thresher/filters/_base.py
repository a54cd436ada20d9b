"""What all filters share: from ``fit`` to verdicts, without a learner."""

import sys
import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from thresher.columns import Columns
from thresher.evaluators import Target
from thresher.selection import Cost, Kind, Selection, Verdict
from thresher.selectors._account import library_versions
from thresher.selectors._base import BaseSelector
from thresher.selectors._parameters import check_parameters
from thresher.selectors._target import target_of

__all__ = [
    "BaseFilter",
    "Findings",
    "Judgement",
    "among_best",
    "best_column",
    "best_of",
    "most_features",
    "names_of",
    "nearer_to",
    "ranking_of",
    "refuse_one_row",
    "scores_of",
    "tag_any_table",
    "varying_target",
    "verdicts_of",
]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Judgement:
    """What a filter decided about one variable.

    Parameters
    ----------
    kind : {"relevant", "redundant", "irrelevant"}
        The verdict.
    reason : str
        Why, in a sentence.
    p_value : float, optional
        Of the test that decided, where there is one.
    masked_by : int, optional
        The selected variable that makes a redundant one superfluous.
    step : int, optional
        The entry of the trace at which it was decided.
    """

    kind: Kind
    reason: str
    p_value: float | None = None
    masked_by: int | None = None
    step: int | None = None


@dataclass(frozen=True, eq=False)
class Findings:
    """What a filter found.

    Parameters
    ----------
    selected : sequence of int
        Variables, the best first.
    scores : array of shape (n_columns,)
        Of each column; the higher, the better.
    judgements : sequence of Judgement
        Of each variable.
    trace : sequence of mappings
        What happened at each step, where there were any.
    evaluations : int
        What was computed: scores of columns, correlations of pairs, losses of subsets.
    losses : int
        Row losses, where a learner took part.
    ending : str
        How it ended, where it could be cut short.
    """

    selected: Sequence[int]
    scores: FloatArray
    judgements: Sequence[Judgement]
    trace: Sequence[Mapping[str, Any]] = ()
    evaluations: int = 0
    losses: int = 0
    ending: str = "complete"


class BaseFilter(BaseSelector):
    """A selector that judges columns by statistics; subclasses say by which.

    A subclass has a constructor that stores its parameters, ``task``, ``feature_groups``, ``keep``,
    ``n_jobs``, ``random_state`` and ``verbose`` among them, and a method ``_findings``. The rest is
    done here: any table is read, constant columns are set apart, verdicts are written.
    """

    task: str
    n_jobs: int | None
    random_state: Any
    verbose: int

    @abstractmethod
    def _findings(self, columns: Columns, target: Target, seed: int) -> Findings:
        """Judge the variables of a table without constant ones.

        Parameters
        ----------
        columns : Columns
            The table; ``columns.variables`` has the positions of the columns of each variable.
        target : Target
            Its ``values`` are numbers; where it has ``classes``, these are positions in them.
        seed : int
            For random numbers, if it needs any.
        """

    def fit(self, X: Any, y: Any = None) -> Any:
        """Find the columns that matter.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            The inputs: numbers, categories, dates, missing cells.
        y : array-like of shape (n_rows,)
            The target: classes or numbers.

        Returns
        -------
        self
        """
        check_parameters(self.get_params(deep=False))
        table = self._columns(X)
        refuse_one_row(type(self).__name__, table.n_rows)
        target = self._target(y, table.n_rows)
        columns = table.informative()
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        started = time.perf_counter()
        found = self._findings(columns, target, seed)
        seconds = time.perf_counter() - started
        self._set_results(table, columns, found, {"seed": seed, "seconds": seconds})
        return self

    def _target(self, y: Any, n_rows: int) -> Target:
        """Check the target."""
        return varying_target(y, n_rows, self.task)

    def _set_results(
        self, table: Columns, columns: Columns, found: Findings, how: Mapping[str, Any]
    ) -> None:
        params = {name: repr(value) for name, value in self.get_params(deep=False).items()}
        self.selection_ = Selection(
            selected=names_of(columns, found),
            verdicts=verdicts_of(table, columns, found),
            trace=tuple(dict(step) for step in found.trace),
            cost=Cost(evaluations=found.evaluations, losses=found.losses, seconds=how["seconds"]),
            method=type(self).__name__,
            settings={**params, "seed": how["seed"], "ending": found.ending},
            versions=library_versions(),
        )
        self.support_ = np.array([v.kind == "relevant" for v in self.selection_.verdicts])
        self.n_features_ = int(self.support_.sum())
        self.ranking_ = ranking_of(table, columns, found)
        self.scores_ = scores_of(table, columns, found)
        if self.verbose:
            print(
                f"{type(self).__name__}: {self.n_features_} of {table.n_columns} columns "
                f"in {how['seconds']:.2f} s",
                file=sys.stderr,
            )

    def __sklearn_tags__(self) -> Any:
        return tag_any_table(super().__sklearn_tags__())


def tag_any_table(tags: Any) -> Any:
    """Tell scikit-learn that tables may be sparse and hold categories and missing cells."""
    tags.input_tags.allow_nan = True
    tags.input_tags.categorical = True
    tags.input_tags.string = True
    tags.input_tags.sparse = True
    return tags


def best_of(columns: Columns, scores: FloatArray) -> FloatArray:
    """Score of each variable: that of its best column."""
    if columns.is_ungrouped:
        return scores
    return np.array([scores[members].max() for members in columns.variables])


def best_column(columns: Columns, scores: FloatArray, variable: int) -> int:
    """Position of the best column of a variable."""
    members = columns.variables[variable]
    return int(members[np.argmax(scores[members])])


def nearer_to(name: str, shared: float, with_target: float) -> str:
    """Say that a column has at least as much to do with another one as with the target.

    Examples
    --------
    >>> nearer_to("age", 0.5, 0.25)
    'closer to age (0.5) than to the target (0.25)'
    """
    near, than = ("closer to", "than") if shared > with_target else ("as close to", "as")
    return f"{near} {name} ({shared:.2g}) {than} to the target ({with_target:.2g})"


def refuse_one_row(method: str, n_rows: int) -> None:
    """Refuse a table that nothing can be told from."""
    if n_rows < 2:
        raise ValueError(f"{method} needs at least 2 rows; got n_samples = {n_rows}, 1 sample")


def varying_target(y: Any, n_rows: int, task: str) -> Target:
    """Check a target; one that is the same in all rows cannot be explained."""
    target = target_of(y, n_rows, task)
    values = target.values
    if (values == values[0]).all():  # classes are known to differ
        raise ValueError(
            f"y is constant ({values[0]:g} in all {n_rows} rows): nothing can explain it"
        )
    return target


def most_features(n_features: Any, columns: Columns) -> int:
    """Return the most variables to select; all of them for "auto"."""
    if isinstance(n_features, str) and n_features == "auto":
        return columns.n_variables
    whole = isinstance(n_features, Integral) and not isinstance(n_features, bool)
    if not whole or not 1 <= n_features <= columns.n_variables:
        raise ValueError(
            f"n_features must be 'auto' or lie in 1 .. {columns.n_variables}, the number of "
            f"variables that are not constant; got {n_features!r}"
        )
    return int(n_features)


def among_best(n_wanted: int, columns: Columns) -> str:
    """Say what a variable must be to be among so many, some of which are kept in any case."""
    n_kept = len(columns.required)
    if not n_kept:
        return f"among the best {n_wanted}"
    return f"among the best {max(0, n_wanted - n_kept)} beside the {n_kept} to keep"


def names_of(columns: Columns, found: Findings) -> tuple[str, ...]:
    """Names of the selected columns, the best first, in groups as well."""
    return tuple(
        columns.names[p]
        for variable in found.selected
        for p in sorted(columns.variables[variable].tolist(), key=lambda p: -found.scores[p])
    )


def verdicts_of(table: Columns, columns: Columns, found: Findings) -> tuple[Verdict, ...]:
    """Return a verdict for each column of the whole table, constant ones included."""
    made = {}
    for members, judged in zip(columns.variables, found.judgements, strict=True):
        masked_by = None
        if judged.masked_by is not None:
            masked_by = columns.names[best_column(columns, found.scores, judged.masked_by)]
        for p in members.tolist():
            made[columns.names[p]] = Verdict(
                columns.names[p],
                judged.kind,
                float(found.scores[p]),
                judged.p_value,
                masked_by,
                judged.step,
                judged.reason,
            )
    return tuple(
        made.get(name, Verdict(name, "irrelevant", reason="constant")) for name in table.names
    )


def ranking_of(table: Columns, columns: Columns, found: Findings) -> NDArray[np.intp]:
    """1 for selected columns, then the others by their score, constant ones last."""
    best = best_of(columns, found.scores)
    chosen = frozenset(found.selected)
    dropped = [v for v in np.argsort(-best, kind="stable").tolist() if v not in chosen]
    rank_of = {columns.names[p]: 1 for p in columns.columns_of(chosen)}
    for rank, variable in enumerate(dropped, start=2):
        rank_of |= {columns.names[p]: rank for p in columns.variables[variable]}
    return np.array([rank_of.get(name, len(dropped) + 2) for name in table.names], dtype=np.intp)


def scores_of(table: Columns, columns: Columns, found: Findings) -> FloatArray:
    """Score of each column of the whole table; NaN for constant ones."""
    score_of = dict(zip(columns.names, found.scores.tolist(), strict=True))
    return np.array([score_of.get(name, np.nan) for name in table.names])
