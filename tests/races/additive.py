"""Losses that are sums over variables, for races whose outcome is known."""

import numpy as np

from thresher.races import (
    Schema,
    SchemaContest,
)

NOTHING: frozenset[int] = frozenset()


class Additive:
    """A source whose losses are a sum over the variables of a subset, a row's own, and noise."""

    unit, parts, weights, loss_span = "row", None, None, 20.0

    def __init__(self, effects, n_blocks=200, noise=0.05, weights=None):
        self.effects = np.array(effects, dtype=float)
        self.n_blocks, self.noise, self.n_losses = n_blocks, noise, 0
        self.weights = weights
        self.asked: list[tuple[int, bytes]] = []

    @property
    def held_out(self):
        return np.arange(self.n_blocks)

    def draw_losses(self, masks, units):
        self.n_losses += len(units)
        self.asked += [(int(u), m.tobytes()) for m, u in zip(masks, units, strict=True)]
        # the same subset loses the same on the same row, whenever it is asked for
        wobble = np.sin(1e4 * (masks @ np.sqrt(np.arange(2.0, 2.0 + masks.shape[1])) + units))
        return 5.0 + masks @ self.effects + np.sin(units) + self.noise * wobble

    def losses(self, subsets, rows=None):
        units = self.held_out if rows is None else rows
        masks = np.array([[v in s for v in range(len(self.effects))] for s in subsets])
        return np.array([self.draw_losses(np.tile(m, (len(units), 1)), units) for m in masks])


def contest_of(schema, n_variables, draws=None, patience=None, give_up=None):
    return SchemaContest.of(schema, n_variables, draws, patience, give_up)


def all_open(n_variables):
    return Schema(NOTHING, tuple(range(n_variables)))


def decided_by(judge, source):
    """Go on until all variables are decided."""
    n_variables = len(source.effects)
    schema, draws, rng = all_open(n_variables), None, np.random.default_rng(0)
    while schema.open:
        outcome = judge.decide(contest_of(schema, n_variables, draws), source, rng)
        assert np.isfinite(outcome.loss)
        schema, draws = outcome.schema, outcome.draws
    return schema.on
