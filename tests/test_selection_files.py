"""Result files from strangers: refused in clear words, and never obeyed."""

import json
import os
import pickle

import pytest

from tests.report import contents
from tests.report.pages import Reader
from thresher import Selection
from thresher.selection import _reading

SOUND = contents.validated()
ENOUGH = contents.enough()


def written(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def changed(*place, to, of=SOUND):
    """A sound file with one place of it changed."""
    content = json.loads(json.dumps(of))
    inner = content
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = to
    return content


def changed_path(*place, to):
    return changed("path", *place, to=to, of=ENOUGH)


def changed_view(*place, to):
    return changed("views", "explain", *place, to=to, of=ENOUGH)


def test_the_sound_file_is_sound(tmp_path):
    assert Selection.load(written(tmp_path / "x.json", ENOUGH)).to_dict() == ENOUGH
    assert Selection.load(written(tmp_path / "x.json", SOUND)).selected == tuple(SOUND["selected"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 500 + "1" + "}" * 500, "nested too deeply"),
        ("[" * 30 + "]" * 30, "nested too deeply"),
        ("NaN", "NaN is not JSON"),
        ('{"schema": Infinity}', "Infinity is not JSON"),
        ("1" * 5000, "not a selection file"),
        ("1" * 400, "too large"),
        ('"' + "x" * 1_000_000 + '"', "no schema"),
        ('{"schema": "thresher.selection"}' * 2, "Extra data"),
        (
            changed("schema_version", to=3),
            "schema version 3; .* thresher .* reads versions 1 and 2",
        ),
        (changed("schema_version", to="\x1b[2J"), "schema version '.x1b"),
        (changed("selected", to="age"), "selected must be a list; got 'age'"),
        (changed("selected", 0, to=7), "selected.0.: name must be text; got 7"),
        (changed("selected", to=["zebra"]), "exactly the columns"),
        (changed("verdicts", to={}), "verdicts must be a list; got dict"),
        (changed("verdicts", 1, to=None), "verdicts.1. must be an object; got None"),
        (changed("verdicts", 1, to={"name": "a"}), "verdicts.1. lacks kind"),
        (changed("verdicts", 0, "name", to=["a"]), "verdicts.0.: name must be text; got list"),
        (changed("verdicts", 0, "kind", to="dead"), "kind must be 'relevant', .*; got 'dead'"),
        (changed("verdicts", 0, "kind", to={}), "kind must be 'relevant'"),
        (changed("verdicts", 0, "score", to="9"), "score must be a number or null; got '9'"),
        (changed("verdicts", 0, "score", to=True), "score must be a number or null; got True"),
        (changed("verdicts", 0, "score", to=10**400), "a whole number that is too large"),
        (changed("verdicts", 0, "step", to=1.5), "step must be a whole number or null; got 1.5"),
        (changed("verdicts", 0, "__class__", to="os.system"), "__class__"),
        (changed("cost", "seconds", to=None), "cost: seconds must be a number; got None"),
        (changed("trace", to=[[]]), "trace.0. must be an object"),
        (changed("settings", to=[]), "settings must be an object"),
        (changed("method", to=b"x".hex() * 1000), None),
        (changed("method", to=["ACE"]), "method must be text"),
        (changed("validation", "losses", to=[]), "validation: losses must be an object"),
        (changed("validation", "losses", "all", to=0.5), "validation.losses.'all'. must be an obj"),
        (changed("validation", "losses", "all", "mean", to="0"), "mean must be a number or null"),
        (changed("validation", "n_columns", "all", to="0"), "all must be a number or null"),
        (changed("validation", to={}), "validation lacks losses"),
        (changed("stability", "sizes", to=[1.5]), "stability.sizes.0.: size must be a whole"),
        (changed("stability", "index", to=1), "stability: index must be an object"),
        (changed_path(to=[]), "path must be an object or null"),
        (changed_path("order", to="x0"), "path: order must be a list"),
        (changed_path("order", 0, to=3), "path.order.0.: name must be text"),
        (changed_path("order", 0, to="x1"), "order names a column twice"),
        (changed_path("order", 0, to="zebra"), "path.order names an unknown column: 'zebra'"),
        (changed_path("order", to=["x0"]), "order has 1 columns, but a point has 20"),
        (changed_path("points", to=[]), "must hold at least one point"),
        (changed_path("points", 1, to=[]), "path.points.1. must be an object"),
        (changed_path("points", 1, to={"n_columns": 1}), "path.points.1. lacks loss"),
        (changed_path("points", 1, "n_columns", to=2), "points must ascend by n_columns"),
        (changed_path("points", 1, "n_columns", to=1.0), "n_columns must be a whole number"),
        (changed_path("points", 0, "n_columns", to=-1), "n_columns must be a whole number"),
        (changed_path("points", 1, "n_columns", to=True), "n_columns must be a whole number"),
        (changed_path("points", 1, "loss", to="0"), "loss must be a number or null"),
        (changed_path("points", 1, "verdict", to="yes"), "verdict must be one of 'enough', "),
        (changed_path("points", 1, "verdict", to=[]), "verdict must be one of 'enough', "),
        (changed_path("points", 1, "extra", to=1), "extra"),
        (changed_path("chosen", to=3), "chosen must be the n_columns of a point; got 3"),
        (changed_path("best", to=3), "best must be the n_columns of a point; got 3"),
        (changed_path("best", to=None), "best must be a whole number"),
        (changed_path("tolerance", to=2), "tolerance must be a number from 0 to 1; got 2"),
        (changed_path("confidence", to=-0.1), "confidence must be a number from 0 to 1"),
        (changed_path("learner", to=None), "learner must be text"),
        (changed_path("n_rows", to="many"), "n_rows must be a whole number"),
        (changed("goal", to="win", of=ENOUGH), "goal must be empty or one of 'predict'"),
        (changed("clusters", to={}, of=ENOUGH), "clusters must be a list"),
        (changed("clusters", to=["x0"], of=ENOUGH), "clusters.0.: cluster must be a list"),
        (changed("clusters", to=[[0]], of=ENOUGH), "clusters.0..0.: name must be text"),
        (changed("clusters", to=[["x0", "x0"]], of=ENOUGH), "clusters.0. names a column twice"),
        (changed("clusters", to=[["z"]], of=ENOUGH), "clusters.0. names an unknown column: 'z'"),
        (changed("views", to=[], of=ENOUGH), "views must be an object"),
        (changed_view(to=[]), "views.'explain'. must be an object"),
        (changed_view("selected", to="x0"), "selected must be a list"),
        (changed_view("selected", to=["x0"]), "selected of 'explain' must name exactly"),
        (changed_view("verdicts", "x4", to=1), "verdicts.'x4'. must be an object"),
        (changed_view("verdicts", "x4", to={}), "verdicts.'x4'. lacks kind"),
        (changed_view("verdicts", "x4", "kind", to="dead"), "kind must be 'relevant', "),
        (changed_view("verdicts", "x4", "masked_by", to=1), "masked_by must be text or null"),
        (changed_view("verdicts", to={}), "verdicts of 'explain' are on other columns"),
        (changed("views", to={"win": ENOUGH["views"]["explain"]}, of=ENOUGH), "got 'win'"),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, str) else None,
)
def test_what_is_wrong_is_named(tmp_path, content, message):
    path = written(tmp_path / "x.json", content)
    if message is None:
        assert Selection.load(path).selected
        return
    with pytest.raises(ValueError, match=message) as caught:
        Selection.load(path)
    assert "x.json" in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_files_of_the_first_version_are_read(tmp_path):
    new = ("goal", "path", "clusters", "views")
    old = {key: value for key, value in SOUND.items() if key not in new}
    loaded = Selection.load(written(tmp_path / "x.json", old | {"schema_version": 1}))
    assert (loaded.goal, loaded.path, loaded.clusters, loaded.views) == ("", None, (), {})
    assert loaded == Selection.from_dict(SOUND)


