"""What every generator promises; a new one is checked as soon as ``__all__`` names it."""

import importlib
import inspect
import pickle
import pkgutil
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from thresher import datasets

NAMES = [name for name in datasets.__all__ if name.startswith("make_")]
# Only what a generator cannot do without: a required argument, or one that brings in chance.
ARGUMENTS = {
    "make_boolean_concept": {"concept": "m-of-n", "n_irrelevant": 5},
    "make_monks2": {"n_rows": 169},
}


def make(name, **arguments):
    return getattr(datasets, name)(**(ARGUMENTS.get(name, {}) | arguments))


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


def test_every_private_generator_is_exported():
    modules = [
        importlib.import_module(f"{datasets.__name__}.{module.name}")
        for module in pkgutil.iter_modules(datasets.__path__)
    ]
    defined = {
        attribute
        for module in modules
        for attribute in getattr(module, "__all__", [])
        if attribute.startswith("make_")
    }
    assert defined == set(NAMES)


def test_truth_partitions_the_columns(name):
    data = make(name, random_state=0)
    parts = [*data.relevant, *data.redundant, *data.irrelevant]
    assert sorted(parts) == list(range(data.X.shape[1]))
    assert data.relevant
    assert list(data.relevant) == sorted(data.relevant)
    assert list(data.irrelevant) == sorted(data.irrelevant)


def test_redundant_columns_repeat_relevant_ones(name):
    data = make(name, random_state=0)
    for sources in data.redundant.values():
        assert sources
        assert set(sources) <= set(data.relevant)


def test_positions_are_plain_integers(name):
    data = make(name, random_state=0)
    sources = [position for part in data.redundant.values() for position in part]
    for position in (*data.relevant, *data.redundant, *data.irrelevant, *sources):
        assert type(position) is int


def test_metadata_describes_the_data(name):
    data = make(name, random_state=0)
    assert len(set(data.feature_names)) == data.X.shape[1]
    assert all(type(feature) is str for feature in data.feature_names)
    assert data.description
    assert "\n" not in data.description
    whole = np.issubdtype(data.y.dtype, np.integer)
    assert data.task == ("classification" if whole else "regression")
    assert np.isfinite(data.X).all()
    assert np.isfinite(data.y).all()


def test_same_seed_gives_same_data(name):
    one, two = make(name, random_state=3), make(name, random_state=np.random.default_rng(3))
    np.testing.assert_array_equal(one.X, two.X)
    np.testing.assert_array_equal(one.y, two.y)
    assert one.relevant == two.relevant
    assert one.redundant == two.redundant
    assert one.description == two.description


def test_other_seed_gives_other_data(name):
    one, two = make(name, random_state=3), make(name, random_state=4)
    assert not np.array_equal(one.X, two.X)


def test_no_seed_gives_fresh_data(name):
    assert not np.array_equal(make(name).X, make(name).X)


def test_global_numpy_state_is_left_alone(name):
    before = np.random.get_state()[1].copy()  # noqa: NPY002 - the state that must not change
    make(name, random_state=0)
    np.testing.assert_array_equal(before, np.random.get_state()[1])  # noqa: NPY002


@pytest.mark.parametrize("n_rows", [1, 37])
def test_number_of_rows_is_honoured(name, n_rows):
    data = make(name, n_rows=n_rows, random_state=0)
    assert data.X.shape[0] == data.y.shape[0] == n_rows


@pytest.mark.parametrize("n_rows", [0, -5, 2.5, True, "many"])
def test_impossible_number_of_rows_is_refused_by_name(name, n_rows):
    with pytest.raises(ValueError, match=f"n_rows must be an integer .* got {n_rows!r}"):
        make(name, n_rows=n_rows)


@pytest.mark.parametrize("seed", [-1, 0.5, "seed"])
def test_impossible_seed_is_refused_by_name(name, seed):
    with pytest.raises(ValueError, match=f"random_state must be .* got {seed!r}"):
        make(name, random_state=seed)


def test_seed_is_keyword_only_and_comes_last(name):
    parameters = list(inspect.signature(getattr(datasets, name)).parameters.values())
    assert parameters[-1].name == "random_state"
    assert parameters[-1].kind is inspect.Parameter.KEYWORD_ONLY


def test_irrelevant_columns_are_independent_of_the_target(name):
    data = make(name, random_state=7)
    columns = data.X[:, data.irrelevant].astype(float)
    regression = data.task == "regression"
    targets = [data.y] if regression else [data.y == label for label in np.unique(data.y)]
    for target in targets:
        centred = (target - target.mean()) / target.std()
        scores = centred @ (columns - columns.mean(axis=0)) / columns.std(axis=0)
        # About standard normal each; 5 is out of reach for some thousands of them.
        assert np.all(np.abs(scores) / np.sqrt(len(target)) < 5)


def test_record_is_frozen_and_survives_pickling(name):
    data = make(name, random_state=0)
    with pytest.raises(FrozenInstanceError):
        data.relevant = ()
    again = pickle.loads(pickle.dumps(data))
    np.testing.assert_array_equal(again.X, data.X)
    assert again.redundant == data.redundant
