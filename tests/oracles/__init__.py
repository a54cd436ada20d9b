"""What other programs computed from the same tables; README.md says which, and how."""

import json
from pathlib import Path

import numpy as np
import pandas as pd

FOLDER = Path(__file__).parent
VERSIONS = ("3.6.14 and 3.9.7", "3.6.14", "3.9.7")


def read_table(name, **options):
    """One of the tables, as a data frame."""
    return pd.read_csv(FOLDER / f"{name}.csv", **options)


def columns_and_target(name, **options):
    """One of WEKA's tables: its columns, and its last one, the target."""
    table = read_table(name, **options)
    return table.iloc[:, :-1], table.iloc[:, -1].to_numpy()


def read_json(name):
    """The content of a JSON file."""
    return json.loads((FOLDER / f"{name}.json").read_text())


def read_weka(name):
    """WEKA's numbers for a table: by the name of the method, whichever version has it."""
    content = read_json(f"{name}.weka")
    for version in VERSIONS:
        content |= content.pop(version)
    return content


def digits(text):
    """Small whole numbers that are stored as one string: folds, classes."""
    return np.array([int(digit) for digit in text])
