"""The workers of a Ray cluster."""

import pickle
from collections.abc import Sequence
from concurrent.futures import Future

import cloudpickle

from ._engine import Call, Engine
from ._limit import Limit
from ._parcel import Parcel, pack
from ._worker import Outcome, perform_elsewhere

__all__ = ["Ray"]


class Ray(Engine):
    """Tasks go to Ray, which gives what a lost worker was doing to another one.

    Parameters
    ----------
    n_workers : int, optional
        Tasks at a time: None and -1 mean one for each core of the cluster.
    timeout : float, optional
        Seconds that a task may take.
    """

    def __init__(self, n_workers: int | None, timeout: float | None = None):
        import ray  # an extra: the module itself can be imported without

        if not ray.is_initialized():
            ray.init()
        self._ray = ray
        self._perform = ray.remote(num_cpus=1, max_retries=3)(_performed)
        resources: dict[str, float] = ray.cluster_resources()
        n_cores = max(int(resources.get("CPU", 1)), 1)
        if n_workers is None:
            n_workers = n_cores
        super().__init__(n_workers if n_workers > 0 else max(n_cores + 1 + n_workers, 1))
        self._timeout = timeout
        self._session = ray.get_runtime_context().get_job_id()

    def submit(self, call: Call) -> "Future[Outcome]":
        """Give it to Ray."""
        limit = None if self._timeout is None else Limit(self._timeout)
        what = cloudpickle.dumps((call.function, call.task, limit))
        values = [
            shared.place(("ray", self._session), lambda value: self._ray.put(pack(value)))
            for shared in call.shared
        ]
        keys = [shared.key for shared in call.shared]
        future: Future[Outcome] = self._perform.remote(what, keys, *values).future()
        return future

    def is_loss(self, error: BaseException) -> bool:
        """Whether a worker, or the value it needed, is lost."""
        known = self._ray.exceptions
        losses = (
            known.RaySystemError,
            known.WorkerCrashedError,
            known.OutOfMemoryError,
            known.NodeDiedError,
            known.ObjectLostError,
        )
        return isinstance(error, losses)

    def cancel(self, futures: "Sequence[Future[Outcome]]") -> None:
        """Nothing: Ray would interrupt what has begun, too."""


def _performed(what: bytes, keys: list[str], *values: Parcel) -> Outcome:
    function, task, limit = pickle.loads(what)
    return perform_elsewhere(function, tuple(zip(keys, values, strict=True)), task, limit)
