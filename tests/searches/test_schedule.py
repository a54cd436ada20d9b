"""How many variables to remove at a time, against the printed recurrence in exact fractions."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import schedule as naive
from tests.properties import examples
from thresher.searches import elimination_schedule, fitted_cost
from thresher.searches._costs import ORDERS, costs_up_to
from thresher.searches._schedule import Schedules, expected_failures


def perceptron(n):
    """Updates of a thermal perceptron over 1897 epochs of 1000 rows."""
    return 1897000 * (n + 1)


def logarithmic(n):
    return math.log1p(n)


def spiky(n):
    return 1.0 + 1000.0 * (n % 7 == 3)


def one(n):
    return 1.0


COSTS = {
    "constant": one,
    "logarithmic": logarithmic,
    "root": math.sqrt,
    "linear": float,
    "quadratic": lambda n: float(n) ** 2,
    "quintic": lambda n: float(n) ** 5,
    "falling": lambda n: 1.0 / n,
    "spiky": spiky,
    "wave": lambda n: 2.0 + math.sin(n),
}


def test_the_thermal_perceptron_on_seven_of_ten():
    plan = elimination_schedule(100, 10, perceptron)
    k_opt, i_sum = naive.schedule(100, 10, perceptron)
    assert plan.cost[100] == pytest.approx(float(i_sum[100]), rel=1e-12)
    assert f"{plan.cost[100]:.3e}" == "5.512e+09"
    assert f"{plan.cost[100] + perceptron(100):.3e}" == "5.704e+09"
    assert plan.k[[100, 50, 20]].tolist() == [9, 4, 1]
    assert plan.k[11:].tolist() == [k_opt[n] for n in range(11, 101)]


def test_calls_of_the_thermal_perceptron():
    plan = elimination_schedule(100, 10, perceptron)
    n, calls = 100, 1.0
    while n > 10:
        k = int(plan.k[n])
        calls += 1.0 + expected_failures(n, 10, k)
        n -= k
    assert round(calls, 2) == 90.45


def test_one_variable_at_a_time():
    failures = {n: expected_failures(n, 10, 1) for n in range(11, 101)}
    calls = 1.0 + sum(1.0 + f for f in failures.values())
    cost = sum(perceptron(n - 1) * (1.0 + f) for n, f in failures.items())
    assert round(calls, 1) == 141.8
    assert f"{cost:.4e}" == "1.2147e+10"
    assert f"{cost + perceptron(100):.4e}" == "1.2339e+10"
    assert cost == pytest.approx(
        float(naive.cost_of_following(one_at_a_time, 100, 10, perceptron)), rel=1e-12
    )


def one_at_a_time(n):
    return 1


@pytest.mark.parametrize("name", COSTS)
@pytest.mark.parametrize(("n", "r"), [(60, 1), (60, 2), (60, 7), (60, 30), (60, 58), (60, 59)])
def test_costs_of_all_shapes_have_the_printed_schedule(name, n, r):
    agree_with_the_recurrence(n, r, COSTS[name])


@examples(60)
@given(st.data())
def test_costs_without_any_order_have_the_printed_schedule(data):
    n = data.draw(st.integers(1, 40))
    r = data.draw(st.integers(1, n))
    size = st.floats(1e-3, 1e3) | st.sampled_from([1.0, 1e-9, 1e9])
    costs = data.draw(st.lists(size, min_size=n + 1, max_size=n + 1))
    agree_with_the_recurrence(n, r, costs.__getitem__)


def agree_with_the_recurrence(n, r, cost):
    plan = elimination_schedule(n, r, cost)
    _, i_sum = naive.schedule(n, r, cost)
    assert plan.k.shape == plan.cost.shape == (n + 1,)
    assert not plan.k[: r + 1].any()
    assert not plan.cost[: r + 1].any()
    for i in range(r + 1, n + 1):
        k = int(plan.k[i])
        assert 1 <= k <= i - r
        assert plan.cost[i] == pytest.approx(float(i_sum[i]), rel=1e-10)
        # costs may tie but for rounding; then any of the steps will do
        via_k = naive.step_cost(cost, i, r, k) + i_sum[i - k]
        assert float(via_k / i_sum[i]) == pytest.approx(1.0, abs=1e-10)


@pytest.mark.parametrize(("n", "r"), [(300, 1), (300, 12), (300, 299), (1000, 40)])
def test_the_steps_lead_to_the_relevant_ones_at_the_cost_that_is_told(n, r):
    plan = elimination_schedule(n, r, "quadratic")
    left = n
    while left > r:
        left -= int(plan.k[left])
    assert left == r
    followed = naive.cost_of_following(lambda i: int(plan.k[i]), n, r, lambda i: i**2)
    assert plan.cost[n] == pytest.approx(float(followed), rel=1e-10)


def test_costs_grow_with_the_number_of_variables():
    for cost in COSTS.values():
        assert (np.diff(elimination_schedule(500, 9, cost).cost[9:]) > 0).all()


@pytest.mark.parametrize(("n", "r"), [(1, 1), (7, 7)])
def test_nothing_to_remove(n, r):
    plan = elimination_schedule(n, r)
    assert plan.k.tolist() == [0] * (n + 1)
    assert plan.cost.tolist() == [0.0] * (n + 1)


def test_one_to_remove():
    plan = elimination_schedule(12, 11, "constant")
    assert plan.k[12] == 1
    assert plan.cost[12] == pytest.approx(12.0)


@pytest.mark.parametrize(("n", "r"), [(20_000, 5000), (20_000, 19_999), (100_000, 3)])
@pytest.mark.parametrize("cost", ["constant", "cubic"])
def test_wide_tables(n, r, cost):
    # binomial coefficients are far beyond floats here, and n^2 steps beyond patience
    plan = elimination_schedule(n, r, cost)
    assert np.isfinite(plan.cost).all()
    assert (plan.k[r + 1 :] >= 1).all()
    assert (plan.k[r + 1 :] <= np.arange(1, n - r + 1)).all()
    assert (np.diff(plan.cost[r:]) > 0).all()


def test_a_good_guess_is_never_better_than_the_schedule():
    plan = elimination_schedule(2000, 25)
    by_guess = naive.cost_of_following(lambda n: min(max(n // 25, 1), n - 25), 2000, 25, float)
    assert plan.cost[2000] <= float(by_guess)


def test_schedules_are_made_when_asked_for_and_once():
    schedules = Schedules(50, "linear")
    assert schedules[7] is schedules[7]
    for r in (1, 7, 49, 50):
        alone = elimination_schedule(50, r)
        assert schedules[r].k.tolist() == alone.k.tolist()
        assert schedules[r].cost.tolist() == alone.cost.tolist()
    for r in range(1, 51):
        assert schedules[r].k.tolist() == elimination_schedule(50, r).k.tolist()


def test_variables_that_are_kept_only_cost():
    beyond, plain = Schedules(20, "quadratic", 3), Schedules(20, lambda n: (n + 3) ** 2)
    assert beyond.costs.tolist() == [9.0, *plain.costs[1:].tolist()]
    assert beyond[4].k.tolist() == plain[4].k.tolist()
    assert beyond[4].cost.tolist() == plain[4].cost.tolist()
    assert beyond[0].k[1:].tolist() == list(range(1, 21))  # nothing else is relevant


@pytest.mark.parametrize(("n", "r", "k"), [(100, 10, 9), (11, 10, 1), (30, 1, 29), (5, 0, 5)])
def test_expected_failures_are_those_of_fractions(n, r, k):
    exact = float(naive.trials(n, r, k) - 1)
    assert expected_failures(n, r, k) == pytest.approx(exact, rel=1e-12, abs=1e-12)


def test_what_cannot_succeed_fails_for_ever():
    assert expected_failures(10, 5, 6) == math.inf
    assert expected_failures(3000, 1500, 1500) == math.inf  # more often than floats can tell


@pytest.mark.parametrize(
    ("n", "r", "message"),
    [
        (5, 6, "r must be at least 1 and at most n = 5; got 6"),
        (5, 0, "r must be at least 1 and at most n = 5; got 0"),
        (0, 1, "r must be at least 1 and at most n = 0; got 1"),
        (5.0, 2, "n must be a whole number; got 5.0"),
        (5, 2.5, "r must be a whole number; got 2.5"),
        (5, True, "r must be a whole number; got True"),
        ("5", 1, "n must be a whole number; got '5'"),
    ],
)
def test_bad_numbers(n, r, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        elimination_schedule(n, r)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (-1.5, "-1.5"), (math.nan, "nan"), (math.inf, "inf"), ("1", "'1'"), (None, "None")],
    ids=["zero", "negative", "nan", "inf", "text", "none"],
)
def test_a_cost_that_is_not_positive_is_named_with_its_size(value, shown):
    def cost(n):
        return value if n == 4 else 1.0

    with pytest.raises(ValueError, match=re.escape(f"cost(4) gave {shown}")):
        elimination_schedule(6, 2, cost)


@pytest.mark.parametrize("cost", ["exponential", "", 3.0, None, ["linear"]], ids=repr)
def test_a_cost_that_is_none(cost):
    with pytest.raises(
        ValueError, match=f"cost must be one of 'constant',.*{re.escape(str(cost))}"
    ):
        elimination_schedule(6, 2, cost)


@pytest.mark.parametrize("name", ORDERS)
def test_orders_by_name_are_positive_from_one_variable_on(name):
    costs = costs_up_to(50, name)
    assert np.isnan(costs[0])
    assert (costs[1:] > 0).all()
    assert (np.diff(costs[1:]) >= 0).all()


@pytest.mark.parametrize("name", ORDERS)
def test_measured_times_give_their_order_back(name):
    sizes = np.array([10.0, 20.0, 40.0, 80.0])
    cost = fitted_cost(sizes, 3.0 + 0.25 * ORDERS[name](sizes))
    for n in (1, 5, 60, 1000):
        assert cost(n) == pytest.approx(3.0 + 0.25 * ORDERS[name](np.array([float(n)]))[0])


def test_times_that_fall_or_come_alone_still_give_a_usable_cost():
    for sizes, seconds in (([5.0, 10.0, 20.0], [4.0, 2.0, 1.0]), ([1.0], [1e-9])):
        cost = fitted_cost(np.array(sizes), np.array(seconds))
        plan = elimination_schedule(20, 3, cost)
        assert np.isfinite(plan.cost).all()
        assert (plan.k[4:] >= 1).all()
