"""The schedule of randomized elimination as printed: a table of all steps, in exact fractions."""

from collections.abc import Callable
from fractions import Fraction
from math import comb


def trials(n: int, r: int, k: int) -> Fraction:
    """Draws of k variables it takes on average until none of them is relevant."""
    return Fraction(comb(n, k), comb(n - r, k))


def step_cost(cost: Callable[[int], float], n: int, r: int, k: int) -> Fraction:
    """Expected cost of removing k of n variables, failures included."""
    return Fraction(cost(n - k)) * trials(n, r, k)


def schedule(
    n: int, r: int, cost: Callable[[int], float]
) -> tuple[dict[int, int], dict[int, Fraction]]:
    """Best step, the smallest of equals, and least cost for each number of variables."""
    k_opt: dict[int, int] = {}
    i_sum = {r: Fraction(0)}
    for i in range(r + 1, n + 1):
        via = [(step_cost(cost, i, r, k) + i_sum[i - k], k) for k in range(1, i - r + 1)]
        i_sum[i], k_opt[i] = min(via)
    return k_opt, i_sum


def cost_of_following(
    steps: Callable[[int], int], n: int, r: int, cost: Callable[[int], float]
) -> Fraction:
    """Expected cost of removing ``steps(n)`` variables at a time until r are left."""
    total = Fraction(0)
    while n > r:
        total += step_cost(cost, n, r, steps(n))
        n -= steps(n)
    return total
