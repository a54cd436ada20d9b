"""The first variables of a ranking, as many as do best."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np

from thresher.evaluators import Subset
from thresher.races import Contest

from ._base import Search, SearchStrategy
from ._path import NFeatures, Sizes
from ._space import Space

__all__ = ["Ranked"]

#: Longer beginnings of a ranking grow by one in a hundred, not one by one.
_ONE_BY_ONE = 1000


class Ranked(SearchStrategy):
    """Compare the first 1, 2, 3, ... variables of a ranking.

    A filter says which variables are best, the learner says how many of them: the hybrid filter
    that Stracuzzi and Utgoff (2004) compare with. Of more than a thousand variables, numbers are
    tried in steps of about one percent.

    Parameters
    ----------
    order : sequence of int, default=()
        Variables, the best one first; in their own order, if empty. Those that are not in it are
        never selected, unless they are required; where required ones stand in it makes no
        difference.
    n_features : int, (int, int) or "auto", default="auto"
        How many variables, required ones included: a number, a range, or whatever does best.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from thresher import WrapperSelector
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> search = Ranked(order=(6, 12, 9, 11, 0))
    >>> WrapperSelector(GaussianNB(), search=search).fit(X, y).selection_.selected
    ('flavanoids', 'color_intensity', 'proline')
    """

    def __init__(self, order: Sequence[int] = (), n_features: NFeatures = "auto"):
        self.order = order
        self.n_features = n_features

    def n_steps(self, space: Space) -> int:
        """All are compared at once."""
        return 1

    def run(self, space: Space, rng: np.random.Generator) -> Search:
        """Judge all beginnings of the ranking; the shortest of equals comes first, and wins."""
        order = self._order(space)
        sizes = Sizes.of(self.n_features, space)
        n_required, n_ranked = len(space.required), len(space.required) + len(order)
        if sizes.least > n_ranked:
            raise ValueError(
                f"n_features={self.n_features!r} is more than the {n_ranked} variables that are in "
                f"order or required"
            )
        lengths = _lengths(sizes.least - n_required, min(sizes.most, n_ranked) - n_required)
        beginnings: list[Subset] = [space.required.union(order[:length]) for length in lengths]
        if beginnings == [space.required]:
            return space.required
        outcome = yield Contest(beginnings)
        return outcome.best

    def _order(self, space: Space) -> list[int]:
        """Return the variables to choose from, the best one first."""
        if not len(self.order):
            return [v for v in range(space.n_variables) if v not in space.required]
        entries: list[Any] = list(self.order)
        for entry in entries:
            if type(entry) is bool or not isinstance(entry, Integral) or entry not in space.full:
                raise ValueError(
                    f"order must hold variables, 0 to {space.n_variables - 1}; got {entry!r}"
                )
        order = [int(entry) for entry in entries if entry not in space.required]
        if len(set(order)) < len(order):
            twice = next(v for v in order if order.count(v) > 1)
            raise ValueError(f"order must hold each variable once; {twice} is in it more than once")
        return order


def _lengths(least: int, most: int) -> list[int]:
    """Return the lengths to try, both ends included."""
    lengths = list(range(least, min(most, _ONE_BY_ONE) + 1)) or [least]
    while lengths[-1] < most:
        lengths.append(min(most, lengths[-1] + max(1, lengths[-1] // 100)))
    return lengths
