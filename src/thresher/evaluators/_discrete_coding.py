"""How each naive Bayes learner on discrete columns is coded; another one joins by an entry here."""

from collections.abc import Callable

from sklearn.naive_bayes import BernoulliNB, CategoricalNB

from thresher.learners import DiscreteNB

from ._discrete_counts import bernoulli, categorical
from ._discrete_levels import m_estimates
from ._discrete_tables import Coding
from ._problem import Problem

__all__ = ["BUILDERS", "coding_of"]

#: How each learner is coded; None means that only refitting will do.
BUILDERS: dict[type, Callable[[Problem], Coding | None]] = {
    BernoulliNB: bernoulli,
    CategoricalNB: categorical,
    DiscreteNB: m_estimates,
}


def coding_of(problem: Problem) -> Coding | None:
    """Code a problem for its learner; None if only refitting will do."""
    builder = BUILDERS.get(type(problem.estimator))
    return None if builder is None else builder(problem)
