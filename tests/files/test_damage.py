"""Whatever happens to the bytes of a file, it is read or refused with one clear message."""

import gzip
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from thresher.files import TableError, read_table

from .conftest import Write

ARFF = """@relation r
@attribute a numeric
@attribute 'b c' {x,'y z'}
@attribute class {n,p}
@data
1,'y z',p
{0 5, 2 p}
"""


def written(name: str, frame: pl.DataFrame, folder: Path) -> Path:
    path = folder / name
    writers = {"t.parquet": frame.write_parquet, "t.arrow": frame.write_ipc}
    writers |= {"t.ipc": frame.write_ipc_stream, "t.csv": frame.write_csv}
    writers |= {"t.ndjson": frame.write_ndjson}
    if name in writers:
        writers[name](path)
    elif name == "t.csv.gz":
        path.write_bytes(gzip.compress(frame.write_csv().encode()))
    else:
        path.write_text(ARFF if name == "t.arff" else "1 1:2 3:4\n0 2:1 # remark\n")
    return path


@pytest.mark.parametrize(
    "name",
    ["t.csv", "t.csv.gz", "t.ndjson", "t.arff", "t.svm", "t.parquet", "t.arrow", "t.ipc"],
)
def test_damaged_files(name: str, mixed: pl.DataFrame, tmp_path: Path, write: Write) -> None:
    target = None if name == "t.svm" else "class"
    path = written(name, mixed, tmp_path)
    assert read_table(path, target).n_rows in (2, 4)
    whole = path.read_bytes()
    rng = np.random.default_rng(7)
    refusals = []
    for attempt in range(60):
        data = bytearray(whole)
        if attempt % 3:
            for place in rng.integers(len(data), size=attempt % 5 + 1):
                data[place] = rng.choice([0, 10, 34, 39, 44, 123, 125, 255, rng.integers(256)])
        else:
            data = data[: rng.integers(1, len(data))]
        try:
            read_table(write(name, bytes(data)), target)
        except TableError as refusal:
            refusals.append(str(refusal))
    assert len(refusals) > 10
    assert all(message.startswith(str(path)) and "\n" not in message for message in refusals)
