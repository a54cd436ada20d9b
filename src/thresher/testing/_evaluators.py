"""What every evaluator must do."""

import numpy as np

from thresher.evaluators import Evaluator, Flips, Removals, Subset

__all__ = ["check_evaluator"]

_TOLERANCE = 1e-8


def check_evaluator(evaluator: Evaluator) -> None:
    """Check an evaluator: shapes, order of rows, flips, the empty subset, counts, bad positions.

    Parameters
    ----------
    evaluator : Evaluator
        Over at least three variables.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from thresher.evaluators import evaluator_for
    >>> check_evaluator(evaluator_for(GaussianNB(), *load_iris(return_X_y=True)))
    """
    name = type(evaluator).__name__
    subsets: list[Subset] = [frozenset({0}), frozenset({0, 1, 2}), frozenset()]
    before = (evaluator.n_losses, evaluator.n_fits)
    losses = evaluator.losses(subsets)
    assert losses.shape == (3, evaluator.n_blocks), f"{name}: losses of shape {losses.shape}"
    assert losses.dtype == np.float64, f"{name}: losses of type {losses.dtype}"
    assert evaluator.n_losses > before[0], f"{name}: losses are not counted"
    assert evaluator.n_fits > before[1], f"{name}: hypotheses are not counted"

    alone = evaluator.losses([{1, 0, 2}])
    assert _same(alone[0], losses[1]), f"{name}: a subset's losses depend on the others'"
    some = np.arange(evaluator.n_blocks)[::-2]
    assert _same(evaluator.losses(subsets, rows=some), losses[:, some]), f"{name}: rows"
    for base in (frozenset[int](), frozenset({0}), frozenset({0, 1, 2})):
        flips = Flips(base, [0, 1, 2])
        assert _same(evaluator.losses(flips), evaluator.losses(list(flips))), (
            f"{name}: flips of {sorted(base)} differ from the same subsets in a list"
        )
    removals = Removals(frozenset({0, 1, 2}), [frozenset({0, 1}), frozenset(), frozenset({2})])
    assert _same(evaluator.losses(removals), evaluator.losses(list(removals))), (
        f"{name}: removals differ from the same subsets in a list"
    )
    for wrong in ([{-1}], [{evaluator.n_variables}]):
        _must_refuse(evaluator, wrong)


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    return bool(np.allclose(a, b, rtol=_TOLERANCE, atol=_TOLERANCE, equal_nan=True))


def _must_refuse(evaluator: Evaluator, subsets: list[set[int]]) -> None:
    try:
        evaluator.losses(subsets)
    except ValueError:
        return
    raise AssertionError(f"{type(evaluator).__name__} accepted the positions {subsets}")
