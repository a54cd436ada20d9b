"""A folder of Parquet files that need not fit into memory: coded once, then selected from.

``python larger_than_memory.py 20000000`` makes and selects from 20 million rows.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl

from thresher import ACE
from thresher.coded import code_dataset
from thresher.filters import FCBF

n_rows = int(sys.argv[1]) if sys.argv[1:] and sys.argv[1].isdigit() else 60_000
n_files = 6


def make_part(seed):
    """Some rows: sales depend on price, season and two more columns, not on the rest."""
    rng = np.random.default_rng(seed)
    n = n_rows // n_files
    price, income, rain = rng.normal(size=(3, n))
    season = rng.choice(["spring", "summer", "autumn", "winter"], n)
    sales = -price + 0.6 * np.abs(income) + 0.8 * (season == "summer") - 0.4 * rain
    return pl.DataFrame(
        {
            "price": price,
            "price in cents": price + rng.normal(scale=0.05, size=n),
            "income": income,
            "rain": rain,
            "season": season,
            **{f"noise {k}": rng.normal(size=n) for k in range(15)},
            "sales": sales + rng.normal(size=n),
        }
    )


with tempfile.TemporaryDirectory() as scratch:
    files = Path(scratch, "files")
    files.mkdir()
    for k in range(n_files):
        make_part(seed=k).write_parquet(files / f"part {k}.parquet")

    with code_dataset(files, "sales", folder=Path(scratch, "codes"), memory="1GB") as table:
        print(f"{table.n_rows} rows x {table.X.n_columns} columns, a byte for each cell")
        filtered = FCBF(cuts=8, threshold=0.005).fit(table.X, table.y)
        # every replicate draws rows of its own from the file
        ace = ACE(max_samples=5000, n_trees=50, n_jobs=2, random_state=0).fit(table.X, table.y)

print("FCBF:", ", ".join(filtered.selection_.selected))
print("ACE: ", ", ".join(ace.selection_.selected))
