import pytest
from benchmarks.peers.quality import judge, stand_ins


def test_hits_noise_and_mixtures_are_counted():
    # relevant 0 1 2; 3 mixes 0 and 1; 4 5 are noise
    found = judge([0, 1, 3, 4], [0, 1, 2], {3: (0, 1)}, [4, 5])
    assert found.precision == 2 / 4
    assert found.recall == 2 / 3
    assert found.f1 == pytest.approx(4 / 7)
    assert found.redundant == 1.0
    assert found.noise == 1
    assert found.size == 4


def test_the_copy_of_one_column_stands_in_for_it():
    found = judge([3], [0], {3: (0,), 4: (0,)}, [5])
    assert (found.precision, found.recall, found.f1) == (1.0, 1.0, 1.0)
    assert found.redundant == 0.0


def test_only_the_first_copy_counts_as_a_hit():
    found = judge([3, 4], [0], {3: (0,), 4: (0,)}, [])
    assert (found.precision, found.recall) == (0.5, 1.0)
    assert found.redundant == 0.5


def test_a_copy_beside_its_source_is_false():
    found = judge([0, 3], [0], {3: (0,), 4: (0,)}, [])
    assert (found.precision, found.redundant) == (0.5, 0.5)


def test_members_of_a_class_stand_in_but_its_descendants_do_not():
    redundant = {1: (0,), 2: (0,)}
    assert stand_ins(redundant, [(0, 1), (5,)]) == {1: 0}
    assert judge([1], [0], redundant, [], [(0, 1)]).f1 == 1.0
    assert judge([2], [0], redundant, [], [(0, 1)]).f1 == 0.0


def test_a_mixture_replaces_nothing():
    assert judge([3], [0, 1], {3: (0, 1)}, []).f1 == 0.0


def test_an_empty_selection_scores_zero():
    found = judge([], [0], {}, [1])
    assert (found.precision, found.recall, found.f1, found.redundant) == (0.0, 0.0, 0.0, None)


def test_where_nothing_is_relevant_only_the_noise_counts():
    found = judge([0, 1], [], {}, [0, 1, 2])
    assert (found.noise, found.f1) == (2, 0.0)
