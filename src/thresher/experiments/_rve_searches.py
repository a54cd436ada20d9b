"""The learners of Stracuzzi and Utgoff, and the searches that are compared with them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from thresher.filters import GainRatio
from thresher.learners import C45Classifier, DiscreteNB
from thresher.selectors import RVErS, Stepwise

from ._rve_data import Split
from ._rve_printed import METHODS, R_MAX, READINGS

__all__ = ["DEVIATIONS", "LEARNERS", "RANDOMIZED", "RIVALS", "learned", "randomized", "rival"]

#: Naive Bayes of plain frequencies: on the digits, only so does it err as often as the paper's.
LEARNERS = {"Bayes": DiscreteNB(m=0, n_bins=20), "C4.5": C45Classifier()}
COSTS = {"Bayes": "linear", "C4.5": "quadratic"}
#: The ranking of the filter has numbers in equally filled bins: no column is left without a score.
FILTER_BINS = 20

RANDOMIZED, RIVALS = METHODS[1:5], METHODS[5:]
DEVIATIONS = (
    "Naive Bayes does not smooth its frequencies, against the book that the paper names: on the "
    "digits, only so does it err as often as the paper's. Numbers are cut into 20 bins.",
    "Backward elimination goes on when the error stays the same; the paper does not say whether "
    "its own does.",
    f"The filter ranks numbers by {FILTER_BINS} bins, and beyond a thousand inputs it tries how "
    "many to take in steps of one percent, where the paper tries all.",
    *READINGS,
)


def randomized(name: str, learner: str, method: str, n_inputs: int, **settings: Any) -> RVErS:
    """RVErS on a data set, with one of the paper's bounds, or removing one input at a time."""
    if method == "k = 1":
        settings["k"] = 1
    else:
        r_max = R_MAX[name][RANDOMIZED.index(method)]
        settings["r_max"] = min(r_max, n_inputs)
    return RVErS(LEARNERS[learner], cost=COSTS[learner], n_jobs=1, **settings)


def rival(learner: str, method: str) -> Stepwise | GainRatio:
    """Return a search that draws nothing at random."""
    estimator = LEARNERS[learner]
    if method == "forward":
        return Stepwise(estimator, n_jobs=1)
    if method == "backward":
        return Stepwise(estimator, direction="backward", n_jobs=1)
    return GainRatio(estimator, cuts=FILTER_BINS, n_jobs=1)


def learned(split: Split, learner: str, columns: NDArray[np.intp]) -> tuple[Any, float]:
    """Learn from some columns; return the model and its percent error on the test rows."""
    model = clone(LEARNERS[learner])
    model.fit(split.table(split.train, columns), split.y[split.train])
    wrong = model.predict(split.table(split.test, columns)) != split.y[split.test]
    return model, 100.0 * float(np.mean(wrong))
