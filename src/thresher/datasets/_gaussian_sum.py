"""Friedman's random functions: weighted sums of Gaussians with random axes."""

from dataclasses import dataclass

import numpy as np

from ._generated import FloatArray

__all__ = ["GaussianTerm", "draw_terms", "evaluate_terms"]

# Friedman's sizes, floor(1.5 + r) with r exponential of mean 2, average three inputs to a term;
# mean 3 gives the four that ACE's paper reports.
MEAN_EXTRA_INPUTS = 3.0
STEEPNESS = (0.1, 2.0)


@dataclass(frozen=True)
class GaussianTerm:
    """One term ``weight * exp(-0.5 * |(x[inputs] - centre) @ axes|^2)``.

    Attributes
    ----------
    inputs : tuple of int
        The columns that the term reads.
    weight : float
        Its factor in the sum.
    centre : ndarray of shape (n_inputs,)
        Where the term peaks.
    axes : ndarray of shape (n_inputs, n_inputs)
        Orthogonal directions, each scaled by its steepness.
    """

    inputs: tuple[int, ...]
    weight: float
    centre: FloatArray
    axes: FloatArray


def draw_terms(n_terms: int, n_inputs: int, rng: np.random.Generator) -> list[GaussianTerm]:
    """Draw ``n_terms`` terms that together read each of ``n_inputs`` standard normal inputs."""
    return [_draw_term(inputs, rng) for inputs in _draw_inputs(n_terms, n_inputs, rng)]


def evaluate_terms(terms: list[GaussianTerm], X: FloatArray) -> FloatArray:
    """Return the sum of the terms for each row of ``X``."""
    total = np.zeros(len(X))
    for term in terms:
        scaled = (X[:, term.inputs] - term.centre) @ term.axes
        total += term.weight * np.exp(-0.5 * (scaled**2).sum(axis=1))
    return total


def _draw_inputs(n_terms: int, n_inputs: int, rng: np.random.Generator) -> list[list[int]]:
    sizes = (1.5 + rng.exponential(MEAN_EXTRA_INPUTS, n_terms)).astype(np.int64)
    drawn = [rng.permutation(n_inputs)[:size].tolist() for size in sizes]
    # A relevant column must have a say: what no term drew goes to the term that reads least.
    for position in sorted(set(range(n_inputs)).difference(*drawn)):
        min(drawn, key=len).append(position)
    return drawn


def _draw_term(inputs: list[int], rng: np.random.Generator) -> GaussianTerm:
    size = len(inputs)
    directions, triangle = np.linalg.qr(rng.standard_normal((size, size)))
    # The signs make the rotation uniformly distributed; QR alone fixes them by convention.
    directions = directions * np.sign(np.diag(triangle))
    return GaussianTerm(
        inputs=tuple(inputs),
        weight=float(rng.uniform(-1, 1)),
        centre=rng.standard_normal(size),
        axes=directions * rng.uniform(*STEEPNESS, size),
    )
