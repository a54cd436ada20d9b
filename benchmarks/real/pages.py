"""From outcomes to the tables of the pages."""

from collections.abc import Sequence
from dataclasses import replace

from thresher.experiments import Cell, Result

from .goals import WORST, WORST_FOR, goals_page, same_again
from .judges import THREE
from .methods import ALL, FOR, SELECT, Method
from .run import OUR_PATIENCE, Answer, Outcome
from .scores import Summary, beside, kept, mean_seconds, median_kept, relative_error, summary
from .tables import HALVES, MOST_ROWS
from .twice import ENOUGH, OTHER_SEEDS, agreement

ERRORS = (
    "Errors are the share of wrong classes, or the share of the variance that is not explained. "
    "The ratio is that of mean errors over splits; before, half an error of a test set is added to "
    "both, or for numbers 0.001, so that an error of 0 does no harm.",
    "Boosting is scikit-learn's histogram boosting on codes for categories, with missing cells as "
    "they are; linear is logistic regression or ridge, neighbours the five nearest, both on "
    "indicators for categories, medians for gaps, all standardised. What is prepared is learned "
    "from the training rows only.",
)


def pages(
    outcomes: Sequence[Outcome],
    methods: Sequence[Method],
    tuned: frozenset[str],
    *,
    n_splits: int,
    limit: float,
) -> dict[str, Result]:
    """Return a page for each question, by name."""
    names = [method.name for method in methods]
    halves = [
        [outcome for outcome in outcomes if (outcome.name in tuned) == first]
        for first in (True, False)
    ]
    how = (
        f"{len(outcomes)} tables of at most {MOST_ROWS} rows; splits of each: {n_splits}. A method "
        "chooses columns on 70 % of the rows; the judges learn from the same rows with the chosen "
        "columns, and are tried on the other 30 %. Without columns the prediction is constant.",
        *ERRORS,
        f"A peer has {limit:g} s of the processor on each split, and thresher "
        f"{OUR_PATIENCE * limit:g} s. A split without an answer is left out.",
    )
    found = {
        "bench-real": methods_page(outcomes, methods, how),
        "bench-real-halves": halves_page(dict(zip(HALVES, halves, strict=True)), methods),
        "bench-real-goals": goals_page(outcomes, halves, names),
        "bench-real-peers": peers_page(outcomes, methods),
        "bench-real-tables": tables_page(outcomes, names),
        "bench-real-estimators": estimators_page(outcomes, names),
        "bench-real-seeds": seeds_page(outcomes),
        "bench-real-methods": about_page(outcomes, methods),
    }
    return {name: page for name, page in found.items() if page.rows}


def methods_page(
    outcomes: Sequence[Outcome], methods: Sequence[Method], how: tuple[str, ...]
) -> Result:
    """Return the mean over tables for each method."""
    return Result(
        "Real tables: the error with chosen columns, relative to that with all columns",
        ("method", *_SCORES, "seconds"),
        tuple(
            (method.name, *_scores(outcomes, method), _round(mean_seconds(outcomes, method.name)))
            for method in methods
        ),
        (
            *how,
            "Geometric means over the tables on which a method answered; columns kept: in the "
            f"median table; above {WORST}: tables above that ratio, by the first judge of the row.",
            "A method for-E is judged by E alone, which is the forest where the column says so.",
        ),
    )


_SCORES = (*THREE, "forest", "columns kept", f"above {WORST}", "worst table", "tables", "answers")


def _scores(outcomes: Sequence[Outcome], method: Method) -> tuple[Cell, ...]:
    seen: dict[str, Summary] = {
        judge: summary(outcomes, method.name, judge, bound=WORST) for judge in method.judges
    }
    first = seen[method.judges[0]]
    ratios = (
        _round(seen[judge].relative) if judge in seen else None for judge in (*THREE, "forest")
    )
    answers = [answer for outcome in outcomes for answer in outcome.answers[method.name]]
    n_given = sum(not answer.problem for answer in answers)
    return (
        *ratios,
        _round(median_kept(outcomes, method.name)),
        len(first.above),
        None if first.worst is None else f"{first.worst[0]} ({first.worst[1]:.2f})",
        first.n_tables,
        f"{n_given} of {len(answers)}",
    )


def halves_page(halves: dict[str, Sequence[Outcome]], methods: Sequence[Method]) -> Result:
    """Return the same for the tables that constants were chosen by, and for the others."""
    return Result(
        "Real tables: the half that constants were chosen by, and the other one",
        ("method", "half", *_SCORES),
        tuple(
            (method.name, half, *_scores(part, method))
            for method in methods
            for half, part in halves.items()
            if part
        ),
        ("As in [bench-real](bench-real.md).",),
    )


