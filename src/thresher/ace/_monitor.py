"""Who is told how far the work is, and asked before each task whether it may begin."""

from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import count, takewhile
from typing import Any, TypeVar

from thresher.parallel import stream_in_threads

__all__ = ["NOBODY", "CutShort", "Monitor", "gather"]

Result = TypeVar("Result")


class CutShort(Exception):  # noqa: N818 - an end, not an error
    """No further task may begin."""


class Monitor:
    """Lets everything pass; a subclass may tell somebody, count, or set limits.

    All methods but `spent` are called in the thread that runs the stages.
    """

    #: Whether a stage was cut short.
    closed = False

    def allotted(self, n_tasks: int) -> int:
        """How many of so many tasks may be done. Must not depend on the clock."""
        return n_tasks

    def spent(self) -> bool:
        """Whether no further task may begin. Asked by many threads at once."""
        return False

    def count(self, n_tasks: int = 1) -> None:
        """Take note of tasks done."""

    def tick(self, stage: str, done: int, total: int | None) -> None:
        """Take note of how far a stage is."""

    def close(self, end: BaseException) -> None:
        """Take note that a stage was cut short: `closed` and `spent` are true from now on.

        Whoever cannot do that must raise ``end``.
        """
        raise end


NOBODY = Monitor()


def gather(
    function: Callable[..., Result],
    tasks: Sequence[tuple[Any, ...]],
    n_jobs: int | None,
    monitor: Monitor,
    progress: Callable[[int], object],
    *,
    n_required: int = 0,
) -> list[Result]:
    """Results of the first tasks, in order: of all of them unless the monitor or Ctrl-C says stop.

    Each task that has begun is finished and counts, however long it takes, and tasks begin in
    order. So which ones count depends on when they began, never on what they found.

    Parameters
    ----------
    function : callable
        Called with each task, in threads.
    tasks : sequence of tuples
        Its arguments.
    n_jobs : int, optional
        Threads.
    monitor : Monitor
        Asked before each task, and told of each one done.
    progress : callable
        Told how many are done, from 0 on.
    n_required : int, default=0
        So many are done in any case; if they cannot be, what has stopped them is raised.
    """
    results: dict[int, Result] = {}
    n_counted = 0

    def one_task(number: int, *task: Any) -> None:
        if number >= n_required and monitor.spent():
            raise CutShort
        results[number] = function(*task)

    n_allotted = max(monitor.allotted(len(tasks)), n_required)
    numbered = [(number, *task) for number, task in enumerate(tasks[:n_allotted])]
    try:
        progress(0)
        with closing(stream_in_threads(one_task, numbered, n_jobs)) as finished:
            for _ in finished:
                n_counted += 1
                monitor.count()
                progress(n_counted)
        if n_allotted < len(tasks):
            raise CutShort
    except (CutShort, KeyboardInterrupt) as end:
        monitor.close(end)
        if any(number not in results for number in range(n_required)):
            raise
    first = [results[number] for number in takewhile(results.__contains__, count())]
    monitor.count(len(first) - n_counted)
    return first
