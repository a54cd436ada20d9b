"""Figures 2.4 and 2.6 of Langley and Sage: rows needed as irrelevant bits are added."""

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from thresher.datasets import make_boolean_concept
from thresher.evaluators import Flips, Subset, evaluator_for
from thresher.learners import C45Classifier, ObliviousTree
from thresher.races import mean_losses, standard_error

from ._base import Cell, Conditions, Experiment, Result

__all__ = ["OBLIVION_SCALING"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
Accuracy = Callable[[int], float]

LEVEL, HOLD, N_TEST = 0.95, 50, 200
#: Training rows after which we give up: the more, the less a learner costs.
CAPS = {
    "nearest neighbour": 5000,
    "C4.5": 2000,
    "OBLIVION": 400,
    "OBLIVION, as published": 400,
}
QUICK_CAP = 200
#: Beyond this number of irrelevant bits, the algorithm as published is left out: it gets nowhere.
_MOST_PUBLISHED = 15
N_IRRELEVANT = (*range(10), 15, 20, 30, 40, 50)
QUICK_N_IRRELEVANT = (0, 2, 4)
CONCEPTS = ("conjunction", "m-of-n", "parity-like")
#: What the paper says of its curves, from 0 to 9 irrelevant bits.
PRINTED = {
    ("conjunction", "nearest neighbour"): "exponential",
    ("conjunction", "C4.5"): "constant or at most logarithmic",
    ("conjunction", "OBLIVION, as published"): "nearly linear, a little above C4.5",
    ("m-of-n", "nearest neighbour"): "as on the conjunction",
    ("m-of-n", "C4.5"): "as on the conjunction",
    ("parity-like", "nearest neighbour"): "exponential",
    ("parity-like", "C4.5"): "exponential, a little below nearest neighbour",
    ("parity-like", "OBLIVION, as published"): "far below C4.5",
}
#: A curve that grows by less than this factor from 0 to 9 is flat.
_FLAT = 1.5


def run(conditions: Conditions) -> Result:
    """Find the rows that each method needs, for each concept and number of irrelevant bits."""
    numbers = QUICK_N_IRRELEVANT if conditions.quick else N_IRRELEVANT
    caps = [QUICK_CAP if conditions.quick else cap for cap in CAPS.values()]
    rows: list[tuple[Cell, ...]] = []
    for concept in CONCEPTS:
        curves = np.array(
            [
                conditions.map(
                    _one_run,
                    [(concept, number, seed, caps) for seed in range(conditions.runs)],
                    f"{concept}, {number} irrelevant",
                )
                for number in numbers
            ]
        )
        for k, (method, cap) in enumerate(zip(CAPS, caps, strict=True)):
            cells = [_mean(found, cap) for found in curves[:, :, k]]
            growth, shape = _growth(numbers, curves[:, :, k], cap)
            printed = PRINTED.get((concept, method))
            rows.append((concept, method, *cells, growth, shape, printed))
    return Result(
        f"Training rows needed for {LEVEL:.0%} accuracy, by the number of irrelevant bits; mean of "
        f"{conditions.runs} runs",
        ("concept", "method", *map(str, numbers), "growth to 9", "shape to 9", "paper"),
        tuple(rows),
        _notes(caps),
    )


def _notes(caps: Sequence[int]) -> tuple[str, ...]:
    limits = ", ".join(f"{cap} ({method})" for method, cap in zip(CAPS, caps, strict=True))
    return (
        f"The first number of rows from which the accuracy on {N_TEST} test rows is at least "
        f"{LEVEL:.0%}, and stays so for {HOLD} more rows. All methods see the same rows, with the "
        "columns in random order.",
        f"We give up after so many rows: {limits}. A mean that such runs are part of is a lower "
        "bound, and marked by >.",
        "Nearest neighbour by the number of bits that differ, all rows at the smallest distance "
        "voting. C4.5 without pruning and with a single row allowed in a leaf.",
        "OBLIVION, as published, stops as soon as every removal adds errors; ours goes on to the "
        "end and takes the smallest subset within one standard error of the best. The former is "
        f"left out beyond {_MOST_PUBLISHED} irrelevant bits.",
        "Growth: rows at 9 irrelevant bits (or the most up to there) by rows at 0. Shape: flat if "
        f"that is below {_FLAT}; else linear or exponential, whichever curve fits the means with "
        "the smaller squares; none where runs were given up.",
    )


def _mean(found: FloatArray, cap: int) -> Cell:
    if not found.all():  # left out
        return None
    mean = float(np.minimum(found, cap).mean())
    return f"> {mean:.0f}" if (found > cap).any() else round(mean, 1)


def _growth(numbers: Sequence[int], curve: FloatArray, cap: int) -> tuple[Cell, Cell]:
    """Growth from 0 to 9 irrelevant bits, and the shape in words."""
    few = np.array([k for k, number in enumerate(numbers) if number <= 9])
    if (curve[few] > cap).any():
        return None, None
    x, y = np.array(numbers, dtype=np.float64)[few], curve[few].mean(axis=1)
    growth = float(y[-1] / y[0])
    if growth < _FLAT:
        return round(growth, 2), "flat"
    straight = np.polyval(np.polyfit(x, y, 1), x)
    curved = np.exp(np.polyval(np.polyfit(x, np.log(y), 1), x))
    is_straight = ((straight - y) ** 2).sum() <= ((curved - y) ** 2).sum()
    return round(growth, 2), "linear" if is_straight else "exponential"


def _one_run(concept: str, n_irrelevant: int, seed: int, caps: Sequence[int]) -> list[int]:
    """Rows needed by each method on one training set; one more than the cap if that is not met.

    Zero stands for what was left out.
    """
    stream = [n_irrelevant, CONCEPTS.index(concept)]
    n_rows = max(caps) + HOLD
    test = _bits(concept, n_irrelevant, N_TEST, np.random.default_rng(stream))
    train = _bits(concept, n_irrelevant, n_rows, np.random.default_rng([seed, 1, *stream]))
    order = np.random.default_rng([seed, 2, *stream]).permutation(n_irrelevant + 3)
    data = (train[0][:, order], train[1], test[0][:, order], test[1])
    neighbours = neighbour_accuracies(*data)

    @cache  # both ways to stop look at the same elimination
    def oblivion(n: int) -> list[float]:
        return _oblivion_accuracies(data[0][:n], data[1][:n], *data[2:])

    def tree(n: int) -> float:
        X, y = data[0][:n], data[1][:n]
        return float((C45Classifier().fit(X, y).predict(data[2]) == data[3]).mean())

    learners: list[Accuracy] = [
        lambda n: float(neighbours[n - 1]),
        tree,
        lambda n: oblivion(n)[0],
    ]
    if n_irrelevant <= _MOST_PUBLISHED:
        learners.append(lambda n: oblivion(n)[1])
    found = [rows_needed(accuracy, cap) for accuracy, cap in zip(learners, caps, strict=False)]
    return [*found, 0][: len(caps)]


def _bits(
    concept: str, n_irrelevant: int, n_rows: int, rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    data = make_boolean_concept(concept, n_irrelevant, n_rows=n_rows, random_state=rng)  # type: ignore[arg-type]
    return data.X, data.y


def rows_needed(accuracy: Accuracy, cap: int) -> int:
    """Return the first number of rows from which the accuracy is high and stays so for a while.

    A stretch is looked at from its end: where the accuracy is low, no stretch can begin before. So
    few numbers are tried until the end is near.

    Parameters
    ----------
    accuracy : callable
        From a number of rows, at least 1, to the accuracy.
    cap : int
        The largest number that may be returned; one more means that there is none.

    Examples
    --------
    >>> rows_needed(lambda n: 0.9 if n < 70 or n == 75 else 1.0, 1000)
    76
    """
    start, high_from = 1, 0  # all that was tried from high_from on is high
    while start <= cap:
        end = start + HOLD
        low = next((n for n in range(end, max(start, high_from) - 1, -1) if accuracy(n) < LEVEL), 0)
        if not low:
            return start
        start, high_from = low + 1, end + 1
    return cap + 1


def neighbour_accuracies(X: IntArray, y: IntArray, tested: IntArray, truth: IntArray) -> FloatArray:
    """Accuracy after each number of training rows, which come one after the other.

    The nearest rows vote, all of them; of classes with as many votes, the one with more training
    rows is predicted, then the first.
    """
    distances = tested @ (1 - X).T + (1 - tested) @ X.T
    nearest = np.full(len(tested), X.shape[1] + 1)
    votes, totals = np.zeros((len(tested), 2), dtype=np.intp), np.zeros(2, dtype=np.intp)
    found = np.empty(len(X))
    for n, label in enumerate(y.tolist()):
        votes[distances[:, n] < nearest] = 0
        np.minimum(nearest, distances[:, n], out=nearest)
        votes[distances[:, n] == nearest, label] += 1
        totals[label] += 1
        ahead = votes[:, 1] - votes[:, 0]
        predicted = (ahead > 0) | ((ahead == 0) & (totals[1] > totals[0]))
        found[n] = (predicted == truth).mean()
    return found


def _oblivion_accuracies(
    X: IntArray, y: IntArray, tested: IntArray, truth: IntArray
) -> list[float]:
    """Accuracy of OBLIVION, and of OBLIVION as published."""
    if (y == y[0]).all() or (X == X[0]).all():  # there is nothing to choose by, or from
        return [float((np.bincount(y).argmax() == truth).mean())] * 2
    found = []
    for subset in oblivion_subsets(X, y):
        columns = sorted(subset)
        model = ObliviousTree().fit(X[:, columns], y)
        found.append(float((model.predict(tested[:, columns]) == truth).mean()))
    return found


def oblivion_subsets(X: IntArray, y: IntArray) -> tuple[Subset, Subset]:
    """Return what `Oblivion` selects, and what it does as published.

    The selector itself keeps accounts that take longer than so small a table.
    """
    varied = np.flatnonzero((X != X[0]).any(axis=0))
    evaluator = evaluator_for(ObliviousTree(), X[:, varied], y, cv="loo", n_jobs=1)
    subset: Subset = frozenset(range(len(varied)))
    losses = evaluator.losses([subset])
    path = [(subset, float(mean_losses(losses, None)[0]), standard_error(losses[0], None))]
    while len(subset) > 1:
        flips = Flips(subset, sorted(subset))
        losses = evaluator.losses(flips)
        means = mean_losses(losses, None)
        best = int(np.argmin(means))
        subset = flips[best]
        path.append((subset, float(means[best]), standard_error(losses[best], None)))
    rises = [k for k in range(1, len(path)) if path[k][1] > path[k - 1][1]]
    published = path[rises[0] - 1 if rises else -1][0]
    _, lowest, error = min(reversed(path), key=lambda step: step[1])
    ours = next(subset for subset, loss, _ in reversed(path) if loss <= lowest + error)
    names = varied.tolist()
    return tuple(frozenset(names[v] for v in some) for some in (ours, published))  # type: ignore[return-value]


OBLIVION_SCALING = Experiment(
    "oblivion-scaling", "Rows needed as irrelevant bits are added, by three learners", run, 20, 1
)
