"""How much each variable helps, told by the places of many subsets in a race."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import Subset

__all__ = ["Credit"]

FloatArray = NDArray[np.float64]

#: Beyond this many variables, each is looked at by itself: solving for all takes too long.
_MOST_TOGETHER = 1000
#: What is left of older races when a new one is read.
_DECAY = 0.7


class Credit:
    """Scores of variables, in standard errors: positive if subsets with them come in earlier.

    All subsets of a race count, those that left it early as well. Places are regressed on which
    variables a subset holds, so that a variable gets no credit for the company it keeps.

    Parameters
    ----------
    n_variables : int
        How many there are.

    Attributes
    ----------
    scores : array of shape (n_variables,)
        Of the races read so far, the latest of which counts most.

    Examples
    --------
    >>> credit = Credit(3)
    >>> subsets = [frozenset(s) for s in ({0}, {0, 1}, {1}, {2}, {1, 2}, {0, 2})]
    >>> credit.read(subsets, [0, 1, 5, 2, 3, 4])
    >>> int(credit.scores.argmax())
    0
    """

    def __init__(self, n_variables: int):
        self.scores: FloatArray = np.zeros(n_variables)

    def read(self, subsets: Sequence[Subset], places: Sequence[int] | NDArray[np.intp]) -> None:
        """Learn from a race; ``places`` are positions of subsets, from the first to the last."""
        inside = np.zeros((len(subsets), len(self.scores)))
        for k, subset in enumerate(subsets):
            inside[k, list(subset)] = 1.0
        merit = np.empty(len(subsets))
        merit[np.asarray(places)] = np.linspace(0.5, -0.5, len(subsets))
        # what one subset alone has, or lacks, says more about that subset
        n_with = inside.sum(axis=0)
        told = np.flatnonzero((n_with > 1) & (n_with < len(subsets) - 1))
        self.scores = _DECAY * self.scores
        if len(told):
            self.scores[told] += _effects(inside[:, told], merit)


def _effects(inside: FloatArray, merit: FloatArray) -> FloatArray:
    """Effects of columns of zeros and ones, in units of their standard errors."""
    centred = inside - inside.mean(axis=0)
    if inside.shape[1] > _MOST_TOGETHER:
        return np.asarray(centred.T @ merit / (merit.std() * np.linalg.norm(centred, axis=0)))
    gram = centred.T @ centred
    gram[np.diag_indices_from(gram)] += 1.0
    inverse = np.linalg.inv(gram)
    effects = inverse @ (centred.T @ merit)
    spread = max(float(np.std(merit - centred @ effects)), 1e-9)
    return np.asarray(effects / (spread * np.sqrt(np.diag(inverse))))
