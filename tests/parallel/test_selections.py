"""The same selection from every engine, also if a worker is killed in the middle."""

import os

import joblib
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from tests.parallel import jobs
from tests.parallel.trees import DyingTree
from thresher import ACE, RVErS

N_ROWS = 150
RNG = np.random.default_rng(5)
X = RNG.normal(size=(N_ROWS, 8))
X[:, 6] = X[:, 0] + 0.1 * RNG.normal(size=N_ROWS)
Y = (X[:, 0] + X[:, 1] + 0.3 * RNG.normal(size=N_ROWS) > 0).astype(int)


def ace(n_jobs=2):
    return ACE(n_replicates=19, n_trees=6, max_iterations=2, n_jobs=n_jobs, random_state=0)


def rvers(n_jobs=2, estimator=None):
    model = estimator or LogisticRegression()
    return RVErS(model, cv=3, max_evaluations=6, n_jobs=n_jobs, random_state=0)


METHODS = {"ACE": ace, "RVErS": rvers}


def told(selector):
    """All that a selection says, but how long it took, how many workers there were and how much
    they computed ahead, in case that it would be asked for.
    """

    def plain(value):
        if isinstance(value, dict):
            left_out = ("seconds", "n_jobs", "losses", "estimator", "mark")
            return {k: plain(v) for k, v in value.items() if k not in left_out}
        return [plain(v) for v in value] if isinstance(value, (list, tuple)) else value

    with np.errstate(all="ignore"):
        return plain(selector.fit(X, Y).selection_.to_dict())


@pytest.fixture(scope="module", params=METHODS)
def method(request):
    return METHODS[request.param]


@pytest.fixture(scope="module")
def expected(method):
    with joblib.parallel_config(backend="sequential"):
        return told(method(1))


@pytest.mark.filterwarnings("ignore:RVErS has spent its budget:UserWarning")
@pytest.mark.parametrize("engine", ["threading", "loky", "dask"])
def test_the_same_from_every_engine(method, expected, engine, working_on):
    with working_on(engine):
        assert told(method()) == expected


@pytest.mark.filterwarnings("ignore:RVErS has spent its budget:UserWarning")
@pytest.mark.parametrize("engine", ["loky", pytest.param("dask", marks=pytest.mark.slow)])
def test_the_same_if_a_worker_is_killed_in_the_middle(engine, working_on, tmp_path):
    mark = tmp_path / "died"
    tree = DecisionTreeClassifier(max_depth=2)
    with joblib.parallel_config(backend="sequential"):
        expected = told(rvers(1, tree))
    with working_on(engine):
        dying = DyingTree(str(mark), max_depth=2)
        assert told(rvers(2, dying)) == expected
    assert mark.exists()


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
# each worker that takes the place of another imports all anew: one engine for each selector
@pytest.mark.parametrize("engine", [pytest.param("loky", marks=pytest.mark.slow), "dask"])
def test_ace_is_the_same_if_a_worker_is_killed_in_the_middle(engine, working_on):
    with joblib.parallel_config(backend="sequential"):
        expected = told(ace(1))
    killed = []

    def kill(step):
        if not killed:
            killed.append(_kill_one(engine))

    with working_on(engine):
        selector = ace()
        selector.observe(kill)  # told between two rounds
        assert told(selector) == expected
    assert killed == [True]


def _kill_one(engine):
    """Kill one worker; whether that could be done."""
    import signal

    if engine == "dask":
        import distributed

        pid = next(iter(distributed.get_client().run(os.getpid).values()))
    else:
        from thresher.parallel import stream_tasks

        [pid] = stream_tasks(jobs.own_process, [(0, 0)], 2)
    os.kill(pid, signal.SIGKILL)
    return True


def test_ray_gives_the_same():
    ray = pytest.importorskip("ray")
    from ray.util.joblib import register_ray

    with joblib.parallel_config(backend="sequential"):
        expected = told(ace(1))
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        register_ray()
        with joblib.parallel_config(backend="ray"):
            assert told(ace()) == expected
    finally:
        ray.shutdown()
