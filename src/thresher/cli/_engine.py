"""Where the command line has its work done: threads, processes, a Dask or a Ray cluster."""

import importlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import typer

__all__ = ["ENGINE", "ENGINES", "SCHEDULER", "working_on"]

ENGINES = ("threads", "processes", "dask", "ray")

#: Options of all commands that have work to do.
ENGINE = typer.Option(
    None, help="Where to work: threads, processes, dask or ray; by default whatever suits."
)
SCHEDULER = typer.Option(
    None, help="Address of a Dask or Ray cluster; else one is started on this machine."
)


@contextmanager
def working_on(engine: str | None, scheduler: str | None, n_jobs: int) -> Iterator[None]:
    """Have all that is spread over workers done on an engine.

    Parameters
    ----------
    engine : {"threads", "processes", "dask", "ray"}, optional
        By default kernels run in threads, and estimators are refitted in processes.
    scheduler : str, optional
        The address of a cluster; without it, one is started on this machine and stopped after.
    n_jobs : int
        Workers of such a cluster; -1 means one for each core.
    """
    if engine is not None and engine not in ENGINES:
        raise ValueError(f"--engine must be one of {', '.join(ENGINES)}; got {engine!r}")
    if scheduler is not None and engine not in ("dask", "ray"):
        raise ValueError(
            f"--scheduler is the address of a cluster: it needs --engine dask or ray; got --engine "
            f"{engine or 'none'}"
        )
    if engine is None:
        yield
        return
    import joblib

    with ExitStack() as stack:
        backend = {"threads": "threading", "processes": "loky"}.get(engine, engine)
        if engine == "dask":
            _start_dask(stack, scheduler, n_jobs)
        elif engine == "ray":
            _start_ray(stack, scheduler, n_jobs)
        stack.enter_context(joblib.parallel_config(backend=backend))
        yield


def _start_dask(stack: ExitStack, scheduler: str | None, n_jobs: int) -> None:
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise _missing("dask") from error
    address: Any = scheduler
    if scheduler is None:
        address = LocalCluster(
            n_workers=_n_workers(n_jobs),
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
        )
        stack.callback(_close, address)
    try:
        stack.enter_context(Client(address, timeout=30))
    except (OSError, TimeoutError) as error:
        raise ValueError(f"no Dask scheduler answers at {scheduler!r}: {error}") from error


def _close(cluster: Any) -> None:
    with suppress(KeyError):  # it may have lost count of a worker that was killed
        cluster.close()


def _start_ray(stack: ExitStack, scheduler: str | None, n_jobs: int) -> None:
    try:
        ray: Any = importlib.import_module("ray")
        register_ray = importlib.import_module("ray.util.joblib").register_ray
    except ImportError as error:
        raise _missing("ray") from error
    if not ray.is_initialized():
        cores = {} if scheduler else {"num_cpus": _n_workers(n_jobs), "include_dashboard": False}
        try:
            ray.init(address=scheduler, log_to_driver=False, logging_level="ERROR", **cores)
        except (ConnectionError, ValueError) as error:
            raise ValueError(f"no Ray cluster answers at {scheduler!r}: {error}") from error
        stack.callback(ray.shutdown)
    register_ray()


def _n_workers(n_jobs: int) -> int:
    from thresher.parallel import effective_n_jobs

    return effective_n_jobs(n_jobs)


def _missing(extra: str) -> ValueError:
    return ValueError(
        f"--engine {extra} needs a package that is not installed: pip install 'thresher[{extra}]'"
    )
