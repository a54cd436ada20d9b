"""The loop that carries contests from a strategy to a judge and outcomes back."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import Evaluator, Subset, some_of
from thresher.races import Contest, Judge, Outcome, Racing, SchemaContest
from thresher.searches import SearchStrategy, Space

from ._budget import Budget, BudgetSpent
from ._evidence import Evidence, EvidenceBook
from ._meter import Meter
from ._recalling import recalling

__all__ = ["Observer", "Run", "Step", "search"]

Ending = Literal["complete", "budget", "stopped", "interrupted", "running"]


@dataclass(frozen=True)
class Step:
    """One contest and what came of it.

    ``n_steps`` is how many there will be at most, if the strategy knows. ``accepted`` tells whether
    the search moved to the winner, which is known with the next contest; ``raced``, whether the
    loss comes from some of the rows only; ``averaged``, whether it is a mean over many subsets;
    ``apart``, whether it cannot be compared with the losses of other steps.
    """

    number: int
    winner: Subset
    incumbent: Subset | None
    loss: float
    standard_error: float
    n_candidates: int
    evaluations: int
    seconds: float
    n_steps: int | None = None
    accepted: bool = False
    raced: bool = False
    averaged: bool = False
    apart: bool = False


@dataclass(frozen=True)
class Run:
    """A finished search.

    ``relevance`` is the probability of each variable to be relevant, where the strategy keeps one;
    ``finalists`` are the winners of the latest contest that had several, the best first.
    """

    subset: Subset
    steps: tuple[Step, ...]
    evidence: Mapping[int, Evidence]
    ending: Ending
    evaluations: int
    losses: int
    fits: int
    seconds: float
    relevance: Mapping[int, float] = field(default_factory=dict)
    finalists: tuple[Subset, ...] = ()


Observer = Callable[[Step], bool | None]
"""Called after each step; a true answer ends the search.

