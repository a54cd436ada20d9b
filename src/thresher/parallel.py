"""The one place where work is spread over threads and processes.

Results come back in the order of the tasks, so that nothing downstream depends on ``n_jobs``.
"""

import os
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from itertools import pairwise
from typing import Any, TypeVar

import joblib

Result = TypeVar("Result")

__all__ = [
    "effective_n_jobs",
    "run_in_threads",
    "run_on_slices",
    "run_tasks",
    "slices",
    "stream_in_threads",
]


def effective_n_jobs(n_jobs: int | None) -> int:
    """Return the number of workers that joblib would use for ``n_jobs``."""
    if n_jobs == 0:
        raise ValueError("n_jobs must not be 0; use None or 1 for one job, -1 for all cores")
    return int(joblib.effective_n_jobs(n_jobs))


def run_in_threads(
    function: Callable[..., Result], tasks: Sequence[tuple[Any, ...]], n_jobs: int | None
) -> list[Result]:
    """Call ``function(*task)`` for each task, in threads: for kernels that release the GIL."""
    return list(stream_in_threads(function, tasks, n_jobs))


def stream_in_threads(
    function: Callable[..., Result], tasks: Sequence[tuple[Any, ...]], n_jobs: int | None
) -> Generator[Result, None, None]:
    """Yield the result of each task as soon as it and those before it are there.

    Whatever ends this before the last one - an error, Ctrl-C, a consumer that has seen enough -
    calls off the tasks that have not begun and waits for those that have: nothing goes on behind
    the caller's back.
    """
    n_threads = effective_n_jobs(n_jobs)
    if n_threads == 1 or len(tasks) <= 1:
        yield from (function(*task) for task in tasks)
        return
    # joblib's own threads cost a millisecond a call, as much as many a kernel
    pool = _threads(n_threads)
    futures: list[Future[Result]] = []
    try:
        futures.extend(pool.submit(function, *task) for task in tasks)
        for future in futures:
            yield future.result()
    finally:
        under_way = [future for future in futures if not (future.done() or future.cancel())]
        if under_way:
            wait(under_way)


@cache
def _threads(n_threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(n_threads, thread_name_prefix="thresher")


# a forked process has the pools of its parent, but not their threads
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.cache_clear)


def run_on_slices(function: Callable[[slice], object], n_items: int, n_jobs: int | None) -> None:
    """Call ``function`` in threads, each with a part of ``range(n_items)`` to work on."""
    parts = slices(n_items, effective_n_jobs(n_jobs))
    run_in_threads(function, [(part,) for part in parts], n_jobs)


def run_tasks(
    function: Callable[..., Result], tasks: Iterable[tuple[Any, ...]], n_jobs: int | None
) -> list[Result]:
    """Call ``function(*task)`` for each task on joblib's current backend."""
    if effective_n_jobs(n_jobs) == 1:
        return [function(*task) for task in tasks]
    return list(joblib.Parallel(n_jobs=n_jobs)(joblib.delayed(function)(*task) for task in tasks))


def slices(n_items: int, n_parts: int) -> list[slice]:
    """Cut ``range(n_items)`` into at most ``n_parts`` slices of nearly equal length.

    Examples
    --------
    >>> slices(5, 2)
    [slice(0, 3, None), slice(3, 5, None)]
    """
    n_parts = max(1, min(n_parts, n_items))
    size, extra = divmod(n_items, n_parts)
    bounds = [0]
    for part in range(n_parts):
        bounds.append(bounds[-1] + size + (part < extra))
    return [slice(a, b) for a, b in pairwise(bounds)]
