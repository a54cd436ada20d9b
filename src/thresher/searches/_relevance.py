"""What failed and successful removals say about each variable."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["Relevance"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: Chance that removing a relevant variable does not raise the loss beyond the tolerance.
_MISS = 0.02
#: First guess of the chance that removing an irrelevant one does, and as how many variables it
#: counts. Losses of real tables jump about; those of clean ones do not.
_FALSE_ALARM, _WEIGHT = 0.05, 30.0
#: Nor are false alarms more likely than this, however often a variable failed before it went.
_MOST_ALARMS = 0.5
#: No share of relevant variables, however many failures there are, is more likely than this.
_LARGEST_SHARE = 0.9
#: Failures of a variable by itself that are as good as any number of them.
_ENOUGH = 10
#: The share depends on the probabilities and they on it.
_SWEEPS = 3


class Relevance:
    """Probability of each variable to be relevant, given all removals that were tried.

    A removal fails if any of its variables makes it fail, each on its own account: a relevant one
    nearly always, an irrelevant one rarely. A failure therefore says that one of its variables is
    probably relevant, and no more; what it says of each depends on how many they are. If a part of
    them fails again, the part explains the failure, and the others are as unknown as before. So a
    variable is in one failed set at most, and the probabilities are exact.

    Two numbers are estimated along the way: the share of relevant variables, from a first guess
    that counts as much as the variables among which one relevant is expected; and how often
    removing an irrelevant one fails, from the failures of variables that were removed later.

    Parameters
    ----------
    n_variables : int
        How many variables there are.
    share : float
        First guess of the share of relevant ones.
    fixed : bool, default=False
        Whether the share is known.

    Examples
    --------
    >>> relevance = Relevance(8, share=0.1)
    >>> relevance.failed(np.array([0, 1]))
    >>> relevance.removed(np.array([1]))
    >>> relevance.probability.round(2).tolist()
    [0.62, 0.0, 0.14, 0.14, 0.14, 0.14, 0.14, 0.14]
    """

    def __init__(self, n_variables: int, share: float, *, fixed: bool = False):
        self._guess = min(share, _LARGEST_SHARE)
        self._fixed = fixed
        self._share = self._guess
        self._present = np.ones(n_variables, dtype=bool)
        self._n_alone = np.zeros(n_variables)  # failures of each variable by itself
        self._set_of = np.full(n_variables, -1, dtype=np.intp)
        self._size_of: dict[int, int] = {}  # of each failed set, when it failed
        self._n_sets = 0
        self._n_removed = self._n_alarms = 0.0
        self.probability: FloatArray = np.full(n_variables, self._share)

    def copy(self) -> "Relevance":
        """Return another one that knows the same."""
        other = object.__new__(Relevance)
        other.__dict__ = {
            name: value.copy() if isinstance(value, (np.ndarray, dict)) else value
            for name, value in vars(self).items()
        }
        return other

    def failed(self, removed: IntArray) -> None:
        """Take note that these variables could not be removed together."""
        for number in np.unique(self._set_of[removed]).tolist():
            if number >= 0:
                self._set_of[self._set_of == number] = -1
                del self._size_of[number]
        if len(removed) == 1:
            self._n_alone[removed] += 1.0
        else:
            self._set_of[removed] = self._n_sets
            self._size_of[self._n_sets] = len(removed)
            self._n_sets += 1
        self._update()

    def removed(self, removed: IntArray) -> None:
        """Take note that these variables are gone."""
        self._present[removed] = False
        self._set_of[removed] = -1
        self._n_removed += len(removed)
        self._n_alarms += float(self._n_alone[removed].sum())
        for number in list(self._size_of):
            if not (self._set_of == number).any():  # nobody was to blame
                del self._size_of[number]
                self._n_alarms += 1.0
        self._update()

    @property
    def false_alarm(self) -> float:
        """Chance that removing an irrelevant variable fails."""
        estimate = (_FALSE_ALARM * _WEIGHT + self._n_alarms) / (_WEIGHT + self._n_removed)
        return min(estimate, _MOST_ALARMS)

    @property
    def suspects(self) -> IntArray:
        """Variables of the latest set that failed, and of which nothing else is known."""
        if not self._size_of:
            return np.empty(0, dtype=np.intp)
        return np.flatnonzero(self._set_of == max(self._size_of))

    @property
    def unknown(self) -> NDArray[np.bool_]:
        """Variables of which nothing is known."""
        return np.asarray(self._present & (self._set_of < 0) & (self._n_alone == 0.0))

    def survival(self, variables: IntArray) -> FloatArray:
        """Chance that the first 1, 2, ... of these can be removed together, as if independent."""
        chance = self.probability[variables]
        return np.asarray(np.cumprod((1.0 - chance) * (1.0 - self.false_alarm) + chance * _MISS))

    def _update(self) -> None:
        alarm = self.false_alarm
        unknown = self.unknown
        known = np.flatnonzero(~unknown)
        present = np.flatnonzero(self._present[known])  # of those that are known: the rest is gone
        left = known[present]
        powers = ((1.0 - _MISS) / alarm) ** np.arange(_ENOUGH + 1.0)
        alone = powers[np.minimum(self._n_alone[left], _ENOUGH).astype(np.intp)]
        set_of = self._set_of[left]
        sets = [(np.flatnonzero(set_of == n), size) for n, size in self._size_of.items()]
        chances = np.zeros(len(known))
        for _ in range(1 if self._fixed else _SWEEPS):
            share = self._share
            odds = alone * share / (1.0 - share)
            for members, size in sets:
                odds[members] *= _ratio(odds[members], size, alarm)
            chances[present] = odds / (1.0 + odds)
            if not self._fixed:
                mean = (1.0 + chances.sum()) / (1.0 / self._guess + len(known))
                self._share = min(float(mean), _LARGEST_SHARE)
        # nothing sets those apart of which nothing is known
        others = share / (1.0 - share)
        self.probability = np.where(unknown, others / (1.0 + others), 0.0)
        self.probability[left] = chances[present]


def _ratio(odds: FloatArray, size: int, alarm: float) -> FloatArray:
    """Likelihood ratio of each member of a failed set, some of whom may be gone since."""
    chance = odds / (1.0 + odds)
    passes = np.log((1.0 - chance) * (1.0 - alarm) + chance * _MISS)
    gone = (size - len(odds)) * np.log1p(-alarm)
    others = np.exp(passes.sum() - passes + gone)
    return np.asarray((1.0 - _MISS * others) / (1.0 - (1.0 - alarm) * others))
