"""Results of tasks, one after the other, whatever happens to the workers."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ALL_COMPLETED, FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Any

from ._engine import Call, Engine
from ._failure import Failure
from ._worker import Outcome

__all__ = ["Refused", "Stream"]

#: Tasks shorter than this are handed out ahead, so that no worker waits for the next one.
SHORT = 0.1
AHEAD = 4
#: Seconds between two looks at the engine while no task comes to its end.
PERIOD = 2.0


class Refused(Exception):  # noqa: N818 - no error
    """Raised in place of a task that may not begin."""


@dataclass
class _Pending:
    call: Call
    future: "Future[Outcome]"
    n_losses: int = 0

    def error(self) -> BaseException | None:
        """Why the worker did not come to the end of it; None as long as it may."""
        if not self.future.done() or self.future.cancelled():
            return None
        return self.future.exception()


class Stream(Iterator[Any]):
    """An iterator over the results of tasks, in their order.

    Tasks are taken from their source as workers get free. If a worker is lost, what it was doing is
    done again: with the other tasks first, and then alone, to know whether it is the task that
    kills its worker.

    Leaving early, by `close` or by an error, calls off the tasks that have not begun and waits for
    those that have: nothing goes on behind the caller's back. `abandon` ends those as well, in
    processes; threads cannot be ended.

    Attributes
    ----------
    done : dict
        All results so far, by the number of the task.
    """

    def __init__(
        self,
        engine: Engine,
        calls: Iterator[Call],
        *,
        guarded: bool,
        may_begin: Callable[[int], bool] | None = None,
    ):
        self.done: dict[int, Any] = {}
        self._engine = engine
        self._calls = calls
        self._guarded = guarded
        self._may_begin = may_begin
        self._pending: deque[_Pending] = deque()
        self._in_hand: Call | None = None
        self._exhausted = False
        self._window = engine.n_workers

    def __next__(self) -> Any:
        while True:
            self._feed()
            self._recover()
            if not self._pending:
                self.close()
                raise StopIteration
            head = self._pending[0]
            if head.error() is not None:
                continue  # it came in between
            if head.future.done():
                return self._taken(head)
            self._engine.work()
            self._wait(FIRST_COMPLETED)

    def stop(self) -> None:
        """Begin no further task; what remains to be had are the results of those under way."""
        self._exhausted = True
        self._engine.cancel([own.future for own in self._unfinished()])

    def close(self) -> None:
        """Begin no further task, and wait for those under way."""
        if self._exhausted and not self._pending:
            self._engine.close()
            return
        self.stop()
        try:
            self._wait()
        except BaseException:  # Ctrl-C once more
            self._engine.abandon()
            raise
        finally:
            self._pending.clear()
            self._engine.close()

    def abandon(self) -> None:
        """Begin no further task, and end those under way, whose results nobody wants any more."""
        self.stop()
        self._engine.abandon()
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_pending", None):
            self.close()

    def _taken(self, head: _Pending) -> Any:
        """The result of the first task, which is there."""
        if head.future.cancelled():
            self.close()
            raise StopIteration
        outcome = head.future.result()
        failure = outcome.failure
        if failure is not None and isinstance(failure.error, Refused):
            self.close()
            raise StopIteration
        result = outcome.value if failure is None else failure
        if failure is None or self._guarded:
            # in this order, so that an interrupt between the two loses nothing
            self.done[head.call.number] = result
        self._pending.popleft()
        short = outcome.seconds < SHORT
        self._window = self._engine.n_workers * (AHEAD if short else 1)
        if failure is not None and not self._guarded:
            self.close()
            raise failure.to_raise()
        return result

    def _wait(self, return_when: str = ALL_COMPLETED) -> None:
        while unfinished := [own.future for own in self._unfinished()]:
            done = wait(unfinished, PERIOD, return_when).done
            if done and return_when == FIRST_COMPLETED:
                return
            if not done:
                self._engine.look(unfinished)

    def _unfinished(self) -> list[_Pending]:
        return [own for own in self._pending if not own.future.done()]

    def _feed(self) -> None:
        """Hand out tasks as long as workers are free."""
        n_free = self._window - len(self._unfinished())
        while n_free > 0 and len(self._pending) < self._engine.reach and not self._exhausted:
            if self._in_hand is None:
                self._in_hand = next(self._calls, None)
            if self._in_hand is None or not self._allowed(self._in_hand):
                self._exhausted = True
                return
            with self._engine.handing_over():
                self._pending.append(_Pending(self._in_hand, self._engine.submit(self._in_hand)))
                self._in_hand = None
            n_free -= 1

    def _allowed(self, call: Call) -> bool:
        # threads ask by themselves, at the last moment
        if self._may_begin is None or self._engine.is_local:
            return True
        return self._may_begin(call.number)

    def _recover(self) -> None:
        """Do again what workers were doing that are no more."""
        errors = [error for own in self._pending if (error := own.error()) is not None]
        if not errors:
            return
        for error in errors:
            if not self._engine.is_loss(error):
                self.close()
                raise error
        self._engine.recover()
        alone = []
        for own in [own for own in self._pending if own.error() is not None]:
            found = self._engine.explain(own.call)
            if found is not None:
                own.future = _finished(found)
            elif own.n_losses >= self._engine.retries(own.error() or RuntimeError()):
                alone.append(own)
            else:
                own.n_losses += 1
                own.future = self._engine.submit(own.call)
        if alone:
            self._wait()
        for own in alone:
            error = own.error()
            if len(alone) == 1 and error is not None and self._engine.is_proof(error):
                own.future = _finished(_died(own.call, error))
            else:
                self._try_alone(own)

    def _try_alone(self, own: _Pending) -> None:
        future = self._engine.submit_alone(own.call)
        while not wait([future], PERIOD).done:
            self._engine.look([future])
        if future.exception() is not None:
            found = self._engine.explain(own.call)
            future = _finished(found or _died(own.call, future.exception()))
        own.future = future


def _finished(outcome: Outcome) -> "Future[Outcome]":
    future: Future[Outcome] = Future()
    future.set_result(outcome)
    return future


def _died(call: Call, cause: BaseException | None) -> Outcome:
    message = f"a worker died while it did {call}: killed, or out of memory?"
    error = RuntimeError(message)
    error.__cause__ = cause
    return Outcome(None, Failure("died", message, (), error), 0.0)
