"""What all evaluators share: shapes, counts, the empty subset, repeated and missing hold-outs."""

import operator
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from thresher.journal import NO_JOURNAL, Scope
from thresher.parallel import effective_n_jobs, run_in_threads, slices

from ._baseline import baseline_losses
from ._finite import finite_losses
from ._folds import Fold
from ._ledger import Ledger
from ._loss import loss_span
from ._problem import Problem
from ._subsets import Flips, Removals, Subset, some_of

__all__ = ["Evaluator", "FastEvaluator"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Subsets and rows of draws that are tried crosswise.
_CROSSWISE = 32


class Evaluator(ABC):
    """Held-out losses of subsets of variables.

    Attributes
    ----------
    n_variables : int
        Subsets are sets of the positions 0 .. n_variables - 1.
    n_blocks : int
        What losses are paired over: the rows of the table, or the folds under a scorer.
    unit : {"row", "fold"}
        Which of the two it is.
    n_losses : int
        Losses computed so far.
    n_fits : int
        Hypotheses trained and tested so far, one per subset and fold (per row in leave-one-out).
    growth : float
        How many rows a race may ask for at once, as a share of those it has seen: small where
        losses are dear, since some will have been computed for nothing.
    takes_samples : bool
        Whether `sample_losses` can learn from any rows; else only from the folds.
    journal : Scope
        Where dear results are written down and looked up.
    tentative : frozenset of subsets
        What nobody has asked for, but somebody may: it cannot fail before `confirm` is called.
    failures : list of dict
        Fits that failed and were passed over: the ``subset`` in words and the ``error``.
    journals_tasks : bool
        Whether it does so by itself, fit by fit; else whoever asks may keep the answers.
    """

    unit: ClassVar[str] = "row"
    growth: ClassVar[float] = 1 / 16
    takes_samples: ClassVar[bool] = False
    journals_tasks: ClassVar[bool] = False

    def __init__(self, problem: Problem):
        self.problem = problem
        self.journal: Scope = NO_JOURNAL
        self.failures: list[dict[str, str]] = []
        self.tentative: frozenset[Subset] = frozenset()
        self.n_variables = problem.columns.n_variables
        self.n_losses = 0
        self.n_fits = 0
        self._lock = threading.Lock()
        self._known_base: Subset | None = None
        self._everything = frozenset(range(self.n_variables))

    @classmethod
    @abstractmethod
    def supports(cls, problem: Problem) -> bool:
        """Whether this class gives exactly what refitting the learner would give."""

    @classmethod
    def for_problem(cls, problem: Problem) -> Self | None:
        """Return an evaluator, or None if the problem is not supported.

        Worth overriding where telling takes most of the work of building one.
        """
        return cls(problem) if cls.supports(problem) else None

    @property
    def n_blocks(self) -> int:
        """The number of columns in what `losses` returns by default."""
        return self.problem.columns.n_rows

    @property
    def weights(self) -> FloatArray | None:
        """How much each block counts in a mean; None if all count the same."""
        return self.problem.weights

    @property
    def baseline(self) -> float | None:
        """Mean loss of predicting without any variable; None under a scorer."""
        if self.problem.loss is None:
            return None
        return float(
            np.mean([baseline_losses(self.problem, f, f.test).mean() for f in self.problem.folds])
        )

    @property
    def held_out(self) -> IntArray:
        """The blocks that are held out at least once."""
        held_out = np.zeros(self.problem.folds.n_rows, dtype=np.bool_)
        for fold in self.problem.folds:
            held_out[fold.test] = True
        return np.flatnonzero(held_out)

    @property
    def parts(self) -> Sequence[IntArray] | None:
        """Rows whose losses come together because they cost one fit; None if rows are single."""
        return None

    def confirm(self, subsets: Sequence[Subset], part: int) -> None:  # noqa: B027
        """Take note that losses of subsets are wanted after all, on a part (-1: on all rows)."""

    @property
    def all_failed(self) -> bool:
        """Whether there were failures, and nothing else."""
        return False

    @property
    def is_quick(self) -> bool:
        """Whether losses cost next to nothing: no fit, not even in a kernel."""
        return False

    def part_losses(self, subsets: Iterable[Iterable[int]], part: int) -> FloatArray:
        """Losses of the rows of one of the ``parts``, of shape (n_subsets, len(parts[part]))."""
        raise TypeError(f"{type(self).__name__} has no parts: ask for rows")

    def sample_losses(
        self, subsets: Iterable[Iterable[int]], rows: IntArray, train: IntArray
    ) -> FloatArray:
        """Losses of rows that are predicted from some others, whatever the folds.

        Parameters
        ----------
        subsets : iterable of iterables of int
            Positions of variables.
        rows : int array
            To predict.
        train : int array
            To learn from.

        Returns
        -------
        array of shape (n_subsets, len(rows))
        """
        if not self.takes_samples:
            raise TypeError(f"{type(self).__name__} learns from the rows of its folds only")
        fold = Fold(-1, self._checked_rows(train), self._checked_rows(rows))
        if not len(train):
            raise ValueError("train is empty: there must be rows to learn from")
        return self._sample_losses(self._checked(subsets), fold)

    def _sample_losses(self, subsets: Sequence[Subset], fold: Fold) -> FloatArray:
        """Do what `sample_losses` says, on checked arguments."""
        raise TypeError(f"{type(self).__name__} says that it takes samples, but not how")

    def draw_losses(self, masks: NDArray[np.bool_], units: IntArray) -> FloatArray:
        """Loss of each of many subsets on a block of its own.

        Parameters
        ----------
        masks : bool array of shape (n_draws, n_variables)
            One subset per draw.
        units : int array of shape (n_draws,)
            The row it is tested on; where there are ``parts``, the part, and the loss is a mean.

        Returns
        -------
        array of shape (n_draws,)
        """
        subsets = [frozenset(np.flatnonzero(mask).tolist()) for mask in masks]
        return np.array(
            [
                self._losses([subset], np.array([unit]))[0, 0]
                for subset, unit in zip(subsets, units, strict=True)
            ]
        )

    @property
    def loss_span(self) -> float | None:
        """The largest difference there can be between two losses; None if no bound is known."""
        if self.problem.loss is None:
            return None
        return loss_span(self.problem.loss, n_classes=self.problem.target.n_classes)

    def losses(
        self, subsets: Iterable[Iterable[int]], rows: Sequence[int] | IntArray | None = None
    ) -> FloatArray:
        """Return the held-out loss of every row under each subset.

        Parameters
        ----------
        subsets : iterable of iterables of int
            Positions of variables. `Flips` and `Removals` take a faster path.
        rows : sequence of int, optional
            Only these rows (folds, where ``unit`` is "fold"), in this order.

        Returns
        -------
        array of shape (n_subsets, n_blocks or len(rows))
            NaN where a row is never held out. A row held out several times gets its mean loss.
        """
        family = self._checked(subsets)
        wanted = None if rows is None else self._checked_rows(rows)
        return self._losses(family, wanted)

    @abstractmethod
    def _losses(self, subsets: Sequence[Subset], rows: IntArray | None) -> FloatArray:
        """Do what `losses` says, on checked arguments."""

    def _checked(self, subsets: Iterable[Iterable[int]]) -> Sequence[Subset]:
        if isinstance(subsets, Flips):
            mentioned = subsets.base.union(subsets.variables)
            family: Sequence[Subset] = subsets
        elif isinstance(subsets, Removals):
            if subsets.base is self._known_base:
                return subsets  # a large base, asked about again and again
            mentioned, family = subsets.base, subsets
        else:
            family = [frozenset(operator.index(v) for v in subset) for subset in subsets]
            mentioned = frozenset[int]().union(*family)
        if not mentioned <= self._everything:
            raise ValueError(
                f"subsets hold positions of variables, 0 to {self.n_variables - 1}; "
                f"got {sorted(mentioned - self._everything)[:5]}"
            )
        if isinstance(subsets, Removals):
            self._known_base = subsets.base
        return family

    def _checked_rows(self, rows: Sequence[int] | IntArray) -> IntArray:
        wanted = np.asarray(rows)
        if wanted.size and wanted.dtype.kind not in "iu":
            raise ValueError(f"rows must be whole numbers; got {wanted.dtype}")
        wanted = wanted.astype(np.intp).reshape(-1)
        if wanted.size and not (0 <= wanted.min() and wanted.max() < self.n_blocks):
            raise ValueError(f"rows must lie in 0 .. {self.n_blocks - 1}")
        return wanted

    def _count(self, n_subsets: int, n_losses: int, n_hypotheses: int) -> None:
        with self._lock:
            self.n_losses += n_subsets * n_losses
            self.n_fits += n_subsets * n_hypotheses


class FastEvaluator(Evaluator):
    """An evaluator that uses the structure of its learner instead of refitting it.

    A subclass says which learners it supports and computes the losses of some rows of one fold; the
    rest (threads, the empty subset, rows held out twice or never) happens here. No hook ever
    sees an empty subset among those to be judged; the base of flips may be empty.

    Attributes
    ----------
    splits_flips : bool
        Whether threads may share out flips. Not where matrix products would then have other shapes
        and round differently: the result must not depend on ``n_jobs``.
    """

    splits_flips: ClassVar[bool] = True
    growth: ClassVar[float] = 1.0

    @property
    def is_quick(self) -> bool:
        """Whether losses come row by row; where whole parts come at once, something is fitted."""
        return self.parts is None

    @abstractmethod
    def _held_out(self, subsets: Sequence[Subset], fold: Fold, test: IntArray) -> FloatArray:
        """Losses of the rows ``test`` of ``fold``: an array of shape (n_subsets, len(test))."""

    def _held_out_flips(self, flips: Flips, fold: Fold, test: IntArray) -> FloatArray:
        """Do the same for flips of one base; worth overriding where one flip is cheap."""
        return self._held_out(list(flips), fold, test)

    def _held_out_removals(self, removals: Removals, fold: Fold, test: IntArray) -> FloatArray:
        """Do the same for what is left of one base; worth overriding where removing is cheap."""
        return self._held_out(list(removals), fold, test)

    def draw_losses(self, masks: NDArray[np.bool_], units: IntArray) -> FloatArray:
        """Loss of each of many subsets on a row of its own; see `Evaluator.draw_losses`."""
        total, times = np.zeros(len(units)), np.zeros(len(units), dtype=np.intp)
        empty = ~masks.any(axis=1)
        n_jobs = effective_n_jobs(self.problem.n_jobs)
        for fold in self.problem.folds:
            mine = np.isin(units, fold.test)
            nothing = np.flatnonzero(mine & empty)
            total[nothing] += baseline_losses(self.problem, fold, units[nothing])
            something = np.flatnonzero(mine & ~empty)
            parts = [something[part] for part in slices(len(something), n_jobs)]
            tasks = [(masks[part], fold, units[part]) for part in parts if len(part)]
            found = run_in_threads(self._held_out_draws, tasks, self.problem.n_jobs)
            total[something] += np.concatenate([np.empty(0), *found])
            times += mine
            self._count(1, int(mine.sum()), int(mine.sum()))
        return np.asarray(total / times)

    def _held_out_draws(self, masks: NDArray[np.bool_], fold: Fold, test: IntArray) -> FloatArray:
        """Loss of the row ``test[i]`` of ``fold`` under the subset ``masks[i]``, for each i.

        Here subsets and rows are tried crosswise, a few at a time, because a call costs more than
        many losses; worth overriding where losses are dear.
        """
        subsets = [frozenset(np.flatnonzero(mask).tolist()) for mask in masks]
        losses = np.empty(len(test))
        for start in range(0, len(test), _CROSSWISE):
            few = slice(start, start + _CROSSWISE)
            losses[few] = np.diagonal(self._held_out(subsets[few], fold, test[few]))
        return losses

    def _losses(self, subsets: Sequence[Subset], rows: IntArray | None) -> FloatArray:
        ledger = Ledger(len(subsets), self.problem.columns.n_rows, rows)
        tests = list(ledger.tests(self.problem.folds))
        for (_, test), losses in zip(tests, self._fold_losses(subsets, tests), strict=True):
            ledger.add(test, losses)
        return ledger.means()

    def part_losses(self, subsets: Iterable[Iterable[int]], part: int) -> FloatArray:
        """Losses of the test rows of one fold, as it is by itself.

        Nothing here makes rows come together, so ``parts`` is None; whoever races these subsets
        against a learner that must be refitted asks fold by fold all the same.
        """
        fold = self.problem.folds.folds[part]
        return self._fold_losses(self._checked(subsets), [(fold, fold.test)])[0]

    def _sample_losses(self, subsets: Sequence[Subset], fold: Fold) -> FloatArray:
        return self._fold_losses(subsets, [(fold, fold.test)])[0]

    def _fold_losses(
        self, subsets: Sequence[Subset], tests: Sequence[tuple[Fold, IntArray]]
    ) -> list[FloatArray]:
        """Losses of the wanted rows of each fold, an array of shape (n_subsets, n_rows) each."""
        empty = _places_of_empty(subsets)
        judged = _without(subsets, empty) if empty else subsets
        parts = self._shares(judged)
        tasks = [(judged[part], fold, test) for fold, test in tests for part in parts]
        results = iter(run_in_threads(self._dispatch, tasks, self.problem.n_jobs))
        found = []
        for fold, test in tests:
            blocks = [next(results) for _ in parts]
            losses = blocks[0] if len(blocks) == 1 else np.concatenate(blocks)
            if empty:
                nothing = baseline_losses(self.problem, fold, test)
                losses = np.insert(losses, [k - i for i, k in enumerate(empty)], nothing, axis=0)
            found.append(finite_losses(self.problem, subsets, losses))
            self._count(len(subsets), len(test), len(test) if fold.train is None else 1)
        return found

    def _shares(self, judged: Sequence[Subset]) -> list[slice]:
        cut = self.splits_flips or not isinstance(judged, Flips)
        return slices(len(judged), effective_n_jobs(self.problem.n_jobs) if cut else 1)

    def _dispatch(self, subsets: Sequence[Subset], fold: Fold, test: IntArray) -> FloatArray:
        if not len(subsets):
            return np.empty((0, len(test)))
        if isinstance(subsets, Flips):
            return self._held_out_flips(subsets, fold, test)
        if isinstance(subsets, Removals):
            return self._held_out_removals(subsets, fold, test)
        return self._held_out(subsets, fold, test)


def _places_of_empty(subsets: Sequence[Subset]) -> list[int]:
    if isinstance(subsets, Flips):
        # only the removal of its one variable empties a base; no need to build the subsets
        if len(subsets.base) != 1:
            return []
        return [k for k, v in enumerate(subsets.variables) if v in subsets.base]
    if isinstance(subsets, Removals):
        return [k for k, some in enumerate(subsets.removed) if len(some) == len(subsets.base)]
    return [k for k, subset in enumerate(subsets) if not subset]


def _without(subsets: Sequence[Subset], places: list[int]) -> Sequence[Subset]:
    gone = set(places)
    return some_of(subsets, [k for k in range(len(subsets)) if k not in gone])
