"""scikit-learn's callbacks where they exist (since 1.9, experimental), and nothing where not."""

from collections.abc import Callable
from typing import Any

__all__ = ["CallbackSupportMixin", "Listener", "with_callbacks"]

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn < 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in for scikit-learn's mixin."""

    def with_callbacks(method: Callable[..., Any]) -> Callable[..., Any]:
        return method


class Listener:
    """Tells scikit-learn's callbacks of each step of a search; they may stop it.

    Parameters
    ----------
    selector : estimator
        The selector being fitted.
    n_steps : int or None
        How many steps there will be at most, if known.
    """

    def __init__(self, selector: Any, n_steps: int | None):
        self._selector = selector
        self._steps_left = n_steps
        self._root: Any = None
        self._task: Any = None
        if hasattr(selector, "_init_callback_context"):
            self._root = selector._init_callback_context(max_subtasks=n_steps)
            self._root.call_on_fit_task_begin(estimator=selector)
            self._task = self._begin()

    def _begin(self) -> Any:
        if self._steps_left is not None:
            if self._steps_left == 0:
                return None
            self._steps_left -= 1
        return self._root.subcontext(task_name="step").call_on_fit_task_begin(
            estimator=self._selector
        )

    def step(self, attributes: Callable[[], dict[str, Any]]) -> bool:
        """Report the end of a step; return whether a callback wants to stop."""
        if self._task is None:
            return False
        stop = self._task.call_on_fit_task_end(
            estimator=self._selector, reconstruction_attributes=attributes
        )
        self._task = self._begin()
        return bool(stop)

    def end(self) -> None:
        """Report the end of the search."""
        if self._root is not None:
            self._root.call_on_fit_task_end(estimator=self._selector)
