"""Rankings by gain ratio, and their cut by score, number or learner."""

import re

import numpy as np
import pytest
from sklearn.base import is_classifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from tests.filters.tables import messy, numbers, verdicts
from tests.naive.information import entropies
from thresher.filters import GainRatio

SCORES = ["gain-ratio", "information-gain", "symmetrical-uncertainty"]


def ranked(found):
    return np.argsort(-found.scores_, kind="stable")


@pytest.mark.parametrize("score", SCORES)
def test_scores_are_those_of_the_definition(score):
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=150)
    X = np.column_stack([(y + rng.integers(k, size=150)) % 7 for k in (1, 2, 3, 5, 7)])
    found = GainRatio(criterion=score, cuts=10).fit(X.astype(float), y)
    for column, value in zip(X.T, found.scores_, strict=True):
        h_y, h_x, h_both = entropies(y.tolist(), column.tolist())
        gain = h_y + h_x - h_both
        whole = {"gain-ratio": h_x, "information-gain": 1.0}.get(score, (h_y + h_x) / 2)
        assert value == pytest.approx(gain / whole, abs=1e-12)


@pytest.mark.parametrize("n", [1, 3, 8])
def test_a_number_takes_the_best(n):
    X, y, _ = numbers()
    found = GainRatio(n_features=n, cuts=5).fit(X, y)
    assert set(np.flatnonzero(found.support_)) == set(ranked(found)[:n].tolist())
    assert found.selection_.selected == tuple(f"x{p}" for p in ranked(found)[:n])


@pytest.mark.parametrize("threshold", [-1.0, 0.0, 0.02, 0.1, 2.0])
def test_a_threshold_takes_what_is_higher(threshold):
    X, y, _ = numbers()
    found = GainRatio(threshold=threshold, cuts=5).fit(X, y)
    assert np.array_equal(found.support_, found.scores_ > threshold)


def test_reasons_tell_score_rank_and_bar():
    X, y, _ = numbers()
    found = GainRatio(n_features=3, cuts=5).fit(X, y)
    for rank, p in enumerate(ranked(found), start=1):
        verdict = verdicts(found)[f"x{p}"]
        score, place, bar = re.fullmatch(
            r"gain ratio ([\d.e-]+), rank (\d+): (.*)", verdict.reason
        ).groups()
        assert float(score) == pytest.approx(found.scores_[p], rel=0.01)
        assert int(place) == rank
        assert bar == ("among the best 3" if rank <= 3 else "not among the best 3")


def test_kept_columns_count():
    X, y, _ = numbers()
    found = GainRatio(n_features=3, cuts=5, keep=[0, 2]).fit(X, y)
    assert found.support_[[0, 2, 1]].all()
    assert found.n_features_ == 3
    assert GainRatio(n_features=1, cuts=5, keep=[0, 2]).fit(X, y).n_features_ == 2


def brute_force(estimator, X, y, order, cv, loss):
    """Mean loss of each beginning of a ranking."""
    losses = {}
    for n in range(1, len(order) + 1):
        some = X[:, sorted(order[:n])]
        if loss == "log":
            proba = cross_val_predict(estimator, some, y, cv=cv, method="predict_proba")
            losses[n] = log_loss(y, proba)
            continue
        predicted = cross_val_predict(estimator, some, y, cv=cv)
        wrong = predicted != y if is_classifier(estimator) else (predicted - y) ** 2
        losses[n] = float(np.mean(wrong))
    return losses


@pytest.mark.parametrize(
    ("estimator", "loss"),
    [
        (GaussianNB(), None),
        (GaussianNB(), "log"),
        (DecisionTreeClassifier(max_depth=3, random_state=0), None),
        (make_pipeline(StandardScaler(), LogisticRegression()), None),
        (LinearRegression(), None),
    ],
    ids=["bayes", "bayes log", "tree", "pipeline", "linear"],
)
def test_the_learner_cuts_where_brute_force_does(estimator, loss):
    X, classes, y = numbers(n_columns=7)
    target = classes if is_classifier(estimator) else y
    cv = list(StratifiedKFold(4).split(X, classes))
    found = GainRatio(estimator, cv=cv, loss=loss, cuts=5).fit(X, target)
    order = ranked(found)[: (found.scores_ > 0).sum()].tolist()
    losses = brute_force(estimator, X, target, order, cv, loss)
    trace = {step["n_variables"]: step["loss"] for step in found.selection_.trace}
    assert trace == pytest.approx(losses, rel=1e-6)
    best = min(losses, key=lambda n: (round(losses[n], 10), n))
    assert set(np.flatnonzero(found.support_)) == set(order[:best])
    assert [s["n_variables"] for s in found.selection_.trace if s["chosen"]] == [best]


