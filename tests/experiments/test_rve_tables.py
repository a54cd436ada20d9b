"""Tables 5 to 9: what is printed, and on which splits methods are run."""

import numpy as np
import pytest

from thresher.experiments import EXPERIMENTS, Spread
from thresher.experiments import _rve_table5 as table5
from thresher.experiments import _rve_tables6_9 as tables
from thresher.experiments._rve_data import Split
from thresher.experiments._rve_printed import METHODS, PRINTED, R_MAX


@pytest.mark.parametrize("key", list(PRINTED))
def test_every_method_has_a_printed_row(key):
    name, _ = key
    rows = PRINTED[key]
    assert len(rows) == len(METHODS)
    assert all(len(row) == 6 for row in rows)
    assert rows[0][1] == table5.PRINTED[name][0] == R_MAX[name][-1], "all inputs"


def test_printed_errors_carry_their_deviation():
    assert tables._printed((53, 18.8, 18.3, 2.0, 13, 3.09e7), 10)[2] == Spread(18.3, 2.0, 10)
    assert tables._printed((3249, 18, 5.8, None, 269, 2.99e8), 5)[2] == 5.8


def splits(*, folded):
    rows = np.arange(4)
    return [Split("some", np.zeros((4, 2)), rows, rows, rows, seed, folded) for seed in range(5)]


def test_searches_that_draw_nothing_are_run_once_on_a_test_set():
    assert len(tables._some(splits(folded=False), "forward")) == 1
    assert len(tables._some(splits(folded=False), "k = 1")) == 5
    assert len(tables._some(splits(folded=True), "forward")) == 5


def test_a_search_costs_rows_times_inputs_of_every_naive_bayes():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 3)).astype(np.float64)
    split = Split("some", X, X[:, 0].astype(int), np.arange(50), np.arange(50, 60), 0)
    found = tables._one(split, "Bayes", tables.rival("Bayes", "filter"))
    n_judged = found.evaluations
    assert found.cost == 4 * 50 * sum(size + 1 for size in range(1, n_judged + 1))
    assert tables._one(split, "Bayes", None).cost == 50 * 4


def test_table_5_counts_what_is_there_and_names_what_is_not(tmp_path):
    result = EXPERIMENTS["rve-table5"].run(data=tmp_path)
    rows = {row[0]: dict(zip(result.columns, row, strict=True)) for row in result.rows}
    assert rows["led"]["inputs, ours"] == rows["led"]["inputs, paper"] == 150
    assert rows["led"]["rows to test on, ours"] == "10 folds"
    assert sum("not found" in name for name in rows) == 7
