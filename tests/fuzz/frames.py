"""Data frames of pandas, polars and pyarrow with columns of every type."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import strategies as st

from . import cells
from .cells import WHOLE, as_objects, seldom
from .names import name_lists, other_labels


def _pandas_kinds(n_rows):
    """Columns of pandas frames by kind."""
    gaps = cells.with_gaps

    def series(drawn, **options):
        return drawn.map(lambda column: pd.Series(column, **options))

    def objects(drawn):
        return drawn.map(lambda column: pd.Series(as_objects(column), dtype=object))

    return {
        "float": series(cells.numbers(n_rows, missing=False, infinite=False)),
        "float with gaps": series(cells.numbers(n_rows, missing=True, infinite=False)),
        "infinite": series(cells.numbers(n_rows, missing=True, infinite=True)),
        "whole": st.sampled_from(WHOLE).flatmap(lambda t: series(cells.whole_numbers(n_rows, t))),
        "Int64": series(
            gaps(cells.listed(n_rows, st.integers(-(2**63), 2**63 - 1))), dtype="Int64"
        ),
        "bool": series(cells.listed(n_rows, st.booleans())),
        "boolean": series(gaps(cells.listed(n_rows, st.booleans())), dtype="boolean"),
        "text": series(gaps(cells.labels(n_rows)), dtype="str"),
        "text as objects": objects(gaps(cells.labels(n_rows))),
        "category": gaps(cells.labels(n_rows)).map(_categories),
        "mixed category": cells.listed(n_rows, st.sampled_from([1, 2, 2.5, True, None, "1"])).map(
            pd.Categorical
        ),
        "objects": objects(cells.objects(n_rows)),
        "dates": objects(gaps(cells.dates(n_rows))),
        "moments": gaps(cells.moments(n_rows)).map(lambda c: pd.Series(pd.to_datetime(c))),
        "zone": cells.moments(n_rows).map(
            lambda c: pd.Series(pd.to_datetime(c, utc=True)).dt.tz_convert("Asia/Tokyo")
        ),
        "durations": gaps(cells.durations(n_rows)).map(lambda c: pd.Series(pd.to_timedelta(c))),
        "decimals": objects(gaps(cells.decimals(n_rows))),
        "nothing": st.just(pd.Series([None] * n_rows, dtype=object)),
        "constant": st.sampled_from(["same", 1, 0.1, True]).map(lambda c: pd.Series([c] * n_rows)),
        "rare": st.sampled_from(_rare(n_rows)),
    }


def _categories(drawn):
    """Categories of which some are never seen."""
    levels = [*dict.fromkeys(cell for cell in drawn if cell is not None), "never seen", "never"]
    return pd.Categorical(drawn, categories=levels, ordered=len(levels) % 2 == 0)


def _rare(n_rows):
    """Types of pandas that few have met."""
    return [
        pd.Series(pd.arrays.SparseArray(np.arange(n_rows) % 3)),
        pd.Series(pd.period_range("2024-01", periods=n_rows, freq="M")),
        pd.Series(pd.interval_range(0, n_rows)),
        pd.Series(np.arange(n_rows) * (1 + 1j)),
        pd.Series(pa.array(range(n_rows)), dtype=pd.ArrowDtype(pa.int32())),
        pd.Series(["a"] * n_rows, dtype=pd.ArrowDtype(pa.large_string())),
    ]


@st.composite
def pandas_frames(draw, shape):
    """Pandas frames, with odd names and an index that says nothing."""
    n_rows, n_columns = shape
    kinds = _pandas_kinds(n_rows)
    names = [name for name in kinds if name != "infinite" or seldom(draw)]
    columns = [draw(kinds[draw(st.sampled_from(names))]) for _ in range(n_columns)]
    frame = pd.DataFrame(dict(enumerate(columns)))
    frame.columns = draw(
        name_lists(n_columns) if draw(st.integers(0, 4)) else other_labels(n_columns)
    )
    if draw(st.booleans()):
        frame.index = [draw(st.sampled_from([0, 7]))] * n_rows
    if seldom(draw, 30):
        frame.columns = pd.MultiIndex.from_tuples([("a", j) for j in range(n_columns)])
    return frame


def _arrow_kinds(n_rows):
    """Kinds of arrow arrays with cells for them."""
    gaps, a = cells.with_gaps, cells.listed
    return {
        pa.float64(): cells.numbers(n_rows, missing=True, infinite=False).map(lambda c: c.tolist()),
        pa.float32(): gaps(a(n_rows, st.floats(width=32, allow_nan=False, allow_infinity=False))),
        pa.float16(): gaps(a(n_rows, st.sampled_from([np.float16(1.5), np.float16(6e4)]))),
        pa.int64(): gaps(a(n_rows, st.integers(-(2**63), 2**63 - 1))),
        pa.uint64(): gaps(a(n_rows, st.integers(0, 2**64 - 1))),
        pa.int8(): gaps(a(n_rows, st.integers(-128, 127))),
        pa.bool_(): gaps(a(n_rows, st.booleans())),
        pa.string(): gaps(cells.labels(n_rows)),
        pa.large_string(): gaps(cells.labels(n_rows)),
        pa.date32(): gaps(cells.dates(n_rows)),
        pa.timestamp("ms"): gaps(cells.moments(n_rows)),
        pa.timestamp("ns", tz="UTC"): gaps(cells.moments(n_rows)),
        pa.duration("us"): gaps(cells.durations(n_rows)),
        pa.decimal128(12, 3): gaps(cells.decimals(n_rows)),
        pa.null(): st.just([None] * n_rows),
        pa.time32("s"): st.just([dt.time(1)] * n_rows),
        pa.binary(): gaps(a(n_rows, st.binary(max_size=3))),
        pa.list_(pa.int8()): gaps(a(n_rows, st.lists(st.integers(0, 3), max_size=2))),
        pa.struct([("u", pa.int8())]): st.just([{"u": 1}] * n_rows),
    }


_ORDINARY = 14  # of the kinds above, in their order


@st.composite
def arrow_tables(draw, shape):
    """Arrow tables, in one chunk or several, and record batches."""
    n_rows, n_columns = shape
    kinds = _arrow_kinds(n_rows)
    arrays = []
    for _ in range(n_columns):
        usual = list(kinds) if seldom(draw, 12) else list(kinds)[:_ORDINARY]
        kind = draw(st.sampled_from(usual))
        array = pa.array(draw(kinds[kind]), kind)
        if kind == pa.string() and draw(st.booleans()):
            array = array.dictionary_encode()
        arrays.append(array)
    table = pa.table(arrays, names=draw(name_lists(n_columns)))
    form = draw(st.sampled_from(["table", "chunks", "batch"]))
    if form == "chunks":
        return pa.concat_tables([table.slice(0, n_rows // 2), table.slice(n_rows // 2)])
    return table.combine_chunks().to_batches()[0] if form == "batch" else table


@st.composite
def polars_frames(draw, shape):
    """Polars frames: what arrow has, and categories, enums and objects."""
    n_rows, n_columns = shape
    kinds = _arrow_kinds(n_rows)
    columns = []
    for _ in range(n_columns):
        kind = draw(
            st.sampled_from(["arrow", "arrow", "arrow", "category", "enum", "object", "time"])
        )
        if kind == "arrow":
            usual = list(kinds) if seldom(draw, 12) else list(kinds)[:_ORDINARY]
            arrow = draw(st.sampled_from(usual))
            column = pl.Series(pl.from_arrow(pa.array(draw(kinds[arrow]), arrow)))
        elif kind == "object":
            column = (
                pl.Series(draw(cells.objects(n_rows)), dtype=pl.Object)
                if seldom(draw, 6)
                else pl.Series([None] * n_rows)
            )
        elif kind == "time":
            column = (
                pl.Series([dt.time(1)] * n_rows) if seldom(draw, 6) else pl.Series(range(n_rows))
            )
        else:
            drawn = draw(cells.with_gaps(cells.labels(n_rows)))
            levels = [*dict.fromkeys(cell for cell in drawn if cell is not None), "never seen"]
            column = pl.Series(
                drawn, dtype=pl.Categorical if kind == "category" else pl.Enum(levels)
            )
        columns.append(column)
    names = draw(name_lists(n_columns))
    if len(set(names)) < n_columns:  # polars itself refuses these
        names = [f"{name} {j}" for j, name in enumerate(names)]
    return pl.DataFrame([column.alias(name) for column, name in zip(columns, names, strict=True)])
