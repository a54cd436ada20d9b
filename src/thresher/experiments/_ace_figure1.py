"""Figure 1 of the ACE paper: a linear target, one strong variable among its near copies."""

import numpy as np

from thresher.datasets import Generated, make_linear_masked

from ._base import Cell, Conditions, Experiment, Result
from ._methods import QUICK, ace, cfs, gram_schmidt, percent, relief, rfe

__all__ = ["ACE_FIGURE1"]

N_RELEVANT = 4
METHODS = ("ACE", "CFS", "CFS-gen", "Gram-Schmidt", "RFE4 (linear SVR)", "Relief4")


def run(conditions: Conditions) -> Result:
    """Compare what ACE and CFS find, and RFE and Relief, which are told the number."""
    found = conditions.map(
        _one_data_set, [(seed, conditions.quick) for seed in range(conditions.runs)], "data sets"
    )
    means = np.mean(found, axis=0)
    rows: list[tuple[Cell, ...]] = [
        (name, *map(float, mean)) for name, mean in zip(METHODS, means, strict=True)
    ]
    rows.append(("goal", None, 2, 1, 95))
    return Result(
        f"Linear relationships, 400 rows, {conditions.runs} data sets"
        + (" (quick: 20 copies, 20 irrelevant)" if conditions.quick else ""),
        ("method", "percent of relevant", "copies kept", "percent irrelevant", "percent all four"),
        tuple(rows),
        (
            "A copy counts for x1; 'copies kept' counts x1 and its copies.",
            "The paper shows bars and no numbers; its text says that ACE equals the correlation-"
            "based methods, for which such data are ideal.",
            "Goals of ACE: at most 2 copies, less than 1 percent irrelevant, all four in at least "
            "95 percent.",
            "CFS: linear correlations, best-first and genetic search; Relief: RReliefF with 10 "
            "neighbours. RFE4 and Relief4 are told the number. Gram-Schmidt, which the paper does "
            "not have, stops where random columns would explain as much.",
        ),
    )


def _one_data_set(seed: int, quick: bool) -> list[list[float]]:  # noqa: FBT001
    size = 20 if quick else 100
    data = make_linear_masked(n_copies=size, n_irrelevant=size, random_state=seed)
    chosen = (
        ace(data.X, data.y, seed, data.task, **(QUICK if quick else {})),
        cfs(data.X, data.y, seed, data.task),
        cfs(data.X, data.y, seed, data.task, "genetic"),
        gram_schmidt(data.X, data.y, data.task),
        rfe(data.X, data.y, N_RELEVANT, data.task),
        relief(data.X, data.y, N_RELEVANT, data.task),
    )
    return [_measure(data, positions) for positions in chosen]


def _measure(data: Generated, chosen: tuple[int, ...]) -> list[float]:
    first, *weak = data.relevant
    n_copies = len({first, *data.redundant}.intersection(chosen))
    n_found = (n_copies > 0) + len(set(weak).intersection(chosen))
    return [
        100 * n_found / N_RELEVANT,
        n_copies,
        percent(chosen, data.irrelevant),
        100.0 * (n_found == N_RELEVANT),
    ]


ACE_FIGURE1 = Experiment(
    "ace-figure1", "Figure 1 of ACE: linear data with a hundred near copies", run, 50
)
