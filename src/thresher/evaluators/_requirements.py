"""What an estimator can take, and complaints that come before any work is done."""

from typing import Any

from sklearn import get_config
from sklearn.base import is_classifier, is_regressor
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from thresher.columns import Columns, listed

from ._loss import Loss

__all__ = [
    "can_take",
    "check_estimator",
    "check_probabilities",
    "check_table",
    "names_columns",
    "only_step",
    "weight_parameter",
]


def check_estimator(estimator: Any) -> None:
    """Refuse what cannot be fitted and asked for predictions."""
    for method in ("fit", "predict", "get_params"):
        if isinstance(estimator, type) or not hasattr(estimator, method):
            raise TypeError(
                f"estimator must be an instance with fit, predict and get_params, as in "
                f"scikit-learn; got {estimator!r}, which has no usable {method}"
            )
    if not (is_classifier(estimator) or is_regressor(estimator)):
        raise TypeError(
            f"estimator must be a classifier or a regressor; {type(estimator).__name__} says that "
            "it is neither"
        )


def names_columns(estimator: Any) -> bool:
    """Whether a pipeline begins by picking columns by name or place, which subsets may lack."""
    first = estimator.steps[0][1] if isinstance(estimator, Pipeline) else None
    return isinstance(first, ColumnTransformer) and not all(
        callable(columns) for _, _, columns in first.transformers
    )


def check_probabilities(estimator: Any, loss: Loss) -> None:
    """Refuse a loss that needs probabilities of an estimator that has none."""
    if loss.needs_probabilities and not hasattr(estimator, "predict_proba"):
        raise ValueError(
            f"loss={loss.name.lower()!r} needs class probabilities, but "
            f"{type(estimator).__name__} has no predict_proba"
        )


def check_table(estimator: Any, columns: Columns) -> None:
    """Refuse missing values and levels that the estimator cannot take, naming the columns."""
    missing = [columns.names[p] for p in columns.n_missing.nonzero()[0]]
    if missing and not _accepts_missing(estimator):
        raise ValueError(
            f"Input X contains NaN: column(s) {listed(missing)} have missing values, which "
            f"{type(estimator).__name__} does not accept; impute them in a pipeline, use an "
            "estimator that takes missing values, or set encode=True where there is such a switch"
        )
    for kind in ("categorical", "string"):
        named = [n for n, k in zip(columns.names, columns.kinds, strict=True) if k == kind]
        if named and not _accepts_levels(estimator, kind):
            remedy = "cast them to a categorical type, " if _is_boosting(estimator) else ""
            raise ValueError(
                f"column(s) {listed(named)} are of kind {kind!r}, which "
                f"{type(estimator).__name__} does not accept; {remedy}encode them in a pipeline, "
                "or set encode=True where there is such a switch"
            )


def can_take(estimator: Any, columns: Columns) -> bool:
    """Whether `check_table` would be content."""
    try:
        check_table(estimator, columns)
    except ValueError:
        return False
    return True


def weight_parameter(estimator: Any) -> str:
    """Name of the argument of ``fit`` that takes sample weights; a ValueError if there is none."""
    if isinstance(estimator, Pipeline) and not get_config()["enable_metadata_routing"]:
        name, last = estimator.steps[-1]
        return f"{name}__{weight_parameter(last)}"
    if not isinstance(estimator, Pipeline) and not has_fit_parameter(estimator, "sample_weight"):
        raise ValueError(
            f"sample_weight was given, but {type(estimator).__name__}.fit does not take it"
        )
    return "sample_weight"


def only_step(estimator: Any) -> Any:
    """Return the last step of a pipeline whose other steps do nothing; else the estimator itself.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> only_step(Pipeline([("scale", "passthrough"), ("model", Ridge())]))
    Ridge()
    """
    # a subclass of Pipeline may do anything
    while type(estimator) is Pipeline and all(map(_does_nothing, estimator.steps[:-1])):
        estimator = estimator.steps[-1][1]
    return estimator


def _does_nothing(named_step: tuple[str, Any]) -> bool:
    step = named_step[1]
    return step is None or (isinstance(step, str) and step == "passthrough")


def _accepts_missing(estimator: Any) -> bool:
    if isinstance(estimator, Pipeline):
        return _accepts_missing(_first_step(estimator))
    if isinstance(estimator, (ColumnTransformer, FeatureUnion)):
        return True  # it routes columns; what arrives where is for its parts to judge
    return bool(get_tags(estimator).input_tags.allow_nan)


def _accepts_levels(estimator: Any, kind: str) -> bool:
    if isinstance(estimator, Pipeline):
        return _accepts_levels(_first_step(estimator), kind)
    if isinstance(estimator, (ColumnTransformer, FeatureUnion)):
        return True
    if _is_boosting(estimator):
        return kind == "categorical"
    if not type(estimator).__module__.startswith(("sklearn.", "thresher.")):
        return True  # other libraries do not set these tags; their own message will have to do
    tags = get_tags(estimator).input_tags
    return bool(tags.categorical or (kind == "string" and tags.string))


def _is_boosting(estimator: Any) -> bool:
    return isinstance(estimator, (HistGradientBoostingClassifier, HistGradientBoostingRegressor))


def _first_step(pipeline: Pipeline) -> Any:
    for named_step in pipeline.steps:
        if not _does_nothing(named_step):
            return named_step[1]
    return pipeline.steps[-1][1]
