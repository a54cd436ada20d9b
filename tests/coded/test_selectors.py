"""What is selected from codes is what is selected from the same bins in memory."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from thresher import ACE, RVErS, Stepwise
from thresher.coded import code_dataset
from thresher.columns import CodedColumns, Codes, Labels
from thresher.evaluators import evaluator_for, make_target
from thresher.filters import CFS, FCBF, GainRatio, GramSchmidt, ReliefF
from thresher.learners import DiscreteNB


@pytest.fixture(params=["bought", "score"])
def table(request, folder):
    other = {"bought": "score", "score": "bought"}[request.param]
    return code_dataset(folder, request.param, drop=[other])


def labels_of(y):
    return y.labels() if isinstance(y, Labels) else y


def verdicts(selector):
    return [(v.name, v.kind, v.reason) for v in selector.selection_.verdicts]


FILTERS = [
    GainRatio(),
    GainRatio(cuts=7, missing="separate", criterion="information-gain"),
    GainRatio(feature_groups={"pair": ["x0", "hue"]}, keep=["same"]),
    FCBF(),
    FCBF(cuts=4, missing="separate"),
    CFS(),
    CFS(correlation="symmetrical-uncertainty"),
    ReliefF(random_state=0),
    GramSchmidt(),
]


@pytest.mark.parametrize("selector", FILTERS, ids=repr)
def test_filters_find_the_same(selector, table):
    ours = selector.fit(table.X, table.y)
    found, scores = verdicts(ours), ours.scores_
    theirs = selector.fit(table.X.plain(), labels_of(table.y))
    assert found == verdicts(theirs)
    np.testing.assert_allclose(scores, theirs.scores_, rtol=1e-9, atol=1e-12)


LEARNERS = [
    DiscreteNB(),
    DiscreteNB(m=0, n_bins=4, binning="width", prior="laplace"),
    DiscreteNB(m="levels", n_bins=100, prior="uniform"),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("loss", ["zero_one", "log"])
def test_losses_of_naive_bayes_are_the_same_bit_for_bit(learner, loss, folder):
    table = code_dataset(folder, "bought", drop=["score"])
    X, plain = table.X.informative(), table.X.plain().informative()
    ours = evaluator_for(learner, X, table.y, cv=3, loss=loss)
    theirs = evaluator_for(learner, plain, table.y.labels(), cv=3, loss=loss)
    assert type(ours).__name__ == "DiscreteNBEvaluator"
    assert ours._coded.codes.dtype == np.uint8
    subsets = [set(), {0}, {1, 4}, set(range(X.n_variables)), {6, 7}]
    np.testing.assert_array_equal(ours.losses(subsets), theirs.losses(subsets))
    rows = [7, 3, 900]
    np.testing.assert_array_equal(ours.losses(subsets, rows), theirs.losses(subsets, rows))


@pytest.mark.parametrize("kind", [RVErS, Stepwise])
def test_wrappers_of_naive_bayes_find_the_same(kind, folder):
    table = code_dataset(folder, "bought", drop=["score"])
    ours = verdicts(kind(DiscreteNB(), cv=3, random_state=0).fit(table.X, table.y))
    plain, labels = table.X.plain(), table.y.labels()
    assert ours == verdicts(kind(DiscreteNB(), cv=3, random_state=0).fit(plain, labels))


def small(table, memory):
    return replace(table.X, memory=memory)


def test_too_large_a_table_of_numbers_is_refused_with_a_remedy(folder):
    table = code_dataset(folder, "bought", drop=["score", "hue", "size", "x1"])
    X = small(table, 10_000)
    for ask in (
        lambda: X.matrix,
        X.plain,
        lambda: RVErS(LogisticRegression()).fit(X, table.y),
        lambda: RVErS(LogisticRegression(), encode=True).fit(X, table.y),
    ):
        with pytest.raises(ValueError, match="memory is limited to 10 kB.*sample of the rows"):
            ask()
    with pytest.raises(ValueError, match="the losses of 5 subsets on 1200 rows would take 48 kB"):
        evaluator_for(DiscreteNB(), X.informative(), table.y).losses([{k} for k in range(5)])


def test_a_sample_of_the_rows_is_a_table_of_its_own(folder):
    table = code_dataset(folder, "bought", drop=["score"])
    rows = np.arange(0, 1200, 7)
    some = table.X.sample(rows)
    np.testing.assert_array_equal(some.codes.gather(), table.X.codes.gather(rows))
    assert some.n_rows == len(rows)
    assert some.n_missing[table.X.names.index("hue")] == sum(
        codes[-1] for codes in [some.coding[table.X.names.index("hue")].counts]
    )
    found = GainRatio().fit(some, table.y[rows])
    assert "x0" in found.selection_.selected


@pytest.mark.parametrize("selector", [ReliefF(random_state=0), GramSchmidt()], ids=repr)
def test_filters_that_need_numbers_say_that_they_look_at_a_sample(selector, folder):
    table = code_dataset(folder, "score", drop=["bought"])
    X = small(table, 45_000 * (table.X.n_columns - 1))
    with pytest.warns(UserWarning, match="a random sample of 1125 of 1200 rows"):
        selector.fit(X, table.y)
    assert "x0" in selector.selection_.selected


def test_codes_are_taken_for_no_array(folder):
    table = code_dataset(folder, "score", drop=["bought"])
    with pytest.raises(ValueError, match="codes are no table of numbers"):
        np.asarray(table.X.table)


def test_labels_stand_for_classes_whatever_their_number():
    labels = Labels(np.array([2, 0, 2, 2]), ["a", "b", "c"])
    target = make_target(labels, classifier=True)
    assert target.values.tolist() == [1, 0, 1, 1]
    assert target.n_classes == 2
    with pytest.raises(ValueError, match="only 1 class, 'c'"):
        make_target(labels[2:], classifier=True)
    grades = Labels(np.array([1, 0]), [1, 5])
    assert make_target(grades, classifier=False).values.tolist() == [5.0, 1.0]


def test_codes_in_memory_are_as_good_as_those_in_a_file(folder):
    table = code_dataset(folder, "bought", drop=["score"])
    held = Codes(table.X.n_columns, table.n_rows, array=table.X.codes.gather())
    X = replace(table.X, table=held)
    assert isinstance(X, CodedColumns)
    ours, theirs = (FCBF().fit(own, table.y) for own in (X, table.X))
    assert verdicts(ours) == verdicts(theirs)


def test_a_journal_knows_a_coded_table_again(table, tmp_path):
    from thresher.journal import JournalError, peek

    ace = ACE(n_trees=10, max_samples=300, random_state=0, journal=tmp_path / "run.db")
    first = ace.fit(table.X, table.y).selection_
    n_results = peek(tmp_path / "run.db").n_results
    assert ace.fit(table.X, table.y).selection_.verdicts == first.verdicts
    assert peek(tmp_path / "run.db").n_results == n_results
    fewer = table.X.only(np.arange(table.X.n_columns - 1))
    with pytest.raises(JournalError, match="is missing now"):
        ace.fit(fewer, table.y)
