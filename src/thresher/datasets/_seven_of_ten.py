"""Seven-of-ten: a threshold on ten hidden bits."""

import numpy as np

from ._arguments import Seed, check_count, check_random_state, check_real
from ._generated import Generated

__all__ = ["make_seven_of_ten"]

N_RELEVANT = 10
THRESHOLD = 7

# The paper does not say how often a bit is true, but reports 466 different patterns of the ten
# relevant bits among 1000 rows. Fair bits would give 639 and 17 % positives; 0.67 gives 469 and
# 57 % positives, and thus also a problem on which guessing does badly.
P_TRUE = 0.67


def make_seven_of_ten(
    n_rows: int = 1000,
    *,
    n_features: int = 100,
    p_true: float = P_TRUE,
    random_state: Seed = None,
) -> Generated:
    """Generate bits, and rows that are positive when at least seven of ten hidden columns are true.

    Parameters
    ----------
    n_rows : int, default=1000
        Number of rows. For a training and a validation set of the same problem, generate both at
        once and split: a second call hides the relevant columns elsewhere.
    n_features : int, default=100
        Number of columns, at least ten.
    p_true : float, default=0.67
        Chance that an entry is 1; entries are independent.
    random_state : int, numpy Generator or None, default=None
        Source of the positions and values.

    Returns
    -------
    Generated
        0/1 columns and classes; ``relevant`` holds ten random positions, nothing is redundant.

    Examples
    --------
    >>> from thresher.datasets import make_seven_of_ten
    >>> data = make_seven_of_ten(random_state=0)
    >>> data
    <Generated classification: 1000 rows, 100 columns (10 relevant, 0 redundant, 90 irrelevant)>
    >>> bool(((data.X[:, data.relevant].sum(axis=1) >= 7) == data.y).all())
    True
    """
    n_rows = check_count("n_rows", n_rows, 1)
    n_features = check_count("n_features", n_features, N_RELEVANT)
    p_true = check_real("p_true", p_true, 0, 1)
    rng = check_random_state(random_state)
    positions = rng.permutation(n_features).tolist()
    X = (rng.random((n_rows, n_features)) < p_true).astype(np.int64)
    y = (X[:, positions[:N_RELEVANT]].sum(axis=1) >= THRESHOLD).astype(np.int64)
    return Generated(
        X=X,
        y=y,
        relevant=tuple(sorted(positions[:N_RELEVANT])),
        redundant={},
        irrelevant=tuple(sorted(positions[N_RELEVANT:])),
        feature_names=tuple(f"x{position + 1}" for position in range(n_features)),
        description="class 1 when at least seven of the ten relevant bits are 1",
        task="classification",
    )
