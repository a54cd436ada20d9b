"""ACE, the selector: artificial contrasts with ensembles."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from thresher import ace, run
from thresher.columns import Columns, read_columns
from thresher.evaluators import Target
from thresher.selection import Cost, Selection
from thresher.trees import Logistic, Multinomial, Response, Squared

from ._account import library_versions
from ._ace_account import account_rounds, rank_columns
from ._ace_watch import Watch
from ._base import BaseSelector
from ._callbacks import CallbackSupportMixin, with_callbacks
from ._parameters import check_parameters
from ._target import target_of

__all__ = ["ACE"]

FloatArray = NDArray[np.float64]

#: Fewer cannot be divided into rows that choose cuts and rows that judge them.
MIN_ROWS = 10
MIN_ROWS_PER_CLASS = 3


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
        task: str = "auto",
        feature_groups: Any = None,
        keep: Sequence[str | int] = (),
        max_time: float | None = None,
        max_evaluations: int | None = None,
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
        self.task = task
        self.feature_groups = feature_groups
        self.keep = keep
        self.max_time = max_time
        self.max_evaluations = max_evaluations
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
        table = self._columns(X)
        target = self._target(y, table.n_rows)
        weight = _weights(_only_weights(params), table.n_rows)
        table, target, weight = _without_weightless(table, target, weight)
        columns = table.informative()
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        with Watch(self, table, columns, settings, started) as watch:
            watch.tick("coding columns", 0, columns.n_columns)
            problem = ace.make_problem(
                columns, _response(target, weight), weight, n_jobs=self.n_jobs
            )
            watch.tick("coding columns", columns.n_columns, columns.n_columns)
            ace.run_ace(
                problem, settings, np.random.SeedSequence(seed),
                required=columns.required, n_jobs=self.n_jobs, proceed=watch, monitor=watch,
            )  # fmt: skip
        self._set_results(table, columns, watch, seed)
        watch.warn(stacklevel=_CALLER_OF_FIT)
        return self

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

    def _set_results(self, table: Columns, columns: Columns, watch: Watch, seed: int) -> None:
        params = {name: repr(value) for name, value in self.get_params(deep=False).items()}
        account = account_rounds(table, columns, watch.rounds)
        self.iterations_ = tuple(watch.rounds)
        self.alternatives_ = account.alternatives
        self.selection_ = Selection(
            selected=account.selected,
            verdicts=account.verdicts,
            trace=account.trace,
            cost=Cost(evaluations=watch.evaluations, seconds=watch.seconds),
            method=type(self).__name__,
            settings={**params, "seed": seed, "ending": watch.ending},
            versions=library_versions(),
        )
        self.support_ = np.array([v.kind == "relevant" for v in account.verdicts])
        self.n_features_ = int(self.support_.sum())
        self.ranking_ = rank_columns(account.verdicts)

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


def _weights(sample_weight: Any, n_rows: int) -> FloatArray:
    if sample_weight is None:
        return np.ones(n_rows)
    try:
        weight = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight must hold numbers: {error}") from error
    if weight.shape != (n_rows,):
        raise ValueError(f"sample_weight must have shape ({n_rows},); got {weight.shape}")
    bad = np.flatnonzero(~(np.isfinite(weight) & (weight >= 0)))
    if len(bad):
        raise ValueError(
            f"sample_weight must hold finite numbers that are not negative; row {bad[0]} has "
            f"{weight[bad[0]]}"
        )
    if not weight.any():
        raise ValueError("sample_weight is zero in all rows")
    return np.asarray(weight / weight.max())  # their sum may be too large for a number


def _without_weightless(
    table: Columns, target: Target, weight: FloatArray
) -> tuple[Columns, Target, FloatArray]:
    """Rows that count for nothing are left out, as if they were not there."""
    rows = np.flatnonzero(weight)
    if len(rows) == len(weight):
        return table, target, weight
    cut = read_columns(table.take(range(table.n_variables), rows), names=list(table.names))
    if cut.constant.all():
        raise ValueError(
            f"all {cut.n_columns} column(s) of X are constant in the {len(rows)} rows whose "
            "sample_weight is not zero: there is nothing to select from"
        )
    cut = replace(
        cut,
        variables=table.variables,
        variable_names=table.variable_names,
        required=table.required,
    )
    return cut, replace(target, values=target.values[rows], raw=target.raw[rows]), weight[rows]


def _response(target: Target, weight: FloatArray) -> Response:
    n_rows = len(weight)
    if target.classes is None:
        largest = float(np.abs(target.values).max())
        values = target.values / largest if largest > 0 else target.values
        centred = values - weight @ values / weight.sum()
        spread = np.sqrt(weight @ centred**2 / weight.sum())
        if not spread > 1e-12:
            raise ValueError(
                f"y is constant ({target.values[0]:g} in all {n_rows} rows): nothing can explain it"
            )
        return Squared((centred / spread)[:, None])
    present = np.unique(target.values)
    if len(present) < 2:
        raise ValueError(f"y has only 1 class in the {n_rows} rows with weight; expected 2 or more")
    if n_rows < MIN_ROWS_PER_CLASS * len(present):
        raise ValueError(
            f"y has {len(present)} classes in {n_rows} rows; ACE needs at least "
            f"{MIN_ROWS_PER_CLASS} rows for each class on average. If y is a number, use "
            "task='regression'; else merge rare classes"
        )
    codes = np.searchsorted(present, target.values)
    if len(present) == 2:
        return Logistic(codes[:, None].astype(np.float64))
    return Multinomial(np.eye(len(present))[codes])
