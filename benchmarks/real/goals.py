"""What a selection must be worth, and whether it is."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from thresher.experiments import Result

from .judges import THREE
from .methods import FOR, METHODS, SELECT
from .run import Outcome
from .scores import beside, interval, median_kept, rise_is_shown, summary
from .tables import HALVES
from .twice import agreement

MOST = {"boosting": 1.0, "linear": 1.0, "neighbours": 0.85}
WORST, WORST_FOR = 1.10, 1.05
MOST_KEPT = 0.5
SAME = 0.8


#: The judge and the bound by which each table is looked at.
GOALS_BY_TABLE = {
    SELECT.name: ("boosting", WORST),
    **{method.name: (method.judges[0], WORST_FOR) for method in FOR},
}


@dataclass(frozen=True)
class Goal:
    """A number of some tables, and the bound that it must keep.

    Parameters
    ----------
    method : str
        Of which it is demanded.
    text : str
        What is demanded.
    value : callable
        The number, from the outcomes; None where there is nothing to compute it from.
    met : callable
        Whether a number is good enough.
    """

    method: str
    text: str
    value: Callable[[Sequence[Outcome]], float | None]
    met: Callable[[float], bool]


def goals(methods: Sequence[str]) -> Iterator[Goal]:
    """Generate the goals that these methods tell of."""
    if SELECT.name in methods:
        yield from _default(methods)
    for method in FOR:
        if method.name in methods:
            (judge,) = method.judges
            yield _mean(method.name, judge, 1.0)
            yield _none_above(method.name, judge, WORST_FOR)


def _default(methods: Sequence[str]) -> Iterator[Goal]:
    for judge in THREE:
        yield _mean(SELECT.name, judge, MOST[judge])
    yield _none_above(SELECT.name, "boosting", WORST)
    yield Goal(
        SELECT.name,
        f"at most {MOST_KEPT} of the columns kept in the median table",
        lambda outcomes: median_kept(outcomes, SELECT.name),
        lambda share: share <= MOST_KEPT,
    )
    if any(METHODS[name].is_peer for name in methods):
        yield Goal(
            SELECT.name,
            "no peer is better in error and size, by any judge (how many are)",
            lambda outcomes: float(len(better_peers(outcomes, methods))),
            lambda n_better: n_better == 0,
        )
    yield Goal(
        SELECT.name,
        f"other seeds choose the same columns, Jaccard index at least {SAME} (the lowest)",
        lambda outcomes: min(same_again(outcomes).values(), default=None),
        lambda index: index >= SAME,
    )


def _mean(method: str, judge: str, bound: float) -> Goal:
    return Goal(
        method,
        f"error of {judge} relative to all columns at most {bound:.2f} in the mean",
        lambda outcomes: summary(outcomes, method, judge).relative,
        lambda ratio: ratio <= bound,
    )


def _none_above(method: str, judge: str, bound: float) -> Goal:
    return Goal(
        method,
        f"no table above {bound:.2f} for {judge} (how many are)",
        lambda outcomes: float(len(summary(outcomes, method, judge, bound=bound).above)),
        lambda n_tables: n_tables == 0,
    )


def better_peers(outcomes: Sequence[Outcome], methods: Sequence[str]) -> list[str]:
    """Return the peers that are better in both error and size, with the judges who say so."""
    found = []
    for name in (name for name in methods if METHODS[name].is_peer):
        judges = [
            judge
            for judge in THREE
            if (pair := beside(outcomes, name, SELECT.name, judge)) is not None and pair.better
        ]
        if judges:
            found.append(f"{name} ({', '.join(judges)})")
    return found


def same_again(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Return the agreement of seeds on each table where it was measured."""
    found = {}
    for outcome in outcomes:
        if outcome.again:
            index = agreement((outcome.answers[SELECT.name][0], *outcome.again))
            if index is not None:
                found[outcome.name] = index
    return found


def goals_page(
    outcomes: Sequence[Outcome], halves: Sequence[Sequence[Outcome]], methods: Sequence[str]
) -> Result:
    """Return the goals, with the numbers of all tables and of either half."""
    rows = []
    for goal in goals(methods):
        values = [goal.value(part) if part else None for part in (outcomes, *halves)]
        rounded = (None if value is None else round(value, 3) for value in values)
        rows.append((goal.method, goal.text, *rounded, _verdict(goal, values[0], outcomes)))
    better = better_peers(outcomes, methods) if SELECT.name in methods else []
    counts = [len(part) for part in (outcomes, *halves)]
    return Result(
        "What a selection must be worth on real tables, and whether it is",
        ("method", "goal", "all tables", *(f"{half} half" for half in HALVES), "met"),
        tuple(rows),
        (
            f"Of {counts[0]} tables, {counts[1]} in the tuned half and {counts[2]} in the fresh "
            "one; whether a goal is met says the column of all tables.",
            "The tuned half is every other one of the sorted names, beginning with the first. "
            "Constants were chosen by looking at these tables only.",
            "Incomplete: the goal would be met, but splits without an answer are missing in it.",
            "Better in error and size: lower error than select with no more columns, or the same "
            f"with fewer, on the tables both answered: {', '.join(better) or 'no peer'}.",
            *(
                note
                for method in methods
                for judge in METHODS[method].judges
                if method in GOALS_BY_TABLE and (note := _bounds(outcomes, method, judge))
            ),
            *(_beyond_chance(outcomes, method) for method in methods if method in GOALS_BY_TABLE),
            "The goals for generated tables and for tables without any influence are measured by "
            "other commands.",
        ),
    )


def _bounds(outcomes: Sequence[Outcome], method: str, judge: str) -> str:
    """Say between which bounds a mean would lie for other tables like these."""
    found = interval(outcomes, method, judge)
    if found is None:
        return ""
    low, high = found
    return (
        f"{method}, error of {judge} in the mean: with 95 % confidence {low:.3f} to {high:.3f}, "
        "if the tables are a random sample."
    )


def _beyond_chance(outcomes: Sequence[Outcome], method: str) -> str:
    """Say on which of the tables above the bound the rise is more than chance."""
    judge, bound = GOALS_BY_TABLE[method]
    above = summary(outcomes, method, judge, bound=bound).above
    shown = [
        outcome.name
        for outcome in outcomes
        if outcome.name in above and rise_is_shown(outcome, method, judge)
    ]
    return (
        f"{method}, tables above {bound:.2f} for {judge}: {', '.join(above) or 'none'}; more than "
        f"chance over the splits (corrected t-test, one-sided, 5 %): {', '.join(shown) or 'none'}."
    )


def _verdict(goal: Goal, value: float | None, outcomes: Sequence[Outcome]) -> str:
    if value is None:
        return "not measured"
    if not goal.met(value):
        return "no"
    answers = [answer for outcome in outcomes for answer in outcome.answers[goal.method]]
    return "incomplete" if any(answer.problem for answer in answers) else "yes"
