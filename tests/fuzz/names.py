"""Names that somebody, somewhere, has given to a column."""

from hypothesis import strategies as st

#: Each has broken some program.
ODD = (
    "",
    " ",
    "  padded ",
    "two\nlines",
    "tab\there",
    "car\rriage",
    "nul\x00inside",
    "\x1b[31mred",
    "\x1b]0;title\x07",
    "\x9b2J",
    "'single'",
    '"double"',
    "back\\slash",
    "a,b;c",
    "=cmd()",
    "@SUM(1)",
    "<script>alert(1)</script>",
    "{{ 7 * 7 }}",
    "%s %d {0}",
    "$x_1^2$",
    "\u202eright to left",
    "עברית",
    "e\u0301 combining",
    "👩‍👩‍👧‍👦",
    "身長",
    "\u200b",
    "\ufeff",
    "nan",
    "None",
    "True",
    "0",
    "-1",
    "1e5",
    "x0",
    "x1",
    "y",
    "index",
    "__class__",
    "w" * 10_000,
)


def text_names():
    """One name that is text."""
    return st.one_of(
        st.sampled_from(["a", "b", "c", "d", "e", "f", "g", "h"]),
        st.sampled_from(ODD),
        st.text(max_size=4).filter(lambda name: not any("\ud800" <= c <= "\udfff" for c in name)),
    )


def name_lists(n_columns):
    """As many names as there are columns, seldom with one twice."""
    different = st.lists(text_names(), min_size=n_columns, max_size=n_columns, unique=True)
    any_at_all = st.lists(text_names(), min_size=n_columns, max_size=n_columns)
    return st.one_of(*[different] * 9, any_at_all)


def other_labels(n_columns):
    """What pandas lets columns be called besides text."""
    label = st.one_of(
        st.integers(-2, 9), st.booleans(), st.none(), st.floats(), st.tuples(st.integers(0, 2)),
        st.dates(), st.sampled_from(["0", "a", ""]),
    )  # fmt: skip
    return st.one_of(
        st.just(list(range(n_columns))),
        st.lists(label, min_size=n_columns, max_size=n_columns),
        st.lists(label, min_size=n_columns, max_size=n_columns, unique_by=repr),
    )
