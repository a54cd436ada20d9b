"""How often does a race drop the best candidate?"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.races import Brace, Friedman, Hoeffding, LossMatrix, Race, Racing

from ._base import Conditions, Experiment
from ._cells import Cell, Spread
from ._picture import Panel, Picture, Series
from ._result import Result

__all__ = ["RACING_LEVEL"]

FloatArray = NDArray[np.float64]

LEVEL = 0.001
N_CANDIDATES, N_ROWS = 20, 500
#: Steps between the mean losses of one candidate and the next.
STEPS = (0.01, 0.0025)
KINDS = ("normal", "exponential", "errors")
#: Of the races, in percent, that may drop the best if each comparison errs with the level.
BOUND = 100 * LEVEL * N_CANDIDATES


def run(conditions: Conditions) -> Result:
    """Race candidates with losses of known means."""
    n_rows = 80 if conditions.quick else N_ROWS
    rows: list[tuple[Cell, ...]] = []
    for kind in KINDS:
        tasks = [(kind, n_rows, seed) for seed in range(conditions.runs)]
        found = np.concatenate(conditions.map(_two_races, tasks, kind))
        for k, method in enumerate(_races()):
            worse, missed = found[:, k, :2].mean(axis=0).tolist()
            error = 100 * float(np.sqrt(missed * (1 - missed) / len(found)))
            share = Spread.of(found[:, k, 2])
            rows.append((kind, method, 100 * missed, error, BOUND, 100 * worse, share))
    return Result(
        f"Races of {N_CANDIDATES} candidates: is the best one dropped? "
        f"({len(STEPS) * conditions.runs} races each)",
        (
            "losses",
            "race",
            "best dropped (%)",
            "standard error",
            "delta x candidates (%)",
            "also by less than gamma (%)",
            "relative losses",
        ),
        tuple(rows),
        (
            f"Best: the lowest mean over all {n_rows} rows. It counts as dropped if the winner's "
            "mean over all rows exceeds it by more than gamma.",
            "delta = gamma = 0.001 for each comparison, and nothing done about the number of looks "
            "and candidates, except where it says corrected.",
            "Mean losses rise from one candidate to the next by 0.01 in one half of the races, by "
            "0.0025 in the other; rows are hard or easy for all. Losses are normal, exponential, "
            "or errors of 0 or 1.",
            "Hoeffding's bound is given a range of 1.",
        ),
        (
            "The paper leaves open how delta and gamma go together with the probability of a "
            "satisfactory winner; losses and candidates here are ours.",
            "As printed: the paper's rules. The others know that the table is finite, which saves "
            "losses and makes single comparisons bolder near the end.",
        ),
        _picture(rows),
    )


def _picture(rows: list[tuple[Cell, ...]]) -> Picture:
    """How often the best is dropped, by kind of losses."""
    panels = []
    for kind in KINDS:
        some = [row for row in rows if row[0] == kind]
        names = tuple(str(row[1]) for row in some)
        dropped = Series("best dropped", names, tuple(r[2] for r in some), tuple(
            r[3] if isinstance(r[3], float) else None for r in some))  # fmt: skip
        bound = Series("delta x candidates", names, (BOUND,) * len(names))
        panels.append(Panel(f"{kind} losses", "", "races (%)", (dropped, bound), "bar"))
    return Picture(tuple(panels), columns=3)


def _races() -> dict[str, Racing]:
    settings: dict[str, Any] = {"delta": LEVEL, "gamma": LEVEL}
    return {
        "Hoeffding": Hoeffding(**settings, span=1.0),
        "RACE": Race(**settings),
        "BRACE": Brace(**settings),
        "Friedman": Friedman(delta=LEVEL),
        "RACE, as printed": Race(**settings, finite=False),
        "BRACE, as printed": Brace(**settings, finite=False),
        "RACE, corrected": Race(**settings, corrected=True),
        "BRACE, corrected": Brace(**settings, corrected=True),
    }


def _two_races(kind: str, n_rows: int, seed: int) -> FloatArray:
    return np.array([_one_race(kind, step, n_rows, seed) for step in STEPS], dtype=np.float64)


def _one_race(kind: str, step: float, n_rows: int, seed: int) -> list[tuple[bool, bool, float]]:
    rng = np.random.default_rng([seed, n_rows, KINDS.index(kind), STEPS.index(step)])
    losses = _losses(kind, step, n_rows, rng)
    means = losses.mean(axis=0)
    outcomes = []
    for race in _races().values():
        source = LossMatrix(losses)
        finish = race.run(source, range(N_CANDIDATES), np.random.default_rng(seed))
        excess = means[finish.winner] - means.min()
        outcomes.append((excess > 0, excess > LEVEL, source.n_losses / losses.size))
    return outcomes


def _losses(kind: str, step: float, n_rows: int, rng: np.random.Generator) -> FloatArray:
    means = 0.3 + step * np.arange(N_CANDIDATES)
    shape = (n_rows, N_CANDIDATES)
    if kind == "normal":
        return rng.normal(0.0, 0.2, (n_rows, 1)) + rng.normal(means, 0.1, shape)
    if kind == "exponential":
        hard = rng.exponential(0.2, (n_rows, 1))
        return np.asarray((hard + rng.exponential(0.1, shape)) * means / 0.3)
    score = 0.7 * rng.random((n_rows, 1)) + 0.3 * rng.random(shape)
    return np.asarray(score < means, dtype=np.float64)


RACING_LEVEL = Experiment(
    "racing-level", "How often each race drops the best candidate", run, 250, 2, minutes=6
)
