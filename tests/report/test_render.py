"""Pages of every kind of selection."""

import base64
import hashlib
import re
import sys

import pytest

from tests.report import contents
from tests.report.pages import Reader
from thresher.report import render_page

every_kind = pytest.mark.parametrize("kind", contents.ALL)


@pytest.fixture(scope="module")
def read():
    """Render each kind once."""
    pages: dict[str, tuple[str, Reader]] = {}

    def reader(kind: str) -> tuple[str, Reader]:
        if kind not in pages:
            page = render_page(contents.ALL[kind]())
            pages[kind] = page, Reader(page)
        return pages[kind]

    return reader


@every_kind
def test_every_element_is_closed_and_every_link_leads_somewhere(kind, read):
    _, reader = read(kind)
    assert reader.open == []
    for link in reader.all("a"):
        assert link["href"].removeprefix("#") in reader.ids


@every_kind
def test_nothing_is_loaded(kind, read):
    page, reader = read(kind)
    assert all("src" not in own for _, own in reader.elements)
    assert [own["href"] for own in reader.all("link")] == ["data:,"]
    assert "url(" not in page[: page.index("</style>")]
    assert "@import" not in page[: page.index("</style>")]


@every_kind
def test_only_our_script_may_run(kind, read):
    _, reader = read(kind)
    assert [own.get("type") for own in reader.all("script")] == ["application/json", None]
    (policy,) = [own["content"] for own in reader.all("meta") if "http-equiv" in own]
    digest = base64.b64encode(hashlib.sha256(reader.scripts[-1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert not any(name.startswith("on") for _, own in reader.elements for name in own)


@every_kind
def test_what_is_absent_leaves_no_frame(kind, read):
    _, reader = read(kind)
    present = {
        "ace": {"importances", "masking", "course"},
        "wrapper": {"importances", "course"},
        "cfs": {"importances", "masking", "course"},
        "scores only": {"importances"},
        "nothing": set(),
        "two stages": {"importances", "masking", "course"},
        "validated": {"validation", "importances", "masking", "course", "stability"},
        "hostile": {"importances", "masking", "stability"},
        "wide": {"importances"},
        "enough": {"enough", "importances", "masking"},
    }[kind]
    sections = {"enough", "validation", "importances", "masking", "course", "stability"}
    assert sections & reader.ids == present
    assert {"verdicts", "provenance"} <= reader.ids
    results = reader.words.partition("Where this comes from")[0]
    assert "None" not in results.replace("None of", "")


@every_kind
def test_charts_have_words(kind, read):
    _, reader = read(kind)
    for _, own in reader.elements:
        if own.get("role") == "img":
            assert len(own["aria-label"]) > 10


def test_the_page_tells_its_story(read):
    words = read("validated")[1].words
    for told in (
        "3 of 7 columns selected",
        "ACE, because no estimator was named.",
        "The whole selection was repeated in each of 5 folds",
        "HistGradientBoostingClassifier()",
        "share of rows predicted wrongly",
        "No worse than all columns, as far as 569 rows can tell",
        "best contrasts",
        "Masking matrix, round 1",
        "chosen: 3 columns",
        "fair to good agreement",
        "the validation above is the fair estimate",
        "random_state",
    ):
        assert told in words


def test_stages_are_named(read):
    words = read("two stages")[1].words
    assert "Screening: loss on rows held out" in words
    assert "Refinement: loss" in words


def test_a_run_that_was_cut_short_carries_a_notice():
    content = contents.ace()
    content["settings"]["ending"] = "budget"
    assert "Not complete. The budget was used up" in Reader(render_page(content)).words


def test_the_first_rows_need_no_script(read):
    page, _ = read("wide")
    assert page.count('<tr role="row">') == 1 + 200
    assert "The first 200 of 300 columns." in page


def test_a_page_is_the_same_each_time():
    assert render_page(contents.validated()) == render_page(contents.validated())


def test_without_jinja2_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=re.escape("pip install 'thresher[cli]'")):
        render_page(contents.nothing())
