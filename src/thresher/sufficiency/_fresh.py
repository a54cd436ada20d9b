"""Trials on folds that have not chosen anything."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from thresher.journal import NO_JOURNAL, Entry, Scope
from thresher.stats import allowed_rise

from ._choice import Choice
from ._folds import RepeatedFolds
from ._learners import Learner

__all__ = ["FreshTrials", "confirm"]

#: The estimated rise on fresh folds may be this many times as large as on the folds that chose:
#: there it is too low, since the set was chosen for it.
CONFIRMED = 2.0


class FreshTrials:
    """Mean losses of sets on fresh folds, each computed once.

    Parameters
    ----------
    learners : sequence of Learner
        Whose losses.
    folds : RepeatedFolds
        The folds that hold each row out.
    journal : Scope
        Where trials are written down.
    """

    def __init__(
        self, learners: Sequence[Learner], folds: RepeatedFolds, journal: Scope = NO_JOURNAL
    ):
        self._learners = {learner.name: learner for learner in learners}
        self._folds = folds
        self._journal = journal
        self._known: dict[tuple[frozenset[int], str], float] = {}
        self.n_trials = 0

    def loss(self, variables: Sequence[int], learner: str) -> float:
        """Mean loss of a set."""
        key = frozenset(variables), learner
        if key not in self._known:
            written = self._journal.recall("set", *key)
            if written is None:
                sets = [sorted(variables)] * self._folds.n_folds
                trials = (self._learners[learner].try_sets(sets, own) for own in self._folds.of_row)
                mean = float(np.mean([trial.losses.mean() for trial in trials]))
                written = Entry((np.array([mean]),))
                self._journal.note(written, "set", *key)
            self._known[key] = float(written.arrays[0][0])
            self.n_trials += 1
        return self._known[key]

    def rise(self, chosen: Sequence[int], variable: int, learner: str) -> float:
        """By how much the loss rises without a variable, as a share."""
        loss = self.loss(chosen, learner)
        without = self.loss([v for v in chosen if v != variable], learner)
        return (without - loss) / loss if loss > 0 else 0.0


def confirm(
    choice: Choice, order: Sequence[int], trials: FreshTrials, tolerance: float, most: int
) -> Choice:
    """Take the next larger size that is enough, until one predicts as well on fresh folds, too."""
    best = trials.loss(order[: choice.best], choice.learner)
    allowed = allowed_rise(best, trials.loss((), choice.learner), tolerance)
    limit = best + CONFIRMED * allowed.estimate
    within = [own for own in choice.sizes if own.size <= most]
    for own in within:
        if own.size < choice.chosen or own.verdict != "enough":
            continue
        if trials.loss(order[: own.size], choice.learner) <= limit:
            return replace(choice, chosen=own.size)
    return replace(choice, chosen=min(within, key=lambda own: (own.loss, own.size)).size)
