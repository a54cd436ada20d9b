"""Tasks under a monitor: which of them count, and that none goes on afterwards."""

import signal
import threading
import time

import pytest

from thresher.ace import CutShort, Monitor
from thresher.ace._monitor import NOBODY, gather

JOBS = [1, 2, 4]
N_TASKS = 40
#: Tasks from here on wait for what ends the work: otherwise threads that are not held up may have
#: done everything by then.
N_FREE = 10
#: Seconds after which a test has failed.
PATIENCE = 60


class Allowance(Monitor):
    """Lets so many tasks begin, by count or as a clock would."""

    def __init__(self, n_allotted=100, n_beginnings=100):
        self.n_allotted = n_allotted
        self.n_beginnings = n_beginnings
        self.n_counted = 0
        self.end = None
        self._lock = threading.Lock()

    def allotted(self, n_tasks):
        return min(n_tasks, self.n_allotted)

    def spent(self):
        with self._lock:
            self.n_beginnings -= 1
            return self.closed or self.n_beginnings < 0

    def count(self, n_tasks=1):
        self.n_counted += n_tasks

    def close(self, end):
        self.closed, self.end = True, end


def squares(monitor, n_jobs, progress=lambda done: None, function=lambda k: k * k, **options):
    return gather(function, [(k,) for k in range(N_TASKS)], n_jobs, monitor, progress, **options)


@pytest.mark.parametrize("n_jobs", JOBS)
def test_all_tasks_are_done_in_order(n_jobs):
    told = []
    monitor = Allowance()
    assert squares(monitor, n_jobs, told.append) == [k * k for k in range(N_TASKS)]
    assert told == list(range(N_TASKS + 1))
    assert monitor.n_counted == N_TASKS
    assert not monitor.closed


@pytest.mark.parametrize("n_jobs", JOBS)
@pytest.mark.parametrize("limit", [{"n_allotted": 3}, {"n_beginnings": 3}], ids=str)
def test_the_first_tasks_count_if_not_all_may_begin(n_jobs, limit):
    monitor = Allowance(**limit)
    assert squares(monitor, n_jobs) == [0, 1, 4]
    assert monitor.n_counted == 3
    assert isinstance(monitor.end, CutShort)


@pytest.mark.parametrize("n_jobs", JOBS)
@pytest.mark.parametrize("limit", [{"n_allotted": 0}, {"n_beginnings": 0}], ids=str)
def test_required_tasks_are_done_in_any_case(n_jobs, limit):
    assert squares(Allowance(**limit), n_jobs) == []
    assert squares(Allowance(**limit), n_jobs, n_required=2) == [0, 1]


@pytest.mark.parametrize("n_jobs", JOBS)
def test_what_is_under_way_at_an_interrupt_counts(n_jobs):
    begun, interrupted = [], threading.Event()

    def slow(k):
        begun.append(k)
        assert k < N_FREE or interrupted.wait(PATIENCE)
        return k * k

    def interrupt(done):
        if done == 2:
            interrupted.set()
            raise KeyboardInterrupt

    monitor = Allowance()
    results = squares(monitor, n_jobs, interrupt, slow)
    n_begun = len(begun)
    assert results == [k * k for k in range(n_begun)]
    assert 2 <= n_begun < N_TASKS
    assert monitor.n_counted == n_begun
    assert isinstance(monitor.end, KeyboardInterrupt)
    time.sleep(0.05)
    assert len(begun) == n_begun, "nothing goes on in the background"


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signals between threads")
@pytest.mark.parametrize("n_jobs", [2, 4])
def test_ctrl_c_while_threads_work(n_jobs):
    main, pressed = threading.main_thread().ident, threading.Event()

    def press(*_):
        pressed.set()
        raise KeyboardInterrupt

    def slow(k):
        if k == 3:
            signal.pthread_kill(main, signal.SIGINT)
        assert k < N_FREE or pressed.wait(PATIENCE)
        return k * k

    monitor = Allowance()
    before = signal.signal(signal.SIGINT, press)
    try:
        results = squares(monitor, n_jobs, function=slow)
    finally:
        signal.signal(signal.SIGINT, before)
    assert results == [k * k for k in range(len(results))]
    assert 4 <= len(results) < N_TASKS
    assert isinstance(monitor.end, KeyboardInterrupt)


@pytest.mark.parametrize("n_jobs", JOBS)
@pytest.mark.parametrize("where", ["task", "progress"])
def test_errors_end_everything(n_jobs, where):
    begun, failed = [], threading.Event()

    def fail(name, k):
        if name == where and k == 1:
            failed.set()
            raise RuntimeError(name)

    def task(k):
        begun.append(k)
        fail("task", k)
        assert k < N_FREE or failed.wait(PATIENCE)

    with pytest.raises(RuntimeError, match=where):
        squares(Allowance(), n_jobs, lambda done: fail("progress", done), task)
    n_begun = len(begun)
    assert n_begun < N_TASKS
    time.sleep(0.03)
    assert len(begun) == n_begun


@pytest.mark.parametrize("n_jobs", JOBS)
def test_nobody_lets_interrupts_pass(n_jobs):
    def interrupt(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        squares(NOBODY, n_jobs, interrupt)
    assert not NOBODY.closed


@pytest.mark.parametrize("n_jobs", JOBS)
def test_an_interrupt_before_what_is_required_is_raised(n_jobs):
    def interrupt(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        squares(Allowance(), n_jobs, interrupt, n_required=1)
