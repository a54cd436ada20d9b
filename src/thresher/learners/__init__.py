"""The learners of the papers, as scikit-learn estimators."""

from ._c45 import C45Classifier
from ._discrete_nb import DiscreteNB
from ._kernel_regressor import KernelRegressor
from ._lazy_regressor import LazyRegressor
from ._locally_weighted_regressor import LocallyWeightedRegressor
from ._oblivious_tree import ObliviousTree
from ._oblivious_tree_regressor import ObliviousTreeRegressor
from ._pocket_perceptron import PocketPerceptron
from ._thermal_perceptron import ThermalPerceptron

__all__ = [
    "C45Classifier",
    "DiscreteNB",
    "KernelRegressor",
    "LazyRegressor",
    "LocallyWeightedRegressor",
    "ObliviousTree",
    "ObliviousTreeRegressor",
    "PocketPerceptron",
    "ThermalPerceptron",
]
