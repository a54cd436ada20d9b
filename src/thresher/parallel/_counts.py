"""How many workers there are, and what each of them gets."""

from itertools import pairwise

import joblib
from joblib.parallel import get_active_backend

__all__ = ["effective_n_jobs", "effective_n_threads", "is_remote", "slices"]


def effective_n_jobs(n_jobs: int | None) -> int:
    """Return the number of workers that joblib would use for ``n_jobs``.

    Under ``joblib.parallel_config(backend="dask")`` that is the size of the cluster.
    """
    _check(n_jobs)
    return int(joblib.effective_n_jobs(n_jobs))


def effective_n_threads(n_jobs: int | None) -> int:
    """Return the number of threads of this process to use for ``n_jobs``.

    The same as `effective_n_jobs`, unless the workers are elsewhere: then as many as there are
    workers, but no more than this machine has cores.
    """
    _check(n_jobs)
    backend, configured = get_active_backend(prefer="threads")
    if not is_remote(backend):
        return int(joblib.effective_n_jobs(n_jobs))
    n_cores = int(joblib.cpu_count())
    if n_jobs is None:
        n_jobs = configured
    if n_jobs is None:
        return min(n_cores, max(int(backend.effective_n_jobs(-1)), 1))
    return n_jobs if n_jobs > 0 else max(n_cores + 1 + n_jobs, 1)


def is_remote(backend: object) -> bool:
    """Whether a backend of joblib sends tasks to workers that may be on other machines."""
    return type(backend).__name__ in ("DaskDistributedBackend", "RayBackend")


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


def _check(n_jobs: int | None) -> None:
    if n_jobs == 0:
        raise ValueError("n_jobs must not be 0; use None or 1 for one job, -1 for all cores")
