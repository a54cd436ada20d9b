"""The honest figure: the whole selection repeated in each fold, judged on rows it has not seen."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from thresher.columns import Columns
from thresher.evaluators import Evaluator, evaluator_for
from thresher.journal import NO_JOURNAL, Scope
from thresher.selection import Interval, Validation
from thresher.stats import held_out_interval

from ._learner import as_numbers
from ._methods import needs_encoding

__all__ = ["Judge", "Repetition", "summarised"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Random choices of equally many columns in each fold.
_DRAWS = 5
CONFIDENCE = 0.95


@dataclass(frozen=True, eq=False)
class Repetition:
    """One fold: what was selected from its training rows, and the losses of the rows held out.

    ``losses`` has an array of shape (n_test,) for "selected", "all", "random" and "none", and
    ``n_columns`` the number of columns behind each.
    """

    n_train: int
    test: IntArray
    losses: dict[str, FloatArray]
    n_columns: dict[str, float]


class Judge:
    """Learns from the training rows of a fold with several sets of columns.

    Parameters
    ----------
    learner : classifier or regressor
        Who learns.
    variables : Columns
        All columns and rows, with their groups.
    y : array of shape (n_rows,)
        The target.
    named : bool
        Whether the user asked for this learner; it then sees the table as in a selector. One that
        nobody asked for is made of trees, for which numbered levels will do.
    loss : str, optional
        Its loss; "zero_one" or "squared" if None.
    n_jobs : int, optional
        Workers.
    """

    def __init__(
        self,
        learner: Any,
        variables: Columns,
        y: NDArray[Any],
        *,
        named: bool,
        loss: str | None,
        n_jobs: int | None,
    ):
        self.learner = learner
        self.loss = loss or ("zero_one" if is_classifier(learner) else "squared")
        self._encode = named and needs_encoding(learner, variables)
        self._columns = variables if named else as_numbers(variables)
        self._y = y
        self._n_jobs = n_jobs
        self._variable_of = {
            variables.names[p]: v
            for v, members in enumerate(variables.variables)
            for p in members.tolist()
        }

    def judge(
        self,
        selected: Sequence[str],
        train: IntArray,
        test: IntArray,
        seed: int,
        journal: Scope = NO_JOURNAL,
    ) -> Repetition:
        """Return the losses of a fold."""
        evaluator = self._evaluator(train, test, seed)
        evaluator.journal = journal
        chosen = frozenset(self._variable_of[name] for name in selected)
        everything = frozenset(range(self._columns.n_variables))
        size = len(self._columns.columns_of(chosen))
        draws = list(self._draws(size, np.random.default_rng(seed)))
        # threads inside a learner wait for each other where cores are busy; workers do not
        with threadpool_limits(limits=1, user_api="openmp"):
            losses = evaluator.losses([chosen, everything, frozenset(), *draws], rows=test)
        drawn = float(np.mean([len(self._columns.columns_of(subset)) for subset in draws]))
        return Repetition(
            len(train),
            test,
            {
                "selected": losses[0],
                "all": losses[1],
                "random": losses[3:].mean(axis=0),
                "none": losses[2],
            },
            {"selected": size, "all": self._columns.n_columns, "random": drawn, "none": 0},
        )

    def _evaluator(self, train: IntArray, test: IntArray, seed: int) -> Evaluator:
        return evaluator_for(
            self.learner, self._columns, self._y,
            cv=[(train, test)], loss=self.loss, encode=self._encode, n_jobs=self._n_jobs,
            random_state=seed,
        )  # fmt: skip

    def _draws(self, size: int, rng: np.random.Generator) -> Iterator[frozenset[int]]:
        """Choose as many columns at random, whole groups, and those kept in any case among them."""
        variables, required = self._columns.variables, self._columns.required
        others = [v for v in range(len(variables)) if v not in required]
        for _ in range(_DRAWS):
            left = size - len(self._columns.columns_of(required))
            drawn = set(required)
            for v in rng.permutation(others).tolist():
                if len(variables[v]) <= left:
                    drawn.add(v)
                    left -= len(variables[v])
            yield frozenset(drawn)


def summarised(
    repetitions: Sequence[Repetition], judge: Judge, started: float
) -> Validation | None:
    """Put the folds together; None if there are not enough to say anything."""
    if len(repetitions) < 2:
        return None
    rows = np.unique(np.concatenate([own.test for own in repetitions]))
    losses = {name: _by_row(repetitions, rows, name) for name in repetitions[0].losses}
    n_train = float(np.mean([own.n_train for own in repetitions]))
    errors = judge.loss == "zero_one"

    def interval(values: FloatArray, of: Literal["errors", "differences of errors"]) -> Interval:
        found = held_out_interval(
            values, n_train, of=of if errors else "numbers", confidence=CONFIDENCE
        )
        low = max(found.low, 0.0) if of == "errors" else found.low  # no loss is negative
        return Interval(found.mean, low, found.high)

    return Validation(
        losses={name: interval(own, "errors") for name, own in losses.items()},
        differences={
            name: interval(losses["selected"] - own, "differences of errors")
            for name, own in losses.items()
            if name != "selected"
        },
        n_columns={
            name: float(np.mean([own.n_columns[name] for own in repetitions])) for name in losses
        },
        loss=judge.loss,
        learner=repr(judge.learner),
        n_folds=len(repetitions),
        n_rows=len(rows),
        confidence=CONFIDENCE,
        seconds=time.perf_counter() - started,
    )


def _by_row(repetitions: Sequence[Repetition], rows: IntArray, name: str) -> FloatArray:
    """Mean loss of each row over the folds that held it out."""
    total, count = np.zeros(len(rows)), np.zeros(len(rows))
    for own in repetitions:
        place = np.searchsorted(rows, own.test)
        np.add.at(total, place, own.losses[name])
        np.add.at(count, place, 1)
    return total / count
