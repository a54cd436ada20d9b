"""The sentence about what a selection has shown: no more than that."""

import pytest

from tests.report import contents
from thresher.report import claim


def chosen(size, **changes):
    """The content with another chosen point, and that point changed."""
    content = contents.enough()
    content["path"]["chosen"] = size
    point = next(own for own in content["path"]["points"] if own["n_columns"] == size)
    point.update(changes)
    content["selected"] = content["path"]["order"][:size]
    return content


def test_a_smaller_set_that_is_enough():
    assert str(claim(contents.enough())) == (
        "4 of 20 columns predict as well as all (loss 0.204, all 0.201; at most 3 % worse than the "
        "best set with 90 % confidence)"
    )


def test_one_column_predicts():
    told = claim(chosen(1, verdict="enough", at_most=0.012))
    assert told.lead == "1 of 20 columns predicts as well as all"
    assert "at most 1.2 % worse" in told.detail


def test_the_best_set_needs_no_bound():
    told = str(claim(chosen(8)))
    assert told == (
        "8 of 20 columns predict as well as all (loss 0.2, all 0.201; the lowest loss of all sets "
        "tried)"
    )
    assert "; no worse than the best set with 90 % confidence" in str(claim(chosen(4, at_most=0.0)))


def test_better_than_all_needs_bands_that_do_not_meet():
    content = chosen(8)
    content["path"]["points"][-1] |= {"loss": 0.3, "low": 0.21, "high": 0.4}
    assert claim(content).lead == "8 of 20 columns predict as well as all"
    content["path"]["points"][-1]["low"] = 0.19
    assert claim(content).lead == "8 of 20 columns predict as well as all"
    content["path"]["points"][-1]["low"] = None
    assert claim(content).lead == "8 of 20 columns predict as well as all"


def test_sets_asked_for_that_are_not_enough():
    assert claim(chosen(2)).lead == "2 of 20 columns predict worse than the best set"
    told = claim(chosen(1))
    assert told.lead == "the rows cannot tell whether 1 of 20 columns predicts as well as all"
    assert told.detail.endswith("the rows do not bound how much worse than the best set that is")
    assert claim(chosen(0)).lead == "0 of 20 columns predict worse than the best set"


@pytest.mark.parametrize(
    ("smaller", "told"),
    [
        ("cannot tell", "all 20 columns are kept: the rows cannot tell whether fewer are enough"),
        ("not enough", "all 20 columns are kept: fewer predict worse"),
        ("enough", "all 20 columns are kept; 0 predict as well"),
    ],
)
def test_all_columns(smaller, told):
    content = chosen(20)
    for point in content["path"]["points"][:-1]:
        point["verdict"] = smaller
    assert str(claim(content)) == f"{told} (loss 0.201)"


def test_all_informative_columns():
    content = chosen(8)
    content["path"]["points"] = content["path"]["points"][2:5]
    content["path"]["points"][1]["verdict"] = "cannot tell"
    assert claim(content).lead == (
        "all 8 informative columns of 20 are kept: the rows cannot tell whether fewer are enough"
    )
    content["path"]["points"] = content["path"]["points"][-1:]
    assert claim(content).lead == "all 8 informative columns of 20 are kept"


def test_no_column_is_an_answer():
    told = str(claim(chosen(0, verdict="enough", at_most=0.01)))
    assert told == "no column is shown to predict better than none (loss 0.69, all 0.201)"
    unsure = claim(chosen(0, verdict="cannot tell"))
    assert unsure.lead == "no column is shown to predict better than none"
    content = chosen(0)
    content["path"] |= {"points": content["path"]["points"][:1], "best": 0}
    assert str(claim(content)) == "no column is shown to predict better than none (loss 0.69)"


def test_proofs_have_their_level():
    proved = contents.enough() | {"goal": "explain", "selected": ["x0", "x1"]}
    assert str(claim(proved)) == "2 of 20 columns are proved to matter (family-wise level 5 %)"
    assert str(claim(proved | {"settings": {}})) == "2 of 20 columns are proved to matter"
    nothing = contents.nothing() | {"goal": "all-relevant"}
    assert str(claim(nothing)) == "none of 2 columns is proved to matter"


def test_without_evidence_columns_are_counted():
    assert str(claim(contents.ace())) == "3 of 7 columns selected"
    assert str(claim(contents.nothing())) == "none of 2 columns selected"
