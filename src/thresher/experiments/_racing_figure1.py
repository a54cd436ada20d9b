"""Figure 1 of Moore and Lee: what is known of the errors of four models as they race."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from thresher.stats import Standing, welch

from ._base import Conditions, Experiment
from ._cells import Cell
from ._picture import Panel, Picture, Series
from ._racing_table1 import CHOSEN_TABLES, LEVEL, MODELS, TABLES, table_losses
from ._result import Result

__all__ = ["RACING_FIGURE1"]

FloatArray = NDArray[np.float64]

#: Locally weighted regression with four widths: those around the best, and one far too wide.
CHOSEN = (15, 16, 17, 18)
NAMES = tuple(f"M{k + 1}" for k in range(len(CHOSEN)))
#: Nobody leaves before.
MIN_ROWS = 15
N_POINTS = 121


def run(conditions: Conditions) -> Result:
    """Race four models on several tables, and show the first race at two moments."""
    tasks = [(seed,) for seed in range(conditions.runs)]
    races = conditions.map(four_models, tasks, "races")
    gone_at = np.array([race.gone_at for race in races])
    moments = _moments(races[0])
    rows = tuple(row for n in moments for row in _rows(races[0], n, gone_at))
    return Result(
        "Figure 1: posterior distributions of the leave-one-out errors of four models in a race",
        (
            "model",
            "width",
            "rows seen",
            "mean error",
            "± 95 %",
            "P(better than the leader)",
            "stands",
            f"out by then (% of {conditions.runs} tables)",
        ),
        rows,
        (
            "Locally weighted regression with four widths on a table like billiards of "
            "racing-table1, absolute error; shown at the rows where the first and the second "
            "model leave. The last column is of all tables.",
            "The posterior is Student's t around the mean so far, with as many degrees of freedom "
            "as rows less one; ± 95 % is half the width of the interval. P: the probability of an "
            "error that is lower than the leader's by more than gamma, by Welch's approximation; "
            "below delta a model is out. delta = gamma = 0.001.",
            "The paper shows one moment of a race, without numbers: M4 is very unlikely to beat "
            "M2, and leaves.",
        ),
        (*CHOSEN_TABLES, f"Nobody leaves before {MIN_ROWS} rows."),
        Picture(tuple(_panel(races[0], n) for n in moments)),
    )


@dataclass(frozen=True, eq=False)
class FourModels:
    """A race: losses in the order of the rows, and after which row each model left.

    The second is one more than there are rows for models that never left.
    """

    losses: FloatArray
    gone_at: tuple[int, ...]

    def still_in(self, n: int) -> list[int]:
        """Models whose losses on row ``n`` are known."""
        return [k for k, gone in enumerate(self.gone_at) if gone >= n]

    def posterior(self, k: int, n: int) -> tuple[float, float]:
        """Mean and scale of Student's t for the error of model ``k`` after ``n`` rows."""
        seen = self.losses[:n, k]
        return float(seen.mean()), float(seen.std(ddof=1) / np.sqrt(n))

    def standing(self, n: int) -> Standing:
        """What the rule says of those that are still in."""
        return _rule(self.losses[:n, self.still_in(n)])


def four_models(seed: int) -> FourModels:
    """Race the chosen models by RACE, as printed."""
    losses = table_losses(TABLES["billiards"], seed, CHOSEN)
    losses = losses[np.random.default_rng(seed).permutation(len(losses))]
    gone_at = [len(losses) + 1] * len(CHOSEN)
    racing = list(range(len(CHOSEN)))
    for n in range(MIN_ROWS, len(losses) + 1):
        if len(racing) == 1:
            break
        stays = _rule(losses[:n, racing]).stays
        for k, stay in zip(racing, stays.tolist(), strict=True):
            if not stay:
                gone_at[k] = n
        racing = [k for k in racing if gone_at[k] > n]
    return FourModels(losses, tuple(gone_at))


def _rule(losses: FloatArray) -> Standing:
    return welch(losses, delta=LEVEL, gamma=LEVEL)


def _moments(race: FourModels) -> list[int]:
    """Rows at which the first and the second model leave, or the last row."""
    leaving = sorted({n for n in race.gone_at if n <= len(race.losses)})
    return (leaving or [len(race.losses)])[:2]


def _rows(race: FourModels, n: int, gone_at: NDArray[np.intp]) -> list[tuple[Cell, ...]]:
    standing, racing = race.standing(n), race.still_in(n)
    half = float(stdtrit(n - 1, 0.975))
    rows: list[tuple[Cell, ...]] = []
    for place, k in enumerate(racing):
        mean, scale = race.posterior(k, n)
        leads = place == standing.leader
        stands = "leads" if leads else "in" if standing.stays[place] else "out"
        chance = None if leads else float(standing.p_values[place])
        out = 100 * float((gone_at[:, k] <= n).mean())
        rows.append((NAMES[k], MODELS[CHOSEN[k]][1], n, mean, half * scale, chance, stands, out))
    return rows


def _panel(race: FourModels, n: int) -> Panel:
    """Densities of those that are still in."""
    from scipy.stats import t

    racing = race.still_in(n)
    known = [race.posterior(k, n) for k in racing]
    ends = (min(m - 4 * s for m, s in known), max(m + 4 * s for m, s in known))
    x = np.linspace(max(0.0, ends[0]), ends[1], N_POINTS)
    series = tuple(
        Series(
            NAMES[k],
            tuple(x.round(6).tolist()),
            tuple(t.pdf(x, n - 1, mean, scale).round(4).tolist()),
        )
        for k, (mean, scale) in zip(racing, known, strict=True)
    )
    return Panel(f"after {n} rows", "leave-one-out error", "posterior density", series)


RACING_FIGURE1 = Experiment(
    "racing-figure1", "What is known of the errors of four models as they race", run, 100, 1,
    shows=("Racing Figure 1",), minutes=0.5,
)  # fmt: skip
