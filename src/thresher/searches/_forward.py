"""Forward selection."""

import numpy as np

from thresher.races import Contest

from ._base import Search, SearchStrategy
from ._path import NFeatures, Path, Rule, Sizes, check_rule
from ._space import Space

__all__ = ["Forward"]


class Forward(SearchStrategy):
    """Start with nothing and add, again and again, the variable that lowers the loss the most.

    Parameters
    ----------
    n_features : int, (int, int) or "auto", default="auto"
        How many variables: a number, a range, or as long as the loss falls.
    tolerance : float, default=0.0
        With "auto", a step must lower the loss by more than this.
    rule : {"best", "one-standard-error"}, default="best"
        Which subset along the way to return: the best, or the smallest that is within one standard
        error of it.
    """

    def __init__(self, n_features: NFeatures = "auto", tolerance: float = 0.0, rule: Rule = "best"):
        self.n_features = n_features
        self.tolerance = tolerance
        self.rule = rule

    def n_steps(self, space: Space) -> int:
        """One contest for the start and one for each variable added."""
        return 1 + Sizes.of(self.n_features, space).most - len(space.empty)

    def run(self, space: Space, rng: np.random.Generator) -> Search:
        """Search from the empty subset upwards."""
        check_rule(self.rule, self.tolerance)
        sizes = Sizes.of(self.n_features, space)
        path = Path()
        latest = yield Contest([space.empty])
        path.add(latest)
        while len(latest.best) < sizes.most:
            enough = len(latest.best) >= sizes.least
            outcome = yield Contest(
                space.supersets(latest.best),
                incumbent=latest.best,
                challenge=enough,
                incumbent_loss=latest.loss,
            )
            if sizes.auto and enough and not outcome.loss < latest.loss - self.tolerance:
                break
            latest = outcome
            path.add(latest)
        return path.choose(sizes, self.rule)
