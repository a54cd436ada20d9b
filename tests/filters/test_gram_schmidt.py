"""Gram-Schmidt with probes, against least squares and known truths."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from tests.naive import gram_schmidt as naive
from thresher.datasets import make_double_friedman, make_led, make_linear_masked
from thresher.filters import GramSchmidt


def verdicts(fitted):
    return {verdict.name: verdict for verdict in fitted.selection_.verdicts}


def assert_same(fitted, steps, left, names):
    """Steps, shares and p-values are those of the twin."""
    trace = [entry for entry in fitted.selection_.trace if entry["added"]]
    assert [entry["added"] for entry in trace] == [[names[v]] for v, _, _ in steps]
    np.testing.assert_allclose([e["share"] for e in trace], [s for _, s, _ in steps], atol=1e-8)
    np.testing.assert_allclose(
        [e["p_value"] for e in trace], [p for _, _, p in steps], rtol=1e-5, atol=1e-12
    )
    scores = dict(zip(fitted.feature_names_in_, fitted.scores_, strict=True))
    for v, share in left.items():
        if names[v] in scores:
            assert scores[names[v]] == pytest.approx(share, abs=1e-8)


def numbers(seed, n_rows=60, n_columns=9):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns)) @ (np.eye(n_columns) + 0.2)
    X = X * 10.0 ** rng.integers(-3, 4, n_columns) + rng.normal(size=n_columns)
    return X, (X / X.std(axis=0))[:, :4] @ [1.0, 0.7, 0.5, 0.3] + rng.normal(size=n_rows)


def mixed(seed, n_rows=90):
    """Numbers with and without gaps, and categories with and without."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n_rows, 6)), columns=list("abcdef"))
    X["hue"] = rng.choice(["red", "green", "blue", "grey"], n_rows, p=[0.4, 0.3, 0.2, 0.1])
    X["form"] = pd.Categorical(rng.choice(["round", "square"], n_rows))
    X["size"] = rng.choice(["s", "m", "l"], n_rows)
    X.loc[rng.random(n_rows) < 0.2, "size"] = None
    X.loc[rng.random(n_rows) < 0.3, "b"] = np.nan
    hue = X["hue"].map({"red": 0.0, "green": 2.0, "blue": 1.0, "grey": 3.0}).to_numpy()
    score = X["a"] + 0.8 * hue + 1.5 * X["b"].isna() + 0.5 * X["c"] + rng.normal(size=n_rows)
    return X, score.to_numpy()


TARGETS = {
    "regression": lambda score: score,
    "two classes": lambda score: np.where(score > np.median(score), "yes", "no"),
    "three classes": lambda score: np.digitize(score, np.quantile(score, [0.3, 0.8])),
    "five classes": lambda score: np.digitize(np.sin(2 * score), [-0.6, -0.2, 0.2, 0.6]),
}
RULES = [
    {},
    {"probes": 1, "alpha": 0.2},
    {"probes": 3, "alpha": 0.3},
    {"n_features": 5},
    {"keep": [4, 1], "alpha": 0.1},
]


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("target", TARGETS)
def test_numbers_are_judged_as_by_least_squares(target, rule):
    for seed in range(3):
        X, score = numbers(seed)
        y = TARGETS[target](score)
        frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(9)])
        fitted = GramSchmidt(**rule).fit(frame, y)
        Y = naive.target_columns(y, classes=target != "regression")
        blocks = [naive.columns_of(frame[name]) for name in frame]
        assert_same(fitted, *naive.gram_schmidt(blocks, Y, **rule), list(frame))


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("target", TARGETS)
def test_mixed_columns_are_judged_as_by_least_squares(target, rule):
    for seed in range(2):
        X, score = mixed(seed)
        y = TARGETS[target](score)
        fitted = GramSchmidt(**rule).fit(X, y)
        Y = naive.target_columns(y, classes=target != "regression")
        blocks = [naive.columns_of(X[name]) for name in X]
        assert_same(fitted, *naive.gram_schmidt(blocks, Y, **rule), list(X))


@pytest.mark.parametrize("target", TARGETS)
def test_groups_are_judged_as_by_least_squares(target):
    groups = {"first": ["a", "hue"], "second": ["d", "e", "f"], "third": ["b", "size"]}
    names = ["first", "third", "c", "second", "form"]
    members = [["a", "hue"], ["b", "size"], ["c"], ["d", "e", "f"], ["form"]]
    for seed in range(3):
        X, score = mixed(seed)
        y = TARGETS[target](score)
        fitted = GramSchmidt(feature_groups=groups).fit(X, y)
        Y = naive.target_columns(y, classes=target != "regression")
        blocks = [np.hstack([naive.columns_of(X[name]) for name in group]) for group in members]
        assert_same(fitted, *naive.gram_schmidt(blocks, Y), names)
        assert fitted.support_[X.columns.get_loc("a")] == fitted.support_[X.columns.get_loc("hue")]


