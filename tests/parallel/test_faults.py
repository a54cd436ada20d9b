"""Workers that are killed, hang or leak: all other results are there, and the culprit is known."""

import os
import signal
import threading

import joblib
import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from tests.parallel import jobs
from tests.parallel.trees import SleepyTree
from thresher.evaluators import evaluator_for
from thresher.parallel import Shared, stream_tasks

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals")


@pytest.mark.parametrize(
    # a cluster may need its time to get over the loss of all its workers
    "engine",
    ["loky", pytest.param("dask", marks=pytest.mark.slow)],
)
def test_workers_killed_from_outside_leave_the_results_alone(engine, working_on):
    with working_on(engine), Shared(0) as shared:
        stream = stream_tasks(jobs.own_process, [(k,) for k in range(200)], 2, shared=shared)
        victims = {next(stream), next(stream)}
        for pid in victims:
            os.kill(pid, signal.SIGKILL)
        rest = list(stream)
    assert len(rest) == 198
    assert victims.isdisjoint(rest[-10:])


def test_a_task_that_kills_its_worker_is_named(working_on):
    tasks = [(k, 3) for k in range(8)]
    with working_on("loky"):
        found = list(stream_tasks(jobs.die_on, tasks, 2, guarded=True))
    with pytest.raises(RuntimeError, match="a worker died while it did task 3 of die_on"):
        raise found[3].to_raise()
    assert found[3].kind == "died"
    assert found[:3] + found[4:] == [0, 1, 2, 4, 5, 6, 7]


@pytest.mark.slow
def test_a_task_that_kills_every_worker_of_a_cluster_is_named(working_on):
    # a worker that dies while it is started is not always started again
    tasks = [(k, 1, 1.0) for k in range(4)]
    with working_on("dask"):
        found = list(stream_tasks(jobs.die_on, tasks, None, guarded=True))
    assert found[1].kind == "died"
    assert [found[0], *found[2:]] == [0, 2, 3]


@pytest.mark.parametrize(("function", "n_jobs"), [(jobs.loop_on, 1), (jobs.hang_on, 2)])
def test_a_task_that_takes_too_long_is_ended(function, n_jobs):
    # long enough for the others, which do nothing, on a machine that is busy
    stream = stream_tasks(
        function, [(k, 1) for k in range(6)], n_jobs, guarded=True, timeout=2, threads=True
    )
    found = list(stream)
    assert (found[1].kind, found[1].message) == (
        "timeout",
        "the task took longer than timeout=2 seconds",
    )
    assert [found[0], *found[2:]] == [0, 2, 3, 4, 5]


def test_too_long_is_an_error_unless_guarded():
    with pytest.raises(TimeoutError, match="longer than timeout=0.2 seconds"):
        list(stream_tasks(jobs.loop_on, [(0, 0)], 1, timeout=0.2))


def test_a_cluster_without_nannies_cannot_keep_to_a_limit():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=":0") as local,
        distributed.Client(local, set_as_default=False) as client,
        joblib.parallel_config(backend="dask", client=client),
        pytest.raises(ValueError, match="timeout needs workers in processes of their own"),
    ):
        stream_tasks(jobs.square, [(1,)], None, timeout=1.0)


def test_workers_that_leak_are_replaced(working_on):
    pytest.importorskip("psutil")
    with working_on("loky"), Shared([]) as held:
        # three workers, a pool that no other test uses; none of them gets to its fourth task
        pids = list(stream_tasks(jobs.leak, [(k,) for k in range(12)], 3, shared=held))
    assert len(pids) == 12
    assert len(set(pids)) > 3


def press_ctrl_c_when(happened):
    """Interrupt the main thread as soon as something has happened."""
    main = threading.main_thread().ident

    def press():
        jobs.wait_until(happened)
        signal.pthread_kill(main, signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()


def test_ctrl_c_reaches_only_the_one_who_waits(working_on, tmp_path):
    with working_on("loky"):
        tasks = ((k, tmp_path, 10) for k in range(10_000))
        stream = stream_tasks(jobs.pass_gate, tasks, 2)
        # the result of the task after the first ten does not come before the gate is opened
        press_ctrl_c_when(lambda: stream.done and (tmp_path / "10.begun").exists())
        with pytest.raises(KeyboardInterrupt):
            for _ in stream:
                pass
        stream.stop()
        n_done = len(stream.done)
        (tmp_path / "open").touch()
        rest = list(stream)
    assert 0 < n_done <= len(stream.done) < 10_000
    assert len(rest) < 20


def test_ctrl_c_ends_fits_that_nobody_waits_for(working_on, tmp_path):
    X, y = np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % 2
    evaluator = evaluator_for(SleepyTree(str(tmp_path)), X, y, cv=4, n_jobs=2)
    with working_on("loky"):
        press_ctrl_c_when(lambda: list(tmp_path.glob("*.begun")))
        with pytest.raises(KeyboardInterrupt):
            evaluator.losses([{0}, {1}])
    assert not list(tmp_path.glob("*.ended"))
    again = evaluator_for(DecisionTreeClassifier(), X, y, cv=4, n_jobs=2)
    with working_on("loky"):
        assert again.losses([{0}]).shape == (1, 40)
