"""Fits for many subsets and folds: spread over workers, none twice, and failures as asked for."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from thresher.journal import Entry, Scope
from thresher.parallel import Failure, Shared, stream_tasks

from ._baseline import baseline_losses
from ._finite import described
from ._folds import Fold, each_fold, nth_fold
from ._ledger import Ledger
from ._loss import loss_span
from ._problem import Problem
from ._refitting import refitted_losses, scored_loss
from ._subsets import Subset

__all__ = ["Hypothesis", "Refits"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
#: Which of several problems, and the subset to solve it with.
Hypothesis = tuple[int, Subset]
#: A hypothesis, a fold or its number, and the rows to test (all of the fold's if None).
Task = tuple[Hypothesis, int | Fold, IntArray | None]

#: So many fits may fail before one succeeds; then it is not the columns that are to blame.
_MOST_FAILURES = 50
#: Characters of a message that are kept.
_LONGEST = 2000
#: A subset without a loss gets that of knowing nothing, so many times.
_PENALTY = 10.0


class Owner(Protocol):
    """Whose fits they are."""

    journal: Scope
    failures: list[dict[str, str]]
    tentative: frozenset[Subset]


class Refits:
    """Fits of the estimators of some problems on the same folds.

    Parameters
    ----------
    problems : sequence of Problem
        With the same table, folds, loss and limits; each worker gets them once.
    n_jobs : int, optional
        Workers.
    owner : evaluator
        Has the journal, and is told of failures.
    """

    def __init__(self, problems: Sequence[Problem], n_jobs: int | None, owner: Owner):
        self._problems = Shared(tuple(problems))
        self._n_jobs = n_jobs
        self._owner = owner
        self._n_succeeded = 0
        self._deferred: dict[Subset, list[tuple[Failure, Task]]] = {}

    @property
    def _first(self) -> Problem:
        return self._problems.value[0]

    @property
    def all_failed(self) -> bool:
        """Whether there were failures, and nothing else."""
        return bool(self._owner.failures) and not self._n_succeeded

    def rows(
        self,
        hypotheses: Sequence[Hypothesis],
        rows: IntArray | None,
        count: Callable[[int], None],
    ) -> FloatArray:
        """Held-out losses of rows, of shape (n_hypotheses, n_rows), all in one go.

        ``count`` is told of the number of rows tested in each fold, when its turn comes.
        """
        folds = self._first.folds
        ledger = Ledger(len(hypotheses), folds.n_rows, rows)
        tested: list[IntArray] = []

        def tasks() -> Iterator[Task]:
            for fold, test in ledger.tests(each_fold(folds)):
                tested.append(test)
                count(len(test))
                for hypothesis in hypotheses:
                    yield hypothesis, fold.index, None if test is fold.test else test

        results = iter(self.losses(tasks()))
        for test in tested:
            ledger.add(test, np.array([next(results) for _ in hypotheses]).reshape(-1, len(test)))
        return ledger.means()

    def fold(self, hypotheses: Sequence[Hypothesis], fold: Fold) -> FloatArray:
        """Losses of all test rows of one fold, which may be one of the problem's or another."""
        where = fold if fold.index < 0 else fold.index
        found = self.losses((hypothesis, where, None) for hypothesis in hypotheses)
        return np.array(found).reshape(len(hypotheses), len(fold.test))

    def scores(self, hypotheses: Sequence[Hypothesis], chosen: IntArray | None) -> FloatArray:
        """Losses of whole folds under a scorer, of shape (n_hypotheses, n_folds)."""
        folds = self._first.folds
        n_folds = folds.n_rows if folds.leave_one_out else len(folds)
        wanted = range(n_folds) if chosen is None else chosen.tolist()
        tasks = [(hypothesis, fold, None) for hypothesis in hypotheses for fold in wanted]
        found = self._run(score_loss, "score of a fold", tasks, _penal_score)
        return np.array(found, dtype=np.float64).reshape(len(hypotheses), len(wanted))

    def losses(self, tasks: Iterable[Task]) -> list[FloatArray]:
        """Losses of some rows of a fold for each task."""
        return self._run(row_losses, "losses of a fit", tasks, _penal_losses)

    def _run(
        self,
        function: Callable[..., Any],
        what: str,
        tasks: Iterable[Task],
        penalty: Callable[[Problem, Fold, IntArray], Any],
    ) -> list[FloatArray]:
        """Results of all tasks: from the journal, from workers, or of a failure what it costs."""
        journal, first = self._owner.journal, self._first
        found: dict[int, Any] = {}
        given: list[tuple[int, Task, bytes]] = []
        failed: dict[int, tuple[Failure, Task]] = {}

        def settle(number: int, result: Any, task: Task) -> None:
            found[number] = result
            if isinstance(result, Failure):
                found[number] = self._penal(task, penalty)
                failed[number] = result, task
                if first.on_error == "raise" and task[0][1] not in self._owner.tentative:
                    self._tell(result, task)
            else:
                self._n_succeeded += 1

        def unknown() -> Iterator[Task]:
            for number, task in enumerate(tasks):
                key = journal.key(what, *self._key(task)) if journal else b""
                known = journal.find(key) if journal else None
                if known is None:
                    given.append((number, task, key))
                    yield task
                else:
                    settle(number, _read(known), task)

        results = stream_tasks(
            function, unknown(), self._n_jobs,
            shared=self._problems, guarded=True, timeout=first.timeout,
        )  # fmt: skip
        try:
            for at, result in enumerate(results):
                number, task, key = given[at]
                if journal and not (isinstance(result, Failure) and first.on_error == "raise"):
                    journal.add(key, _written(result), what)
                settle(number, result, task)
        except KeyboardInterrupt:
            results.abandon()  # a fit may take minutes, and the user has waited long enough
            raise
        finally:
            results.close()
        for number in sorted(failed):  # in their order, whoever came first
            self._tell_or_defer(*failed[number])
        return [found[number] for number in range(len(found))]

    def confirm(self, subsets: Iterable[Subset], part: int) -> None:
        """Take note that somebody wants to know of subsets that were fitted ahead of time."""
        for subset in subsets:
            left = []
            for failure, task in self._deferred.pop(subset, ()):
                if part in (-1, task[1]):
                    self._tell(failure, task)
                else:
                    left.append((failure, task))
            if left:
                self._deferred[subset] = left

    def _tell_or_defer(self, failure: Failure, task: Task) -> None:
        """What nobody asked for has not failed yet: how much that is depends on the workers."""
        subset = task[0][1]
        if subset in self._owner.tentative:
            self._deferred.setdefault(subset, []).append((failure, task))
        else:
            self._tell(failure, task)

    def _tell(self, failure: Failure, task: Task) -> None:
        """Write a failure down, or raise it, as asked for."""
        which, subset = task[0]
        problem, failures = self._problems.value[which], self._owner.failures
        told = {"subset": described(problem, subset), "error": _in_words(failure)}
        failures.append(told)
        too_many = not self._n_succeeded and len(failures) >= _MOST_FAILURES
        if problem.on_error == "raise" or too_many:
            error = failure.to_raise()
            if failure.kind in ("timeout", "died"):
                error.add_note(f"it was fitting on {told['subset']}")
            raise error

    def _penal(self, task: Task, penalty: Callable[[Problem, Fold, IntArray], Any]) -> Any:
        """What a failure costs."""
        (which, _), where, test = task
        problem = self._problems.value[which]
        fold = where if isinstance(where, Fold) else nth_fold(problem.folds, where)
        return penalty(problem, fold, fold.test if test is None else test)

    def _key(self, task: Task) -> tuple[Any, ...]:
        (which, subset), where, test = task
        fold = where if isinstance(where, Fold) else nth_fold(self._first.folds, where)
        return which, subset, fold.key, test


