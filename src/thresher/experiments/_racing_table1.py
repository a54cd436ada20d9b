"""Table 1 of Moore and Lee: twenty memory-based models race on data as robots make them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import ModelsEvaluator
from thresher.learners import KernelRegressor, LocallyWeightedRegressor
from thresher.races import Brace, Friedman, Hoeffding, LossMatrix, Race, Racing

from ._base import Cell, Conditions, Experiment, Result

__all__ = ["RACING_TABLE1"]

FloatArray = NDArray[np.float64]

WIDTHS = tuple(2.0**power for power in range(-9, 1))
LEVEL = 0.001
#: Rows, inputs, and the number of states that the inputs are functions of.
TABLES = {"billiards": (253, 3, 3), "juggling": (972, 12, 4)}
QUICK_TABLES = {"billiards": (60, 3, 3)}
NOISE = 0.02
PRINTED = {
    ("billiards", "RACE"): 0.487,
    ("billiards", "BRACE"): 0.207,
    ("juggling", "RACE"): 0.132,
    ("juggling", "BRACE"): 0.045,
}


def run(conditions: Conditions) -> Result:
    """Race the models on several tables of each kind."""
    rows: list[tuple[Cell, ...]] = []
    for name, shape in (QUICK_TABLES if conditions.quick else TABLES).items():
        tasks = [(shape, seed) for seed in range(conditions.runs)]
        found = np.array(conditions.map(_one_table, tasks, name))
        for k, method in enumerate(_races(1.0)):
            share, winner_right, within, n_left = found[:, k].mean(axis=0).tolist()
            rows.append(
                (
                    name,
                    method,
                    share * shape[0] * 2 * len(WIDTHS),
                    share,
                    PRINTED.get((name, method)),
                    100 * winner_right,
                    100 * within,
                    n_left,
                )
            )
    return Result(
        f"Table 1: twenty models raced, mean of {conditions.runs} tables of each kind",
        (
            "data",
            "method",
            "losses",
            "relative",
            "paper",
            "best model won (%)",
            "or within gamma (%)",
            "survivors",
        ),
        tuple(rows),
        (
            "Models: kernel regression and locally weighted regression with ten widths each, "
            "2^-9 to 2^0; leave-one-out, absolute error; delta = gamma = 0.001.",
            "Billiards: 253 rows, 3 uniform inputs. Juggling: 972 rows, 12 inputs, each a smooth "
            "function of 4 uniform states plus 1 percent noise. The output is a sum of four "
            "random sine waves of the states, scaled to a range of 1, plus normal noise of 0.02.",
            "Losses are those computed, also beyond the row at which a candidate left inside a "
            "block of rows. As printed: without the correction for a finite number of rows.",
            "Hoeffding's bound is given the range of the losses of the table, which it would not "
            "know in earnest.",
        ),
    )


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
    X, y = robot_table(*shape, np.random.default_rng([seed, *shape]))
    models = [
        learner(width=width)
        for learner in (KernelRegressor, LocallyWeightedRegressor)
        for width in WIDTHS
    ]
    panel = ModelsEvaluator(models, X, y, cv="loo", loss="absolute", n_jobs=1)
    losses = panel.losses(range(len(models))).T
    means = losses.mean(axis=0)
    outcomes = []
    for race in _races(float(np.ptp(losses))).values():
        source = LossMatrix(losses)
        finish = race.run(source, range(len(models)), np.random.default_rng(seed))
        excess = means[finish.winner] - means.min()
        outcomes.append(
            (source.n_losses / losses.size, excess == 0, excess <= LEVEL, len(finish.survivors))
        )
    return outcomes


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


RACING_TABLE1 = Experiment("racing-table1", "Races between twenty memory-based models", run, 100, 1)
