"""Table 1 of Moore and Lee: twenty memory-based models race on data as robots make them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import ModelsEvaluator
from thresher.learners import KernelRegressor, LocallyWeightedRegressor
from thresher.races import Brace, Friedman, Hoeffding, LossMatrix, Race, Racing

from ._base import Conditions, Experiment
from ._cells import Cell, Spread
from ._picture import Panel, Picture, Series
from ._result import Result

__all__ = ["CHOSEN_TABLES", "LEVEL", "MODELS", "RACING_TABLE1", "TABLES", "table_losses"]

FloatArray = NDArray[np.float64]

LEVEL = 0.001
#: The twenty models: a learner and a width each.
MODELS = tuple(
    (learner, 2.0**power)
    for learner in (KernelRegressor, LocallyWeightedRegressor)
    for power in range(-9, 1)
)
#: Rows, inputs, and the number of states that the inputs are functions of.
TABLES = {"billiards": (253, 3, 3), "juggling": (972, 12, 4)}
QUICK_TABLES = {"billiards": (60, 3, 3)}
NOISE = 0.02
#: Losses, relative to all of them, and models left at the end.
PRINTED = {
    ("billiards", "EXH"): (5060, 1.0, None),
    ("billiards", "RACE"): (2464, 0.487, 8),
    ("billiards", "BRACE"): (1049, 0.207, 1),
    ("juggling", "EXH"): (19440, 1.0, None),
    ("juggling", "RACE"): (2558, 0.132, 1),
    ("juggling", "BRACE"): (882, 0.045, 1),
}
CHOSEN_TABLES = (
    "The robots' data are not published; ours are smooth functions with as many rows and inputs. "
    "Billiards: 3 uniform inputs. Juggling: 12 inputs, each a smooth function of 4 uniform states "
    "plus 1 percent noise. The output is a sum of four random sine waves of the states, scaled to "
    f"a range of 1, plus normal noise of {NOISE}.",
)


def run(conditions: Conditions) -> Result:
    """Race the models on several tables of each kind."""
    tables = QUICK_TABLES if conditions.quick else TABLES
    rows: list[tuple[Cell, ...]] = []
    for name, shape in tables.items():
        tasks = [(shape, seed) for seed in range(conditions.runs)]
        found = np.array(conditions.map(_one_table, tasks, name))
        n_all = shape[0] * len(MODELS)
        rows.append(_row(name, "EXH", n_all, 1.0, 100.0, 100.0, None))
        for k, method in enumerate(_races(1.0)):
            share, is_best, within, n_left = found[:, k].T
            losses, relative = Spread.of(n_all * share), Spread.of(share)
            right = (100 * float(is_best.mean()), 100 * float(within.mean()))
            rows.append(_row(name, method, losses, relative, *right, Spread.of(n_left)))
    return Result(
        f"Table 1: twenty models raced, {conditions.runs} tables of each kind",
        (
            "data",
            "method",
            "losses",
            "paper's losses",
            "relative",
            "paper's relative",
            "best model won (%)",
            "or within gamma (%)",
            "left at the end",
            "paper's left",
        ),
        tuple(rows),
        (
            "Models: kernel regression and locally weighted regression with ten widths each, "
            "2^-9 to 2^0; leave-one-out, absolute error; delta = gamma = 0.001.",
            "Losses are those computed, also beyond the row at which a candidate left inside a "
            "block of rows. In the paper the best model won all four races.",
            "Hoeffding's bound is given the range of the losses of the table, which it would not "
            "know in earnest.",
        ),
        (
            *CHOSEN_TABLES,
            "Our races know that the table is finite: the error of a mean shrinks with the rows "
            "that are left. As printed: without that.",
            "Nobody leaves before 15 rows, so that few rows prove nothing.",
        ),
        _picture(rows, list(tables)),
    )


def _row(
    name: str,
    method: str,
    losses: Cell,
    relative: Cell,
    is_best: float,
    within: float,
    n_left: Cell,
) -> tuple[Cell, ...]:
    printed = PRINTED.get((name, method), (None, None, None))
    about = (name, method, losses, printed[0], relative, printed[1])
    return (*about, is_best, within, n_left, printed[2])


def _picture(rows: Sequence[tuple[Cell, ...]], tables: Sequence[str]) -> Picture:
    """Losses relative to computing all, a panel for each kind of table."""
    panels = []
    for name in tables:
        raced = [(row[1], row[4]) for row in rows if row[0] == name]
        spreads = {str(method): cell for method, cell in raced if isinstance(cell, Spread)}
        printed = {method: PRINTED[name, method][1] for method in ("RACE", "BRACE")}
        ours = Series(
            "ours",
            tuple(spreads),
            tuple(spread.mean for spread in spreads.values()),
            tuple(spread.sd for spread in spreads.values()),
        )
        paper = Series("paper", tuple(printed), tuple(printed.values()), paper=True)
        panels.append(Panel(name, "", "losses relative to all", (ours, paper), "bar"))
    return Picture(tuple(panels))


def _races(span: float) -> dict[str, Racing]:
    settings: dict[str, Any] = {"delta": LEVEL, "gamma": LEVEL}
    return {
        "RACE": Race(**settings),
        "BRACE": Brace(**settings),
        "RACE, as printed": Race(**settings, finite=False),
        "BRACE, as printed": Brace(**settings, finite=False),
        "Hoeffding": Hoeffding(**settings, span=span),
        "Friedman": Friedman(delta=LEVEL),
    }


def _one_table(shape: tuple[int, int, int], seed: int) -> list[tuple[float, bool, bool, int]]:
    losses = table_losses(shape, seed, range(len(MODELS)))
    means = losses.mean(axis=0)
    outcomes = []
    for race in _races(float(np.ptp(losses))).values():
        source = LossMatrix(losses)
        finish = race.run(source, range(len(MODELS)), np.random.default_rng(seed))
        excess = means[finish.winner] - means.min()
        outcomes.append(
            (source.n_losses / losses.size, excess == 0, excess <= LEVEL, len(finish.survivors))
        )
    return outcomes


def table_losses(shape: tuple[int, int, int], seed: int, which: Sequence[int]) -> FloatArray:
    """Return the leave-one-out losses of some of `MODELS` on a table, (n_rows, n_models)."""
    X, y = robot_table(*shape, np.random.default_rng([seed, *shape]))
    models = [MODELS[k][0](width=MODELS[k][1]) for k in which]
    panel = ModelsEvaluator(models, X, y, cv="loo", loss="absolute", n_jobs=1)
    return np.asarray(panel.losses(range(len(models))).T)


def robot_table(
    n_rows: int, n_inputs: int, n_states: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Return inputs on the scale of 1 that follow fewer states smoothly, and a smooth output."""
    states = rng.uniform(0.0, 1.0, (n_rows, n_states))
    if n_inputs == n_states:
        X = states
    else:
        X = 0.5 + 0.5 * _waves(states, n_inputs, rng) + rng.normal(0.0, 0.01, (n_rows, n_inputs))
    y = _waves(states, 4, rng).sum(axis=1)
    y = (y - y.min()) / np.ptp(y)
    return X, y + rng.normal(0.0, NOISE, n_rows)


def _waves(states: FloatArray, n_waves: int, rng: np.random.Generator) -> FloatArray:
    directions = rng.normal(size=(states.shape[1], n_waves))
    directions /= np.linalg.norm(directions, axis=0)
    return np.asarray(np.sin(3.0 * states @ directions + rng.uniform(0.0, 2 * np.pi, n_waves)))


RACING_TABLE1 = Experiment(
    "racing-table1", "Races between twenty memory-based models", run, 100, 1,
    shows=("Racing Table 1",),
)  # fmt: skip
