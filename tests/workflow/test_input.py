"""What is said about tables that are not what they seem."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from thresher import Stepwise, select
from thresher.workflow._input import as_columns

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(100, 3)), columns=list("abc"))
Y = pd.Series(np.where(X["a"] > 0, "yes", "no"))


def test_text_that_looks_like_numbers_is_named():
    told = X.assign(a=[f"{value:.1f} %" for value in X["a"]], d=["few", "many"] * 50)
    with pytest.warns(UserWarning, match="column.s. 'a' hold text that looks like numbers"):
        columns, _ = as_columns(told, Y)
    assert columns.kinds == ("string", "numeric", "numeric", "string")


def test_a_target_in_another_order_is_told():
    with pytest.warns(UserWarning, match="the same index in another order"):
        as_columns(X, Y.sample(frac=1, random_state=0))
    as_columns(X, Y.set_axis(range(5, 105)))  # other labels say nothing


def test_positions_cut_the_table_down_whatever_its_labels():
    numbered = X.set_axis(range(3), axis=1)
    found = select(numbered, Y, goal="explain", random_state=0)
    assert found.selected == ("0",)
    assert numbered.iloc[:, list(found.positions)].columns.tolist() == [0]


def test_a_group_that_has_no_room_is_told():
    with pytest.warns(UserWarning, match="max_features=1 has no room for the group of 2 columns"):
        found = select(X, Y, max_features=1, feature_groups={"g": ["a", "b"]}, random_state=0)
    assert found.selected == ()
    assert found.view("explain").selected == ()
    assert found.path.chosen == 0


def test_pipelines_that_name_columns_are_told_what_to_do():
    mixed = X.assign(level=["p", "q"] * 50)
    encoder = make_column_transformer((OneHotEncoder(), ["level"]), remainder=StandardScaler())
    with pytest.raises(ValueError, match="not columns") as raised:
        Stepwise(make_pipeline(encoder, LogisticRegression()), n_jobs=1).fit(mixed, Y)
    assert any("make_column_selector" in note for note in raised.value.__notes__)
