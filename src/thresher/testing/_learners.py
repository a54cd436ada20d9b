"""What every learner must do."""

import warnings
from typing import Any

from sklearn.base import is_classifier
from sklearn.utils.estimator_checks import check_estimator

from thresher.evaluators import evaluator_for

from ._evaluators import check_evaluator
from ._planted import planted_table

__all__ = ["check_learner"]


def check_learner(learner: Any) -> None:
    """Check a learner: scikit-learn's own checks, and that subsets can be judged by it.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> check_learner(GaussianNB())
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some checks provoke them on purpose
        check_estimator(learner, on_skip=None)
    X, y = planted_table(classes=is_classifier(learner))
    check_evaluator(evaluator_for(learner, X, y, random_state=0))
