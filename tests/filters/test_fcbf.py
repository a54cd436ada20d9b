"""FCBF against its definition, and what it says about each column."""

import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from tests.filters.tables import messy, numbers, verdicts
from tests.naive.information import fcbf, symmetrical_uncertainty
from thresher.columns import read_columns
from thresher.filters import CFS, FCBF


def chained(seed, n_rows=120, n_columns=14, missing=0.0):
    """Categories, each a noisy copy of the class or of an earlier column."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n_rows)
    codes = [y]
    for _ in range(n_columns):
        source = codes[rng.integers(len(codes))]
        noise = rng.integers(4, size=n_rows)
        codes.append(np.where(rng.random(n_rows) < rng.random(), source, noise))
    gaps = rng.random((n_columns, n_rows)) < missing
    return np.where(gaps, -1, np.array(codes[1:])), y


def as_text(codes):
    cells = [[None if k < 0 else f"v{k}" for k in column] for column in codes]
    return pd.DataFrame({f"c{j}": column for j, column in enumerate(cells)})


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("threshold", [0.0, 0.05])
@pytest.mark.parametrize("missing", [0.0, 0.15], ids=["complete", "gaps"])
def test_columns_and_their_order_are_those_of_the_definition(seed, threshold, missing):
    codes, y = chained(seed, missing=missing)
    columns = [column.tolist() for column in codes]
    scores = [symmetrical_uncertainty(y.tolist(), column) for column in columns]
    expected = fcbf(scores, lambda i, j: symmetrical_uncertainty(columns[i], columns[j]), threshold)
    found = FCBF(threshold=threshold).fit(as_text(codes), y)
    assert found.selection_.selected == tuple(f"c{j}" for j in expected)
    assert_allclose(found.scores_, scores, rtol=0, atol=1e-12)


def correlations_of(X, y, **options):
    return CFS(**options)._evaluator(read_columns(X), y, seed=0).correlations


@pytest.mark.parametrize("options", [{}, {"cuts": 4}, {"missing": "separate"}], ids=str)
def test_reasons_are_true(options):
    X, y = messy()
    found = FCBF(threshold=0.004, **options).fit(X, y)
    known = correlations_of(X, y, correlation="symmetrical-uncertainty", **options)
    place = {name: p for p, name in enumerate(X.columns)}
    for name, verdict in verdicts(found).items():
        if verdict.reason == "constant":
            continue
        told = known.with_target[place[name]]
        assert verdict.score == pytest.approx(told, abs=1e-12)
        said = [float(n) for n in re.findall(r"\d+\.?\d*(?:e-?\d+)?", verdict.reason)]
        if "nothing" in verdict.reason:
            assert told == 0
        elif "at most" in verdict.reason:
            assert 0 < told <= 0.004
            assert said == pytest.approx([told, 0.004], rel=0.06)
        elif verdict.kind == "redundant":
            near = known.with_column(place[verdict.masked_by])[place[name]]
            assert said == pytest.approx([near, told], rel=0.06)
            assert near >= told
        elif verdict.kind == "relevant":
            n_out = [v.masked_by for v in found.selection_.verdicts].count(name)
            assert said[0] == pytest.approx(told, rel=0.06)
            assert ("drives out" in verdict.reason) >= bool(n_out)
            assert found.selection_.trace[verdict.step]["added"] == [name]
    assert verdicts(found)["copy"].masked_by == "x"


def test_what_is_driven_out_adds_up():
    codes, y = chained(3)
    found = FCBF().fit(as_text(codes), y)
    steps = found.selection_.trace
    assert [step["added"] for step in steps] == [[name] for name in found.selection_.selected]
    assert sum(step["driven out"] for step in steps) + len(steps) == (found.scores_ > 0).sum()
    for verdict in found.selection_.verdicts:
        if verdict.masked_by is not None:
            assert steps[verdict.step]["added"] == [verdict.masked_by]


def test_only_correlations_with_selected_columns_are_computed():
    X, y, _ = numbers(n_columns=300)
    found = FCBF().fit(X, y)
    assert found.selection_.cost.evaluations <= 300 + found.n_features_ * (found.scores_ > 0).sum()


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_most_variables(n):
    codes, y = chained(5)
    everything = FCBF().fit(as_text(codes), y)
    assert everything.n_features_ > 3
    found = FCBF(n_features=n).fit(as_text(codes), y)
    assert found.selection_.selected == everything.selection_.selected[:n]
    late = verdicts(found)[everything.selection_.selected[n]]
    assert late.kind == "irrelevant"
    assert "others have more" in late.reason


def test_a_group_whose_only_good_column_is_near_another_is_redundant():
    X, y = messy()
    X["copy"] += np.random.default_rng(1).normal(size=len(X))
    found = FCBF(feature_groups={"g": ["copy", "noise"]}).fit(X, y)
    assert not {"copy", "noise"} & set(found.selection_.selected)
    for name in ("copy", "noise"):
        assert verdicts(found)[name].kind == "redundant"
        assert verdicts(found)[name].masked_by == "x"


def test_a_group_with_one_column_that_is_left_is_selected():
    X, y = messy()
    found = FCBF(feature_groups={"g": ["copy", "city"]}).fit(X, y)
    assert {"copy", "city"} <= set(found.selection_.selected)
    assert verdicts(found)["copy"].kind == "relevant"


def test_a_group_drives_out_others_but_not_its_own():
    X, y = messy()
    found = FCBF(feature_groups={"g": ["x", "copy"]}).fit(X.assign(again=X["x"]), y)
    assert {"x", "copy"} <= set(found.selection_.selected)
    assert verdicts(found)["again"].masked_by in ("x", "copy")
    assert "closer to g (1)" in verdicts(found)["again"].reason


def test_kept_columns_come_first_and_drive_out_others():
    X, y = messy()
    found = FCBF(keep=["copy"]).fit(X, y)
    assert found.selection_.selected[0] == "copy"
    assert verdicts(found)["x"].masked_by == "copy"


@pytest.mark.parametrize("kept", ["noise", "gone", "level", "id"])
def test_kept_columns_that_tell_nothing_drive_out_nobody(kept):
    X, y = messy()
    X["id"] = [f"row {i}" for i in range(len(X))]
    plain, found = FCBF().fit(X, y), FCBF(keep=[kept]).fit(X, y)
    assert found.selection_.selected == (kept, *plain.selection_.selected)


def test_with_a_negative_threshold_the_reasons_still_hold():
    X, y = messy()
    found = FCBF(threshold=-1).fit(X, y)
    assert found.selection_.selected == FCBF().fit(X, y).selection_.selected
    assert verdicts(found)["noise"].kind == "irrelevant"
    assert "nothing about the target" in verdicts(found)["noise"].reason


def test_identifiers_are_not_selected():
    X, y = messy()
    X["id"] = [f"row {i}" for i in range(len(X))]
    found = FCBF().fit(X, y)
    assert "id" not in found.selection_.selected
    assert "240 levels in 240 rows" in verdicts(found)["id"].reason


def test_verbose_tells_the_number(capsys):
    X, y = messy()
    found = FCBF(verbose=1).fit(X, y)
    assert f"FCBF: {found.n_features_} of 10 columns" in capsys.readouterr().err
