"""Any other backend of joblib, as multiprocessing: a handful of tasks at a time."""

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

import joblib

from ._engine import Call, Engine
from ._worker import Outcome, perform_elsewhere

__all__ = ["Joblib"]


class Joblib(Engine):
    """Tasks are collected until there is enough to do for all workers, then done together.

    What has been handed out cannot be called off.
    """

    def __init__(self, backend: Any, n_workers: int):
        super().__init__(n_workers)
        self._parallel = joblib.Parallel(n_jobs=n_workers, backend=backend)
        self._waiting: list[tuple[Call, Future[Outcome]]] = []
        self._entered = False

    @property
    def reach(self) -> int:
        """Some for each worker: the next ones wait until all of these are done."""
        return 4 * self.n_workers

    def submit(self, call: Call) -> "Future[Outcome]":
        """Put it with the others."""
        future: Future[Outcome] = Future()
        self._waiting.append((call, future))
        return future

    def work(self) -> None:
        """Do all that was collected."""
        if not self._entered:
            self._parallel.__enter__()
            self._entered = True
        outcomes: list[Outcome] = self._parallel(
            joblib.delayed(perform_elsewhere)(
                call.function,
                tuple((shared.key, shared.file()) for shared in call.shared),
                call.task,
                None,
            )
            for call, _ in self._waiting
        )
        for (_, future), outcome in zip(self._waiting, outcomes, strict=True):
            future.set_result(outcome)
        self._waiting = []

    def cancel(self, futures: "Sequence[Future[Outcome]]") -> None:
        """Forget what was collected."""
        super().cancel(futures)
        self._waiting = []

    def close(self) -> None:
        """Let the workers go."""
        if self._entered:
            self._entered = False
            self._parallel.__exit__(None, None, None)