If it has a method ``evaluated``, that is told the number of evaluations during long steps.
"""


def search(
    strategy: SearchStrategy,
    space: Space,
    evaluator: Evaluator,
    judge: Judge,
    *,
    random_state: int | None = None,
    budget: Budget | None = None,
    observers: Sequence[Observer] = (),
    onlooker: Callable[[Callable[[], Run]], object] | None = None,
) -> Run:
    """Run a strategy to its end, or to the end of its budget.

    Parameters
    ----------
    strategy : SearchStrategy
        What to compare next.
    space : Space
        Where to look.
    evaluator : Evaluator
        Whose losses count.
    judge : Judge
        Who wins.
    random_state : int, optional
        Seeds everything the strategy and the judge draw.
    budget : Budget, optional
        When it is spent, when an observer says so, or on Ctrl-C, the best subset so far is the
        result.
    observers : sequence of callables
        Told of each step.
    onlooker : callable, optional
        Given, after each step, a function that tells how the run stands.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from thresher.evaluators import evaluator_for
    >>> from thresher.races import Exhaustive
    >>> from thresher.searches import Forward, Space
    >>> evaluator = evaluator_for(GaussianNB(), *load_iris(return_X_y=True))
    >>> run = search(Forward(n_features=2), Space(4), evaluator, Exhaustive())
    >>> sorted(run.subset), run.ending, run.evaluations
    ([2, 3], 'complete', 8)
    """
    driver = _Driver(recalling(evaluator), judge, budget or Budget(), observers, random_state)
    driver.onlooker = onlooker
    ending: Ending = "complete"
    try:
        subset = driver.drive(strategy, space)
    except BudgetSpent:
        ending, subset = "budget", driver.cut_short(space)
    except _Stopped:
        ending, subset = "stopped", driver.cut_short(space)
    except KeyboardInterrupt:
        warnings.warn("interrupted: returning the best subset so far", UserWarning, stacklevel=2)
        ending, subset = "interrupted", driver.cut_short(space)
    return driver.result(subset, ending)


class _Stopped(Exception):  # noqa: N818 - an end, not an error
    """An observer has seen enough."""


class _Driver:
    def __init__(
        self,
        evaluator: Evaluator,
        judge: Judge,
        budget: Budget,
        observers: Sequence[Observer],
        random_state: int | None,
    ):
        told = [observer.evaluated for observer in observers if hasattr(observer, "evaluated")]
        self.meter = Meter(evaluator, budget, told=told)
        self.judge = judge
        self.observers = observers
        # one stream each: what a judge draws must not change what the strategy does
        search_seed, judge_seed = np.random.SeedSequence(random_state).spawn(2)
        self.search_rng = np.random.default_rng(search_seed)
        self.judge_rng = np.random.default_rng(judge_seed)
        self.steps: list[Step] = []
        self.contest: Contest | None = None
        self.challenged = False
        self.n_steps: int | None = None
        self.onlooker: Callable[[Callable[[], Run]], object] | None = None
        self.book = EvidenceBook()
        self.relevance: Callable[[], NDArray[np.float64]] | None = None
        self.finalists: tuple[Subset, ...] = ()
        self.n_losses_before = evaluator.n_losses
        self.n_fits_before = evaluator.n_fits

    def drive(self, strategy: SearchStrategy, space: Space) -> Subset:
        self.n_steps = strategy.n_steps(space)
        under_way = strategy.run(space, self.search_rng)
        try:
            contest = next(under_way)
        except StopIteration as end:  # there was nothing to decide
            subset: Subset = end.value
            return subset
        while True:
            self.contest = contest
            self.meter.judged.clear()
            self.meter.ahead = contest.ahead
            self.relevance = contest.relevance or self.relevance
            outcome = self.judge.decide(contest, self.meter, self.judge_rng)
            self.contest = None
            step = self._note(contest, outcome)
            answers = [observer(step) for observer in self.observers]  # everyone is told
            if self.onlooker is not None:
                self.onlooker(self.standing)
            if any(answers):
                raise _Stopped
            try:
                contest = under_way.send(outcome)
            except StopIteration as end:
                chosen: Subset = end.value
                self._settle(chosen)
                return chosen
            self._settle(contest.incumbent)

    def _note(self, contest: Contest, outcome: Outcome) -> Step:
        winner, loss, error = outcome.best, outcome.loss, outcome.standard_error
        if contest.n_winners > 1:
            self.finalists = tuple(contest.winners(outcome))
            winner = self.finalists[0]
            place = list(contest.candidates).index(winner)
            loss = float(outcome.losses[place])
            if outcome.standard_errors is not None:
                error = float(outcome.standard_errors[place])
        self.challenged = contest.challenge
        step = Step(
            number=len(self.steps),
            winner=winner,
            incumbent=contest.incumbent,
            loss=loss,
            standard_error=error,
            n_candidates=len(contest.candidates),
            evaluations=self.meter.evaluations,
            seconds=self.meter.seconds,
            n_steps=self.n_steps,
            raced=isinstance(self.judge, Racing) and not isinstance(contest, SchemaContest),
            averaged=isinstance(contest, SchemaContest),
            apart=self._subsampled,
        )
        self.book.read(step.number, contest, outcome)
        self.meter.is_first = False
        self.steps.append(step)
        return step

    def _settle(self, now_at: Subset | None) -> None:
        last = self.steps[-1]
        accepted = last.winner == now_at
        if last.accepted != accepted:
            self.steps[-1] = replace(last, accepted=accepted)

    def cut_short(self, space: Space) -> Subset:
        """Return where the search stood, or the best that it had judged but not yet moved to.

        Everything, if nothing but the empty subset was judged.
        """
        contest, judged = self.contest, self.meter.judged
        # the few rows of a race on subsamples are better than nothing, but not than a whole race
        counts = not (self._subsampled and self.steps)
        if contest is not None and counts and any(c in judged for c in contest.candidates):
            self._note(*_so_far(contest, judged))
        best = self._best()
        if best is None:
            return space.full
        self._settle(best.winner)
        return best.winner

    def _best(self) -> Step | None:
        """The latest step that the search went, or the one that it may go now if that is better."""
        moved = [step for step in self.steps if step.accepted and step.winner]
        known = moved[-1:] + [step for step in self.steps[-1:] if step.winner]
        if not known:
            return None
        if known[-1].apart:
            # losses cannot be compared; but earlier winners took part in the latest race, unless
            # it only asked who might challenge them
            return known[0] if self.challenged else known[-1]
        return min(known, key=lambda step: step.loss)

    def standing(self) -> Run:
        """How the run stands while it goes on."""
        best = self._best()
        subset = self.steps[-1].winner if best is None else best.winner
        return self.result(subset, "running")

    @property
    def _subsampled(self) -> bool:
        """Whether each race learns from samples of its own."""
        return isinstance(self.judge, Racing) and self.judge.subsamples is not None

    def _calibrated(self, subset: Subset) -> tuple[Step, ...]:
        """Return the steps, with losses along races on the level of all that is known of a subset.

        Races compare on few rows: differences are right, but what they are added to is not.
        """
        known = self.meter.known(subset)
        steps = tuple(self.steps)
        if known is None or not steps or not isinstance(self.judge, Racing):
            return steps
        mean, error = known
        raced = [step.loss for step in steps if step.raced and step.winner == subset]
        if raced:
            shift = mean - raced[-1]
            return tuple(replace(s, loss=s.loss + shift) if s.raced else s for s in steps)
        # no contest was won by the result as it is: say in the end what it loses
        final = replace(
            steps[-1],
            number=steps[-1].number + 1,
            winner=subset,
            incumbent=subset,
            loss=mean,
            standard_error=error,
            n_candidates=1,
            accepted=True,
            raced=True,
            averaged=False,
        )
        return (*steps, final)

    def result(self, subset: Subset, ending: Ending) -> Run:
        """Return how the run ended, or how it stands while it goes on."""
        return Run(
            subset=subset,
            steps=self._calibrated(subset),
            evidence=self.book.about(subset),
            ending=ending,
            evaluations=self.meter.evaluations,
            losses=self.meter.evaluator.n_losses - self.n_losses_before,
            fits=self.meter.evaluator.n_fits - self.n_fits_before,
            seconds=self.meter.seconds,
            relevance={} if self.relevance is None else dict(enumerate(self.relevance().tolist())),
            finalists=self.finalists,
        )


def _so_far(contest: Contest, judged: Mapping[Subset, float]) -> tuple[Contest, Outcome]:
    """Narrow a contest that was cut short to what was judged of it; its error is not known."""
    candidates = contest.candidates
    known = [k for k, candidate in enumerate(candidates) if candidate in judged]
    narrowed = some_of(candidates, known)
    losses = np.array([judged[candidate] for candidate in narrowed])
    best = narrowed[int(losses.argmin())]
    outcome = Outcome(best, float(losses.min()), float("nan"), losses)
    narrow = Contest(
        narrowed,
        contest.incumbent,
        n_winners=contest.n_winners,
        prefer_small=contest.prefer_small,
    )
    return narrow, outcome
