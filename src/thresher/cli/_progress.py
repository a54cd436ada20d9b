"""A progress line on stderr while a search runs."""

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from thresher.run import Step

__all__ = ["StepProgress"]


class StepProgress:
    """An observer of searches that draws a Rich bar; silent where stderr is not a terminal."""

    def __init__(self, *, enabled: bool = True) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not (enabled and console.is_terminal),
        )
        self._stand = "reading columns"
        self._task = self._progress.add_task(self._stand, total=None)

    def __enter__(self) -> "StepProgress":
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def __call__(self, step: Step) -> None:
        """Show where the search stands."""
        self._stand = f"step {step.number + 1}: {len(step.winner)} variables, loss {step.loss:.4g}"
        self._progress.update(self._task, total=step.n_steps, completed=step.number + 1)
        self.evaluated(step.evaluations)

    def evaluated(self, evaluations: int) -> None:
        """Show that a long step goes on."""
        self._progress.update(self._task, description=f"{self._stand}, {evaluations} evaluations")
