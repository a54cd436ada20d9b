import pytest
from sklearn.feature_selection import SelectorMixin
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from thresher import (
    ACE,
    RACSAM,
    RVE,
    Oblivion,
    RaceSelector,
    RVErS,
    Stepwise,
    WrapperSelector,
    filters,
    learners,
    races,
    searches,
)
from thresher.filters import CFS, GainRatio
from thresher.selectors import named
from thresher.testing import check_judge, check_learner, check_selector, check_strategy

SELECTORS = [
    Stepwise(LinearRegression()),
    Stepwise(GaussianNB(), direction="backward"),
    Stepwise(LinearRegression(), floating=True, rule="one-standard-error"),
    WrapperSelector(DecisionTreeClassifier(max_depth=3), cv=3),
    ACE(random_state=0),
    RaceSelector(KNeighborsRegressor(1), search="forward-gs"),
    RaceSelector(GaussianNB(), search="schemata+"),
    Oblivion(),
    Oblivion(GaussianNB(), strategy="paper", cv=3),
    Oblivion(LinearRegression(), judge="brace", cv=3),
    RACSAM(n_candidates=20, max_tests=20),
    RACSAM(KNeighborsClassifier(3), n_candidates=20, max_tests=20, combine="average"),
    RACSAM(DecisionTreeRegressor(max_depth=2), n_candidates=12, max_candidates=12, max_tests=8),
    RVE(LinearRegression(), n_relevant=3),
    RVE(GaussianNB(), strategy="paper", cv=3),
    RVE(DecisionTreeClassifier(max_depth=2), cv=3),
    RVErS(LinearRegression()),
    RVErS(GaussianNB(), strategy="paper", cv=3),
    RVErS(DecisionTreeClassifier(max_depth=2), cv=3),
    RVErS(DecisionTreeClassifier(max_depth=2), strategy="paper", drift=True, cv=3),
    RVErS(GaussianNB(), holdout=0.2),
    CFS(search="genetic", correlation="pearson"),
    GainRatio(GaussianNB(), cv=2),
]


@pytest.mark.parametrize("selector", SELECTORS, ids=repr)
def test_selectors_conform(selector):
    check_selector(selector)


@pytest.mark.parametrize("name", named(filters, SelectorMixin))
def test_every_filter_with_a_name_conforms(name):
    check_selector(named(filters, SelectorMixin)[name](random_state=0))


@pytest.mark.parametrize("name", named(searches, searches.SearchStrategy))
def test_every_strategy_with_a_name_conforms(name):
    check_strategy(named(searches, searches.SearchStrategy)[name]())


@pytest.mark.parametrize("name", named(races, races.Judge))
def test_every_judge_with_a_name_conforms(name):
    check_judge(named(races, races.Judge)[name]())


@pytest.mark.parametrize("name", learners.__all__)
def test_every_learner_conforms(name):
    check_learner(getattr(learners, name)())


def test_learners_of_others_conform():
    check_learner(GaussianNB())


def test_checks_do_find_fault():
    class Escapes(searches.SearchStrategy):
        def run(self, space, rng):
            yield races.Contest([frozenset({0})])
            return frozenset({99})

    class Fickle(searches.SearchStrategy):
        def run(self, space, rng):
            self.calls = getattr(self, "calls", 0) + 1
            yield races.Contest([space.full])
            return space.full

    class Worst(races.Exhaustive):
        def decide(self, contest, evaluator, rng):
            outcome = super().decide(contest, evaluator, rng)
            worst = contest.candidates[int(outcome.losses.argmax())]
            return races.Outcome(worst, outcome.loss, 0.0, outcome.losses)

    with pytest.raises(AssertionError, match="leaves the space"):
        check_strategy(Escapes())
    with pytest.raises(AssertionError, match="changed its own parameters"):
        check_strategy(Fickle())
    with pytest.raises(AssertionError, match="a clear winner"):
        check_judge(Worst())
