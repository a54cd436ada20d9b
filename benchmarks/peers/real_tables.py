"""From the folds of real data to tables: errors, sizes, seconds, and who does better than we do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from thresher.experiments import Panel, Picture, Result, Series

from .comparison import LEVEL, corrected_t, geometric_mean
from .real import N_FOLDS, SMALL

ALL, NONE = "all columns", "none"


@dataclass(frozen=True)
class Outcome:
    """A method on the folds of a data set; empty where it gave no answer on all of them.

    Parameters
    ----------
    errors : mapping of str to tuple of float
        For each judge, one error for each fold.
    sizes : tuple of int
        Columns selected in each fold.
    n_columns : int
        Columns that there are.
    seconds : tuple of float
        Of each fold.
    problem : str
        Why there is no answer.
    """

    errors: Mapping[str, tuple[float, ...]]
    sizes: tuple[float, ...]
    n_columns: int
    seconds: tuple[float, ...] = ()
    problem: str = ""

    @property
    def answered(self) -> bool:
        return not self.problem

    def error(self, judge: str) -> float:
        return float(np.mean(self.errors[judge]))

    @property
    def size(self) -> float:
        return float(np.mean(self.sizes))


#: Who judges the selections.
JUDGES = ("boosting", "k-NN")

#: By data set and method.
Outcomes = Mapping[tuple[str, str], Outcome]


def real_tables(
    data_sets: Sequence[str], methods: Sequence[str], outcomes: Outcomes, ours: str,
    absent: Mapping[str, str], peers: Sequence[str],
) -> dict[str, Result]:  # fmt: skip
    """Return every method on every data set, our verdict, and the mean over data sets.

    ``methods`` are all names with the baselines, ``peers`` those that are not ours; ``absent``
    tells of data sets that are not there.
    """
    tables = {"peers-real": _details(data_sets, methods, outcomes, absent)}
    if not outcomes:
        return tables
    there = [name for name in data_sets if name not in absent]
    if ours in methods:
        tables["peers-better"] = _verdicts(there, peers, outcomes, ours)
        tables["peers-beaten"] = _beaten(there, [ours, *peers], outcomes)
    tables["peers-means"] = _means(there, methods, outcomes)
    return tables


def _details(
    data_sets: Sequence[str], methods: Sequence[str], outcomes: Outcomes,
    absent: Mapping[str, str],
) -> Result:  # fmt: skip
    rows = []
    for name in data_sets:
        if name in absent:
            rows.append((name, *[None] * 6, absent[name]))
            continue
        for method in methods:
            found = outcomes[name, method]
            if not found.answered:
                rows.append((name, method, *[None] * 5, found.problem))
                continue
            errors = [round(found.error(judge), 4) for judge in JUDGES]
            seconds = round(geometric_mean(found.seconds), 2) if found.seconds else None
            size, n_folds = round(found.size, 1), len(found.sizes)
            rows.append((name, method, *errors, size, n_folds, seconds, ""))
    return Result(
        "Real data: the selection judged on rows that it has not seen",
        (
            "data",
            "method",
            "error of boosting",
            "error of k-NN",
            "columns",
            "folds",
            "seconds",
            "problem",
        ),
        tuple(rows),
        (
            f"{N_FOLDS} folds, of tables with fewer than {SMALL} rows anew in each run; the "
            "selection sees the training rows of each, and so do the models that judge it: "
            "scikit-learn's histogram boosting and ten nearest neighbours on standardised numbers, "
            "both with nothing but the selected columns.",
            "Errors are balanced error rates for classes, and mean absolute errors as a share of "
            "the median's for numbers. With no columns the prediction is constant.",
            "Peers get codes for categories and medians for gaps, learned from the training rows; "
            "the models judge all on these numbers. thresher gets the table as it is.",
            "Methods that must be told a number are told 10, or half of the columns if that is "
            "fewer.",
        ),
    )


def better(outcome: Outcome, than: Outcome, judge: str) -> bool:
    """Whether an answer has the lower error with no more columns, or the same with fewer."""
    return outcome.answered and _dominates(
        (outcome.error(judge), outcome.size), (than.error(judge), than.size)
    )


def _dominates(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one != other and one[0] <= other[0] and one[1] <= other[1]


def certainty(outcome: Outcome, than: Outcome, judge: str) -> float:
    """Return the p-value of the difference in error, paired over folds."""
    return corrected_t(np.subtract(outcome.errors[judge], than.errors[judge]), N_FOLDS)


def _verdicts(
    data_sets: Sequence[str], peers: Sequence[str], outcomes: Outcomes, ours: str
) -> Result:
    rows = []
    for name in data_sets:
        mine = outcomes[name, ours]
        if not mine.answered:
            rows.append((name, None, None, None, f"all who answered: {mine.problem}", None))
        for judge in mine.errors:
            winners = [peer for peer in peers if better(outcomes[name, peer], mine, judge)]
            sure = [
                peer for peer in winners if certainty(outcomes[name, peer], mine, judge) < LEVEL
            ]
            rows.append(
                (
                    name,
                    judge,
                    round(mine.error(judge), 4),
                    round(mine.size, 1),
                    ", ".join(winners) or "nobody",
                    ", ".join(sure) or "nobody",
                )
            )
    mine, kept = _mean(data_sets, ours, outcomes)
    means = {peer: _mean(data_sets, peer, outcomes) for peer in peers}
    for at, judge in enumerate(JUDGES):
        winners = [
            peer
            for peer, (theirs, share) in means.items()
            if _dominates((theirs[at], share), (mine[at], kept))
        ]
        own = round(mine[at], 3), round(kept, 1)
        rows.append(("mean of all", judge, *own, ", ".join(winners) or "nobody", ""))
    return Result(
        f"Is any peer better than {ours} with no more columns?",
        ("data", "judge", "our error", "our columns", "better and no larger", "significantly"),
        tuple(rows),
        (
            "Better and no larger: lower error with no more columns, or the same with fewer.",
            "Significantly: the two-sided paired t test over folds with the correction of Nadeau "
            "and Bengio rejects at 5 %, each comparison by itself. Three folds see large "
            "differences only; small tables have more. [peers-beaten](peers-beaten.md) asks the "
            "same of the others.",
            "Mean of all: errors relative to those with all columns, and percent of the columns.",
        ),
    )


def _beaten(data_sets: Sequence[str], methods: Sequence[str], outcomes: Outcomes) -> Result:
    """Ask of each method what `_verdicts` asks of ours: all have equally many opponents."""
    rows = []
    for method in methods:
        n_comparisons, n_beaten, n_surely = 0, 0, 0
        for name in data_sets:
            mine = outcomes[name, method]
            for judge in mine.errors:
                winners = [
                    outcomes[name, other]
                    for other in methods
                    if other != method and better(outcomes[name, other], mine, judge)
                ]
                n_comparisons += 1
                n_beaten += bool(winners)
                n_surely += any(certainty(each, mine, judge) < LEVEL for each in winners)
        rows.append((method, n_comparisons, n_beaten, n_surely))
    rows.sort(key=lambda row: (row[2] / row[1] if row[1] else 2.0, row[3]))
    return Result(
        "Who is beaten how often, by lower error with no more columns or the same with fewer",
        ("method", "comparisons", "beaten in", "significantly in"),
        tuple(rows),
        (
            "A comparison is a data set and a judge, where the method gave an answer; beaten by "
            "any of the others in this table, significantly as in peers-better.",
            "Who keeps few columns is beaten by few, whatever the error, and who keeps most of "
            "them is beaten by many: see it beside the errors.",
        ),
    )


def _mean(data_sets: Sequence[str], method: str, outcomes: Outcomes) -> tuple[list[float], float]:
    """Return the errors relative to those of all columns, and the share of columns kept in percent.

    Where a method gave no answer, all columns stand in for its selection.
    """
    found = [_stand_in(name, method, outcomes) for name in data_sets]
    whole = [outcomes[name, ALL] for name in data_sets]
    ratios = [
        geometric_mean(
            [_ratio(a.error(judge), b.error(judge)) for a, b in zip(found, whole, strict=True)]
        )
        for judge in JUDGES
    ]
    share = float(np.mean([one.size / one.n_columns for one in found]))
    return ratios, 100 * share


def _ratio(error: float, of_all: float) -> float:
    """Return how many times the error is that of all columns; less than 0.001 is nothing."""
    return max(error, 1e-3) / max(of_all, 1e-3)


def _stand_in(name: str, method: str, outcomes: Outcomes) -> Outcome:
    return outcomes[name, method] if outcomes[name, method].answered else outcomes[name, ALL]


def _means(data_sets: Sequence[str], methods: Sequence[str], outcomes: Outcomes) -> Result:
    rows = []
    for method in methods:
        ratios, share = _mean(data_sets, method, outcomes)
        spent_on = [outcomes[name, method].seconds for name in data_sets]
        seconds = [geometric_mean(own) for own in spent_on if own]
        n_answers = sum(outcomes[name, method].answered for name in data_sets)
        spent = round(geometric_mean(seconds), 2) if seconds else None
        rounded = *(round(ratio, 3) for ratio in ratios), round(share, 1)
        rows.append((method, *rounded, spent, f"{n_answers} of {len(data_sets)}"))
    rows.sort(key=lambda row: row[1])
    return Result(
        "Real data: the mean over data sets",
        ("method", "boosting", "k-NN", "columns kept %", "seconds", "answered"),
        tuple(rows),
        (
            "Errors are relative to those with all columns, in the geometric mean: below 1 the "
            "selection helps.",
            "Where a method gave no answer on some fold, all columns stand in for its selection.",
        ),
        picture=_bars(rows),
    )


def _bars(rows: Sequence[tuple]) -> Picture:
    names = tuple(row[0] for row in rows)
    judges = (Series("boosting", names, tuple(row[1] for row in rows)),
              Series("k-NN", names, tuple(row[2] for row in rows)))  # fmt: skip
    kept = (Series("columns kept", names, tuple(row[3] for row in rows)),)
    return Picture(
        (
            Panel("Error, relative to all columns", "", "ratio", judges, "bar"),
            Panel("Columns kept", "", "%", kept, "bar"),
        ),
        columns=1,
    )
