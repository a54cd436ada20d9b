"""How many are relevant: the transitions of the printed table, with its misprints mended."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties import examples
from thresher.searches._numbers import KnownNumber, NumberSearch
from thresher.searches._schedule import Schedules, elimination_schedule, expected_failures


def known(n, r, k=None):
    return KnownNumber(n, Schedules(n, "linear"), k, r)


def searched(n, r_min=2, r_max=None, k=None, c1=3.0, c2=0.3):
    return NumberSearch(
        n, Schedules(n, "linear"), k, r_min=r_min, r_max=n if r_max is None else r_max, c1=c1, c2=c2
    )


def fail(number, times):
    for _ in range(times):
        number.failed()


def test_a_known_number_draws_by_the_schedule_until_it_is_reached():
    number = known(100, 10)
    plan = elimination_schedule(100, 10)
    sizes = []
    while not number.done:
        assert number.k == plan.k[number.n]
        assert number.expected_failures == expected_failures(number.n, 10, number.k)
        sizes.append(number.n)
        number.succeeded(number.k)
    assert number.n == 10
    assert sizes[0] == 100


def test_a_known_number_is_never_passed():
    number = known(100, 10, k=7)
    while not number.done:
        number.succeeded(number.k)
    assert number.n == 10


def test_failures_are_counted_up_to_the_next_success():
    number = known(20, 5)
    fail(number, 4)
    assert number.n_failures == 4
    number.succeeded(2)
    assert (number.n, number.n_failures) == (18, 0)


def test_a_known_number_that_cannot_be_reached_is_given_up():
    number = known(11, 10)  # ten failures are to be expected
    fail(number, 50 * 11 - 1)
    assert not number.done
    fail(number, 2)
    assert number.done


def test_the_search_begins_half_way():
    assert searched(100, 2, 100).r == 51
    assert searched(100, 2, 21).r == 11
    assert searched(100, 5, 5).r == 5


def test_too_many_failures_raise_the_lower_bound():
    number = searched(100, 2, 20)
    allowed = 3.0 * expected_failures(100, 11, number.k)
    fail(number, int(np.ceil(allowed)) - 1)
    assert (number.r_min, number.r, number.r_max) == (2, 11, 20)
    number.failed()
    assert (number.r_min, number.r, number.r_max) == (11, 15, 20)
    assert number.n_failures == number.n_successes == 0


def test_many_successes_lower_the_upper_bound():
    number = searched(100, 2, 100)
    done = 0
    while number.r == 51:
        n, k = number.n, number.k
        number.succeeded(k)
        done += 1
    left = n - k
    next_k = int(elimination_schedule(100, 51).k[left])
    assert done >= 0.3 * (51 - expected_failures(left, 51, next_k)) > done - 1
    assert (number.r_min, number.r, number.r_max) == (2, 26, 51)
    assert number.n_failures == number.n_successes == 0


def test_failures_and_successes_interrupt_each_other():
    number = searched(100, 2, 100)
    number.succeeded(1)
    assert number.n_successes == 1
    number.failed()
    assert (number.n_failures, number.n_successes) == (1, 0)
    number.succeeded(1)
    assert (number.n_failures, number.n_successes) == (0, 1)


def test_the_bounds_collapse_when_no_more_are_left_than_the_lower_one():
    number = searched(30, 10, 20)
    number.succeeded(20)
    assert (number.r_min, number.r, number.r_max) == (10, 10, 10)
    number.succeeded(3)  # it was fewer than the lower bound
    assert (number.r_min, number.r, number.r_max) == (7, 7, 7)


def test_without_any_irrelevant_one_left_they_go_one_at_a_time():
    number = searched(8, 8, 8)
    assert number.k == 1
    assert number.expected_failures == 7.0
    fail(number, 21)
    assert not number.done
    number.failed()
    assert number.done


def test_the_end_needs_bounds_that_have_met_and_too_many_failures():
    number = searched(20, 20, 20)
    fail(number, 3 * 19)
    assert not number.done
    number.failed()
    assert number.done
    number.succeeded(1)
    assert not number.done
    wide = searched(20, 2, 20)
    wide.failed()
    assert not wide.done


def test_too_many_failures_after_the_bounds_have_met_leave_the_rest_to_be_tried_one_by_one():
    number = searched(20, 5, 5)
    fail(number, int(np.ceil(3.0 * expected_failures(20, 5, number.k))))
    assert (number.r_min, number.r, number.r_max, number.k) == (20, 20, 20, 1)
    assert number.n_failures == 0
    assert not number.done
    fail(number, 3 * 19 + 1)
    assert number.done


def test_halves_that_are_rounded_down_do_not_keep_the_bounds_apart():
    number = searched(20, 4, 5)
    assert number.r == 4
    fail(number, int(np.ceil(3.0 * number.expected_failures)))
    assert (number.r_min, number.r, number.r_max) == (5, 5, 5)
    number = searched(20, 4, 5, c2=1e-9)
    number.succeeded(1)
    assert (number.r_min, number.r, number.r_max) == (4, 4, 4)


@pytest.mark.parametrize("k", [None, 1])
@pytest.mark.parametrize(("r_min", "r_max"), [(1, 40), (2, 3), (2, 40), (7, 7), (40, 40), (39, 40)])
def test_failures_alone_lead_to_the_end(r_min, r_max, k):
    number = searched(40, r_min, r_max, k)
    for _ in range(2000):
        if number.done:
            break
        number.failed()
    assert number.done
    assert number.n == 40


@examples(80)
@given(
    st.integers(0, 2**32),
    st.integers(1, 60),
    st.floats(0.0, 0.95),
    st.floats(0.1, 5.0),
    st.floats(0.01, 3.0),
)
def test_bounds_close_in_and_the_end_comes(seed, n, success, c1, c2):
    rng = np.random.default_rng(seed)
    r_min = int(rng.integers(1, n + 1))
    number = searched(n, r_min, int(rng.integers(r_min, n + 1)), c1=c1, c2=c2)
    for _ in range(100_000):
        if number.done or number.n <= 1:
            break
        before = (number.r_min, number.r_max, number.n)
        assert 1 <= number.k <= number.n
        if rng.random() < success:
            number.succeeded(min(number.k, number.n - 1))
        else:
            number.failed()
        collapsed = number.r_min == number.r_max == number.r == number.n
        assert number.r_min <= number.r <= number.r_max
        assert collapsed or (number.r_min >= before[0] and number.r_max <= before[1])
    assert number.done or number.n <= 1


def test_a_copy_goes_its_own_way():
    number = searched(50, 2, 50)
    other = number.copy()
    fail(other, 3)
    other.succeeded(5)
    assert (number.n, number.n_failures, number.n_successes) == (50, 0, 0)
    assert (other.n, other.n_successes) == (45, 1)
    assert type(other) is NumberSearch
