"""Regressors that remember all rows and let those near by predict: learners for races."""

from ._kernel_regressor import KernelRegressor
from ._locally_weighted_regressor import LocallyWeightedRegressor

__all__ = ["KernelRegressor", "LocallyWeightedRegressor"]
