"""Kernels that release the GIL, in threads of this process."""

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from typing import Any, TypeVar

from ._counts import effective_n_threads, slices

__all__ = ["in_pool", "run_in_threads", "run_on_slices", "thread_pool"]

Result = TypeVar("Result")

_NAME = "thresher"


def run_in_threads(
    function: Callable[..., Result], tasks: Sequence[tuple[Any, ...]], n_jobs: int | None
) -> list[Result]:
    """Call ``function(*task)`` for each task, in threads: for kernels that release the GIL.

    Whatever ends this before the last one - an error, Ctrl-C - calls off the tasks that have not
    begun and waits for those that have: nothing goes on behind the caller's back. Always in this
    process, whatever joblib's backend, because such functions write into arrays they share.
    """
    n_threads = effective_n_threads(n_jobs)
    if n_threads == 1 or len(tasks) <= 1 or in_pool():
        return [function(*task) for task in tasks]
    # joblib's own threads cost a millisecond a call, as much as many a kernel
    pool = thread_pool(n_threads)
    futures: list[Future[Result]] = []
    try:
        futures.extend(pool.submit(function, *task) for task in tasks)
        return [future.result() for future in futures]
    finally:
        under_way = [future for future in futures if not (future.done() or future.cancel())]
        if under_way:
            wait(under_way)


def run_on_slices(function: Callable[[slice], object], n_items: int, n_jobs: int | None) -> None:
    """Call ``function`` in threads, each with a part of ``range(n_items)`` to work on."""
    parts = slices(n_items, effective_n_threads(n_jobs))
    run_in_threads(function, [(part,) for part in parts], n_jobs)


@cache
def thread_pool(n_threads: int) -> ThreadPoolExecutor:
    """So many threads, which stay for the next call."""
    return ThreadPoolExecutor(n_threads, thread_name_prefix=_NAME)


def in_pool() -> bool:
    """Whether this is one of those threads: waiting for others of them might never end."""
    return threading.current_thread().name.startswith(f"{_NAME}_")


# a forked process has the pools of its parent, but not their threads
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=thread_pool.cache_clear)
