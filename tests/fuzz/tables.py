"""Whole tables: arrays, sparse matrices and data frames, tidy and wild."""

import numpy as np
import scipy.sparse as sp
from hypothesis import strategies as st

from . import cells
from .cells import WHOLE, as_objects, seldom
from .frames import arrow_tables, pandas_frames, polars_frames


@st.composite
def shapes(draw):
    """Rows and columns: mostly enough rows for folds, sometimes next to none."""
    n_rows = draw(st.integers(1, 12) if seldom(draw, 6) else st.integers(12, 40))
    return n_rows, draw(st.integers(1, 8))


@st.composite
def floats_of(draw, shape, *, missing=None):
    """A float64 array, where some columns may repeat others."""
    n_rows, n_columns = shape
    missing = draw(st.booleans()) if missing is None else missing
    infinite = seldom(draw)
    columns = [
        draw(cells.numbers(n_rows, missing=missing, infinite=infinite)) for _ in range(n_columns)
    ]
    if n_columns > 1 and draw(st.booleans()):
        columns[-1] = draw(st.sampled_from([columns[0], -columns[0], np.zeros(n_rows)]))
    return np.column_stack(columns)


@st.composite
def arrays(draw, shape):
    """Numpy arrays of many types and layouts."""
    n_rows, n_columns = shape
    kind = draw(st.sampled_from(["float"] * 4 + ["whole", "bool", "small", "object", "other"]))
    with np.errstate(all="ignore"):
        if kind == "float":
            table = draw(floats_of(shape))
        elif kind == "small":
            dtype = draw(st.sampled_from(["float32", "float16", "longdouble", ">f8"]))
            table = draw(floats_of(shape)).astype(dtype)
        elif kind == "whole":
            dtype = draw(st.sampled_from(WHOLE))
            table = np.column_stack(
                [draw(cells.whole_numbers(n_rows, dtype)) for _ in range(n_columns)]
            )
        elif kind == "bool":
            table = np.random.default_rng(draw(cells.seeds())).random(shape) < 0.5
        elif kind == "object":
            table = np.empty(shape, dtype=object)
            for j in range(n_columns):
                table[:, j] = as_objects(draw(cells.objects(n_rows)))
        else:
            dtype = draw(
                st.sampled_from(["complex128", "U5", "S5", "datetime64[s]", "timedelta64[s]", "V8"])
            )
            table = draw(floats_of(shape, missing=False)).astype("int8").astype(dtype)
    layout = draw(st.sampled_from(["C", "F", "strided", "list", "read-only"]))
    if layout == "F":
        return np.asfortranarray(table)
    if layout == "strided":
        return np.repeat(table, 2, axis=0)[::2][::-1][::-1]
    if layout == "list":
        return table.tolist()
    table.flags.writeable = layout != "read-only"
    return table


@st.composite
def sparse_tables(draw, shape):
    """Sparse matrices, with missing cells, zeros that are stored, and cells stored twice."""
    table = draw(floats_of(shape))
    table[
        np.random.default_rng(draw(cells.seeds())).random(shape) < draw(st.sampled_from([0.3, 0.9]))
    ] = 0
    form = draw(
        st.sampled_from(
            [sp.csr_matrix, sp.csc_matrix, sp.coo_matrix, sp.csr_array, sp.csc_array, sp.lil_array]
        )
    )
    made = form(table)
    if draw(st.booleans()) and hasattr(made, "data") and made.nnz and form is not sp.lil_array:
        made.data[0] = 0.0
    if draw(st.booleans()):
        with np.errstate(all="ignore"):
            made = made.astype(draw(st.sampled_from(["float32", "int32", "int64", "bool"])))
    return made


def tables(shape):
    """Any table of a shape."""
    return st.one_of(
        arrays(shape), sparse_tables(shape), pandas_frames(shape), pandas_frames(shape),
        polars_frames(shape), arrow_tables(shape),
    )  # fmt: skip
