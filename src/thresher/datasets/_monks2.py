"""The second monk's problem, with its six attributes or with one bit per attribute value."""

from typing import Literal

import numpy as np

from ._arguments import Seed, check_choice, check_count, check_random_state
from ._generated import Generated, IntArray

__all__ = ["make_monks2"]

N_VALUES = (3, 3, 2, 3, 4, 2)
N_FIRST = 2
SPACE_SIZE = int(np.prod(N_VALUES))


def make_monks2(
    n_rows: int | None = None,
    *,
    encoding: Literal["original", "local"] = "original",
    random_state: Seed = None,
) -> Generated:
    """Generate rows that are positive when exactly two of six attributes take their first value.

    Parameters
    ----------
    n_rows : int or None, default=None
        None gives each of the 432 possible rows once, in lexical order; a number gives that many
        different rows, drawn at random (the classic training set has 169).
    encoding : {"original", "local"}, default="original"
        Six attributes with values 1, 2, ..., or 17 bits, one for each value of each attribute.
    random_state : int, numpy Generator or None, default=None
        Source of the draw; without effect when ``n_rows`` is None.

    Returns
    -------
    Generated
        Whole numbers that name values, without order. All six original attributes are relevant; of
        the bits, those of the first values are relevant and the others redundant.

    Notes
    -----
    The rule reads only the six first-value bits. No other bit is independent of the class, because
    a true one rules out the first value of its attribute; but beside the first-value bit it has
    nothing to add. Hence the eleven are redundant and none is irrelevant. RVE's paper counts six
    irrelevant bits, which is the number of bits that the others imply, one for each attribute.

    Examples
    --------
    >>> from thresher.datasets import make_monks2
    >>> data = make_monks2(encoding="local")
    >>> data
    <Generated classification: 432 rows, 17 columns (6 relevant, 11 redundant, 0 irrelevant)>
    >>> int(data.y.sum())
    142
    >>> data.redundant[data.feature_names.index("a3=2")]
    (6,)
    """
    check_choice("encoding", encoding, ("original", "local"))
    rows = np.indices(N_VALUES).reshape(len(N_VALUES), -1).T + 1
    if n_rows is not None:
        n_rows = check_count("n_rows", n_rows, 1, SPACE_SIZE)
        # Sorting keeps the lexical order of the whole space, as the published samples do.
        rows = rows[np.sort(check_random_state(random_state).permutation(SPACE_SIZE)[:n_rows])]
    y = ((rows == 1).sum(axis=1) == N_FIRST).astype(np.int64)
    return _local(rows, y) if encoding == "local" else _original(rows, y)


def _original(rows: IntArray, y: IntArray) -> Generated:
    return Generated(
        X=rows,
        y=y,
        relevant=tuple(range(len(N_VALUES))),
        redundant={},
        irrelevant=(),
        feature_names=tuple(f"a{attribute + 1}" for attribute in range(len(N_VALUES))),
        description="class 1 when exactly two of the six attributes take their first value",
        task="classification",
    )


def _local(rows: IntArray, y: IntArray) -> Generated:
    bits = [(attribute, value + 1) for attribute, n in enumerate(N_VALUES) for value in range(n)]
    first = {attribute: position for position, (attribute, value) in enumerate(bits) if value == 1}
    return Generated(
        X=np.stack([rows[:, attribute] == value for attribute, value in bits], axis=1).astype(
            np.int64
        ),
        y=y,
        relevant=tuple(first.values()),
        redundant={
            position: (first[attribute],)
            for position, (attribute, value) in enumerate(bits)
            if value > 1
        },
        irrelevant=(),
        feature_names=tuple(f"a{attribute + 1}={value}" for attribute, value in bits),
        description="class 1 when exactly two of the six first-value bits are 1",
        task="classification",
    )
