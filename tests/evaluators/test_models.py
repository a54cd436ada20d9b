"""Several models on one table: the losses of each are those of its own evaluator."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold, RepeatedKFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from thresher.evaluators import FastEvaluator, ModelsEvaluator, evaluator_for, make_folds
from thresher.evaluators._refits import Refits
from thresher.learners import KernelRegressor, LocallyWeightedRegressor

REPEATED = RepeatedKFold(n_splits=4, n_repeats=3, random_state=1)
MIXED = [KNeighborsClassifier(3), DecisionTreeClassifier(max_depth=2), GaussianNB()]


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 4))
    X[:, 3] = 1.0  # a constant column stays where it is
    return X, (X[:, 0] + 0.5 * X[:, 1] + 0.3 * rng.normal(size=60) > 0).astype(int)


def numbers(table):
    X, _ = table
    return X, X[:, 0] ** 2 + X[:, 1]


@pytest.mark.parametrize("cv", ["loo", KFold(4), REPEATED], ids=["loo", "folds", "repeated"])
def test_losses_are_those_of_each_models_own_evaluator(table, cv):
    together = ModelsEvaluator(MIXED, *table, cv=cv, random_state=0)
    everything = frozenset(range(4))
    for k, model in enumerate(MIXED):
        alone = evaluator_for(model, *table, cv=cv, random_state=0)
        expected = alone.losses([everything])
        assert np.array_equal(together.losses([k]), expected)
        assert np.array_equal(together.losses([k], [7, 3, 3]), expected[:, [7, 3, 3]])
    assert np.array_equal(together.losses([2, 1]), [together.losses([m])[0] for m in (2, 1)])


@pytest.mark.parametrize(
    "model",
    [KernelRegressor(), LocallyWeightedRegressor(width=1.0), KNeighborsRegressor(3), Ridge()],
    ids=lambda model: type(model).__name__,
)
def test_learners_with_a_fast_path_are_never_refitted(table, model, monkeypatch):
    def refuse(*args):
        raise AssertionError("refitted")

    monkeypatch.setattr(Refits, "rows", refuse)
    models = [model, Pipeline([("model", model)])]
    losses = ModelsEvaluator(models, *numbers(table), cv="loo").losses([0, 1])
    assert np.array_equal(losses[0], losses[1])


@pytest.mark.parametrize("cv", [KFold(4), REPEATED], ids=["folds", "repeated"])
@pytest.mark.parametrize(
    "model",
    [KNeighborsClassifier(3), GaussianNB(), BernoulliNB(), LinearRegression(), KernelRegressor()],
    ids=lambda model: type(model).__name__,
)
def test_fast_evaluators_give_the_losses_of_one_fold_as_refitting_does(table, model, cv):
    X, y = numbers(table) if isinstance(model, (LinearRegression, KernelRegressor)) else table
    fast = evaluator_for(model, X, y, cv=cv)
    slow = evaluator_for(model, X, y, cv=cv, fast=False)
    assert isinstance(fast, FastEvaluator)
    assert fast.parts is None
    subsets = [{0, 1}, set(), {1, 2}]
    for part in (0, 3):
        assert np.allclose(fast.part_losses(subsets, part), slow.part_losses(subsets, part))
    assert fast.n_losses == slow.n_losses == 2 * 3 * 15
    assert fast.n_fits == slow.n_fits


def test_there_are_parts_as_soon_as_one_model_is_refitted(table):
    assert ModelsEvaluator(MIXED[::2], *table, cv=REPEATED).parts is None
    assert ModelsEvaluator(MIXED, *table, cv="loo").parts is None
    mixed = ModelsEvaluator(MIXED, *table, cv=REPEATED)
    tests = [test for _, test in REPEATED.split(*table)]
    assert all(np.array_equal(a, b) for a, b in zip(mixed.parts, tests, strict=True))
    losses = mixed.part_losses([0, 1, 2], 5)
    assert losses.shape == (3, 15)
    assert (mixed.n_losses, mixed.n_fits) == (45, 3)
    with pytest.raises(TypeError, match="no parts"):
        ModelsEvaluator(MIXED[::2], *table, cv=REPEATED).part_losses([0], 0)


def test_all_refits_of_a_part_are_one_batch(table, monkeypatch):
    batches = []
    genuine = Refits.fold
    monkeypatch.setattr(
        Refits, "fold", lambda self, h, fold: batches.append(len(h)) or genuine(self, h, fold)
    )
    models = [DecisionTreeClassifier(max_depth=d) for d in (1, 2, 3)]
    ModelsEvaluator([*models, GaussianNB()], *table, cv=4).part_losses(range(4), 0)
    assert batches == [3]


def test_scorers_give_one_loss_per_fold(table):
    models = [LogisticRegression(), GaussianNB()]
    cv = StratifiedKFold(5)
    together = ModelsEvaluator(models, *table, cv=cv, scoring="roc_auc")
    assert (together.unit, together.n_blocks, together.parts) == ("fold", 5, None)
    expected = [-cross_val_score(model, *table, cv=cv, scoring="roc_auc") for model in models]
    assert np.allclose(together.losses([0, 1]), expected)
    assert np.allclose(together.losses([1], [4, 0])[0], expected[1][[4, 0]])
    assert (together.n_losses, together.n_fits) == (12, 12)


def test_loss_span_is_the_largest_and_unknown_if_one_is(table):
    X, y = numbers(table)
    bounded = [KernelRegressor(), KNeighborsRegressor()]
    assert ModelsEvaluator(bounded, X, y).loss_span == pytest.approx(np.ptp(y) ** 2)
    assert ModelsEvaluator([*bounded, Ridge()], X, y).loss_span is None
    assert ModelsEvaluator(MIXED, *table).loss_span == 1.0


def test_the_table_is_split_once_for_all(table):
    splits = iter([(np.arange(30), np.arange(30, 60)), (np.arange(30, 60), np.arange(30))])
    together = ModelsEvaluator(MIXED, *table, cv=splits)
    assert len({id(problem.folds) for problem in together.problems}) == 1
    assert len({id(problem.columns) for problem in together.problems}) == 1
    assert together.n_splits == 2
    assert ModelsEvaluator(MIXED, *table, cv="loo").n_splits == 60


def test_folds_of_another_table_are_refused(table):
    _, y = table
    folds = make_folds(3, y, classifier=True)
    assert make_folds(folds, y, classifier=True) is folds
    with pytest.raises(ValueError, match="folds of 60 rows, but y has 10"):
        make_folds(folds, y[:10], classifier=True)


@pytest.mark.parametrize("cv", ["loo", REPEATED], ids=["rows", "folds"])
def test_workers_do_not_change_losses(table, cv):
    one, two = (
        ModelsEvaluator(MIXED, *table, cv=cv, n_jobs=n, random_state=5).losses(range(3))
        for n in (1, 2)
    )
    assert np.array_equal(one, two)


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ([], "estimators is empty"),
        ([GaussianNB(), DecisionTreeRegressor()], "all classifiers or all regressors"),
        ([KNeighborsClassifier(metric="precomputed")], "square matrix"),
    ],
)
def test_panels_that_make_no_sense_are_refused(table, models, message):
    with pytest.raises(ValueError, match=message):
        ModelsEvaluator(models, *table)


def test_bad_questions_are_refused(table):
    together = ModelsEvaluator(MIXED, *table)
    with pytest.raises(ValueError, match=r"positions, 0 to 2; got \[3, -1\]"):
        together.losses([0, 3, -1])
    with pytest.raises(ValueError, match="rows must lie in"):
        together.losses([0], [60])
    with pytest.raises(TypeError, match="no subsets to draw"):
        together.draw_losses(np.ones((1, 4), dtype=bool), np.array([0]))


def test_memory_based_models_share_their_training_parts(table):
    models = [KNeighborsClassifier(k) for k in (1, 9)]
    together = ModelsEvaluator(models, *table, cv=REPEATED)
    expected = [evaluator_for(m, *table, cv=REPEATED).losses([range(4)])[0] for m in models]
    assert np.array_equal(together.losses([0, 1]), expected)
    first, second = together._evaluators
    assert first._parts is second._parts
    assert len(first._parts) == 12
