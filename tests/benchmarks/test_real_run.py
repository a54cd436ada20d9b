"""Scores, pages, the journal and a quick run of ``benchmarks.real``."""

import json

import numpy as np
import pytest
from benchmarks.peers.results import Results
from benchmarks.real import run
from benchmarks.real.__main__ import main
from benchmarks.real.generated import generated_tables
from benchmarks.real.goals import better_peers, goals_page
from benchmarks.real.methods import ALL, METHODS, SELECT
from benchmarks.real.options import read_options
from benchmarks.real.pages import pages
from benchmarks.real.run import Answer, Outcome, run_table
from benchmarks.real.scores import (
    beside,
    interval,
    kept,
    relative_error,
    rise_is_shown,
    summary,
)
from benchmarks.real.twice import agreement, jaccard
from scipy import stats

LASSO = METHODS["lasso"]


def answer(error, n_columns, **more):
    errors = dict.fromkeys(("boosting", "linear", "neighbours"), error)
    return Answer(tuple(range(n_columns)), 1.0, errors, **more)


def outcome(name="a", select=(0.3, 0.1), lasso=(0.3, 0.3), constant=0.1, again=()):
    answers = {
        "all": (answer(0.1, 10),) * 2,
        "select": tuple(answer(error, 4) for error in select),
        "lasso": tuple(answer(error, 2) for error in lasso),
    }
    return Outcome(name, 10, (constant,) * 2, answers, again)


def test_ratios_are_of_mean_errors_with_the_constant_added():
    assert relative_error(outcome(), "select", "linear") == pytest.approx(0.3 / 0.2)
    zero = outcome(select=(0.0, 0.0))
    assert relative_error(zero, "select", "linear") == pytest.approx(0.1 / 0.2)
    assert kept(outcome(), "select") == 0.4


def test_a_split_without_an_answer_is_left_out():
    one = outcome()
    one.answers["lasso"] = (Answer(problem="gave up"), answer(0.3, 2))
    assert relative_error(one, "lasso", "linear") == pytest.approx(0.4 / 0.2)
    one.answers["lasso"] = (Answer(problem="gave up"),) * 2
    assert relative_error(one, "lasso", "linear") is None
    assert summary([one], "lasso", "linear").n_tables == 0


def test_the_mean_over_tables_is_geometric_and_the_worst_is_named():
    found = summary([outcome(), outcome("b", select=(0.0, 0.0))], "select", "boosting")
    assert found.relative == pytest.approx(np.sqrt(1.5 * 0.5))
    assert found.above == ("a",)
    assert found.worst == ("a", pytest.approx(1.5))


def test_bounds_of_the_mean_are_those_of_a_t_test_of_logarithms():
    errors = {"a": 0.1, "b": 0.2, "c": 0.25}
    three = [outcome(name, select=(error, error)) for name, error in errors.items()]
    logs = [np.log(relative_error(one, "select", "linear")) for one in three]
    wanted = np.exp(stats.ttest_1samp(logs, 0.0).confidence_interval())
    assert interval(three, "select", "linear") == pytest.approx(tuple(wanted))
    assert interval(three[:1], "select", "linear") is None
    page = goals_page(three, [[], []], ["all", "select"])
    bounds = f"{wanted[0]:.3f} to {wanted[1]:.3f}"
    assert any("error of linear in the mean" in note and bounds in note for note in page.notes)


def test_a_rise_is_told_from_chance_by_the_spread_over_splits():
    assert rise_is_shown(outcome(select=(0.3, 0.31)), "select", "boosting")
    assert not rise_is_shown(outcome(select=(0.3, 0.1)), "select", "boosting")
    assert not rise_is_shown(outcome(select=(0.1, 0.1)), "select", "boosting")
    one = outcome(select=(0.3, 0.31))
    one.answers["select"] = (answer(0.3, 4), Answer(problem="gave up"))
    assert not rise_is_shown(one, "select", "boosting"), "one split has no spread"
    page = goals_page([outcome(select=(0.3, 0.31)), outcome("b")], [[], []], ["all", "select"])
    assert "tables above 1.10 for boosting: a, b; more than chance" in " ".join(page.notes)
    assert any(note.endswith("5 %): a.") for note in page.notes)


def test_goals_say_whether_they_are_met():
    good, bad = outcome("a", select=(0.1, 0.1)), outcome("b", select=(0.3, 0.3))
    rows = goals_page([good, bad], [[good], [bad]], ["all", "select", "lasso"]).to_dict()["rows"]
    by_goal = {row["goal"]: row for row in rows}
    boosting = next(row for goal, row in by_goal.items() if "boosting relative" in goal)
    assert (boosting["tuned half"], boosting["fresh half"], boosting["met"]) == (1.0, 2.0, "no")
    assert next(row for goal, row in by_goal.items() if "of the columns" in goal)["met"] == "yes"
    assert next(row for goal, row in by_goal.items() if "seeds" in goal)["met"] == "not measured"


def test_a_goal_is_not_met_while_answers_are_missing():
    one = outcome(select=(0.1, 0.1))
    one.answers["select"] = (answer(0.1, 4), Answer(problem="gave up"))
    rows = goals_page([one], [[one], []], ["all", "select"]).to_dict()["rows"]
    assert {row["met"] for row in rows} <= {"incomplete", "not measured", "no"}
    assert rows[0]["met"] == "incomplete"


