"""scikit-learn's own checks of every selector."""

import pytest
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

from tests.sklearn_checks import sklearn_checks
from thresher import (
    ACE,
    RACSAM,
    RVE,
    Oblivion,
    RaceSearchCV,
    RaceSelector,
    RVErS,
    Stepwise,
    WrapperSelector,
)
from thresher.filters import CFS, FCBF, GainRatio, GramSchmidt, MDLDiscretizer, ReliefF, RReliefF
from thresher.learners import ObliviousTree, ObliviousTreeRegressor
from thresher.searches import Forward, Genetic

#: A population that is renewed once: thousands of fits are made.
SMALL = {"n_candidates": 4, "n_winners": 2, "max_tests": 2, "patience": 1}

SELECTORS = [
    Stepwise(LinearRegression()),
    Stepwise(GaussianNB(), direction="backward"),
    Stepwise(KNeighborsClassifier(1), floating=True, cv=2),
    Stepwise(Ridge(), rule="one-standard-error", encode=True),
    WrapperSelector(DecisionTreeClassifier(max_depth=2), search=Forward(n_features=1), cv=2),
    ACE(n_trees=10, redundancy="surrogates"),
    RaceSearchCV(Ridge(), {"alpha": [0.1, 1.0]}, cv=3),
    RaceSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3]}, cv=2),
    RaceSelector(KNeighborsRegressor(1), search="forward-gs"),
    RaceSelector(GaussianNB(), search="schemata+"),
    Oblivion(),
    Oblivion(ObliviousTree(), strategy="paper"),
    Oblivion(ObliviousTreeRegressor(), cv=3),
    Oblivion(LinearRegression(), judge="brace", cv=3),
    RACSAM(**SMALL),
    RACSAM(KNeighborsClassifier(3), combine="average", **SMALL),
    RACSAM(DecisionTreeClassifier(max_depth=2), max_candidates=6, **SMALL),
    RVE(LinearRegression(), cv=3),
    RVE(GaussianNB(), strategy="paper", cv=2),
    RVE(DecisionTreeClassifier(max_depth=2), cv=2),
    RVErS(GaussianNB(), cv=2),
    RVErS(DecisionTreeClassifier(max_depth=2), strategy="paper", cv=2),
    RVErS(LinearRegression(), strategy="paper", cv=3),
    CFS(),
    CFS(search=Genetic(n_generations=2), correlation="pearson"),
    FCBF(),
    GainRatio(),
    GainRatio(GaussianNB(), cv=2),
    GramSchmidt(),
    ReliefF(),
    RReliefF(),
    MDLDiscretizer(),
]


# noise in some checks: nothing found is a result, and scikit-learn warns of it
@pytest.mark.filterwarnings("ignore:No features were selected")
@sklearn_checks(*SELECTORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
