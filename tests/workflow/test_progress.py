"""What a person sees while a selection runs."""

import io

import pytest
from rich.console import Console

from thresher.run import Step
from thresher.workflow import Watcher, read_budget, watcher_for
from thresher.workflow._progress import Display


@pytest.fixture
def display():
    return Display()


def lines(display, width=100):
    console = Console(file=io.StringIO(), width=width)
    console.print(display._progress.get_renderable())
    return console.file.getvalue().splitlines()


def test_a_stage_without_an_end_is_not_taken_for_finished(display):
    display.stage("round 1: masking", 20, 20)
    display.stage("round 1: elimination", 31, None)
    [line] = lines(display)
    assert "round 1: elimination" in line
    assert line.rstrip().endswith("left")  # nobody knows how much
    assert not display._progress.finished


def test_words_give_way_to_times_in_a_narrow_terminal(display):
    display.limit(read_budget("5m"))
    display.stage("a stage with quite a long name, longer than there is room for", 1, 2)
    [line] = lines(display, width=60)
    assert "a stage" in line
    assert "0:00:0" in line
    assert "left" in line
    assert len(line) <= 60


def test_several_runs_have_a_bar_of_their_own(display):
    display.run("selection", 0, 1)
    assert len(lines(display)) == 1
    display.run("validation, fold 1 of 5", 1, 6)
    assert len(lines(display)) == 2
    assert "validation, fold 1 of 5" in lines(display)[-1]


def test_steps_show_the_loss(display):
    step = Step(0, frozenset({1, 2}), None, 0.25, 0.01, 5, 17, 1.0, n_steps=4)
    assert display(step) is None
    assert "step 1: 2 variables, loss 0.25" in lines(display)[0]


def test_who_watches(monkeypatch):
    assert type(watcher_for(False)) is Watcher
    assert isinstance(watcher_for(True), Display)
    assert type(watcher_for("auto")) is Watcher  # stderr of a test is no terminal
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert isinstance(watcher_for("auto"), Display)
    own = Watcher()
    assert watcher_for(own) is own


def test_names_of_files_do_not_control_the_terminal(display):
    display.stage("reading \x1b[2J\x07.csv", 0, None)
    [line] = lines(display)
    assert "reading \\x1b[2J\\x07.csv" in line
