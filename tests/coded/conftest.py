"""Small folders of files, as larger ones are."""

import numpy as np
import polars as pl
import pytest


@pytest.fixture
def frame():
    """All kinds of columns, with gaps; the target depends on some of them."""
    rng = np.random.default_rng(0)
    n = 1200
    x = rng.normal(size=(5, n))
    hue = rng.choice(["red", "green", "blue"], n)
    score = x[0] + 0.7 * x[1] + (hue == "red") + rng.logistic(size=n)
    gaps = rng.random(n) < 0.1
    return pl.DataFrame(
        {
            "x0": x[0],
            "x1": pl.Series(np.where(gaps, np.nan, x[1])).fill_nan(None),
            "copy": x[0] + 0.1 * x[2],
            "noise": x[3],
            "same": np.full(n, 7.5),
            "whole": np.rint(3 * x[4]).astype(np.int32),
            "flag": x[2] > 0.5,
            "hue": [None if gap else str(level) for gap, level in zip(gaps, hue, strict=True)],
            "size": pl.Series(rng.choice(["small", "large"], n)).cast(pl.Categorical),
            "when": pl.Series(rng.integers(10**9, size=n)).cast(pl.Datetime("ms")),
            "day": pl.Series(rng.integers(20_000, size=n)).cast(pl.Date),
            "bought": np.where(score > 0, "yes", "no"),
            "score": score,
        }
    )


@pytest.fixture
def folder(frame, tmp_path):
    """The same as three files, one of them Arrow, with columns in another order."""
    files = tmp_path / "files"
    files.mkdir()
    frame[:500].write_parquet(files / "a.parquet", row_group_size=77)
    frame[500:600].select(sorted(frame.columns)).write_ipc(files / "b.arrow")
    frame[600:].write_parquet(files / "c.parquet")
    return files
