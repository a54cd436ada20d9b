"""What each column of a table tells about the target."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from thresher.columns import Columns
from thresher.evaluators import Target

from ._information import Information, information_with
from ._levels import Leveled, class_codes, level_table
from ._stored_levels import StoredLevels

__all__ = ["ALPHA", "TargetInformation", "known_chance", "target_information"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: A relation to the target that is more probable than this without influence is doubtful.
ALPHA = 0.05
#: With fewer rows than this for each level, any column seems to tell something.
_ROWS_PER_LEVEL = 4
#: With fewer than this for each pair of a level and a class, likelihood ratios are too large.
_ROWS_PER_CELL = 5
_N_PERMUTATIONS = 99


@dataclass(frozen=True, eq=False)
class TargetInformation:
    """What columns of levels tell about the classes.

    Parameters
    ----------
    table : Leveled or StoredLevels
        The columns.
    classes : int array of shape (n_rows,)
        The target.
    found : Information
        Entropies of the classes and each column.
    p_values : array of shape (n_columns,)
        Chance of telling as much without any influence, by the likelihood-ratio test of
        independence, or by permutations where rows are few; NaN for columns that were cut with an
        eye on the target: there is no test that knows of it.
    crowded : bool array of shape (n_columns,)
        Columns with a level for every few rows, such as identifiers, that tell no more than chance
        would let them; they count as telling nothing.
    """

    table: Leveled | StoredLevels
    classes: IntArray
    found: Information
    p_values: FloatArray
    crowded: NDArray[np.bool_]

    def silence(self, column: int) -> str:
        """Say why a column tells nothing."""
        if self.crowded[column]:
            n_levels, n_rows = int(self.table.n_levels[column]), len(self.classes)
            return f"{n_levels} levels in {n_rows} rows: tells no more than chance would let it"
        return "tells nothing about the target on its own"


def known_chance(p_value: float) -> float | None:
    """Return a p-value, None where there is none."""
    return None if np.isnan(p_value) else float(p_value)


def target_information(
    columns: Columns,
    target: Target,
    *,
    cuts: str | int,
    missing: str,
    n_target_bins: int,
    n_jobs: int | None = None,
) -> TargetInformation:
    """Cut columns and target into levels, and compare them.

    Parameters
    ----------
    columns : Columns
        The table.
    target : Target
        Classes, or numbers to be cut into bins.
    cuts : "mdl" or int
        How numbers become levels.
    missing : {"spread", "separate"}
        Whether missing cells are spread over the levels, or are one.
    n_target_bins : int
        Bins of a numeric target.
    n_jobs : int, optional
        Threads.
    """
    classes = class_codes(target, n_target_bins)
    table = level_table(columns, classes, cuts, n_jobs)
    if missing == "separate":
        table = table.missing_as_level()
    found = information_with(classes, int(classes.max()) + 1, table, n_jobs)
    p_values = _p_values(found, classes, table, n_jobs)
    many = table.n_levels * _ROWS_PER_LEVEL > len(classes)
    crowded = many & (p_values > ALPHA)
    return TargetInformation(table, classes, found.without(crowded), p_values, crowded)


def _p_values(
    found: Information, classes: IntArray, table: Leveled | StoredLevels, n_jobs: int | None
) -> FloatArray:
    """Test independence: by likelihood ratios, by permutations where these need more rows."""
    n_classes = len(np.unique(classes))
    freedom = np.maximum((table.n_levels - 1) * (n_classes - 1), 1)
    p_values = chi2.sf(2.0 * np.log(2.0) * len(classes) * found.gain, freedom)
    p_values[(table.n_levels < 2) | (found.gain <= 0.0)] = 1.0
    p_values[table.fitted] = np.nan
    sparse = ~table.fitted & (table.n_levels * n_classes * _ROWS_PER_CELL > len(classes))
    some = np.flatnonzero(sparse & (p_values < 1.0))
    if len(some):
        p_values[some] = _permuted(found.gain[some], classes, table.take(some), n_jobs)
    return np.asarray(p_values)


def _permuted(
    gain: FloatArray, classes: IntArray, table: Leveled | StoredLevels, n_jobs: int | None
) -> FloatArray:
    """Share of permutations of the classes under which columns tell as much."""
    rng = np.random.default_rng(0)  # the same permutations for the same table
    reached = np.ones(len(gain))
    for _ in range(_N_PERMUTATIONS):
        shuffled = rng.permutation(classes)
        by_chance = information_with(shuffled, int(classes.max()) + 1, table, n_jobs).gain
        reached += by_chance >= gain * (1.0 - 1e-9)
    return reached / (_N_PERMUTATIONS + 1)