def test_what_is_planted_is_found_and_copies_are_redundant():
    data = make_linear_masked(400, n_copies=20, n_irrelevant=50, random_state=0)
    fitted = GramSchmidt(alpha=0.01).fit(data.X, data.y)
    assert set(np.flatnonzero(fitted.support_)) == set(data.relevant)
    for copy in data.redundant:
        verdict = fitted.selection_.verdicts[copy]
        assert (verdict.kind, verdict.masked_by) == ("redundant", "x0")
        assert "on its own, but" in verdict.reason
    kinds = {fitted.selection_.verdicts[j].kind for j in data.irrelevant}
    assert kinds == {"irrelevant"}


def test_linear_influence_is_found_in_friedmans_function():
    data = make_double_friedman(random_state=0)
    fitted = GramSchmidt().fit(data.X, data.y)
    # x2 and x7 act as a parabola around their mean, which is not linear
    assert set(np.flatnonzero(fitted.support_)) == set(data.relevant) - {2, 7}


def test_digits_need_their_seven_segments():
    data = make_led(random_state=0)
    fitted = GramSchmidt().fit(data.X, data.y)
    assert set(np.flatnonzero(fitted.support_)) == set(data.relevant)


@pytest.mark.parametrize("target", TARGETS)
def test_copies_and_linear_combinations_are_redundant(target):
    X, _ = numbers(1, n_rows=200, n_columns=5)
    X = X / X.std(axis=0)
    rng = np.random.default_rng(0)
    y = TARGETS[target](2 * X[:, 0] + X[:, 1] + 0.1 * rng.normal(size=200))
    X = np.column_stack([X, 7.0 - 3e4 * X[:, 0], X[:, 0] + 0.2 * X[:, 1]])
    fitted = GramSchmidt(n_features=2).fit(X, y)
    chosen = fitted.selection_.selected
    found = verdicts(fitted)
    if target != "five classes":  # which are not linear in anything
        assert chosen in {("x0", "x1"), ("x6", "x0")}
    if "x0" in chosen:
        assert (found["x5"].kind, found["x5"].masked_by) == ("redundant", "x0")
        assert "is a linear combination of x0 and the others" in found["x5"].reason
        assert found["x5"].score == 0.0


def test_the_first_of_several_copies_is_chosen():
    X, y = numbers(2)
    copied = np.column_stack([X, *(X * scale + 1.0 for scale in (-0.1, 3.0, 1e5))])
    chosen = np.flatnonzero(GramSchmidt().fit(copied, y).support_)
    assert chosen.tolist() == np.flatnonzero(GramSchmidt().fit(X, y).support_).tolist()


@pytest.mark.parametrize("n_features", ["auto", 5])
def test_a_target_that_is_explained_ends_the_search(n_features):
    X, _ = numbers(3)
    y = X[:, 2] / X[:, 2].std() - 2.0 * X[:, 6] / X[:, 6].std()
    fitted = GramSchmidt(n_features=n_features, alpha=1e-6).fit(X, y)
    selection = fitted.selection_
    assert {"x2", "x6"} <= set(selection.selected)
    assert selection.trace[-1]["residual"] < 1e-12
    assert all(entry["residual"] > 1e-12 for entry in selection.trace[:-1])
    assert all(np.isfinite(entry["p_value"]) for entry in selection.trace)
    assert any("nothing" in v.reason for v in selection.verdicts if v.kind != "relevant")


def test_classes_that_are_explained_end_the_search():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 60)
    X = np.column_stack([rng.normal(size=(60, 3)), y == 0, y == 1, y == 2]).astype(float)
    fitted = GramSchmidt().fit(X, y)
    assert len(fitted.selection_.selected) == 2
    assert set(fitted.selection_.selected) < {"x3", "x4", "x5"}
    (other,) = {"x3", "x4", "x5"} - set(fitted.selection_.selected)
    assert verdicts(fitted)[other].kind == "redundant"
    assert fitted.selection_.trace[-1]["residual"] < 1e-12


def test_more_columns_than_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 40)), rng.normal(size=12)
    fitted = GramSchmidt(n_features=40).fit(X, y)
    assert fitted.n_features_ == 11  # and then nothing is left of anything
    assert {v.kind for v in fitted.selection_.verdicts} == {"relevant", "redundant"}
    assert GramSchmidt(n_features=3).fit(X, y).n_features_ == 3


def test_columns_beyond_the_number_wanted_may_matter():
    data = make_double_friedman(random_state=1)
    fitted = GramSchmidt(n_features=3).fit(data.X, data.y)
    dropped = [fitted.selection_.verdicts[j] for j in data.relevant if not fitted.support_[j]]
    assert any("not among the first 3, though it explains" in v.reason for v in dropped)


