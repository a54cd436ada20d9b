"""One thread for matrix products and inside of learners while evaluators run."""

import sys
import threading
from types import TracebackType
from typing import Any

import threadpoolctl  # type: ignore[import-untyped]

__all__ = ["ONE_BLAS_THREAD"]


class _OneBlasThread:
    """Keep BLAS, and the OpenMP of who enters first, to one thread inside ``with``.

    They would start their own threads for products of the size of a fold, or for boosted trees,
    which wait for each other whenever a core is busy (often, as folds already run in threads) and
    whose number shows in the last digits. The setting of BLAS belongs to the process: the first to
    enter makes it and the last to leave takes it back. That of OpenMP belongs to a thread.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._n_users = 0
        self._controller: Any = None
        self._n_modules = 0
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if self._n_users == 0:
                # looking for the libraries takes milliseconds: only if there may be new ones
                if self._n_modules != len(sys.modules):
                    self._n_modules = len(sys.modules)
                    self._controller = threadpoolctl.ThreadpoolController()
                self._limit = self._controller.limit(limits=1)
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
