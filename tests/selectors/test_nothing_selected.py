"""Selectors that select nothing say so, and leave the rows alone."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from thresher.filters import FCBF

X = pd.DataFrame({"a": [0.0, 1.0] * 10, "b": [0.0, 0.0, 1.0, 1.0] * 5})
Y = np.array([0, 1, 1, 0] * 5)


@pytest.mark.parametrize("labels", [["a", "b"], [0, 1]])
def test_pandas_frames_keep_their_rows(labels):
    frame = X.set_axis(labels, axis=1).set_index(np.arange(20) + 5)
    selector = FCBF().fit(frame, Y)
    assert selector.selection_.selected == ()
    with pytest.warns(UserWarning, match="No features were selected"):
        found = selector.transform(frame)
    assert found.shape == (20, 0)
    assert found.index.equals(frame.index)


@pytest.mark.parametrize("convert", [pl.from_pandas, pa.Table.from_pandas])
def test_other_frames_keep_their_rows(convert):
    frame = convert(X)
    selector = FCBF().fit(frame, Y)
    with pytest.warns(UserWarning, match="No features were selected"):
        found = selector.transform(frame)
    assert type(found) is type(frame)
    assert found.shape == (20, 0)
