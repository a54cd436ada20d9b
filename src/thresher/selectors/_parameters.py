"""Checks of constructor parameters that many selectors share, made in ``fit``."""

import warnings
from collections.abc import Callable, Mapping
from numbers import Integral, Real
from os import PathLike
from typing import Any

import numpy as np

from thresher.journal import Scope

__all__ = ["check_parameters", "warn_if_large"]

#: Differences that do not matter should be below this share of the loss without any column.
_LARGE = 0.1


def _is_bool(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_))  # grids of arrays give the latter


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not _is_bool(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not _is_bool(value) and abs(float(value)) < np.inf


def _is_seed(value: Any) -> bool:
    known = value is None or value is np.random or isinstance(value, np.random.RandomState)
    return known or (_is_whole(value) and 0 <= value < 2**32)


def _is_share(value: Any) -> bool:
    return _is_number(value) and 0 < value < 1


def _is_switch(value: Any) -> bool:
    return _is_bool(value) or (isinstance(value, str) and value == "auto")


_EXPECTED: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "floating": ("True or False", _is_bool),
    "encode": ("True or False", _is_bool),
    "alpha": ("a number between 0 and 1", _is_share),
    "masking_alpha": ("a number between 0 and 1", _is_share),
    "n_replicates": ("a whole number of at least 2", lambda v: _is_whole(v) and v >= 2),
    "n_trees": ("a whole number of at least 1", lambda v: _is_whole(v) and v >= 1),
    "max_samples": (
        "a whole number of at least 10 or None",
        lambda v: v is None or (_is_whole(v) and v >= 10),
    ),
    "max_iterations": ("a whole number of at least 1", lambda v: _is_whole(v) and v >= 1),
    "correction": (
        "'max-t', 'bonferroni', 'bh' or 't'",
        lambda v: isinstance(v, str) and v in ("max-t", "bonferroni", "bh", "t"),
    ),
    "redundancy": (
        "True, False or 'surrogates'",
        lambda v: _is_bool(v) or (isinstance(v, str) and v == "surrogates"),
    ),
    "task": (
        "'auto', 'classification' or 'regression'",
        lambda v: isinstance(v, str) and v in ("auto", "classification", "regression"),
    ),
    "delta": ("a number between 0 and 1", _is_share),
    "gamma": ("a number that is not negative", lambda v: _is_number(v) and v >= 0),
    "min_rows": (
        "a whole number of at least 2 or None",
        lambda v: v is None or (_is_whole(v) and v >= 2),
    ),
    "corrected": ("True or False", _is_bool),
    "refit": ("True, False or a callable", lambda v: _is_bool(v) or callable(v)),
    "strategy": (
        "'improved' or 'paper'",
        lambda v: isinstance(v, str) and v in ("improved", "paper"),
    ),
    "biased": ("True, False or 'auto'", _is_switch),
    "remember": ("True, False or 'auto'", _is_switch),
    "drift": ("True or False", _is_bool),
    "stop": (
        "'posterior', 'failures' or 'auto'",
        lambda v: isinstance(v, str) and v in ("posterior", "failures", "auto"),
    ),
    "holdout": (
        "a number between 0 and 1 or None",
        lambda v: v is None or _is_share(v),
    ),
    "p_value": ("a number between 0 and 1", _is_share),
    "init": (
        "'gram-schmidt', 'random' or 'correlation'",
        lambda v: isinstance(v, str) and v in ("gram-schmidt", "random", "correlation"),
    ),
    "generator": (
        "'neighbours' or 'schemata'",
        lambda v: isinstance(v, str) and v in ("neighbours", "schemata"),
    ),
    "combine": (
        "'best' or 'average'",
        lambda v: isinstance(v, str) and v in ("best", "average"),
    ),
    "n_candidates": ("a whole number of at least 2", lambda v: _is_whole(v) and v >= 2),
    "n_winners": ("a whole number of at least 1", lambda v: _is_whole(v) and v >= 1),
    "max_candidates": (
        "a whole number of at least 2 or None",
        lambda v: v is None or (_is_whole(v) and v >= 2),
    ),
    "n_train": ("a whole number of at least 2", lambda v: _is_whole(v) and v >= 2),
    "growth": (
        "a whole number that is not negative or None",
        lambda v: v is None or (_is_whole(v) and v >= 0),
    ),
    "prefer": (
        "'small' or 'accurate'",
        lambda v: isinstance(v, str) and v in ("small", "accurate"),
    ),
    "max_train": (
        "a whole number of at least 2 or None",
        lambda v: v is None or (_is_whole(v) and v >= 2),
    ),
    "max_tests": ("a whole number of at least 1", lambda v: _is_whole(v) and v >= 1),
    "patience": (
        "a whole number of at least 1 or None",
        lambda v: v is None or (_is_whole(v) and v >= 1),
    ),
    "cuts": (
        "'mdl' or a whole number of at least 2",
        lambda v: v == "mdl" if isinstance(v, str) else _is_whole(v) and v >= 2,
    ),
    "missing": (
        "'spread' or 'separate'",
        lambda v: isinstance(v, str) and v in ("spread", "separate"),
    ),
    "n_target_bins": ("a whole number of at least 2", lambda v: _is_whole(v) and v >= 2),
    "threshold": ("a number or None", lambda v: v is None or _is_number(v)),
    "correlation": (
        "'auto', 'symmetrical-uncertainty' or 'pearson'",
        lambda v: isinstance(v, str) and v in ("auto", "symmetrical-uncertainty", "pearson"),
    ),
    "standardize": ("True or False", _is_bool),
    "locally_predictive": ("True or False", _is_bool),
    "criterion": (
        "'gain-ratio', 'information-gain' or 'symmetrical-uncertainty'",
        lambda v: (
            isinstance(v, str)
            and v in ("gain-ratio", "information-gain", "symmetrical-uncertainty")
        ),
    ),
    "n_neighbors": ("a whole number of at least 1", lambda v: _is_whole(v) and v >= 1),
    "n_samples": (
        "a whole number of at least 1, a share between 0 and 1, or None",
        lambda v: v is None or (v >= 1 if _is_whole(v) else _is_share(v)),
    ),
    "sigma": ("a positive number or None", lambda v: v is None or (_is_number(v) and v > 0)),
    "n_permutations": ("a whole number of at least 1", lambda v: _is_whole(v) and v >= 1),
    "probes": (
        "'all' or a whole number of at least 1",
        lambda v: v == "all" if isinstance(v, str) else _is_whole(v) and v >= 1,
    ),
    "tolerance": ("a number that is not negative", lambda v: _is_number(v) and v >= 0),
    "max_time": ("positive seconds or None", lambda v: v is None or (_is_number(v) and v > 0)),
    "max_evaluations": (
        "a whole number of at least 1 or None",
        lambda v: v is None or (_is_whole(v) and v >= 1),
    ),
    "on_error": (
        "'raise' or 'skip'",
        lambda v: isinstance(v, str) and v in ("raise", "skip"),
    ),
    "timeout": ("positive seconds or None", lambda v: v is None or (_is_number(v) and v > 0)),
    "journal": ("a path or None", lambda v: v is None or isinstance(v, (str, PathLike, Scope))),
    "n_jobs": (
        "a whole number other than 0 or None",
        lambda v: v is None or (_is_whole(v) and v != 0),
    ),
    "random_state": ("a whole number from 0 to 2**32 - 1, a RandomState or None", _is_seed),
    "verbose": (
        "True, False or a whole number that is not negative",
        lambda v: _is_bool(v) or (_is_whole(v) and v >= 0),
    ),
    "loss": ("the name of a loss or None", lambda v: v is None or isinstance(v, str)),
    "scoring": (
        "the name of a scorer, a callable or None",
        lambda v: v is None or isinstance(v, str) or callable(v),
    ),
}


def check_parameters(params: Mapping[str, Any]) -> None:
    """Refuse parameters of the wrong type or out of range, by name.

    Examples
    --------
    >>> check_parameters({"tolerance": -1})
    Traceback (most recent call last):
    ...
    ValueError: tolerance must be a number that is not negative; got -1
    """
    for name, value in params.items():
        if name in _EXPECTED:
            expected, accepts = _EXPECTED[name]
            if not accepts(value):
                raise ValueError(f"{name} must be {expected}; got {value!r}")


def warn_if_large(name: str, value: float, baseline: float | None, consequence: str) -> None:
    """Warn if a difference between losses that is to be ignored is not small next to them.

    Parameters
    ----------
    name, value
        The parameter.
    baseline : float or None
        Loss of predicting without any column; None if it is not known.
    consequence : str
        What will happen.
    """
    if baseline is None or not value > _LARGE * baseline > 0:
        return
    warnings.warn(
        f"{name}={value:g} is not small next to the loss of predicting without any column, "
        f"{baseline:.3g}: {consequence}; lower {name} or scale the target",
        UserWarning,
        stacklevel=7,  # past scikit-learn's wrapper of fit
    )
