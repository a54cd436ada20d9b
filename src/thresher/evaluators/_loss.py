"""Per-row losses, and which of them stand behind scikit-learn's scorers."""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

__all__ = ["SCORER_LOSSES", "Loss", "classification_losses", "loss_span", "regression_losses"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


class Loss(IntEnum):
    """What one held-out row costs. Kernels use the numbers, users the names in lower case."""

    ZERO_ONE = 0
    LOG = 1
    BRIER = 2
    ABSOLUTE = 3
    SQUARED = 4

    @property
    def for_classification(self) -> bool:
        """Whether the target is a class."""
        return self <= Loss.BRIER

    @property
    def needs_probabilities(self) -> bool:
        """Whether predicted classes are not enough."""
        return self in (Loss.LOG, Loss.BRIER)

    @classmethod
    def named(cls, name: str) -> "Loss":
        """Return the loss of that name, as users write it."""
        try:
            return cls[name.upper().replace("-", "_")]
        except (KeyError, AttributeError):
            known = ", ".join(repr(loss.name.lower()) for loss in cls)
            raise ValueError(f"loss must be one of {known}; got {name!r}") from None


#: Scorers that are the negative (or complement) of a mean over rows: these can use fast evaluators.
SCORER_LOSSES = {
    "accuracy": Loss.ZERO_ONE,
    "neg_log_loss": Loss.LOG,
    "neg_brier_score": Loss.BRIER,
    "neg_mean_absolute_error": Loss.ABSOLUTE,
    "neg_mean_squared_error": Loss.SQUARED,
}


def classification_losses(loss: Loss, probability: FloatArray, truth: IntArray) -> FloatArray:
    """Losses of rows from class probabilities, one row each.

    Parameters
    ----------
    loss : Loss
        One of the losses for classification.
    probability : array of shape (n_rows, n_classes)
        For the 0/1 loss a 1 at the predicted class will do.
    truth : array of shape (n_rows,)
        Class codes.
    """
    rows = np.arange(len(truth))
    if loss is Loss.ZERO_ONE:
        return np.asarray(probability.argmax(axis=1) != truth, dtype=np.float64)
    if loss is Loss.LOG:
        eps = np.finfo(np.float64).eps
        return np.asarray(-np.log(np.clip(probability[rows, truth], eps, 1.0 - eps)))
    difference = probability.copy()
    difference[rows, truth] -= 1.0
    halves = 0.5 if probability.shape[1] == 2 else 1.0  # as scikit-learn scales it
    return np.asarray(halves * (difference**2).sum(axis=1))


def regression_losses(loss: Loss, prediction: FloatArray, truth: FloatArray) -> FloatArray:
    """Losses of rows from predicted numbers (any shape that broadcasts against ``truth``)."""
    difference = prediction - truth
    with np.errstate(over="ignore"):  # whoever uses them refuses what is infinite
        return np.asarray(np.abs(difference) if loss is Loss.ABSOLUTE else difference**2)


def loss_span(loss: Loss, *, n_classes: int = 0, reach: float | None = None) -> float | None:
    """Return the largest difference there can be between two losses, or None if there is no bound.

    Parameters
    ----------
    loss : Loss
        What a row costs.
    n_classes : int, default=0
        Of the target, in classification.
    reach : float, optional
        In regression, how far a prediction can be from the truth, if that is known.

    Examples
    --------
    >>> loss_span(Loss.BRIER, n_classes=3), loss_span(Loss.SQUARED, reach=3.0)
    (2.0, 9.0)
    """
    if loss is Loss.ZERO_ONE:
        return 1.0
    if loss is Loss.LOG:
        eps = np.finfo(np.float64).eps  # where probabilities are clipped, at both ends
        return float(np.log1p(-eps) - np.log(eps))
    if loss is Loss.BRIER:
        return 1.0 if n_classes == 2 else 2.0
    if reach is None:
        return None
    return reach if loss is Loss.ABSOLUTE else reach**2
