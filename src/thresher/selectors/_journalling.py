"""What selectors write into a journal besides losses: whose it is, and how things stand."""

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from thresher.columns import Columns, column_digests
from thresher.evaluators import Folds, Target
from thresher.journal import Scope, describe, digest
from thresher.selection import Selection

from ._account import library_versions

__all__ = ["data_header", "header_of", "settings_of", "show", "tell_failures"]

#: Parameters that do not change what is found, only how soon and how much of it.
_FREE = {"journal", "n_jobs", "verbose", "max_time", "max_evaluations", "random_state"}


def header_of(selector: Any, seed: int) -> dict[str, Any]:
    """Whose journal it is: versions, method, parameters and seed."""
    params = selector.get_params(deep=False)
    told = {name: describe(value) for name, value in params.items() if name not in _FREE}
    return {
        "versions": library_versions(),
        "method": type(selector).__name__,
        "parameters": told,
        "seed": seed,
    }


def data_header(
    table: Columns, target: Target, weights: Any = None, folds: Folds | None = None
) -> dict[str, Any]:
    """Fingerprints of the data, column by column, so that a difference can be named."""
    classes = None if target.classes is None else [str(label) for label in target.classes]
    return {
        "n_rows": table.n_rows,
        "columns": column_digests(table),
        "groups": describe([list(members) for members in table.variables]),
        "target": digest(target.values, classes).hex(),
        "sample_weight": None if weights is None else digest(np.asarray(weights)).hex(),
        "folds": None if folds is None else digest([fold.key for fold in folds]).hex(),
    }


def settings_of(selector: Any) -> dict[str, str]:
    """Parameters for a result; where it was written down is no part of what it is."""
    params: Mapping[str, Any] = selector.get_params(deep=False)
    return {name: repr(value) for name, value in params.items() if name != "journal"}


def show(journal: Scope, selection: Callable[[], Selection]) -> None:
    """Show the selection as it stands to whoever looks into the journal, but not all the time."""
    if journal.snapshot_due():
        started = time.perf_counter()
        journal.show(selection(), took=time.perf_counter() - started)


def tell_failures(
    failures: Sequence[Mapping[str, str]], *, all_failed: bool, stacklevel: int
) -> None:
    """Warn of fits that were passed over; refuse to go by losses of which none is from a fit."""
    first = f"the first, on {failures[0]['subset']}: {failures[0]['error']}"
    if all_failed:
        raise ValueError(f"all {len(failures)} fits failed; {first}")
    warnings.warn(
        f"{len(failures)} fit(s) failed and were passed over; {first}",
        UserWarning,
        stacklevel=stacklevel + 1,
    )
