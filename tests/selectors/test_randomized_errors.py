"""What RVE and RVErS refuse, and how they say it."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from thresher import RVE, RVErS
from thresher.selectors import _randomized

from .randomized import both, name_of, selector_of

COMMON = [
    ({"tolerance": -0.1}, "tolerance must be a number that is not negative; got -0.1"),
    ({"tolerance": None}, "tolerance must be"),
    ({"cost": "huge"}, "cost must be one of .*got 'huge'"),
    ({"cost": lambda n: 0.0}, r"cost must be a positive number.*cost\(\d\) gave 0.0"),
    ({"cost": lambda n: -float(n)}, r"cost must be a positive number.*gave -\d"),
    ({"cost": 3}, "cost must be one of .*got 3"),
    ({"k": 0}, "k must be a whole number of at least 1 or None; got 0"),
    ({"k": "two"}, "k must be a whole number"),
    ({"strategy": "x"}, "strategy must be 'improved' or 'paper'; got 'x'"),
    ({"strategy": None}, "strategy must be 'improved' or 'paper'; got None"),
    ({"biased": "yes"}, "biased must be True, False or 'auto'; got 'yes'"),
    ({"remember": 1}, "remember must be True, False or 'auto'; got 1"),
    ({"drift": "auto"}, "drift must be True or False; got 'auto'"),
    ({"stop": "x"}, "stop must be 'posterior', 'failures' or 'auto'; got 'x'"),
    ({"confidence": 1.0}, "confidence must lie between 0 and 1; got 1.0"),
    ({"holdout": 1.5}, "holdout must be a number between 0 and 1 or None; got 1.5"),
    ({"holdout": 0}, "holdout must be a number between 0 and 1 or None; got 0"),
    ({"holdout": "0.2"}, "holdout must be a number between 0 and 1"),
    ({"judge": "solomon"}, "judge must be one of .*got 'solomon'"),
    ({"judge": None}, "judge must be"),
    ({"judge": "friedman"}, "compares ranks, which know no tolerance"),
    ({"max_evaluations": 0}, "max_evaluations must be"),
    ({"max_time": -1}, "max_time must be"),
    ({"n_jobs": 0}, "n_jobs must be"),
    ({"scoring": "roc_auc", "loss": "log"}, "loss or scoring, not both"),
    ({"keep": ["zebra"]}, "keep names 'zebra'"),
]


@both
@pytest.mark.parametrize(("options", "message"), COMMON, ids=[name_of(o) for o, _ in COMMON])
def test_bad_parameters_are_named(make, options, message, classes):
    with pytest.raises((ValueError, TypeError), match=message):
        selector_of(make, GaussianNB(), **options).fit(*classes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"r_min": 5, "r_max": 3}, "r_max must be at least r_min = 5; got 3"),
        ({"r_min": 0}, "r_min must be a whole number of at least 1; got 0"),
        ({"r_max": 2.5}, "r_max must be a whole number of at least 1 or None; got 2.5"),
        ({"c1": 0}, "c1 must be a positive number; got 0"),
        ({"c2": float("nan")}, "c2 must be a positive number; got nan"),
    ],
    ids=lambda value: name_of(value) if isinstance(value, dict) else "",
)
def test_bad_numbers_of_rvers_are_named(options, message, classes):
    with pytest.raises(ValueError, match=message):
        RVErS(GaussianNB(), **options).fit(*classes)


@pytest.mark.parametrize(
    ("n_relevant", "message"),
    [
        (8, "n_relevant must be less than the number of variables, 8, .*; got 8"),
        (100, "n_relevant must be less than"),
        (0, "n_relevant must be a whole number of at least 1 or None; got 0"),
        (2.5, "n_relevant must be a whole number"),
        ("half", "n_relevant must be a whole number"),
    ],
)
def test_bad_numbers_of_rve_are_named(n_relevant, message, classes):
    with pytest.raises(ValueError, match=message):
        RVE(GaussianNB(), n_relevant=n_relevant).fit(*classes)


def test_a_number_below_what_is_kept_is_refused(classes):
    with pytest.raises(ValueError, match="at least the number of those to keep, 3; got 2"):
        RVE(GaussianNB(), n_relevant=2, keep=[0, 1, 2]).fit(*classes)


def test_too_few_rows_to_hold_some_out(classes):
    X, y = classes
    with pytest.raises(ValueError, match="cv=5 needs at least 5 rows"):
        RVErS(GaussianNB(), holdout=0.9, random_state=0).fit(X[:30], y[:30])


def test_rows_held_out_must_count(classes, monkeypatch):
    X, y = classes
    held = np.arange(0, len(y), 3)
    monkeypatch.setattr(_randomized, "rows_to_hold_out", lambda *_, **__: held)
    without = np.ones(len(y))
    without[held] = 0.0
    for weights, where in ((without, "that holdout sets aside"), (1 - without, "beside holdout")):
        with pytest.raises(ValueError, match=f"sample_weight is zero for all .* rows {where}"):
            RVErS(GaussianNB(), holdout=0.3).fit(X, y, sample_weight=weights)
