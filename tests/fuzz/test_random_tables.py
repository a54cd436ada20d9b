"""Random tables through every selector: an answer, or a clear complaint, and nothing else.

`outcomes` tells which complaints are in order.
"""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from tests.properties import examples
from thresher import select
from thresher.workflow import selector_classes

from . import outcomes, subjects
from .names import text_names
from .tables import shapes, tables
from .targets import class_targets, numeric_targets, odd_targets, weights, wishes

METHODS = sorted(selector_classes())


@st.composite
def questions(draw):
    """A table, a target that is sound most of the time, and whether it holds classes."""
    shape = draw(shapes())
    X = draw(tables(shape))
    kind = draw(st.sampled_from(["classes"] * 5 + ["numbers"] * 5 + ["odd"]))
    make = {"classes": class_targets, "numbers": numeric_targets, "odd": odd_targets}[kind]
    return X, draw(make(shape[0])), shape, kind == "classes"


def names_of(X, n_columns):
    """Names by which columns may be asked for."""
    labels = getattr(X, "column_names", None) or getattr(X, "columns", None)
    return (
        [f"x{j}" for j in range(n_columns)] if labels is None else [str(label) for label in labels]
    )


def wanted(draw, X, n_columns):
    """Groups and columns to keep: none most of the time."""
    return draw(wishes(names_of(X, n_columns))) if draw(st.integers(0, 3)) == 3 else {}


@pytest.mark.parametrize("method", METHODS)
@examples(15)
@given(st.data())
def test_selectors(method, data):
    X, y, (n_rows, n_columns), classes = data.draw(questions())
    asked = wanted(data.draw, X, n_columns)
    selector = data.draw(subjects.selectors(method, classes=classes, **asked))
    extra = {}
    if method in subjects.WRAPPERS and data.draw(st.integers(0, 3)) == 3:
        extra = {"sample_weight": data.draw(weights(n_rows))}
    with_page = data.draw(st.integers(0, 29)) == 29
    if outcomes.answer(lambda: selector.fit(X, y, **extra)) is not None:
        outcomes.check_selector(selector, X, n_rows, n_columns, with_page=with_page)


@examples(15)
@given(st.data())
def test_select(data):
    X, y, (_, n_columns), classes = data.draw(questions())
    options = {**wanted(data.draw, X, n_columns), "random_state": 0, "n_jobs": 1, "progress": False}
    how = data.draw(st.sampled_from(["auto", "estimator", "named", "selector"]))
    if how == "auto":
        options |= {
            "alpha": 0.3,
            "budget": data.draw(st.sampled_from([0.05, "3 evaluations", "1 s"])),
        }
    elif how == "estimator":
        options |= {"estimator": data.draw(subjects.estimators(classes=classes)), "budget": 0.1}
    elif how == "named":
        options |= {"method": data.draw(st.sampled_from(["fcbf", "gain-ratio", "stepwise", "cfs"]))}
    else:
        options["method"] = data.draw(subjects.selectors("stepwise", classes=classes))
    if data.draw(st.integers(0, 4)) == 4:
        options |= data.draw(
            st.sampled_from([{"validate": 2}, {"stability": 2}, {"max_features": 1}])
        )
    found = outcomes.answer(lambda: select(X, y, **options))
    if found is not None:
        outcomes.check_selection(found, n_columns, with_page=data.draw(st.integers(0, 29)) == 29)


@examples(15)
@given(st.data())
def test_races_of_models(data):
    X, y, (n_rows, _), classes = data.draw(questions())
    race = data.draw(subjects.model_races(classes=classes))
    if outcomes.answer(lambda: race.fit(X, y)) is not None:
        assert race.best_index_ in (0, 1)
        with outcomes.no_leaks():  # what the winner makes of extreme numbers is its own
            try:
                assert len(race.predict(X)) == n_rows
            except TypeError:  # as linear models do of decimals in Arrow's tables
                alone = clone(race.best_estimator_).fit(X, y)
                with pytest.raises(TypeError):
                    alone.predict(X)


@examples(15)
@given(st.data())
def test_the_discretizer(data):
    X, y, shape, _ = data.draw(questions())
    discretizer = data.draw(subjects.discretizers())
    if outcomes.answer(lambda: discretizer.fit(X, y)) is not None:
        found = outcomes.answer(lambda: discretizer.transform(X))
        assert found is not None
        assert np.shape(found) == shape


@pytest.mark.parametrize("method", ["ace", "fcbf", "stepwise", "racsam", "gram-schmidt"])
@examples(5)
@given(st.data())
def test_the_column_to_blame_is_named(method, data):
    _, n_columns = shape = 20, data.draw(st.integers(1, 5))
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=shape))
    names = st.lists(text_names(), min_size=n_columns, max_size=n_columns, unique=True)
    frame.columns = data.draw(names)
    culprit = data.draw(st.integers(0, n_columns - 1))
    frame.iloc[3, culprit] = np.inf
    selector = data.draw(subjects.selectors(method, classes=True))
    with pytest.raises(ValueError, match="infinity") as caught:
        selector.fit(frame, np.arange(20) % 2)
    assert repr(frame.columns[culprit][:100]) in str(caught.value)


def test_no_selector_is_left_out():
    assert set(subjects.OPTIONS) == set(METHODS)
