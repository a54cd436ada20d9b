"""How a race between models went, in the manner of scikit-learn's ``cv_results_``."""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.ma import MaskedArray
from numpy.typing import NDArray

from thresher.evaluators import Loss
from thresher.races import Finish

__all__ = ["WatchedModels", "race_results"]

Params = dict[str, Any]


def race_results(finish: Finish, params: Sequence[Params], loss: Loss | None) -> dict[str, Any]:
    """Tell of every candidate how well it did, and how long it was in the race.

    Parameters
    ----------
    finish : Finish
        Of the race.
    params : sequence of dict
        What the candidates are.
    loss : Loss or None
        What a row cost; None if scores were those of folds.
    """
    # accuracy is what the 0/1 loss leaves of 1; all other scores are losses turned around
    top = 1.0 if loss is Loss.ZERO_ONE else 0.0
    left_at = np.full(len(params), np.nan)
    left_against = np.full(len(params), -1)
    p_value = np.full(len(params), np.nan)
    for exit in finish.exits:
        left_at[exit.candidate] = exit.n_seen
        left_against[exit.candidate] = exit.leader
        p_value[exit.candidate] = exit.p_value
    mean = top - finish.means
    return {
        **_param_columns(params),
        "params": list(params),
        "mean_test_score": mean,
        "std_test_score": np.array([seen.std() if len(seen) else np.nan for seen in finish.seen]),
        "rank_test_score": _ranks(finish, mean),
        "n_rows": finish.n_seen,
        "standard_error": np.array([finish.standard_error(k) for k in range(len(params))]),
        "left_at": left_at,
        "left_against": left_against,
        "p_value": p_value,
    }


def _ranks(finish: Finish, mean: NDArray[np.float64]) -> NDArray[np.int32]:
    """Survivors first; then who ran longer, then who did better. Equals share a rank."""
    stayed = np.zeros(len(mean), dtype=np.bool_)
    stayed[finish.survivors] = True
    known = np.where(finish.n_seen > 0, mean, 0.0)  # who never ran is like all who never ran
    merits = list(zip(stayed.tolist(), finish.n_seen.tolist(), known.tolist(), strict=True))
    places: dict[tuple[bool, int, float], int] = {}
    for place, merit in enumerate(sorted(merits, reverse=True), start=1):
        places.setdefault(merit, place)
    return np.array([places[merit] for merit in merits], dtype=np.int32)


def _param_columns(params: Sequence[Params]) -> dict[str, Any]:
    """One masked column for each parameter, hidden where a candidate does not have it."""
    columns = {}
    for name in dict.fromkeys(name for candidate in params for name in candidate):
        given = {k: candidate[name] for k, candidate in enumerate(params) if name in candidate}
        column = MaskedArray(np.empty(len(params), dtype=_type_of(list(given.values()))), mask=True)
        for k, value in given.items():
            column[k] = value
        columns[f"param_{name}"] = column
    return columns


def _type_of(values: list[Any]) -> Any:
    """Numbers and truth values as what they are, everything else as objects."""
    plain = all(isinstance(value, (bool, int, float, np.generic)) for value in values)
    kind = np.array(values).dtype if plain else np.dtype(object)
    return kind if kind.kind in "biuf" else np.dtype(object)


class WatchedModels:
    """Models in a race, and who is no longer asked for: printed on stderr while it goes on.

    Parameters
    ----------
    models : ModelsEvaluator, or who answers as one
        Who answers.
    params : sequence of dict
        What to call them.
    """

    def __init__(self, models: Any, params: Sequence[Params]):
        self._models = models
        self._params = params
        self._alive = list(range(len(params)))
        self._n_seen = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._models, name)

    def losses(self, models: Sequence[int], rows: Any = None) -> NDArray[np.float64]:
        """Losses of rows or folds, as they are."""
        self.tell(models)
        found: NDArray[np.float64] = self._models.losses(models, rows)
        self._n_seen += found.shape[1]
        return found

    def part_losses(self, models: Sequence[int], part: int) -> NDArray[np.float64]:
        """Losses of the rows of a part, as they are."""
        self.tell(models)
        found: NDArray[np.float64] = self._models.part_losses(models, part)
        self._n_seen += found.shape[1]
        return found

    def tell(self, models: Sequence[int]) -> None:
        """Print who was in the race and is not among ``models``."""
        staying = set(models)
        for k in self._alive:
            if k not in staying:
                print(
                    f"{self._n_seen:6d} {self._models.unit}s  out: {self._params[k]}",
                    file=sys.stderr,
                )
        if len(staying) < len(self._alive):
            print(f"{self._n_seen:6d} {self._models.unit}s  {len(staying)} left", file=sys.stderr)
        self._alive = list(models)
