"""Compile the kernels once, in as many processes as there are cores, before the tests start.

``make test`` runs it first: otherwise each worker of the tests compiles what it happens to need,
often the same as the other one at the same time. Kernels that are missing here are compiled by the
test that needs them.
"""

import os
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context


def c45():
    from thresher.learners import C45Classifier
    from thresher.testing import check_learner

    check_learner(C45Classifier())


def c45_categories():
    from sklearn.model_selection import KFold

    from tests.evaluators.test_c45 import mixed_table
    from thresher.evaluators import Flips, evaluator_for
    from thresher.learners import C45Classifier

    X, y = mixed_table(40, 0)
    evaluator = evaluator_for(C45Classifier(), X, y, cv=KFold(3))
    evaluator.losses(Flips(frozenset(range(6)), range(6)))


def ace():
    from thresher import ACE
    from thresher.testing import check_selector

    check_selector(ACE(random_state=0))


def learner(name):
    from thresher import learners
    from thresher.testing import check_learner

    check_learner(getattr(learners, name)())


def naive_bayes():
    from sklearn.naive_bayes import BernoulliNB, GaussianNB

    from thresher.learners import DiscreteNB
    from thresher.testing import check_learner

    for each in (GaussianNB(), BernoulliNB(), DiscreteNB()):
        check_learner(each)


def neighbours():
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

    from thresher.testing import check_learner

    for each in (KNeighborsClassifier(1), KNeighborsRegressor(3)):
        check_learner(each)


def wrappers():
    from sklearn.linear_model import LinearRegression
    from sklearn.naive_bayes import GaussianNB

    from thresher import RACSAM, Oblivion, RaceSelector
    from thresher.testing import check_selector

    for each in (
        Oblivion(),
        RACSAM(n_candidates=20, max_tests=20),
        RaceSelector(GaussianNB()),
        RaceSelector(LinearRegression(), search="forward", race="friedman"),
    ):
        check_selector(each)


def filters():
    from sklearn.feature_selection import SelectorMixin

    from thresher import filters
    from thresher.selectors import named
    from thresher.testing import check_selector

    for each in named(filters, SelectorMixin).values():
        check_selector(each(random_state=0))


#: The longest first.
JOBS = [
    (c45,),
    (ace,),
    (learner, "LazyRegressor"),
    (learner, "PocketPerceptron"),
    (c45_categories,),
    (filters,),
    (naive_bayes,),
    (learner, "KernelRegressor"),
    (learner, "LocallyWeightedRegressor"),
    (learner, "ObliviousTree"),
    (neighbours,),
    (wrappers,),
]


def run(job):
    """Do one job; what it warns of is for its own tests."""
    function, *arguments = job
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        function(*arguments)


def main():
    # new processes: a fork would take this one's locks along
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        list(pool.map(run, JOBS))


if __name__ == "__main__":
    main()
