"""The door to all evaluators: checks the question, then picks the fastest exact answer."""

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.metrics import check_scoring

from thresher.columns import CodedColumns, Columns, encode, read_columns, with_groups
from thresher.learners import DiscreteNB

from ._base import Evaluator
from ._c45 import C45Evaluator
from ._discrete_nb import DiscreteNBEvaluator
from ._estimator import EstimatorEvaluator, ScorerEvaluator
from ._finite import check_target_size
from ._folds import Folds, make_folds
from ._gaussian_nb import GaussianNBEvaluator
from ._lazy import LazyEvaluator
from ._linear import LinearEvaluator
from ._local import LocalEvaluator
from ._loss import SCORER_LOSSES, Loss
from ._neighbours import NeighboursEvaluator
from ._oblivious import ObliviousEvaluator
from ._perceptron import PerceptronEvaluator
from ._problem import Problem, Scorer
from ._requirements import (
    check_estimator,
    check_probabilities,
    check_table,
    only_step,
    weight_parameter,
)
from ._target import make_target

__all__ = ["evaluator_for", "with_folds"]

FloatArray = NDArray[np.float64]

#: Asked in this order; a new fast evaluator joins by its name here.
FAST: tuple[type[Evaluator], ...] = (
    NeighboursEvaluator,
    LocalEvaluator,
    LazyEvaluator,
    GaussianNBEvaluator,
    DiscreteNBEvaluator,
    LinearEvaluator,
    C45Evaluator,
    ObliviousEvaluator,
    PerceptronEvaluator,
)
GENERAL: tuple[type[Evaluator], ...] = (EstimatorEvaluator, ScorerEvaluator)


def evaluator_for(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = 5,
    loss: str | None = None,
    scoring: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    feature_groups: Any = None,
    encode: bool = False,
    fast: bool = True,
    n_jobs: int | None = None,
    random_state: int | None = None,
    on_error: Literal["raise", "skip"] = "raise",
    timeout: float | None = None,
) -> Evaluator:
    """Return an object that gives the held-out loss of every row for subsets of the variables.

    For learners whose structure allows it (nearest neighbours, oblivious trees, kernel and locally
    weighted regression, lazy learning, naive Bayes, linear and ridge regression) nothing is
    refitted, and perceptrons and C4.5 are trained inside a kernel; yet the losses are those of
    refitting. A pipeline that does nothing but its last step counts as that step.

    Parameters
    ----------
    estimator : classifier or regressor
        Never changed; clones of it are fitted.
    X : array, sparse matrix, data frame or Columns
        The table.
    y : array-like of shape (n_rows,)
        The target.
    cv : int, "loo", splitter or iterable, default=5
        How rows are held out; "loo" for leave-one-out.
    loss : {"zero_one", "log", "brier", "absolute", "squared"}, optional
        Per-row loss; by default "zero_one" for classifiers, "squared" for regressors.
    scoring : str or callable, optional
        A scikit-learn scorer instead of ``loss``. Those that are means over rows ("accuracy",
        "neg_mean_squared_error", ...) become that loss; others give one loss per fold.
    sample_weight : array-like of shape (n_rows,), optional
        Used in fitting, and in the mean over rows; a scorer does not see it.
    groups : array-like of shape (n_rows,), optional
        For splitters that keep groups of rows together.
    feature_groups : mapping or sequence of columns, optional
        Columns that stand or fall together.
    encode : bool, default=False
        Rewrite categories and missing values as numbers first.
    fast : bool, default=True
        Whether to look for a fast evaluator at all.
    n_jobs : int, optional
        Threads for fast evaluators, joblib workers for others.
    random_state : int, optional
        Seeds every random_state of the estimator that is None.
    on_error : {"raise", "skip"}, default="raise"
        Whether an estimator that fails on some subset ends the work, or only gets a loss that is
        higher than any other; ``failures`` then tells of it.
    timeout : float, optional
        Seconds for one fit, after which it has failed.

    Returns
    -------
    Evaluator
        With ``losses(subsets, rows=None)`` and the counts ``n_losses`` and ``n_fits``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from thresher.evaluators import evaluator_for
    >>> X, y = load_iris(return_X_y=True)
    >>> evaluator = evaluator_for(KNeighborsClassifier(5), X, y, cv="loo")
    >>> evaluator.losses([{0, 1}, {2, 3}]).mean(axis=1).round(3).tolist()
    [0.253, 0.04]
    >>> evaluator.n_losses
    300
    """
    check_estimator(estimator)
    chosen, scorer = _resolve_loss(estimator, loss, scoring)
    columns = X if isinstance(X, Columns) else read_columns(X)
    if feature_groups is not None:
        columns = with_groups(columns, feature_groups)
    classifier = is_classifier(estimator)
    target = make_target(y, classifier=classifier)
    _check_lengths(columns, target.raw, "y")
    check_target_size(target, chosen)
    if encode:
        columns = _encode(columns)
    if isinstance(columns, CodedColumns) and not isinstance(only_step(estimator), DiscreteNB):
        columns = columns.plain()  # if memory has room for it
    check_table(estimator, columns)
    folds = make_folds(
        cv, target.values, classifier=classifier, groups=groups, labels=target.classes
    )
    problem = Problem(
        estimator=estimator,
        columns=columns,
        target=target,
        folds=folds,
        loss=chosen,
        scorer=scorer,
        weights=_checked_weights(estimator, sample_weight, columns, folds),
        n_jobs=n_jobs,
        seed=random_state,
        on_error=on_error,
        timeout=timeout,
    )
    return _fastest(problem) if fast else _general(problem)


