"""Each refused parameter is named, with what was expected and what was found."""

import numpy as np
import pytest

from thresher import datasets


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("make_seven_of_ten", {"n_features": 9}, "n_features .* at least 10, got 9"),
        ("make_seven_of_ten", {"p_true": 1.5}, "p_true .* from 0 to 1, got 1.5"),
        ("make_led", {"n_irrelevant": -1}, "n_irrelevant .* at least 0, got -1"),
        ("make_led", {"class_noise": "much"}, "class_noise .* from 0 to 1, got 'much'"),
        ("make_led", {"segment_noise": float("nan")}, "segment_noise .* got nan"),
        ("make_monks2", {"n_rows": 433}, "n_rows .* from 1 to 432, got 433"),
        ("make_monks2", {"encoding": "binary"}, "encoding .* 'original', 'local', got 'binary'"),
        ("make_linear_masked", {"n_copies": 0}, "n_copies .* at least 1, got 0"),
        ("make_linear_masked", {"n_irrelevant": 1.5}, "n_irrelevant .* integer .* got 1.5"),
        ("make_linear_masked", {"correlation": -0.1}, "correlation .* from 0 to 1, got -0.1"),
        ("make_friedman_random", {"n_relevant": 0}, "n_relevant .* at least 1, got 0"),
        ("make_friedman_random", {"n_redundant": -1}, "n_redundant .* at least 0, got -1"),
        ("make_friedman_random", {"n_irrelevant": -1}, "n_irrelevant .* at least 0, got -1"),
        ("make_friedman_random", {"n_terms": 0}, "n_terms .* at least 1, got 0"),
        ("make_friedman_random", {"noise": -1}, "noise .* at least 0, got -1"),
        ("make_friedman_random", {"task": "ranking"}, "task must be one of .* got 'ranking'"),
        ("make_tied", {"n_features": 19}, "n_features .* at least 20, got 19"),
        ("make_expression", {"n_features": 0}, "n_features .* at least 1, got 0"),
        ("make_expression", {"n_terms": 0}, "n_terms .* at least 1, got 0"),
        ("make_double_friedman", {"n_features": 9}, "n_features .* at least 10, got 9"),
        ("make_double_friedman", {"noise": float("inf")}, "noise .* finite .* got inf"),
        ("make_boolean_concept", {"concept": "xor"}, "concept must be one of .* got 'xor'"),
        (
            "make_boolean_concept",
            {"concept": "m-of-n", "n_irrelevant": True},
            "n_irrelevant .* got True",
        ),
    ],
)
def test_refused_by_name(name, arguments, message):
    with pytest.raises(ValueError, match=message):
        getattr(datasets, name)(**arguments)


def test_numpy_integers_are_counts():
    data = datasets.make_double_friedman(np.int32(12), n_features=np.int64(11), random_state=0)
    assert data.X.shape == (12, 11)
