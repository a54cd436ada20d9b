"""Who may go: the paper's list, and the variant that looks at losses."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from thresher.ace import Masking, remove_masked

N_ROWS = 100
NOISE = np.random.default_rng(0).normal(size=N_ROWS)


def masking_of(importance, pairs, variables=None):
    """A hand-made matrix: ``pairs`` of positions (masker, masked), all equally significant."""
    m = len(importance)
    score, p_value = np.zeros((m, m)), np.ones((m, m))
    for masker, masked in pairs:
        score[masker, masked] = importance[masker] * (0.2 + 0.8 / (1 + masked))
        p_value[masker, masked] = 0.001
    names = tuple(range(m)) if variables is None else variables
    return Masking(names, np.array(importance, dtype=float), score, p_value)


def losses_of(classes):
    """A loss that rises by 1 for each class of equivalent variables without a member."""

    def losses(subsets):
        missing = [sum(not (own & subset) for own in classes) for subset in subsets]
        return [1 + NOISE**2 + rise * (1 + 0.1 * NOISE) for rise in missing]

    return losses


def test_the_paper_drops_all_that_the_most_important_masks():
    masking = masking_of([5, 4, 3, 2, 1], [(0, 2), (1, 3), (2, 4), (3, 1)])
    found = remove_masked(masking, 0.05)
    # 0 takes 2 out, 1 takes 3 out; 2 is gone before it could take 4 out
    assert found.kept == (0, 1, 4)
    assert found.masked_by == {2: 0, 3: 1}
    assert found.needed == {}
    assert found.n_trials == 0


def test_the_order_of_variables_is_free():
    masking = masking_of([1, 5, 3], [(1, 0), (2, 0)], variables=(70, 30, 50))
    found = remove_masked(masking, 0.05)
    assert found.kept == (30, 50)
    assert found.masked_by == {70: 30}


def test_weak_masking_does_not_count():
    assert remove_masked(masking_of([3, 2], [(0, 1)]), 0.0001).kept == (0, 1)


def test_required_variables_stay_and_come_first():
    masking = masking_of([5, 4, 3], [(0, 2), (2, 0), (1, 2)])
    assert remove_masked(masking, 0.05, required=frozenset({2})).kept == (1, 2)
    both = remove_masked(masking, 0.05, required=frozenset({0, 2}))
    assert set(both.kept) == {0, 1, 2}


def test_known_variables_do_not_mask_what_was_found_beside_them():
    masking = masking_of([5, 4], [(0, 1)])
    assert remove_masked(masking, 0.05, known=frozenset({0})).kept == (0, 1)
    assert remove_masked(masking, 0.05, known=frozenset({1})).kept == (0,)
    assert remove_masked(masking, 0.05, known=frozenset({0, 1})).kept == (0,)


def test_masked_and_not_needed_goes():
    found = remove_masked(masking_of([3, 2, 1], [(0, 2)]), 0.05, losses_of([{0, 2}, {1}]))
    assert found.kept == (0, 1)
    assert found.masked_by == {2: 0}
    assert found.n_trials > 0


def test_masked_but_needed_stays():
    found = remove_masked(masking_of([3, 2, 1], [(0, 2)]), 0.05, losses_of([{0}, {1}, {2}]))
    assert found.kept == (0, 1, 2)
    assert found.masked_by == {}
    assert set(found.needed) == {2}
    assert found.needed[2] > 3


def test_not_masked_never_goes_even_if_not_needed():
    found = remove_masked(masking_of([3, 2, 1], []), 0.05, losses_of([{0}]))
    assert found.kept == (0, 1, 2)


def test_required_never_goes():
    masking = masking_of([3, 2, 1], [(0, 2), (0, 1), (1, 2)])
    found = remove_masked(masking, 0.05, losses_of([{0, 1, 2}]), required=frozenset({2}))
    assert 2 in found.kept
    assert 1 not in found.kept


@pytest.mark.parametrize("importance", [[2, 1], [1, 2], [1, 1]])
@pytest.mark.parametrize("with_losses", [False, True])
def test_of_two_identical_variables_one_stays(importance, with_losses):
    masking = masking_of(importance, [(0, 1), (1, 0)])
    found = remove_masked(masking, 0.05, losses_of([{0, 1}]) if with_losses else None)
    [kept] = found.kept
    assert found.masked_by == {1 - kept: kept}


@pytest.mark.parametrize("n_copies", [3, 10, 16, 17, 40])
def test_of_many_copies_one_of_each_stays(n_copies):
    """Three originals with copies, few or many suspects."""
    m = 3 * n_copies
    classes = [set(range(k, m, 3)) for k in range(3)]
    pairs = [(i, j) for own in classes for i in own for j in own if i != j]
    importance = np.random.default_rng(1).random(m) + 0.1
    calls = []

    def losses(subsets):
        calls.extend(subsets)
        return losses_of(classes)(subsets)

    found = remove_masked(masking_of(importance, pairs), 0.05, losses)
    assert sorted(v % 3 for v in found.kept) == [0, 1, 2]
    assert len(found.masked_by) == m - 3
    assert all(v % 3 == masker % 3 for v, masker in found.masked_by.items())
    assert set(found.masked_by.values()) == set(found.kept)
    assert len(calls) < 40 + m


@pytest.mark.parametrize("n_variables", [6, 30])
def test_all_masked_but_all_needed(n_variables):
    m = n_variables
    pairs = [(i, j) for i in range(m) for j in range(m) if i != j]
    found = remove_masked(
        masking_of(range(1, m + 1), pairs), 0.05, losses_of([{v} for v in range(m)])
    )
    assert set(found.kept) == set(range(m))
    assert found.kept == tuple(range(m - 1, -1, -1)), "most important first"


def test_a_chain_of_maskers_leads_to_the_one_that_stays():
    masking = masking_of([4, 3, 2, 1], [(0, 1), (1, 2), (2, 3)])
    found = remove_masked(masking, 0.05, losses_of([]))
    assert found.kept == (0,)
    assert found.masked_by == {1: 0, 2: 0, 3: 0}


def test_small_rises_do_not_add_up():
    """Each of ten variables alone seems superfluous; together they are not."""
    m = 10
    pairs = [(i, j) for i in range(m) for j in range(m) if i != j]

    def losses(subsets):
        return [1 + NOISE**2 + 0.3 * (m - len(s)) * (1 + 5 * NOISE) for s in subsets]

    found = remove_masked(masking_of(range(1, m + 1), pairs), 0.05, losses)
    assert len(found.kept) > 1


def test_records_are_frozen():
    found = remove_masked(masking_of([2, 1], []), 0.05)
    with pytest.raises(FrozenInstanceError):
        found.kept = ()
