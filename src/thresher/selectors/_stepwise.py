"""Stepwise selection."""

from typing import Any, Literal

from thresher.searches import Backward, Floating, Forward, SearchStrategy

from ._wrapper import BaseWrapper

__all__ = ["Stepwise"]


class Stepwise(BaseWrapper):
    """Add or remove one column at a time, by the held-out loss of an estimator.

    Parameters
    ----------
    estimator : classifier or regressor
        Whose held-out loss is to be low.
    direction : {"forward", "backward"}, default="forward"
        Start with nothing and add, or start with everything and remove.
    floating : bool, default=False
        Take back earlier steps when that pays.
    n_features : int, (int, int) or "auto", default="auto"
        How many variables to select (a group of columns counts as one): a number, the best number
        in a range, or as long as it helps.
    tolerance : float, default=0.0
        With "auto": a forward step must lower the loss by more than this; a backward search may end
        up this much above the lowest loss.
    rule : {"best", "one-standard-error"}, default="best"
        Which subset along the way to take: that with the lowest loss, or the smallest whose loss is
        within one standard error of the lowest.
    judge : str, class or Judge, default="exhaustive"
        Who decides which column is best.
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
        Seeds every random_state of the estimator that is None.
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
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import LinearRegression
    >>> from thresher import Stepwise
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> selector = Stepwise(LinearRegression(), n_features=3).fit(X, y)
    >>> selector.selection_.selected
    ('bmi', 's5', 'bp')
    """

    def __init__(
        self,
        estimator: Any,
        *,
        direction: Literal["forward", "backward"] = "forward",
        floating: bool = False,
        n_features: Any = "auto",
        tolerance: float = 0.0,
        rule: Literal["best", "one-standard-error"] = "best",
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
        self.direction = direction
        self.floating = floating
        self.n_features = n_features
        self.tolerance = tolerance
        self.rule = rule
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

    def _strategy(self) -> SearchStrategy:
        if self.direction not in ("forward", "backward"):
            raise ValueError(f"direction must be 'forward' or 'backward'; got {self.direction!r}")
        sizes = {"n_features": self.n_features, "tolerance": self.tolerance, "rule": self.rule}
        if self.floating:
            return Floating(self.direction, **sizes)
        return (Forward if self.direction == "forward" else Backward)(**sizes)
