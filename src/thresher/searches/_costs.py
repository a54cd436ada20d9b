"""What a learner costs as a function of the number of its inputs."""

from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["ORDERS", "CostFunction", "costs_up_to", "fitted_cost"]

FloatArray = NDArray[np.float64]
CostFunction = str | Callable[[int], float]
"""The name of an order of growth, or a function of the number of variables."""

#: Orders of growth by name; each is positive from one variable on.
ORDERS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "constant": np.ones_like,
    "logarithmic": np.log1p,
    "linear": lambda n: n,
    "linearithmic": lambda n: n * np.log1p(n),
    "quadratic": np.square,
    "cubic": lambda n: n**3,
}


def costs_up_to(n: int, cost: CostFunction, *, first: int = 1) -> FloatArray:
    """Costs of learning with 0 .. n variables; those with fewer than ``first`` are NaN.

    Examples
    --------
    >>> costs_up_to(4, "quadratic").tolist()
    [nan, 1.0, 4.0, 9.0, 16.0]
    """
    costs = np.full(n + 1, np.nan)
    if isinstance(cost, str):
        if cost not in ORDERS:
            raise ValueError(f"cost must be one of {', '.join(map(repr, ORDERS))}; got {cost!r}")
        costs[first:] = ORDERS[cost](np.arange(first, n + 1, dtype=np.float64))
        return costs
    if not callable(cost):
        raise ValueError(
            f"cost must be one of {', '.join(map(repr, ORDERS))}, or a function of the number of "
            f"variables; got {cost!r}"
        )
    for size in range(first, n + 1):
        value: Any = cost(size)
        if not (isinstance(value, Real) and 0.0 < float(value) < np.inf):
            raise ValueError(
                f"cost must be a positive number for any number of variables; cost({size}) gave "
                f"{value!r}"
            )
        costs[size] = float(value)
    return costs


def fitted_cost(sizes: FloatArray, seconds: FloatArray) -> Callable[[int], float]:
    """Fit ``a + b * order(n)`` to times measured at some sizes, by the order that fits best.

    Parameters
    ----------
    sizes : array of shape (n_sizes,)
        Numbers of variables, at least 1.
    seconds : array of shape (n_sizes,)
        What learning took, all positive.

    Examples
    --------
    >>> cost = fitted_cost(np.array([10.0, 20.0, 40.0]), np.array([3.0, 5.0, 9.0]))
    >>> round(cost(100), 6)
    21.0
    """
    from scipy.optimize import nnls

    found = []
    for order in ORDERS.values():
        # relative errors count: a small learner's time is measured as well as a large one's
        design = np.column_stack([np.ones_like(sizes), order(sizes)]) / seconds[:, None]
        (a, b), error = nnls(design, np.ones_like(seconds))
        found.append((float(error), float(a), float(b), order))
    _, a, b, order = min(found, key=lambda fit: fit[0])
    return lambda n: a + b * float(order(np.array([float(max(n, 1))]))[0])
