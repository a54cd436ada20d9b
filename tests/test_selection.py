import json
import os

import pandas as pd
import polars as pl
import pytest

from thresher import Cost, Selection, Verdict

EVIL = '<script>alert("1")</script>'


@pytest.fixture
def selection():
    return Selection(
        selected=("b", EVIL),
        verdicts=(
            Verdict("a", "irrelevant", -0.5, 0.8, step=2, reason="no use"),
            Verdict("b", "relevant", 3.0, 0.001, step=1, reason="added at step 1"),
            Verdict(EVIL, "relevant", float("nan")),
            Verdict("b copy", "redundant", 2.9, 0.002, masked_by="b", step=1, reason="as b"),
        ),
        trace=({"step": 0, "loss": 1.5}, {"step": 1, "loss": float("inf")}),
        cost=Cost(10, 500, 0.25),
        method="Stepwise",
        settings={"cv": "5"},
        versions={"numpy": "2"},
    )


def test_files_round_trip(selection, tmp_path):
    path = tmp_path / "result.json"
    selection.save(path)
    loaded = Selection.load(path)
    assert loaded.selected == selection.selected
    assert loaded.verdicts[1] == selection.verdicts[1]
    assert loaded.verdicts[2].score is None
    assert loaded.cost == selection.cost
    assert [p.name for p in tmp_path.iterdir()] == ["result.json"]


def test_files_are_strict_json_with_a_schema(selection, tmp_path):
    path = tmp_path / "result.json"
    selection.save(path)
    content = json.loads(path.read_text(), parse_constant=pytest.fail)
    assert (content["schema"], content["schema_version"]) == ("thresher.selection", 2)


def test_a_failed_save_leaves_the_old_file_alone(selection, tmp_path):
    path = tmp_path / "result.json"
    selection.save(path)
    before = path.read_text()
    broken = Selection((), (), trace=({"step": object()},))
    with pytest.raises(TypeError):
        broken.save(path)
    assert path.read_text() == before
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a selection file"),
        ("{]", "not a selection file"),
        ("[]", "no schema"),
        ('{"schema": "other"}', "no schema"),
        ('{"schema": "thresher.selection", "schema_version": 99}', "schema version 99"),
        ('{"schema": "thresher.selection", "schema_version": 1}', "selected"),
    ],
)
def test_other_files_are_refused_by_name(tmp_path, text, message):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=message) as caught:
        Selection.load(path)
    assert "x.json" in str(caught.value)


@pytest.mark.parametrize(("backend", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_frames(selection, backend, kind):
    frame = selection.to_frame(backend)
    assert isinstance(frame, kind)
    assert list(frame["name"]) == ["a", "b", EVIL, "b copy"]
    assert list(frame["masked_by"])[3] == "b"
    assert frame.shape == (4, 7)


def test_the_repr_shows_selected_columns_first(selection):
    lines = repr(selection).splitlines()
    assert lines[0] == "Selection: 2 of 4 columns by Stepwise"
    assert lines[2].split()[:3] == ["b", "relevant", "3"]


def test_long_reprs_are_cut():
    verdicts = tuple(Verdict(f"c{i}", "irrelevant") for i in range(50))
    assert "... and 40 more columns" in repr(Selection((), verdicts))


def test_notebook_tables_escape_names(selection):
    page = selection._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "nan" not in page


def test_notebook_tables_unfold():
    verdicts = tuple(Verdict(f"c{i}", "irrelevant") for i in range(250))
    selection = Selection((), verdicts, method="<b>", explanation="because of <i>")
    page = selection._repr_html_()
    first, folded = page.split("<details>")
    assert (first.count("<tr>"), folded.count("<tr>")) == (21, 181)
    assert "... and 50 more columns" in folded
    assert "because of &lt;i&gt;" in first
    assert "by &lt;b&gt;" in first
    assert "Selected:" not in page
    assert "<details>" not in Selection((), verdicts[:20])._repr_html_()


def test_notebooks_name_the_selected_in_their_order(selection):
    odd = Selection(("", "\u202ex"), (Verdict("\u202ex", "relevant"), Verdict("", "relevant")))
    page = odd._repr_html_()
    assert "Selected: <bdi>(empty name)</bdi>, <bdi>\\u202ex</bdi>" in page
    assert "\u202e" not in page
    assert "Selected: <bdi>b</bdi>, " in selection._repr_html_()


def test_selected_and_verdicts_must_agree():
    with pytest.raises(ValueError, match="exactly the columns"):
        Selection(("a",), (Verdict("a", "irrelevant"),))


def test_odd_names_do_not_disturb_the_repr():
    odd = Selection((), (Verdict("a\nb\x1b[31m" + "x" * 1000, "irrelevant"),))
    lines = repr(odd).splitlines()
    assert len(lines) == 3
    assert "\\n" in lines[2]
    assert len(lines[2]) < 100


def test_links_are_followed_and_pipes_are_written_to(selection, tmp_path):
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    selection.save(tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert Selection.load(tmp_path / "real.json").selected == selection.selected
    selection.save("/dev/null")
    assert not os.path.isfile("/dev/null")
