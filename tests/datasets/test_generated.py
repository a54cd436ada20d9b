"""The record refuses a truth that does not fit its table."""

import numpy as np
import pytest

from thresher.datasets import Generated

FIELDS = {
    "X": np.zeros((4, 3)),
    "y": np.zeros(4),
    "relevant": (0,),
    "redundant": {1: (0,)},
    "irrelevant": (2,),
    "feature_names": ("a", "b", "c"),
    "description": "nothing",
    "task": "regression",
}


def test_summary_counts_the_parts():
    assert repr(Generated(**FIELDS)) == (
        "<Generated regression: 4 rows, 3 columns (1 relevant, 1 redundant, 1 irrelevant)>"
    )


def test_equivalence_classes_are_empty_unless_given():
    assert Generated(**FIELDS).equivalence_classes == ()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"irrelevant": ()}, "each of the 3 columns exactly once"),
        ({"irrelevant": (1, 2)}, "each of the 3 columns exactly once"),
        ({"irrelevant": (2, 3)}, "each of the 3 columns exactly once"),
        ({"redundant": {1: (2,)}}, r"redundant must point to relevant columns, got \[2\]"),
        ({"feature_names": ("a", "b")}, "feature_names must hold 3 names, got 2"),
        ({"y": np.zeros(5)}, r"y must have shape \(4,\), got \(5,\)"),
    ],
)
def test_contradictions_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        Generated(**(FIELDS | change))
