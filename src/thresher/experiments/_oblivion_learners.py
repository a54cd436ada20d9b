"""The rows of Langley and Sage, and how well each learner does after a number of them."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.datasets import make_boolean_concept
from thresher.kernels.oblivious_bits import eliminate, hits_one_by_one
from thresher.learners import C45Classifier
from thresher.races import standard_error

__all__ = [
    "CHOICES",
    "CONCEPTS",
    "LEARNERS",
    "N_TEST",
    "Accuracy",
    "accuracies",
    "neighbour_accuracies",
    "oblivion_subsets",
]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
ByteArray = NDArray[np.uint8]
Subset = frozenset[int]
Accuracy = Callable[[int], float]

N_TEST = 200
CONCEPTS = ("conjunction", "m-of-n", "parity-like")
LEARNERS = ("nearest neighbour", "C4.5", "OBLIVION", "OBLIVION, as published")
#: What is not as in the paper wherever these learners are used.
CHOICES = (
    "Nearest neighbour: all rows at the smallest distance vote, as in OBLIVION's trees; the paper "
    "does not say what it does about ties.",
    "C4.5 is our own, whose trees are those of WEKA's J48, without pruning and with a single row "
    "allowed in a leaf.",
    "Beside OBLIVION as published, which stops as soon as every removal adds errors, stands ours, "
    "which goes on to the end and takes the smallest subset within one standard error of the best: "
    "among many irrelevant bits the former stops too soon.",
)


def accuracies(
    concept: str, n_irrelevant: int, seed: int, n_rows: int
) -> tuple[Accuracy, Accuracy, Accuracy, Accuracy]:
    """Return the accuracy of each of `LEARNERS` as a function of the number of training rows.

    Parameters
    ----------
    concept : str
        One of `CONCEPTS`; each of them, with each number of irrelevant bits, has one test set.
    n_irrelevant : int
        Bits that say nothing.
    seed : int
        The training set.
    n_rows : int
        The most training rows that may be asked for.
    """
    stream = [n_irrelevant, CONCEPTS.index(concept)]
    tested, truth = _bits(concept, n_irrelevant, N_TEST, stream)
    X, y = _bits(concept, n_irrelevant, n_rows, [seed, 1, *stream])
    order = np.random.default_rng([seed, 2, *stream]).permutation(n_irrelevant + 3)
    X, tested = X[:, order], tested[:, order]
    neighbours = neighbour_accuracies(X, y, tested, truth)

    @cache  # both ways to stop look at the same elimination
    def oblivion(n: int) -> tuple[float, float]:
        return _oblivion_accuracies(X[:n], y[:n], tested, truth)

    def tree(n: int) -> float:
        return float((C45Classifier().fit(X[:n], y[:n]).predict(tested) == truth).mean())

    return (
        lambda n: float(neighbours[n - 1]),
        tree,
        lambda n: oblivion(n)[0],
        lambda n: oblivion(n)[1],
    )


def _bits(
    concept: Any, n_irrelevant: int, n_rows: int, seed: list[int]
) -> tuple[ByteArray, IntArray]:
    rng = np.random.default_rng(seed)
    data = make_boolean_concept(concept, n_irrelevant, n_rows=n_rows, random_state=rng)
    return data.X.astype(np.uint8), data.y


def neighbour_accuracies(
    X: ByteArray, y: IntArray, tested: ByteArray, truth: IntArray
) -> FloatArray:
    """Accuracy after each number of training rows, which come one after the other.

    The nearest rows vote, all of them; of classes with as many votes, the one with more training
    rows is predicted, then the first.
    """
    return np.asarray(hits_one_by_one(X, y, tested, truth) / len(truth))


def _oblivion_accuracies(
    X: ByteArray, y: IntArray, tested: ByteArray, truth: IntArray
) -> tuple[float, float]:
    """Accuracy of OBLIVION, and of OBLIVION as published."""
    if (y == y[0]).all() or (X == X[0]).all():  # there is nothing to choose by, or from
        alone = float((np.bincount(y).argmax() == truth).mean())
        return alone, alone

    def accuracy(subset: Subset) -> float:
        few = sorted(subset)
        # the tree over a subset is nearest neighbour over it
        return float(neighbour_accuracies(X[:, few], y, tested[:, few], truth)[-1])

    ours, published = oblivion_subsets(X, y)
    return accuracy(ours), accuracy(published)


def oblivion_subsets(X: ByteArray, y: IntArray) -> tuple[Subset, Subset]:
    """Return what `Oblivion` selects, and what it does as published.

    The selector itself keeps accounts that take longer than so small a table.
    """
    varied = np.flatnonzero((X != X[0]).any(axis=0))
    removed, wrong = eliminate(np.ascontiguousarray(X[:, varied]), y)
    losses = wrong.sum(axis=1) / len(y)  # with all bits, and after each removal
    rises = np.flatnonzero(np.diff(losses) > 0)
    published = int(rises[0]) if len(rises) else len(removed)
    lowest = int(np.flatnonzero(losses == losses.min())[-1])
    bound = losses[lowest] + standard_error(wrong[lowest].astype(np.float64), None)
    ours = int(np.flatnonzero(losses <= bound)[-1])
    every, gone = frozenset(varied.tolist()), varied[removed].tolist()
    return every - set(gone[:ours]), every - set(gone[:published])
