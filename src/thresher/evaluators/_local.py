"""Kernel and locally weighted regression: nothing is fitted before a row is to be predicted."""

from typing import Any

from thresher.kernels.local import Rule, draw_losses, flip_losses, subset_losses
from thresher.learners import KernelRegressor, LocallyWeightedRegressor

from ._loss import Loss
from ._memory import MemoryEvaluator, has_squares
from ._problem import Problem

__all__ = ["LocalEvaluator"]


class LocalEvaluator(MemoryEvaluator):
    """Exact held-out losses of `KernelRegressor` and `LocallyWeightedRegressor`.

    Parameters
    ----------
    problem : Problem
        One that `supports` accepts.

    Notes
    -----
    In a list, a subset has the losses of refitting bit for bit. Among flips under kernel
    regression, distances are those of the base, updated; where the width is so small that their
    rounding would matter, they are summed anew: losses agree to ten digits of the largest one.
    """

    subset_losses = subset_losses
    flip_losses = flip_losses
    drawn_losses = draw_losses

    @classmethod
    def supports(cls, problem: Problem) -> bool:
        """Whether this class gives exactly what refitting the learner would give."""
        return (
            _supported_learner(problem.estimator)
            and problem.loss in (Loss.ABSOLUTE, Loss.SQUARED)
            and problem.weights is None
            and problem.target.classes is None
            and problem.target.values.ndim == 1
            and has_squares(problem)
        )

    @property
    def loss_span(self) -> float | None:
        """The largest difference there can be between two losses; None if planes are fitted."""
        return None if self._rule.linear else self._span_of_averages()

    def _make_rule(self) -> Rule:
        estimator: Any = self.problem.estimator
        return estimator.make_rule()._replace(loss=int(self.problem.row_loss))


def _supported_learner(estimator: Any) -> bool:
    if type(estimator) not in (KernelRegressor, LocallyWeightedRegressor):
        return False
    try:
        estimator.make_rule()
    except ValueError:
        return False  # wrong parameters are for the learner to complain about
    return True
