"""Real tables: read, thinned out, split into folds, and turned into numbers for the peers."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold, train_test_split

from .given import Given

#: Name and kind of the target, in the order of the tables.
DATA_SETS: dict[str, str] = {
    "ada": "classification",
    "madelon": "classification",
    "sick-euthyroid": "classification",
    "anneal": "classification",
    "soybean": "classification",
    "hepatitis": "classification",
    "dna": "classification",
    "triazines": "regression",
    "wisconsin": "regression",
    "elevators": "regression",
    "ailerons": "regression",
    "pole": "regression",
    "house16H": "regression",
}
MOST_ROWS, FEW_ROWS = 1000, 240
N_FOLDS = 3
#: Tables with fewer rows are shuffled as often as there are runs: one split of so few is luck.
SMALL = 500
TOLD = 10
SEED = 0


@dataclass(frozen=True, eq=False)
class Fold:
    """Training rows to select from, and test rows in the same numbers to judge by."""

    given: Given
    X_test: np.ndarray
    y_test: np.ndarray
    n_all: int

    def digest(self) -> str:
        """Return a name for the content."""
        rows = np.ascontiguousarray(np.column_stack([self.X_test, self.y_test]), dtype=np.float64)
        tested = hashlib.blake2b(rows.tobytes(), digest_size=8).hexdigest()
        return f"{self.given.digest()} {tested}"


def read(folder: Path | None, name: str, *, small: bool = False) -> tuple[Any, np.ndarray] | None:
    """Return a data set as a frame and its target; None if it is not there."""
    path = None if folder is None else folder / f"{name}.parquet"
    if path is None or not path.is_file():
        return None
    import pandas as pd

    table = pd.read_parquet(path)
    target = table["target"]
    frame = table.drop(columns=[at for at in ("target", "split") if at in table])
    if DATA_SETS[name] == "classification":
        y = np.unique(target.astype(str), return_inverse=True)[1].astype(np.int64)
    else:
        y = target.to_numpy(dtype=np.float64)
    rows = _some_rows(y, FEW_ROWS if small else MOST_ROWS, DATA_SETS[name])
    return frame.iloc[rows].reset_index(drop=True), y[rows]


def _some_rows(y: np.ndarray, n_rows: int, kind: str) -> np.ndarray:
    everything = np.arange(len(y))
    if len(y) <= n_rows:
        return everything
    strata = y if kind == "classification" else None
    return np.sort(
        train_test_split(everything, train_size=n_rows, stratify=strata, random_state=SEED)[0]
    )


def folds(name: str, frame: Any, y: np.ndarray, *, runs: int = 1) -> list[Fold]:
    """Split into folds, always the same ones; small tables several times."""
    kind = DATA_SETS[name]
    splitter = StratifiedKFold if kind == "classification" else KFold
    found: list[Fold] = []
    for shuffle in range(runs if len(y) < SMALL else 1):
        parts = splitter(N_FOLDS, shuffle=True, random_state=SEED + shuffle).split(frame, y)
        for train, test in parts:
            found.append(_fold(name, kind, frame, y, len(found) + 1, train, test))
    return found


def _fold(
    name: str, kind: str, frame: Any, y: np.ndarray, number: int, train: Any, test: Any
) -> Fold:
    raw, X, X_test = frame.iloc[train], *to_numbers(frame.iloc[train], frame.iloc[test])
    plain = all(dtype.kind in "iufb" for dtype in frame.dtypes) and not frame.isna().any(axis=None)
    given = Given(
        task=name,
        part=f"fold {number}",
        kind=kind,
        seed=number,
        X=X,
        y=y[train],
        frame=None if plain else raw.reset_index(drop=True),
        n_features=min(TOLD, X.shape[1] // 2),
    )
    return Fold(given, X_test, y[test], X.shape[1])


def to_numbers(train: Any, test: Any) -> tuple[np.ndarray, np.ndarray]:
    """Turn frames into numbers: codes for categories, medians of the training rows for gaps.

    A category that is missing gets a code of its own: in tables such as anneal the gap itself says
    something, and the peers should not lose it.
    """
    pairs = [_column(train[name], test[name]) for name in train.columns]
    return tuple(np.column_stack(part) for part in zip(*pairs, strict=True))


def _column(train: Any, test: Any) -> tuple[np.ndarray, np.ndarray]:
    if train.dtype.kind in "iufb":
        values = [part.to_numpy(dtype=np.float64, na_value=np.nan) for part in (train, test)]
        known = values[0][~np.isnan(values[0])]
        filler = np.median(known) if len(known) else 0.0
        return tuple(np.where(np.isnan(part), filler, part) for part in values)
    levels = {level: code for code, level in enumerate(sorted(train.dropna().unique()))}
    return tuple(
        np.array([levels.get(cell, -1.0) for cell in part], dtype=np.float64)
        for part in (train, test)
    )
