"""Randomized variable elimination with a search for the number of relevant variables."""

from typing import Any, Literal

from ._randomized import RandomizedSelector

__all__ = ["RVErS"]


class RVErS(RandomizedSelector):
    """Select columns by randomized variable elimination, without knowing how many are relevant.

    Many columns are removed at once, drawn at random, and put back if they are missed. How many
    follows from what the draws so far say about the number of relevant columns.

    Parameters
    ----------
    estimator : classifier or regressor
        Whose held-out loss is to be low.
    r_min : int, default=2
        At least so many columns are relevant, as far as is known.
    r_max : int, optional
        At most so many are; all, if None. A low guess makes the first draws large.
    c1 : float, default=3.0
        Failures in a row that show that there are more relevant columns than believed, as a
        multiple of the failures expected. Only the paper's stop and draws ask for it, and for c2.
    c2 : float, default=0.3
        Successes in a row that show that there are fewer, as a share of the relevant columns less
        the failures expected.
    tolerance : float, default=0.002
        By how much the loss may rise when variables are removed.
    cost : str or callable, default="linear"
        What learning costs as a function of the number of variables: "constant", "logarithmic",
        "linear", "linearithmic", "quadratic", "cubic", a function, or "measured" to time the
        estimator at a few sizes (the result may then differ from run to run, as times do).
    k : int, optional
        Remove so many variables at a time, in place of the schedule's number. How many are relevant
        is then not searched for, and r_min and r_max mean nothing to the paper's stop.
    strategy : {"improved", "paper"}, default="improved"
        What "auto" stands for below.
    biased : bool or "auto", default="auto"
        Draw the variables that are least likely to be relevant, given what failed and succeeded so
        far; else all alike. Not in the paper.
    remember : bool or "auto", default="auto"
        Judge no subset twice, and draw no variable again that was missed when it alone was removed,
        until something else has been removed. Not in the paper.
    stop : {"posterior", "failures", "auto"}, default="auto"
        "posterior": when each column left is relevant with probability ``confidence`` or was missed
        when it alone was removed. "failures", as in the paper: after too many failures in a row.
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
    RVE : The same with a known number.

    Notes
    -----
    D. J. Stracuzzi and P. E. Utgoff, Randomized Variable Elimination, JMLR 5, 2004.

    Examples
    --------
    Five of the seven segments of a display tell the ten digits apart; the other 143 columns are
    noise:

    >>> from thresher import RVErS
    >>> from thresher.datasets import make_led
    >>> from thresher.learners import DiscreteNB
    >>> data = make_led(n_rows=500, random_state=0)
    >>> selector = RVErS(DiscreteNB(), random_state=0).fit(data.X, data.y)
    >>> sorted(selector.selection_.selected)
    ['x0', 'x1', 'x2', 'x3', 'x4']
    """

    def __init__(
        self,
        estimator: Any,
        *,
        r_min: int = 2,
        r_max: int | None = None,
        c1: float = 3.0,
        c2: float = 0.3,
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
        self.r_min = r_min
        self.r_max = r_max
        self.c1 = c1
        self.c2 = c2
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
        return {"r_min": self.r_min, "r_max": self.r_max, "c1": self.c1, "c2": self.c2}
