"""What is left of a task that failed."""

import pickle
import traceback
from dataclasses import dataclass, field

import cloudpickle

__all__ = ["Failure"]


class _ElsewhereError(Exception):
    """The traceback of an exception in a worker, as its cause."""

    def __str__(self) -> str:
        return f"in a worker:\n{self.args[0]}"


@dataclass(frozen=True)
class Failure:
    """What a task raised, in a form that can travel and be kept.

    Parameters
    ----------
    kind : str
        The name of the exception's class; "timeout" if the task took too long, "died" if the
        process that worked on it was killed.
    message : str
        What the exception says.
    notes : tuple of str
        Its notes: which columns an estimator was given, and the like.
    error : Exception, optional
        The exception itself, if it can be had.

    Examples
    --------
    >>> failure = Failure.of(ValueError("no"))
    >>> failure
    Failure(kind='ValueError', message='no', notes=())
    """

    kind: str
    message: str
    notes: tuple[str, ...] = ()
    error: BaseException | None = field(default=None, repr=False, compare=False)
    trace: str = field(default="", repr=False, compare=False)

    @classmethod
    def of(cls, error: BaseException, kind: str | None = None) -> "Failure":
        """What an exception leaves, where it was raised."""
        notes = tuple(str(note) for note in getattr(error, "__notes__", ()))
        return cls(kind or type(error).__name__, str(error), notes, error)

    def to_travel(self) -> "Failure":
        """The same for another process: without the exception if it does not survive the way."""
        trace = "".join(traceback.format_exception(self.error))
        error = self.error
        try:
            # many classes of exceptions can be pickled, but not be made again from that
            back = pickle.loads(cloudpickle.dumps(error))
        except Exception:
            back = None
        if type(back) is not type(error):
            error = None
        return Failure(self.kind, self.message, self.notes, error, trace)

    def to_raise(self) -> BaseException:
        """The exception, or one that says the same."""
        error = self.error
        if error is None:
            error = RuntimeError(f"{self.kind}: {self.message}")
            for note in self.notes:
                error.add_note(note)
        if self.trace and error.__cause__ is None:
            error.__cause__ = _ElsewhereError(self.trace)
        return error
