"""Parts of the rows on which a selection is repeated."""

import warnings
from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import (
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
    check_cv,
)

from thresher.evaluators import Target
from thresher.selection import Interval, Stability
from thresher.stats import stability_index

__all__ = ["Split", "folds_for", "resamples_for", "stability_of"]

IntArray = NDArray[np.intp]
Split = tuple[IntArray, IntArray]

#: Of the rows in each resample: as many different ones as a bootstrap sample has.
_SHARE = 0.632


def folds_for(validate: Any, target: Target, seed: int) -> list[Split]:
    """Return training and test rows; a number of folds is shuffled, and stratified by class."""
    if validate is None or validate is False:
        return []
    n_rows = len(target.values)
    if isinstance(validate, Integral):
        n_folds = int(validate)
        if not 2 <= n_folds <= n_rows // 2:
            raise ValueError(
                f"validate must be 2 to {n_rows // 2} folds for {n_rows} rows; got {validate!r}"
            )
        _check_classes(target, f"validate={n_folds}")
        kind = KFold if target.classes is None else StratifiedKFold
        splitter = kind(n_folds, shuffle=True, random_state=seed)
    elif not isinstance(validate, str) and (
        hasattr(validate, "split") or isinstance(validate, Iterable)
    ):
        splitter = check_cv(validate)
    else:
        raise ValueError(
            f"validate must be a number of folds, a splitter or None; got {validate!r}"
        )
    with warnings.catch_warnings():
        # fewer rows of a class than folds: then some folds hold none of them out, which is fine
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        splits = splitter.split(np.zeros((n_rows, 1)), target.values)
        return [(_positions(train), _positions(test)) for train, test in splits]


def resamples_for(stability: Any, target: Target, seed: int) -> list[IntArray]:
    """Return the rows of each resample: drawn without replacement, stratified by class."""
    if stability is None or stability is False:
        return []
    whole = isinstance(stability, Integral) and not isinstance(stability, bool)
    if not whole or stability < 2:
        raise ValueError(f"stability must be at least 2 resamples, or None; got {stability!r}")
    _check_classes(target, f"stability={stability}")
    kind = ShuffleSplit if target.classes is None else StratifiedShuffleSplit
    splitter = kind(int(stability), train_size=_SHARE, random_state=seed)
    return [train for train, _ in splitter.split(np.zeros((len(target.values), 1)), target.values)]


def stability_of(
    selections: Sequence[Sequence[str]], names: Sequence[str], share: float
) -> Stability | None:
    """Count how often each column was chosen; None if there are fewer than two selections."""
    if len(selections) < 2:
        return None
    sets = [frozenset(selected) for selected in selections]
    chosen = np.array([[name in own for name in names] for own in sets])
    found = stability_index(chosen)
    return Stability(
        frequency=dict(zip(names, chosen.mean(axis=0).tolist(), strict=True)),
        index=Interval(found.index, found.low, found.high),
        sizes=tuple(int(size) for size in chosen.sum(axis=1)),
        share=share,
    )


def _positions(rows: Any) -> IntArray:
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows


def _check_classes(target: Target, what: str) -> None:
    """Every class must be there in every part of the rows."""
    if target.classes is None:
        return
    counts = np.bincount(target.values)
    rarest = int(counts.argmin())
    if counts[rarest] < 2:
        raise ValueError(
            f"{what} needs at least 2 rows of each class; {target.classes.tolist()[rarest]!r} has "
            f"{counts[rarest]}"
        )
