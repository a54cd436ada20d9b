"""Schemata: strings of 1, 0 and * over the variables, and the contest between their fields."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import Flips, Subset

from ._contest import Contest, Outcome

__all__ = ["Draws", "Schema", "SchemaContest", "SchemaOutcome", "schema_outcome"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


@dataclass(frozen=True)
class Schema:
    """Some variables are in, some are out, and the rest are open.

    Its loss is the mean loss of the subsets that match it, each open variable being in or out with
    the same chance.

    Parameters
    ----------
    on : subset
        Variables that are in.
    open : tuple of int
        Variables that may be in or out; all others are out.

    Examples
    --------
    >>> Schema(frozenset({1}), (0, 2)).fix(2, on=False)
    Schema(on=frozenset({1}), open=(0,))
    """

    on: Subset
    open: tuple[int, ...]

    def fix(self, variable: int, *, on: bool) -> "Schema":
        """Decide one open variable."""
        left = tuple(v for v in self.open if v != variable)
        return Schema(self.on | {variable} if on else self.on, left)

    def masks(self, choices: NDArray[np.bool_], n_variables: int) -> NDArray[np.bool_]:
        """Subsets as rows of a bool array, from the choices made for the open variables."""
        masks = np.zeros((len(choices), n_variables), dtype=bool)
        masks[:, sorted(self.on)] = True
        masks[:, list(self.open)] = choices
        return masks


@dataclass(frozen=True, eq=False)
class Draws:
    """Subsets that were tried, each on one row (or part), and what they lost there.

    Parameters
    ----------
    masks : bool array of shape (n_draws, n_variables)
        The subsets.
    units : int array of shape (n_draws,)
        The rows, or the parts.
    losses : array of shape (n_draws,)
        The losses.
    """

    masks: NDArray[np.bool_]
    units: IntArray
    losses: FloatArray

    @classmethod
    def none(cls, n_variables: int) -> "Draws":
        """Nothing yet."""
        return cls(np.zeros((0, n_variables), dtype=bool), np.zeros(0, np.intp), np.zeros(0))

    def __len__(self) -> int:
        return len(self.units)

    def matching(self, schema: Schema) -> "Draws":
        """Those whose subsets match a schema."""
        expected = np.zeros(self.masks.shape[1], dtype=bool)
        expected[sorted(schema.on)] = True
        fixed = np.ones(self.masks.shape[1], dtype=bool)
        fixed[list(schema.open)] = False
        match = (self.masks[:, fixed] == expected[fixed]).all(axis=1)
        return Draws(self.masks[match], self.units[match], self.losses[match])


@dataclass(frozen=True, eq=False)
class SchemaContest(Contest):
    """Which open variable of a schema can be decided first, and how?

    Each open variable is a race of its own, in against out, and all are run at once: a random
    subset that matches the schema is tried on a random row, and its loss counts in every one of
    them.

    Parameters
    ----------
    candidates, incumbent, challenge, incumbent_loss, give_up
        See `Contest`; `of` fills them in.
    schema : Schema
        With open variables.
    n_variables : int
        Of the table.
    draws : Draws
        What is known already.
    patience : int, optional
        Losses after which the variables that look least relevant are left out, though nothing is
        decided.
    """

    schema: Schema = field(default_factory=lambda: Schema(frozenset(), ()))
    n_variables: int = 0
    draws: Draws = field(default_factory=lambda: Draws.none(0))
    patience: int | None = None

    @classmethod
    def of(
        cls,
        schema: Schema,
        n_variables: int,
        draws: Draws | None,
        patience: int | None,
        give_up: float | None,
    ) -> "SchemaContest":
        """Open the contest of a schema."""
        return cls(
            Flips(schema.on, schema.open),
            incumbent=schema.on,
            give_up=give_up,
            schema=schema,
            n_variables=n_variables,
            draws=Draws.none(n_variables) if draws is None else draws,
            patience=patience,
        )


@dataclass(frozen=True, eq=False)
class SchemaOutcome(Outcome):
    """Which variable was decided.

    Parameters
    ----------
    best, loss, standard_error, losses, incumbent_loss, exits
        See `Outcome`. ``best`` holds the variables that are in for sure; ``incumbent_loss`` is the
        mean over all draws, and ``losses`` add to it what each variable does on average.
    schema : Schema
        With fewer open variables.
    draws : Draws
        All that is known now.
    """

    schema: Schema = field(default_factory=lambda: Schema(frozenset(), ()))
    draws: Draws = field(default_factory=lambda: Draws.none(0))


def schema_outcome(
    contest: SchemaContest,
    decided: Mapping[int, bool],
    effects: FloatArray,
    errors: FloatArray,
    draws: Draws,
) -> SchemaOutcome:
    """Write down what was decided.

    Parameters
    ----------
    contest : SchemaContest
        The question.
    decided : mapping from variables to bool
        Which open variables are in or out now.
    effects, errors : arrays of shape (n_open,)
        What each open variable adds to the loss, and the standard errors.
    draws : Draws
        All that match the schema of the contest.
    """
    schema = contest.schema
    for variable, on in decided.items():
        schema = schema.fix(variable, on=on)
    matching = draws.matching(schema)
    mean = float(draws.losses.mean()) if len(draws) else 0.0
    return SchemaOutcome(
        best=schema.on,
        loss=float(matching.losses.mean()) if len(matching) else mean,
        standard_error=float(errors[contest.schema.open.index(next(iter(decided)))]),
        losses=mean + effects,
        incumbent_loss=mean,
        schema=schema,
        draws=matching,
    )
