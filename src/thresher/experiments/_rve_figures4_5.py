"""Figures 4 and 5 of Stracuzzi and Utgoff: over-fitting on the way of a search, on DNA."""

from typing import Any

from ._base import Conditions, Experiment
from ._cells import Cell, Spread
from ._data import not_found
from ._picture import Panel, Picture, Series
from ._result import Result
from ._rve_data import N_REPETITIONS, Split, splits_of
from ._rve_printed import METHODS, PRINTED
from ._rve_searches import DEVIATIONS, LEARNERS, RIVALS, randomized, rival
from ._rve_ways import Way, follow

__all__ = ["RVE_FIGURES4_5"]

DATA = "dna"
FIGURES = {"Bayes": 4, "C4.5": 5}
#: Share of the training rows that the guard sets aside.
HOLDOUT = 0.2
VARIANTS: dict[str, dict[str, Any]] = {
    "as published": {"strategy": "paper"},
    "as published, drifting": {"strategy": "paper", "drift": True},
    "as published, hold-out": {"strategy": "paper", "holdout": HOLDOUT},
    "improved": {"judge": "exhaustive"},
    "improved, hold-out": {"judge": "exhaustive", "holdout": HOLDOUT},
}
#: What may stand for the paper's own search: it prints the one and says too little of the other.
OF_PAPER = ("", "as published", "as published, drifting")
RANDOMIZED = ("r_max low", "r_max all", "k = 1")
#: The rivals that the quick version has time for.
QUICK: dict[str, tuple[str, ...]] = {"Bayes": ("forward",), "C4.5": ()}
COLUMNS = (
    "figure", "learner", "method", "variant", "inputs", "inner error (%)", "test error (%)",
    "lowest test error on the way (%)", "inputs there", "over-fitting (%)",
    "inputs, paper", "test error (%), paper",
)  # fmt: skip

Found = dict[tuple[str, str, str], list[Way]]
"""By learner, method and variant."""


def run(conditions: Conditions) -> Result:
    """Follow all searches, and test every subset on their way."""
    splits = splits_of(DATA, conditions, conditions.runs)
    found: Found = {} if splits is None else _followed(splits, conditions)
    rows = tuple(_row(key, ways) for key, ways in found.items())
    if splits is None:
        nothing = (None,) * (len(COLUMNS) - 1)
        rows = ((not_found(conditions.data, DATA, openml=conditions.openml), *nothing),)
    folded = splits is not None and splits[0].folded
    tested = "one of ten folds" if folded else "the paper's 1186 test rows"
    how_many = f"{conditions.runs if splits is None else len(splits)} "
    return Result(
        f"Figures 4 and 5: over-fitting on DNA, {how_many}{'folds' if folded else 'seeds'}",
        COLUMNS,
        rows,
        (
            "Inner error: by the five-fold cross-validation of the training rows that the search "
            "goes by, those held out left aside. Test error: of what is learned from all training "
            f"rows with the same inputs, on {tested}.",
            "Over-fitting: by how much the test error rose from its lowest point on the way to the "
            "subset that was chosen. The lowest of many is too low by chance, so some of it is "
            "there even if nothing over-fits.",
            "The paper's figures have no numbers; its test errors are from Table 7. It says that "
            "RVErS over-fits naive Bayes, and C4.5 less or not at all, and proposes a hold-out "
            "set.",
            "Drifting: a removal is compared with the last error, as printed, so that rises within "
            "the tolerance add up; the paper suspects the tolerance.",
            "r_max low is 50, all 180. Searches that draw nothing are run once.",
        ),
        (
            *DEVIATIONS,
            f"With hold-out, {HOLDOUT:g} of the training rows choose among the subsets on the way: "
            "the smallest one within one standard error of the lowest error there. The paper only "
            "proposes such a guard, and would take the best.",
            "The improved search judges every subset on all folds here and does not race: the "
            "losses of a race tell differences only, and could not be compared with other curves.",
            "The horizontal axis of the picture is the number of inputs; the paper's is not told "
            "in its text.",
        ),
        _picture(found) if found else None,
    )


