"""From the records of generated tasks to tables."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from thresher.experiments import Panel, Picture, Result, Series, Spread

from .comparison import geometric_mean, rank
from .jobs import seconds_of
from .quality import Quality
from .registry import Peer
from .tasks import NOISE

#: A data set: the task and which of its tables.
Where = tuple[str, str]
Records = Mapping[tuple[str, Where], dict[str, Any]]

HEADINGS = (
    "method", "F1", "precision", "recall", "redundant kept %", "columns kept of pure noise",
    "seconds", "answered", "mean rank", "tied with best?",
)  # fmt: skip


def generated_tables(
    peers: Sequence[Peer], records: Records, qualities: Mapping[tuple[str, Where], Quality],
    *, limit: float,
) -> dict[str, Result]:  # fmt: skip
    """Return the summary over all data sets, and F1 task by task.

    ``qualities`` holds the answers that came; records that are not there mean errors.
    """
    places = sorted({where for _, where in records if where[0] != NOISE})
    quiet = sorted({where for _, where in records if where[0] == NOISE})
    if not places:
        return {}
    f1 = np.array([[_f1(qualities, peer, where) for where in places] for peer in peers])
    ranking = rank(f1)
    rows = []
    for number, peer in enumerate(peers):
        mine = [qualities[peer.adapter, at] for at in places if (peer.adapter, at) in qualities]
        told = [qualities[peer.adapter, at] for at in quiet if (peer.adapter, at) in qualities]
        rows.append(
            (
                peer.name,
                Spread.of(f1[number]),
                _mean([quality.precision for quality in mine]),
                _mean([quality.recall for quality in mine]),
                _mean([100 * one.redundant for one in mine if one.redundant is not None], 1),
                _mean([quality.noise for quality in told], 1),
                _seconds([records[peer.adapter, at] for at in places], limit),
                f"{len(mine)} of {len(places)}",
                _rounded(ranking.mean_ranks[number], 1),
                "best" if number == ranking.best else "yes" if ranking.tied[number] else "no",
            )
        )
    title = f"Generated data: {len(places)} data sets, the truth about every column being known"
    notes = (
        *NOTES,
        f"Each fit had one thread and {limit:g} seconds.",
        *_told(peers),
        *_aims(peers),
    )
    ordered = _by_score(rows)
    summary = Result(title, HEADINGS, tuple(ordered), notes, picture=_bars(ordered))
    by_task = _by_task(peers, f1, places, [row[0] for row in summary.rows])
    return {"peers-generated": summary, "peers-tasks": by_task}


def _bars(rows: Sequence[tuple]) -> Picture:
    names = tuple(row[0] for row in rows)
    means = Series(
        "F1", names, tuple(row[1].mean for row in rows), tuple(row[1].sd for row in rows)
    )
    panel = Panel("mean and standard deviation", "", "F1", (means,), "bar")
    return Picture((panel,), columns=1)


UNANSWERED = "An answer that did not come counts as F1 = 0."
NOTES = (
    "F1, its standard deviation, mean rank and the test are over all data sets. Precision, recall "
    "and redundant columns are those of the answers that came.",
    UNANSWERED,
    "A redundant column that repeats one single relevant column stands in for it: the first "
    "counts as that hit, further ones as false.",
    "Tied with best: Wilcoxon's signed rank test over data sets, two-sided, against the method "
    "with the highest mean F1, does not reject at 5 % after Holm's correction. Data sets of one "
    "task are alike, so the test is somewhat too sure; and with few data sets it sees little.",
    "Seconds are those of the processor, on which other programs have no influence, in the "
    "geometric mean over data sets; imports are not counted, nor is thresher's compilation of its "
    "kernels, and a fit that was given up counts with the limit.",
    "In friedman mixed, peers get the levels of categories as numbers in their order; thresher "
    "gets categories without order, but for the row that says so.",
)


def _told(peers: Sequence[Peer]) -> list[str]:
    names = [peer.name for peer in peers if peer.told]
    if not names:
        return []
    return [
        f"Told the true number of relevant columns, which is an advantage: {', '.join(names)}. "
        "Being told a number, they have nothing to say on pure noise."
    ]


def _aims(peers: Sequence[Peer]) -> list[str]:
    names = [peer.name for peer in peers if peer.all_relevant]
    if not names:
        return []
    return [
        f"Meant to keep all columns that carry information, redundant ones included, which count "
        f"against them here: {', '.join(names)}. Recall, and what is kept of pure noise, judge "
        "them by their own aim."
    ]


def _by_task(
    peers: Sequence[Peer], f1: np.ndarray, places: Sequence[Where], order: Sequence[str]
) -> Result:
    tasks = list(dict.fromkeys(task for task, _ in places))
    at = {task: [n for n, place in enumerate(places) if place[0] == task] for task in tasks}
    rows = {
        peer.name: (peer.name, *(_rounded(f1[number, at[task]].mean()) for task in tasks))
        for number, peer in enumerate(peers)
    }
    ordered = tuple(rows[name] for name in order)
    return Result("F1 by task", ("method", *tasks), ordered, (UNANSWERED,))


def failures(peers: Sequence[Peer], records: Mapping[tuple[str, Any], dict[str, Any]]) -> Result:
    """Return who gave no answer where, and why."""
    counted: dict[tuple[str, str], list[str]] = {}
    for peer in peers:
        for (adapter, (task, _)), record in records.items():
            if adapter == peer.adapter and record.get("error"):
                counted.setdefault((peer.name, record["error"]), []).append(task)
    rows = tuple(
        (name, len(tasks), ", ".join(dict.fromkeys(tasks)), error)
        for (name, error), tasks in counted.items()
    )
    return Result("Answers that did not come", ("method", "times", "on", "why"), rows)


def _f1(qualities: Mapping[tuple[str, Where], Quality], peer: Peer, where: Where) -> float:
    quality = qualities.get((peer.adapter, where))
    return 0.0 if quality is None else quality.f1


def _seconds(records: Sequence[dict[str, Any]], limit: float) -> float | None:
    spent = [own for record in records if (own := seconds_of(record, limit)) is not None]
    return _rounded(geometric_mean(spent), 2) if spent else None


def _by_score(rows: list[tuple]) -> list[tuple]:
    return sorted(rows, key=lambda row: -row[1].mean)


def _mean(values: Sequence[float], digits: int = 3) -> float | None:
    return _rounded(float(np.mean(values)), digits) if values else None


def _rounded(value: float, digits: int = 3) -> float:
    return round(float(value), digits)
