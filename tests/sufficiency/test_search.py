"""From all columns to the fewest that are enough."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsClassifier

from tests.sufficiency.tables import FOLDS, N_ROWS, problem_of, signals, target
from thresher.ace import make_sample
from thresher.columns import with_groups
from thresher.journal import NO_JOURNAL, opened
from thresher.sufficiency import find_sufficient
from thresher.sufficiency._design import make_design
from thresher.sufficiency._learners import BoostedTrees, LinearModel
from thresher.sufficiency._paths import Workplace, path_from_all, path_of_proved


def same(one, other):
    assert (one.choice, one.order, one.clusters) == (other.choice, other.order, other.clusters)
    assert one.rises == other.rises


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_what_matters_is_enough(n_classes):
    X, number = signals(8)
    problem, columns = problem_of(X, target(number, n_classes), n_classes)
    found = find_sufficient(problem, columns, proved=frozenset({0, 1}))
    assert {0, 1} <= set(found.chosen)
    assert sorted(found.order) == list(range(8))
    assert found.choice.at(found.choice.chosen).verdict == "enough"
    assert found.loss == ("log" if n_classes else "squared")
    assert set(found.rises) == set(found.chosen)
    assert found.rises[0] == max(found.rises.values()) > 0.2


def test_neither_workers_nor_a_second_call_change_anything():
    X, number = signals(8)
    problem, columns = problem_of(X, target(number, 2), 2)
    first = find_sufficient(problem, columns, n_jobs=1)
    same(find_sufficient(problem, columns, n_jobs=2), first)
    same(find_sufficient(problem, columns), first)


@pytest.mark.parametrize("seed", range(3))
def test_of_noise_nothing_is_enough(seed):
    rng = np.random.default_rng(seed)
    problem, columns = problem_of(rng.normal(size=(N_ROWS, 10)), rng.normal(size=N_ROWS))
    found = find_sufficient(problem, columns)
    assert found.chosen == ()
    assert found.choice.chosen == 0


def test_what_no_test_has_proved_may_be_enough_beyond_doubt():
    X, number = signals(6)
    found = find_sufficient(*problem_of(X, number))
    assert {0, 1} <= set(found.chosen)


def test_copies_are_exchanged_for_those_that_stand_for_them():
    X, number = signals(4)
    gaps = X[:, 0].copy()
    gaps[:3] = np.nan
    frame = pd.DataFrame({"gaps": gaps, "b": X[:, 1], "c": X[:, 2], "whole": X[:, 0]})
    problem, columns = problem_of(frame, number)
    found = find_sufficient(problem, columns, proved=frozenset({0, 1}))
    assert (3, 0) in found.clusters
    assert 3 in found.chosen


@pytest.mark.parametrize("estimator", [Ridge(), KNeighborsClassifier()])
def test_an_estimator_judges_along_the_path(estimator):
    X, number = signals(6)
    is_ridge = isinstance(estimator, Ridge)
    y = number if is_ridge else target(number, 2)
    problem, columns = problem_of(X, y, 0 if is_ridge else 2)
    found = find_sufficient(problem, columns, estimator=estimator, y=y)
    assert found.choice.learner == type(estimator).__name__
    assert found.loss == ("squared" if is_ridge else "brier")
    assert 0 in found.chosen


@pytest.mark.parametrize("most", [0, 1, 2, 3])
def test_no_more_columns_than_allowed(most):
    X, number = signals(6)
    problem, columns = problem_of(X, number)
    found = find_sufficient(problem, columns, proved=frozenset({0, 1, 2}), most=most)
    assert len(found.chosen) == most
    assert found.chosen == found.order[:most]


@pytest.mark.parametrize(("most", "chosen"), [(1, ()), (2, (0,)), (3, (0, 1))])
def test_the_columns_of_a_group_count(most, chosen):
    X, number = signals(4)
    frame = pd.DataFrame(X, columns=list("abcd"))
    _, columns = problem_of(frame, number)
    grouped = with_groups(columns, {"pair": ["a", "d"]}, ())
    problem, _ = make_sample(grouped, number, 0, np.ones(N_ROWS), N_ROWS, seed=0)
    first = next(v for v, members in enumerate(grouped.variables) if len(members) == 2)
    found = find_sufficient(problem, grouped, proved=frozenset({0, 1}), most=most)
    names = [sorted(grouped.names[p] for p in grouped.variables[v]) for v in found.chosen]
    assert [len(own) for own in names] == [2, 1][: len(chosen)]
    assert not chosen or found.chosen[0] == first


def test_columns_asked_for_stay():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(N_ROWS, 5)), columns=list("abcde"))
    y = rng.normal(size=N_ROWS)
    _, columns = problem_of(frame, y)
    kept = with_groups(columns, None, ["d"])
    problem, _ = problem_of(frame, y)
    found = find_sufficient(problem, kept)
    assert found.chosen == (3,)
    assert [own.size for own in found.choice.sizes] == [1, 2, 3, 4, 5]


def test_a_journal_spares_the_path(tmp_path, monkeypatch):
    X, number = signals(6)
    problem, columns = problem_of(X, number)
    tried = []
    for kind in (BoostedTrees, LinearModel):
        genuine = kind.try_sets

        def try_sets(self, sets, fold_of_row, genuine=genuine):
            tried.append(len(sets[0]))
            return genuine(self, sets, fold_of_row)

        monkeypatch.setattr(kind, "try_sets", try_sets)

    def run():
        tried.clear()
        with opened(tmp_path / "run.db") as journal:
            found = find_sufficient(problem, columns, journal=journal)
        return found, len(tried)

    first, n_first = run()
    again, n_again = run()
    same(again, first)
    assert n_first > 2 * (7 + 6), "both learners, each size, in folds and on all rows"
    assert n_again == 0


def test_proved_columns_that_the_first_path_ends_with_need_no_path_of_their_own():
    X, number = signals(6)
    problem, columns = problem_of(X, number)
    stages = []
    find_sufficient(
        problem, columns, proved=frozenset({0, 1}),
        progress=lambda stage, done, total: stages.append(stage),
    )  # fmt: skip
    assert not any(stage.startswith("proved") for stage in stages)


def test_each_stage_is_told_and_may_end_it():
    X, number = signals(6)
    problem, columns = problem_of(X, number)
    stages = []
    find_sufficient(
        problem, columns, proved=frozenset({0, 5}), estimator=Ridge(), y=number,
        progress=lambda stage, done, total: stages.append(stage),
    )  # fmt: skip
    assert list(dict.fromkeys(stages)) == [
        "fewer columns, fold by fold",
        "fewer columns, on all rows",
        "proved columns, fold by fold",
        "proved columns, on all rows",
        "fitting Ridge",
        "leaving out each column",
    ]

    def stop(stage, done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        find_sufficient(problem, columns, progress=stop)


@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_added_to_a_proof_that_predicts_nothing(seed):
    # as if the test had erred on a table of noise
    rng = np.random.default_rng(seed)
    problem, columns = problem_of(rng.normal(size=(N_ROWS, 10)), rng.normal(size=N_ROWS))
    assert set(find_sufficient(problem, columns, proved=frozenset({4})).chosen) <= {4}


def test_beyond_what_is_proved_losses_are_those_of_the_path_from_all():
    # all rows order what is added to the proved variables: those sets would look too good
    X, number = signals(6)
    problem, columns = problem_of(X, number)
    linear = [LinearModel(problem, make_design(columns))]
    place = Workplace(
        linear, linear, FOLDS, frozenset(), lambda _: lambda _done, _total: None, NO_JOURNAL
    )
    everything = path_from_all(place, 6)
    path = path_of_proved(place, frozenset({1, 5})).continued_by(everything)
    assert set(path.order[:2]) == {1, 5}
    assert path.order[2:] == tuple(v for v in everything.order if v not in (1, 5))
    assert sorted(path.sets) == list(range(7))
    for size in range(7):
        losses, others = (own.losses["linear model"][size] for own in (path, everything))
        assert np.array_equal(losses, others) == (size in (0, *range(3, 7)))
        assert (path.sets[size] == everything.sets[size]) == (size in (0, *range(3, 7)))