def _followed(splits: list[Split], conditions: Conditions) -> Found:
    n_inputs = splits[0].X.shape[1]
    selectors: dict[tuple[str, str, str], Any] = {}
    for learner in LEARNERS:
        for method in QUICK[learner] if conditions.quick else RIVALS[::-1]:
            selectors[learner, method, ""] = rival(learner, method)
        for method in ("r_max all",) if conditions.quick else RANDOMIZED:
            for variant, settings in VARIANTS.items():
                if conditions.quick and len(settings) > 1:
                    continue
                selectors[learner, method, variant] = randomized(
                    DATA, learner, method, n_inputs, **settings
                )
    once = not splits[0].folded  # searches that draw nothing come to the same with any seed
    runs = {key: splits[:1] if once and not key[2] else splits for key in selectors}
    # trees take longest: they go first, so that no thread waits for them
    order = sorted(runs, key=lambda key: key[0] != "C4.5")
    tasks = [(split, key[0], selectors[key]) for key in order for split in runs[key]]
    done = iter(conditions.map(follow, tasks, "searches"))
    found = {key: [next(done) for _ in runs[key]] for key in order}
    return {key: found[key] for key in sorted(runs, key=_place)}


def _place(key: tuple[str, str, str]) -> tuple[int, int, int]:
    learner, method, variant = key
    return FIGURES[learner], METHODS.index(method), list(VARIANTS).index(variant or "as published")


def _row(key: tuple[str, str, str], ways: list[Way]) -> tuple[Cell, ...]:
    learner, method, variant = key
    _, inputs, error, sd, *_ = PRINTED[DATA, learner][METHODS.index(method)]
    of_paper = (inputs, error if error is None or sd is None else Spread(error, sd, N_REPETITIONS))
    return (
        FIGURES[learner], learner, method, variant or None,
        Spread.of(way.sizes[way.end] for way in ways),
        Spread.of(way.inner[way.end] for way in ways),
        Spread.of(way.test[way.end] for way in ways),
        Spread.of(way.test[way.best] for way in ways),
        Spread.of(way.sizes[way.best] for way in ways),
        Spread.of(way.overfit for way in ways),
        *(of_paper if variant in OF_PAPER else (None, None)),
    )  # fmt: skip


def _picture(found: Found) -> Picture:
    """By learner: RVErS as published with two bounds, with one bound and changed, and rivals."""
    groups = {
        "RVErS as published": [(method, "as published") for method in RANDOMIZED[:2]],
        "RVErS, r_max all": [("r_max all", "as published, drifting"), ("r_max all", "improved")],
        "rivals": [(method, "") for method in RIVALS],
    }
    panels = []
    for title, pairs in groups.items():
        for learner, figure in FIGURES.items():
            series: list[Series] = []
            for method, variant in pairs:
                label = method if variant in ("", "as published") else variant
                series += _curves(label, found.get((learner, method, variant), []))
            if series:
                title_of = f"Figure {figure}: {learner}, {title}"
                panels.append(
                    Panel(title_of, "inputs", "error (%)", tuple(series), y_range=(2.0, 12.0))
                )
    return Picture(tuple(panels))


def _curves(label: str, ways: list[Way]) -> list[Series]:
    curves: list[Series] = []
    for kind in ("test", "inner") if ways else ():
        if len(ways) == 1:
            sizes, errors = ways[0].sizes, getattr(ways[0], kind)
        else:
            sizes, errors = _averaged(ways, kind)
        curves.append(Series(f"{label}, {kind}", sizes, errors))
    return curves


def _averaged(ways: list[Way], kind: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Mean errors at each number of inputs that at least half of the searches came down to."""
    means = {}
    for size in range(max(ways[0].sizes), 0, -1):
        known = [e for way in ways if (e := way.at(getattr(way, kind), size)) is not None]
        if 2 * len(known) >= len(ways):
            means[size] = sum(known) / len(known)
    return tuple(means), tuple(means.values())


RVE_FIGURES4_5 = Experiment(
    "rve-figures4-5",
    "Inner and test error on the way of the searches, on DNA",
    run,
    5,
    1,
    needs=(DATA,),
    shows=("RVE Figure 4", "RVE Figure 5"),
    minutes=12,
)
