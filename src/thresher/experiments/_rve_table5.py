"""Table 5 of Stracuzzi and Utgoff: the data sets, as printed and as we have them."""

import numpy as np

from ._base import Conditions, Experiment
from ._cells import Cell
from ._data import not_found
from ._result import Result
from ._rve_data import DEVIATIONS, N_FOLDS, Split, splits_of
from ._rve_printed import R_MAX

__all__ = ["RVE_TABLE5"]

#: Inputs, classes, rows to learn from, and to test on where the paper has a test set.
PRINTED: dict[str, tuple[int, int, int, int | None]] = {
    "internet-ad": (1558, 2, 3279, None),
    "mfeat-pixel": (240, 10, 2000, None),
    "dna": (180, 3, 2000, 1186),
    "led": (150, 10, 2000, None),
    "opt-digits": (64, 10, 3823, 1797),
    "soybean": (35, 19, 683, None),
    "sick-euthyroid": (25, 2, 3164, None),
    "monks-2": (17, 2, 169, 432),
}
FOLDS = f"{N_FOLDS} folds"
MEASURES = ("inputs", "classes", "rows to learn from", "rows to test on")
COLUMNS = (
    "data", *(f"{measure}, {source}" for measure in MEASURES for source in ("paper", "ours")),
    "values of r_max",
)  # fmt: skip


def run(conditions: Conditions) -> Result:
    """Count the rows, inputs and classes of all data sets."""
    return Result(
        "Table 5: the data sets",
        COLUMNS,
        tuple(_row(conditions, name) for name in PRINTED),
        (
            "monks-2 has one input for each value of its six attributes, as in the paper.",
            "Where rows are tested in folds, rows to learn from are all of them.",
        ),
        DEVIATIONS,
    )


def _row(conditions: Conditions, name: str) -> tuple[Cell, ...]:
    splits = splits_of(name, conditions, 1)
    label = (
        name if splits is not None else not_found(conditions.data, name, openml=conditions.openml)
    )
    ours = (None,) * len(MEASURES) if splits is None else _counted(splits[0])
    inputs, classes, rows, test = PRINTED[name]
    printed: tuple[Cell, ...] = (inputs, classes, rows, FOLDS if test is None else test)
    pairs = (cell for pair in zip(printed, ours, strict=True) for cell in pair)
    return (label, *pairs, ", ".join(map(str, R_MAX[name])))


def _counted(split: Split) -> tuple[Cell, ...]:
    n_rows = len(split.y) if split.folded else len(split.train)
    test: Cell = FOLDS if split.folded else len(split.test)
    return (int(split.X.shape[1]), len(np.unique(split.y)), n_rows, test)


RVE_TABLE5 = Experiment(
    "rve-table5",
    "The data sets of RVE, as printed and as we have them",
    run,
    1,
    1,
    needs=tuple(name for name in PRINTED if name != "led"),
    shows=("RVE Table 5",),
    minutes=0.05,
)
