"""Whose warning and whose complaint it is: told by modules, wherever their files are."""

import sys

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from thresher import RaceSearchCV

from .outcomes import answer, check_complaint, no_leaks, responsible

#: Where scikit-learn lies if the project was cloned into a folder of its own name.
BELOW = "/home/somebody/thresher/.venv/lib/python3.11/site-packages"


def function_of(module, body, **names):
    """A function without arguments that belongs to a module, with its file in such a clone."""
    file = f"{BELOW}/{module.replace('.', '/')}.py"
    names |= {"__name__": module}
    exec(compile(f"def act():\n    {body}", file, "exec"), names)
    return names["act"]


def here():
    return responsible(sys._getframe(1))


def overflow():
    return np.array([1e300]).astype(np.float32)


def test_the_closest_of_the_two_is_responsible():
    tree = function_of("sklearn.tree", "return here()", here=here)
    learner = function_of("thresher.learners", "return here()", here=here)
    assert tree() == "sklearn"
    assert function_of("thresher.evaluators", "return inner()", inner=tree)() == "sklearn"
    assert function_of("sklearn.base", "return inner()", inner=learner)() == "thresher"
    assert function_of("numpy.ma", "return here()", here=here)() is None


@pytest.mark.parametrize("module", ["thresher.stats", "numpy.ma"])
def test_warnings_of_ones_own_are_noticed(module):
    with pytest.raises(AssertionError, match="overflow encountered"), no_leaks():
        function_of(module, "overflow()", overflow=overflow)()


def test_warnings_of_scikit_learn_pass():
    with no_leaks():
        function_of("sklearn.tree", "overflow()", overflow=overflow)()


def test_a_tree_that_overflows_is_not_blamed_on_thresher():
    """Cells near 1e199 become infinite as 32-bit floats: the tree warns, and then refuses them."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=30), 1e199 * rng.normal(size=30)])
    race = RaceSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]}, random_state=0)
    assert answer(lambda: race.fit(X, np.arange(30) % 2)) is None


def test_what_others_raise_is_no_complaint_of_ours():
    error = ValueError("wrong")
    with pytest.raises(ValueError, match="wrong"):
        function_of("pandas.core", "raise error", error=error)()
    with pytest.raises(AssertionError, match="by accident"):
        check_complaint(error)
