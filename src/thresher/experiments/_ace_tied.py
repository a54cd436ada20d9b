"""Section 5.4 of the ACE paper: many Markov boundaries, each as good as the other."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from thresher.datasets import Generated, make_tied

from ._base import Cell, Conditions, Experiment, Result
from ._methods import QUICK, ace

__all__ = ["ACE_TIED"]


@dataclass(frozen=True)
class _Problem:
    target: str
    redundancy: bool
    families: tuple[int, ...]  # which of the five the target depends on
    paper: str

    def labels(self, y: Any) -> Any:
        """Return the four classes, or one of them against the rest."""
        return y if self.target == "four classes" else (y == int(self.target[6])).astype(np.int64)


ALL = (0, 1, 2, 3, 4)
PROBLEMS = (
    _Problem("four classes", False, ALL, "all 13, 3 false alarms (Table 3)"),
    _Problem("four classes", True, ALL, "masking not effectively eliminated"),
    _Problem("class 0 against the rest", True, (0,), "one of {1, 2, 3, 10}, no errors"),
    _Problem("class 3 against the rest", True, (3,), "one of {12, 13, 14}, no errors"),
    _Problem("class 1 against the rest", False, ALL, "all 13, no false alarm (Table 4)"),
    _Problem(
        "class 1 against the rest", True, ALL, "3 of 5 families, 3 members too many (Table 5)"
    ),
)


def run(conditions: Conditions) -> Result:
    """Count what is selected of the boundaries, of their noisy children and of the rest."""
    rows: list[tuple[Cell, ...]] = []
    for problem in PROBLEMS:
        label = f"{problem.target}, {'with' if problem.redundancy else 'without'} elimination"
        tasks = [(problem, seed, conditions.quick) for seed in range(conditions.runs)]
        means = np.mean(conditions.map(_one_data_set, tasks, label), axis=0)
        rows.append((label, *map(float, means), problem.paper))
    return Result(
        f"A network like TIED, {conditions.runs} data sets: mean numbers of columns selected",
        ("problem", "members", "of all", "families", "of", "descendants", "irrelevant", "paper"),
        tuple(rows),
        (
            "TIED itself is not to be had; the generated network has its families, four classes "
            "and 72 Markov boundaries. Its class 3 hangs on {X11, X12, X13}.",
            "Members are columns of the families that the target depends on; a boundary has one "
            "member of each family. Descendants are columns up to X30 that tell nothing more: "
            "noisy children, and for class 0 and 3 the other families. The paper's false alarms "
            "X14, X15 and X29 are such columns.",
        ),
    )


def _one_data_set(problem: _Problem, seed: int, quick: bool) -> list[float]:  # noqa: FBT001
    data = make_tied(
        300 if quick else 750, n_features=40 if quick else 1000, categorical=True, random_state=seed
    )
    chosen = ace(
        data.X,
        problem.labels(data.y),
        seed,
        "classification",
        redundancy=problem.redundancy,
        **(QUICK if quick else {}),
    )
    return _measure(data, problem, set(chosen))


def _measure(data: Generated, problem: _Problem, chosen: set[int]) -> list[float]:
    families = [set(data.equivalence_classes[number]) for number in problem.families]
    members = set().union(*families)
    irrelevant = set(data.irrelevant)
    return [
        len(members & chosen),
        len(members),
        sum(bool(family & chosen) for family in families),
        len(families),
        len(chosen - members - irrelevant),
        len(irrelevant & chosen),
    ]


ACE_TIED = Experiment("ace-tied", "Tables 3 to 5 of ACE: 72 Markov boundaries", run, 20)
