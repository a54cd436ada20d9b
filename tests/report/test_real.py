"""Reports of real selections: what selectors write is what the report reads."""

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from tests.report.pages import Reader
from thresher import ACE, RACSAM, Oblivion, RaceSelector, RVErS, Stepwise
from thresher.filters import CFS, FCBF, GainRatio, GramSchmidt, ReliefF
from thresher.report import render_page, summarise
from thresher.selection import without_nan

SELECTORS = [
    ACE(random_state=0),
    RVErS(GaussianNB(), random_state=0),
    Stepwise(GaussianNB(), random_state=0),
    RaceSelector(GaussianNB(), random_state=0),
    RACSAM(random_state=0),
    Oblivion(),
    CFS(),
    FCBF(),
    ReliefF(random_state=0),
    GainRatio(),
    GramSchmidt(random_state=0),
]


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(120, 5)), columns=["a", "b", "<b>", "d", "e"])
    X["a again"] = X["a"] + 0.05 * rng.normal(size=120)
    X["fixed"] = 1.0
    return X, (X["a"] + X["b"] > 0).astype(int)


@pytest.mark.parametrize("selector", SELECTORS, ids=lambda own: type(own).__name__)
def test_every_selector_can_be_reported(selector, table):
    X, y = table
    selection = selector.fit(X, y).selection_
    content = without_nan(selection.to_dict())
    page = summarise(content)
    assert [own.name for own in page.headline.evidence] == list(selection.selected)
    assert Reader(render_page(content)).open == []


def test_ace_has_a_threshold_and_a_matrix(table):
    page = summarise(without_nan(ACE(random_state=0).fit(*table).selection_.to_dict()))
    assert page.importances.threshold == 1.0
    assert page.masking is not None
    assert page.curves[0].chosen.n_columns == len(page.headline.evidence)
    assert page.clusters[0].stand_ins[0].strength > 0


def test_a_selection_writes_its_report(tmp_path, table):
    selection = GainRatio().fit(*table).selection_
    selection.report(tmp_path / "report.html")
    assert "columns selected" in (tmp_path / "report.html").read_text("utf-8")
