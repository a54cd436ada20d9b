"""Turn a question into a procedure, with a sentence that explains it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from thresher.columns import CodedColumns
from thresher.filters import FCBF
from thresher.selectors import ACE

from ._learner import default_learner
from ._methods import accepts, named_selector, own_learner, selector_classes
from ._procedure import Procedure
from ._question import Question

__all__ = ["Plan", "make_plan"]

#: Cells beyond which forests of permuted copies take too long; FCBF needs one pass.
_MANY_CELLS = 400_000_000
_REPLICATES = 20


@dataclass(frozen=True, eq=False)
class Plan:
    """The procedure that answers a question, and why.

    Parameters
    ----------
    procedure : Procedure
        The selection.
    explanation : str
        What the procedure does, and why it was chosen.
    learner : classifier or regressor
        The estimator whose losses a validation shows.
    named : bool
        Whether the user named the estimator.
    loss : str, optional
        Its loss, if not the default one.
    """

    procedure: Procedure
    explanation: str
    learner: Any
    named: bool
    loss: str | None = None


def make_plan(question: Question, limits: Sequence[str], n_jobs: int | None) -> Plan:
    """Choose the procedure; ``limits`` are the parameters by which selectors keep a budget."""
    method, learner = question.method, question.learner
    if method == "auto":
        selector, why = _automatic(question)
    else:
        selector = _named(question) if isinstance(method, str) else method
        why = f"{type(selector).__name__}, as asked."
        if limits and not accepts(type(selector), *limits):
            raise ValueError(f"budget: {type(selector).__name__} has no {' or '.join(limits)}")
    why += _about_target(question)
    known = learner if learner is not None else own_learner(selector)
    procedure = Procedure(
        selector,
        question.groups,
        question.keep,
        task=question.task,
        wish=question.wish if method == "auto" else None,
        learner=learner if method == "auto" else None,
        max_features=question.max_features,
        n_jobs=n_jobs,
    )
    if known is None:
        return Plan(procedure, why, default_learner(question.task, question.columns.n_rows), False)
    return Plan(procedure, why, known, True, getattr(selector, "loss", None))


def _automatic(question: Question) -> tuple[Any, str]:
    columns, learner = question.columns, question.learner
    judge = "boosted trees or a linear model, whichever predicts better"
    if learner is not None:
        judge = type(learner).__name__
    then = f"then the smallest set of columns that is shown to be enough for {judge}."
    # of a coded table, forests see samples of the rows
    coded = isinstance(columns, CodedColumns)
    if columns.n_rows * columns.n_columns > _MANY_CELLS and not coded:
        return FCBF(), (
            f"FCBF, because a table of {columns.n_rows:,} x {columns.n_columns:,} cells asks for a "
            f"method that reads each column a few times only; {then}"
        )
    screening = ACE(alpha=question.alpha, n_replicates=_replicates(question.alpha))
    return screening, (
        "ACE, which tests each column against permuted copies and finds those that repeat "
        f"others; {then}"
    )


def _about_target(question: Question) -> str:
    """Say how the target was read, if it could be read as another task."""
    target = question.target
    numbers = target.classes is not None and target.classes.dtype.kind in "iuf"
    if not (question.guessed and numbers and target.n_classes > 2):
        return ""
    return (
        f" The {target.n_classes} whole numbers of the target are taken for classes; with the task "
        '"regression" they would be quantities.'
    )


def _named(question: Question) -> Any:
    kind = selector_classes().get(question.method, object)
    wishes = {"alpha": question.alpha, "n_replicates": _replicates(question.alpha)}
    return named_selector(
        question.method, question.learner, question.task, question.variables,
        **{name: value for name, value in wishes.items() if accepts(kind, name)},
    )  # fmt: skip


def _replicates(alpha: float) -> int:
    """Number of replicates that a test at this level needs."""
    return max(_REPLICATES, ceil(1 / alpha))
