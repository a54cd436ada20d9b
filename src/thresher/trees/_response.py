"""What a boosted ensemble predicts: its loss, and the targets that the next tree is grown on."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_softmax, softmax

__all__ = ["Logistic", "Multinomial", "Response", "Squared"]

FloatArray = NDArray[np.float64]

#: Curvature below this would make steps of rows that are already certain explode.
_LEAST_CURVATURE = 1e-3


class Response(ABC):
    """A target of K outputs on the scale that trees add up on."""

    #: Shape (n_rows, K).
    values: FloatArray

    @abstractmethod
    def start(self, weight: FloatArray) -> FloatArray:
        """Best constant prediction for the weighted rows, of shape (K,)."""

    @abstractmethod
    def residual(self, prediction: FloatArray) -> FloatArray:
        """What is left to explain, of shape (n_rows, K): the negative gradient of the loss."""

    @abstractmethod
    def curvature(self, prediction: FloatArray) -> FloatArray:
        """Second derivative of the loss, of shape (n_rows, K)."""

    @abstractmethod
    def losses(self, prediction: FloatArray) -> FloatArray:
        """Loss of each row, of shape (n_rows,)."""


@dataclass(frozen=True, eq=False)
class Squared(Response):
    """A numeric target under squared error."""

    values: FloatArray

    def start(self, weight: FloatArray) -> FloatArray:
        """Weighted mean."""
        return np.asarray(weight @ self.values / weight.sum())

    def residual(self, prediction: FloatArray) -> FloatArray:
        """Actual minus predicted."""
        return self.values - prediction

    def curvature(self, prediction: FloatArray) -> FloatArray:
        """Constant."""
        return np.ones_like(prediction)

    def losses(self, prediction: FloatArray) -> FloatArray:
        """Squared error."""
        return np.asarray(((self.values - prediction) ** 2).sum(axis=1))


@dataclass(frozen=True, eq=False)
class Logistic(Response):
    """Two classes, coded 0 and 1 in one column; predictions are log-odds of the second."""

    values: FloatArray

    def start(self, weight: FloatArray) -> FloatArray:
        """Log-odds of the class shares."""
        share = weight @ self.values / weight.sum()
        share = np.clip(share, 1e-6, 1 - 1e-6)
        return np.asarray(np.log(share / (1 - share)))

    def residual(self, prediction: FloatArray) -> FloatArray:
        """Class minus probability."""
        return np.asarray(self.values - expit(prediction))

    def curvature(self, prediction: FloatArray) -> FloatArray:
        """P (1 - p)."""
        p = expit(prediction)
        return np.asarray(np.maximum(p * (1 - p), _LEAST_CURVATURE))

    def losses(self, prediction: FloatArray) -> FloatArray:
        """Negative log-likelihood."""
        signed = np.where(self.values == 1, prediction, -prediction)
        return np.asarray(np.logaddexp(0.0, -signed)[:, 0])


@dataclass(frozen=True, eq=False)
class Multinomial(Response):
    """K classes, one indicator column each; trees are shared by all classes."""

    values: FloatArray

    def start(self, weight: FloatArray) -> FloatArray:
        """Logarithms of the class shares."""
        share = weight @ self.values / weight.sum()
        return np.asarray(np.log(np.maximum(share, 1e-6)))

    def residual(self, prediction: FloatArray) -> FloatArray:
        """Class indicator minus probability, for each class."""
        return np.asarray(self.values - softmax(prediction, axis=1))

    def curvature(self, prediction: FloatArray) -> FloatArray:
        """P (1 - p) K / (K - 1): the classes share one degree of freedom."""
        p = softmax(prediction, axis=1)
        n_classes = p.shape[1]
        return np.asarray(np.maximum(p * (1 - p) * n_classes / (n_classes - 1), _LEAST_CURVATURE))

    def losses(self, prediction: FloatArray) -> FloatArray:
        """Negative log-likelihood."""
        return np.asarray(-(self.values * log_softmax(prediction, axis=1)).sum(axis=1))
