"""Where tasks are done: the few things that a stream of them asks for, and this process."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, ClassVar

from ._interrupts import interrupts_held
from ._shared import Shared
from ._threads import thread_pool
from ._worker import Outcome, perform

__all__ = ["Call", "Engine", "Here", "Threads"]


@dataclass(frozen=True, eq=False)
class Call:
    """One task."""

    number: int
    function: Callable[..., Any]
    shared: tuple[Shared[Any], ...]
    task: tuple[Any, ...]

    def __str__(self) -> str:
        return f"task {self.number} of {getattr(self.function, '__name__', self.function)}"


class Engine(ABC):
    """Does tasks, in whatever order it likes.

    What a task raises is an `Outcome`, too; a future's own exception is about the worker, or about
    a task that cannot be sent.
    """

    #: Whether workers are threads of this process, and can be asked to wait there.
    is_local: ClassVar[bool] = False
    #: How often a task is given to the workers again, with the others, if one of them is lost.
    n_retries: ClassVar[int] = 0

    def __init__(self, n_workers: int):
        self.n_workers = n_workers

    @property
    def reach(self) -> int:
        """Results that may wait for one that comes before them, as a multiple of the workers."""
        return 64 * self.n_workers

    @abstractmethod
    def submit(self, call: Call) -> "Future[Outcome]":
        """Begin a task as soon as a worker is free."""

    def handing_over(self) -> AbstractContextManager[None]:
        """Hold Ctrl-C back while a task is submitted and put on the list of those under way."""
        return interrupts_held()

    def submit_alone(self, call: Call) -> "Future[Outcome]":
        """Begin a task where it can harm no other; nothing else is under way."""
        return self.submit(call)

    def work(self) -> None:  # noqa: B027 - most have nothing to do
        """Called before results are waited for."""

    def look(self, futures: "Sequence[Future[Outcome]]") -> None:  # noqa: B027
        """Called from time to time while nothing comes of these."""

    def is_loss(self, error: BaseException) -> bool:
        """Whether a worker was lost; if not, there is no use in trying again."""
        return False

    def explain(self, call: Call) -> Outcome | None:
        """What came of a task whose worker was lost, if there is a note about it."""
        return None

    def retries(self, error: BaseException) -> int:
        """How often to try again, with the others, what has ended by this error."""
        return self.n_retries

    def is_proof(self, error: BaseException) -> bool:
        """Whether the task was tried so often that it must be what kills its workers."""
        return False

    def recover(self) -> None:  # noqa: B027
        """Make sure that there are workers, after some were lost."""

    def cancel(self, futures: "Sequence[Future[Outcome]]") -> None:
        """Call off tasks that have not begun."""
        for future in reversed(futures):  # so that those left are the first ones
            future.cancel()

    def abandon(self) -> None:  # noqa: B027
        """Wait no longer for tasks that are under way."""

    def close(self) -> None:  # noqa: B027
        """Take note that no more tasks come."""


class Here(Engine):
    """The very thread that asks: one task after the other."""

    is_local = True

    def __init__(self) -> None:
        super().__init__(1)

    @property
    def reach(self) -> int:
        """One: the next task begins when the result of the last one was taken."""
        return 1

    def handing_over(self) -> AbstractContextManager[None]:
        """Nothing: to submit a task is to do it, which Ctrl-C may end."""
        return nullcontext()

    def submit(self, call: Call) -> "Future[Outcome]":
        """Do it at once."""
        future: Future[Outcome] = Future()
        future.set_result(perform(call.function, arguments(call)))
        return future


class Threads(Engine):
    """Threads of this process."""

    is_local = True

    def submit(self, call: Call) -> "Future[Outcome]":
        """Give it to the pool."""
        return thread_pool(self.n_workers).submit(perform, call.function, arguments(call))


def arguments(call: Call) -> tuple[Any, ...]:
    """What the function of a task gets in this process."""
    return (*(shared.value for shared in call.shared), *call.task)
