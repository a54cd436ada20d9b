"""Random tables of codes for the kernels' tests."""

from typing import NamedTuple

import numpy as np

from thresher.kernels.gradients import LOGISTIC, MULTINOMIAL


class Data(NamedTuple):
    codes: np.ndarray
    n_bins: np.ndarray
    categorical: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    permutation: np.ndarray


def make_data(seed, *, n_rows=120, n_outputs=1, kinds="nnccbbss", missing=False, weights="ones"):
    """Make a column of each kind: numeric, categories, many levels, binary, sparse, one value."""
    rng = np.random.default_rng(seed)
    n_bins = np.array([{"n": 9, "c": 4, "l": 9, "b": 2, "s": 2, "1": 1}[kind] for kind in kinds])
    codes = np.array([rng.integers(b, size=n_rows) for b in n_bins], dtype=np.uint8)
    for j, kind in enumerate(kinds):
        if kind == "s":
            codes[j] = rng.random(n_rows) < 0.1
        if missing and kind in "ncl":
            codes[j, rng.random(n_rows) < 0.2] = n_bins[j]
    signal = (codes[0] > 4) + 1.5 * (codes[-1] == 0) + (codes[2] % 3 == 1)
    target = rng.normal(size=(n_rows, n_outputs)) + signal[:, None] * rng.normal(size=n_outputs)
    weight = {
        "ones": np.ones(n_rows),
        "whole": rng.integers(0, 4, size=n_rows).astype(np.float64),
        "any": rng.gamma(2.0, size=n_rows),
    }[weights]
    categorical = np.array([kind in "cl" for kind in kinds])
    return Data(codes, n_bins, categorical, target, weight, rng.permutation(n_rows))


def data_for(link, **options):
    """Data whose target fits the loss, without ties between splits of different rows."""
    data = make_data(4, n_outputs=3 if link == MULTINOMIAL else 1, **options)
    if link == LOGISTIC:
        return data._replace(target=(data.target > 0.5).astype(np.float64))
    if link == MULTINOMIAL:
        return data._replace(target=np.eye(3)[data.target.argmax(axis=1)])
    return data
