"""Friedman's random functions with redundant and irrelevant columns, numeric or mixed."""

from typing import Any

import numpy as np

from ._arguments import Seed, check_choice, check_count, check_random_state, check_real
from ._frame import to_frame
from ._gaussian_sum import draw_terms, evaluate_terms
from ._generated import FloatArray, Generated, Task

__all__ = ["make_friedman_random"]

N_REPEATED = 3
FEWEST_LEVELS, MOST_LEVELS = 2, 32


def make_friedman_random(
    n_rows: int = 1000,
    *,
    n_relevant: int = 10,
    n_redundant: int = 20,
    n_irrelevant: int = 40,
    n_terms: int = 10,
    noise: float = 0.0,
    task: Task = "regression",
    mixed: bool = False,
    random_state: Seed = None,
) -> Generated:
    """Generate a random sum of Gaussians, each in about four of the relevant inputs.

    Parameters
    ----------
    n_rows : int, default=1000
        Number of rows.
    n_relevant : int, default=10
        Number of inputs of the function; each occurs in at least one Gaussian.
    n_redundant : int, default=20
        Number of columns that are a random linear combination of three relevant ones (of unit
        variance) plus noise uniform on (0, 1).
    n_irrelevant : int, default=40
        Number of columns without influence.
    n_terms : int, default=10
        Number of Gaussians, with weights uniform on (-1, 1).
    noise : float, default=0.0
        Standard deviation of normal noise on the target, in units of the function's own.
    task : {"regression", "classification"}, default="regression"
        The noisy function itself, or class 1 where it exceeds its median.
    mixed : bool, default=False
        Cut half of the columns, drawn at random, into categories: each into 2 to 32 equally
        frequent ones. ``X`` is then a pandas DataFrame, and these columns have dtype ``category``.
    random_state : int, numpy Generator or None, default=None
        Source of function, columns and noise. ``task`` and ``mixed`` do not disturb the draws: the
        same seed gives the same function and the same numbers underneath.

    Returns
    -------
    Generated
        Relevant columns first, then the redundant, then the irrelevant ones.

    Notes
    -----
    Inputs and centres are standard normal, as in Friedman's report. On (0, 1) the Gaussians would
    be so wide that a linear model explains most of the target.

    With ``mixed`` the target still comes from the uncut values, so a redundant column that stayed
    numeric can know a little that its categorical sources have lost.

    Examples
    --------
    >>> from thresher.datasets import make_friedman_random
    >>> data = make_friedman_random(task="classification", random_state=0)
    >>> data
    <Generated classification: 1000 rows, 70 columns (10 relevant, 20 redundant, 40 irrelevant)>
    >>> mixed = make_friedman_random(mixed=True, random_state=0)
    >>> int((mixed.X.dtypes == "category").sum())
    35
    """
    n_rows = check_count("n_rows", n_rows, 1)
    n_relevant = check_count("n_relevant", n_relevant, 1)
    n_redundant = check_count("n_redundant", n_redundant, 0)
    n_irrelevant = check_count("n_irrelevant", n_irrelevant, 0)
    n_terms = check_count("n_terms", n_terms, 1)
    noise = check_real("noise", noise, 0)
    check_choice("task", task, ("regression", "classification"))
    rng = check_random_state(random_state)
    terms = draw_terms(n_terms, n_relevant, rng)
    relevant = rng.standard_normal((n_rows, n_relevant))
    signal = evaluate_terms(terms, relevant)
    target = signal + noise * signal.std() * rng.standard_normal(n_rows)
    sources, redundant = _draw_redundant(relevant, n_redundant, rng)
    X = np.hstack([relevant, redundant, rng.standard_normal((n_rows, n_irrelevant))])
    names = tuple(
        f"{letter}{number + 1}"
        for letter, n in (("x", n_relevant), ("r", n_redundant), ("u", n_irrelevant))
        for number in range(n)
    )
    start = n_relevant + n_redundant
    classes = task == "classification"
    return Generated(
        X=_cut_half(X, names, rng) if mixed else X,
        y=(target > np.median(target)).astype(np.int64) if classes else target,
        relevant=tuple(range(n_relevant)),
        redundant={n_relevant + number: source for number, source in enumerate(sources)},
        irrelevant=tuple(range(start, start + n_irrelevant)),
        feature_names=names,
        description=f"{'median split of a ' if classes else ''}weighted sum of {n_terms} Gaussians",
        task=task,
    )


def _draw_redundant(
    relevant: FloatArray, n_redundant: int, rng: np.random.Generator
) -> tuple[list[tuple[int, ...]], FloatArray]:
    n_rows, n_relevant = relevant.shape
    columns = np.empty((n_rows, n_redundant))
    sources = []
    for number in range(n_redundant):
        source = np.sort(rng.permutation(n_relevant)[:N_REPEATED])
        weights = rng.uniform(-1, 1, len(source))
        # Unit variance before noise: a combination of three small weights would be mostly noise.
        weights /= np.linalg.norm(weights)
        columns[:, number] = relevant[:, source] @ weights + rng.random(n_rows)
        sources.append(tuple(source.tolist()))
    return sources, columns


def _cut_half(X: FloatArray, names: tuple[str, ...], rng: np.random.Generator) -> Any:
    n_columns = X.shape[1]
    n_levels = {}
    X = X.copy()
    for position in sorted(rng.permutation(n_columns)[: n_columns // 2].tolist()):
        n_levels[position] = int(rng.integers(FEWEST_LEVELS, MOST_LEVELS + 1))
        inner = np.arange(1, n_levels[position]) / n_levels[position]
        X[:, position] = np.searchsorted(np.quantile(X[:, position], inner), X[:, position])
    return to_frame(X, names, n_levels)