def row_losses(
    problems: tuple[Problem, ...],
    hypothesis: Hypothesis,
    where: int | Fold,
    test: IntArray | None,
) -> FloatArray:
    """Losses of some rows (all that are tested if None) of a fold: what a worker is asked for."""
    which, subset = hypothesis
    fold = where if isinstance(where, Fold) else nth_fold(problems[which].folds, where)
    return refitted_losses(problems[which], subset, fold, fold.test if test is None else test)


def score_loss(
    problems: tuple[Problem, ...], hypothesis: Hypothesis, fold: int, _test: None
) -> float:
    """Loss of a whole fold under a scorer: what a worker is asked for."""
    which, subset = hypothesis
    return scored_loss(problems[which], subset, nth_fold(problems[which].folds, fold))


def _penal_losses(problem: Problem, fold: Fold, test: IntArray) -> FloatArray:
    """The highest losses there are; without a bound, many times those of knowing nothing."""
    span = loss_span(problem.row_loss, n_classes=problem.target.n_classes)
    if span is None:
        worst = float(baseline_losses(problem, fold, fold.test).max())
        span = _PENALTY * (worst or 1.0)
    return np.full(len(test), span)


def _penal_score(problem: Problem, fold: Fold, _test: IntArray) -> float:
    """A loss worse than that of a model that knows nothing."""
    nothing = scored_loss(problem, frozenset(), fold)
    return nothing + max(1.0, abs(nothing)) if np.isfinite(nothing) else nothing


def _in_words(failure: Failure) -> str:
    return f"{failure.kind}: {failure.message[:_LONGEST]}"


def _written(result: Any) -> Entry:
    if isinstance(result, Failure):
        return Entry((), {"kind": result.kind, "message": result.message[:_LONGEST]})
    return Entry((np.asarray(result, dtype=np.float64),))


def _read(entry: Entry) -> Any:
    if entry.arrays:
        return entry.arrays[0] if entry.arrays[0].ndim else float(entry.arrays[0])
    return Failure(str(entry.note["kind"]), str(entry.note["message"]))