def test_a_peer_is_better_with_lower_error_and_no_more_columns():
    worse, better = outcome(lasso=(0.3, 0.3)), outcome(lasso=(0.1, 0.1))
    assert beside([outcome(lasso=(0.3, 0.1))], "lasso", "select", "linear").better
    assert not beside([outcome()], "select", "lasso", "linear").better
    assert better_peers([worse], ["all", "select", "lasso"]) == []
    assert better_peers([better], ["all", "select", "lasso"]) == [
        "lasso (boosting, linear, neighbours)"
    ]


def test_interchangeable_columns_count_as_the_same():
    assert jaccard([], []) == 1.0
    assert jaccard([0, 1, 2], [0, 1, 3]) == 0.5
    assert jaccard([0, 1, 2], [0, 1, 3], [(2, 3)]) == 1.0
    given = [answer(0.1, 3), answer(0.1, 2, clusters=((1, 2),)), Answer(problem="gave up")]
    assert agreement(given) == 1.0
    assert agreement(given[1:]) is None


def test_pages_are_made_of_few_answers_too():
    again = (Answer((0, 1, 2, 3)), Answer((0, 1, 2, 4)))
    few = outcome(again=again)
    few.answers["lasso"] = (Answer(problem="gave up after 120 s"),) * 2
    found = pages([few], [ALL, SELECT, LASSO], frozenset("a"), n_splits=2, limit=120)
    assert set(found) == {
        *(f"bench-real-{name}" for name in ("halves", "goals", "tables", "seeds", "methods")),
        "bench-real",
    }
    assert found["bench-real"].to_dict()["rows"][2]["answers"] == "0 of 2"
    assert found["bench-real-methods"].to_dict()["rows"][2]["no answer"] == (
        "a: gave up after 120 s (2)"
    )
    assert found["bench-real-seeds"].to_dict()["rows"][0]["columns chosen"] == "4, 4, 4"


def asked_again(monkeypatch, journal):
    """Run lasso on a generated table; return the outcome, and what was asked and learned."""
    seen = []

    def ask(jobs, *arguments, **settings):
        before = len(journal.read_text().splitlines()) if journal.is_file() else 0
        found = original(jobs, *arguments, **settings)
        after = len(journal.read_text().splitlines()) if journal.is_file() else 0
        seen.append(after - before)
        return found

    original = run.run_all
    with monkeypatch.context() as patch:
        patch.setattr(run, "run_all", ask)
        found = run_table(
            generated_tables()["mixed"], [ALL, LASSO], Results(journal),
            n_splits=1, limit=60, workers=1,
        )  # fmt: skip
    return found, sum(seen), len(journal.read_text().splitlines())


def test_a_run_goes_on_where_it_was(tmp_path, monkeypatch):
    journal = tmp_path / "journal.jsonl"
    first, n_asked, n_lines = asked_again(monkeypatch, journal)
    assert n_asked == 1
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[: len(lines) // 2]))
    second, n_asked, n_again = asked_again(monkeypatch, journal)
    assert (second, n_asked, n_again) == (first, 0, n_lines)
    Results(journal).drop(lambda one: one.get("peer") == LASSO.peer.adapter)
    third, n_asked, _ = asked_again(monkeypatch, journal)
    assert n_asked == 1
    assert [each.columns for each in third.answers["lasso"]] == [
        each.columns for each in first.answers["lasso"]
    ]


def test_answers_of_other_sources_are_not_used_and_counted(tmp_path, capsys):
    journal = tmp_path / "journal.jsonl"
    Results(journal).add("old", {"peer": SELECT.peer.adapter, "versions": "0.0", "columns": []})
    told = ["--quick", "--methods", "select", "--tables", "no-such", "--journal", str(journal)]
    with pytest.raises(SystemExit, match="no table"):
        main(told)
    said = capsys.readouterr().err
    assert "1 answers of select are of another version and are not used" in said
    assert "no-such is left out" in said
    with pytest.raises(SystemExit, match="no table"):
        main([*told, "--again", "select"])
    assert "1 answers are forgotten" in capsys.readouterr().err
    assert journal.read_text() == ""


def test_what_is_told_gives_the_same_run_again_without_naming_the_folder(tmp_path):
    options = read_options(["--methods", "lasso", "--splits", "2", "--data", str(tmp_path)])
    assert [method.name for method in options.methods] == ["all", "lasso"]
    assert options.told == "--methods lasso --splits 2 --data FOLDER"
    assert read_options(["--quick"]).n_splits == 1


@pytest.fixture
def no_folder(monkeypatch):
    monkeypatch.delenv("THRESHER_DATA", raising=False)


@pytest.mark.usefixtures("no_folder")
def test_a_quick_run_writes_pages_that_say_so(tmp_path, capsys):
    main(
        ["--quick", "--methods", "lasso", "--tables", "digits", "masked", "--workers", "1",
         "--journal", str(tmp_path / "journal"), "--save", str(tmp_path / "pages")]
    )  # fmt: skip
    record = json.loads((tmp_path / "pages" / "bench-real.json").read_text())
    assert record["command"].startswith('make bench-real ARGS="--quick ')
    assert [row["method"] for row in record["rows"]] == ["all", "lasso"]
    assert record["rows"][0]["boosting"] == 1.0
    assert "## Real tables" in capsys.readouterr().out
    assert "bench-real-halves" in (tmp_path / "pages" / "index.md").read_text()
