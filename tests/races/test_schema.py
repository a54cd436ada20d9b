"""Schemata, the pairs drawn from them, and what losses say about their fields."""

import numpy as np
import pytest
from scipy import stats

from tests.races.additive import NOTHING, all_open
from thresher.races import (
    Draws,
    Schema,
)
from thresher.races._fields import BoundedFields, PairedFields, SplitFields
from thresher.races._pairs import PairSource


def some_draws(n, n_variables, seed=0, n_units=30):
    rng = np.random.default_rng(seed)
    masks = rng.random((n, n_variables)) < 0.5
    return Draws(masks, rng.integers(n_units, size=n), rng.normal(size=n))


# --- schemata and draws


def test_fixing_all_open_variables_leaves_a_subset():
    schema = all_open(3).fix(1, on=True).fix(0, on=False)
    assert schema == Schema(frozenset({1}), (2,))
    assert schema.fix(2, on=True) == Schema(frozenset({1, 2}), ())


def test_masks_are_subsets_that_match():
    choices = np.array([[True, False], [False, True]])
    masks = Schema(frozenset({3}), (0, 2)).masks(choices, 5)
    assert masks.astype(int).tolist() == [[1, 0, 0, 1, 0], [0, 0, 1, 1, 0]]


def test_draws_that_match_a_schema_are_found():
    draws = some_draws(200, 5)
    schema = Schema(frozenset({3}), (0, 4))
    found = draws.matching(schema)
    expected = [m[3] and not m[1] and not m[2] for m in draws.masks]
    assert 0 < len(found) == sum(expected)
    assert found.losses.tolist() == draws.losses[expected].tolist()
    assert found.units.tolist() == draws.units[expected].tolist()
    assert len(draws.matching(all_open(5))) == 200
    assert len(Draws.none(5).matching(schema)) == 0


# --- pairs


def canonical(choices, units):
    """A pair by whichever half comes first."""
    return [
        (int(unit), min(row.tobytes(), (~row).tobytes()))
        for row, unit in zip(choices, units, strict=True)
    ]


def test_the_halves_of_a_pair_are_mirror_images_on_the_same_row():
    pairs = PairSource(all_open(4), Draws.none(4), np.arange(7), np.random.default_rng(0))
    choices, units = PairedFields(pairs, 4).batch(20)
    assert choices.shape == (20, 4)
    assert (choices[:10] == ~choices[10:]).all()
    assert (units[:10] == units[10:]).all()


@pytest.mark.parametrize("on", [NOTHING, frozenset({9})])
def test_a_small_population_is_seen_once_and_completely(on):
    units = np.array([2, 5, 6, 11])
    schema = Schema(on, (0, 1, 2, 3))
    pairs = PairSource(schema, Draws.none(10), units, np.random.default_rng(0))
    seen = []
    while len((taken := pairs.take(5))[1]):
        seen += canonical(*taken)
        if not on:
            assert taken[0].any(axis=1).all()
            assert not taken[0].all(axis=1).any()
    assert len(seen) == len(set(seen)) == pairs.population == 4 * (8 if on else 7)
    assert {unit for unit, _ in seen} == set(units.tolist())


def test_pairs_of_which_a_half_is_known_come_first():
    known = some_draws(6, 4, n_units=7)
    known = Draws(known.masks | [True, False, False, False], known.units, known.losses)
    schema = Schema(frozenset({0}), (1, 2, 3))
    expected = set(canonical(known.masks[:, 1:], known.units))
    pairs = PairSource(schema, known, np.arange(7), np.random.default_rng(0))
    assert set(canonical(*pairs.take(len(expected)))) == expected
    assert not expected & set(canonical(*pairs.take(1000)))


def test_a_large_population_has_no_end_and_starts_with_what_is_known():
    n, units = 20, np.arange(50)
    known = some_draws(12, n, n_units=50)
    pairs = PairSource(all_open(n), known, units, np.random.default_rng(0))
    assert pairs.population is None
    choices, taken = pairs.take(12)
    assert set(canonical(choices, taken)) == set(canonical(known.masks, known.units))
    choices, taken = pairs.take(100)
    assert np.bincount(taken, minlength=50).tolist() == [2] * 50  # each once before any again
    assert 0.4 < choices.mean() < 0.6


def test_no_side_is_empty_where_nothing_is_on():
    # so many rows that pairs are drawn, not enumerated
    pairs = PairSource(all_open(3), Draws.none(3), np.arange(60_000), np.random.default_rng(0))
    assert pairs.population is None
    choices, _ = pairs.take(500)
    assert choices.any(axis=1).all()
    assert not choices.all(axis=1).any()
    pairs = PairSource(
        Schema(frozenset({3}), (0, 1, 2)),
        Draws.none(4),
        np.arange(60_000),
        np.random.default_rng(0),
    )
    choices, _ = pairs.take(500)
    assert not choices.any(axis=1).all()


# --- what losses say


class Endless:
    population = None


