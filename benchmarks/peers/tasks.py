"""Generated tasks with the truth about every column."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from thresher.datasets import (
    Generated,
    make_boolean_concept,
    make_double_friedman,
    make_friedman_random,
    make_led,
    make_linear_masked,
    make_seven_of_ten,
    make_tied,
)

from .given import Given

NOISE = "pure noise"


@dataclass(frozen=True)
class Task:
    """A kind of generated data: ``make(seed, small)``, where small is for quick runs."""

    name: str
    make: Callable[[int, bool], Generated]


def _friedman(kind: str, *, mixed: bool = False) -> Callable[[int, bool], Generated]:
    def make(seed: int, small: bool) -> Generated:  # noqa: FBT001
        size = {"n_redundant": 4, "n_irrelevant": 6, "n_relevant": 4} if small else {}
        n_rows = 200 if small else 1000
        return make_friedman_random(n_rows, task=kind, mixed=mixed, random_state=seed, **size)

    return make


def _wide(seed: int, small: bool) -> Generated:  # noqa: FBT001
    """Ten weak additive columns, each with a near copy, among many others."""
    rng = np.random.default_rng(seed)
    n_rows, n_columns, n_relevant = (100, 60, 4) if small else (200, 1000, 10)
    X = rng.standard_normal((n_rows, n_columns))
    copies = range(n_relevant, 2 * n_relevant)
    X[:, copies] = X[:, :n_relevant] + 0.2 * X[:, copies]
    # all ten together explain two thirds of the variance
    y = X[:, :n_relevant].sum(axis=1) + np.sqrt(n_relevant / 2) * rng.standard_normal(n_rows)
    return Generated(
        X=X,
        y=y,
        relevant=tuple(range(n_relevant)),
        redundant={column: (column - n_relevant,) for column in copies},
        irrelevant=tuple(range(2 * n_relevant, n_columns)),
        feature_names=tuple(f"x{column + 1}" for column in range(n_columns)),
        description="a sum of weak columns, each with a near copy",
        task="regression",
    )


def _noise(seed: int, small: bool) -> Generated:  # noqa: FBT001
    """Nothing to find: numbers for even seeds, two classes for odd ones."""
    rng = np.random.default_rng(seed)
    n_rows, n_columns = (100, 10) if small else (300, 50)
    X, y = rng.standard_normal((n_rows, n_columns)), rng.standard_normal(n_rows)
    classes = seed % 2 == 1
    return Generated(
        X=X,
        y=(y > 0).astype(np.int64) if classes else y,
        relevant=(),
        redundant={},
        irrelevant=tuple(range(n_columns)),
        feature_names=tuple(f"x{column + 1}" for column in range(n_columns)),
        description="independent of everything",
        task="classification" if classes else "regression",
    )


def _own_seed(task: Task, seed: int) -> int:
    """Return a seed that no other task has: with the same one, several would be one table.

    Even seeds stay even, by which the noise knows its kind.
    """
    drawn = int(np.random.SeedSequence([seed, *task.name.encode()]).generate_state(1)[0])
    return drawn - drawn % 2 + seed % 2


TASKS: tuple[Task, ...] = (
    Task("friedman", _friedman("regression")),
    Task("friedman classes", _friedman("classification")),
    Task("friedman mixed", _friedman("classification", mixed=True)),
    Task(
        "linear masked",
        lambda seed, small: (
            make_linear_masked(200, n_copies=8, n_irrelevant=8, random_state=seed)
            if small
            else make_linear_masked(random_state=seed)
        ),
    ),
    # with clean segments five of the seven would do, and nobody could tell which are right
    Task(
        "led",
        lambda seed, small: make_led(
            300 if small else 1000,
            n_irrelevant=8 if small else 43,
            class_noise=0.0,
            segment_noise=0.1,
            random_state=seed,
        ),
    ),
    Task(
        "tied",
        lambda seed, small: make_tied(
            300 if small else 750, n_features=34 if small else 100, random_state=seed
        ),
    ),
    Task(
        "double friedman",
        lambda seed, small: make_double_friedman(
            200 if small else 500, n_features=16 if small else 60, random_state=seed
        ),
    ),
    Task(
        "seven of ten",
        lambda seed, small: make_seven_of_ten(
            300 if small else 1000, n_features=16 if small else 100, random_state=seed
        ),
    ),
    Task(
        "parity-like",
        lambda seed, small: make_boolean_concept(
            "parity-like", 6 if small else 20, n_rows=200 if small else 600, random_state=seed
        ),
    ),
    Task("wide", _wide),
    Task(NOISE, _noise),
)


def given(task: Task, seed: int, *, small: bool) -> tuple[Given, Generated]:
    """Return a table of the task and the truth about it."""
    truth = task.make(_own_seed(task, seed), small)
    frame = truth.X if hasattr(truth.X, "columns") else None
    X = np.asarray(truth.X, dtype=np.float64)
    n_relevant = len(truth.relevant) or None
    table = Given(task.name, f"seed {seed}", truth.task, seed, X, truth.y, frame, n_relevant)
    return table, truth
