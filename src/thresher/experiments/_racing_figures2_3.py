"""Figures 2 and 3 of Moore and Lee: eight searches for inputs, by accuracy and by cost."""

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import KNeighborsRegressor

from thresher.datasets import make_expression
from thresher.evaluators import evaluator_for
from thresher.races import Brace, Exhaustive, Judge, Race
from thresher.run import search
from thresher.searches import (
    GaussSeidel,
    HillClimbing,
    Schemata,
    SchemataPlus,
    SearchStrategy,
    Space,
)

from ._base import Conditions, Experiment
from ._cells import Cell, Spread
from ._picture import Panel, Picture, Series
from ._result import Result

__all__ = ["N_ROWS", "RACING_FIGURES2_3"]

FloatArray = NDArray[np.float64]

#: So many that forward selection and backward elimination cost about what they cost in the paper.
N_ROWS, QUICK_ROWS = 550, 60
LEVEL = 0.001

#: Mean losses, imperfect, fairly wrong, very wrong (%).
PRINTED: dict[str, tuple[float, float, float, float]] = {
    "FOR-SEL": (17378, 17.9, 16.1, 7.1),
    "FOR-RACE": (6658, 19.6, 17.9, 5.4),
    "FOR-GS-RACE": (7960, 17.9, 14.3, 5.4),
    "SCHEMATA": (7779, 16.1, 8.9, 0),
    "SCHEMATA+": (4159, 19.6, 14.3, 5.4),
    "BACK-EL": (26358, 16.1, 14.3, 7.1),
    "BACK-RACE": (13943, 16.1, 12.5, 7.1),
    "BACK-GS-RACE": (5611, 17.9, 16.1, 5.4),
}
#: Of the losses relative to forward selection (Figure 2): mean, median, and how many exceed 2,
#: where the paper tells; and relative to backward elimination (Figure 3).
RELATIVE: dict[str, dict[str, tuple[float, float, int | None]]] = {
    "FOR-SEL": {
        "FOR-SEL": (1, 1, None),
        "FOR-RACE": (0.51, 0.43, None),
        "FOR-GS-RACE": (0.67, 0.53, 2),
        "SCHEMATA": (1.7, 0.22, 12),
        "SCHEMATA+": (0.9, 0.13, 8),
    },
    "BACK-EL": {
        "BACK-EL": (1, 1, None),
        "BACK-RACE": (0.62, 0.57, None),
        "BACK-GS-RACE": (0.46, 0.23, None),
        "SCHEMATA": (2.1, 0.18, 10),
        "SCHEMATA+": (1.0, 0.11, 8),
    },
}
#: Our searches, and the same without what we changed.
SOURCES = ("ours", "as printed")
_DEVIATIONS = (
    "The paper does not say how many rows its data sets have, but for one of 950. With "
    f"{N_ROWS} in all of ours, the two searches that judge all rows cost about what they cost "
    "there. As its searches took from hundreds to tens of thousands of losses, its numbers of rows "
    "must differ a lot; our ratios therefore spread less, and fewer of them exceed 2.",
    "Our races know that the table is finite: the error of a mean shrinks with the rows that are "
    "left. Our SCHEMATA and SCHEMATA+ draw mirror images on the same row, use draws again after "
    "each decision, leave out on less evidence than they put in, and flip each variable once in "
    "the end, because the printed ones take long to be sure of zeros. As printed: without all "
    "this.",
    "Everywhere nobody leaves a race before 15 rows, the string that all flips start from runs "
    "along, and a subset is never empty.",
)
MEASURES = (
    "losses",
    "imperfect (%)",
    "fairly wrong (%)",
    "very wrong (%)",
    "to FOR-SEL",
    "median to FOR-SEL",
    "over 2 x FOR-SEL",
    "to BACK-EL",
    "median to BACK-EL",
    "over 2 x BACK-EL",
)


def run(conditions: Conditions) -> Result:
    """Search all data sets with all methods."""
    n_rows = QUICK_ROWS if conditions.quick else N_ROWS
    tasks = [(n_rows, seed) for seed in range(conditions.runs)]
    # by data set, source, method, and losses or error
    found = np.array(conditions.map(_one_data_set, tasks, "data sets"))
    losses = {
        source: dict(zip(PRINTED, found[:, k, :, 0].T, strict=True))
        for k, source in enumerate(SOURCES)
    }
    errors = found[..., 1]
    excess = errors - errors.min(axis=2, keepdims=True)
    rows: list[tuple[Cell, ...]] = []
    for m, name in enumerate(PRINTED):
        for k, (source, counts) in enumerate(losses.items()):
            wrong = [100 * float((excess[:, k, m] > by).mean()) for by in (1e-12, 0.001, 0.01)]
            ratios = [counts[name] / counts[base] for base in RELATIVE]
            relative = [cell for each in ratios for cell in _relative(each)]
            rows.append((name, source, Spread.of(counts[name]), *wrong, *relative))
        paper = [cell for few in RELATIVE.values() for cell in few.get(name, (None, None, None))]
        rows.append((name, "paper", *PRINTED[name], *paper))
    return Result(
        f"Figures 2 and 3: searches on {conditions.runs} random expressions of {n_rows} rows",
        ("method", "source", *MEASURES),
        tuple(rows),
        _notes(conditions.runs),
        _DEVIATIONS,
        _picture(losses),
    )


