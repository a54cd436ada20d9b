import re

import numpy as np
import pytest

from thresher.datasets import make_expression
from thresher.datasets._expression import _kink

SEEDS = range(60)
QUIET = {
    "product": lambda x, z: x * z,
    "mean": lambda x, z: 0.5 * (x + z),
    "max": max,
    "g": lambda x: -(x**2) if x > 0 else -(x**2) - 2 * x,
    "corrupt": lambda x: x,
}


def evaluate_text(data):
    """The value of the printed expression, row by row and without its noise."""
    code = compile(data.description, "description", "eval")
    rows = (dict(zip(data.feature_names, row, strict=True)) for row in data.X.tolist())
    return np.array([eval(code, QUIET | row) for row in rows])


def test_target_is_the_printed_expression():
    problems = [make_expression(40, n_terms=9, random_state=seed) for seed in SEEDS]
    quiet = [data for data in problems if "corrupt" not in data.description]
    assert len(quiet) > 5
    for data in quiet:
        np.testing.assert_allclose(data.y, evaluate_text(data), rtol=1e-12, atol=1e-12)


def test_corruption_is_normal_noise_of_a_tenth():
    problems = (make_expression(5000, n_terms=2, random_state=seed) for seed in SEEDS)
    data = next(data for data in problems if data.description.startswith("corrupt("))
    noise = data.y - evaluate_text(data)
    assert noise.mean() == pytest.approx(0, abs=0.005)
    assert noise.std() == pytest.approx(0.1, rel=0.05)


@pytest.mark.parametrize("n_terms", [1, 2, 3, 8, 30])
def test_expression_has_the_asked_number_of_nodes(n_terms):
    data = make_expression(5, n_terms=n_terms, random_state=1)
    assert len(re.findall(r"[a-z]\w*", data.description)) == n_terms


def test_relevant_columns_are_those_in_the_expression():
    for seed in SEEDS:
        data = make_expression(5, random_state=seed)
        mentioned = {int(number) - 1 for number in re.findall(r"x(\d+)", data.description)}
        assert set(data.relevant) == mentioned


def test_sizes_are_drawn_from_the_papers_ranges():
    problems = [make_expression(1, random_state=seed) for seed in range(400)]
    widths = {data.X.shape[1] for data in problems}
    nodes = {len(re.findall(r"[a-z]\w*", data.description)) for data in problems}
    assert widths == set(range(4, 13))
    assert nodes == set(range(5, 31))


def test_fixing_one_size_leaves_the_other():
    drawn, fixed = make_expression(5, random_state=2), make_expression(5, n_terms=6, random_state=2)
    assert drawn.X.shape == fixed.X.shape


def test_inputs_fill_the_interval():
    data = make_expression(4000, random_state=0)
    assert data.X.min() == pytest.approx(-1, abs=0.01)
    assert data.X.max() == pytest.approx(1, abs=0.01)


def test_kink_is_continuous_and_keeps_the_interval():
    x = np.linspace(-1, 1, 2001)
    values = _kink(x)
    assert np.abs(np.diff(values)).max() < 0.0025
    assert values.min() == pytest.approx(-1)
    assert values.max() == pytest.approx(1)
    left, right = _kink(np.array([-1e-6, 1e-6])) / np.array([-1e-6, 1e-6])
    assert left == pytest.approx(-2, abs=1e-5)
    assert right == pytest.approx(0, abs=1e-5)