def peers_page(outcomes: Sequence[Outcome], methods: Sequence[Method]) -> Result:
    """Return each peer beside ``select``, on the tables on which both answered."""
    rows = []
    asked = {method.name for method in methods}
    for method in methods:
        for judge in THREE if method.is_peer and SELECT.name in asked else ():
            pair = beside(outcomes, method.name, SELECT.name, judge)
            if pair is not None:
                numbers = _round(pair.relative), _round(pair.kept), _round(pair.ours)
                rows.append((method.name, judge, pair.n_tables, *numbers, pair.better))
    return Result(
        "Real tables: each peer beside select",
        ("peer", "judge", "tables", "error / that of select", "kept", "kept by select", "better"),
        tuple(rows),
        (
            "On the tables on which both answered, splits without an answer left out; geometric "
            "mean of the ratio of errors, and median share of columns.",
            "Better: lower error with no more columns, or the same with fewer.",
        ),
    )


def tables_page(outcomes: Sequence[Outcome], names: Sequence[str]) -> Result:
    """Return what ``select`` does on each table, with the errors of all columns."""
    rows = []
    for outcome in outcomes if SELECT.name in names else ():
        ratios = [relative_error(outcome, SELECT.name, judge) for judge in THREE]
        share = kept(outcome, SELECT.name)
        problems = [answer.problem for answer in outcome.answers[SELECT.name] if answer.problem]
        rows.append(
            (
                outcome.name,
                outcome.n_columns,
                None if share is None else round(share * outcome.n_columns, 1),
                *(_round(_mean_error(outcome, judge), 4) for judge in THREE),
                *map(_round, ratios),
                problems[0] if problems else "",
            )
        )
    return Result(
        "Real tables: select on each of them",
        (
            "table",
            "columns",
            "kept",
            *(f"{judge}, all" for judge in THREE),
            *(f"{judge}, ratio" for judge in THREE),
            "problem",
        ),
        tuple(rows),
        ("Mean error with all columns; ratios of errors as in [bench-real](bench-real.md).",),
    )


def _mean_error(outcome: Outcome, judge: str) -> float:
    errors = [answer.errors[judge] for answer in outcome.answers[ALL.name]]
    return sum(errors) / len(errors)


def estimators_page(outcomes: Sequence[Outcome], names: Sequence[str]) -> Result:
    """Return what selecting for a learner is worth to that learner, on each table."""
    asked = [method for method in FOR if method.name in names]
    rows = []
    for outcome in outcomes if asked else ():
        cells: list[Cell] = []
        for method in asked:
            share = kept(outcome, method.name)
            cells.append(None if share is None else round(share * outcome.n_columns, 1))
            cells.append(_round(relative_error(outcome, method.name, method.judges[0])))
        rows.append((outcome.name, outcome.n_columns, *cells))
    headings = [f"{method.judges[0]}, {what}" for method in asked for what in ("columns", "ratio")]
    return Result(
        "Real tables: select(estimator=E), judged by E, relative to E with all columns",
        ("table", "columns", *headings),
        tuple(rows),
        (
            "For whom it was selected: columns kept, and the ratio of errors, which should be at "
            f"most {WORST_FOR:.2f} everywhere.",
            "The forest gets codes for categories and medians for gaps, the others what they get "
            "as judges in [bench-real](bench-real.md).",
        ),
    )


def seeds_page(outcomes: Sequence[Outcome]) -> Result:
    """Return how far other seeds choose the same columns."""
    agreed = same_again(outcomes)
    rows = []
    for outcome in outcomes:
        if outcome.name in agreed:
            given = (outcome.answers[SELECT.name][0], *outcome.again)
            bare = tuple(_without_clusters(answer) for answer in given)
            sizes = ", ".join(str(len(answer.columns)) for answer in given if not answer.problem)
            rows.append(
                (outcome.name, sizes, _round(agreed[outcome.name]), _round(agreement(bare)))
            )
    return Result(
        "Real tables: do other seeds choose the same columns?",
        ("table", "columns chosen", "Jaccard index", "of single columns"),
        tuple(rows),
        (
            f"select on the training rows of the first split, with the seeds 0, {OTHER_SEEDS[0]} "
            f"and {OTHER_SEEDS[1]}, where there are {ENOUGH} of them; the mean of the three pairs.",
            "Columns of one cluster of either selection count as the same column.",
        ),
    )


def _without_clusters(answer: Answer) -> Answer:
    return replace(answer, clusters=())


def about_page(outcomes: Sequence[Outcome], methods: Sequence[Method]) -> Result:
    """Return the version of each method, how it is used, and why it gave no answer."""
    rows = []
    for method in methods:
        if method.peer is None:
            rows.append((method.name, "", "all: all columns.", ""))
            continue
        problems = [
            f"{outcome.name}: {answer.problem}"
            for outcome in outcomes
            for answer in outcome.answers[method.name]
            if answer.problem
        ]
        place = method.peer.environment()
        rows.append((method.name, place.versions, method.peer.choice, _first(problems)))
    return Result(
        "Real tables: the methods", ("method", "versions", "how", "no answer"), tuple(rows)
    )


def _first(problems: Sequence[str]) -> str:
    """Return each reason once with the number of its splits, at most three of them."""
    counts = {problem: problems.count(problem) for problem in dict.fromkeys(problems)}
    told = [f"{problem} ({n})" if n > 1 else problem for problem, n in counts.items()]
    return "; ".join(told[:3]) + (f"; and {len(told) - 3} more" if len(told) > 3 else "")


def _round(value: float | None, digits: int = 3) -> float | None:
    return None if value is None else round(value, digits)
