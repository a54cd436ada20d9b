"""Projections stay orthogonal where columns are nearly dependent."""

import numpy as np
import pytest

from thresher.filters._orthogonal import OrthogonalSpace


@pytest.mark.parametrize("width", [1, 2])
def test_what_is_projected_out_is_orthogonal_to_the_last_digits(width):
    x = np.linspace(0.0, 1.0, 50)
    powers = x[:, None] ** np.arange(1, 13)  # of which the last ones are nearly the others' sums
    variables = np.arange(12).reshape(-1, width)
    space = OrthogonalSpace(powers, np.sin(20 * x)[:, None], list(variables))
    for variable in range(len(variables)):
        space.project_out(variable)
    basis = space._basis[: space._n_out]
    assert 6 < len(basis) < 12  # the rest is lost to rounding
    np.testing.assert_allclose(basis @ basis.T, np.eye(len(basis)), atol=1e-12)
    assert space.n_dimensions == 49 - len(basis)


def test_a_look_changes_nothing():
    rng = np.random.default_rng(0)
    space = OrthogonalSpace(rng.normal(size=(30, 4)), rng.normal(size=(30, 2)), [[0, 3], [1], [2]])
    space.project_out(1)
    first, second = space.look(), space.look()
    np.testing.assert_array_equal(first.share, second.share)
    assert first.width.tolist() == [2, 0, 1]
    assert (first.target_width, first.n_dimensions, first.n_candidates) == (2, 28, 2)
