"""Judges that race: a candidate leaves as soon as it can hardly win any more."""

from abc import abstractmethod
from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.evaluators import some_of
from thresher.stats import Standing, Tally, check_levels, level_of_look, paired_t

from ._contest import Contest, Outcome
from ._field_race import race_fields
from ._fields import FieldStatistics
from ._heats import heats_of
from ._judge import Judge, LossSource, scale_of
from ._loop import Enough, Field, Finish, race
from ._schema import SchemaContest
from ._subsamples import Subsamples

__all__ = ["Racing", "units_of"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: How many rows or folds must have been seen before anyone leaves.
MIN_BLOCKS = {"row": 15, "fold": 5}

#: A gain within gamma counts if its p-value is lower.
_CHANCE = 0.05


class Racing(Judge):
    """What all racing judges share; a subclass gives the rule.

    Parameters
    ----------
    delta : float, default=0.001
        A candidate leaves when it beats the leader with less than this credibility.
    gamma : float, default=0.001
        Differences between mean losses that do not matter.
    min_rows : int, optional
        Nobody leaves before this many rows have been seen (folds, under a scorer). By default 15
        rows or 5 folds, or all if there are fewer.
    corrected : bool, default=False
        Whether ``delta`` shall hold for all looks at all candidates together, instead of for each
        comparison.
    finite : bool, default=True
        Whether to count what is known of the rows already seen as certain: the goal is the mean
        over this table, and its error vanishes when all rows have been seen. The papers' rules do
        not.
    subsamples : Subsamples, optional
        Learn from small samples of the rows that grow as the race goes on, instead of by
        cross-validation.
    """

    def __init__(
        self,
        delta: float = 0.001,
        gamma: float = 0.001,
        min_rows: int | None = None,
        *,
        corrected: bool = False,
        finite: bool = True,
        subsamples: Subsamples | None = None,
    ):
        self.delta = delta
        self.gamma = gamma
        self.min_rows = min_rows
        self.corrected = corrected
        self.finite = finite
        self.subsamples = subsamples

    @abstractmethod
    def standing(self, tally: Tally, delta: float, span: float | None) -> Standing:
        """Apply the rule to what has been seen."""

    def span_of(self, source: LossSource) -> float | None:
        """Largest possible difference between two losses, weights left aside."""
        return source.loss_span

    def skip(self, tally: Tally, coming: FloatArray, levels: FloatArray) -> tuple[int, bool]:
        """Tell after how many of the coming rows someone may leave, and whether to look then.

        Parameters
        ----------
        tally : Tally
            Of those still in.
        coming : array of shape (n_coming, n_candidates)
            Their next losses.
        levels : array of shape (n_coming, n_candidates)
            The level of each look, while each of the candidates leads.
        """
        return 1, True

    def check(self, source: LossSource) -> None:
        """Refuse parameters that mean nothing, or nothing for these losses."""
        check_levels(self.delta, self.gamma)
        least: Any = self.min_rows
        if least is None:
            return
        if type(least) is bool or not isinstance(least, Integral) or int(least) < 2:
            raise ValueError(f"min_rows must be a whole number of at least 2; got {least!r}")
        if int(least) > len(source.held_out):
            raise ValueError(
                f"min_rows={least} is more than there are to race over: {len(source.held_out)} "
                f"{source.unit}(s)"
            )

    def run(
        self,
        source: LossSource,
        candidates: Sequence[Any],
        rng: np.random.Generator,
        incumbent: Any | None = None,
        give_up: float | None = None,
        handicap: float | None = None,
        n_winners: int = 1,
        max_rows: int | None = None,
    ) -> Finish:
        """Race candidates over the rows of a source in random order.

        Parameters
        ----------
        source : LossSource
            Whose losses count.
        candidates : sequence
            What to ask it for.
        rng : Generator
            Draws the order of the rows.
        incumbent : optional
            One more racer, behind the candidates.
        give_up : float, optional
            Level at which candidates leave while the incumbent leads, if higher than ``delta``.
        handicap : float, optional
            Added to the losses of the incumbent, who then never leaves.
        n_winners : int, default=1
            How many may be left in the end.
        max_rows : int, optional
            Rows after which the race ends in any case.
        """
        self.check(source)
        heats = heats_of(source, rng, self._first_look(source), self.subsamples)
        scale, span = scale_of(source), self.span_of(source)
        if span is not None and scale is not None:
            span = float(span * scale.max())
        n_racers = len(candidates) + (incumbent is not None)

        def weighted(values: FloatArray, heat: int) -> FloatArray:
            return values if scale is None else values * scale[heats.rows(heat)]

        def losses(alive: IntArray, heat: int) -> FloatArray:
            groups = _alive_groups(candidates, incumbent, alive)
            try:
                values = [heats.losses(group, heat) for group in groups]
            except Enough as end:
                raise Enough(None if end.losses is None else weighted(end.losses, heat)) from None
            joined = weighted(np.concatenate(values) if len(values) > 1 else values[0], heat)
            if handicap and alive[-1] == len(candidates):
                joined[-1] += handicap
            return joined

        def level(look: int, *, incumbent_leads: bool) -> float:
            own = level_of_look(self.delta, look, n_racers) if self.corrected else self.delta
            return max(own, give_up) if give_up is not None and incumbent_leads else own

        def rule(field: Field, look: int) -> Standing:
            leads = field.alive[field.tally.leader] == len(candidates)
            found = self.standing(field.tally, level(look, incumbent_leads=bool(leads)), span)
            if handicap is not None:
                found.stays[field.alive == len(candidates)] = True
            return found

        def skip(field: Field, coming: FloatArray, n_looks: int) -> tuple[int, bool]:
            looks = range(n_looks + 1, n_looks + 1 + len(coming))
            levels = np.empty(coming.shape)
            levels[:] = np.array([level(look, incumbent_leads=False) for look in looks])[:, None]
            if give_up is not None and field.alive[-1] == len(candidates):
                levels[:, -1] = [level(look, incumbent_leads=True) for look in looks]
            return self.skip(field.tally, coming, levels)

        return race(
            losses,
            n_racers,
            len(heats),
            rule,
            min_rows=self._first_look(source),
            n_rows=heats.n_rows if self.finite else None,
            look_within=heats.look_within,
            skip=skip,
            n_winners=n_winners,
            max_rows=max_rows,
        )

    def _first_look(self, source: LossSource) -> int:
        if self.min_rows is not None:
            return self.min_rows
        return min(MIN_BLOCKS[source.unit], len(source.held_out))

    def decide(self, contest: Contest, evaluator: LossSource, rng: np.random.Generator) -> Outcome:
        """Find the candidate with the lowest mean loss, looking at as few rows as it takes."""
        if isinstance(contest, SchemaContest):
            return self._decide_schema(contest, evaluator, rng)
        n_candidates = len(contest.candidates)
        incumbent = contest.incumbent if contest.challenge else None
        handicap = contest.tolerance if contest.challenge else None
        finish = self.run(
            evaluator, contest.candidates, rng, incumbent, contest.give_up, handicap,
            contest.n_left or contest.n_winners, contest.max_rows,
        )  # fmt: skip
        means, incumbent_loss = finish.means, None
        if contest.challenge:
            incumbent_loss = contest.incumbent_loss
            slack = handicap or 0.0
            if incumbent_loss is None:
                incumbent_loss = float(means[-1]) - slack
            means = incumbent_loss + slack + finish.gaps(n_candidates)
        winner = _best_of(finish, n_candidates)
        best = contest.candidates[winner]
        larger = contest.incumbent is not None and len(best) > len(contest.incumbent)
        if contest.challenge and larger and self._is_chance(finish, winner, evaluator):
            means[winner] = max(means[winner], means[-1])
        several: dict[str, Any] = {}
        if contest.n_winners > 1:
            several["alike"] = finish.alike(self.delta)[:n_candidates]
            errors = [finish.standard_error(k) for k in range(n_candidates)]
            several["standard_errors"] = np.array(errors)
        return Outcome(
            best=best,
            loss=float(means[winner]),
            standard_error=finish.standard_error(winner),
            losses=means[:n_candidates],
            incumbent_loss=incumbent_loss,
            exits=finish.exits,
            **several,
        )

    def _is_chance(self, finish: Finish, winner: int, source: LossSource) -> bool:
        """Whether the winner gains no more than gamma over the incumbent, and may not gain at all.

        Then a larger subset is no better. Without this, a search would wander among subsets that
        are nearly equal, adding and removing by chance.
        """
        ours, theirs = finish.seen[winner], finish.seen[-1]
        n = min(len(ours), len(theirs))
        gains = theirs[:n] - ours[:n]
        if n >= len(source.held_out) or n < 2 or not gains.any():
            return False
        return bool(gains.mean() <= self.gamma and paired_t(gains)[1] > _CHANCE)

    def fields(
        self, contest: SchemaContest, source: LossSource, rng: np.random.Generator
    ) -> FieldStatistics:
        """Return who draws subsets of a schema and does the sums for this rule."""
        raise ValueError(f"{type(self).__name__} cannot judge schemata; use Brace")

    def _decide_schema(
        self, contest: SchemaContest, evaluator: LossSource, rng: np.random.Generator
    ) -> Outcome:
        self.check(evaluator)

        def level(look: int) -> float:
            n_racers = 1 + len(contest.schema.open)
            return level_of_look(self.delta, look, n_racers) if self.corrected else self.delta

        statistics = self.fields(contest, evaluator, rng)
        return race_fields(contest, evaluator, statistics, level, self.gamma)


def units_of(source: LossSource) -> IntArray:
    """What random subsets are tried on: rows, or parts where losses come in parts."""
    return source.held_out if source.parts is None else np.arange(len(source.parts))


def _best_of(finish: Finish, n_candidates: int) -> int:
    """First survivor that is a candidate; if the incumbent beat them all, the last to leave."""
    for survivor in finish.survivors.tolist():
        if survivor < n_candidates:
            return int(survivor)
    last = [exit for exit in finish.exits if exit.n_seen == finish.exits[-1].n_seen]
    return min(last, key=lambda exit: finish.seen[exit.candidate].mean()).candidate


def _alive_groups(
    candidates: Sequence[Any], incumbent: Any | None, alive: IntArray
) -> list[Sequence[Any]]:
    """Those still in, so grouped that flips of one base stay together."""
    here = alive.tolist()
    chosen = [k for k in here if k < len(candidates)]
    groups = [some_of(candidates, chosen)] if chosen else []
    return [*groups, [incumbent]] if len(chosen) < len(here) else groups
