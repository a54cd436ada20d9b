"""Any search, any judge, any estimator."""

from typing import Any, Literal

from thresher import searches

from ._names import resolve
from ._wrapper import BaseWrapper

__all__ = ["WrapperSelector"]


class WrapperSelector(BaseWrapper):
    """Select columns by searching subsets with any strategy, under any judge.

    Parameters
    ----------
    estimator : classifier or regressor
        Whose held-out loss is to be low.
    search : str, class or SearchStrategy, default="forward"
        A strategy of `thresher.searches` by name, one of your own, or the dotted path of one.
    judge : str, class or Judge, default="exhaustive"
        Who decides the contests.
    cv : int, "loo", splitter or iterable, default=5
        How rows are held out.
    loss : {"zero_one", "log", "brier", "absolute", "squared"}, optional
        Per-row loss; "zero_one" for classifiers and "squared" for regressors if None.
    scoring : str or callable, optional
        A scikit-learn scorer in place of ``loss``.
    feature_groups : mapping or sequence of columns, optional
        Columns that stand or fall together.
    keep : sequence of columns, default=()
        Columns that are always selected.
    encode : bool, default=False
        Rewrite categories and missing values as numbers for the estimator.
    max_time : float, optional
        Seconds after which the best subset so far is returned.
    max_evaluations : int, optional
        Subsets after which the best one so far is returned.
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
        Seeds the search, and every random_state of the estimator that is None.
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

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from thresher import WrapperSelector
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = WrapperSelector(KNeighborsClassifier(), search="floating").fit(X, y)
    >>> selector.selection_.selected
    ('flavanoids', 'alcohol', 'nonflavanoid_phenols')
    """

    def __init__(
        self,
        estimator: Any,
        *,
        search: Any = "forward",
        judge: Any = "exhaustive",
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
        self.judge = judge
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
        found: searches.SearchStrategy = resolve(
            self.search, searches.SearchStrategy, searches, "search"
        )
        return found
