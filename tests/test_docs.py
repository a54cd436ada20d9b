"""The documentation is true: its code runs and prints what it says, and no public name is left out.

``python docs/printed.py`` says what is run, and writes down what it prints.
"""

import importlib
import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
RESULTS = sorted((DOCS / "results").glob("*.md"))


def _load(name):
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


printed = _load("printed")


@pytest.mark.parametrize(
    "page", [page for page in PAGES if printed.has_code(page)], ids=lambda page: page.stem
)
def test_the_code_of_a_page_runs_and_prints_what_it_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for block, found in printed.run(page):
        assert block[3] is None or found == block[3], block[0]


@pytest.mark.parametrize("name", ["ace", "racing", "rve", "racsam", "oblivion", "filters"])
def test_every_system_has_a_page_of_the_same_shape(name):
    text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    assert f"(pictures/{name}.svg)" in text
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    wanted = ["How to use it", "Parameters that matter", "Results", "Reference"]
    assert [heading for heading in headings if heading in wanted] == wanted


def test_pictures_are_small_and_every_one_is_shown():
    shown = {
        name
        for page in PAGES
        for name in re.findall(r"\(pictures/([\w-]+\.(?:svg|png))\)", page.read_text("utf-8"))
    }
    made = {path.name: path for path in (DOCS / "pictures").iterdir()}
    assert shown == set(made)
    assert all(path.stat().st_size < 200_000 for path in made.values())
    source = (DOCS / "pictures.py").read_text(encoding="utf-8")
    assert all(f"def {Path(name).stem}(" in source for name in made)


def test_links_between_pages_lead_somewhere():
    for page in [*PAGES, *RESULTS]:
        text = page.read_text("utf-8")
        for link in re.findall(r"\]\(([^)#]+\.(?:md|svg|png))(?:#[^)]*)?\)", text):
            if not link.startswith(("http", "api/")):
                assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_every_public_name_has_a_page_of_reference():
    pytest.importorskip("sphinx")
    generated = _load("generated_pages")
    pages = generated.pages()
    for package in generated.PACKAGES:
        for name in importlib.import_module(package).__all__:
            # what the package at the top exports, too, has its page there
            home = package if f"{package}.{name}.rst" in pages else "thresher"
            assert f":: {name}\n" in pages[f"{home}.{name}.rst"]
            assert f"   {home}.{name}\n" in pages[f"{home}.rst"]
        assert f"   {package}\n" in pages["index.rst"]


def test_every_command_and_option_is_in_the_reference():
    import typer

    from thresher.cli._app import app

    text = _load("generated_pages").command_line()
    for name, command in typer.main.get_command(app).commands.items():
        assert f"## `thresher {name}`" in text
        for parameter in command.params:
            assert parameter.param_type_name == "argument" or f"`{parameter.opts[0]}`" in text
