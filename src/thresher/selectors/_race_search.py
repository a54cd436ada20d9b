"""Choosing among models by racing them, instead of cross-validating each to the end."""

import warnings
from time import perf_counter
from typing import Any, Literal, cast

import numpy as np
from sklearn.base import clone
from sklearn.metrics import check_scoring
from sklearn.model_selection._search import BaseSearchCV
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

from thresher import races
from thresher.evaluators import (
    SCORER_LOSSES,
    Loss,
    ModelsEvaluator,
    seeded,
    weight_parameter,
)
from thresher.journal import Scope, opened
from thresher.run import Budget

from ._callbacks import Listener, with_callbacks
from ._journalling import data_header, header_of, tell_failures
from ._parameters import check_parameters
from ._race_limits import LimitedModels
from ._race_results import WatchedModels, race_results
from ._race_setup import candidates_of, judge_for, table_of
from ._routing import fit_router, routed

__all__ = ["RaceSearchCV"]


class RaceSearchCV(BaseSearchCV):  # type: ignore[misc]
    """Find the best parameters of an estimator by a race, in place of ``GridSearchCV``.

    All candidates are tested on the same held-out rows, in random order, and one that can hardly
    win any more leaves: most of the work is spent on those that are hard to tell apart [1]_.

    With memory-based learners (k nearest neighbours, `KernelRegressor`,
    `LocallyWeightedRegressor`), naive Bayes, and linear and ridge regression, leave-one-out is
    exact and cheap: nothing is refitted, and the race goes row by row. Learners that must be
    refitted want folds, best many of them (``RepeatedKFold``): the race then goes fold by fold, a
    fit per candidate and fold, and compares the losses of single rows. Under a scorer that is no
    mean over rows, such as ROC AUC, there is one loss per fold, and nobody leaves before the fifth.

    Parameters
    ----------
    estimator : classifier or regressor
        Never changed; clones of it are fitted.
    param_grid : dict or list of dict
        Parameters and their values, as in ``GridSearchCV``. A step of a pipeline is a parameter,
        too: learners of several kinds can race.
    race : str or Racing, default="brace"
        The rule by which candidates leave: "brace" (paired differences), "race" (means and
        variances), "hoeffding" (safe bounds, for losses that have bounds) or "friedman" (ranks).
        With "exhaustive" nobody leaves. A judge of `thresher.races` brings its own ``delta``,
        ``gamma``, ``min_rows`` and ``corrected``.
    delta : float, default=0.001
        A candidate leaves when it beats the leader with less than this credibility.
    gamma : float, default=0.001
        Differences between mean losses that do not matter.
    min_rows : int, optional
        Nobody leaves before this many rows (folds, under a scorer). By default 15 rows or 5 folds.
    corrected : bool, default=False
        Whether ``delta`` shall hold for all looks at all candidates together.
    cv : int, "loo", splitter or iterable, default="loo"
        How rows are held out; "loo" for leave-one-out.
    loss : {"zero_one", "log", "brier", "absolute", "squared"}, optional
        Per-row loss; "zero_one" for classifiers and "squared" for regressors if None.
    scoring : str or callable, optional
        A scikit-learn scorer in place of ``loss``. Those that are means over rows ("accuracy",
        "neg_mean_squared_error", ...) become that loss.
    refit : bool or callable, default=True
        Whether to fit the best candidate on all rows. A callable gets ``cv_results_`` and returns
        the index of the candidate to be taken for the best.
    max_time : float, optional
        Seconds after which the best candidate so far wins. Those that were not tested until then
        have the score NaN.
    max_evaluations : int, optional
        As many losses as testing this many candidates on all rows takes; likewise.
    on_error : {"raise", "skip"}, default="raise"
        What becomes of a candidate whose fit fails: the end of the race, or a loss so high that it
        never wins; ``failures_`` then tells of it.
    timeout : float, optional
        Seconds that a fit may take, after which it has failed. Estimators are then fitted in
        processes of their own.
    journal : path, optional
        A file to write every loss to that cost a fit. A race that was killed goes on from there:
        the same call comes to the same result, and computes nothing twice.
    n_jobs : int, optional
        Workers; the result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seeds the order of the rows, and every random_state of the estimator that is None: with the
        same number for all candidates and, unless this is None, for ``best_estimator_``.
    verbose : int, default=0
        Whether to print on stderr who leaves when.

    Attributes
    ----------
    best_estimator_ : estimator
        The best candidate, fitted on all rows; with ``refit`` only.
    best_params_ : dict
        Its parameters.
    best_score_ : float
        Its mean score on the rows that it ran: accuracy for the 0/1 loss, else the scorer's value
        or the negative loss.
    best_index_ : int
        Its position in ``cv_results_``.
    cv_results_ : dict of arrays
        For each candidate ``params``, ``param_*``, ``mean_test_score``, ``std_test_score`` (over
        rows, or folds) and ``rank_test_score`` (survivors first, then who ran longer) as in
        ``GridSearchCV``; ``n_rows``, how many it ran, and the ``standard_error`` of the mean;
        ``left_at``, after how many rows it left (NaN if it did not), ``left_against``, the index of
        the leader then (-1), and ``p_value``, how credible it still was that it is better (NaN).
    n_losses_ : int
        Losses computed in the race. To cross-validate all candidates takes
        n_candidates * n_rows.
    n_splits_ : int
        Number of folds, or of rows in leave-one-out.
    scorer_ : callable
        What ``score`` uses: ``scoring``, the scorer that belongs to ``loss``, or the estimator's
        own score if both are None.
    failures_ : tuple of dict
        Fits that failed, with ``on_error="skip"``.
    refit_time_ : float
        Seconds for the fit on all rows.
    multimetric_ : bool
        False.

    References
    ----------
    .. [1] A. W. Moore and M. S. Lee, "Efficient algorithms for minimizing cross validation error",
       Proceedings of the 11th International Conference on Machine Learning, 1994.

    Examples
    --------
    >>> from sklearn.datasets import make_friedman1
    >>> from sklearn.pipeline import Pipeline
    >>> from thresher import RaceSearchCV
    >>> from thresher.learners import KernelRegressor, LocallyWeightedRegressor
    >>> X, y = make_friedman1(200, 5, noise=0.5, random_state=0)
    >>> grid = {
    ...     "model": [KernelRegressor(), LocallyWeightedRegressor()],
    ...     "model__width": [2.0**-k for k in range(10)],
    ... }
    >>> pipeline = Pipeline([("model", KernelRegressor())])
    >>> search = RaceSearchCV(pipeline, grid, random_state=0).fit(X, y)
    >>> search.best_params_
    {'model': LocallyWeightedRegressor(), 'model__width': 0.125}
    >>> search.n_losses_ < 0.25 * 20 * 200
    True
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        race: Any = "brace",
        delta: float = 0.001,
        gamma: float = 0.001,
        min_rows: int | None = None,
        corrected: bool = False,
        cv: Any = "loo",
        loss: str | None = None,
        scoring: Any = None,
        refit: Any = True,
        max_time: float | None = None,
        max_evaluations: int | None = None,
        on_error: Literal["raise", "skip"] = "raise",
        timeout: float | None = None,
        journal: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ):
        self.estimator = estimator
        self.param_grid = param_grid
        self.race = race
        self.delta = delta
        self.gamma = gamma
        self.min_rows = min_rows
        self.corrected = corrected
        self.cv = cv
        self.loss = loss
        self.scoring = scoring
        self.refit = refit
        self.max_time = max_time
        self.max_evaluations = max_evaluations
        self.on_error = on_error
        self.timeout = timeout
        self.journal = journal
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any = None, **params: Any) -> Any:
        """Race the candidates, and fit the winner on all rows.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            The inputs. Data frames may hold whatever the estimator accepts, but no dates.
        y : array-like of shape (n_rows,)
            The target.
        **params : arrays of shape (n_rows,)
            ``sample_weight``: used in fitting and in the mean of per-row losses (a scorer does not
            see it); ``groups``: rows that the splitter keeps together. With scikit-learn's metadata
            routing switched on, the estimator and the splitter must have asked for them.

        Returns
        -------
        self
        """
        check_parameters(self.get_params(deep=False))
        settings = ("delta", "gamma", "min_rows", "corrected")
        judge = judge_for(self.race, **{name: getattr(self, name) for name in settings})
        candidates = candidates_of(self.param_grid)
        if len(candidates) == 1:  # nobody to race with, but its score is wanted
            judge = judge_for("exhaustive", **{name: getattr(self, name) for name in settings})
        given = routed(self, params)
        listener = Listener(self, 0)
        with opened(self.journal) as journal:
            self._search(X, y, given, judge, candidates, journal)
        listener.end()
        return self

    def _search(
        self,
        X: Any,
        y: Any,
        given: dict[str, Any],
        judge: races.Racing,
        candidates: list[dict[str, Any]],
        journal: Scope,
    ) -> None:
        """Race, and write down what is found on the way."""
        seed = journal.seed(self.random_state)
        table = table_of(X)
        models = ModelsEvaluator(
            [self._model(candidate) for candidate in candidates],
            table,
            y,
            cv=self.cv,
            loss=self.loss,
            scoring=self.scoring,
            n_jobs=self.n_jobs,
            random_state=seed,
            on_error=self.on_error,
            timeout=self.timeout,
            **given,
        )
        if journal:
            problem = models.problems[0]
            data = data_header(problem.columns, problem.target, problem.weights, problem.folds)
            journal.admit({**header_of(self, seed), **data})
            models.journal = journal
        finish = self._run(judge, models, candidates, seed)
        if models.failures:
            tell_failures(models.failures, all_failed=models.all_failed, stacklevel=4)
        self.cv_results_ = race_results(finish, candidates, models.row_loss)
        self._set_best(finish.winner)
        self.n_losses_ = models.n_losses
        self.n_splits_ = models.n_splits
        self.multimetric_ = False
        self.scorer_ = self._scorer()
        self.failures_ = tuple(models.failures)
        if self.refit:
            self._refit(table, models.target.raw, given.get("sample_weight"), seed)

    def _model(self, candidate: dict[str, Any]) -> Any:
        # parameters may be estimators, which must not be shared
        return clone(self.estimator).set_params(**clone(candidate, safe=False))

    def _run(
        self,
        judge: races.Racing,
        models: ModelsEvaluator,
        candidates: list[dict[str, Any]],
        seed: int,
    ) -> races.Finish:
        limited = LimitedModels(models, Budget(self.max_time, self.max_evaluations))
        watched = WatchedModels(limited, candidates)
        source = cast(races.LossSource, watched if self.verbose else limited)
        finish = judge.run(source, range(len(candidates)), np.random.default_rng(seed))
        if self.verbose:
            watched.tell(finish.survivors.tolist())
        if limited.ending != "complete":
            what = {"budget": "has spent its budget"}.get(limited.ending, "was interrupted")
            untested = int((finish.n_seen == 0).sum())
            late = f", {untested} have not been tested" if untested else ""
            warnings.warn(
                f"RaceSearchCV {what} after {limited.evaluations:.1f} evaluations and "
                f"{limited.seconds:.1f} s; {len(finish.survivors)} candidate(s) are still in"
                f"{late}, and this is the best so far",
                UserWarning,
                stacklevel=5,  # past scikit-learn's wrapper of fit
            )
        return finish

    def _set_best(self, winner: int) -> None:
        results = self.cv_results_
        self.best_index_ = winner
        if callable(self.refit):
            self.best_index_ = int(self._select_best_index(self.refit, "score", results))
        self.best_params_ = results["params"][self.best_index_]
        self.best_score_ = float(results["mean_test_score"][self.best_index_])

    def _refit(self, X: Any, y: Any, sample_weight: Any, seed: int) -> None:
        model = self._model(self.best_params_)
        if self.random_state is not None or self.journal is not None:
            model = seeded(model, seed)
        extra = {} if sample_weight is None else {weight_parameter(model): sample_weight}
        start = perf_counter()
        self.best_estimator_ = model.fit(X, y, **extra)
        self.refit_time_ = perf_counter() - start
        if hasattr(model, "feature_names_in_"):
            self.feature_names_in_ = model.feature_names_in_

    def _scorer(self) -> Any:
        scoring = self.scoring
        if scoring is None and self.loss is not None:
            wanted = Loss.named(self.loss)
            scoring = next(name for name, loss in SCORER_LOSSES.items() if loss is wanted)
        return check_scoring(self.estimator, scoring=scoring, allow_none=True)

    def get_metadata_routing(self) -> MetadataRouter:
        """Tell scikit-learn that weights go to the estimator and groups to the splitter."""
        router = fit_router(self)
        scorer = self._scorer()
        if scorer is not None:
            mapping = MethodMapping().add(caller="score", callee="score")
            router.add(scorer=scorer, method_mapping=mapping)
        return router

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator).input_tags
        for name in ("allow_nan", "categorical", "string"):
            setattr(tags.input_tags, name, getattr(inner, name))
        tags.target_tags.required = True
        # one target at a time, rows that stand for themselves, and numpy
        if tags.classifier_tags is not None:
            tags.classifier_tags.multi_label = False
        tags.input_tags.pairwise = False
        tags.array_api_support = False
        return tags
