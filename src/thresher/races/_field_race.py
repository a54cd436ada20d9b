"""The race between the fields of a schema: in or out, for all open variables at once."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ._fields import FieldStatistics
from ._judge import LossSource, scale_of
from ._schema import Draws, SchemaContest, SchemaOutcome, schema_outcome

__all__ = ["race_fields"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
BoolArray = NDArray[np.bool_]

#: No decision before this many losses.
_MIN_LOSSES = 40
#: Losses between two looks: at least, at most, and as a share of those so far.
_STEP = (8, 1024, 1 / 8)
#: Open variables from which on the level is divided by the square of their number: more of them
#: may seem to help by chance, and more looks are taken before one is decided.
_MANY = 10
#: Losses after which even the most patient search gives up.
_ENDLESS = 1_000_000
#: When nothing can be decided, one in so many open variables is left out.
_GIVEN_UP = 8


def race_fields(
    contest: SchemaContest,
    source: LossSource,
    statistics: FieldStatistics,
    level: Callable[[int], float],
    gamma: float,
) -> SchemaOutcome:
    """Draw subsets and rows until one of the open variables is decided.

    Parameters
    ----------
    contest : SchemaContest
        The schema, and what is known.
    source : LossSource
        Whose losses count.
    statistics : FieldStatistics
        Who draws and does the sums.
    level : callable
        From the number of a look to the p-value that decides.
    gamma : float
        Differences that do not matter.
    """
    variables = contest.schema.open
    if len(variables) == 1 and not contest.schema.on:
        nothing = np.zeros(1)  # something must be in
        return schema_outcome(contest, {variables[0]: True}, nothing, nothing, contest.draws)
    book = _Book(contest, source)
    n_seen, n_looks = 0, 0
    decided: dict[int, bool] = {}
    while not decided:
        choices, units = statistics.batch(_step(n_seen))
        if len(units):
            statistics.add(choices, book.losses(choices, units))
            n_seen += len(units)
        n_looks += n_seen >= _MIN_LOSSES
        effects, errors = statistics.effects()
        # where all losses there are have been asked for, draws only repeat themselves
        n_drawn = max(book.n_new, n_seen - len(contest.draws))
        if not len(units):  # all there is has been seen
            best = int(np.argmax(np.abs(effects)))
            decided = {variables[best]: bool(effects[best] < 0)}
        elif n_looks:
            levels = _levels(contest, effects, level(n_looks))
            decided = _clear(variables, effects, statistics.p_values(gamma) / levels)
        if not decided and n_drawn >= (contest.patience or _ENDLESS):
            decided = _given_up(variables, effects, errors)
    if not contest.schema.on:
        decided = _something_in(variables, effects, decided)
    return schema_outcome(contest, decided, effects, errors, book.draws())


def _levels(contest: SchemaContest, effects: FloatArray, level: float) -> FloatArray:
    """Level for each variable: that of being put in, or of being left out."""
    put_in = level * min(1.0, (_MANY / len(effects)) ** 2)
    leave_out = put_in if contest.give_up is None else max(put_in, contest.give_up)
    return np.where(effects > 0, leave_out, put_in)


def _something_in(
    variables: tuple[int, ...], effects: FloatArray, decided: dict[int, bool]
) -> dict[int, bool]:
    """Where nothing is in yet, see to it that the last variables are not all left out."""
    best = variables[int(np.argmin(effects))]
    if len(variables) == 2:
        return {best: True}  # the better one alone beats the other; does the other help it?
    return {v: on for v, on in decided.items() if v != best or on or len(decided) < len(variables)}


def _step(n_seen: int) -> int:
    least, most, share = _STEP
    return max(least, min(most, int(n_seen * share)))


def _clear(
    variables: tuple[int, ...], effects: FloatArray, p_to_level: FloatArray
) -> dict[int, bool]:
    """Decide the clearest case, and with it all that are clearly out.

    Only one is put in at a time: of two variables that say the same, each looks good as long as the
    other one is open.
    """
    best = int(np.argmin(p_to_level))
    if not p_to_level[best] < 1:
        return {}
    out = np.flatnonzero((p_to_level < 1) & (effects > 0))
    return {variables[best]: bool(effects[best] < 0)} | {variables[k]: False for k in out}


def _given_up(
    variables: tuple[int, ...], effects: FloatArray, errors: FloatArray
) -> dict[int, bool]:
    """Leave out the variables that look least relevant."""
    n_out = max(1, len(variables) // _GIVEN_UP)
    harm = effects / np.maximum(errors, np.finfo(np.float64).tiny)
    return {variables[k]: False for k in np.argsort(-harm, kind="stable")[:n_out]}


class _Book:
    """Asks only for losses that are not known yet, and writes down all.

    ``n_new`` counts the rows it had to ask for.
    """

    def __init__(self, contest: SchemaContest, source: LossSource):
        self._contest, self._source = contest, source
        self._draws = [contest.draws]
        choices = contest.draws.masks[:, list(contest.schema.open)]
        keys = _keys(choices, contest.draws.units)
        self._known = dict(zip(keys, contest.draws.losses.tolist(), strict=True))
        self.n_new = 0
        parts = source.parts
        self._n_rows = (
            np.ones(source.n_blocks) if parts is None else np.array(list(map(len, parts)))
        )
        # a part's losses are weighted within it
        self._scale = scale_of(source) if parts is None else None

    def losses(self, choices: BoolArray, units: IntArray) -> FloatArray:
        keys = _keys(choices, units)
        new = np.array([k for k, key in enumerate(keys) if key not in self._known], dtype=np.intp)
        if len(new):
            masks = self._contest.schema.masks(choices[new], self._contest.n_variables)
            found = self._source.draw_losses(masks, units[new])
            if self._scale is not None:
                found = found * self._scale[units[new]]
            self._draws.append(Draws(masks, units[new], found))
            self._known.update(zip([keys[k] for k in new], found.tolist(), strict=True))
            self.n_new += int(self._n_rows[units[new]].sum())
        return np.array([self._known[key] for key in keys])

    def draws(self) -> Draws:
        return Draws(
            np.concatenate([draws.masks for draws in self._draws]),
            np.concatenate([draws.units for draws in self._draws]),
            np.concatenate([draws.losses for draws in self._draws]),
        )


def _keys(choices: BoolArray, units: IntArray) -> list[tuple[int, bytes]]:
    packed = np.packbits(choices, axis=1)
    return [(unit, row.tobytes()) for unit, row in zip(units.tolist(), packed, strict=True)]
