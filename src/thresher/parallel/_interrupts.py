"""Ctrl-C at a moment when it can do no harm."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["interrupts_held"]


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Let Ctrl-C wait for the end of a few statements that belong together.

    Python raises `KeyboardInterrupt` between any two instructions of the main thread: a task that
    has been handed out, but is not listed yet, would run on without anybody knowing of it.
    """
    handler: Any = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    held: list[tuple[Any, ...]] = []
    signal.signal(signal.SIGINT, lambda *arrived: held.append(arrived))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if held:
            handler(*held[0])
