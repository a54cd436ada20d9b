"""Real data: from a folder, from OpenML if allowed, and the reason if they are not to be had."""

import json
import socket
import warnings
from urllib.error import URLError

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import datasets
from sklearn.utils import Bunch

from thresher.experiments import EXPERIMENTS
from thresher.experiments import _openml as openml
from thresher.experiments._data import not_found, read_data


@pytest.fixture(autouse=True)
def nothing_known():
    openml.fetch.cache_clear()
    yield
    openml.fetch.cache_clear()


@pytest.fixture
def served(monkeypatch):
    """What OpenML would send, and what it was asked for."""

    def serve(answer):
        asked = []

        def fetch_openml(**request):
            asked.append(request | {"timeout": socket.getdefaulttimeout()})
            if isinstance(answer, Exception):
                warnings.warn("A network error occurred. Retrying...", stacklevel=1)
                raise answer
            return answer

        monkeypatch.setattr(datasets, "fetch_openml", fetch_openml)
        return asked

    return serve


def monks(target=None):
    columns = {f"attr{k}": pd.Categorical([1, 2, 1]) for k in range(1, 5)}
    columns["number"] = [1.5, np.nan, 3.0]
    columns["whole"] = pd.array([1, None, 3], dtype="Int64")
    data = pd.DataFrame(columns)
    target = pd.Series(pd.Categorical(["0", "1", "1"])) if target is None else target
    return Bunch(data=data, target=target, target_names=["class"])


def test_openml_is_not_asked_unless_that_is_allowed(served, tmp_path):
    asked = served(monks())
    assert read_data(tmp_path, "monks-2") is None
    assert read_data(None, "monks-2") is None
    assert not asked
    assert "--openml" in not_found(tmp_path, "monks-2")


def test_the_folder_comes_first(served, tmp_path):
    asked = served(monks())
    pl.DataFrame({"a": [1, 2], "target": [0, 1]}).write_parquet(tmp_path / "monks-2.parquet")
    table = read_data(tmp_path, "monks-2", openml=True)
    assert table.feature_names == ("a",)
    assert not asked


def test_openml_gives_the_same_record_as_a_file(served):
    asked = served(monks())
    table = read_data(None, "monks-2", openml=True)
    assert table.X["attr1"].dtype == pl.Categorical
    assert table.X["attr1"].to_list() == ["1", "2", "1"]
    assert table.X["number"].to_list() == [1.5, None, 3.0]
    assert table.X["whole"].to_list() == [1.0, None, 3.0]
    assert table.y.tolist() == ["0", "1", "1"]
    assert table.y.dtype == object
    assert table.target_name == "class"
    assert table.feature_names == tuple(table.X.columns)
    assert asked[0]["data_id"] == 334


def test_numeric_targets_stay_numbers(served):
    served(monks(pd.Series([0.5, 1.5, 2.5])))
    assert read_data(None, "monks-2", openml=True).y.tolist() == [0.5, 1.5, 2.5]


def test_it_is_fetched_once_and_does_not_wait_for_ever(served):
    asked = served(monks())
    before = socket.getdefaulttimeout()
    assert read_data(None, "monks-2", openml=True) is read_data(None, "monks-2", openml=True)
    assert len(asked) == 1
    assert asked[0]["timeout"] == openml.TIMEOUT
    assert socket.getdefaulttimeout() == before


@pytest.mark.parametrize(
    "problem",
    [URLError("no route"), TimeoutError("no route"), ValueError("no route"), EOFError()],
    ids=lambda problem: type(problem).__name__,
)
def test_whatever_fails_becomes_a_reason(served, problem):
    served(problem)
    assert read_data(None, "hepatitis", openml=True) is None
    said = not_found(None, "hepatitis", openml=True)
    assert said.startswith("data not found: hepatitis.parquet")
    assert "hepatitis (id 55)" in said
    assert "no route" in said or "EOFError" in said


def test_another_table_than_the_one_meant_is_refused(served):
    served(monks())
    assert read_data(None, "hepatitis", openml=True) is None
    assert "expected 19 columns, found 6" in not_found(None, "hepatitis", openml=True)


@pytest.mark.parametrize("names", [[], ["class", "other"]])
def test_it_must_have_one_target(served, names):
    served(Bunch(**{**monks(), "target_names": names}))
    assert "expected one target" in not_found(None, "monks-2", openml=True)


def test_rows_without_a_target_are_refused(served):
    served(monks(pd.Series(pd.Categorical(["0", None, "1"]))))
    assert "1 missing" in not_found(None, "monks-2", openml=True)


def test_absent_packages_are_named(monkeypatch):
    monkeypatch.setattr(openml, "find_spec", lambda name: None if name == "pandas" else name)
    assert "pip install pandas" in not_found(None, "hepatitis", openml=True)


def test_data_that_openml_is_not_known_to_have(served):
    asked = served(monks())
    assert read_data(None, "internet-ad", openml=True) is None
    assert "no data set there is known" in not_found(None, "internet-ad", openml=True)
    assert not asked


@pytest.mark.parametrize("name", ["ace-hepatitis", "ace-table2", "racsam-table2"])
def test_experiments_say_why_openml_did_not_help(served, name):
    asked = served(URLError("no route"))
    result = EXPERIMENTS[name].run(openml=True, quick=True)
    assert asked
    assert "no route" in json.dumps(result.to_dict())
