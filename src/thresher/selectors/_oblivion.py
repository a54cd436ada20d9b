"""Backward elimination from oblivious trees."""

from copy import deepcopy
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from thresher.columns import Columns, is_frame
from thresher.evaluators import Evaluator, Task, seeded, weight_parameter
from thresher.learners import ObliviousTree, ObliviousTreeRegressor
from thresher.run import Run
from thresher.searches import Backward, SearchStrategy

from ._target import task_from
from ._wrapper import BaseWrapper

__all__ = ["Oblivion"]

#: What the rule "auto" stands for.
_RULES = {"improved": "one-standard-error", "paper": "best"}


def _predictor_has(method: str) -> Any:
    def check(selector: "Oblivion") -> bool:
        if selector.encode:
            raise AttributeError(
                f"Oblivion has no {method} with encode=True: the estimator has seen columns that "
                "were rewritten as numbers; put a pipeline that does so in its place"
            )
        getattr(selector._predictor(), method)
        return True

    return check


class Oblivion(BaseWrapper):
    """Start with an oblivious tree over all columns and slice out those that are not missed.

    Greedy backward elimination by leave-one-out errors [1]_: remove the column without which there
    are the fewest errors, again and again. As nothing is added, columns that only matter together
    are recognised as easily as others.

    Parameters
    ----------
    estimator : classifier or regressor, optional
        Whose held-out loss is to be low. By default `ObliviousTree`, or `ObliviousTreeRegressor` if
        the target is numeric, unless it holds at most 20 different whole numbers.
    strategy : {"improved", "paper"}, default="improved"
        When to stop. "paper": as soon as every removal would raise the number of errors. That is
        soon among many irrelevant columns, or where the target is noisy: the errors are then few by
        chance. "improved": never; among all subsets on the way, the ``rule`` chooses.
    rule : {"auto", "best", "one-standard-error"}, default="auto"
        Which subset to take: the smallest whose loss is within ``tolerance`` of the lowest, or
        within one standard error of it. "auto" is the latter for "improved" (where there are no
        errors at all, that is the smallest subset without any) and the former for "paper".
    tolerance : float, default=0.0
        With the rule "best", what the loss may exceed the lowest one by.
    judge : str, class or Judge, default="exhaustive"
        Who decides which column goes. A race ("brace", ...) looks at fewer rows, which pays for
        estimators that must be refitted.
    cv : int, "loo", splitter or iterable, default="loo"
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
        Rewrite categories and missing values as numbers for the estimator. Oblivious trees take
        them as they are. There is no ``predict`` then.
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
        Seeds the order of rows in races, and every random_state of the estimator that is None.
    verbose : int, default=0
        Whether to print each step on stderr.

    Attributes
    ----------
    support_ : bool array of shape (n_columns,)
        The selected columns.
    n_features_ : int
        How many they are.
    ranking_ : int array of shape (n_columns,)
        1 for selected columns, then 2, 3, ... for the others, the latest to go first.
    selection_ : Selection
        Verdicts, trace and cost.
    estimator_ : estimator
        Fitted on the selected columns of all rows; what predictions come from.
    classes_ : array of shape (n_classes,)
        The classes, if it is a classifier.

    See Also
    --------
    Stepwise : Backward elimination for any estimator, with a number of columns to end with.
    thresher.learners.ObliviousTree : How the tree predicts.

    Notes
    -----
    Of removals that lead to the same loss, the first in the order of the table is taken. At least
    one column is left.

    With ``sample_weight`` or a scorer the trees are refitted for every row that is left out; a
    number of folds is then the better choice for ``cv``.

    References
    ----------
    .. [1] P. Langley and S. Sage, "Scaling to domains with irrelevant features", in *Computational
       Learning Theory and Natural Learning Systems* IV, MIT Press 1997.

    Examples
    --------
    The target is 1 if three of twelve bits are equal: none of them tells anything alone.

    >>> from thresher import Oblivion
    >>> from thresher.datasets import make_boolean_concept
    >>> data = make_boolean_concept("parity-like", n_irrelevant=9, n_rows=250, random_state=0)
    >>> selector = Oblivion().fit(data.X[:200], data.y[:200])
    >>> selector.support_.nonzero()[0].tolist()
    [0, 1, 2]
    >>> selector.score(data.X[200:], data.y[200:])
    1.0
    """

    estimator_: Any

    def __init__(
        self,
        estimator: Any = None,
        *,
        strategy: str = "improved",
        rule: str = "auto",
        tolerance: float = 0.0,
        judge: Any = "exhaustive",
        cv: Any = "loo",
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
        self.strategy = strategy
        self.rule = rule
        self.tolerance = tolerance
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

    @staticmethod
    def default_estimator(task: Task) -> Any:
        """Return the estimator that is used for a task if none is given.

        Parameters
        ----------
        task : {"classification", "regression"}
            What the target is.
        """
        return ObliviousTree() if task == "classification" else ObliviousTreeRegressor()

    def _learner(self, y: Any = None) -> Any:
        if self.estimator is not None:
            return self.estimator
        return self.default_estimator("classification" if y is None else task_from(y))

    def _strategy(self) -> SearchStrategy:
        if self.rule not in ("auto", "best", "one-standard-error"):
            raise ValueError(
                f"rule must be 'auto', 'best' or 'one-standard-error'; got {self.rule!r}"
            )
        rule: Any = _RULES[self.strategy] if self.rule == "auto" else self.rule
        return Backward(tolerance=self.tolerance, rule=rule, patient=self.strategy == "improved")

    def _complete(self, table: Columns, evaluator: Evaluator, result: Run, seed: int) -> None:
        if hasattr(self, "estimator_"):  # of an earlier fit
            del self.estimator_
        if self.encode:
            return
        problem = evaluator.problem
        model = clone(problem.estimator)
        if self.random_state is not None:
            model = seeded(model, seed)
        chosen = np.flatnonzero(self.support_).tolist()
        X = table.frame[:, chosen].to_native() if is_frame(table.table) else table.table[:, chosen]
        extra = {} if problem.weights is None else {weight_parameter(model): problem.weights}
        self.estimator_ = model.fit(X, problem.target.raw, **extra)

    def _predictor(self) -> Any:
        """Return the estimator that predicts, or will."""
        return self.estimator_ if hasattr(self, "estimator_") else self._learner()

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes, if the estimator is a classifier."""
        found: NDArray[Any] = self.estimator_.classes_
        return found

    @available_if(_predictor_has("predict"))  # type: ignore[untyped-decorator]
    def predict(self, X: Any) -> NDArray[Any]:
        """Predict from the selected columns.

        Parameters
        ----------
        X : array, sparse matrix or data frame
            With the columns seen in ``fit``.

        Returns
        -------
        prediction : array of shape (n_rows,)
            A class or a number for each row.
        """
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict(self._seen(X)))

    @available_if(_predictor_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities of the classes, from the selected columns.

        Parameters
        ----------
        X : array, sparse matrix or data frame
            With the columns seen in ``fit``.

        Returns
        -------
        probability : array of shape (n_rows, n_classes)
            In the order of ``classes_``.
        """
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict_proba(self._seen(X)))

    @available_if(_predictor_has("score"))  # type: ignore[untyped-decorator]
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Score of the estimator on the selected columns: accuracy, or the share of variance.

        Parameters
        ----------
        X : array, sparse matrix or data frame
            With the columns seen in ``fit``.
        y : array-like of shape (n_rows,)
            The target.
        sample_weight : array-like of shape (n_rows,), optional
            How much each row counts.

        Returns
        -------
        score : float
            The higher the better.
        """
        check_is_fitted(self)
        extra = {} if sample_weight is None else {"sample_weight": sample_weight}
        return float(self.estimator_.score(self._seen(X), y, **extra))

    def _seen(self, X: Any) -> Any:
        """Return the selected columns as the estimator has seen them."""
        return self._some_columns(X, [np.flatnonzero(self.support_)], to_predict=True)[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._predictor())
        if self.estimator is not None or hasattr(self, "estimator_"):
            tags.estimator_type = inner.estimator_type  # else the target will tell
        tags.classifier_tags = deepcopy(inner.classifier_tags)
        tags.regressor_tags = deepcopy(inner.regressor_tags)
        for kind in (tags.classifier_tags, tags.regressor_tags):
            if kind is not None:
                kind.poor_score = True  # if too few rows tell which columns matter
        if tags.classifier_tags is not None:
            tags.classifier_tags.multi_label = False
        return tags