def test_paired_fields_are_least_squares():
    rng = np.random.default_rng(0)
    n, k = 40, 3
    fields = PairedFields(Endless(), k)
    choices = rng.random((n, k)) < 0.5
    losses = rng.normal(size=2 * n)
    for part in (slice(0, 15), slice(15, n)):
        both = np.concatenate([choices[part], ~choices[part]])
        fields.add(both, np.concatenate([losses[:n][part], losses[n:][part]]))
    signs, difference = np.where(choices, 1.0, -1.0), losses[:n] - losses[n:]
    expected, rest, *_ = np.linalg.lstsq(signs, difference)
    variances = rest[0] / (n - k) * np.diag(np.linalg.inv(signs.T @ signs))
    effects, errors = fields.effects()
    np.testing.assert_allclose(effects, expected, rtol=1e-6)
    np.testing.assert_allclose(errors, np.sqrt(variances), rtol=1e-6)
    for gamma in (0.0, 0.1):
        gap = np.abs(expected) + np.where(expected > 0, gamma, 0.0)
        p_values = stats.t.sf(gap / np.sqrt(variances), n - k)
        np.testing.assert_allclose(fields.p_values(gamma), p_values, rtol=1e-5)


def test_few_pairs_are_compared_one_variable_at_a_time():
    rng = np.random.default_rng(1)
    n, k = 10, 4
    fields = PairedFields(Endless(), k)
    choices, losses = rng.random((n, k)) < 0.5, rng.normal(size=2 * n)
    fields.add(np.concatenate([choices, ~choices]), losses)
    signed = np.where(choices, 1.0, -1.0) * (losses[:n] - losses[n:])[:, None]
    effects, errors = fields.effects()
    np.testing.assert_allclose(effects, signed.mean(axis=0))
    np.testing.assert_allclose(errors, stats.sem(signed, axis=0))
    expected = [
        stats.ttest_1samp(s, 0.0, alternative="greater" if s.mean() > 0 else "less").pvalue
        for s in signed.T
    ]
    np.testing.assert_allclose(fields.p_values(0.0), expected)


def test_a_population_that_was_seen_leaves_no_doubt():
    rng = np.random.default_rng(0)
    pairs = PairSource(Schema(frozenset({3}), (0, 1, 2)), Draws.none(4), np.arange(6), rng)
    fields = PairedFields(pairs, 3)
    choices, units = fields.batch(1000)
    assert len(units) == 2 * 6 * 4
    fields.add(choices, rng.normal(size=len(units)))
    assert fields.effects()[1].tolist() == [0.0] * 3
    assert fields.p_values(0.0).tolist() == [0.0] * 3


def test_differences_of_errors_that_never_vary_are_not_certain():
    fields = PairedFields(Endless(), 1)
    choices = np.array([[True]] * 4 + [[False]] * 4)
    fields.add(choices, np.array([0.0] * 4 + [1.0] * 4))
    assert fields.p_values(0.0)[0] > 0.005
    same = PairedFields(Endless(), 1)
    same.add(choices, np.zeros(8))
    assert same.p_values(0.0)[0] == 0.5


def test_split_fields_are_welchs_comparison():
    rng = np.random.default_rng(0)
    fields = SplitFields(np.arange(50), 3, rng, no_empty=False)
    batches = [fields.batch(30), fields.batch(11)]
    all_choices = np.concatenate([choices for choices, _ in batches])
    losses = rng.normal(2.0, 1.0, len(all_choices)) + all_choices @ [1.0, 0.0, -0.3]
    fields.add(batches[0][0], losses[:30])
    fields.add(batches[1][0], losses[30:])
    effects, errors = fields.effects()
    for gamma in (0.0, 0.1):
        p_values = fields.p_values(gamma)
        for v in range(3):
            with_it, without = losses[all_choices[:, v]], losses[~all_choices[:, v]]
            assert effects[v] == pytest.approx(with_it.mean() - without.mean())
            error = np.sqrt(with_it.var(ddof=1) / len(with_it) + without.var(ddof=1) / len(without))
            assert errors[v] == pytest.approx(error)
            if effects[v] > 0:
                expected = stats.ttest_ind(
                    with_it + gamma, without, equal_var=False, alternative="greater"
                )
            else:
                expected = stats.ttest_ind(with_it, without, equal_var=False, alternative="less")
            assert p_values[v] == pytest.approx(expected.pvalue, rel=1e-6)


def test_independent_draws_are_never_empty_where_nothing_is_on():
    fields = SplitFields(np.array([3, 4]), 2, np.random.default_rng(0), no_empty=True)
    choices, units = fields.batch(200)
    assert choices.any(axis=1).all()
    assert set(units.tolist()) == {3, 4}


def test_sides_without_losses_decide_nothing():
    fields = SplitFields(np.arange(5), 2, np.random.default_rng(0), no_empty=False)
    fields.add(np.array([[True, True], [True, False], [True, True]]), np.array([1.0, 2.0, 4.0]))
    assert fields.p_values(0.0).tolist() == [1.0, 1.0]


def test_bounded_fields_need_more_than_split_ones():
    rng = np.random.default_rng(0)
    bounded = BoundedFields(np.arange(9), 1, rng, no_empty=False, span=2.0)
    choices, _ = bounded.batch(400)
    losses = rng.random(400) + choices[:, 0]
    bounded.add(choices, losses)
    n1 = choices.sum()
    gap = losses[choices[:, 0]].mean() - losses[~choices[:, 0]].mean()
    p_value = float(bounded.p_values(0.0)[0])
    # at this level the two intervals touch
    reach = sum(2.0 * np.sqrt(np.log(2 / p_value) / (2 * n)) for n in (n1, 400 - n1))
    assert reach == pytest.approx(gap)
    assert BoundedFields(np.arange(9), 1, rng, no_empty=False, span=99.0).p_values(0.0)[0] == 1.0
