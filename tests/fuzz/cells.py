"""Cells of columns: a few values drawn with care, laid out at random.

Drawing each cell by itself would be slow, and would seldom repeat a value; a palette and the seed
of an arrangement are quick, full of ties, and shrink well.
"""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

#: Numbers at the edges of what float64 can hold.
EDGES = (
    0.0, -0.0, 1.0, -1.0, 2.0, 0.1, 1 / 3, 5e-324, -5e-324, 2.2250738585072014e-308, 1e-200, 1e-160,
    1e-16, 1 + 2**-52, 1e8, 1e15, 2.0**53, 2.0**53 + 2, 1e100, 1e154, 1e160, -1e200, 1e300, 1e307,
    1.7976931348623157e308, -1.7976931348623157e308,
)  # fmt: skip
LABELS = (
    "a",
    "b",
    "c",
    "",
    " ",
    "A",
    "é",
    "e\u0301",
    "yes",
    "no",
    "1",
    "1.0",
    "nan",
    "\x00",
    "x" * 300,
)

WHOLE = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def seldom(draw, chance=16):
    """Once in so many draws."""
    return draw(st.integers(1, chance)) == chance


def as_objects(column):
    """An array of the very same cells, whatever they are."""
    out = np.empty(len(column), dtype=object)
    for i, cell in enumerate(column):
        out[i] = cell
    return out


def seeds():
    """The seed of an arrangement."""
    return st.integers(0, 2**16)


def laid_out(palette, n_rows, seed):
    """As many cells as there are rows, each one of the palette."""
    order = np.random.default_rng(seed).permutation(np.arange(n_rows) % len(palette))
    return [palette[k] for k in order]


def palettes(element, *, largest=6):
    """A few values; seldom a single one, since constant columns are soon told about."""
    few = st.lists(element, min_size=2, max_size=largest)
    return st.one_of(few, few, few, st.lists(element, min_size=1, max_size=1))


@st.composite
def numbers(draw, n_rows, *, missing, infinite):
    """A float64 column."""
    seed = draw(seeds())
    if draw(st.booleans()):
        values = np.random.default_rng(seed).normal(size=n_rows)
        scale, shift = draw(st.sampled_from([(1.0, 0.0), (1e-9, 1e9), (1e200, 0.0), (1e-300, 0.0)]))
        values = values * scale + shift
    else:
        element = st.one_of(
            st.sampled_from(EDGES), st.integers(-3, 3).map(float), st.floats(-1e9, 1e9)
        )
        values = np.array(laid_out(draw(palettes(element)), n_rows, seed), dtype=np.float64)
    if missing and draw(st.booleans()):
        gone = np.random.default_rng(seed + 1).random(n_rows) < draw(
            st.sampled_from([0.1, 0.5, 1.0])
        )
        values[gone] = np.nan
    if infinite and draw(st.booleans()):
        values[draw(st.integers(0, n_rows - 1))] = draw(st.sampled_from([np.inf, -np.inf]))
    return values


@st.composite
def whole_numbers(draw, n_rows, dtype):
    """An integer column of a type, with its bounds."""
    bounds = np.iinfo(dtype)
    near = [0, 1, 2, 3, bounds.min, bounds.max, bounds.max - 1, bounds.min + 1]
    palette = draw(palettes(st.one_of(st.sampled_from(near), st.integers(bounds.min, bounds.max))))
    return np.array(laid_out(palette, n_rows, draw(seeds())), dtype=dtype)


def with_gaps(column):
    """The same cells, some of them None."""

    @st.composite
    def drawn(draw):
        cells = list(draw(column))
        share = draw(st.sampled_from([0.0, 0.0, 0.3, 0.8, 1.0]))
        gone = np.random.default_rng(draw(seeds())).random(len(cells)) < share
        return [None if g else cell for g, cell in zip(gone, cells, strict=True)]

    return drawn()


@st.composite
def listed(draw, n_rows, element, *, largest=6):
    """A list of cells of whatever kind."""
    return laid_out(draw(palettes(element, largest=largest)), n_rows, draw(seeds()))


def labels(n_rows):
    """Text."""
    return listed(n_rows, st.one_of(st.sampled_from(LABELS), st.text("ab\n\u202e", max_size=3)))


def dates(n_rows):
    """Days."""
    return listed(n_rows, st.dates(dt.date(1, 1, 1), dt.date(9999, 12, 31)))


def moments(n_rows):
    """Moments that pandas' nanoseconds can hold."""
    return listed(n_rows, st.datetimes(dt.datetime(1700, 1, 1), dt.datetime(2250, 1, 1)))


def durations(n_rows):
    """Lengths of time."""
    longest = dt.timedelta(days=90_000)
    return listed(n_rows, st.timedeltas(-longest, longest))


def decimals(n_rows):
    """Decimal numbers."""
    return listed(n_rows, st.decimals(-(10**6), 10**6, allow_nan=False, places=3))


def objects(n_rows):
    """Whatever Python has, in one column."""
    element = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=3),
        st.sampled_from(
            [
                Decimal("1.5"),
                Decimal("NaN"),
                Decimal("Infinity"),
                Fraction(1, 3),
                10**400,
                1 + 2j,
                dt.date(2024, 2, 29),
                dt.datetime(1, 1, 1),
                dt.time(1),
                dt.timedelta(1),
                b"bytes",
                (1, 2),
                [1],
                {},
                {1: 2},
                {3},
                np.float32(1),
                np.int8(3),
                np.bool_(True),
                np.nan,
                np.datetime64("2024-01-01"),
                np.datetime64("NaT"),
                np.timedelta64(1, "D"),
                np.array([1]),
                object,
                len,
                float("inf"),
                "nan",
                "1",
                "inf",
                "",
            ]
        ),
    )
    alike = st.sampled_from(
        [
            st.integers(-5, 5),
            st.sampled_from(["u", "v", None]),
            st.sampled_from([1.5, None, 2, True]),
            st.sampled_from([Decimal("1.5"), Decimal(2), None]),
            st.sampled_from([Fraction(1, 3), 1]),
            st.dates(),
            st.sampled_from([True, False, None]),
            st.none(),
        ]
    )
    return st.one_of(listed(n_rows, element, largest=4), alike.flatmap(lambda e: listed(n_rows, e)))
