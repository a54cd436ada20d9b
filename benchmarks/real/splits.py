"""Training and test rows of a table, and the numbers that judges and peers make of them."""

import hashlib
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from benchmarks.peers.given import Given
from benchmarks.peers.real import to_numbers

from .preparation import codes, standardised
from .rows import sample
from .tables import Table

TRAINING = 0.7


@dataclass(frozen=True, eq=False)
class Split:
    """Rows to learn from and rows to be tried on; all preparation is learned from the former.

    Parameters
    ----------
    table : str
        Name of the table.
    kind : {"classification", "regression"}
        What the target is.
    number : int
        Of the split, and the seed of the methods.
    train, test : pandas DataFrame
        The variables.
    y_train, y_test : array
        The target.
    """

    table: str
    kind: str
    number: int
    train: Any
    test: Any
    y_train: np.ndarray
    y_test: np.ndarray

    def __getstate__(self) -> dict[str, Any]:
        """Leave out numbers that another process can make itself."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def n_columns(self) -> int:
        return self.train.shape[1]

    @cached_property
    def codes(self) -> tuple[np.ndarray, np.ndarray]:
        """Codes for categories; what is missing stays missing. A column for each variable."""
        return codes(self.train, self.test)

    @cached_property
    def filled(self) -> tuple[np.ndarray, np.ndarray]:
        """Codes for categories, medians for gaps. A column for each variable."""
        return to_numbers(self.train, self.test)

    @cached_property
    def standardised(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Indicators for categories, medians for gaps, mean 0 and variance 1.

        With the variable that each column was made from.
        """
        return standardised(self.train, self.test)

    def numbers(self, view: str, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return training and test rows of some variables in one of the three forms above."""
        if view == "standardised":
            train, test, source = self.standardised
            made = np.isin(source, columns)
            return train[:, made], test[:, made]
        train, test = getattr(self, view)
        return train[:, columns], test[:, columns]

    def given(self, view: str, seed: int | None = None) -> Given:
        """Return the training rows for a method, as a frame or in one of the three forms."""
        X = self.standardised[0] if view == "standardised" else self.filled[0]
        part = f"split {self.number}" + ("" if seed is None else f", seed {seed}")
        return Given(
            task=self.table,
            part=part,
            kind=self.kind,
            seed=self.number if seed is None else seed,
            X=X,
            y=self.y_train,
            frame=self.train if view == "frame" else None,
            n_features=None,
        )

    @cached_property
    def digest(self) -> str:
        """A name for the content."""
        from pandas.util import hash_pandas_object

        digest = hashlib.blake2b(digest_size=8)
        for frame, y in ((self.train, self.y_train), (self.test, self.y_test)):
            digest.update(hash_pandas_object(frame, index=False).to_numpy().tobytes())
            digest.update(",".join(map(str, frame.columns)).encode())
            digest.update(np.ascontiguousarray(y, dtype=np.float64).tobytes())
        return digest.hexdigest()


def split(table: Table, number: int) -> Split:
    """Return one of the splits of a table, always the same one."""
    y = table.y
    n_training = round(TRAINING * len(y))
    training = sample(y, n_training, stratified=table.kind == "classification", seed=number)
    tried = np.setdiff1d(np.arange(len(y)), training)
    parts = [table.frame.iloc[rows].reset_index(drop=True) for rows in (training, tried)]
    return Split(table.name, table.kind, number, *parts, y[training], y[tried])
