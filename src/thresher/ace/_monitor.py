"""Who is told how far the work is, and asked before each task whether it may begin."""

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import count, takewhile
from typing import Any, TypeVar

import numpy as np

from thresher.journal import NO_JOURNAL, Entry, Scope
from thresher.parallel import Shared, stream_tasks

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
    #: Where results are written down and looked up.
    journal: Scope = NO_JOURNAL

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
    what: tuple[Any, ...] = (),
    shared: Sequence[Shared[Any]] = (),
    n_required: int = 0,
    here: bool = False,
) -> list[Result]:
    """Results of the first tasks, in order: of all of them unless the monitor or Ctrl-C says stop.

    Each task that has begun is finished and counts, however long it takes, and tasks begin in
    order. So which ones count depends on when they began, never on what they found.

    Parameters
    ----------
    function : callable
        Called with the shared values and each task, by any worker.
    tasks : sequence of tuples
        Its arguments.
    n_jobs : int, optional
        Workers: threads, unless the user has chosen another engine.
    monitor : Monitor
        Asked before each task, and told of each one done.
    progress : callable
        Told how many are done, from 0 on.
    what : tuple
        Under what name, with the first argument of a task, the monitor's journal knows its result;
        without one, it does not.
    shared : sequence of Shared
        Arguments that are the same for all tasks.
    n_required : int, default=0
        So many are done in any case; if they cannot be, what has stopped them is raised.
    here : bool, default=False
        Whether tasks are done one by one in this thread, as they spread their own work.
    """
    n_allotted = max(monitor.allotted(len(tasks)), n_required)
    journal = monitor.journal if what else NO_JOURNAL
    known = _recalled(journal, what, tasks[:n_allotted])
    asked = [number for number in range(n_allotted) if number not in known]
    n_counted = len(known)
    monitor.count(n_counted)
    end: BaseException | None = None
    with closing(
        stream_tasks(
            function, [tasks[number] for number in asked], n_jobs, shared=shared, threads=True,
            here=here, may_begin=lambda k: asked[k] < n_required or not monitor.spent(),
        )
    ) as finished:  # fmt: skip
        try:
            progress(n_counted)
            for k, result in enumerate(finished):
                _write(journal, what, tasks[asked[k]], result)
                n_counted += 1
                monitor.count()
                progress(n_counted)
        except (CutShort, KeyboardInterrupt) as stopped:
            end = stopped
            finished.stop()
            deque(finished, maxlen=0)
    done = known | {asked[k]: result for k, result in finished.done.items()}
    first = [done[number] for number in takewhile(done.__contains__, count())]
    if end is not None:
        for number in asked[: len(finished.done)]:  # those that came when nobody looked any more
            _write(journal, what, tasks[number], done[number])
    if end is None and len(first) < len(tasks):
        end = CutShort()
    if end is not None:
        monitor.close(end)
        if len(first) < n_required:
            raise end
    monitor.count(len(first) - n_counted)
    return first


def _recalled(
    journal: Scope, what: tuple[Any, ...], tasks: Sequence[tuple[Any, ...]]
) -> dict[int, Any]:
    """Results that the journal has, by the number of the task."""
    found = {}
    for number, task in enumerate(tasks if journal else ()):
        entry = journal.recall(*what, task[0])
        if entry is not None:
            found[number] = entry.arrays if len(entry.arrays) > 1 else entry.arrays[0]
    return found


def _write(journal: Scope, what: tuple[Any, ...], task: tuple[Any, ...], result: Any) -> None:
    if journal:
        arrays = result if isinstance(result, tuple) else (result,)
        entry = Entry(tuple(np.asarray(array) for array in arrays))
        journal.note(entry, *what, task[0])
