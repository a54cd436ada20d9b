"""Functions for workers, who must find them by name; importing this must stay cheap for them."""

import ctypes
import os
import signal
import time
from pathlib import Path

import numpy as np
from joblib.externals.loky import process_executor

from thresher.parallel import _worker

#: Seconds after which a test has failed that waits for something.
PATIENCE = 120

# a worker that begins with these and then imports what a selector needs has grown, but not leaked
process_executor._MAX_MEMORY_LEAK_SIZE = 2_000_000_000


def wait_until(happened):
    """Wait for an event, but not for ever."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        if time.monotonic() > deadline:
            raise TimeoutError("it did not happen")
        time.sleep(0.01)


def add(shared, k):
    return shared + k


def square(k):
    return k * k


def own_process(_shared, _k):
    return os.getpid()


def meet(_shared, _k, folder):
    """Wait until another process is at this, too: who this one is, and what it has loaded."""
    (Path(folder) / str(os.getpid())).touch()
    wait_until(lambda: len(os.listdir(folder)) >= 2)
    return os.getpid(), _worker.KEPT.n_loads


def pass_gate(k, folder, n_free):
    """Leave marks; all but the first few tasks wait in between for the gate to open."""
    folder = Path(folder)
    (folder / f"{k}.begun").touch()
    if k >= n_free:
        wait_until((folder / "open").exists)
    (folder / f"{k}.ended").touch()
    return k


def what_arrives(shared, _k):
    codes, frozen, function = shared
    return codes.flags.writeable, frozen.flags.writeable, function(1), float(codes.sum())


def fail_on(k, wrong):
    if k == wrong:
        error = KeyError(f"no {k}")
        error.add_note("raised on purpose")
        raise error
    return k


class Unportable(Exception):  # noqa: N818
    """Can be pickled, but not be made again from that."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def raise_unportable(k):
    raise Unportable(k, k)


def leave(_k):
    raise SystemExit(3)


def die_on(k, wrong, pause=0):
    if k == wrong:
        time.sleep(pause)
        os.kill(os.getpid(), signal.SIGKILL)
    return k


def loop_on(k, wrong):
    while k == wrong:
        time.sleep(0.001)
    return k


def hang_on(k, wrong):
    """Hang in C, without ever looking at signals or letting others work."""
    if k == wrong:
        # a call that keeps the lock of the interpreter, and that the alarm cannot end
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        ctypes.PyDLL(None).pause()
    return k


def product(table, k):
    return (table[k:].T @ table[k:])[0]


def leak(held, _k):
    """Hold on to more and more memory, in a worker of a pool that is strict about it."""
    process_executor._MAX_MEMORY_LEAK_SIZE = 40_000_000
    process_executor._MEMORY_LEAK_CHECK_DELAY = 0.0
    held.append(np.ones(3_000_000))
    return os.getpid()
