"""scikit-learn's own checks of an estimator, with nothing expected to fail."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks


def sklearn_checks(*estimators):
    """Run a test ``(estimator, check)`` for each of the estimators and each check."""

    def decorate(test):
        return pytest.mark.usefixtures("array_api")(parametrize_with_checks(estimators)(test))

    return decorate
