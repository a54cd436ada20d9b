"""Friedman's rule against irace 3.5 and R 4.2.2."""

import numpy as np
import pytest
from scipy.special import stdtr

from tests.oracles import read_json, read_table
from thresher.stats import friedman


@pytest.fixture(scope="module")
def numbers_of_r():
    return read_json("r_tests")


def losses_of(name):
    return read_table(f"race_{name}").to_numpy(dtype=float)


@pytest.mark.parametrize("name", ["cont", "01"])
def test_the_race_of_irace_is_repeated_block_by_block(name):
    losses = losses_of(name)
    expected = read_table("race_irace", dtype={"data": str})
    expected = expected[expected["data"] == name]
    assert expected["step"].iloc[0] == 5
    alive = np.arange(losses.shape[1])
    for block in expected.itertuples():
        standing = friedman(losses[: block.step, alive], delta=0.05)
        assert standing.p_value == pytest.approx(block.p_value, rel=1e-9)
        assert alive[standing.leader] + 1 == block.best
        alive = alive[standing.stays]
        assert " ".join(str(k + 1) for k in alive) == block.alive
    assert len(expected) == (12 if name == "cont" else 36)


@pytest.mark.parametrize("name", ["cont", "01"])
def test_the_p_value_is_that_of_r(numbers_of_r, name):
    _, p_value = numbers_of_r[f"friedman_{name}{'_' if name == '01' else ''}20"]
    standing = friedman(losses_of(name)[:20])
    assert standing.p_value == pytest.approx(p_value, rel=1e-9)


def test_students_t_is_that_of_r(numbers_of_r):
    assert stdtr(7, -2.3) == pytest.approx(numbers_of_r["pt_-2.3_df7"], rel=1e-12)