def test_reasons_tell_the_loss_of_more():
    X, y, _ = numbers()
    found = GainRatio(GaussianNB(), cuts=5).fit(X, y)
    losses = {step["n_variables"]: step["loss"] for step in found.selection_.trace}
    n_best = found.n_features_
    for rank, p in enumerate(ranked(found), start=1):
        reason = verdicts(found)[f"x{p}"].reason
        assert f"rank {rank}: the loss is lowest with the first {n_best}" in reason
        if rank > n_best and losses[rank] > losses[n_best]:
            assert f", by {losses[rank] - losses[n_best]:.3g}" in reason
    assert losses[n_best] == min(losses.values())


def test_a_scorer_in_place_of_a_loss():
    X, y, _ = numbers()
    found = GainRatio(GaussianNB(), scoring="roc_auc", cuts=5, cv=StratifiedKFold(5)).fit(X, y)
    order = ranked(found)
    for step in found.selection_.trace:
        some = X[:, np.sort(order[: step["n_variables"]])]
        scores = cross_val_score(GaussianNB(), some, y, scoring="roc_auc", cv=StratifiedKFold(5))
        assert step["loss"] == pytest.approx(-scores.mean(), abs=1e-9)


def test_a_range_of_numbers():
    X, y, _ = numbers()
    found = GainRatio(GaussianNB(), n_features=(3, 4), cuts=5).fit(X, y)
    assert found.n_features_ in (3, 4)
    assert {step["n_variables"] for step in found.selection_.trace} == {3, 4}


def test_a_range_beyond_what_is_above_the_threshold():
    X, y, _ = numbers()
    assert GainRatio().fit(X, y).n_features_ < 4
    found = GainRatio(GaussianNB(), n_features=(4, 6)).fit(X, y)
    assert 4 <= found.n_features_ <= 6


def test_encoding_makes_learners_take_messy_tables():
    X, y = messy()
    found = GainRatio(GaussianNB(), encode=True).fit(X, y)
    assert {"x", "city"} <= set(found.selection_.selected)
    with pytest.raises(ValueError, match="'colour', 'gaps' have missing values"):
        GainRatio(GaussianNB()).fit(X, y)


def test_with_a_number_no_learner_is_asked():
    X, y, _ = numbers()
    found = GainRatio(GaussianNB(), n_features=2).fit(X, y)
    assert found.n_features_ == 2
    assert found.selection_.trace == ()
    X = np.where(X == X[0, 0], np.nan, X)  # nor need it take the table
    assert found.fit(X, y).transform(X).shape == (len(X), 2)


def test_the_end_of_a_budget():
    X, y, _ = numbers()
    message = "GainRatio has spent its budget after 2 evaluations"
    with pytest.warns(UserWarning, match=message):
        found = GainRatio(GaussianNB(), max_evaluations=2, cuts=5).fit(X, y)
    assert 1 <= found.n_features_ <= 2
    assert found.selection_.settings["ending"] == "budget"
    for verdict in found.selection_.verdicts:
        assert "lowest" not in verdict.reason  # nobody knows
        assert "cut short" in verdict.reason


@pytest.mark.parametrize("n_features", ["auto", (2, 3)])
def test_no_time_at_all(n_features):
    X, y, _ = numbers()
    with pytest.warns(UserWarning, match="GainRatio has spent its budget"):
        found = GainRatio(GaussianNB(), max_time=1e-9, n_features=n_features).fit(X, y)
    assert not found.support_[found.scores_ == 0].any()
    assert 1 <= found.n_features_ <= 3


def ranked_table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    return X, (X[:, 0] + 0.5 * X[:, 3] + 0.5 * rng.normal(size=200) > 0).astype(int)


def test_what_is_kept_does_not_count_as_something_to_choose_from():
    X, y = ranked_table()
    found = GainRatio(GaussianNB(), threshold=0.95, keep=(2,)).fit(X, y)
    assert found.support_[[0, 2]].all()
    assert "cut short" not in found.selection_.verdicts[0].reason
    assert found.selection_.verdicts[0].reason.startswith("gain ratio")
    assert "rank 1" in found.selection_.verdicts[0].reason


def test_columns_that_the_learner_never_saw_are_told_so():
    X, y = ranked_table()
    found = GainRatio(GaussianNB(), n_features=(1, 1)).fit(X, y)
    assert found.support_.tolist() == [True, False, False, False]
    reason = found.selection_.verdicts[3].reason
    assert "not among the 1 that the learner was to choose from" in reason


def test_kept_columns_take_places_that_others_would_have_had():
    X, y = ranked_table()
    found = GainRatio(n_features=2, keep=(2,)).fit(X, y)
    assert found.support_.tolist() == [True, False, True, False]
    best, _, _, second = (verdict.reason for verdict in found.selection_.verdicts)
    assert best.endswith("rank 1: among the best 1 beside the 1 to keep")
    assert second.endswith("rank 2: not among the best 1 beside the 1 to keep")


def test_a_range_needs_somebody_to_choose():
    X, y = ranked_table()
    with pytest.raises(ValueError, match=r"n_features=\(1, 2\) is a range for an estimator"):
        GainRatio(n_features=(1, 2)).fit(X, y)
