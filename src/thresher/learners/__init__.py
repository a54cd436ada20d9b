"""The learners of the papers, as scikit-learn estimators."""

from ._c45 import C45Classifier
from ._discrete_nb import DiscreteNB
from ._kernel_regressor import KernelRegressor
from ._locally_weighted_regressor import LocallyWeightedRegressor
from ._pocket_perceptron import PocketPerceptron
from ._thermal_perceptron import ThermalPerceptron

__all__ = [
    "C45Classifier",
    "DiscreteNB",
    "KernelRegressor",
    "LocallyWeightedRegressor",
    "PocketPerceptron",
    "ThermalPerceptron",
]