def _notes(runs: int) -> tuple[str, ...]:
    return (
        "Data: make_expression; learner: one nearest neighbour, leave-one-out, absolute error; "
        "delta = gamma = 0.001.",
        "Losses are single leave-one-out predictions. Imperfect: another search of the same source "
        "found a lower error; fairly and very wrong: by more than 0.001 and 0.01.",
        "To FOR-SEL, to BACK-EL: losses relative to those of that search, data set by data set; "
        f"over 2: on how many of the {runs} data sets this exceeds 2. The paper has 56, and tells "
        "of ratios above 2 for some methods only.",
    )


def _relative(ratios: FloatArray) -> tuple[Cell, Cell, Cell]:
    return Spread.of(ratios), float(np.median(ratios)), int((ratios > 2).sum())


def _picture(losses: dict[str, dict[str, FloatArray]]) -> Picture:
    """How the ratios are distributed, and their medians beside the paper's."""
    panels = []
    for source, counts in losses.items():
        for base, methods in RELATIVE.items():
            ratios = [counts[name] / counts[base] for name in methods]
            boxes = Series(source, tuple(methods), tuple(tuple(r.tolist()) for r in ratios))
            title, label = f"{source}: every data set", f"losses relative to {base}"
            panels.append(Panel(title, "", label, (boxes,), "boxes", log_y=True))
    for base, methods in RELATIVE.items():
        names = tuple(methods)
        series = [
            Series(source, names, tuple(float(np.median(c[n] / c[base])) for n in names))
            for source, c in losses.items()
        ]
        printed = tuple(median for _, median, _ in methods.values())
        series.append(Series("paper", names, printed, paper=True))
        panels.append(Panel("median", "", f"losses relative to {base}", tuple(series), "bar"))
    return Picture(tuple(panels))


def _methods(source: str) -> dict[str, tuple[SearchStrategy, Judge]]:
    race: Judge = Brace(LEVEL, LEVEL, finite=source == "ours")
    schemata, plus, draws = Schemata(patience=None), SchemataPlus(), race
    if source == "as printed":
        schemata = Schemata(patience=None, give_up=None, polish=None)
        plus = SchemataPlus(give_up=None, polish=None)
        draws = Race(LEVEL, LEVEL, finite=False)
    return {
        "FOR-SEL": (HillClimbing("empty"), Exhaustive()),
        "FOR-RACE": (HillClimbing("empty"), race),
        "FOR-GS-RACE": (GaussSeidel("empty"), race),
        "SCHEMATA": (schemata, draws),
        "SCHEMATA+": (plus, draws),
        "BACK-EL": (HillClimbing("full"), Exhaustive()),
        "BACK-RACE": (HillClimbing("full"), race),
        "BACK-GS-RACE": (GaussSeidel("full"), race),
    }


def _one_data_set(n_rows: int, seed: int) -> list[list[tuple[int, float]]]:
    """Losses and error of each method of each source."""
    data = make_expression(n_rows, random_state=seed)

    def outcome(strategy: SearchStrategy, judge: Judge) -> tuple[int, float]:
        learner = KNeighborsRegressor(1)
        evaluator = evaluator_for(learner, data.X, data.y, cv="loo", loss="absolute", n_jobs=1)
        space = Space(data.X.shape[1])
        result = search(strategy, space, evaluator, judge, random_state=seed)
        return result.losses, float(evaluator.losses([result.subset]).mean())

    ours, printed = (_methods(source) for source in SOURCES)
    found = {name: outcome(*method) for name, method in ours.items()}
    again = {
        # the searches that do not race are the same
        name: found[name] if isinstance(method[1], Exhaustive) else outcome(*method)
        for name, method in printed.items()
    }
    return [list(found.values()), list(again.values())]


RACING_FIGURES2_3 = Experiment(
    "racing-figures2-3", "Searches for inputs: accuracy and cost on random expressions", run, 56, 1,
    shows=("Racing Figure 2", "Racing Figure 3"), minutes=2.5,
)  # fmt: skip
