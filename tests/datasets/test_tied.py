from math import prod

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from sklearn.metrics import mutual_info_score

from thresher.datasets import make_tied


@pytest.fixture(scope="module")
def large():
    return make_tied(30_000, n_features=40, random_state=0)


def pattern(X, columns):
    """Number the different patterns of the columns; values 0 to 3 are digits to base 4."""
    code = X[:, columns] @ 4 ** np.arange(len(columns))
    return np.unique(code, return_inverse=True)[1]


def information(data, columns, target):
    return mutual_info_score(pattern(data.X, columns), target)


def lost_without(data, family, target):
    """Information about the target that the other families cannot make up for."""
    others = [column for column in data.relevant if column not in family]
    return information(data, data.relevant, target) - information(data, others, target)


def independent_given(data, column, given, target):
    """Smallest p-value of independence over the values of the column ``given``."""
    smallest = 1.0
    for value in np.unique(data.X[:, given]):
        rows = data.X[:, given] == value
        table = np.histogram2d(data.X[rows, column], target[rows], bins=(4, 4))[0]
        table = table[table.any(axis=1)][:, table.any(axis=0)]
        smallest = min(smallest, chi2_contingency(table).pvalue)
    return smallest


def test_families_are_those_of_the_paper():
    data = make_tied(random_state=0)
    assert data.X.shape == (750, 1000)
    families = [
        [data.feature_names[column] for column in family] for family in data.equivalence_classes
    ]
    assert families == [
        ["X1", "X2", "X3", "X10"],
        ["X4", "X8"],
        ["X9"],
        ["X11", "X12", "X13"],
        ["X18", "X19", "X20"],
    ]
    assert prod(map(len, families)) == 72
    assert data.relevant == tuple(family[0] for family in data.equivalence_classes)


def test_classes_are_about_equally_frequent(large):
    np.testing.assert_allclose(np.bincount(large.y) / len(large.y), 0.25, atol=0.03)


def test_members_of_a_family_are_different_renamings_of_each_other(large):
    for family in large.equivalence_classes:
        n_values = len(np.unique(large.X[:, family[0]]))
        for member in family:
            assert len(np.unique(large.X[:, member])) == n_values
            assert pattern(large.X, [family[0], member]).max() + 1 == n_values
        assert len({tuple(large.X[:100, member]) for member in family}) == len(family)


def test_any_boundary_tells_as_much_as_all_thirteen_columns(large):
    everything = [column for family in large.equivalence_classes for column in family]
    assert len(everything) == 13
    cells = pattern(large.X, everything).max() + 1
    rng = np.random.default_rng(0)
    for _ in range(5):
        boundary = [int(rng.choice(family)) for family in large.equivalence_classes]
        assert pattern(large.X, boundary).max() + 1 == cells
        assert pattern(large.X, everything + boundary).max() + 1 == cells


def test_every_family_is_needed(large):
    for family in large.equivalence_classes:
        assert lost_without(large, family, large.y) > 0.05


@pytest.mark.parametrize(("label", "owner"), [(0, 0), (3, 10)])
def test_outer_classes_depend_on_one_family_only(large, label, owner):
    target = (large.y == label).astype(int)
    for column in large.relevant:
        lost = lost_without(large, (column,), target)
        if column == owner:
            assert lost > 0.2
        else:
            assert lost < 0.005
            assert independent_given(large, column, owner, target) > 0.001


@pytest.mark.parametrize("label", [1, 2])
def test_inner_classes_need_all_families(large, label):
    for family in large.equivalence_classes:
        assert lost_without(large, family, (large.y == label).astype(int)) > 0.03


def test_descendants_know_the_target_only_through_their_family(large):
    members = {column for family in large.equivalence_classes for column in family}
    descendants = set(large.redundant) - members
    assert len(descendants) == 17
    for column in descendants:
        (source,) = large.redundant[column]
        assert mutual_info_score(large.X[:, source], large.X[:, column]) > 0.02
        assert independent_given(large, column, source, large.y) > 0.0005


def test_every_member_is_visible_at_the_papers_size():
    data = make_tied(random_state=0)
    for family in data.equivalence_classes:
        table = np.histogram2d(data.X[:, family[0]], data.y, bins=(4, 4))[0]
        assert chi2_contingency(table[table.any(axis=1)]).pvalue * 1000 < 0.05


def test_irrelevant_columns_form_a_network_of_their_own():
    data = make_tied(3000, n_features=60, random_state=0)
    noise = data.X[:, data.irrelevant]
    linked = [
        max(mutual_info_score(noise[:, child], noise[:, other]) for other in range(child)) > 0.01
        for child in range(1, noise.shape[1])
    ]
    assert 0.25 < np.mean(linked) < 0.75


def test_columns_have_two_to_four_values():
    data = make_tied(random_state=0)
    assert data.X.min() == 0
    assert data.X.max() == 3
    assert all(2 <= len(np.unique(column)) <= 4 for column in data.X.T)


@pytest.mark.parametrize("n_features", [20, 25, 30, 31])
def test_narrow_tables_keep_the_families(n_features):
    data = make_tied(50, n_features=n_features, random_state=0)
    assert data.X.shape == (50, n_features)
    assert len(data.irrelevant) == max(n_features - 30, 0)
    assert len(data.equivalence_classes) == 5


def test_categorical_table_holds_the_same_values():
    plain = make_tied(60, n_features=50, random_state=0)
    frame = make_tied(60, n_features=50, categorical=True, random_state=0)
    assert (frame.X.dtypes == "category").all()
    assert tuple(frame.X.columns) == frame.feature_names
    np.testing.assert_array_equal(frame.X.astype(int), plain.X)
    assert {len(frame.X[name].cat.categories) for name in frame.X} <= {2, 3, 4}
