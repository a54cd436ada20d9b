"""Schemata search: decide variables one by one while the others are drawn at random."""

from numbers import Integral, Real
from typing import Any

import numpy as np

from thresher.evaluators import Subset
from thresher.races import Draws, Schema, SchemaContest, SchemaOutcome

from ._base import Search, SearchStrategy
from ._gauss_seidel import pass_over
from ._space import Space

__all__ = ["Schemata", "SchemataPlus"]


class Schemata(SearchStrategy):
    """Search over strings of 1, 0 and * (Moore and Lee).

    All variables are open at first. Random subsets, each tried on a random row, tell for every
    open variable at once whether subsets with it lose less than subsets without it. The first
    variable for which that is clear is decided, and so on. Families of variables that only help
    together are found, because some of the random subsets hold them all.

    Parameters
    ----------
    patience : int or None, default=20000
        Row losses after which the variables that look least relevant (one in eight, at least one)
        are left out, though nothing is decided; None to go on for as long as it takes.
    give_up : float or None, default=0.002
        A variable is left out when it is less credible than this that it helps; None for the
        level at which variables are put in, the judge's.
    polish : float or None, default=0.05
        In the end, flip each variable in turn to see whether that is better. A flip is given up
        when it is less credible than this that it pays. None to leave this out.

    Notes
    -----
    The search of the paper has no patience, no lower level for leaving out and no polish, and its
    race is `thresher.races.Race`: independent draws. Under `thresher.races.Brace` subsets are drawn
    in pairs and used again after each decision, which takes a fraction of the losses.
    """

    def __init__(
        self,
        patience: int | None = 20_000,
        give_up: float | None = 0.002,
        polish: float | None = 0.05,
    ):
        self.patience = patience
        self.give_up = give_up
        self.polish = polish

    def run(self, space: Space, rng: np.random.Generator) -> Search:
        """Decide all variables, then check them."""
        self._check()
        schema = Schema(
            space.required, tuple(v for v in range(space.n_variables) if v not in space.required)
        )
        draws: Draws | None = None
        while schema.open:
            outcome = yield SchemaContest.of(
                schema, space.n_variables, draws, self.patience, self.give_up
            )
            if not isinstance(outcome, SchemaOutcome):
                raise TypeError(f"a judge answered a SchemaContest with {outcome!r}")
            schema, draws = outcome.schema, outcome.draws
        chosen: Subset = schema.on
        if self.polish is not None:
            chosen = yield from pass_over(chosen, space, give_up=self.polish)
        return chosen

    def _check(self) -> None:
        patience: Any = self.patience
        if patience is not None and not (isinstance(patience, Integral) and int(patience) >= 1):
            raise ValueError(
                f"patience must be a whole number of at least 1 or None; got {patience!r}"
            )
        for name in ("give_up", "polish"):
            level = getattr(self, name)
            if level is not None and not (isinstance(level, Real) and 0 < float(level) < 1):
                raise ValueError(f"{name} must lie between 0 and 1 or be None; got {level!r}")


class SchemataPlus(Schemata):
    """Schemata search that leaves out early what looks irrelevant: cheaper, less reliable.

    Parameters
    ----------
    patience : int or None, default=2000
        See `Schemata`.
    give_up : float or None, default=0.01
        See `Schemata`.
    polish : float or None, default=0.1
        See `Schemata`.
    """

    def __init__(
        self,
        patience: int | None = 2_000,
        give_up: float | None = 0.01,
        polish: float | None = 0.1,
    ):
        super().__init__(patience, give_up, polish)
