"""ACE, from tables to verdicts."""

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.base import clone
from typer.testing import CliRunner

from thresher import ACE, Selection
from thresher.cli._app import app

N_ROWS = 200


def ace(**options):
    return ACE(**{"n_trees": 20, "random_state": 0, **options})


def kinds(selector):
    return {verdict.name: verdict.kind for verdict in selector.selection_.verdicts}


def verdict_of(selector, name):
    return next(verdict for verdict in selector.selection_.verdicts if verdict.name == name)


@pytest.fixture(scope="module")
def table():
    """Two columns that matter, a copy of the first, three of noise."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(N_ROWS, 5)), columns=["a", "b", "n1", "n2", "n3"])
    frame.insert(1, "twin", frame["a"])
    return frame


@pytest.fixture(scope="module")
def target(table):
    noise = np.random.default_rng(1).normal(size=N_ROWS)
    return (2 * table["a"] + 1.5 * table["b"] + 0.3 * noise).to_numpy()


@pytest.fixture(scope="module")
def fitted(table, target):
    return ace().fit(table, target)


TARGETS = {
    "numbers": lambda y: y,
    "two classes": lambda y: np.where(y > 0, "yes", "no"),
    "three classes": lambda y: np.digitize(y, [-1, 1]),
}


@pytest.mark.parametrize("kind", TARGETS)
def test_of_two_identical_columns_one_is_kept(table, target, kind):
    selector = ace().fit(table, TARGETS[kind](target))
    found = kinds(selector)
    [kept] = [name for name in ("a", "twin") if found[name] == "relevant"]
    [other] = {"a", "twin"} - {kept}
    assert found[other] == "redundant"
    assert verdict_of(selector, other).masked_by == kept
    assert verdict_of(selector, other).p_value < 0.05
    assert selector.alternatives_[kept] == (other,)
    assert selector.alternatives_["b"] == ()
    assert set(selector.selection_.selected) == {kept, "b"}
    assert {found[name] for name in ("n1", "n2", "n3")} == {"irrelevant"}


@pytest.mark.parametrize("kind", TARGETS)
def test_the_order_of_columns_does_not_matter(table, target, kind):
    single = table.drop(columns="twin")
    turned = single[["n3", "b", "n1", "a", "n2"]]
    one, two = (ace().fit(X, TARGETS[kind](target)) for X in (single, turned))
    assert set(one.selection_.selected) == set(two.selection_.selected) == {"a", "b"}


def test_attributes_agree(fitted, table):
    assert fitted.support_.tolist() == [v == "relevant" for v in kinds(fitted).values()]
    assert fitted.n_features_ == fitted.support_.sum() == 2
    names = table.columns
    assert set(names[fitted.ranking_ == 1]) == set(fitted.selection_.selected)
    [redundant] = [name for name, kind in kinds(fitted).items() if kind == "redundant"]
    assert names[fitted.ranking_ == 2].tolist() == [redundant]
    assert sorted(fitted.ranking_) == [1, 1, 2, 3, 4, 5]
    assert fitted.transform(table).columns.tolist() == names[fitted.support_].tolist()
    assert len(fitted.iterations_) == len(fitted.selection_.trace)


def test_verdicts_carry_their_evidence(fitted):
    for verdict in fitted.selection_.verdicts:
        assert verdict.reason
        assert 0 <= verdict.p_value <= 1
        assert verdict.step in range(1, len(fitted.iterations_) + 1)
        assert (verdict.score > 1) == (verdict.kind != "irrelevant")
        assert (verdict.masked_by is not None) == (verdict.kind == "redundant")
        if verdict.kind == "irrelevant":
            assert verdict.p_value > 0.05


@pytest.mark.parametrize("correction", ["bonferroni", "bh", "t"])
def test_other_corrections(table, target, correction):
    selector = ace(correction=correction).fit(table, target)
    assert {"b"} < set(selector.selection_.selected)
    if correction != "t":
        assert set(selector.selection_.selected) <= {"a", "twin", "b"}
        assert all(verdict_of(selector, n).score > 1 for n in selector.selection_.selected)


def test_redundancy_by_surrogates_alone_or_not_at_all(table, target):
    alone = ace(redundancy="surrogates").fit(table, target)
    assert alone.n_features_ <= 2
    assert len({"a", "twin"} & set(alone.selection_.selected)) == 1
    every = ace(redundancy=False).fit(table, target)
    assert {"a", "twin", "b"} <= set(every.selection_.selected)
    assert "redundant" not in kinds(every).values()


def mixed_frame(rng):
    n = 300
    day = rng.integers(0, 365, n)
    frame = pd.DataFrame(
        {
            "number": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
            "colour": pd.Categorical(rng.choice(["red", "green", "blue"], n)),
            "text": rng.choice(["u", "v"], n),
            "flag": rng.random(n) < 0.5,
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(day, unit="D"),
            "noise": rng.normal(size=n),
            "noise text": rng.choice(list("abcdefgh"), n),
            "fixed": "same",
        }
    )
    frame.loc[::11, "colour"] = None
    # a gap says something of its own
    y = (
        np.where(frame["number"].isna(), 2.0, frame["number"])
        + 2.0 * (frame["colour"] == "green")
        + 1.5 * (frame["text"] == "u")
        + 1.5 * frame["flag"]
        + day / 100
        + 0.3 * rng.normal(size=n)
    )
    return frame, y.to_numpy()


MATTER = {"number", "colour", "text", "flag", "day"}


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("kind", ["numbers", "two classes"])
def test_any_kind_of_column(library, kind):
    frame, y = mixed_frame(np.random.default_rng(0))
    y = y if kind == "numbers" else np.where(y > np.median(y), "high", "low")
    X = frame if library == "pandas" else pl.from_pandas(frame)
    selector = ace(n_trees=40).fit(X, y)
    found = set(selector.selection_.selected)
    assert found <= MATTER
    if kind == "numbers":
        assert found == MATTER
    assert verdict_of(selector, "fixed").reason == "constant"
    out = selector.transform(X)
    assert type(out) is type(X)
    assert list(out.columns) == [name for name in frame.columns if name in found]


def test_the_library_of_the_frame_does_not_matter():
    frame, y = mixed_frame(np.random.default_rng(0))
    one, two = (ace().fit(X, y) for X in (frame, pl.from_pandas(frame)))
    assert one.selection_.verdicts == two.selection_.verdicts


def test_sparse_tables_are_read_like_dense_ones():
    rng = np.random.default_rng(3)
    X = np.where(rng.random((N_ROWS, 5)) < 0.5, 0.0, rng.normal(size=(N_ROWS, 5)))
    y = X[:, 2] + 0.1 * rng.normal(size=N_ROWS)
    dense, sparse = ace().fit(X, y), ace().fit(scipy.sparse.csr_matrix(X), y)
    assert dense.selection_.selected[0] == "x2"
    assert dense.selection_.verdicts == sparse.selection_.verdicts


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["numbers", "two classes"])
def test_many_levels_of_noise_do_not_win_over_two_that_matter(seed, kind):
    rng = np.random.default_rng(seed)
    n = 400
    frame = pd.DataFrame(
        {
            "levels": [f"l{k}" for k in rng.integers(100, size=n)],
            "pair": rng.choice(["u", "v"], n),
            "x": rng.normal(size=n),
        }
    )
    y = 1.0 * (frame["pair"] == "u").to_numpy() + rng.normal(size=n)
    selector = ace(n_trees=40).fit(frame, y if kind == "numbers" else y > 0.5)
    assert selector.selection_.selected == ("pair",)


def test_an_interaction_is_found():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 6))
    y = np.sign(X[:, 1]) * np.sign(X[:, 4]) + 0.3 * rng.normal(size=500)
    assert set(ace(n_trees=60).fit(X, y).selection_.selected) == {"x1", "x4"}


def test_rows_without_weight_are_absent(table, target):
    weight = np.ones(N_ROWS)
    weight[::4] = 0.0
    garbage = np.where(weight, target, 1e6)
    weighted = ace().fit(table, garbage, sample_weight=weight)
    absent = ace().fit(table[weight > 0], target[weight > 0])
    assert weighted.selection_.verdicts == absent.selection_.verdicts


def test_the_unit_of_weights_does_not_matter(table, target):
    weight = np.random.default_rng(2).integers(1, 4, N_ROWS)
    one, two, huge = (
        ace().fit(table, target, sample_weight=weight * unit) for unit in (1, 4.0, 1e307)
    )
    assert one.selection_.verdicts == two.selection_.verdicts
    assert one.selection_.selected == huge.selection_.selected


def test_equal_weights_are_no_weights(fitted, table, target):
    weighted = ace().fit(table, target, sample_weight=[3] * N_ROWS)
    assert weighted.selection_.verdicts == fitted.selection_.verdicts


def test_weights_decide_what_matters():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    first = np.arange(400) < 200
    y = np.where(first, X[:, 0], X[:, 1]) + 0.1 * rng.normal(size=400)
    selector = ace().fit(X, y, sample_weight=np.where(first, 1.0, 1e-6))
    assert selector.selection_.selected == ("x0",)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (np.ones(3), "sample_weight must have shape \\(200,\\); got \\(3,\\)"),
        (np.ones((N_ROWS, 1)), "sample_weight must have shape"),
        (np.r_[1.0, -1.0, np.ones(N_ROWS - 2)], "sample_weight must .* row 1 has -1"),
        (np.r_[np.nan, np.ones(N_ROWS - 1)], "sample_weight must .* row 0 has nan"),
        (np.zeros(N_ROWS), "sample_weight is zero in all rows"),
        (["heavy"] * N_ROWS, "sample_weight must hold numbers"),
    ],
    ids=["short", "column", "negative", "nan", "zero", "text"],
)
def test_bad_weights(table, target, weight, message):
    with pytest.raises(ValueError, match=message):
        ace().fit(table, target, sample_weight=weight)


@pytest.mark.parametrize("n_rows", [2, 3, 5])
def test_few_rows_with_weight_find_nothing(table, target, n_rows):
    weight = (np.arange(N_ROWS) < n_rows).astype(float)
    assert ace().fit(table, target, sample_weight=weight).n_features_ == 0


def test_columns_that_are_constant_where_weights_are_not_zero(target):
    X = np.zeros((N_ROWS, 2))
    X[50:] = np.random.default_rng(0).normal(size=(N_ROWS - 50, 2))
    weight = (np.arange(N_ROWS) < 50).astype(float)
    with pytest.raises(ValueError, match="constant in the 50 rows"):
        ace().fit(X, target, sample_weight=weight)
    X[:, 0] = target
    assert ace().fit(X, target, sample_weight=weight).selection_.selected == ("x0",)


def test_groups_stand_or_fall_together(table, target):
    groups = {"good": ["b", "n1"], "bad": ["n2", "n3"]}
    selector = ace(feature_groups=groups).fit(table, target)
    found = kinds(selector)
    assert found["b"] == found["n1"] == "relevant"
    assert found["n2"] == found["n3"] == "irrelevant"
    assert selector.n_features_ == selector.support_.sum() == 3
    assert selector.selection_.trace[0]["scores"].keys() >= {"good", "bad"}
    assert selector.alternatives_["b"] == selector.alternatives_["n1"] == ()


def test_groups_that_repeat_a_column_are_redundant_as_one(table, target):
    groups = {"copies": ["twin", "n1"]}
    selector = ace(feature_groups=groups).fit(table, target)
    found = kinds(selector)
    assert found["twin"] == found["n1"]
    assert found["a"] == "relevant" or found["twin"] == "relevant"


@pytest.mark.parametrize("keep", [["n2"], ["twin", "n2"], [0], ["fixed"]], ids=str)
def test_columns_to_keep_are_kept(table, target, keep):
    frame = table.assign(fixed=1.0)
    selector = ace(keep=keep).fit(frame, target)
    names = [frame.columns[k] if isinstance(k, int) else k for k in keep]
    assert set(names) <= set(selector.selection_.selected)
    assert all(verdict_of(selector, name).reason == "kept, as asked" for name in names)
    assert "b" in selector.selection_.selected
    assert len({"a", "twin"} & set(selector.selection_.selected)) == 1


def test_all_columns_may_be_kept(table, target):
    selector = ace(keep=list(table.columns)).fit(table, target)
    assert selector.support_.all()


@pytest.mark.parametrize("kind", TARGETS)
def test_nothing_significant(table, kind):
    noise = np.random.default_rng(5).normal(size=N_ROWS)
    selector = ace().fit(table.drop(columns="a"), TARGETS[kind](noise))
    assert selector.selection_.selected == ()
    assert not selector.support_.any()
    assert selector.n_features_ == 0
    assert selector.alternatives_ == {}
    assert set(kinds(selector).values()) == {"irrelevant"}
    assert all("no better than contrasts" in v.reason for v in selector.selection_.verdicts)
    assert sorted(selector.ranking_) == [2, 3, 4, 5, 6]
    assert Selection.from_dict(selector.selection_.to_dict()) == selector.selection_


def test_null_tables_stay_empty():
    """At level 5 % five or more false alarms in 20 have chance 0.003; ace-null measures closely."""
    false_alarms = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(N_ROWS, 10)), rng.normal(size=N_ROWS)
        false_alarms += ace(n_trees=10, random_state=seed).fit(X, y).n_features_ > 0
    assert false_alarms <= 4


@pytest.mark.parametrize(
    ("X", "y", "options", "message"),
    [
        (np.eye(9), np.arange(9.0), {}, "at least 10 rows; got n_samples = 9"),
        (np.eye(30), np.full(30, 2.5), {}, "y is constant \\(2.5 in all 30 rows\\)"),
        (np.eye(30), np.full(30, 2), {"task": "regression"}, "y is constant"),
        (np.eye(30), np.zeros(30, dtype=int), {}, "only 1 class"),
        (np.eye(30), [f"u{k}" for k in range(30)], {}, "30 classes in 30 rows.*merge"),
        (np.ones((30, 3)), np.arange(30), {}, "all 3 column\\(s\\) of X are constant"),
        (np.eye(30), np.arange(30), {"n_replicates": 18}, "n_replicates must be at least 19"),
        (
            np.eye(30),
            np.arange(30),
            {"n_replicates": 19, "correction": "bonferroni"},
            "n_replicates must be at least 20 .*'bonferroni'; got 19",
        ),
        (np.eye(30), np.arange(30), {"alpha": 0.01}, "n_replicates must be at least 99"),
    ],
    ids=[
        "nine rows", "constant", "constant integers", "one class", "too many classes",
        "constant columns", "replicates", "bonferroni", "alpha",
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused(X, y, options, message):
    with pytest.raises(ValueError, match=message):
        ace(**options).fit(X, y)


@pytest.mark.parametrize("unit", [1e-200, 1e-15, 1e200])
def test_the_unit_of_the_target_does_not_matter(fitted, table, target, unit):
    selector = ace().fit(table, target * unit)
    assert set(selector.selection_.selected) == set(fitted.selection_.selected)


@pytest.mark.parametrize(
    "as_type",
    [
        list,
        pl.Series,
        lambda y: pd.Series(y, dtype="Float64"),
        lambda y: pd.Series(y, dtype=object),
    ],
    ids=["list", "polars", "nullable", "object"],
)
def test_the_type_of_the_target_does_not_matter(fitted, table, target, as_type):
    assert ace().fit(table, as_type(target)).selection_.verdicts == fitted.selection_.verdicts


def test_names_of_classes_do_not_matter(table, target):
    label = target > 0
    one = ace().fit(table, label)
    assert one.selection_.verdicts == ace().fit(table, label.astype(int)).selection_.verdicts
    named = pd.Categorical(np.where(label, "b", "a"))
    assert one.selection_.verdicts == ace().fit(table, named).selection_.verdicts


def test_time_that_is_up_ends_with_a_warning(table, target):
    with pytest.warns(UserWarning, match="ACE has spent its budget after 1 of 20 replicates"):
        selector = ace(max_time=1e-6).fit(table, target)
    assert len(selector.iterations_) == 1
    assert {"b"} < set(selector.selection_.selected)
    assert selector.selection_.settings["ending"] == "budget"


def test_an_interrupt_keeps_what_was_found(table, target):
    def interrupt(step):
        raise KeyboardInterrupt

    with pytest.warns(UserWarning, match="ACE was interrupted after 1 round"):
        selector = ace().observe(interrupt).fit(table, target)
    assert len(selector.iterations_) == 1
    assert {"b"} < set(selector.selection_.selected)
    assert selector.selection_.settings["ending"] == "interrupted"


def test_errors_of_observers_are_not_swallowed(table, target):
    def fail(step):
        raise RuntimeError("observer")

    with pytest.raises(RuntimeError, match="observer"):
        ace().observe(fail).fit(table, target)


def test_observers_see_rounds_and_may_stop(table, target):
    steps = []
    whole = ace().observe(steps.append).fit(table, target)
    assert [step.number for step in steps] == list(range(len(whole.iterations_)))
    assert steps[-1].loss < steps[0].loss
    stopped = ace().observe(lambda step: True).fit(table, target)
    assert len(stopped.iterations_) == 1
    assert stopped.selection_.settings["ending"] == "stopped"


def test_rounds_are_printed_if_asked(table, target, capsys):
    ace(verbose=1).fit(table, target)
    assert "round   1  loss" in capsys.readouterr().err


@pytest.mark.parametrize("kind", TARGETS)
def test_the_same_seed_gives_the_same_verdicts(table, target, kind):
    selector = ace()
    first = selector.fit(table, TARGETS[kind](target)).selection_
    again = selector.fit(table, TARGETS[kind](target)).selection_
    other = ace(n_jobs=2).fit(table, TARGETS[kind](target)).selection_
    assert first.verdicts == again.verdicts == other.verdicts
    assert first.trace == again.trace == other.trace


def test_monotone_transforms_change_nothing(fitted, table, target):
    moved = table.assign(a=np.exp(table["a"]), b=table["b"] ** 3, n1=np.arctan(table["n1"]))
    assert ace().fit(moved, target).selection_.verdicts == fitted.selection_.verdicts


def test_clone_and_pickle(fitted, table):
    assert clone(fitted).get_params() == fitted.get_params()
    copy = pickle.loads(pickle.dumps(fitted.observe(lambda step: None)))
    assert copy.selection_ == fitted.selection_
    assert copy.transform(table).equals(fitted.transform(table))


def test_selections_can_be_saved(fitted, tmp_path):
    path = tmp_path / "selection.json"
    fitted.selection_.save(path)
    assert Selection.load(path) == fitted.selection_


def test_the_trace_holds_what_plots_need(fitted, table):
    trace = json.loads(json.dumps(fitted.selection_.trace, allow_nan=False))
    assert [record["step"] for record in trace] == list(range(1, len(trace) + 1))
    first = trace[0]
    assert set(first["scores"]) == set(table.columns)
    assert all(len(scores) == 20 for scores in first["scores"].values())
    assert len(first["contrast_maxima"]) == 20
    assert first["threshold"] == max(first["contrast_maxima"])
    masking = first["masking"]
    assert {"a", "twin", "b"} <= set(masking["variables"])
    m = len(masking["variables"])
    assert np.shape(masking["score"]) == np.shape(masking["p_value"]) == (m, m)
    assert set(first["found"]) >= set(first["kept"])
    assert set(first["masked_by"]) == set(first["found"]) - set(first["kept"])
    assert trace[-1]["loss"] < first["loss"]


def test_wide_tables_trace_the_best_only():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 300))
    selector = ace(n_trees=5).fit(X, 2 * X[:, 7] + 0.1 * rng.normal(size=60))
    assert "x7" in selector.selection_.selected
    assert len(selector.selection_.trace[0]["scores"]) == 50
    assert len(selector.selection_.verdicts) == 300


def test_the_command_line(table, target, tmp_path):
    path = tmp_path / "table.csv"
    table.assign(y=target).to_csv(path, index=False)
    command = ["select", str(path), "--target", "y", "--method", "ace"]
    options = ["--random-state", "0", "--param", "n_trees=20"]
    result = CliRunner().invoke(app, [*command, *options])
    assert result.exit_code == 0, result.stderr
    assert "2 of 6 columns selected by ACE" in result.stdout
    result = CliRunner().invoke(app, [*command, *options, "--json"])
    assert "b" in json.loads(result.stdout)["selected"]
