"""Which engine does the tasks: what the user has chosen in joblib, or what suits them."""

from typing import Any

from joblib.parallel import get_active_backend

from ._counts import effective_n_jobs
from ._engine import Engine, Here, Threads
from ._threads import in_pool

__all__ = ["choose_engine"]

_LOCAL = ("SequentialBackend", "ThreadingBackend", "LokyBackend", "MultiprocessingBackend")


def choose_engine(n_jobs: int | None, *, threads: bool, timeout: float | None) -> Engine:
    """The engine for some tasks; see `stream_tasks`."""
    backend, configured = get_active_backend(prefer="threads" if threads else None)
    if n_jobs is None:
        n_jobs = configured
    effective_n_jobs(n_jobs)  # checks it
    name = type(backend).__name__
    if name == "DaskDistributedBackend":
        from ._dask import Dask

        return Dask(backend.client, backend.effective_n_jobs(n_jobs), timeout)
    if name == "RayBackend":
        from ._ray import Ray

        return Ray(n_jobs, timeout)
    n_workers = int(backend.effective_n_jobs(1 if n_jobs is None else n_jobs))
    return _on_this_machine(backend, name, n_workers, timeout)


def _on_this_machine(backend: Any, name: str, n_workers: int, timeout: float | None) -> Engine:
    local = name in _LOCAL
    if timeout is not None and local:
        from ._loky import Loky

        return Loky(n_workers, timeout)
    if n_workers == 1 and local:
        return Here()
    if name == "ThreadingBackend":
        # a thread of the pool that waited for the others might wait for ever
        return Here() if in_pool() else Threads(n_workers)
    if name == "LokyBackend":
        from ._loky import Loky

        return Loky(n_workers)
    from ._joblib import Joblib

    if timeout is not None:
        raise ValueError(f"timeout cannot be kept by joblib's {name}: use loky, dask or ray")
    return Joblib(backend, n_workers)
