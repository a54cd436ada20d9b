"""Tasks in, results out: on whatever engine is chosen."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from ._choice import choose_engine
from ._engine import Call, Here
from ._shared import Shared
from ._stream import Refused, Stream

__all__ = ["run_tasks", "stream_tasks"]

Result = TypeVar("Result")


def stream_tasks(
    function: Callable[..., Any],
    tasks: Iterable[tuple[Any, ...]],
    n_jobs: int | None,
    *,
    shared: Shared[Any] | Sequence[Shared[Any]] = (),
    threads: bool = False,
    guarded: bool = False,
    timeout: float | None = None,
    may_begin: Callable[[int], bool] | None = None,
    here: bool = False,
) -> Stream:
    """Call ``function(*shared values, *task)`` for each task, wherever there are workers.

    Results do not depend on the engine or on ``n_jobs``: each task has one thread for matrix
    products everywhere.

    Parameters
    ----------
    function : callable
        Of a module, if tasks are done in other processes.
    tasks : iterable of tuples
        Arguments that are different for each task, and small. Taken as workers get free.
    n_jobs : int, optional
        Workers; None means one, or what ``joblib.parallel_config`` says. A Dask cluster is used as
        a whole.
    shared : Shared or sequence of Shared
        Arguments that are the same for all tasks: each worker gets them once.
    threads : bool, default=False
        Whether the function releases the GIL. It then runs in threads of this process, unless the
        user has chosen a backend by ``joblib.parallel_config(backend=...)``. Other functions run on
        joblib's current backend.
    guarded : bool, default=False
        Whether a task that raises gives a `Failure` as its result, instead of ending all.
    timeout : float, optional
        Seconds that a task may take. Tasks then always run in other processes.
    may_begin : callable, optional
        Told the number of a task, from 0 on: whether it may begin. If not, the stream ends with
        those that have. In threads it is asked by the thread, else when the task is handed out.
    here : bool, default=False
        Whether to do all of it in this thread, whatever else is chosen.

    Returns
    -------
    Stream
        An iterator over the results, in the order of the tasks.

    Examples
    --------
    >>> from operator import add
    >>> list(stream_tasks(add, [(1, 2), (3, 4)], n_jobs=1))
    [3, 7]
    >>> list(stream_tasks(add, [(1,), (2,)], n_jobs=1, shared=Shared(10)))
    [11, 12]
    >>> list(stream_tasks(add, [(1, "a")], n_jobs=1, guarded=True))[0].kind
    'TypeError'
    """
    handles = (shared,) if isinstance(shared, Shared) else tuple(shared)
    if timeout is not None and not timeout > 0:
        raise ValueError(f"timeout must be more than 0 seconds, or None; got {timeout!r}")
    engine = Here() if here else choose_engine(n_jobs, threads=threads, timeout=timeout)
    gate = _Gate(may_begin) if may_begin is not None and engine.is_local else None

    def calls() -> Iterator[Call]:
        for number, task in enumerate(tasks):
            own = function if gate is None else gate.guard(number, function)
            yield Call(number, own, handles, task)

    return Stream(engine, calls(), guarded=guarded, may_begin=may_begin)


def run_tasks(
    function: Callable[..., Result],
    tasks: Iterable[tuple[Any, ...]],
    n_jobs: int | None,
    *,
    shared: Shared[Any] | Sequence[Shared[Any]] = (),
) -> list[Result]:
    """All results of `stream_tasks`, on joblib's current backend."""
    return list(stream_tasks(function, tasks, n_jobs, shared=shared))


class _Gate:
    """Lets threads begin their tasks in order, and only those that may.

    Threads take tasks in order, but may overtake each other before they ask.
    """

    def __init__(self, may_begin: Callable[[int], bool]):
        self._may_begin = may_begin
        self._next = 0
        self._turn = threading.Condition()

    def guard(self, number: int, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, which asks first."""

        def asks(*arguments: Any) -> Any:
            with self._turn:
                self._turn.wait_for(lambda: number <= self._next)
                admitted = self._may_begin(number)
                self._next = number + 1
                self._turn.notify_all()
            if not admitted:
                raise Refused
            return function(*arguments)

        return asks
