"""Random expressions over uniform inputs: products, means, maxima, a kink and noise."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ._arguments import Seed, check_count, check_random_state
from ._generated import FloatArray, Generated

__all__ = ["make_expression"]

CORRUPTION = 0.1


def _kink(x: FloatArray) -> FloatArray:
    # Taken as printed in Table 2: both pieces meet in 0 with slopes -2 and 0, and the interval
    # [-1, 1] is mapped onto itself, so nesting keeps values in range.
    return np.where(x > 0, -(x**2), -(x**2) - 2 * x)


UNARY: dict[str, Callable[[FloatArray, np.random.Generator], FloatArray]] = {
    "corrupt": lambda x, rng: x + rng.normal(0, CORRUPTION, len(x)),
    "g": lambda x, rng: _kink(x),
}
BINARY: dict[str, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "product": lambda x, z: x * z,
    "mean": lambda x, z: (x + z) / 2,
    "max": np.maximum,
}


@dataclass(frozen=True)
class _Call:
    name: str
    arguments: tuple["_Expression", ...]


_Expression: TypeAlias = int | _Call  # a column, or an operator applied to expressions


def make_expression(
    n_rows: int = 500,
    *,
    n_features: int | None = None,
    n_terms: int | None = None,
    random_state: Seed = None,
) -> Generated:
    """Generate a random expression of a random subset of uniform inputs.

    Parameters
    ----------
    n_rows : int, default=500
        Number of rows.
    n_features : int or None, default=None
        Number of columns; None draws one of 4, 5, ..., 12.
    n_terms : int or None, default=None
        Number of nodes of the expression tree, operators and inputs alike; None draws one of
        5, 6, ..., 30.
    random_state : int, numpy Generator or None, default=None
        Source of the sizes, the expression, the inputs and the noise.

    Returns
    -------
    Generated
        Columns uniform on (-1, 1); those that the expression mentions are relevant, nothing is
        redundant. ``description`` shows the expression.

    Notes
    -----
    Operators are drawn with equal chance from ``product``, ``mean`` and ``max`` of two
    expressions, ``corrupt`` (adds normal noise with standard deviation 0.1) and ``g``, which is
    ``-x**2`` for positive x and ``-x**2 - 2*x`` otherwise. The grammar is that of Moore and Lee.

    Examples
    --------
    >>> from thresher.datasets import make_expression
    >>> data = make_expression(n_features=6, n_terms=9, random_state=3)
    >>> data.description
    'corrupt(g(corrupt(max(product(x1, corrupt(x3)), x4))))'
    >>> data.relevant
    (0, 2, 3)
    """
    n_rows = check_count("n_rows", n_rows, 1)
    rng = check_random_state(random_state)
    # Both sizes are drawn even when given, so that fixing one leaves the other as it was.
    some_features, some_terms = int(rng.integers(4, 13)), int(rng.integers(5, 31))
    n_features = some_features if n_features is None else check_count("n_features", n_features, 1)
    n_terms = some_terms if n_terms is None else check_count("n_terms", n_terms, 1)
    expression = _draw(n_terms, n_features, rng)
    X = rng.uniform(-1, 1, (n_rows, n_features))
    relevant = _columns(expression)
    return Generated(
        X=X,
        y=_evaluate(expression, X, rng),
        relevant=tuple(sorted(relevant)),
        redundant={},
        irrelevant=tuple(sorted(set(range(n_features)) - relevant)),
        feature_names=tuple(f"x{position + 1}" for position in range(n_features)),
        description=_text(expression),
        task="regression",
    )


def _draw(n_terms: int, n_features: int, rng: np.random.Generator) -> _Expression:
    """Draw an expression with exactly ``n_terms`` nodes."""
    if n_terms == 1:
        return int(rng.integers(n_features))
    # A binary operator needs a node for each side and one for itself.
    names = [*UNARY, *BINARY] if n_terms > 2 else [*UNARY]
    name = names[rng.integers(len(names))]
    n_left = n_terms - 1 if name in UNARY else int(rng.integers(1, n_terms - 1))
    sizes = [size for size in (n_left, n_terms - 1 - n_left) if size]
    return _Call(name, tuple(_draw(size, n_features, rng) for size in sizes))


def _evaluate(expression: _Expression, X: FloatArray, rng: np.random.Generator) -> FloatArray:
    if isinstance(expression, int):
        return X[:, expression].copy()
    values = [_evaluate(argument, X, rng) for argument in expression.arguments]
    if expression.name in UNARY:
        return UNARY[expression.name](values[0], rng)
    return BINARY[expression.name](values[0], values[1])


def _columns(expression: _Expression) -> set[int]:
    if isinstance(expression, int):
        return {expression}
    return set().union(*(_columns(argument) for argument in expression.arguments))


def _text(expression: _Expression) -> str:
    if isinstance(expression, int):
        return f"x{expression + 1}"
    return f"{expression.name}({', '.join(map(_text, expression.arguments))})"
