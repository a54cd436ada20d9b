"""What a boosted ensemble predicts: its loss, and the targets that the next tree is grown on."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

from thresher.kernels.gradients import LOGISTIC, MULTINOMIAL, SQUARED, gradients

__all__ = ["Logistic", "Multinomial", "Response", "Squared"]

FloatArray = NDArray[np.float64]


class Response(ABC):
    """A target of K outputs on the scale that trees add up on."""

    #: Shape (n_rows, K).
    values: FloatArray
    #: The loss, as kernels know it.
    link: ClassVar[np.int64]

    @abstractmethod
    def start(self, weight: FloatArray) -> FloatArray:
        """Best constant prediction for the weighted rows, of shape (K,)."""

    @abstractmethod
    def losses(self, prediction: FloatArray) -> FloatArray:
        """Loss of each row, of shape (n_rows,)."""

    def gradients(self, prediction: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The negative gradient and the curvature of the loss, each of shape (n_rows, K)."""
        residual, curvature = np.empty_like(self.values), np.empty_like(self.values)
        rows = np.arange(len(self.values), dtype=np.uint32)
        gradients(self.link, self.values, prediction, rows, residual, curvature)
        return residual, curvature

    def residual(self, prediction: FloatArray) -> FloatArray:
        """What is left to explain, of shape (n_rows, K): the negative gradient of the loss."""
        return self.gradients(prediction)[0]


@dataclass(frozen=True, eq=False)
class Squared(Response):
    """A numeric target under squared error."""

    values: FloatArray
    link = SQUARED

    def start(self, weight: FloatArray) -> FloatArray:
        """Weighted mean."""
        return np.asarray(weight @ self.values / weight.sum())

    def losses(self, prediction: FloatArray) -> FloatArray:
        """Squared error."""
        return np.asarray(((self.values - prediction) ** 2).sum(axis=1))


@dataclass(frozen=True, eq=False)
class Logistic(Response):
    """Two classes, coded 0 and 1 in one column; predictions are log-odds of the second."""

    values: FloatArray
    link = LOGISTIC

    def start(self, weight: FloatArray) -> FloatArray:
        """Log-odds of the class shares."""
        share = weight @ self.values / weight.sum()
        share = np.clip(share, 1e-6, 1 - 1e-6)
        return np.asarray(np.log(share / (1 - share)))

    def losses(self, prediction: FloatArray) -> FloatArray:
        """Negative log-likelihood."""
        signed = np.where(self.values == 1, prediction, -prediction)
        return np.asarray(np.logaddexp(0.0, -signed)[:, 0])


@dataclass(frozen=True, eq=False)
class Multinomial(Response):
    """K classes, one indicator column each; trees are shared by all classes."""

    values: FloatArray
    link = MULTINOMIAL

    def start(self, weight: FloatArray) -> FloatArray:
        """Logarithms of the class shares."""
        share = weight @ self.values / weight.sum()
        return np.asarray(np.log(np.maximum(share, 1e-6)))

    def losses(self, prediction: FloatArray) -> FloatArray:
        """Negative log-likelihood."""
        return np.asarray(-(self.values * log_softmax(prediction, axis=1)).sum(axis=1))
