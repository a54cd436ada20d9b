"""Gram-Schmidt step by step, until a random column would do as well."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.stats._probe import some_of

from ._orthogonal import Look, OrthogonalSpace

__all__ = ["ProbePath", "ProbeRule", "ProbeStep", "follow_probes"]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class ProbeRule:
    """When to stop.

    Parameters
    ----------
    alpha : float
        Chance of taking a probe for more than that.
    n_probes : int or None
        Probes at each step; None for as many as there are candidates left.
    n_wanted : int or None
        So many variables, whatever probes would do; None to let them decide.
    """

    alpha: float
    n_probes: int | None = None
    n_wanted: int | None = None

    def n_competing(self, look: Look) -> int:
        """How many probes compete at a step."""
        return look.n_candidates if self.n_probes is None else self.n_probes

    def p_values(self, look: Look, variables: Any = slice(None)) -> FloatArray:
        """Chance that one of the probes explains as much as each variable.

        Where tails are long, the distribution of probes is less than certain: if it says that
        probes would hardly do as well, the best of all candidates in random order must agree.
        """
        chance = some_of(look.log_chance(variables), self.n_competing(look))
        if look.shuffled is None:
            return chance
        agreed = np.maximum(chance, look.exceeded(variables))
        return np.asarray(np.where(chance <= self.alpha, agreed, chance))

    def risk(self, before: float, p_value: Any) -> Any:
        """Chance that a probe comes before, in this step or, under a fixed number, an earlier one.

        Examples
        --------
        >>> ProbeRule(0.05).risk(0.5, 0.1), ProbeRule(0.05, n_probes=1).risk(0.5, 0.1)
        (0.1, 0.55)
        """
        return p_value if self.n_probes is None else before + p_value * (1.0 - before)


@dataclass(frozen=True)
class ProbeStep:
    """A variable that was tested, or projected out as asked.

    Parameters
    ----------
    variable : int
        Which one.
    share : float
        What it explains of what was left of the target.
    n_probes : int
        How many probes competed.
    p_value : float
        Chance that one of the probes of this step explains as much.
    risk : float
        What the rule compares with its level.
    residual : float
        What is left of the variance of the target after this step.
    accepted : bool
        Whether it was chosen.
    """

    variable: int
    share: float
    n_probes: int
    p_value: float
    risk: float
    residual: float
    accepted: bool


@dataclass(frozen=True, eq=False)
class ProbePath:
    """All that was seen on the way.

    Parameters
    ----------
    alone : Look
        Each variable on its own, before anything is projected out.
    last : Look
        Beside all that were chosen.
    steps : tuple of ProbeStep
        Required variables first; the last one may not have been accepted.
    passed_alone, passed_last : arrays of bool of shape (n_variables,)
        Variables that a probe would not have matched, on their own and at the end.
    p_values : array of shape (n_variables,)
        At the end.
    evaluations : int
        Shares computed.
    """

    alone: Look
    last: Look
    steps: tuple[ProbeStep, ...]
    passed_alone: NDArray[np.bool_]
    passed_last: NDArray[np.bool_]
    p_values: FloatArray
    evaluations: int

    @property
    def chosen(self) -> list[int]:
        """The variables chosen, in order."""
        return [step.variable for step in self.steps if step.accepted]


def follow_probes(
    space: OrthogonalSpace, rule: ProbeRule, required: Iterable[int] = ()
) -> ProbePath:
    """Project out one variable after the other, as long as the rule agrees.

    Parameters
    ----------
    space : OrthogonalSpace
        With nothing projected out; it is changed.
    rule : ProbeRule
        When to stop.
    required : iterable of int
        Variables to project out first, untested.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(50, 6))
    >>> space = OrthogonalSpace(X, X[:, [4]] + X[:, [2]] / 2, [[j] for j in range(6)])
    >>> follow_probes(space, ProbeRule(0.05)).chosen
    [4, 2]
    """
    alone = look = space.look()
    steps: list[ProbeStep] = []
    risk, evaluations = 0.0, look.n_candidates
    waiting = sorted(required)
    while waiting or not _is_over(look, rule, len(steps)):
        variable = waiting[0] if waiting else look.best()
        p_value = float(rule.p_values(look, variable))
        if not waiting:
            risk = float(rule.risk(risk, p_value))
        accepted = bool(waiting) or rule.n_wanted is not None or risk <= rule.alpha
        share, n_probes = float(look.share[variable]), rule.n_competing(look)
        if accepted:
            space.project_out(variable)
            look = space.look()
            evaluations += look.n_candidates
        steps.append(ProbeStep(variable, share, n_probes, p_value, risk, look.residual, accepted))
        if not accepted:
            break
        waiting = waiting[1:]
    return _path(alone, look, steps, rule, evaluations)


def _is_over(look: Look, rule: ProbeRule, n_chosen: int) -> bool:
    enough = rule.n_wanted is not None and n_chosen >= rule.n_wanted
    return enough or look.n_candidates == 0 or look.target_width == 0


def _path(
    alone: Look, last: Look, steps: list[ProbeStep], rule: ProbeRule, evaluations: int
) -> ProbePath:
    risk = next((step.risk for step in reversed(steps) if step.accepted), 0.0)
    p_values = rule.p_values(last)
    return ProbePath(
        alone=alone,
        last=last,
        steps=tuple(steps),
        passed_alone=(alone.width > 0) & (rule.p_values(alone) <= rule.alpha),
        passed_last=(last.width > 0) & (rule.risk(risk, p_values) <= rule.alpha),
        p_values=p_values,
        evaluations=evaluations,
    )
