"""What randomized elimination refuses."""

import pytest

from thresher.searches import RandomizedElimination

from .oracle import drive


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_relevant": 8}, "n_relevant must be less than the number of variables, 8.*; got 8"),
        ({"n_relevant": 9}, "n_relevant must be less than"),
        ({"n_relevant": 0}, "n_relevant must be a whole number of at least 1 or None; got 0"),
        ({"n_relevant": 2.0}, "n_relevant must be a whole number"),
        ({"n_relevant": True}, "n_relevant must be a whole number"),
        ({"r_min": 0}, "r_min must be a whole number of at least 1; got 0"),
        ({"r_min": None}, "r_min must be a whole number of at least 1; got None"),
        ({"r_max": 1}, "r_max must be at least r_min = 2; got 1"),
        ({"r_max": "all"}, "r_max must be a whole number"),
        ({"tolerance": -0.1}, "tolerance"),
        ({"tolerance": float("nan")}, "tolerance"),
        ({"k": 0}, "k must be a whole number of at least 1 or None; got 0"),
        ({"k": 1.5}, "k must be a whole number"),
        ({"c1": 0}, "c1 must be a positive number; got 0"),
        ({"c1": float("inf")}, "c1 must be a positive number"),
        ({"c2": -1}, "c2 must be a positive number; got -1"),
        ({"c2": "0.3"}, "c2 must be a positive number"),
        ({"confidence": 1.0}, "confidence must lie between 0 and 1; got 1.0"),
        ({"confidence": None}, "confidence must lie between 0 and 1"),
        ({"stop": "never"}, "stop must be 'posterior' or 'failures'; got 'never'"),
        ({"cost": "huge"}, "cost must be one of 'constant', .*; got 'huge'"),
        ({"cost": lambda n: -1}, r"cost\(1\) gave -1"),
        ({"cost": lambda n: 0.0 if n == 5 else 1.0}, r"cost\(5\) gave 0.0"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_bad_parameters(options, message):
    with pytest.raises(ValueError, match=message):
        drive(RandomizedElimination(**options), 8, lambda subset: 0.0)


def test_a_known_number_cannot_be_less_than_what_is_required():
    with pytest.raises(ValueError, match="at least the number of those to keep, 3; got 2"):
        drive(RandomizedElimination(2), 8, lambda subset: 0.0, required={0, 1, 2})
