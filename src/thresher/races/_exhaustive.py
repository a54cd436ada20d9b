"""The judge that looks at every row of every candidate."""

import math
from dataclasses import replace
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ._contest import Contest, Outcome
from ._judge import Judge, LossSource
from ._schema import Draws, SchemaContest, schema_outcome

__all__ = ["Exhaustive", "mean_losses", "standard_error"]

FloatArray = NDArray[np.float64]

#: Open variables of a schema whose subsets are all judged.
_MAX_OPEN = 12
#: Losses held in memory at a time.
_CHUNK = 4_000_000


class Exhaustive(Judge):
    """Compares full cross-validation losses.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from thresher.evaluators import evaluator_for
    >>> from thresher.races import Contest, Exhaustive
    >>> evaluator = evaluator_for(GaussianNB(), *load_iris(return_X_y=True))
    >>> contest = Contest([frozenset({0}), frozenset({3})])
    >>> outcome = Exhaustive().decide(contest, evaluator, np.random.default_rng(0))
    >>> sorted(outcome.best), outcome.losses.round(3).tolist()
    ([3], [0.273, 0.04])
    """

    def decide(self, contest: Contest, evaluator: LossSource, rng: np.random.Generator) -> Outcome:
        """Find the candidate with the lowest mean loss."""
        if isinstance(contest, SchemaContest):
            return _decide_schema(contest, evaluator)
        candidates = contest.candidates
        size = max(1, _CHUNK // max(1, evaluator.n_blocks))
        means, leader, leader_losses = [], np.inf, np.empty(0)
        for start in range(0, len(candidates), size):
            some = candidates if len(candidates) <= size else candidates[start : start + size]
            losses = evaluator.losses(some)
            means.append(mean_losses(losses, evaluator.weights))
            best = int(np.argmin(means[-1]))
            if not leader_losses.size or means[-1][best] < leader:
                leader, leader_losses = means[-1][best], losses[best]
        all_means = np.concatenate(means)
        winner = int(np.argmin(all_means))
        incumbent_loss = contest.incumbent_loss
        if contest.challenge and incumbent_loss is None and contest.incumbent is not None:
            of_incumbent = evaluator.losses([contest.incumbent])
            incumbent_loss = float(mean_losses(of_incumbent, evaluator.weights)[0])
        return Outcome(
            best=candidates[winner],
            loss=float(all_means[winner]),
            standard_error=standard_error(leader_losses, evaluator.weights),
            losses=all_means,
            incumbent_loss=incumbent_loss,
        )


def _decide_schema(contest: SchemaContest, evaluator: LossSource) -> Outcome:
    """Judge all subsets that match, and decide the variable that makes the largest difference."""
    variables = contest.schema.open
    if len(variables) > _MAX_OPEN:
        raise ValueError(
            f"{len(variables)} open variables have 2^{len(variables)} subsets: schemata with "
            f"more than {_MAX_OPEN} must be raced"
        )
    n_open = len(variables)
    choices = np.array(list(product((False, True), repeat=n_open)))
    if not contest.schema.on:
        choices = choices[1:]
    chosen = [frozenset(np.array(variables)[row].tolist()) for row in choices]
    losses = evaluator.losses([contest.schema.on | some for some in chosen])
    means = mean_losses(losses, evaluator.weights)
    if len(choices) == 1:  # something must be in
        effects, decided = np.zeros(1), {variables[0]: True}
    else:
        sides = [[means[choices[:, k] == on].mean() for on in (False, True)] for k in range(n_open)]
        effects = np.diff(np.array(sides), axis=1)[:, 0]
        best = int(np.argmax(np.abs(effects)))
        decided = {variables[best]: bool(effects[best] < 0)}
    masks = contest.schema.masks(choices, contest.n_variables)
    all_of_them = Draws(masks, np.zeros(len(masks), dtype=np.intp), means)
    outcome = schema_outcome(contest, decided, effects, np.zeros(n_open), all_of_them)
    return replace(outcome, draws=contest.draws.matching(outcome.schema))


def mean_losses(losses: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Mean of each subset's losses; rows that were never held out do not count."""
    losses, weights = _held_out(losses, weights)
    if weights is None:
        return np.asarray(losses.sum(axis=1) / losses.shape[1])
    return np.asarray(losses @ (weights / weights.sum()))


def standard_error(losses: FloatArray, weights: FloatArray | None) -> float:
    """Standard error of the mean of one subset's losses."""
    seen, weights = _held_out(losses[None, :], weights)
    n = seen.shape[1]
    if n < 2:
        return 0.0
    share, square = _shares(n) if weights is None else _shares_of(weights)
    mean = float(seen[0] @ share)
    if not math.isfinite(mean):
        return 0.0
    deviation = seen[0] - mean
    return math.sqrt((deviation**2) @ square * n / (n - 1))


@lru_cache(maxsize=4)
def _shares(n: int) -> tuple[FloatArray, FloatArray]:
    """Equal shares, and their squares."""
    return _shares_of(np.ones(n))


def _shares_of(weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    share = weights / weights.sum()
    return share, share**2


def _held_out(
    losses: FloatArray, weights: FloatArray | None
) -> tuple[FloatArray, FloatArray | None]:
    seen = ~np.isnan(losses[0])
    if seen.all():
        return losses, weights
    return losses[:, seen], None if weights is None else weights[seen]
