"""The head of the page, and where it comes from."""

import pytest

from tests.report import contents
from thresher.report import summarise


def test_the_title_counts_columns():
    assert summarise(contents.ace()).headline.title == "3 of 7 columns selected"
    assert summarise(contents.wrapper(12)).headline.title == "1 of 12 columns selected"
    assert summarise(contents.nothing()).headline.title == "None of 2 columns selected"


@pytest.mark.parametrize("ending", ["budget", "interrupted", "stopped", "struck by lightning"])
def test_a_run_that_was_cut_short_says_so(ending):
    content = contents.wrapper()
    content["settings"]["ending"] = ending
    assert "best that was known by then" in summarise(content).headline.notice


def test_a_complete_run_needs_no_notice():
    assert summarise(contents.ace()).headline.notice == ""


def test_evidence_of_ace_is_in_multiples_of_the_threshold():
    first, second, _ = summarise(contents.ace()).headline.evidence
    assert first.words == ("100 \N{MULTIPLICATION SIGN} threshold", "p < 1e-16")
    assert second.words[-1] == "stands for 2 others"


def test_evidence_of_others_is_their_reason():
    content = contents.wrapper()
    content["verdicts"][0]["reason"] = "kept: it lowers the loss by 0.3"
    assert summarise(content).headline.evidence[0].words == ("kept: it lowers the loss by 0.3",)


def test_how_sure_names_level_and_extrapolation():
    told = summarise(contents.ace()).headline.sureness
    assert told == (
        "The p-values of the relevant columns: < 1e-16 to 0.0012, tested at level 0.05",
        "P-values below 0.048 are extrapolated from 20 replicates",
    )


def test_how_sure_tells_validation_and_stability():
    told = summarise(contents.validated()).headline.sureness
    assert told[-2:] == (
        "On rows not used for the selection: no worse than all columns, as far as 569 rows can "
        "tell; better than as many columns drawn at random; better than chance",
        "Stability 0.71 over 4 repetitions: fair to good agreement",
    )


def test_the_loss_is_that_of_rows_not_used_if_there_is_one():
    searched = summarise(contents.wrapper(12)).headline.figures[0]
    assert (searched.label, searched.value) == ("loss", "0.21")
    assert "as the search saw it" in searched.note
    validated = summarise(contents.validated()).headline.figures[0]
    assert validated.value == "0.05"
    assert validated.note == "0.03 to 0.07; share of rows predicted wrongly, on rows not used"


def test_supporting_columns_are_told_from_proved_ones():
    head = summarise(contents.enough()).headline
    assert head.counts == {"relevant": 2, "supporting": 2, "redundant": 1, "irrelevant": 15}
    assert head.sureness[0].startswith("2 of the 4 selected columns are proved to matter")
    assert head.evidence[2].words == ("supporting", "without it log loss rises by 0.01")
    assert head.evidence[0].words[-1] == "stands for 2 others"


def test_the_loss_is_that_of_the_chosen_set():
    own = summarise(contents.enough()).headline.figures[0]
    assert (own.label, own.value) == ("loss", "0.204")


def test_a_run_can_be_repeated_from_its_settings():
    own = summarise(contents.ace()).provenance
    assert own.code.startswith("ACE(\n    alpha=0.05,")
    assert "seed" not in own.code
    assert "same selection" in own.repeat
    assert "drew the seed 17" in summarise(contents.wrapper()).provenance.repeat
    assert summarise(contents.two_stages()).provenance.code == ""
