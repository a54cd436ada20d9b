import re

import numpy as np
import pytest
from scipy import stats

from thresher.datasets import make_expression
from thresher.experiments import EXPERIMENTS
from thresher.experiments import _racing_figure1 as figure1
from thresher.experiments import _racing_figures2_3 as figures2_3
from thresher.experiments import _racing_table1 as table1
from thresher.experiments import _racing_table2 as table2

#: The long example of the paper, in our notation.
LONG = (
    "max(corrupt(product(mean(g(x4), g(corrupt(x2))), product(x5, corrupt(x5)))), "
    "g(corrupt(g(g(g(g(corrupt(max(x5, corrupt(x3)))))))))"
)


def test_the_long_example_of_the_paper_has_24_terms():
    nodes = table2.nodes_of(LONG)
    assert nodes.total() == 24
    assert (nodes["x"], nodes["g"], nodes["corrupt"]) == (6, 7, 6)


@pytest.mark.parametrize("seed", range(10))
def test_sizes_are_those_of_the_expression(seed):
    (n_inputs, n_terms, n_relevant), nodes = table2._one_expression(seed)
    data = make_expression(figures2_3.N_ROWS, random_state=seed)
    assert n_inputs == data.X.shape[1]
    assert n_relevant == len(set(re.findall(r"x\d+", data.description)))
    assert n_terms == sum(nodes.values()) == len(re.findall(r"\w+", data.description))


def test_ranges_of_the_grammar_lie_in_those_of_the_paper():
    rows = EXPERIMENTS["racing-table2"].run(n_jobs=1).rows
    for what, low, high in (("inputs", 4, 12), ("terms", 5, 30)):
        found = next(row[2] for row in rows if row[0] == what)
        first, last = map(int, found.split(" to "))
        assert low <= first < last <= high


def test_ratios_above_two_are_counted():
    spread, median, n_over = figures2_3._relative(np.array([0.5, 2.0, 2.5, 4.0]))
    assert (spread.mean, median, n_over) == (2.25, 2.25, 2)


def test_printed_ratios_are_of_the_methods_of_each_figure():
    assert set(figures2_3.RELATIVE) <= set(figures2_3.PRINTED)
    for base, methods in figures2_3.RELATIVE.items():
        assert methods[base][:2] == (1, 1)
        assert set(methods) <= set(figures2_3.PRINTED)
    for source in figures2_3.SOURCES:
        assert list(figures2_3._methods(source)) == list(figures2_3.PRINTED)


def test_losses_of_some_models_are_those_of_all_of_them():
    shape = (40, 3, 3)
    every = table1.table_losses(shape, 0, range(len(table1.MODELS)))
    few = table1.table_losses(shape, 0, [3, 15])
    np.testing.assert_array_equal(every[:, [3, 15]], few)
    assert every.shape == (40, 20)


def test_who_leaves_a_race_of_four_is_who_the_rule_says():
    race = figure1.four_models(0)
    assert race.losses.shape == (253, 4)
    first, *_ = figure1._moments(race)
    assert first == min(race.gone_at) >= figure1.MIN_ROWS
    standing, racing = race.standing(first), race.still_in(first)
    out = [k for k, stay in zip(racing, standing.stays, strict=True) if not stay]
    assert out == [k for k, gone in enumerate(race.gone_at) if gone == first]
    assert set(out).isdisjoint(race.still_in(first + 1))


def test_posteriors_are_scipys():
    result = EXPERIMENTS["racing-figure1"].run(runs=1, n_jobs=1)
    race = figure1.four_models(0)
    for name, _, n, mean, half, *_ in result.rows:
        seen = race.losses[:n, figure1.NAMES.index(name)]
        low, high = stats.t.interval(0.95, n - 1, seen.mean(), stats.sem(seen))
        assert (mean, half) == (pytest.approx(seen.mean()), pytest.approx((high - low) / 2))
    leaders = [row for row in result.rows if row[6] == "leads"]
    assert [row[5] for row in leaders] == [None] * len(result.picture.panels)
    for panel in result.picture.panels:
        for series in panel.series:
            area = np.trapezoid(series.y, series.x)
            assert 0.9 < area < 1.02