def test_columns_to_keep_are_projected_out_first():
    data = make_linear_masked(400, n_copies=3, n_irrelevant=5, random_state=0)
    fitted = GramSchmidt(keep=[10, 0]).fit(data.X, data.y)
    found = verdicts(fitted)
    assert fitted.selection_.selected[:2] == ("x0", "x10")
    assert found["x0"].reason == found["x10"].reason == "kept, as asked"
    assert (found["x0"].step, found["x10"].step) == (1, 2)
    assert found["x1"].masked_by == found["x2"].masked_by == "x0"
    assert fitted.support_[[3, 4, 5]].all()
    assert GramSchmidt(keep=[10], n_features=1).fit(data.X, data.y).selection_.selected == ("x10",)


def test_constant_columns_that_are_kept_do_no_harm():
    X, y = numbers(4)
    X[:, 3] = 5.1
    fitted = GramSchmidt(keep=[3, 4]).fit(X, y)
    assert fitted.support_[3]
    assert not GramSchmidt().fit(X, y).support_[3]


@pytest.mark.parametrize("target", TARGETS)
def test_scales_shifts_and_the_order_of_columns_do_not_matter(target):
    X, score = numbers(5, n_columns=12)
    y = TARGETS[target](score)
    fitted = GramSchmidt(probes=1, alpha=0.3).fit(X, y)
    rng = np.random.default_rng(0)
    moved = X * 10.0 ** rng.uniform(-30, 30, 12) * rng.choice([-1, 1], 12)
    moved = moved + np.abs(moved).max(axis=0) * rng.normal(size=12)
    other = GramSchmidt(probes=1, alpha=0.3).fit(moved, y)
    np.testing.assert_allclose(other.scores_, fitted.scores_, atol=1e-9)
    assert other.selection_.selected == fitted.selection_.selected
    order = rng.permutation(12)
    other = GramSchmidt(probes=1, alpha=0.3).fit(X[:, order], y)
    np.testing.assert_allclose(other.scores_, fitted.scores_[order], atol=1e-9)
    assert (other.support_ == fitted.support_[order]).all()


def test_what_little_is_left_of_a_near_copy_is_judged_as_by_least_squares():
    X, y = numbers(7)
    X = X / X.std(axis=0)
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=60)
    frame = pd.DataFrame(np.column_stack([X, X[:, 0] + 1e-4 * hidden]), columns=list("abcdefghij"))
    y = y + 2 * hidden
    fitted = GramSchmidt().fit(frame, y)
    steps, left = naive.gram_schmidt(list(frame.to_numpy().T[:, :, None]), y[:, None])
    assert {"a", "j"} <= set(fitted.selection_.selected)
    assert_same(fitted, steps, left, list(frame))


def test_the_names_of_classes_and_the_scale_of_the_target_do_not_matter():
    X, score = numbers(6)
    y = TARGETS["three classes"](score)
    fitted = GramSchmidt().fit(X, y)
    renamed = GramSchmidt().fit(X, np.array(["c", "a", "b"])[y])
    np.testing.assert_allclose(renamed.scores_, fitted.scores_, atol=1e-9)
    fitted, scaled = GramSchmidt().fit(X, score), GramSchmidt().fit(X, score * 1e200)
    np.testing.assert_allclose(scaled.scores_, fitted.scores_, atol=1e-9)


def test_sparse_tables_jobs_and_seeds_do_not_matter():
    rng = np.random.default_rng(0)
    X = np.where(rng.random((80, 10)) < 0.3, rng.normal(size=(80, 10)), 0.0)
    y = X[:, 0] + X[:, 5] + 0.3 * rng.normal(size=80)
    fitted = GramSchmidt().fit(X, y)
    for other in (
        GramSchmidt(n_jobs=2, random_state=5).fit(X, y),
        GramSchmidt().fit(scipy.sparse.csr_array(X), y),
    ):
        assert other.selection_.selected == fitted.selection_.selected
        np.testing.assert_allclose(other.scores_, fitted.scores_, rtol=0, atol=1e-12)


def test_shares_that_chance_cannot_tell_from_zero_are_still_ranked():
    rng = np.random.default_rng(0)
    y = rng.normal(size=5000)
    X = np.column_stack([y + s * rng.normal(size=5000) for s in (0.5, 0.1, 0.3, 0.01)])
    fitted = GramSchmidt().fit(X, y)
    assert fitted.selection_.selected[0] == "x3"
    assert "with probability below 1e-300" in verdicts(fitted)["x3"].reason


def test_the_trace_tells_each_step():
    data = make_linear_masked(300, n_copies=2, n_irrelevant=10, random_state=1)
    trace = GramSchmidt(probes=2, alpha=0.1).fit(data.X, data.y).selection_.trace
    assert [entry["step"] for entry in trace] == list(range(1, len(trace) + 1))
    assert trace[-1]["added"] == []
    assert trace[-1]["risk"] > 0.1 >= trace[-2]["risk"]
    left = np.cumprod([1 - entry["share"] for entry in trace[:-1]])
    np.testing.assert_allclose([entry["residual"] for entry in trace[:-1]], left)
    passed = np.cumprod([1 - entry["p_value"] for entry in trace])
    np.testing.assert_allclose([entry["risk"] for entry in trace], 1 - passed, atol=1e-12)
