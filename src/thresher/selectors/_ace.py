"""ACE, the selector: artificial contrasts with ensembles."""

import time
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from thresher import ace, run
from thresher.columns import CodedColumns, Columns
from thresher.evaluators import Target
from thresher.journal import Scope, opened
from thresher.selection import Cost, Selection

from ._account import library_versions
from ._ace_account import account_rounds, rank_columns
from ._ace_rows import outcome_of, weights_of, without_weightless
from ._ace_watch import Watch
from ._base import BaseSelector
from ._callbacks import CallbackSupportMixin, with_callbacks
from ._journalling import data_header, header_of, settings_of
from ._parameters import check_parameters
from ._target import target_of

__all__ = ["ACE"]

FloatArray = NDArray[np.float64]

#: Fewer cannot be divided into rows that choose cuts and rows that judge them.
MIN_ROWS = 10
#: Rows that replicates draw from a coded table, if nothing is said; fewer if it is so wide that
#: they would take more than a part of the memory.
CODED_SAMPLES, FEWEST_SAMPLES = 100_000, 1000
_BYTES_PER_CELL = 32


class ACE(CallbackSupportMixin, BaseSelector):  # type: ignore[misc]
    """Artificial contrasts with ensembles: which columns matter, and which repeat others.

    Columns compete with permuted copies of themselves, which cannot matter, in random forests and
    along a lasso path; those that beat the copies are important. Important columns that others
    mask, and whose loss does no harm, are redundant. What the rest explains is taken out of the
    target, and all columns are looked at again, until nothing more is found. Takes numeric,
    categorical and missing values as they are, and needs no estimator.

    Parameters
    ----------
    n_replicates : int, default=20
        Draws of contrasts. A test at level ``alpha`` needs at least ``1 / alpha`` of them; "max-t"
        makes do with one less.
    n_trees : int, default=100
        Trees in the forest of each replicate; ensembles that measure masking have half as many.
    alpha : float, default=0.05
        Chance that, in a table without any influence, something is found.
    masking_alpha : float, default=0.05
        Level of the tests that declare a column redundant.
    correction : {"max-t", "bonferroni", "bh", "t"}, default="max-t"
        For the number of columns; see `thresher.stats.contrast_test`. "bh" bounds the share of
        false discoveries instead of the chance of any. "t" is the paper's test, which finds noise
        too often.
    redundancy : bool or "surrogates", default=True
        Whether to drop redundant columns. With "surrogates" all masked columns go, as in the paper,
        whether or not they are needed.
    max_iterations : int, default=10
        Rounds at most. Usually two to four are enough.
    max_samples : int, optional
        Rows at most that a forest or an ensemble is grown on. Each replicate draws its own, until
        something is explained; trials and later rounds look at one such sample. By default all
        rows; of a coded table (see `thresher.coded.code_dataset`) 100,000, or as many as a part of
        its memory has room for.
    task : {"auto", "classification", "regression"}, default="auto"
        What the target is. "auto" takes labels and few whole numbers for classes.
    feature_groups : mapping, optional
        Columns that stand or fall together: ``{"name": ["column", ...]}``.
    keep : sequence of str or int, default=()
        Columns to keep in any case; the others must add to them.
    max_time : float, optional
        Seconds, after which no forest and no trial begins. A round under way does not count, but of
        the first one all that is known: with fewer replicates than ``alpha`` needs, columns are
        tested at the lowest level that can be held, and p-values say so. One forest is grown in
        any case. Ctrl-C does the same at any time.
    max_evaluations : int, optional
        The same for the number of forests, ensembles that measure masking, trials of subsets and
        models of what is kept. The result does not depend on ``n_jobs``.
    journal : path, optional
        A file to write every replicate to, and all else that takes long. A fit that was killed goes
        on from there: the same call comes to the same result, and computes nothing twice.
    n_jobs : int, optional
        Threads. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Source of all randomness.
    verbose : int, default=0
        Whether to print each round to stderr.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
        The columns selected.
    n_features_ : int
        Their number, possibly 0.
    ranking_ : array of int of shape (n_features_in_,)
        1 for selected columns, then redundant ones, then the others.
    selection_ : Selection
        A verdict with evidence for each column; scores are in units of the contrasts' threshold.
    alternatives_ : dict
        For each selected column, the redundant ones it stands for.
    iterations_ : tuple of thresher.ace.Iteration
        All that was measured in each round.

    Examples
    --------
    >>> from thresher import ACE
    >>> from thresher.datasets import make_linear_masked
    >>> data = make_linear_masked(200, n_copies=2, n_irrelevant=5, random_state=0)
    >>> ace = ACE(random_state=0).fit(data.X, data.y)
    >>> [verdict.kind for verdict in ace.selection_.verdicts[:2]]
    ['relevant', 'redundant']
    """

    #: For scikit-learn's metadata routing, which cannot see it in the signature of ``fit``.
    __metadata_request__fit: ClassVar = {"sample_weight": None}

    def __init__(
        self,
        *,
        n_replicates: int = 20,
        n_trees: int = 100,
        alpha: float = 0.05,
        masking_alpha: float = 0.05,
        correction: str = "max-t",
        redundancy: bool | Literal["surrogates"] = True,
        max_iterations: int = 10,
        max_samples: int | None = None,
        task: str = "auto",
        feature_groups: Any = None,
        keep: Sequence[str | int] = (),
        max_time: float | None = None,
        max_evaluations: int | None = None,
        journal: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ):
        self.n_replicates = n_replicates
        self.n_trees = n_trees
        self.alpha = alpha
        self.masking_alpha = masking_alpha
        self.correction = correction
        self.redundancy = redundancy
        self.max_iterations = max_iterations
        self.max_samples = max_samples
        self.task = task
        self.feature_groups = feature_groups
        self.keep = keep
        self.max_time = max_time
        self.max_evaluations = max_evaluations
        self.journal = journal
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any = None, **params: Any) -> "ACE":
        """Find the columns that matter.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            The inputs: numbers, categories, dates, missing cells.
        y : array-like of shape (n_rows,)
            The target: classes or numbers.
        **params : arrays of shape (n_rows,)
            ``sample_weight``: weights of the rows. A row of weight 2 counts twice in every sum, but
            is one row when rows are drawn: repeating it would let it judge its own cuts.

        Returns
        -------
        self
        """
        started = time.perf_counter()
        settings = self._settings()
        with opened(self.journal) as journal:
            watch = self._run(X, y, _only_weights(params), settings, started, journal)
        watch.warn(stacklevel=_CALLER_OF_FIT)
        return self

    def _run(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        settings: ace.Settings,
        started: float,
        journal: Scope,
    ) -> Watch:
        """Run the rounds, and write down what is found on the way."""
        table = self._columns(X)
        target = self._target(y, table.n_rows)
        weight = weights_of(sample_weight, table.n_rows)
        table, target, weight = without_weightless(table, target, weight)
        columns = table.informative()
        seed = journal.seed(self.random_state)
        if journal:
            journal.admit({**header_of(self, seed), **data_header(table, target, weight)})
        with Watch(self, table, columns, settings, started) as watch:
            watch.write_to(journal, lambda: self._selection(table, columns, watch, seed))
            watch.tick("coding columns", 0, columns.n_columns)
            problem, population = ace.make_sample(
                columns, *outcome_of(target, weight), weight, self._n_samples(columns), seed,
                n_jobs=self.n_jobs,
            )  # fmt: skip
            watch.tick("coding columns", columns.n_columns, columns.n_columns)
            ace.run_ace(
                problem, settings, np.random.SeedSequence(seed),
                required=columns.required, n_jobs=self.n_jobs, proceed=watch, monitor=watch,
                population=population,
            )  # fmt: skip
        self._set_results(table, columns, watch, seed)
        journal.show(self.selection_)
        return watch

    def observe(self, *observers: run.Observer) -> "ACE":
        """Have callables told of each round (a `thresher.run.Step`); a true answer ends the fit.

        An observer with a method ``stage(name, done, total)`` is told how far the work within a
        round is, for instance ``("round 1: importances", 7, 20)``, about ten times a second at
        most; ``total`` is None where it is not known. One with a method ``evaluated(n)`` is told
        the number of evaluations so far. All are called in the thread that called ``fit``.
        """
        self._observers = observers
        return self

    def _settings(self) -> ace.Settings:
        check_parameters(self.get_params(deep=False))
        fewest = int(np.ceil(1 / self.alpha - (self.correction == "max-t") - 1e-9))
        if self.correction != "t" and self.n_replicates < fewest:
            raise ValueError(
                f"n_replicates must be at least {fewest} for alpha = {self.alpha} and "
                f"correction = {self.correction!r}; got {self.n_replicates}"
            )
        names = ace.Settings.__dataclass_fields__
        return ace.Settings(**{name: getattr(self, name) for name in names})

    def _target(self, y: Any, n_rows: int) -> Target:
        if n_rows < MIN_ROWS:
            raise ValueError(
                f"ACE needs at least {MIN_ROWS} rows; got n_samples = {n_rows}, "
                f"{n_rows} sample{'s' * (n_rows != 1)}"
            )
        return target_of(y, n_rows, self.task)

    def _n_samples(self, columns: Columns) -> int:
        """Rows to look at together."""
        if self.max_samples is not None:
            return min(self.max_samples, columns.n_rows)
        if not isinstance(columns, CodedColumns):
            return columns.n_rows
        fit = columns.memory // (_BYTES_PER_CELL * columns.n_columns)
        return min(CODED_SAMPLES, max(fit, FEWEST_SAMPLES), columns.n_rows)

    def _set_results(self, table: Columns, columns: Columns, watch: Watch, seed: int) -> None:
        self.iterations_ = tuple(watch.rounds)
        self.alternatives_ = account_rounds(table, columns, watch.rounds).alternatives
        self.selection_ = self._selection(table, columns, watch, seed)
        verdicts = self.selection_.verdicts
        self.support_ = np.array([v.kind == "relevant" for v in verdicts])
        self.n_features_ = int(self.support_.sum())
        self.ranking_ = rank_columns(verdicts)

    def _selection(self, table: Columns, columns: Columns, watch: Watch, seed: int) -> Selection:
        """What the rounds so far have found."""
        account = account_rounds(table, columns, watch.rounds)
        return Selection(
            selected=account.selected,
            verdicts=account.verdicts,
            trace=account.trace,
            cost=Cost(evaluations=watch.evaluations, seconds=watch.seconds),
            method=type(self).__name__,
            settings={**settings_of(self), "seed": seed, "ending": watch.ending},
            versions=library_versions(),
        )

    def __getstate__(self) -> dict[str, Any]:
        # whoever watches is not part of the model, and may be impossible to pickle
        state: dict[str, Any] = dict(super().__getstate__())
        state.pop("_observers", None)
        return state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        return tags


#: Frames from ``fit`` to whoever calls it: scikit-learn's wrapper may lie between.
_CALLER_OF_FIT = 2 + hasattr(ACE.fit, "__wrapped__")


def _only_weights(params: dict[str, Any]) -> Any:
    unknown = sorted(set(params) - {"sample_weight"})
    if unknown:
        raise TypeError(f"ACE.fit takes sample_weight; got {unknown}")
    return params.get("sample_weight")
