"""Randomized variable elimination with a known number of relevant variables."""

from typing import Any, Literal

from thresher.evaluators import Evaluator
from thresher.races import Judge
from thresher.searches import RandomizedElimination, SearchStrategy

from ._randomized import RandomizedSelector

__all__ = ["RVE"]


class RVE(RandomizedSelector):
    """Select columns by randomized variable elimination down to a given number.

    Many columns are removed at once, drawn at random, and put back if they are missed. How many
    follows from the number of relevant columns, at the least expected cost.

    Parameters
    ----------
    estimator : classifier or regressor
        Whose held-out loss is to be low.
    n_relevant : int, optional
        How many columns to end with (groups of columns count as one); half of them if None.
    tolerance : float, default=0.002
        By how much the loss may rise when variables are removed.
    cost : str or callable, default="linear"
        What learning costs as a function of the number of variables: "constant", "logarithmic",
        "linear", "linearithmic", "quadratic", "cubic", a function, or "measured" to time the
        estimator at a few sizes (the result may then differ from run to run, as times do).
    k : int, optional
        Remove so many variables at a time, in place of the schedule's number.
    strategy : {"improved", "paper"}, default="improved"
        What "auto" stands for below.
    biased : bool or "auto", default="auto"
        Draw the variables that are least likely to be relevant, given what failed and succeeded so
        far; else all alike. Not in the paper.
    remember : bool or "auto", default="auto"
        Judge no subset twice, and draw no variable again that was missed when it alone was removed,
        until something else has been removed. Not in the paper.
    stop : {"posterior", "failures", "auto"}, default="auto"
        When to give up before the number is reached. "posterior": never; when every removal was
        tried in vain, the column that is missed least goes. "failures": after very many failures.
    confidence : float, default=0.99
        Probability at which a column counts as relevant without being tried alone.
    drift : bool, default=False
        Compare with the loss of the last subset, as printed in the paper, and not with the lowest
        loss so far.
    judge : str, class or Judge, default="auto"
        Who decides; in the paper "exhaustive". "raced", the default elsewhere, races against the
        current subset where a loss costs a fit, and looks at all rows where it costs nothing.
    holdout : float, optional
        Share of the rows to set aside. In the end, the subset that does best there is taken of all
        those on the way, and not the last one.
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
        Workers. Those that would be idle judge the next draws ahead of time; the result does not
        depend on it.
    random_state : int, RandomState or None, default=None
        Seeds the draws, and every random_state of the estimator that is None.
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

    See Also
    --------
    RVErS : The same without knowing the number.

    Notes
    -----
    D. J. Stracuzzi and P. E. Utgoff, Randomized Variable Elimination, JMLR 5, 2004.

    Examples
    --------
    Five of a hundred columns make up the target:

    >>> from sklearn.datasets import make_regression
    >>> from sklearn.linear_model import LinearRegression
    >>> from thresher import RVE
    >>> X, y = make_regression(
    ...     300, 100, n_informative=5, noise=10.0, shuffle=False, random_state=0
    ... )
    >>> selector = RVE(LinearRegression(), n_relevant=5, random_state=0).fit(X, y)
    >>> selector.support_.nonzero()[0].tolist()
    [0, 1, 2, 3, 4]
    """

    def __init__(
        self,
        estimator: Any,
        *,
        n_relevant: int | None = None,
        tolerance: float = 0.002,
        cost: Any = "linear",
        k: int | None = None,
        strategy: str = "improved",
        biased: Any = "auto",
        remember: Any = "auto",
        stop: Any = "auto",
        confidence: float = 0.99,
        drift: bool = False,
        judge: Any = "auto",
        holdout: float | None = None,
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
        self.n_relevant = n_relevant
        self.tolerance = tolerance
        self.cost = cost
        self.k = k
        self.strategy = strategy
        self.biased = biased
        self.remember = remember
        self.stop = stop
        self.confidence = confidence
        self.drift = drift
        self.judge = judge
        self.holdout = holdout
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

    def _numbers(self) -> dict[str, Any]:
        return {"n_relevant": self.n_relevant}

    def _fit_to(
        self, evaluator: Evaluator, strategy: SearchStrategy, judge: Judge
    ) -> tuple[SearchStrategy, Judge]:
        if isinstance(strategy, RandomizedElimination) and self.n_relevant is None:
            least = len(evaluator.problem.columns.required)
            strategy.n_relevant = max(evaluator.n_variables // 2, least, 1)
        return super()._fit_to(evaluator, strategy, judge)
