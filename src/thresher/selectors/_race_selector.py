"""Selection by raced searches."""

from typing import Any, Literal

from thresher import races, searches
from thresher.columns import Columns
from thresher.evaluators import Evaluator

from ._names import resolve
from ._parameters import warn_if_large
from ._race_setup import judge_for
from ._wrapper import BaseWrapper

__all__ = ["RaceSelector"]


class RaceSelector(BaseWrapper):
    """Search subsets by races: a candidate leaves as soon as it can hardly win any more.

    Parameters
    ----------
    estimator : classifier or regressor
        Whose held-out loss is to be low.
    search : str, class or SearchStrategy, default="schemata"
        "schemata" and "schemata+" decide variables while the others are drawn at random, and so
        find families that only help together; "forward" and "backward" climb by the best flip of
        one variable, "forward-gs" and "backward-gs" by any flip that pays. Or a strategy of
        `thresher.searches`, one of your own, or the dotted path of one.
    race : {"brace", "race", "hoeffding", "friedman"} or Racing, default="brace"
        How it is known that a candidate cannot win: by paired differences, by Welch's
        approximation, by Hoeffding's bound, by ranks. An instance comes with its own ``delta``,
        ``gamma``, ``min_rows`` and ``corrected``.
    delta : float, default=0.001
        A candidate leaves when it beats the leader with less than this credibility.
    gamma : float, default=0.001
        Differences between mean losses that do not matter, in units of the loss.
    min_rows : int, optional
        Nobody leaves before this many rows; by default 15, or 5 folds under a scorer.
    corrected : bool, default=False
        Whether ``delta`` holds for all looks at all candidates of a race together.
    cv : int, "loo", splitter or iterable, default=5
        How rows are held out.
    loss : {"zero_one", "log", "brier", "absolute", "squared"}, optional
        Per-row loss; "zero_one" for classifiers and "squared" for regressors if None.
    scoring : str or callable, optional
        A scikit-learn scorer in place of ``loss``; where it is no mean over rows, a race goes over
        folds, so repeat the cross-validation.
    feature_groups : mapping or sequence of columns, optional
        Columns that stand or fall together.
    keep : sequence of columns, default=()
        Columns that are always selected.
    encode : bool, default=False
        Rewrite categories and missing values as numbers for the estimator.
    max_time : float, optional
        Seconds after which the best subset so far is returned.
    max_evaluations : int, optional
        As many losses as whole evaluations of this many subsets take.
    on_error : {"raise", "skip"}, default="raise"
        What becomes of a subset on which the estimator fails: the end of the search, or a loss so
        high that it never wins; ``selection_.failures`` then tells of it.
    timeout : float, optional
        Seconds that a fit may take, after which it has failed. Estimators are then fitted in
        processes of their own.
    journal : path, optional
        A file to write every loss to that cost a fit. A search that was killed goes on from there:
        the same call comes to the same result, and computes nothing twice.
    n_jobs : int, optional
        Workers; the result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seeds the order of rows, the draws, and every random_state of the estimator that is None.
    verbose : int, default=0
        Whether to print each step on stderr.

    Attributes
    ----------
    support_ : bool array of shape (n_columns,)
        The selected columns.
    n_features_ : int
        How many they are.
    ranking_ : int array of shape (n_columns,)
        1 for selected columns, then 2, 3, ... for the others.
    selection_ : Selection
        Verdicts, trace and cost.

    Notes
    -----
    Learners with a fast evaluator (nearest neighbours, kernel and locally weighted regression,
    naive Bayes, linear models) race over single rows. Others are refitted, fold by fold, and each
    fit gives the losses of all rows of its fold.

    Examples
    --------
    The target is the product of three columns: none of them helps alone.

    >>> import numpy as np
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> from thresher import RaceSelector
    >>> X = np.random.default_rng(0).choice([-1.0, 1.0], (300, 8))
    >>> y = X[:, 1] * X[:, 4] * X[:, 6]
    >>> selector = RaceSelector(KNeighborsRegressor(1), random_state=0).fit(X, y)
    >>> np.flatnonzero(selector.support_).tolist()
    [1, 4, 6]
    """

    def __init__(
        self,
        estimator: Any,
        *,
        search: Any = "schemata",
        race: Any = "brace",
        delta: float = 0.001,
        gamma: float = 0.001,
        min_rows: int | None = None,
        corrected: bool = False,
        cv: Any = 5,
        loss: str | None = None,
        scoring: Any = None,
        feature_groups: Any = None,
        keep: Any = (),
        encode: bool = False,
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
        self.search = search
        self.race = race
        self.delta = delta
        self.gamma = gamma
        self.min_rows = min_rows
        self.corrected = corrected
        self.cv = cv
        self.loss = loss
        self.scoring = scoring
        self.feature_groups = feature_groups
        self.keep = keep
        self.encode = encode
        self.max_time = max_time
        self.max_evaluations = max_evaluations
        self.on_error = on_error
        self.timeout = timeout
        self.journal = journal
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _strategy(self) -> searches.SearchStrategy:
        named = {
            "schemata": searches.Schemata(),
            "schemata+": searches.SchemataPlus(),
            "forward": searches.HillClimbing("empty"),
            "backward": searches.HillClimbing("full"),
            "forward-gs": searches.GaussSeidel("empty"),
            "backward-gs": searches.GaussSeidel("full"),
        }
        if isinstance(self.search, str):
            if self.search in named:
                return named[self.search]
            if "." not in self.search and ":" not in self.search:
                raise ValueError(
                    f"search must be one of {', '.join(map(repr, named))}, a dotted path or an "
                    f"instance; got {self.search!r}"
                )
        strategy: searches.SearchStrategy = resolve(
            self.search, searches.SearchStrategy, searches, "search"
        )
        return strategy

    def _judge(self) -> races.Judge:
        if isinstance(self.race, str) and self.race == "exhaustive":
            return races.Exhaustive()
        return judge_for(
            self.race,
            delta=self.delta,
            gamma=self.gamma,
            min_rows=self.min_rows,
            corrected=self.corrected,
        )

    def _evaluator(
        self, columns: Columns, y: Any, seed: int, sample_weight: Any = None, groups: Any = None
    ) -> Evaluator:
        evaluator = super()._evaluator(columns, y, seed, sample_weight, groups)
        judge = self._judge()
        gamma = 0.0 if isinstance(judge, races.Friedman) else getattr(judge, "gamma", 0.0)
        warn_if_large(
            "gamma", gamma, evaluator.baseline, "races will take different columns for equal"
        )
        return evaluator
