"""Results in the documentation are what commands have written, and the README quotes them."""

import json
import re
from pathlib import Path

import pytest

from thresher.experiments import EXPERIMENTS, page_of

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results"
RECORDS = {path.stem: json.loads(path.read_text("utf-8")) for path in RESULTS.glob("*.json")}


MEASURED = [name for name in EXPERIMENTS if name in RECORDS]


@pytest.mark.parametrize("name", MEASURED)
def test_records_of_experiments_are_not_of_quick_runs(name):
    record = RECORDS[name]
    assert record["command"].startswith(f"thresher reproduce {name}")
    assert "--quick" not in record["command"]
    assert "data not found" not in json.dumps(record)


def test_records_of_real_tables_are_not_of_quick_runs():
    commands = [RECORDS[name]["command"] for name in RECORDS if name.startswith("bench-real")]
    assert not any("--quick" in command for command in commands)


@pytest.mark.parametrize("name", RECORDS)
def test_a_page_says_what_its_record_says(name):
    record = RECORDS[name]
    assert (RESULTS / f"{name}.md").read_text("utf-8") == page_of(record)
    assert (RESULTS / f"{name}.svg").is_file() == (record["picture"] is not None)
    assert record["date"]
    assert record["machine"]["cores"]


def test_the_index_lists_every_record():
    index = (RESULTS / "index.md").read_text("utf-8")
    assert all(f"[{name}]({name}.md)" in index for name in RECORDS)
    absent = [name for name in EXPERIMENTS if name not in RECORDS]
    assert all(f"| {name} |" in index for name in absent)
    assert index.count("not run yet") == len(absent)
    assert {path.stem for path in RESULTS.glob("*.md")} == {*RECORDS, "index"}


@pytest.mark.parametrize("name", MEASURED)
def test_the_list_tells_how_long_it_took(name):
    """Machines differ, and so does what else they do; a wrong unit would show."""
    record, each = RECORDS[name], EXPERIMENTS[name]
    minutes = record["seconds"] / 60 * each.runs / record["runs"]
    assert each.minutes / 5 - 0.2 <= minutes <= 5 * each.minutes + 0.2


def test_factors_in_the_readme_are_those_of_the_benchmarks():
    readme = (ROOT / "README.md").read_text("utf-8")
    rows = re.findall(r"^ *\| `(\w+)` \| ([^|]+) \| (\d+) \|$", readme, re.MULTILINE)
    assert len(rows) >= 4
    printed = [row["printed"] for row in RECORDS["bench-stepwise"]["rows"]]
    for model, _, factor in rows:
        lines = [line for line in printed if model in line and "forward" in line]
        assert any(re.search(rf"ratio +{factor} ", line) for line in lines), (model, factor)


QUOTING = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", QUOTING, ids=lambda page: page.stem)
def test_numbers_beside_a_link_to_results_stand_there(page):
    for line in page.read_text("utf-8").splitlines():
        links = re.findall(r"results/([\w-]+)\.md\)", line)
        if not links:
            continue
        text = " ".join((RESULTS / f"{name}.md").read_text("utf-8") for name in links)
        known = [float(number) for number in re.findall(r"(?<![\w.])\d+\.?\d*", text)]
        said = re.sub(r"\[[^\]]*\]\([^)]*\)|`[^`]*`", "", line)
        # whole numbers are mostly of the question, and C4.5 is a name
        for number in re.findall(r"(?<![\w.])\d+\.\d+", said):
            n_digits = len(number.partition(".")[2])
            rounded = {f"{value:.{n_digits}f}" for value in known}
            assert number in rounded, f"{page.name}: {number} is not in {links}"


def test_what_the_readme_says_of_the_peers_on_real_tables():
    rows = RECORDS["peers-better"]["rows"]
    means = [row for row in rows if row["data"] == "mean of all"]
    single = [row for row in rows if row["data"] != "mean of all"]
    assert [row["better and no larger"] for row in means] == ["nobody"] * 2
    assert {row["significantly"] for row in single} == {"nobody"}
    ours, *others = RECORDS["peers-beaten"]["rows"]
    assert ours["method"] == "thresher select"
    assert all(ours["beaten in"] <= row["beaten in"] for row in others)
