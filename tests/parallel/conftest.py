"""A Dask cluster of two processes, and the engines by name."""

import time
from contextlib import contextmanager, suppress

import joblib
import pytest

#: Seconds that two workers may take to be there: after a damage, and when they have just begun.
PATIENCE, MORE = 30, 120


class Cluster:
    """Two workers on this machine; if tests have damaged them beyond repair, two others."""

    def __init__(self, distributed):
        self._distributed = distributed
        self._start()

    def _start(self):
        self._local = self._distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1",
            dashboard_address="127.0.0.1:0", memory_limit=0,
        )  # fmt: skip
        self._client = self._distributed.Client(self._local)

    def stop(self):
        # it may have lost count of a worker that was killed
        with suppress(KeyError, TimeoutError, OSError):
            self._client.close()
            self._local.close(timeout=PATIENCE)

    def make_whole(self):
        """See that both workers are there; a nanny does not replace one killed while it starts."""
        if not self._is_whole(PATIENCE):
            self.stop()
            self._start()
            assert self._is_whole(MORE)

    def _is_whole(self, patience):
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            nannies = self._local.workers.values()
            running = all(nanny.status.name == "running" for nanny in nannies)
            if running and len(self._client.scheduler_info()["workers"]) == 2:
                return True
            time.sleep(0.05)
        return False


@pytest.fixture(scope="package")
def cluster():
    """A client of two workers on this machine, which are stopped in the end."""
    own = Cluster(pytest.importorskip("distributed"))
    yield own
    own.stop()


@pytest.fixture
def working_on(request):
    """A context in which tasks are done by an engine; "dask" starts the cluster."""

    @contextmanager
    def working_on(engine):
        if engine == "dask":
            request.getfixturevalue("cluster").make_whole()
        with joblib.parallel_config(backend=engine):
            yield

    return working_on
