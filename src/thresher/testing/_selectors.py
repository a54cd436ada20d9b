"""What every selector must do, beyond scikit-learn's own checks."""

from typing import Any, get_args

import numpy as np
from sklearn.base import clone, is_classifier

from thresher.selection import Kind, Selection

from ._planted import planted_table

__all__ = ["check_selector"]

_KINDS = get_args(Kind)


def check_selector(selector: Any) -> None:
    """Check a selector: results agree with each other, repeat, and keep parameters as they were.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from thresher import Stepwise
    >>> check_selector(Stepwise(LinearRegression()))
    """
    # meta-estimators call it one or the other
    estimator = getattr(selector, "estimator", None) or getattr(selector, "learner", None)
    classes = estimator is not None and is_classifier(estimator)
    X, y = planted_table(classes=classes)
    fitted = clone(selector).set_params(random_state=7).fit(X, y)
    _check_agreement(fitted, X)
    assert 0 in np.flatnonzero(fitted.support_), f"{selector!r} missed the column that matters most"

    again = clone(selector).set_params(random_state=7, n_jobs=2).fit(X, y)
    assert np.array_equal(fitted.support_, again.support_), (
        f"{selector!r}: n_jobs changed the result"
    )
    assert fitted.selection_.verdicts == again.selection_.verdicts, (
        f"{selector!r}: n_jobs changed the verdicts"
    )
    fitted.fit(X, y)
    assert np.array_equal(fitted.support_, again.support_), f"{selector!r}: a second fit differs"
    params = clone(selector).set_params(random_state=7).get_params()
    assert repr(fitted.get_params()) == repr(params), f"{selector!r}: fit changed parameters"


def _check_agreement(fitted: Any, X: np.ndarray) -> None:
    selection: Selection = fitted.selection_
    name = type(fitted).__name__
    chosen = set(np.flatnonzero(fitted.support_).tolist())
    assert len(chosen) == fitted.n_features_, f"{name}: n_features_ is not the size of support_"
    assert set(np.flatnonzero(fitted.ranking_ == 1).tolist()) == chosen, f"{name}: ranking_"
    assert len(selection.verdicts) == X.shape[1], f"{name}: not one verdict for each column"
    assert {v.name for v in selection.verdicts if v.is_selected} == {f"x{p}" for p in chosen}, (
        f"{name}: verdicts and support_ disagree"
    )
    assert all(v.kind in _KINDS for v in selection.verdicts), f"{name}: kinds"
    assert all(v.reason for v in selection.verdicts), f"{name}: a column without a reason"
    assert fitted.transform(X).shape == (len(X), len(chosen)), f"{name}: transform"
    assert Selection.from_dict(selection.to_dict()) == selection, f"{name}: to_dict"
