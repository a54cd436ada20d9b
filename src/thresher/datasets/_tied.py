"""A discrete network like TIED, whose target has 72 Markov boundaries."""

from itertools import permutations
from typing import TypeAlias

import numpy as np

from ._arguments import Seed, check_count, check_random_state
from ._frame import to_frame
from ._generated import Generated, IntArray
from ._noise_network import draw_child, draw_noise_network

__all__ = ["make_tied"]

Family: TypeAlias = tuple[int, ...]

# Positions of the equivalent columns, the first of each family as its representative, and how many
# values they take. The paper's X1 is position 0.
FAMILIES: dict[Family, int] = {
    (0, 1, 2, 9): 4,
    (3, 7): 3,
    (8,): 2,
    (10, 11, 12): 3,
    (17, 18, 19): 3,
}
N_NEAR = 30  # columns up to X30 that are not in a family descend from one, as TIED's X14 does
FEWEST_FEATURES = 20
# The part of rows in which such a descendant follows its family; more would let it outshine the
# weaker families, which TIED's own descendants do not.
FIDELITY = 0.4

# Chance of class 0 by the value of the first family, and of class 3 by that of the fourth. A value
# 0 of the one excludes a value 0 of the other, so that the two never ask for more than all.
CHANCE_0 = np.array([0.90, 0.06, 0.03, 0.01])
CHANCE_3 = np.array([0.90, 0.06, 0.02])
CHANCE_OF_ZERO = 0.25
# What the values of the other families add to the log odds of class 1 against class 2.
LOG_ODDS = {(3, 7): (-3.0, 0.0, 3.0), (8,): (-2.0, 2.0), (17, 18, 19): (-3.0, 0.0, 3.0)}


def make_tied(
    n_rows: int = 750,
    *,
    n_features: int = 1000,
    categorical: bool = False,
    random_state: Seed = None,
) -> Generated:
    """Generate four classes and five families of columns, one of each being needed.

    Parameters
    ----------
    n_rows : int, default=750
        Number of rows.
    n_features : int, default=1000
        Number of columns, at least 20.
    categorical : bool, default=False
        Return a pandas DataFrame of ``category`` columns instead of an array of value numbers. The
        numbers have no order, which a learner can only know from the frame.
    random_state : int, numpy Generator or None, default=None
        Source of the network and of the rows.

    Returns
    -------
    Generated
        Columns X1, X2, ... at positions 0, 1, ... with 2 to 4 values each. ``equivalence_classes``
        holds the families {X1, X2, X3, X10}, {X4, X8}, {X9}, {X11, X12, X13} and
        {X18, X19, X20}. The first member of each is relevant, the others are redundant with it, and
        so are the remaining columns up to X30: noisy children of a family.

    Notes
    -----
    Members of a family are renamings of each other, so one of each makes a Markov boundary:
    4 * 2 * 1 * 3 * 3 = 72 of them. Class 0 against the rest depends only on the family of
    X1, class 3 against the rest only on that of X11; classes 1 and 2 need all five. The
    irrelevant columns form a network of their own, in which about half have a parent.

    Examples
    --------
    >>> from thresher.datasets import make_tied
    >>> data = make_tied(random_state=0)
    >>> data
    <Generated classification: 750 rows, 1000 columns (5 relevant, 25 redundant, 970 irrelevant)>
    >>> data.relevant
    (0, 3, 8, 10, 17)
    >>> data.equivalence_classes[0]
    (0, 1, 2, 9)
    """
    n_rows = check_count("n_rows", n_rows, 1)
    n_features = check_count("n_features", n_features, FEWEST_FEATURES)
    rng = check_random_state(random_state)
    causes = _draw_causes(n_rows, rng)
    y = _draw_target(causes, rng)
    X, n_levels, redundant = _draw_near(causes, min(N_NEAR, n_features), rng)
    noise, n_noise_levels = draw_noise_network(n_rows, max(n_features - N_NEAR, 0), rng)
    X = np.hstack([X, noise])
    n_levels.extend(n_noise_levels)
    names = tuple(f"X{position + 1}" for position in range(n_features))
    return Generated(
        X=to_frame(X, names, dict(enumerate(n_levels))) if categorical else X,
        y=y,
        relevant=tuple(family[0] for family in FAMILIES),
        redundant=redundant,
        irrelevant=tuple(range(N_NEAR, n_features)),
        feature_names=names,
        description="four classes from five families of equivalent columns, 72 Markov boundaries",
        task="classification",
        equivalence_classes=tuple(FAMILIES),
    )


def _draw_causes(n_rows: int, rng: np.random.Generator) -> dict[Family, IntArray]:
    """Draw the value that each family carries."""
    causes = {family: rng.integers(size, size=n_rows) for family, size in FAMILIES.items()}
    first, _, _, fourth, _ = FAMILIES
    branch = rng.random(n_rows)
    zeros = {first: branch < CHANCE_OF_ZERO, fourth: branch >= 1 - CHANCE_OF_ZERO}
    for family, zero in zeros.items():
        causes[family] = np.where(zero, 0, rng.integers(1, FAMILIES[family], size=n_rows))
    return causes


def _draw_target(causes: dict[Family, IntArray], rng: np.random.Generator) -> IntArray:
    first, _, _, fourth, _ = FAMILIES
    chance_0, chance_3 = CHANCE_0[causes[first]], CHANCE_3[causes[fourth]]
    log_odds = sum(np.array(added)[causes[family]] for family, added in LOG_ODDS.items())
    chance_1 = (1 - chance_0 - chance_3) / (1 + np.exp(-log_odds))
    bounds = np.cumsum([chance_0, chance_1, 1 - chance_0 - chance_1 - chance_3], axis=0)
    return np.asarray((rng.random(len(chance_0)) >= bounds).sum(axis=0), dtype=np.int64)


def _draw_near(
    causes: dict[Family, IntArray], n_columns: int, rng: np.random.Generator
) -> tuple[IntArray, list[int], dict[int, Family]]:
    """Draw the first columns: renamings of the families' values, and noisy children of them."""
    member_of = {position: family for family in FAMILIES for position in family}
    renamings = {
        family: rng.permutation(list(permutations(range(size))))
        for family, size in FAMILIES.items()
    }
    columns, n_levels, redundant = [], [], {}
    for position in range(n_columns):
        family = member_of.get(position) or list(FAMILIES)[rng.integers(len(FAMILIES))]
        if position in family:
            size = FAMILIES[family]
            column = renamings[family][family.index(position)][causes[family]]
        else:
            column, size = draw_child(causes[family], FAMILIES[family], FIDELITY, rng)
        columns.append(column)
        n_levels.append(size)
        if position != family[0]:
            redundant[position] = family[:1]
    return np.stack(columns, axis=1), n_levels, redundant
