"""Every example runs without a warning, and what it prints is what it is there to show."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def one_call(printed):
    counts = dict(re.findall(r"'(\w+)': (\d+)", printed))
    assert sum(map(int, counts.values())) == 30
    assert int(counts["relevant"]) >= 1
    assert int(counts["redundant"]) >= 1
    redundant = re.findall(r"^(.+) is redundant given (.+)$", printed, re.MULTILINE)
    assert 1 <= len(redundant) <= int(counts["redundant"])
    assert not {name for name, _ in redundant} & {masker for _, masker in redundant}
    sizes = {
        goal: int(n) for goal, n in re.findall(r"^([\w-]+): (\d+) columns$", printed, re.MULTILINE)
    }
    assert sizes["explain"] < sizes["all-relevant"]


def messy_csv(printed):
    kind = {line.split()[0]: line.split()[1] for line in printed.splitlines()}
    assert kind["area"] == kind["age"] == "relevant"
    assert {kind["income"], kind["income_in_thousands"]} == {"relevant", "redundant"}
    assert all(kind[name] == "irrelevant" for name in ("customer", "shoe_size", "signed"))
    assert re.search(r"^branch +irrelevant +constant$", printed, re.MULTILINE)


def own_estimator(printed):
    accuracies = [float(x) for x in re.findall(r"accuracy with .*: (0\.\d+)", printed)]
    assert len(accuracies) == 2
    assert min(accuracies) > 0.93
    assert int(re.search(r"columns in the end: (\d+)", printed).group(1)) < 13


def race_models(printed):
    spent, everything = map(int, re.search(r"losses: +(\d+) of (\d+)", printed).groups())
    assert spent < 0.6 * everything
    assert int(re.search(r"is (\d+) behind the best", printed).group(1)) <= 30


def own_strategy(printed):
    errors = [float(x) for x in re.findall(r"columns: error (0\.\d+)", printed)]
    assert errors[0] > 0.5
    assert errors[-1] < 0.2
    assert "by WrapperSelector" in printed


def filters_side_by_side(printed):
    methods, *rows = [line.split() for line in printed.splitlines()]
    chosen = {" ".join(row[:-6]): dict(zip(methods, row[-6:], strict=True)) for row in rows}
    assert set(chosen["noise 1"].values()) == {"."}
    assert chosen["pair: one"]["ReliefF"] == chosen["pair: other"]["ReliefF"] == "x"
    assert chosen["pair: one"]["FCBF"] == "."
    assert chosen["bent"]["GramSchmidt"] == "."
    for method in ("ACE", "FCBF", "GramSchmidt"):
        assert {chosen["strong"][method], chosen["copy of strong"][method]} == {"x", "."}


def honest_figure(printed):
    wrong, honest, ours = (int(x) for x in re.findall(r"(\d+)% right", printed))
    low, high = map(int, re.search(r"interval (\d+)% to (\d+)%", printed).groups())
    assert wrong >= 60
    assert honest <= 55
    assert low <= min(50, ours) <= max(50, ours) <= high


def larger_than_memory(printed):
    assert printed.startswith("60000 rows x 20 columns")
    chosen = dict(line.split(": ") for line in printed.splitlines()[1:])
    wanted = {"income", "rain", "season"}
    for method in ("FCBF", "ACE"):
        names = {name.strip() for name in chosen[method].split(",")}
        assert len(names & {"price", "price in cents"}) == 1
        assert names - {"price", "price in cents"} == wanted


CHECKS = {
    check.__name__: check
    for check in (
        one_call,
        messy_csv,
        own_estimator,
        race_models,
        own_strategy,
        filters_side_by_side,
        honest_figure,
        larger_than_memory,
    )
}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_shows_what_it_is_there_for(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    CHECKS[path.stem](capsys.readouterr().out)
    assert not list(tmp_path.iterdir()), "an example leaves nothing behind"
