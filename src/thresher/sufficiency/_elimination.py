"""Elimination of variables step by step, within each fold or on all rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.journal import NO_JOURNAL, Entry, Scope

from ._folds import RepeatedFolds
from ._learners import Learner, Trial

__all__ = [
    "Elimination",
    "Progress",
    "eliminate_everywhere",
    "eliminate_in_folds",
    "path_sizes",
    "try_sets",
]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
#: Called with the number of sizes done and of all sizes; may stop the work by raising.
Progress = Callable[[int, int], object]

#: Least number of variables, and the share of them dropped in one step; below, one at a time.
STEPS = ((1000, 1 / 2), (100, 1 / 4), (16, 1 / 8))


def path_sizes(n_variables: int, n_required: int = 0) -> list[int]:
    """Sizes to try, from all variables down to those that are required.

    Examples
    --------
    >>> path_sizes(30)[:6], path_sizes(30)[-3:]
    ([30, 27, 24, 21, 19, 17], [2, 1, 0])
    """
    sizes = [n_variables]
    while sizes[-1] > n_required:
        size = sizes[-1]
        share = next((share for least, share in STEPS if size >= least), 0.0)
        sizes.append(max(size - max(int(share * size), 1), n_required))
    return sizes


@dataclass(frozen=True, eq=False)
class Elimination:
    """The sets of an elimination, with the loss of each row.

    Parameters
    ----------
    losses : mapping of str to mapping of int to array of shape (n_rows,)
        By the name of the learner, then by size.
    sets : mapping of int to tuple of tuples of int
        By size: the variables that are left in each fold.
    order : tuple of int
        The variables, the last one dropped first: its first ones are what is left at each size.
        Empty where every fold has its own.
    """

    losses: Mapping[str, Mapping[int, FloatArray]]
    sets: Mapping[int, tuple[tuple[int, ...], ...]]
    order: tuple[int, ...] = ()


def eliminate_in_folds(
    learners: Sequence[Learner],
    folds: RepeatedFolds,
    start: Sequence[int],
    *,
    required: frozenset[int] = frozenset(),
    progress: Progress = lambda _done, _total: None,
    journal: Scope = NO_JOURNAL,
) -> Elimination:
    """Drop the variables needed least, in each fold by the rows that it learns from.

    So the losses are those of the procedure, elimination included. The folds have different sets of
    the same sizes.

    Parameters
    ----------
    learners : sequence of Learner
        The need of a variable is the largest among them.
    folds : RepeatedFolds
        The folds that hold each row out.
    start : sequence of int
        Variables to start from.
    required : frozenset of int
        Variables that stay in any case.
    progress : callable
        Called with the number of sizes done and of all sizes.
    journal : Scope
        Where trials are written down and looked up.
    """
    sizes = path_sizes(len(start), len(required))
    sets = [sorted(start)] * folds.n_models
    losses: dict[str, dict[int, FloatArray]] = {learner.name: {} for learner in learners}
    tried: dict[int, tuple[tuple[int, ...], ...]] = {}
    for step, size in enumerate(sizes):
        progress(step, len(sizes))
        tried[size] = tuple(map(tuple, sets))
        trials = try_sets(learners, sets, folds, journal)
        for name, trial in trials.items():
            losses[name][size] = trial.losses
        left = sizes[min(step + 1, len(sizes) - 1)]
        needs = [
            np.max([own.needs[k] for own in trials.values()], axis=0) for k in range(len(sets))
        ]
        sets = [
            sorted(_ranked(own, need, required)[:left])
            for own, need in zip(sets, needs, strict=True)
        ]
    progress(len(sizes), len(sizes))
    return Elimination(losses, tried)


def eliminate_everywhere(
    learners: Sequence[Learner],
    folds: RepeatedFolds,
    start: Sequence[int],
    *,
    required: frozenset[int] = frozenset(),
    progress: Progress = lambda _done, _total: None,
    journal: Scope = NO_JOURNAL,
) -> Elimination:
    """Drop the variables needed least in the mean over folds: one set for each size.

    All rows take part in the elimination, so the losses are too low; those of `eliminate_in_folds`
    are the ones to judge a size by. The parameters are the same.
    """
    sizes = path_sizes(len(start), len(required))
    left, dropped = sorted(start), list[int]()
    losses: dict[str, dict[int, FloatArray]] = {learner.name: {} for learner in learners}
    tried: dict[int, tuple[tuple[int, ...], ...]] = {}
    for step, size in enumerate(sizes):
        progress(step, len(sizes))
        tried[size] = (tuple(left),) * folds.n_models
        if not size:
            break
        trials = try_sets(learners, [left] * folds.n_models, folds, journal)
        for name, trial in trials.items():
            losses[name][size] = trial.losses
        need = np.max([np.mean(trial.needs, axis=0) for trial in trials.values()], axis=0)
        ranked = _ranked(left, need, required)
        n_left = sizes[step + 1] if step + 1 < len(sizes) else 0
        dropped += reversed(ranked[n_left:])
        left = sorted(ranked[:n_left])
    progress(len(sizes), len(sizes))
    return Elimination(losses, tried, tuple(reversed(dropped)))


def _ranked(variables: Sequence[int], need: FloatArray, required: frozenset[int]) -> list[int]:
    """The most needed first; required variables come before all others."""
    place = {v: k for k, v in enumerate(variables)}
    return sorted(variables, key=lambda v: (v not in required, -need[place[v]], v))


def try_sets(
    learners: Sequence[Learner],
    sets: Sequence[Sequence[int]],
    folds: RepeatedFolds,
    journal: Scope,
) -> dict[str, Trial]:
    """Let each learner try the sets of all folds, unless the journal knows the result.

    The loss of a row is the mean over repeats.
    """
    trials = {}
    wanted = [np.array(own, dtype=np.int64) for own in sets]
    for learner in learners:
        key = ("sets", learner.key, wanted)
        known = journal.recall(*key)
        if known is None:
            trial = _tried(learner, sets, folds)
            journal.note(Entry((trial.losses, np.array(trial.needs))), *key)
        else:
            trial = Trial(known.arrays[0], tuple(known.arrays[1]))
        trials[learner.name] = trial
    return trials


def _tried(learner: Learner, sets: Sequence[Sequence[int]], folds: RepeatedFolds) -> Trial:
    n = folds.n_folds
    repeats = [
        learner.try_sets(sets[k * n : (k + 1) * n], own) for k, own in enumerate(folds.of_row)
    ]
    losses = np.mean([trial.losses for trial in repeats], axis=0)
    return Trial(losses, tuple(need for trial in repeats for need in trial.needs))
