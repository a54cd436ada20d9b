"""Results in order, from whatever engine, as tasks are taken one by one."""

import itertools
import signal

import numpy as np
import pytest

from tests.parallel import jobs
from thresher.parallel import Failure, Shared, effective_n_threads, run_tasks, stream_tasks
from thresher.parallel._engine import Threads

ENGINES = ["sequential", "threading", "loky", "multiprocessing", "dask"]


@pytest.mark.parametrize("engine", ENGINES)
def test_results_come_in_the_order_of_the_tasks(engine, working_on):
    with working_on(engine), Shared(100) as hundred:
        found = list(stream_tasks(jobs.add, ((k,) for k in range(30)), 2, shared=hundred))
    assert found == list(range(100, 130))


@pytest.mark.parametrize("engine", ENGINES)
def test_tasks_are_taken_as_workers_get_free(engine, working_on):
    taken = []

    def tasks():
        for k in itertools.count():
            taken.append(k)
            yield (k,)

    with working_on(engine):
        stream = stream_tasks(jobs.square, tasks(), 2)
        found = [next(stream) for _ in range(20)]
        stream.close()
    assert found == [k * k for k in range(20)]
    assert len(taken) < 200


@pytest.mark.parametrize("engine", ["loky", "dask"])
def test_each_worker_loads_what_is_shared_once(engine, working_on, tmp_path):
    def loads(folder):
        folder.mkdir()
        tasks = [(k, folder) for k in range(20)]
        return dict(stream_tasks(jobs.meet, tasks, 2, shared=table))

    with working_on(engine), Shared(np.zeros(1000)) as table:
        first = loads(tmp_path / "first")
        later = loads(tmp_path / "later")
    assert len(first) == 2
    assert later == first


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_shared_arrives_as_it_was(engine, working_on):
    frozen = np.arange(3.0)
    frozen.flags.writeable = False
    value = (np.arange(6, dtype=np.uint8).reshape(2, 3), frozen, lambda x: x + 1)
    with working_on(engine), Shared(value) as shared:
        assert (
            run_tasks(jobs.what_arrives, [(0,)] * 2, 2, shared=shared)
            == [(True, False, 2, 15.0)] * 2
        )


@pytest.mark.parametrize("engine", ENGINES)
def test_what_a_task_raises_is_raised(engine, working_on):
    with working_on(engine), pytest.raises(KeyError, match="no 3") as raised:
        list(stream_tasks(jobs.fail_on, [(k, 3) for k in range(8)], 2))
    assert raised.value.__notes__ == ["raised on purpose"]


@pytest.mark.parametrize("engine", ENGINES)
def test_guarded_tasks_fail_alone(engine, working_on):
    with working_on(engine):
        found = list(stream_tasks(jobs.fail_on, [(k, 3) for k in range(6)], 2, guarded=True))
        [odd] = stream_tasks(jobs.raise_unportable, [(1,)], 2, guarded=True)
    assert found[3] == Failure("KeyError", "'no 3'", ("raised on purpose",))
    assert isinstance(found[3].error, KeyError)
    assert found[:3] + found[4:] == [0, 1, 2, 4, 5]
    assert (odd.kind, odd.message) == ("Unportable", "1 and 1")


def test_an_estimator_that_leaves_python_is_a_failure(working_on):
    with working_on("loky"):
        [failure] = stream_tasks(jobs.leave, [(1,)], 2, guarded=True)
    assert failure.kind == "SystemExit"


@pytest.mark.parametrize("engine", ["threading", "loky", "dask"])
def test_a_stopped_stream_gives_what_has_begun(engine, working_on, tmp_path):
    with working_on(engine):
        stream = stream_tasks(jobs.pass_gate, ((k, tmp_path, 1) for k in range(1000)), 2)
        next(stream)
        jobs.wait_until((tmp_path / "1.begun").exists)
        begun = {int(mark.stem) for mark in tmp_path.glob("*.begun")}
        stream.stop()
        (tmp_path / "open").touch()
        rest = list(stream)
    assert begun <= set(stream.done)
    assert len(rest) < 20
    assert len(stream.done) == 1 + len(rest)


@pytest.mark.parametrize("engine", ENGINES)
def test_no_task_begins_that_may_not(engine, working_on):
    with working_on(engine):
        stream = stream_tasks(
            jobs.square, [(k,) for k in range(50)], 2, may_begin=lambda number: number < 7
        )
        assert list(stream) == [k * k for k in range(7)]


@pytest.mark.parametrize("engine", ENGINES)
def test_matrix_products_are_the_same_bit_for_bit(engine, working_on):
    table = np.random.default_rng(0).normal(size=(3000, 60))
    expected = [jobs.product(table, k) for k in range(2)]
    with working_on("sequential"), Shared(table) as shared:
        alone = run_tasks(jobs.product, [(0,), (1,)], 1, shared=shared)
    with working_on(engine), Shared(table) as shared:
        found = run_tasks(jobs.product, [(0,), (1,)], 2, shared=shared)
    assert np.array_equal(found, alone)
    np.testing.assert_allclose(found, expected)


def test_threads_within_threads_do_not_wait_for_each_other():
    def outer(k):
        return sum(stream_tasks(jobs.square, [(k,)] * 3, 2, threads=True))

    assert list(stream_tasks(outer, [(k,) for k in range(8)], 2, threads=True)) == [
        3 * k * k for k in range(8)
    ]


def test_kernels_stay_in_threads_of_this_machine_under_a_cluster(working_on):
    with working_on("dask"):
        assert effective_n_threads(3) == 3
        assert 1 <= effective_n_threads(None) <= 2


def test_files_go_when_the_handle_goes():
    shared = Shared(np.zeros(10))
    path = shared.file()
    assert path.stat().st_size > 80
    assert shared.file() == path
    shared.close()
    assert not path.exists()
    path = shared.file()
    del shared
    assert not path.exists()


def test_slow_consumers_find_results_ready(working_on, tmp_path):
    with working_on("loky"):
        stream = stream_tasks(jobs.pass_gate, ((k, tmp_path, 4) for k in range(4)), 2)
        next(stream)
        jobs.wait_until((tmp_path / "1.ended").exists)
        assert list(stream) == [1, 2, 3]


@pytest.mark.parametrize("wrong", [0, -1.0, float("nan")])
def test_a_limit_must_be_some_time(wrong):
    with pytest.raises(ValueError, match="timeout must be more than 0"):
        stream_tasks(jobs.square, [(1,)], 1, timeout=wrong)


def test_ctrl_c_while_a_task_is_handed_out_loses_nothing(monkeypatch):
    handed_out = Threads.submit

    def press(engine, call):
        future = handed_out(engine, call)
        if call.number == 3:
            future.result()
            signal.raise_signal(signal.SIGINT)
        return future

    monkeypatch.setattr(Threads, "submit", press)
    stream = stream_tasks(jobs.square, ((k,) for k in itertools.count()), 4, threads=True)
    with pytest.raises(KeyboardInterrupt):
        list(stream)
    stream.stop()
    list(stream)
    assert stream.done == {k: k * k for k in range(4)}
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
