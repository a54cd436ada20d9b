"""Over-fitting, as it shows on the way of a search: Figures 4 and 5."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score

from thresher.datasets import make_led
from thresher.experiments import _rve_figures4_5 as figures
from thresher.experiments._rve_data import Split
from thresher.experiments._rve_searches import LEARNERS, learned, randomized, rival
from thresher.experiments._rve_ways import Way, follow, subsets_on_the_way


@pytest.fixture(scope="module")
def split():
    data = make_led(n_rows=300, n_irrelevant=17, class_noise=0.0, segment_noise=0.1, random_state=0)
    X = np.asarray(data.X, dtype=np.float64)
    return Split("some", X, np.asarray(data.y), np.arange(200), np.arange(200, 300), 0)


def searches():
    settings = {"published": {"strategy": "paper"}, "improved": {"judge": "exhaustive"}}
    found = {
        name: randomized("led", "Bayes", "r_max low", 24, **own) for name, own in settings.items()
    }
    return found | {name: rival("Bayes", name) for name in ("forward", "backward", "filter")}


@pytest.mark.parametrize("name", list(searches()))
def test_inner_errors_are_those_of_the_subsets_on_the_way(name, split):
    selector = searches()[name]
    X, y = split.X[split.train], split.y[split.train]
    fitted = selector.set_params(random_state=0).fit(X, y)
    subsets = subsets_on_the_way(fitted)
    way = follow(split, "Bayes", selector)
    assert list(way.sizes) == [len(subset) for subset in subsets]
    for at in (0, len(subsets) // 2, way.end):
        folds = StratifiedKFold(5)
        score = cross_val_score(LEARNERS["Bayes"], X[:, subsets[at]], y, cv=folds).mean()
        assert way.inner[at] == pytest.approx(100 * (1 - score), abs=0.5)
    np.testing.assert_array_equal(subsets[way.end], np.flatnonzero(fitted.support_))
    assert way.test[way.end] == learned(split, "Bayes", subsets[way.end])[1]


def test_the_guard_chooses_a_subset_on_the_way(split):
    selector = randomized("led", "Bayes", "r_max low", 24, strategy="paper", holdout=0.2)
    way = follow(split, "Bayes", selector)
    fitted = selector.set_params(random_state=0).fit(split.X[split.train], split.y[split.train])
    assert way.sizes[way.end] == fitted.n_features_
    assert way.test[way.end] == learned(split, "Bayes", np.flatnonzero(fitted.support_))[1]


def test_over_fitting_is_the_rise_from_the_lowest_test_error():
    way = Way((8, 6, 4, 2), (9.0, 8.0, 7.0, 6.0), (9.0, 5.0, 5.0, 7.0), end=3)
    assert way.best == 2
    assert way.overfit == 2.0
    earlier = Way((8, 6, 4, 2), (9.0, 8.0, 7.0, 6.0), (9.0, 6.0, 5.0, 4.0), end=1)
    assert (earlier.best, earlier.overfit) == (1, 0.0), "what came later was not on its way"
    assert way.at(way.test, 5) == 5.0
    assert way.at(way.inner, 1) is None


def test_curves_go_as_far_as_half_of_the_searches():
    ways = [Way((4, size), (9.0, 8.0), (9.0, 5.0), 1) for size in (1, 2, 3)]
    sizes, errors = figures._averaged(ways, "test")
    assert sizes == (4, 3, 2)
    assert errors == (9.0, 5.0, 5.0)
