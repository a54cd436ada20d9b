"""From what the user asks for to a procedure, with the reason in one sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from sklearn.base import is_classifier
from sklearn.feature_selection import SelectorMixin

from thresher.columns import Columns
from thresher.evaluators import Task, check_estimator
from thresher.filters import FCBF
from thresher.selectors import ACE

from ._estimators import estimator_named
from ._learner import default_learner
from ._methods import accepts, learner_for, make_selector, needs_encoding, selector_classes
from ._procedure import Procedure

__all__ = ["Plan", "make_plan"]

#: Cells beyond which forests of permuted copies take too long; FCBF needs one pass.
_MANY_CELLS = 400_000_000
_REPLICATES = 20


@dataclass(frozen=True, eq=False)
class Plan:
    """What will be done.

    Parameters
    ----------
    procedure : Procedure
        The selection.
    explanation : str
        Why this one.
    learner : classifier or regressor
        Whose losses a validation shows.
    named : bool
        Whether the user asked for the learner.
    """

    procedure: Procedure
    explanation: str
    learner: Any
    named: bool


def make_plan(
    columns: Columns,
    task: Task,
    *,
    method: Any,
    estimator: Any,
    alpha: float,
    max_features: int | None,
    groups: Mapping[str, Sequence[str]],
    keep: tuple[str, ...],
    limits: Sequence[str],
    n_jobs: int | None,
) -> Plan:
    """Choose the procedure; ``limits`` are the parameters by which a budget would be kept."""
    learner = _estimator(estimator, task)
    if not isinstance(method, str):
        selector, why = _given(method, learner), f"{type(method).__name__}, as asked."
    elif method == "auto":
        selector, why = _automatic(columns, task, learner, alpha)
    else:
        selector = _named(method, columns, task, learner, alpha)
        why = f"{type(selector).__name__}, as asked."
    if limits and method != "auto" and not accepts(type(selector), *limits):
        raise ValueError(f"budget: {type(selector).__name__} has no {' or '.join(limits)}")
    own = getattr(selector, "estimator", None) or getattr(selector, "learner", None)
    known = learner if learner is not None else own
    return Plan(
        Procedure(
            selector, groups, keep,
            learner=learner if method == "auto" else None,
            max_features=max_features, n_jobs=n_jobs,
        ),
        why,
        default_learner(task, columns.n_rows) if known is None else known,
        known is not None,
    )  # fmt: skip


def _automatic(columns: Columns, task: Task, learner: Any, alpha: float) -> tuple[Any, str]:
    n_cells = columns.n_rows * columns.n_columns
    if n_cells > _MANY_CELLS:
        then = (
            f", then RVErS removes what {type(learner).__name__} does not miss" if learner else ""
        )
        return FCBF(), (
            f"FCBF, because a table of {columns.n_rows:,} x {columns.n_columns:,} cells asks for a "
            f"method that reads each column a few times only{then}."
        )
    # the smallest p-value is one in the number of replicates
    screening = ACE(alpha=alpha, task=task, n_replicates=max(_REPLICATES, ceil(1 / alpha)))
    if learner is None:
        return screening, (
            "ACE, because no estimator was named: it tests each column against permuted copies, "
            "and drops those that repeat others."
        )
    return screening, (
        f"ACE, which finds what matters and drops what repeats, then RVErS, because "
        f"{type(learner).__name__} was named: it removes what that estimator does not miss."
    )


def _named(method: str, columns: Columns, task: Task, estimator: Any, alpha: float) -> Any:
    known = selector_classes()
    if method not in known:
        raise ValueError(
            f"method must be 'auto', one of {', '.join(map(repr, known))}, or a selector; "
            f"got {method!r}"
        )
    kind = known[method]
    learner = learner_for(kind, estimator, task)
    encode = needs_encoding(learner, columns)
    return make_selector(kind, learner, alpha=alpha, task=task, encode=encode)


def _given(selector: Any, estimator: Any) -> Any:
    usable = isinstance(selector, SelectorMixin) and accepts(type(selector), "feature_groups")
    if isinstance(selector, type) or not usable:
        raise TypeError(
            f"method must be 'auto', a name or one of thresher's selectors; got {selector!r}"
        )
    if estimator is not None:
        raise ValueError("estimator: the selector given as method has its own")
    return selector


def _estimator(estimator: Any, task: Task) -> Any:
    if estimator is None:
        return None
    if isinstance(estimator, str):
        return estimator_named(estimator, task)
    check_estimator(estimator)
    if is_classifier(estimator) != (task == "classification"):
        kind = "classifier" if is_classifier(estimator) else "regressor"
        raise ValueError(
            f"estimator: {type(estimator).__name__} is a {kind}, but the task is {task}; "
            "name another one, or say task=..."
        )
    return estimator
