"""Targets, weights and wishes: mostly sound, sometimes not."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import strategies as st

from . import cells


@st.composite
def class_targets(draw, n_rows):
    """Classes in many forms."""
    few = draw(
        st.sampled_from(
            [
                [0, 1],
                [0, 1, 2],
                [1, -1],
                ["no", "yes"],
                ["", " ", "a"],
                [True, False],
                [0.0, 1.0],
                [2**62, 1],
                ["\x00", "\x1b[31m"],
                [3, 300],
                ["e\u0301", "é"],
            ]
        )
    )
    plain = np.array(cells.laid_out(few, n_rows, draw(cells.seeds())))
    form = draw(
        st.sampled_from(
            ["array", "array", "list", "object", "pandas", "category", "polars", "arrow", "column"]
        )
    )
    if form == "list":
        return plain.tolist()
    if form == "object":
        return plain.astype(object)
    if form == "pandas":
        return pd.Series(plain, index=range(5, 5 + n_rows))
    if form == "category":
        return pd.Series(pd.Categorical(plain.tolist()))
    if form == "polars":
        return pl.Series(plain.tolist())
    if form == "arrow":
        return pa.array(plain.tolist())
    return plain[:, None] if form == "column" else plain


@st.composite
def numeric_targets(draw, n_rows):
    """Numbers, sometimes of absurd size."""
    if draw(st.integers(0, 3)) < 2:
        return np.random.default_rng(draw(cells.seeds())).normal(size=n_rows).round(2)
    gaps = {"missing": draw(st.integers(0, 9)) == 9, "infinite": draw(st.integers(0, 19)) == 19}
    return draw(cells.numbers(n_rows, **gaps))


@st.composite
def odd_targets(draw, n_rows):
    """What is no target, or hardly one."""
    return draw(
        st.one_of(
            st.sampled_from(
                [
                    np.zeros(n_rows),
                    ["only"] * n_rows,
                    [f"u{i}" for i in range(n_rows)],
                    np.arange(n_rows),
                    None,
                    [],
                    np.arange(n_rows + 1) % 2,
                    np.arange(n_rows)[: n_rows // 2] % 2,
                    1.5,
                    "a name",
                    np.zeros((n_rows, 2)),
                    np.zeros((n_rows, 1, 1)),
                    np.full(n_rows, np.nan),
                    [None] * n_rows,
                    np.arange(n_rows) * 1j,
                    pd.Series(pd.date_range("2024", periods=n_rows)),
                    [[1]] * n_rows,
                    [[0] * (1 + i % 2) for i in range(n_rows)],
                    np.arange(n_rows).astype("timedelta64[s]"),
                    {"a": 1},
                    iter([1, 0]),
                    [b"u", b"v"] * n_rows,
                    np.ma.masked_equal(np.arange(n_rows) % 3, 1),
                    [10**400, 1] * (n_rows // 2 + 1),
                    pd.DataFrame({"y": np.arange(n_rows) % 2}),
                ]
            ),
            cells.objects(n_rows),
        )
    )


@st.composite
def weights(draw, n_rows):
    """Sample weights; None most of the time."""
    usual = np.random.default_rng(draw(cells.seeds())).random(n_rows)
    return draw(
        st.sampled_from(
            [
                None,
                None,
                None,
                None,
                usual,
                (usual > 0.5) * 1.0,
                np.zeros(n_rows),
                usual - 0.5,
                usual * np.nan,
                usual * np.inf,
                usual * 1e-320,
                np.full(n_rows, 1e308),
                usual[1:],
                "heavy",
                usual[:, None],
                [None] * n_rows,
                usual.tolist(),
                1.0,
                usual > 0.5,
                usual.astype(str),
                usual * 1j,
            ]
        )
    )


def wishes(names):
    """``feature_groups`` and ``keep``; mostly none."""
    columns = st.lists(
        st.one_of(st.sampled_from(names), st.integers(0, len(names) - 1)), max_size=3
    )
    wrong = st.sampled_from(["zebra", -1, 99, 1.5, None, True, ("a",), b"a"])
    keep = st.one_of(
        st.just(()),
        st.just(()),
        columns,
        st.lists(st.one_of(st.sampled_from(names), wrong), max_size=2),
        st.sampled_from(["a", None, 3, {}, np.array([0])]),
    )
    groups = st.one_of(
        st.none(),
        st.none(),
        st.lists(columns, max_size=3),
        st.dictionaries(st.text(max_size=2), columns, max_size=3),
        st.dictionaries(st.integers(), st.lists(wrong, max_size=2), max_size=2),
        st.sampled_from([5, "a", {"g": None}, [["zebra"]], [[]], {"g": 0}, iter([[0]])]),
    )
    return st.fixed_dictionaries({}, optional={"keep": keep, "feature_groups": groups})
