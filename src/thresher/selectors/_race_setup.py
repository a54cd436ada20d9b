"""What must be settled before models can race: the rule, the candidates, the table."""

from typing import Any

import numpy as np
from sklearn.model_selection import ParameterGrid
from sklearn.utils import check_array

from thresher import races
from thresher.columns import as_table, is_frame, listed, read_columns
from thresher.stats import Standing, Tally

from ._base import holds_objects
from ._names import named

__all__ = ["candidates_of", "judge_for", "table_of"]


class Everyone(races.Racing):
    """A race that nobody leaves, for comparison."""

    def standing(self, tally: Tally, delta: float, span: float | None) -> Standing:
        """Keep all."""
        everyone = np.ones(tally.n_candidates, dtype=bool)
        return Standing(tally.leader, everyone, everyone.astype(np.float64))

    def _first_look(self, source: races.LossSource) -> int:
        return len(source.held_out)  # all rows in one block, since none is computed for nothing


def judge_for(race: Any, **settings: Any) -> races.Racing:
    """Return a judge itself, or one made of its name and settings.

    Examples
    --------
    >>> judge_for("race", delta=0.01, gamma=0.0)
    Race(delta=0.01, gamma=0.0, min_rows=None, corrected=False, finite=True, subsamples=None)
    """
    if isinstance(race, races.Racing):
        return race
    known = {**named(races, races.Racing), "exhaustive": Everyone}
    if not isinstance(race, str) or race not in known:
        raise ValueError(
            f"race must be one of {', '.join(map(repr, known))}, or an instance of a Racing; got "
            f"{race!r}"
        )
    judge: races.Racing = known[race](**settings)
    return judge


def candidates_of(param_grid: Any) -> list[dict[str, Any]]:
    """List the combinations of a grid, at least one."""
    candidates = list(ParameterGrid(param_grid))
    if not candidates:
        raise ValueError("param_grid gives no candidate")
    return candidates


def table_of(X: Any) -> Any:
    """Check a table as scikit-learn does; data frames stay as they are."""
    X = as_table(X)
    if is_frame(X):
        _refuse_dates(X)
        return X
    dtype = None if holds_objects(X) else "numeric"
    table = check_array(X, accept_sparse=["csc", "csr"], ensure_all_finite=False, dtype=dtype)
    return read_columns(table).table if dtype is None else table


def _refuse_dates(X: Any) -> None:
    """Losses would be those of seconds, but the winner has to predict from the table as it is."""
    columns = read_columns(X)
    names = [n for n, kind in zip(columns.names, columns.kinds, strict=True) if kind == "datetime"]
    if names:
        raise ValueError(
            f"column(s) {listed(names)} hold dates or durations; turn them into numbers first"
        )
