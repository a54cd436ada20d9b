"""Three Boolean concepts of rising difficulty, each over three bits."""

from typing import Literal

import numpy as np

from ._arguments import Seed, check_choice, check_count, check_random_state
from ._generated import Generated

__all__ = ["make_boolean_concept"]

RELEVANT_NAMES = ("A", "B", "C")
# Each concept is symmetric in its bits, so the set of counts of ones that it accepts defines it.
ACCEPTED_COUNTS = {"conjunction": (3,), "m-of-n": (2, 3), "parity-like": (0, 3)}
DESCRIPTIONS = {
    "conjunction": "class 1 when A, B and C are all 1",
    "m-of-n": "class 1 when at least two of A, B and C are 1",
    "parity-like": "class 1 when A, B and C are all 1 or all 0",
}


def make_boolean_concept(
    concept: Literal["conjunction", "m-of-n", "parity-like"],
    n_irrelevant: int = 0,
    *,
    n_rows: int = 100,
    random_state: Seed = None,
) -> Generated:
    """Generate a Boolean concept of three bits, beside irrelevant bits.

    Parameters
    ----------
    concept : {"conjunction", "m-of-n", "parity-like"}
        All three bits are true; at least two are true; all three are equal. In the last one a
        single bit says nothing about the class, just like an irrelevant one.
    n_irrelevant : int, default=0
        Number of irrelevant bits after the three relevant ones.
    n_rows : int, default=100
        Number of rows, drawn with replacement from all rows with equal chance.
    random_state : int, numpy Generator or None, default=None
        Source of the rows.

    Returns
    -------
    Generated
        0/1 columns without noise; the first three are relevant.

    Examples
    --------
    >>> from thresher.datasets import make_boolean_concept
    >>> data = make_boolean_concept("parity-like", n_irrelevant=9, random_state=0)
    >>> data
    <Generated classification: 100 rows, 12 columns (3 relevant, 0 redundant, 9 irrelevant)>
    >>> data.description
    'class 1 when A, B and C are all 1 or all 0'
    """
    check_choice("concept", concept, tuple(ACCEPTED_COUNTS))
    n_irrelevant = check_count("n_irrelevant", n_irrelevant, 0)
    n_rows = check_count("n_rows", n_rows, 1)
    rng = check_random_state(random_state)
    n_relevant = len(RELEVANT_NAMES)
    X = rng.integers(2, size=(n_rows, n_relevant + n_irrelevant))
    ones = X[:, :n_relevant].sum(axis=1)
    return Generated(
        X=X,
        y=np.isin(ones, ACCEPTED_COUNTS[concept]).astype(np.int64),
        relevant=tuple(range(n_relevant)),
        redundant={},
        irrelevant=tuple(range(n_relevant, n_relevant + n_irrelevant)),
        feature_names=(*RELEVANT_NAMES, *(f"u{number + 1}" for number in range(n_irrelevant))),
        description=DESCRIPTIONS[concept],
        task="classification",
    )
