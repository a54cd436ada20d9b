import numpy as np
import pytest

from thresher.datasets import make_seven_of_ten


def test_class_is_the_threshold_on_the_relevant_bits():
    data = make_seven_of_ten(random_state=1)
    assert data.X.shape == (1000, 100)
    assert set(np.unique(data.X)) == {0, 1}
    expected = [int(sum(row[column] for column in data.relevant) >= 7) for row in data.X]
    np.testing.assert_array_equal(data.y, expected)


def test_relevant_positions_differ_between_problems():
    assert len({make_seven_of_ten(10, random_state=seed).relevant for seed in range(5)}) == 5


def test_number_of_distinct_patterns_is_near_the_papers_466():
    problems = [make_seven_of_ten(random_state=seed) for seed in range(20)]
    patterns = [len(np.unique(data.X[:, data.relevant], axis=0)) for data in problems]
    assert np.mean(patterns) == pytest.approx(466, abs=8)
    assert np.mean([data.y.mean() for data in problems]) == pytest.approx(0.57, abs=0.02)


@pytest.mark.parametrize(("p_true", "label"), [(0, 0), (1, 1)])
def test_constant_bits_give_one_class(p_true, label):
    data = make_seven_of_ten(20, n_features=10, p_true=p_true, random_state=0)
    assert data.irrelevant == ()
    assert np.unique(data.X).tolist() == [p_true]
    assert np.unique(data.y).tolist() == [label]
