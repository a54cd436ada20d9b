"""Result files from strangers: read, or refused with a ValueError, and nothing else happens."""

import copy
import json
import tempfile
import warnings
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.properties import examples
from tests.report import contents
from thresher import Selection
from thresher.selection import without_nan

from .names import ODD
from .outcomes import check_complaint, no_leaks, patience

SOUND = [
    json.loads(json.dumps(without_nan(make())))
    for make in (
        contents.ace,
        contents.wrapper,
        contents.cfs,
        contents.two_stages,
        contents.validated,
        contents.hostile,
        contents.enough,
    )
]

WRONG = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(allow_nan=False),
    st.sampled_from(ODD),
    st.sampled_from(
        [[], {}, [None], [[]], {"": None}, 10**400, -1, 2**70, "\ud800", "relevant", "nan", "1e400"]
    ),
    st.recursive(st.none(), lambda part: st.lists(part, max_size=2), max_leaves=30),
)


@st.composite
def damaged(draw):
    """A sound file with a few places of it changed, removed or repeated."""
    content = copy.deepcopy(draw(st.sampled_from(SOUND)))
    for _ in range(draw(st.integers(1, 4))):
        place = content
        while isinstance(place, (dict, list)) and place:
            keys = list(place) if isinstance(place, dict) else range(len(place))
            key = draw(st.sampled_from(keys))
            inner = place[key]
            if isinstance(inner, (dict, list)) and inner and draw(st.integers(0, 4)):
                place = inner
                continue
            how = draw(st.sampled_from(["change", "change", "remove", "repeat"]))
            if how == "remove":
                del place[key]
            elif how == "repeat" and isinstance(place, list):
                place.append(copy.deepcopy(inner))
            else:
                place[key] = copy.deepcopy(draw(WRONG))
            break
    return content


def _is_unicode(selection):
    """Whether there are no lone surrogates, which polars cannot hold."""
    return not any(
        "\ud800" <= c <= "\udfff"
        for c in "".join(v.name + v.reason + str(v.masked_by) for v in selection.verdicts)
    )


def read_and_shown(data):
    """Load the bytes as a file and look at the selection in every way."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "result.json"
        path.write_bytes(data)
        try:
            selection = Selection.load(path)
        except ValueError as error:
            check_complaint(error, "result.json")
            return
        try:
            selection.report(Path(folder) / "page.html")
        except ValueError as error:
            check_complaint(error, "not as thresher writes it")
        assert all(c == "\n" or c.isprintable() for c in repr(selection))
        selection._repr_html_()
        if _is_unicode(selection):
            selection.to_frame("polars")
        for goal in selection.views:
            selection.view(goal).view(selection.goal or goal)
        if selection.path is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                repr(selection.at(tolerance=0.5).at(n_features=1))
        selection.save(path)
        assert without_nan(Selection.load(path).to_dict()) == without_nan(selection.to_dict())


@examples(60)
@given(damaged())
def test_files_that_are_almost_right(content):
    with patience(), no_leaks():
        read_and_shown(json.dumps(content).encode())


@examples(60)
@given(st.one_of(st.binary(), st.text().map(str.encode), st.sampled_from(SOUND).flatmap(
    lambda content: st.integers(0, 4000).map(lambda n: json.dumps(content).encode()[:n])
)))  # fmt: skip
def test_files_that_are_rubbish(data):
    with patience(), no_leaks():
        read_and_shown(data)
