"""Sample weights and groups on their way to the estimator and the splitter."""

from typing import Any

from sklearn import get_config
from sklearn.base import is_classifier
from sklearn.model_selection import LeaveOneOut, check_cv
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

__all__ = ["fit_router", "routed"]


def routed(owner: Any, params: dict[str, Any]) -> dict[str, Any]:
    """Return what ``fit`` was given, after scikit-learn has checked who asked for what.

    It does so only if its metadata routing is on; then names may be those that the estimator and
    the splitter asked for. Whatever is None counts as not given.
    """
    given = {name: value for name, value in params.items() if value is not None}
    if given and get_config()["enable_metadata_routing"]:
        asked = process_routing(owner, "fit", **given)
        given = {
            name: value
            for methods in asked.values()
            for wanted in methods.values()
            for name, value in wanted.items()
        }
    unknown = sorted(set(given) - {"sample_weight", "groups"})
    if unknown:
        raise TypeError(f"{type(owner).__name__}.fit takes sample_weight and groups; got {unknown}")
    return given


def fit_router(owner: Any, estimator: Any = None) -> MetadataRouter:
    """Tell scikit-learn that weights go to the estimator and groups to the splitter.

    Parameters
    ----------
    owner : estimator
        Whose ``fit`` it is.
    estimator : estimator, optional
        The one that gets the weights, if it is not ``owner.estimator``.
    """
    estimator = owner.estimator if estimator is None else estimator
    cv = LeaveOneOut() if isinstance(owner.cv, str) else owner.cv
    return (
        MetadataRouter(owner=owner)
        .add(
            estimator=estimator,
            method_mapping=MethodMapping().add(caller="fit", callee="fit"),
        )
        .add(
            splitter=check_cv(cv, classifier=is_classifier(estimator)),
            method_mapping=MethodMapping().add(caller="fit", callee="split"),
        )
    )
