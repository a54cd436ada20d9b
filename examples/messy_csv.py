"""A CSV file as they come: text, empty cells, an id, a near copy, noise. No preparation."""

import csv
import tempfile
from pathlib import Path

import numpy as np

from thresher import select

rng = np.random.default_rng(0)
n = 600
income = rng.lognormal(10, 0.5, n)
area = rng.choice(["north", "south", "east", "west"], n)
age_known = rng.integers(18, 80, n)
age = [int(years) if rng.random() < 0.9 else "" for years in age_known]
premium = income / 500 + 20 * (area == "north") + 0.5 * age_known + rng.normal(0, 5, n)

columns = {
    "customer": [f"C{k:05}" for k in rng.permutation(n)],
    "income": income.round(2),
    "income_in_thousands": (income / 1000).round(1),
    "area": area,
    "age": age,
    "shoe_size": rng.integers(36, 47, n),
    "signed": [f"2024-{m:02}-{d:02}" for m, d in rng.integers(1, 13, (n, 2))],
    "branch": ["main"] * n,
    "premium": premium.round(2),
}

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "customers.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for row in zip(*columns.values(), strict=True):
            writer.writerow(row)
    selection = select(path, "premium", random_state=0)

for verdict in selection.verdicts:
    print(f"{verdict.name:20} {verdict.kind:10} {verdict.reason}")
