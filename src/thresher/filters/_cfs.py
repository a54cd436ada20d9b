"""CFS: subsets of columns that correlate with the target and not with each other."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from thresher import races, run, searches
from thresher.columns import Columns
from thresher.evaluators import Evaluator, Target
from thresher.selectors import resolve
from thresher.selectors._callbacks import with_callbacks
from thresher.selectors._parameters import check_parameters
from thresher.selectors._searching import SearchingSelector

from ._base import (
    best_of,
    names_of,
    ranking_of,
    refuse_one_row,
    scores_of,
    tag_any_table,
    varying_target,
    verdicts_of,
)
from ._cfs_account import cfs_findings, locally_predictive
from ._correlations import Correlations, SymmetricalUncertainty
from ._merit import MeritEvaluator
from ._pearson import Pearson
from ._row_sample import few_rows
from ._target_information import target_information

__all__ = ["CFS"]

#: A merit must be higher by this for a best-first search to go on because of it.
GAIN = 1e-5
#: Merits cost next to nothing, so that a genetic search can go on for long.
GENERATIONS = 500
#: For linear correlations of a coded table, which may be larger than memory.
_MOST_ROWS = 200_000


class CFS(SearchingSelector):
    """Correlation-based feature selection (Hall, 2000).

    Searches for the subset with the highest merit: that of k columns is the sum of their
    correlations with the target, divided by the root of k plus twice the sum of their correlations
    with each other. Correlations with a column are computed when a subset with it is looked at.

    Parameters
    ----------
    search : {"best-first", "greedy", "genetic"}, str or SearchStrategy, default="best-first"
        How subsets are searched: best-first from the empty one, until five expansions in a row
        bring nothing; greedily, adding the best column as long as the merit grows; by a genetic
        algorithm; or any other strategy of `thresher.searches`.
    correlation : {"auto", "symmetrical-uncertainty", "pearson"}, default="auto"
        Symmetrical uncertainty is the information that two columns share, as a part of what they
        have, after numbers have been cut into levels; "pearson" is the absolute linear correlation,
        of categories a mean over their levels. "auto" takes the first for classes and the second
        for numbers.
    cuts : "mdl" or int, default="mdl"
        How numbers become levels for symmetrical uncertainties: by the minimum description length
        of the target (see `MDLDiscretizer`), or cut into so many equally filled bins.
    missing : {"spread", "separate"}, default="spread"
        Whether missing cells are spread over the levels as often as these occur, or are a level;
        for linear correlations they are at the mean, or the most frequent category.
    standardize : bool, default=True
        Whether linear correlations count the same for all columns. If not, a column counts by its
        standard deviation, as in WEKA, and another unit changes what is selected.
    locally_predictive : bool, default=False
        Whether to add columns afterwards, from the highest correlation with the target on, that
        correlate less with each selected column than with the target (WEKA's default).
    n_target_bins : int, default=5
        Into how many equally filled bins a numeric target is cut for symmetrical uncertainties.
    task : {"auto", "classification", "regression"}, default="auto"
        What the target is. "auto" takes labels and few whole numbers for classes.
    feature_groups : mapping or sequence of columns, optional
        Columns that stand or fall together.
    keep : sequence of columns, default=()
        Columns that are always selected.
    max_time : float, optional
        Seconds after which the best subset so far is returned.
    max_evaluations : int, optional
        Subsets after which the best one so far is returned.
    n_jobs : int, optional
        Threads. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seeds the search, if it draws anything.
    verbose : int, default=0
        Whether to print each step on stderr; the loss is 1 minus the merit.

    Attributes
    ----------
    support_ : bool array of shape (n_columns,)
        The selected columns.
    n_features_ : int
        How many they are.
    ranking_ : int array of shape (n_columns,)
        1 for selected columns, then 2, 3, ... for the others by their score.
    scores_ : array of shape (n_columns,)
        Correlation with the target, 0 to 1; NaN for constant columns.
    merit_ : float
        Of the selected subset.
    n_correlations_ : int
        How many correlations were computed.
    selection_ : Selection
        Verdicts, trace and cost.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from thresher.filters import CFS
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> cfs = CFS().fit(X, y)
    >>> cfs.n_features_, round(cfs.merit_, 3)
    (8, 0.808)
    """

    def __init__(
        self,
        *,
        search: Any = "best-first",
        correlation: str = "auto",
        cuts: str | int = "mdl",
        missing: str = "spread",
        standardize: bool = True,
        locally_predictive: bool = False,
        n_target_bins: int = 5,
        task: str = "auto",
        feature_groups: Any = None,
        keep: Sequence[str | int] = (),
        max_time: float | None = None,
        max_evaluations: int | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ):
        self.search = search
        self.correlation = correlation
        self.cuts = cuts
        self.missing = missing
        self.standardize = standardize
        self.locally_predictive = locally_predictive
        self.n_target_bins = n_target_bins
        self.task = task
        self.feature_groups = feature_groups
        self.keep = keep
        self.max_time = max_time
        self.max_evaluations = max_evaluations
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any = None) -> "CFS":
        """Search for the subset with the highest merit.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            The inputs: numbers, categories, dates, missing cells.
        y : array-like of shape (n_rows,)
            The target: classes or numbers.

        Returns
        -------
        self
        """
        check_parameters(self.get_params(deep=False))
        found: CFS = self._search(X, y)
        return found

    def _strategy(self) -> searches.SearchStrategy:
        named = {
            "best-first": searches.BestFirst(tolerance=GAIN),
            "greedy": searches.Forward(),
            "genetic": searches.Genetic(n_generations=GENERATIONS),
        }
        if isinstance(self.search, str) and self.search in named:
            return named[self.search]
        found: searches.SearchStrategy = resolve(
            self.search, searches.SearchStrategy, searches, "search"
        )
        return found

    def _judge(self) -> races.Judge:
        return races.Exhaustive()

    def _evaluator(
        self,
        columns: Columns,
        y: Any,
        seed: int,
        sample_weight: Any = None,
        groups: Any = None,
    ) -> MeritEvaluator:
        refuse_one_row("CFS", columns.n_rows)
        target = varying_target(y, columns.n_rows, self.task)
        return MeritEvaluator(columns, target, self._correlations(columns, target, seed), self)

    def _correlations(self, columns: Columns, target: Target, seed: int) -> Correlations:
        auto = "pearson" if target.classes is None else "symmetrical-uncertainty"
        if (auto if self.correlation == "auto" else self.correlation) == "pearson":
            columns, target = few_rows(columns, target, seed, most=_MOST_ROWS, who="CFS")
            return Pearson(columns, target, standardize=self.standardize)
        known = target_information(
            columns, target, cuts=self.cuts, missing=self.missing,
            n_target_bins=self.n_target_bins, n_jobs=self.n_jobs,
        )  # fmt: skip
        return SymmetricalUncertainty(known, self.n_jobs)

    def _fit_to(
        self, evaluator: Evaluator, strategy: searches.SearchStrategy, judge: races.Judge
    ) -> tuple[searches.SearchStrategy, races.Judge]:
        assert isinstance(evaluator, MeritEvaluator)
        if isinstance(strategy, searches.Ranked) and not len(strategy.order):
            best = best_of(evaluator.problem.columns, evaluator.correlations.with_target)
            order = np.argsort(-best, kind="stable").tolist()
            strategy = searches.Ranked(order, strategy.n_features)
        return strategy, judge

    def _concluded(self, result: run.Run, evaluator: Evaluator) -> run.Run:
        assert isinstance(evaluator, MeritEvaluator)
        columns = evaluator.problem.columns
        if not any(step.winner for step in result.steps):
            # cut short before any column was looked at: the best one is known all the same
            best = int(np.argmax(best_of(columns, evaluator.correlations.with_target)))
            result = replace(result, subset=columns.required | {best})
        if not evaluator.merits([result.subset])[0] > 0.0:
            # no column tells anything, and a search must return some subset
            return replace(result, subset=columns.required)
        if not self.locally_predictive:
            return result
        return replace(result, subset=locally_predictive(result.subset, evaluator))

    def _complete(self, table: Columns, evaluator: Evaluator, result: run.Run, seed: int) -> None:
        assert isinstance(evaluator, MeritEvaluator)
        columns = evaluator.problem.columns
        found = cfs_findings(result.subset, evaluator)
        self.merit_ = float(evaluator.merits([result.subset])[0])
        self.n_correlations_ = evaluator.correlations.n_computed
        self.ranking_ = ranking_of(table, columns, found)
        self.scores_ = scores_of(table, columns, found)
        self.selection_ = replace(
            self.selection_,
            selected=names_of(columns, found),
            verdicts=verdicts_of(table, columns, found),
            trace=tuple({**step, "merit": 1.0 - step["loss"]} for step in self.selection_.trace),
        )

    def __sklearn_tags__(self) -> Any:
        return tag_any_table(super().__sklearn_tags__())
