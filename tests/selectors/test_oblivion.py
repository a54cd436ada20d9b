"""OBLIVION: its steps against the naive twin, what it finds, and that it predicts."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tests.naive import oblivious as naive
from thresher import Oblivion
from thresher.datasets import make_boolean_concept
from thresher.learners import ObliviousTree, ObliviousTreeRegressor


def noisy_concept(concept, n_irrelevant, n_rows, noise, seed):
    """Return a table in random order of columns, its classes, and where the relevant ones are."""
    data = make_boolean_concept(concept, n_irrelevant, n_rows=n_rows, random_state=seed)
    rng = np.random.default_rng(seed)
    order = rng.permutation(data.X.shape[1])
    y = np.where(rng.random(n_rows) < noise, 1 - data.y, data.y)
    return data.X[:, order], y, np.flatnonzero(order < 3).tolist()


def table_of(kind, seed):
    rng = np.random.default_rng([seed, len(kind)])
    X = rng.integers(0, 2 if kind == "bits" else 4, (24, 5)) * 1.0
    y = (X[:, 0] * X[:, 3] + X[:, 4] > 2.0 * (kind != "bits")).astype(int)
    if kind == "numbers":
        X = X + rng.normal(0.0, 0.2, X.shape)
    if kind == "levels":
        frame = pd.DataFrame(np.array(list("abcd"))[X.astype(int)], columns=list("pqrst"))
        return frame.mask(rng.random(X.shape) < 0.1), y
    return X, y


def steps_of(selector, X, y):
    """Columns and errors of each subset that the search moved to."""
    seen = []
    selector.observe(seen.append).fit(X, y)
    return [(tuple(sorted(step.winner)), round(step.loss * len(y))) for step in seen]


@pytest.mark.parametrize("kind", ["bits", "levels", "numbers"])
@pytest.mark.parametrize("seed", range(2))
def test_every_step_is_that_of_the_naive_twin(kind, seed):
    X, y = table_of(kind, seed)
    rows = (X.to_numpy(dtype=object) if kind == "levels" else X).tolist()
    rows = [tuple(None if pd.isna(cell) else cell for cell in row) for row in rows]
    assert not any(len(set(cells)) == 1 for cells in zip(*rows, strict=True))
    expected = naive.eliminate(rows, y.tolist(), to_the_end=True)
    assert steps_of(Oblivion(), X, y) == expected
    moved = naive.eliminate(rows, y.tolist())
    paper = Oblivion(strategy="paper")
    assert steps_of(paper, X, y)[: len(moved)] == moved
    assert np.flatnonzero(paper.support_).tolist() == list(moved[-1][0])
    best = Oblivion(rule="best").fit(X, y)
    fewest = min(count for _, count in expected)
    smallest = next(columns for columns, count in reversed(expected) if count == fewest)
    assert np.flatnonzero(best.support_).tolist() == list(smallest)


@pytest.mark.parametrize("concept", ["conjunction", "m-of-n", "parity-like"])
def test_relevant_bits_are_found_among_many(concept):
    X, y, relevant = noisy_concept(concept, 40, 300, 0.0, 0)
    selector = Oblivion().fit(X, y)
    assert np.flatnonzero(selector.support_).tolist() == relevant
    assert selector.score(X, y) == 1.0


def test_going_on_to_the_end_finds_what_the_papers_stop_misses_in_noise():
    hits = dict.fromkeys(("improved", "paper"), 0)
    for seed in range(6):
        X, y, relevant = noisy_concept("parity-like", 9, 200, 0.1, seed)
        for strategy in hits:
            chosen = Oblivion(strategy=strategy).fit(X, y).support_
            hits[strategy] += np.flatnonzero(chosen).tolist() == relevant
    assert hits["improved"] >= 5
    assert hits["paper"] <= 3


def test_a_race_finds_the_same_with_fewer_losses():
    X, y, relevant = noisy_concept("parity-like", 5, 400, 0.0, 1)
    raced = Oblivion(judge="brace", random_state=0).fit(X, y)
    whole = Oblivion().fit(X, y)
    assert np.flatnonzero(raced.support_).tolist() == relevant
    assert raced.selection_.cost.losses < 0.7 * whole.selection_.cost.losses


def test_regression_on_numbers():
    rng = np.random.default_rng(0)
    X = rng.random((200, 8))
    y = np.sin(6 * X[:, 2]) + 2 * X[:, 5] + 0.01 * rng.normal(size=200)
    selector = Oblivion().fit(X, y)
    assert isinstance(selector.estimator_, ObliviousTreeRegressor)
    assert np.flatnonzero(selector.support_).tolist() == [2, 5]
    assert selector.score(X, y) == 1.0


def test_of_equal_removals_the_first_in_the_table_goes():
    bits = np.random.default_rng(0).integers(0, 2, 40)
    X = np.column_stack([bits, bits, bits])
    selector = Oblivion().fit(X, bits)
    assert selector.support_.tolist() == [False, False, True]
    assert selector.ranking_.tolist() == [3, 2, 1]


def test_tolerance_lets_go_of_what_helps_little():
    X, y, _ = noisy_concept("m-of-n", 0, 200, 0.0, 0)
    strict = Oblivion(rule="best").fit(X, y)
    lax = Oblivion(rule="best", tolerance=0.3).fit(X, y)
    assert strict.n_features_ == 3
    assert lax.n_features_ < 3
    assert Oblivion(strategy="paper", tolerance=0.3).fit(X, y).n_features_ < 3


def test_groups_keep_and_constant_columns():
    X, y, relevant = noisy_concept("parity-like", 4, 200, 0.0, 2)
    frame = pd.DataFrame(X, columns=[f"b{j}" for j in range(7)]).assign(same=1.0)
    spare = [f"b{j}" for j in range(7) if j not in relevant]
    selector = Oblivion(keep=[spare[0]], feature_groups={"pair": spare[1:3]}).fit(frame, y)
    assert set(selector.selection_.selected) == {spare[0], *(f"b{j}" for j in relevant)}
    assert selector.selection_.verdicts[-1].reason == "constant"


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_messy_frames_are_taken_as_they_are(make):
    rng = np.random.default_rng(3)
    colour, wind = rng.choice(["red", "blue", "green"], 150), rng.normal(size=150)
    y = np.where((colour == "red") ^ (wind > 0), "go", "stay")
    table = make(
        {
            "colour": [None if k == 7 else c for k, c in enumerate(colour.tolist())],
            "noise": rng.choice(["u", "v"], 150).tolist(),
            "wind": wind.tolist(),
            "more": rng.normal(size=150).tolist(),
        }
    )
    selector = Oblivion().fit(table, y)
    assert set(selector.selection_.selected) == {"colour", "wind"}
    assert type(selector.transform(table)) is make
    assert selector.classes_.tolist() == ["go", "stay"]
    assert (selector.predict(table) == y).mean() > 0.99
    assert_array_equal(selector.predict_proba(table).shape, (150, 2))


# --- as an estimator ------------------------------------------------------------------------------


def test_it_predicts_as_its_estimator_on_the_selected_columns():
    X, y, _ = noisy_concept("parity-like", 9, 200, 0.05, 4)
    selector = Oblivion().fit(X[:150], y[:150])
    cut = selector.transform(X)
    assert_array_equal(selector.predict(X), selector.estimator_.predict(cut))
    assert_array_equal(selector.predict_proba(X), selector.estimator_.predict_proba(cut))
    assert selector.score(X[150:], y[150:]) == selector.estimator_.score(cut[150:], y[150:])


def test_it_is_what_its_estimator_or_the_target_makes_it():
    X = np.random.default_rng(0).integers(0, 2, (40, 3))
    labels, numbers = X[:, 0], X[:, 0] + 0.25 * X[:, 1] + 0.001 * np.arange(40)
    assert not is_classifier(Oblivion())
    assert not is_regressor(Oblivion())
    assert is_classifier(Oblivion().fit(X, labels))
    assert is_regressor(Oblivion().fit(X, numbers))
    assert is_classifier(Oblivion(ObliviousTree()))
    assert is_regressor(Oblivion(LinearRegression(), cv=3))
    assert not hasattr(Oblivion().fit(X, numbers), "predict_proba")
    assert is_classifier(Oblivion().fit(X, pd.array(labels, dtype="Int64")))


def test_any_estimator_will_do_in_a_pipeline_with_cross_validation():
    X, y, _ = noisy_concept("conjunction", 3, 120, 0.0, 5)
    model = make_pipeline(StandardScaler(), Oblivion(KNeighborsClassifier(3), cv=3))
    assert cross_val_score(model, X, y, cv=3).mean() > 0.85


def test_weights_reach_the_estimator():
    X, y, _ = noisy_concept("conjunction", 2, 60, 0.0, 6)
    weights = np.where(np.arange(60) < 50, 1.0, 0.0)
    selector = Oblivion(cv=3).fit(X, y, sample_weight=weights)
    assert selector.estimator_.class_count_.sum() == 50


def test_threads_change_nothing():
    X, y, _ = noisy_concept("parity-like", 12, 150, 0.1, 7)
    for judge in ("exhaustive", "brace"):
        one, two = (
            Oblivion(judge=judge, n_jobs=n_jobs, random_state=0).fit(X, y) for n_jobs in (1, 2)
        )
        assert one.selection_.verdicts == two.selection_.verdicts


def test_a_spent_budget_gives_the_best_so_far_and_a_predictor():
    X, y, relevant = noisy_concept("parity-like", 9, 200, 0.0, 8)
    with pytest.warns(UserWarning, match="spent its budget after 30 evaluations"):
        selector = Oblivion(max_evaluations=30).fit(X, y)
    assert 9 <= selector.n_features_ < 12
    assert set(relevant) <= set(np.flatnonzero(selector.support_).tolist())
    assert selector.predict(X).shape == (200,)
    assert selector.selection_.settings["ending"] == "budget"


def test_encoded_columns_have_no_predictor():
    X, y, _ = noisy_concept("conjunction", 2, 60, 0.0, 9)
    selector = Oblivion(LinearRegression(), cv=3).fit(X, y)
    assert selector.predict(X).shape == (60,)
    selector.set_params(encode=True).fit(X, y)
    assert not hasattr(selector, "estimator_")
    with pytest.raises(AttributeError, match="has no attribute 'predict'") as caught:
        selector.predict(X)
    assert "encode=True" in str(caught.value.__cause__)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"strategy": "best"}, "strategy must be 'improved' or 'paper'; got 'best'"),
        ({"rule": "smallest"}, "rule must be 'auto', 'best' or 'one-standard-error'"),
        ({"tolerance": -0.1}, "tolerance must be a number that is not negative; got -0.1"),
        ({"judge": "nobody"}, "judge must be one of"),
        ({"cv": "bootstrap"}, "cv must be 'loo'"),
        ({"loss": "squared"}, "does not fit ObliviousTree"),
        ({"encode": "yes"}, "encode must be True or False"),
        ({"max_evaluations": 0}, "max_evaluations must be a whole number of at least 1"),
    ],
)
def test_wrong_parameters_are_refused_by_name(wrong, message):
    X, y, _ = noisy_concept("conjunction", 2, 40, 0.0, 0)
    with pytest.raises(ValueError, match=message):
        Oblivion(**wrong).fit(X, y)


def test_wrong_data_are_refused():
    X, y, _ = noisy_concept("conjunction", 2, 40, 0.0, 0)
    with pytest.raises(TypeError, match="estimator must be"):
        Oblivion(StandardScaler()).fit(X, y)
    with pytest.raises(ValueError, match="requires y"):
        Oblivion().fit(X)
    with pytest.raises(ValueError, match="only 1 class"):
        Oblivion().fit(X, np.ones(40, dtype=int))
    with pytest.raises(ValueError, match="constant"):
        Oblivion().fit(np.ones((40, 2)), y)
    with pytest.raises(ValueError, match="at least 2 rows|n_samples"):
        Oblivion(ObliviousTreeRegressor()).fit(X[:1], [0.5])


def test_a_second_fit_forgets_the_first():
    X, y, _ = noisy_concept("conjunction", 2, 60, 0.0, 1)
    selector = Oblivion().fit(X, y)
    selector.fit(X, y + 0.001 * np.arange(60))
    assert is_regressor(selector)
    assert not hasattr(selector, "classes_")
    assert clone(selector).get_params() == Oblivion().get_params()
