"""The paper's filter: columns by gain ratio, and the learner says how many."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import mutual_info_score

from thresher.columns import Columns
from thresher.evaluators import Evaluator, Subset
from thresher.races import Contest, Judge
from thresher.searches import Search, SearchStrategy, Space
from thresher.selectors import WrapperSelector

__all__ = ["GainRatioOrder"]

#: Numbers with more values than this are cut into as many parts of equal size.
MOST_VALUES = 20


class FirstOnes(SearchStrategy):
    """Compare the first 1, 2, ... variables of a ranking.

    Parameters
    ----------
    order : sequence of int
        Variables, the best one first; in their own order, if empty.
    """

    def __init__(self, order: tuple[int, ...] = ()):
        self.order = order

    def run(self, space: Space, rng: np.random.Generator) -> Search:
        """Judge all beginnings of the ranking."""
        order = [v for v in self.order or range(space.n_variables) if v not in space.required]
        firsts: list[Subset] = [space.empty.union(order[:k]) for k in range(1, len(order) + 1)]
        outcome = yield Contest(firsts)
        return outcome.best


class GainRatioOrder(WrapperSelector):
    """Select the first columns by gain ratio, as many as the estimator does best with."""

    def __init__(self, estimator: Any, *, random_state: Any = None):
        super().__init__(estimator, search=FirstOnes(), random_state=random_state)

    def _fit_to(
        self, evaluator: Evaluator, strategy: SearchStrategy, judge: Judge
    ) -> tuple[SearchStrategy, Judge]:
        problem = evaluator.problem
        ratios = _gain_ratios(problem.columns, problem.target.values)
        return FirstOnes(tuple(np.argsort(-ratios, kind="stable").tolist())), judge


def _gain_ratios(columns: Columns, classes: NDArray[Any]) -> NDArray[np.float64]:
    return np.array([_gain_ratio(_codes(columns, p), classes) for p in range(columns.n_columns)])


def _codes(columns: Columns, position: int) -> NDArray[np.intp]:
    """Number the values of a column; -1 where it is missing."""
    if columns.kinds[position] in ("categorical", "string"):
        return columns.levels(position)[0].astype(np.intp)
    ((_, block),) = columns.numeric_blocks([position])
    values = block[:, 0]
    codes = np.full(len(values), -1, dtype=np.intp)
    known = ~np.isnan(values)
    distinct = np.unique(values[known])
    if len(distinct) > MOST_VALUES:
        distinct = np.unique(np.quantile(values[known], np.linspace(0, 1, MOST_VALUES + 1)[1:-1]))
    codes[known] = np.searchsorted(distinct, values[known])
    return codes


def _gain_ratio(codes: NDArray[np.intp], classes: NDArray[Any]) -> float:
    known = codes >= 0
    split_info = mutual_info_score(codes[known], codes[known])
    gain = mutual_info_score(codes[known], classes[known])
    return float(known.mean() * gain / split_info) if split_info > 0 else 0.0
