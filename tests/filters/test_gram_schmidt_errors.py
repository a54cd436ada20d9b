"""Gram-Schmidt names what is wrong."""

import numpy as np
import pytest

from thresher.filters import GramSchmidt

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(60, 5)), RNG.normal(size=60)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"n_features": 0}, "n_features must be 'auto' or lie in 1 .. .*; got 0"),
        ({"n_features": "all"}, "n_features must be 'auto' or lie in"),
        ({"n_features": 2.0}, "n_features must be"),
        ({"n_features": True}, "n_features must be"),
        ({"probes": 0}, "probes must be 'all' or a whole number of at least 1; got 0"),
        ({"probes": "auto"}, "probes must be 'all'"),
        ({"alpha": 1.5}, "alpha must be a number between 0 and 1"),
    ],
)
def test_bad_parameters_are_named(params, message):
    with pytest.raises(ValueError, match=message):
        GramSchmidt(**params).fit(X, Y)


def test_a_constant_target_is_refused():
    with pytest.raises(ValueError, match="y is constant \\(2 in all 60 rows\\)"):
        GramSchmidt(task="regression").fit(X, np.full(60, 2.0))


def test_two_rows_say_nothing():
    fitted = GramSchmidt().fit([[1.0, 2.0], [2.0, 1.0]], [0.5, 1.5])
    assert fitted.n_features_ == 0
