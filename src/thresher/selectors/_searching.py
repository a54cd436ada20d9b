"""What all selectors that search share: from ``fit`` to a run of the driver and back."""

import sys
import warnings
from abc import abstractmethod
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher import races, run, searches
from thresher.columns import Columns
from thresher.evaluators import Evaluator, Subset
from thresher.journal import Scope, opened
from thresher.selection import Selection, printable

from ._account import account, moves_of, ranking
from ._base import BaseSelector
from ._callbacks import CallbackSupportMixin, Listener
from ._journalling import data_header, header_of, settings_of, show, tell_failures

__all__ = ["SearchingSelector"]


class SearchingSelector(CallbackSupportMixin, BaseSelector):  # type: ignore[misc]
    """A search over subsets; subclasses say which strategy, and what a subset is worth."""

    max_time: float | None
    max_evaluations: int | None
    n_jobs: int | None
    random_state: Any
    verbose: int
    journal: Any = None

    @abstractmethod
    def _strategy(self) -> searches.SearchStrategy:
        """Return the strategy that the parameters describe."""

    @abstractmethod
    def _judge(self) -> races.Judge:
        """Return who decides the contests."""

    @abstractmethod
    def _evaluator(
        self,
        columns: Columns,
        y: Any,
        seed: int,
        sample_weight: Any = None,
        groups: Any = None,
    ) -> Evaluator:
        """Return what tells the losses of subsets."""

    def _fit_to(
        self, evaluator: Evaluator, strategy: searches.SearchStrategy, judge: races.Judge
    ) -> tuple[searches.SearchStrategy, races.Judge]:
        """Adapt strategy and judge to what the evaluator is like."""
        return strategy, judge

    def _concluded(self, result: run.Run, evaluator: Evaluator) -> run.Run:
        """Have a last look at a finished search."""
        return result

    def _complete(self, table: Columns, evaluator: Evaluator, result: run.Run, seed: int) -> None:
        """Do what is left to do when the results are set."""

    def _search(self, X: Any, y: Any, **extras: Any) -> Any:
        """Search for the best subset of the columns; parameters have been checked."""
        with opened(self.journal) as journal:
            return self._journalled(journal, X, y, **extras)

    def _journalled(self, journal: Scope, X: Any, y: Any, **extras: Any) -> Any:
        """Search, and write down what is found on the way."""
        strategy = self._strategy()
        judge = self._judge()
        budget = run.Budget(self.max_time, self.max_evaluations)
        seed = journal.seed(self.random_state)
        table = self._columns(X)
        columns = table.informative()
        evaluator = self._evaluator(columns, y, seed, **extras)
        if journal:
            problem = evaluator.problem
            data = data_header(table, problem.target, problem.weights, problem.folds)
            journal.admit({**header_of(self, seed), **data})
            evaluator.journal = journal
        strategy, judge = self._fit_to(evaluator, strategy, judge)
        space = searches.Space(columns.n_variables, columns.required)
        listener = Listener(self, strategy.n_steps(space))

        def observe(step: run.Step) -> bool:
            if self.verbose:
                _print_step(step, columns)
            return listener.step(lambda: {"support_": _mask(table, columns, step.winner)})

        def account_of(result: run.Run) -> Selection:
            return account(
                table, columns, result, moves_of(result),
                method=type(self).__name__, settings={**settings_of(self), "seed": seed},
            )  # fmt: skip

        observers = [observe, *getattr(self, "_observers", ())]
        result = run.search(
            strategy, space, evaluator, judge,
            random_state=seed, budget=budget, observers=observers,
            onlooker=lambda standing: show(journal, lambda: account_of(standing())),
        )  # fmt: skip
        listener.end()
        result = self._concluded(result, evaluator)
        failures = tuple(evaluator.failures)
        if failures:
            tell_failures(failures, all_failed=evaluator.all_failed, stacklevel=5)
        self.selection_: Selection = replace(account_of(result), failures=failures)
        journal.show(self.selection_)
        self._set_results(table, columns, result)
        self._complete(table, evaluator, result, seed)
        return self

    def observe(self, *observers: run.Observer) -> "SearchingSelector":
        """Have callables told of each step (a `thresher.run.Step`); a true answer ends the search.

        Like scikit-learn's callbacks they belong to this instance, not to its parameters.
        """
        self._observers = observers
        return self

    def _set_results(self, table: Columns, columns: Columns, result: run.Run) -> None:
        self.support_ = _mask(table, columns, result.subset)
        self.n_features_ = int(self.support_.sum())
        self.ranking_ = ranking(table, columns, result, moves_of(result))
        if result.ending == "budget":
            warnings.warn(
                f"{type(self).__name__} has spent its budget after {result.evaluations} "
                f"evaluations and {result.seconds:.1f} s; this is the best subset so far",
                UserWarning,
                stacklevel=6,  # past scikit-learn's wrapper of fit
            )

    def __getstate__(self) -> dict[str, Any]:
        # whoever watches is not part of the model, and may be impossible to pickle
        state: dict[str, Any] = dict(super().__getstate__())
        state.pop("_observers", None)
        return state


def _mask(table: Columns, columns: Columns, subset: Subset) -> NDArray[np.bool_]:
    chosen = {columns.names[p] for p in columns.columns_of(subset)}
    return np.array([name in chosen for name in table.names])


def _print_step(step: run.Step, columns: Columns) -> None:
    change = ""
    if step.incumbent is not None:
        moves = [("+", v) for v in sorted(step.winner - step.incumbent)]
        moves += [("-", v) for v in sorted(step.incumbent - step.winner)]
        change = " ".join(f"{s}{printable(columns.variable_names[v], 60)}" for s, v in moves[:5])
    print(
        f"step {step.number:4d}  {len(step.winner):5d} variables  loss {step.loss:.6g} "
        f"+- {step.standard_error:.2g}  {change}",
        file=sys.stderr,
    )
