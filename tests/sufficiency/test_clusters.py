"""Columns that say nearly the same, and which of them stands for the others."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests.sufficiency.tables import N_ROWS, problem_of
from thresher.columns import read_columns, with_groups
from thresher.sufficiency._clusters import cluster_variables, with_representatives

RNG = np.random.default_rng(0)
A, B, NOISE = RNG.normal(size=(3, N_ROWS))
LEVEL = RNG.choice(["red", "green", "blue"], N_ROWS)


def clusters_of(X, variables=None, n_missing=None):
    problem, columns = problem_of(X, A)
    wanted = range(columns.n_variables) if variables is None else variables
    missing = X.isna().sum().tolist() if n_missing is None else n_missing
    names = list(X.columns)
    return [[names[v] for v in own] for own in cluster_variables(problem, wanted, missing)]


def test_copies_and_monotone_transforms_belong_together():
    X = pd.DataFrame(
        {"a": A, "b": B, "cube": A**3, "minus": -A, "near": A + 0.05 * NOISE, "e": np.exp(B)}
    )
    assert clusters_of(X) == [["a", "cube", "minus", "near"], ["b", "e"]]


def test_what_shares_only_a_part_does_not():
    assert clusters_of(pd.DataFrame({"a": A, "half": A + 0.5 * NOISE, "b": B})) == []


def test_categories_renamed_belong_together_but_for_a_few_rows():
    renamed = pd.Series(LEVEL).map({"red": "rot", "green": "gruen", "blue": "blau"})
    nearly = renamed.copy()
    nearly[:2] = "blau"
    X = pd.DataFrame({"level": LEVEL, "renamed": renamed, "nearly": nearly, "a": A})
    assert clusters_of(X) == [["level", "renamed", "nearly"]]
    coarse = renamed.replace("blau", "rot")  # says less
    other = RNG.permutation(LEVEL)
    assert clusters_of(pd.DataFrame({"level": LEVEL, "coarse": coarse, "other": other})) == []


def test_two_levels_are_numbers():
    flag = np.where(A > 0, "yes", "no")
    X = pd.DataFrame({"flag": flag, "not": np.where(A > 0, 0, 1), "b": B})
    assert clusters_of(X) == [["flag", "not"]]


def test_the_representative_has_the_fewest_missing_cells():
    gaps = A.copy()
    gaps[0] = np.nan
    X = pd.DataFrame({"gaps": gaps, "copy": A, "b": B})
    assert clusters_of(X) == [["copy", "gaps"]]
    assert clusters_of(X, n_missing=[0, 0, 0]) == [["gaps", "copy"]]


def test_of_as_many_it_is_the_one_that_covers_most():
    # each neighbour of the hub is too far from the others
    hub = A
    sides = {f"s{k}": A + 0.29 * RNG.normal(size=N_ROWS) for k in range(3)}
    X = pd.DataFrame({**sides, "hub": hub})
    [cluster] = clusters_of(X, n_missing=[0] * 4)
    assert cluster[0] == "hub"
    assert len(cluster) > 2


def test_of_equals_it_is_the_first_in_the_table():
    X = pd.DataFrame({"z": A, "a": A, "m": 2 * A})
    assert clusters_of(X) == [["z", "a", "m"]]
    assert clusters_of(X[["m", "z", "a"]]) == [["m", "z", "a"]]


def test_others_are_looked_at_beside_those_that_matter_only():
    X = pd.DataFrame({"a": A, "copy": A, "b": B, "b again": B})
    assert clusters_of(X, variables=[0]) == [["a", "copy"]]
    assert clusters_of(X, variables=[1]) == [["a", "copy"]]
    assert clusters_of(X, variables=[]) == []


def test_groups_are_left_alone():
    X = pd.DataFrame({"a": A, "b": B, "copy": A})
    problem, _ = problem_of(X, A)
    columns = with_groups(read_columns(X), {"pair": ["a", "b"]}, ())
    grouped = replace(problem, variables=columns.variables)
    everything = range(len(columns.variables))
    assert cluster_variables(grouped, everything, [0, 0]) == ()


def test_a_chosen_variable_gives_way_to_its_representative():
    asked = []

    def is_as_good(chosen):
        asked.append(list(chosen))
        return True

    order = (5, 3, 1, 0, 2, 4)
    assert with_representatives(order, 2, [(0, 5), (4, 2)], is_as_good) == (0, 3, 1, 5, 2, 4)
    assert asked == [[0, 3]]


def test_nothing_changes_where_the_representative_is_inside_or_nobody_is():
    def never(_):
        raise AssertionError

    assert with_representatives((0, 1, 2, 3), 2, [(0, 2), (3, 2)], never) == (0, 1, 2, 3)
    assert with_representatives((0, 1), 0, [(1, 0)], never) == (0, 1)


def test_of_a_cluster_of_which_two_are_needed_the_first_two_stand_for_it():
    found = with_representatives((0, 1, 2, 3), 2, [(2, 0, 1)], lambda _: True)
    assert set(found[:2]) == {0, 2}
    assert sorted(found) == [0, 1, 2, 3]


def test_where_all_exchanges_lose_each_is_tried():
    order = (0, 1, 2, 10, 11, 12)
    clusters = [(10, 0), (11, 1), (12, 2)]

    def without_11(chosen):
        return 11 not in chosen

    found = with_representatives(order, 3, clusters, without_11)
    assert found == (10, 1, 12, 0, 11, 2)
    assert with_representatives(order, 3, clusters, lambda _: False) == order
    assert with_representatives(order, 3, clusters[:1], lambda _: False) == order


@pytest.mark.parametrize("seed", range(5))
def test_clusters_do_not_overlap_and_begin_with_their_least_gaps(seed):
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(4, N_ROWS))
    X = pd.DataFrame(
        {f"x{k}": base[k % 4] + rng.choice([0, 0.1, 0.3]) * rng.normal(size=N_ROWS)
         for k in range(16)}
    )  # fmt: skip
    X = X.mask(rng.random(X.shape) < 0.005 * np.arange(16))
    found = clusters_of(X)
    members = [name for own in found for name in own]
    assert len(members) == len(set(members))
    gaps = X.isna().sum()
    for representative, *others in found:
        assert gaps[representative] <= gaps[others].min()
        assert {int(name[1:]) % 4 for name in [representative, *others]} == {
            int(representative[1:]) % 4
        }