def with_folds(evaluator: Evaluator, folds: Folds) -> Evaluator:
    """Return an evaluator for the same question, but with other folds."""
    problem = replace(evaluator.problem, folds=folds)
    other = _general(problem) if isinstance(evaluator, GENERAL) else _fastest(problem)
    other.journal = evaluator.journal
    return other


def _fastest(problem: Problem) -> Evaluator:
    bare = replace(problem, estimator=only_step(problem.estimator))
    for kind in FAST:
        evaluator = kind.for_problem(bare)
        if evaluator is not None:
            return evaluator
    return _general(problem)


def _general(problem: Problem) -> Evaluator:
    return next(kind for kind in GENERAL if kind.supports(problem))(problem)


_encode = encode  # the parameter of the same name hides it inside evaluator_for


def _resolve_loss(
    estimator: Any, loss: str | None, scoring: Any
) -> tuple[Loss | None, Scorer | None]:
    if loss is not None and scoring is not None:
        raise ValueError(f"give loss or scoring, not both; got {loss!r} and {scoring!r}")
    if isinstance(scoring, str) and scoring in SCORER_LOSSES:
        chosen = SCORER_LOSSES[scoring]
    elif scoring is not None:
        return None, _checked_scorer(estimator, scoring)
    elif loss is not None:
        chosen = Loss.named(loss)
    else:
        chosen = Loss.ZERO_ONE if is_classifier(estimator) else Loss.SQUARED
    if chosen.for_classification != is_classifier(estimator):
        kind = "classifier" if is_classifier(estimator) else "regressor"
        raise ValueError(
            f"{'scoring' if scoring else 'loss'}={scoring or loss!r} does not fit "
            f"{type(estimator).__name__}, which is a {kind}"
        )
    check_probabilities(estimator, chosen)
    return chosen, None


def _checked_scorer(estimator: Any, scoring: Any) -> Scorer:
    """Make a scorer, unless it asks for what the estimator does not have."""
    scorer: Scorer = check_scoring(estimator, scoring=scoring)
    wanted = getattr(scorer, "_response_method", "predict")  # scikit-learn's own scorers say so
    methods = [wanted] if isinstance(wanted, str) else list(wanted)
    if not any(method == "default" or hasattr(estimator, method) for method in methods):
        raise ValueError(
            f"scoring={scoring!r} needs {' or '.join(methods)}, which "
            f"{type(estimator).__name__} does not have"
        )
    return scorer


def _checked_weights(
    estimator: Any, sample_weight: Any, columns: Columns, folds: Folds
) -> FloatArray | None:
    if sample_weight is None:
        return None
    raw = np.asarray(sample_weight)
    if raw.dtype.kind not in "biufO":
        raise ValueError(f"sample_weight must hold numbers; got an array of dtype {raw.dtype}")
    try:
        weights = raw.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight must hold numbers: {error}") from error
    if weights.ndim != 1:
        raise ValueError(f"sample_weight must have one dimension; got shape {weights.shape}")
    _check_lengths(columns, weights, "sample_weight")
    with np.errstate(over="ignore"):
        usable = np.isfinite(weights.sum()) and (weights >= 0).all()
    if not usable:
        raise ValueError("sample_weight must be finite, also in sum, and not negative")
    for fold in folds:
        left = weights.sum() - weights.max()  # in leave-one-out, at worst
        train = left if fold.train is None else weights[fold.train].sum()
        if not train >= np.finfo(np.float64).tiny:
            raise ValueError(f"sample_weight: the training rows of fold {fold.index} weigh nothing")
    weight_parameter(estimator)
    return weights


def _check_lengths(columns: Columns, values: NDArray[Any], name: str) -> None:
    if len(values) != columns.n_rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {columns.n_rows} "
            f"rows, {name} has {len(values)}"
        )
