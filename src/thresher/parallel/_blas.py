"""One thread for matrix products while evaluators run."""

import threading
from types import TracebackType
from typing import Any

import threadpoolctl  # type: ignore[import-untyped]

__all__ = ["ONE_BLAS_THREAD"]


class _OneBlasThread:
    """Keep BLAS to one thread inside ``with``, in whatever threads that happens.

    BLAS would start its own threads for products of the size of a fold, which wait for each other
    whenever a core is busy (often, as folds already run in threads) and whose number shows in the
    last digits. The setting belongs to the process: the first to enter makes it and the last to
    leave takes it back.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._n_users = 0
        self._controller: Any = None
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if self._n_users == 0:
                # looking for the libraries takes milliseconds, so once
                self._controller = self._controller or threadpoolctl.ThreadpoolController()
                self._limit = self._controller.limit(limits=1, user_api="blas")
            self._n_users += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._n_users -= 1
            if self._n_users == 0:
                self._limit.restore_original_limits()


ONE_BLAS_THREAD = _OneBlasThread()