class Bomb:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def test_a_pickle_by_another_name_is_not_obeyed(tmp_path):
    (tmp_path / "x.json").write_bytes(pickle.dumps(Bomb(tmp_path / "exploded")))
    with pytest.raises(ValueError, match="x.json: not a selection file"):
        Selection.load(tmp_path / "x.json")
    assert not (tmp_path / "exploded").exists()


def test_folders_pipes_and_devices_are_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", "/dev/zero", "/dev/null"):
        with pytest.raises(ValueError, match="a folder, a pipe or a device") as caught:
            Selection.load(path)
        assert str(path) in str(caught.value)


def test_files_that_are_too_large_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(_reading, "_LARGEST_FILE", 1 << 20)
    with pytest.raises(ValueError, match="larger than 1 MB"):
        Selection.load(written(tmp_path / "x.json", " " * (1 << 20) + json.dumps(SOUND)))


def test_links_are_followed_and_loops_are_not(tmp_path):
    written(tmp_path / "real.json", SOUND)
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    (tmp_path / "loop.json").symlink_to(tmp_path / "loop.json")
    assert Selection.load(tmp_path / "link.json").method == SOUND["method"]
    with pytest.raises(OSError, match="loop.json"):
        Selection.load(tmp_path / "loop.json")


def test_markup_anywhere_in_a_file_is_text_on_its_page(tmp_path):
    script = "<script>alert(1)</script>"

    def everywhere(value):
        if isinstance(value, dict):
            return {key: everywhere(item) for key, item in value.items()}
        if isinstance(value, list):
            return [everywhere(item) for item in value]
        return value + script if isinstance(value, str) else value

    content = everywhere(json.loads(json.dumps(contents.ace())))
    for name in ("schema", "schema_version", "goal"):
        content[name] = SOUND[name]
    for verdict in content["verdicts"]:
        verdict["kind"] = verdict["kind"].removesuffix(script)
    selection = Selection.load(written(tmp_path / "x.json", content))
    selection.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert script not in page
    assert script not in selection._repr_html_()
    assert len(Reader(page).all("script")) == 2


@pytest.mark.parametrize("place", ["scores", "masking"])
def test_a_trace_of_another_shape_is_told(place, tmp_path):
    content = json.loads(json.dumps(contents.ace()))
    if place == "scores":
        content["trace"][0]["scores"] = "none"
    else:  # which nobody looks at before the page is written
        content["trace"][0]["masking"]["variables"][0] = None
    selection = Selection.load(written(tmp_path / "x.json", content))
    with pytest.raises(ValueError, match="not as thresher writes it"):
        selection.report(tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


def test_names_of_methods_and_reasons_do_not_disturb_the_repr(tmp_path):
    content = changed("method", to="\x1b[2Jmethod\n")
    content["verdicts"][0]["reason"] = "because\x1b[31m\nof"
    shown = repr(Selection.load(written(tmp_path / "x.json", content)))
    assert all(c == "\n" or c.isprintable() for c in shown)
    assert "\\x1b[2Jmethod" in shown
