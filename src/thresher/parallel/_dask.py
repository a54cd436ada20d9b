"""The workers of a Dask cluster."""

import asyncio
import concurrent.futures
import pickle
import time
import uuid
import warnings
from collections.abc import Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any

import cloudpickle
from distributed.scheduler import KilledWorker

from ._engine import Call, Engine
from ._limit import Limit
from ._parcel import Parcel, pack
from ._shared import Shared
from ._worker import Outcome, perform_elsewhere

__all__ = ["Dask"]

#: Seconds to wait for workers when none is left.
PATIENCE = 60
#: How often values may be lost with all workers that had them.
N_LOSSES = 5
#: Seconds within which all that is lost with a worker is known.
SETTLING = 0.2
_CANCELLED = (concurrent.futures.CancelledError, asyncio.CancelledError)


class Dask(Engine):
    """Tasks go to the scheduler; values are scattered to all workers, once.

    The scheduler gives what a lost worker was doing to another one, several times over. Values that
    are lost with all workers that had them are scattered again.

    Parameters
    ----------
    client : distributed.Client
        The way to the scheduler.
    n_workers : int
        Threads of all workers together.
    timeout : float, optional
        Seconds that a task may take.
    """

    def __init__(self, client: Any, n_workers: int, timeout: float | None = None):
        super().__init__(max(n_workers, 1))
        self._client = client
        self._timeout = timeout
        self._warned = False
        if timeout is not None:
            _check_nannies(client)

    def submit(self, call: Call) -> "Future[Outcome]":
        """Give it to the scheduler."""
        limit = None if self._timeout is None else Limit(self._timeout)
        # as bytes, so that Dask does not look for tasks of its own in it
        what = cloudpickle.dumps((call.function, call.task, limit))
        keys = [shared.key for shared in call.shared]
        values = [self._where(shared) for shared in call.shared]
        name = getattr(call.function, "__name__", "task")
        return _Reply(
            self._client.submit(
                _perform, what, keys, values, key=f"{name}-{uuid.uuid4().hex}", pure=False
            )
        )

    def look(self, futures: Sequence["Future[Outcome]"]) -> None:
        """Say so if there is nobody to do the work; there may be again."""
        if not self._warned and not self._client.scheduler_info()["workers"]:
            self._warned = True
            warnings.warn(
                f"the Dask cluster {self._client.scheduler.address} has no workers; tasks wait "
                "until there are some",
                RuntimeWarning,
                stacklevel=2,
            )

    def is_loss(self, error: BaseException) -> bool:
        """Whether a worker is lost, or all that had a value."""
        return isinstance(error, (KilledWorker, *_CANCELLED))

    def retries(self, error: BaseException) -> int:
        """Some if values were lost; none if a task has killed several workers already."""
        return 0 if isinstance(error, KilledWorker) else N_LOSSES

    def is_proof(self, error: BaseException) -> bool:
        """Whether several workers died of it: as far as nothing else was with it each time."""
        return isinstance(error, KilledWorker)

    def recover(self) -> None:
        """Let the news about other tasks arrive."""
        time.sleep(SETTLING)

    def cancel(self, futures: Sequence["Future[Outcome]"]) -> None:
        """Call off what no worker is at."""
        replies = [own for own in futures if isinstance(own, _Reply)]
        if not replies:
            return
        stacks = self._client.call_stack()
        under_way = {key for own in stacks.values() for key in own}
        idle = [own for own in replies if str(own.asked.key) not in under_way and own.cancel()]
        self._client.cancel([own.asked for own in idle])

    def _where(self, shared: Shared[Any]) -> Any:
        """The value on the cluster, scattered again if all workers that had it are gone."""
        keeper = ("dask", self._client.id)
        future = shared.place(keeper, self._scatter)
        if future.status not in ("finished", "pending"):
            shared.forget(keeper)
            future = shared.place(keeper, self._scatter)
        return future

    def _scatter(self, value: Any) -> Any:
        parcel = pack(value)
        for attempt in range(N_LOSSES):
            self._client.wait_for_workers(1, timeout=PATIENCE)
            with suppress(OSError):  # a worker has just died, and is still on the scheduler's list
                return self._put(parcel)
            time.sleep(2.0**attempt * SETTLING)
        return self._put(parcel)

    def _put(self, parcel: Parcel) -> Any:
        # without hash: equal values of two selections must not share one fate; without broadcast,
        # which waits for ever if a worker dies meanwhile
        future = self._client.scatter(parcel, hash=False)
        with suppress(Exception):  # it saves time: workers get it from each other if they must
            self._client.replicate(future)
        return future


class _Reply(Future[Outcome]):
    """What Dask promises, as a future that can be waited for with others."""

    def __init__(self, asked: Any):
        super().__init__()
        self.asked = asked
        asked.add_done_callback(self._take)

    def _take(self, asked: Any) -> None:
        with suppress(InvalidStateError):  # it was called off
            try:
                outcome = asked.result()
            except BaseException as error:
                self.set_exception(error)
            else:
                self.set_result(outcome)


def _perform(what: bytes, keys: list[str], values: list[Parcel]) -> Outcome:
    function, task, limit = pickle.loads(what)
    return perform_elsewhere(function, tuple(zip(keys, values, strict=True)), task, limit)


def _check_nannies(client: Any) -> None:
    workers = client.scheduler_info(n_workers=-1)["workers"]
    alone = [address for address, own in workers.items() if not own.get("nanny")]
    if alone:
        raise ValueError(
            "timeout needs workers in processes of their own, which a nanny starts again; the Dask "
            f"worker(s) {', '.join(alone[:3])} have none"
        )
