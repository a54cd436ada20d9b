"""Figures 2 and 3 of Stracuzzi and Utgoff: inputs left against the updates spent so far."""

from ._base import Conditions, Experiment
from ._cells import Cell, Spread
from ._picture import Panel, Picture, Series
from ._result import Result
from ._rve_costs import Reached, expected_path
from ._rve_perceptrons import (
    DEVIATIONS,
    NOTES,
    PRINTED,
    QUICK,
    SOURCES,
    Elimination,
    eliminations,
)

__all__ = ["RVE_FIGURES2_3"]

#: The methods of each figure.
FIGURES = {2: ("RVE", "k = 1"), 3: ("r_max = 20", "r_max = 60", "r_max = 100")}
N_INPUTS = 100
#: Inputs left, in the table and in the picture.
SIZES = (N_INPUTS, 50, 20)
DRAWN_SIZES = tuple(range(N_INPUTS, 9, -5))
COLUMNS = (
    "figure", "method", "source", *(f"to {size} inputs" for size in SIZES), "to the last removal",
    "in all", "after the last removal (%)",
)  # fmt: skip

Found = dict[tuple[str, str], list[Elimination]]


def run(conditions: Conditions) -> Result:
    """Follow the eliminations of Table 4."""
    figures = {
        figure: tuple(name for name in names if name in QUICK or not conditions.quick)
        for figure, names in FIGURES.items()
    }
    found = eliminations(conditions, tuple(name for names in figures.values() for name in names))
    rows: list[tuple[Cell, ...]] = []
    for figure, names in figures.items():
        for name in names:
            rows += [
                (figure, name, SOURCES[strategy], *_cells(found[name, strategy]))
                for strategy in SOURCES
            ]
            if figure == 2:
                rows.append((figure, name, "expected", *_expected(name)))
            nothing = (None,) * (len(SIZES) + 1)
            rows.append((figure, name, "paper", *nothing, PRINTED[name][0], None))
    return Result(
        f"Figures 2 and 3: billions of updates by inputs left, {conditions.runs} seven-of-ten "
        "problems",
        COLUMNS,
        tuple(rows),
        (
            *NOTES,
            "To so many inputs: what was spent when no more were left, in the mean of the searches "
            "that came to that. In all: to the end of the search, whose last calls remove nothing.",
            "The paper's figures have no numbers; in all is from its Table 4. It says that RVErS, "
            "unlike RVE, spends much from twenty inputs to the end, and calls its stop flawed.",
            "Expected: by the paper's cost model.",
        ),
        DEVIATIONS,
        Picture(tuple(_panel(figure, names, found) for figure, names in figures.items())),
    )


def _cells(runs: list[Elimination]) -> tuple[Cell, ...]:
    last = [_to_last_removal(each) for each in runs]
    idle = [100.0 * (1.0 - spent / each.updates) for spent, each in zip(last, runs, strict=True)]
    return (
        *(_reaching(runs, size) for size in SIZES),
        Spread.of(last),
        Spread.of(each.updates for each in runs),
        Spread.of(idle),
    )


def _to_last_removal(each: Elimination) -> float:
    spent = each.updates_to(each.inputs)
    return each.updates if spent is None else spent


def _reaching(runs: list[Elimination], size: int) -> Spread | None:
    """Updates of the searches that came to so few inputs."""
    spent = [updates for each in runs if (updates := each.updates_to(size)) is not None]
    return Spread.of(spent) if spent else None


def _expected(name: str) -> tuple[Cell, ...]:
    path = _path(name)
    spent = [next(at.updates for at in path if at.inputs <= size) / 1e9 for size in SIZES]
    end = path[-1].updates / 1e9
    return (*spent, end, end, 0.0)


def _path(name: str) -> list[Reached]:
    return expected_path(N_INPUTS, k=1 if name == "k = 1" else None)


def _panel(figure: int, names: tuple[str, ...], found: Found) -> Panel:
    # whatever the bound, the improved RVErS goes nearly the same way
    shown = [(name, strategy) for name in names for strategy in SOURCES
             if figure == 2 or strategy == "paper" or name == names[-1]]  # fmt: skip
    series = [_series(name, strategy, found[name, strategy]) for name, strategy in shown]
    for name in names:
        if figure == 2:
            path = _path(name)
            sizes, spent = tuple(at.inputs for at in path), tuple(at.updates / 1e9 for at in path)
            series.append(Series(f"{name}, expected", spent, sizes))
        updates, _, _, inputs = PRINTED[name]
        series.append(Series(f"{name}, paper", (updates,), (inputs,), paper=True))
    title = f"Figure {figure}: {'RVE' if figure == 2 else 'RVErS'}"
    return Panel(title, "updates so far (billions)", "inputs left", tuple(series))


def _series(name: str, strategy: str, runs: list[Elimination]) -> Series:
    """Spent at each size; from the last size to the end, the line rises."""
    points = [(float(size), _reaching(runs, size)) for size in DRAWN_SIZES]
    points.append((Spread.of(e.inputs for e in runs).mean, Spread.of(e.updates for e in runs)))
    known = [(size, spent) for size, spent in points if spent is not None]
    return Series(
        f"{name}, {'as published' if strategy == 'paper' else strategy}",
        tuple(spent.mean for _, spent in known),
        tuple(size for size, _ in known),
        spread_x=tuple(spent.sd for _, spent in known),
    )


RVE_FIGURES2_3 = Experiment(
    "rve-figures2-3",
    "Inputs left by updates spent, of RVE and RVErS on seven-of-ten problems",
    run,
    20,
    1,
    shows=("RVE Figure 2", "RVE Figure 3"),
    minutes=3.5,
)
