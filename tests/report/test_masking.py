"""Who can stand in for whom."""

import pytest

from tests.report import contents
from thresher.report import summarise


def test_redundant_columns_stand_with_their_keeper_strongest_first():
    (cluster,) = summarise(contents.ace()).clusters
    assert cluster.keeper == "b"
    assert [(s.name, s.strength, s.p_value) for s in cluster.stand_ins] == [
        ("b shadow", 0.81, 1e-7),
        ("b copy", 0.52, 1e-8),
    ]


def test_groups_of_interchangeable_columns_are_added_to_those_by_masking():
    (cluster,) = summarise(contents.enough()).clusters
    assert (cluster.keeper, cluster.kind) == ("x0", "relevant")
    assert [(s.name, s.kind, s.strength) for s in cluster.stand_ins] == [
        ("x4", "redundant", 0.9),
        ("x9", "irrelevant", None),
    ]


def test_a_group_without_its_representative_is_kept_by_its_first_selected_column():
    content = contents.enough() | {"clusters": [["x9", "x1", "x0"]]}
    of = {own.keeper: [s.name for s in own.stand_ins] for own in summarise(content).clusters}
    assert of == {"x0": ["x4"], "x1": ["x9", "x0"]}


def test_masking_without_a_measure_has_names_only():
    (cluster,) = summarise(contents.cfs()).clusters
    assert cluster.keeper == "x"
    assert cluster.stand_ins[0].strength is None


def test_the_matrix_has_clusters_side_by_side_and_rows_by_their_best_stand_in():
    own = summarise(contents.ace()).masking
    assert own.names == ("b", "b shadow", "b copy", "a")
    assert own.kinds == ("relevant", "redundant", "redundant", "relevant")
    assert own.share[0] == (0, 1, 0.75, 0.125)
    assert own.p_value[0] == (1, 1e-7, 1e-8, 0.6)
    assert not own.of_own
    assert own.level == 0.05


def test_shares_are_of_the_columns_own_contribution_where_it_is_known():
    content = contents.ace()
    content["trace"][0]["masking"]["importance"] = [10.0, 1.0, 10.0, 0.0]
    own = summarise(content).masking
    assert own.of_own
    assert own.share[0] == pytest.approx((0, 0.8, 0.6, 0.1))
    assert own.share[1] == (0, 0, 0, 0)  # b shadow contributed nothing


def test_the_largest_matrix_is_shown_as_far_as_there_is_room():
    n = 60
    names = [f"v{k}" for k in range(n)]
    content = contents.ace()
    content["trace"][1]["masking"] = {
        "variables": names, "score": [[0.1] * n] * n, "p_value": [[None] * n] * n,
    }  # fmt: skip
    own = summarise(content).masking
    assert (own.step, len(own.names), own.n_left_out) == (2, 40, 20)


def test_without_masking_there_is_none():
    page = summarise(contents.wrapper())
    assert page.masking is None
    assert page.clusters == ()
