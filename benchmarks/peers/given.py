"""What a method is given: a table, in the two forms that methods ask for."""

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Given:
    """A table to select from.

    Parameters
    ----------
    task : str
        The name of the task or of the data set.
    part : str
        Which of its tables, such as "seed 0" or "fold 2".
    kind : {"classification", "regression"}
        What the target is.
    seed : int
        For the method's own randomness.
    X : array of shape (n_rows, n_columns)
        Numbers without gaps.
    y : array of shape (n_rows,)
        Classes 0, 1, ... or numbers.
    frame : pandas DataFrame or None
        The table as it is, where that is more than numbers.
    n_features : int or None
        What methods are told that must be told a number; None: they are not asked.
    """

    task: str
    part: str
    kind: str
    seed: int
    X: np.ndarray
    y: np.ndarray
    frame: Any
    n_features: int | None

    def digest(self) -> str:
        """Return a name for the content, so that another table never passes for this one."""
        digest = hashlib.blake2b(digest_size=8)
        digest.update(np.ascontiguousarray(self.X, dtype=np.float64).tobytes())
        digest.update(np.ascontiguousarray(self.y, dtype=np.float64).tobytes())
        digest.update(f"{self.X.shape} {self.kind} {self.frame is not None}".encode())
        if self.frame is not None:
            from pandas.util import hash_pandas_object

            digest.update(hash_pandas_object(self.frame, index=False).to_numpy().tobytes())
        return digest.hexdigest()
