"""Backward elimination."""

import numpy as np

from thresher.races import Contest

from ._base import Search, SearchStrategy
from ._path import NFeatures, Path, Rule, Sizes, check_rule
from ._space import Space

__all__ = ["Backward"]


class Backward(SearchStrategy):
    """Start with everything and remove, again and again, the variable that is missed the least.

    Parameters
    ----------
    n_features : int, (int, int) or "auto", default="auto"
        How many variables: a number, a range, or as few as do no harm.
    tolerance : float, default=0.0
        With "auto", the loss may exceed the lowest one seen by this much.
    rule : {"best", "one-standard-error"}, default="best"
        Which subset along the way to return. With "auto" and "best" it is the smallest within
        ``tolerance`` of the lowest loss, with "one-standard-error" the smallest within one standard
        error of it.
    patient : bool, default=False
        With "auto", whether to go on to the end and look back, and not stop at the first subset
        that the rule would not take: further on the loss may fall again.
    """

    def __init__(
        self,
        n_features: NFeatures = "auto",
        tolerance: float = 0.0,
        rule: Rule = "best",
        *,
        patient: bool = False,
    ):
        self.n_features = n_features
        self.tolerance = tolerance
        self.rule = rule
        self.patient = patient

    def n_steps(self, space: Space) -> int:
        """One contest for the start and one for each variable removed."""
        return 1 + space.n_variables - Sizes.of(self.n_features, space).least

    def run(self, space: Space, rng: np.random.Generator) -> Search:
        """Search from the full subset downwards."""
        check_rule(self.rule, self.tolerance)
        sizes = Sizes.of(self.n_features, space)
        path = Path()
        latest = best = yield Contest([space.full])
        path.add(latest)
        while len(latest.best) > sizes.least:
            outcome = yield Contest(
                space.subsets(latest.best),
                incumbent=latest.best,
                challenge=len(latest.best) <= sizes.most,
                incumbent_loss=latest.loss,
            )
            slack = best.standard_error if self.rule == "one-standard-error" else self.tolerance
            if sizes.auto and not self.patient and not outcome.loss <= best.loss + slack:
                break
            latest = outcome
            path.add(latest)
            best = min(best, latest, key=lambda outcome: outcome.loss)
        if sizes.auto and self.rule == "best" and not self.patient:
            return latest.best
        return path.choose(sizes, self.rule, self.tolerance if sizes.auto else 0.0)
