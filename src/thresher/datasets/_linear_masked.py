"""A linear target with one strong variable hidden among its copies and three weak ones."""

import numpy as np

from ._arguments import Seed, check_count, check_random_state, check_real
from ._generated import Generated

__all__ = ["make_linear_masked"]

# With unit noise, R^2 = 0.5 for x1 and 0.1 for each of a, b, c fixes the variances: the total T
# solves T = 0.5 T + 3 (0.1 T) + 1, so T = 5, Var(x1) = 2.5 and Var(a) = Var(b) = Var(c) = 0.5.
STRONG_VARIANCE = 2.5
WEAK_VARIANCE = 0.5
WEAK_NAMES = ("a", "b", "c")


def make_linear_masked(
    n_rows: int = 400,
    *,
    n_copies: int = 100,
    n_irrelevant: int = 100,
    correlation: float = 0.98,
    random_state: Seed = None,
) -> Generated:
    """Generate ``x1 + a + b + c`` plus unit noise, where x1 has many near copies.

    Parameters
    ----------
    n_rows : int, default=400
        Number of rows.
    n_copies : int, default=100
        Number of mutually correlated columns x1, x2, ..., the first of which makes the target.
    n_irrelevant : int, default=100
        Number of standard normal columns without influence.
    correlation : float, default=0.98
        Correlation between any two of the copies.
    random_state : int, numpy Generator or None, default=None
        Source of all values.

    Returns
    -------
    Generated
        Columns x1, x2, ..., then a, b, c, then the irrelevant ones. ``relevant`` holds x1, a, b
        and c; the other copies are redundant with x1.

    Notes
    -----
    The squared correlation with the target is 0.5 for x1, 0.1 for each of a, b and c, and
    ``0.5 * correlation ** 2`` for each further copy, that is 0.48 with the default.

    Examples
    --------
    >>> from thresher.datasets import make_linear_masked
    >>> data = make_linear_masked(random_state=0)
    >>> data
    <Generated regression: 400 rows, 203 columns (4 relevant, 99 redundant, 100 irrelevant)>
    >>> data.relevant, data.redundant[7]
    ((0, 100, 101, 102), (0,))
    """
    n_rows = check_count("n_rows", n_rows, 1)
    n_copies = check_count("n_copies", n_copies, 1)
    n_irrelevant = check_count("n_irrelevant", n_irrelevant, 0)
    correlation = check_real("correlation", correlation, 0, 1)
    rng = check_random_state(random_state)
    # A common cause makes all pairs alike; noise on x1 itself would make x1 the centre of them.
    common = rng.standard_normal((n_rows, 1))
    own = rng.standard_normal((n_rows, n_copies))
    copies = np.sqrt(STRONG_VARIANCE) * (
        np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own
    )
    weak = np.sqrt(WEAK_VARIANCE) * rng.standard_normal((n_rows, len(WEAK_NAMES)))
    y = copies[:, 0] + weak.sum(axis=1) + rng.standard_normal(n_rows)
    end = n_copies + len(WEAK_NAMES)
    return Generated(
        X=np.hstack([copies, weak, rng.standard_normal((n_rows, n_irrelevant))]),
        y=y,
        relevant=(0, *range(n_copies, end)),
        redundant=dict.fromkeys(range(1, n_copies), (0,)),
        irrelevant=tuple(range(end, end + n_irrelevant)),
        feature_names=(
            *(f"x{number + 1}" for number in range(n_copies)),
            *WEAK_NAMES,
            *(f"u{number + 1}" for number in range(n_irrelevant)),
        ),
        description=f"x1 + a + b + c + N(0, 1), x1 repeated by {n_copies - 1} correlated columns",
        task="regression",
    )
