"""Racing on growing subsamples through a population of subsets."""

from copy import copy
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import ClassifierTags, get_tags

from thresher import races, run, searches
from thresher.columns import Columns, encode
from thresher.evaluators import Evaluator, Problem, can_take, evaluator_for
from thresher.learners import LazyRegressor, ObliviousTree
from thresher.stats import correlation_order, gram_schmidt_order

from ._predictor import PredictingSelector, positions_of
from ._target import task_from
from ._wrapper import BaseWrapper

__all__ = ["RACSAM"]

FloatArray = NDArray[np.float64]

#: Variables from which the first candidates are made, when they are ranked.
_N_RANKED = 50


class RACSAM(BaseWrapper, PredictingSelector):
    """Select columns by racing many subsets on small samples of the rows, and predict by the best.

    Many subsets are raced at once: each row is predicted from a small sample of the others, and
    subsets that rank low leave. The samples grow as the race goes on. Then neighbours of the
    winners race against them, and so on [1]_.

    Parameters
    ----------
    learner : classifier or regressor, optional
        What predicts. By default `LazyRegressor`, or, if the target holds classes (labels, or at
        most 20 different whole numbers), five nearest neighbours; `ObliviousTree` if the table
        then has categories or missing values.
    n_candidates : int, default=1000
        Subsets in the first race; all there are, if they are no more.
    n_winners : int, default=20
        With how many a race may end; their neighbours are raced next.
    max_candidates : int, optional
        Different subsets raced in all; twice ``n_candidates`` if None.
    p_value : float, default=0.01
        Level of Friedman's test: subsets leave while their ranks are less probable than this.
    init : {"gram-schmidt", "random", "correlation"}, default="gram-schmidt"
        What the first candidates are made of: all columns, or the 50 that rank first by
        orthogonalisation or correlation with the target. Later ones may hold any column.
    generator : {"neighbours", "schemata"}, default="neighbours"
        How new candidates are made: winners crossed and changed in a few columns, or random subsets
        in which ever more columns are decided.
    prefer : {"small", "accurate"}, default="small"
        Which subset is the best of those left in a race, which are alike as far as is known: the
        smallest of those whose losses do not exceed the lowest one beyond chance, or the one with
        the lowest loss.
    combine : {"best", "average"}, default="best"
        Whether to predict by a model on the best subset, or by the mean of models on all winners.
        The selected columns are those of the best subset in any case.
    n_train : int, default=50
        Rows to learn from when a race begins.
    growth : int, optional
        How many more they are for each row tested; by default 10, or in large tables as many as it
        takes to learn from all rows in the end.
    max_train : int or None, default=None
        How many they are at most.
    max_tests : int, default=100
        Rows tested in a race at most.
    patience : int or None, default=5
        Stop after so many races with the same best subset.
    loss : {"absolute", "squared", "zero_one", "log", "brier"}, optional
        Per-row loss; "absolute" for regressors and "zero_one" for classifiers if None.
    feature_groups : mapping or sequence of columns, optional
        Columns that stand or fall together.
    keep : sequence of columns, default=()
        Columns that are always selected.
    max_time : float, optional
        Seconds after which the best subset so far is returned.
    max_evaluations : int, optional
        As many losses as whole leave-one-out evaluations of this many subsets take.
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
        Seeds the candidates, the samples, and every random_state of the learner that is None.
    verbose : int, default=0
        Whether to print each race on stderr.

    Attributes
    ----------
    support_ : bool array of shape (n_columns,)
        The columns of the best subset.
    n_features_ : int
        How many they are.
    ranking_ : int array of shape (n_columns,)
        1 for selected columns, then 2, 3, ... by how many winners hold a column.
    winners_ : list of int arrays
        The columns of each winner of the last race, the best first.
    estimators_ : list of estimators
        What predicts: a model on the best subset, or one on each of the winners.
    subsets_ : list of int arrays
        The columns of each of these.
    classes_ : array
        The classes, if the target has classes.
    selection_ : Selection
        Verdicts, trace and cost.

    Notes
    -----
    Learners that keep their training rows (`LazyRegressor`, nearest neighbours, kernel and locally
    weighted regression) are fastest; any other is fitted anew for each subset and sample.

    References
    ----------
    .. [1] G. Bontempi, M. Birattari and P. E. Meyer, "Combining lazy learning, racing and
       subsampling for effective feature selection", Adaptive and Natural Computing Algorithms,
       2005.

    Examples
    --------
    >>> from thresher import RACSAM
    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((300, 12))
    >>> y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
    >>> selector = RACSAM(n_candidates=200, random_state=0).fit(X, y)
    >>> np.flatnonzero(selector.support_).tolist()
    [0, 1, 2]
    >>> selector.score(X, y) > 0.9
    True
    """

    # every row is predicted from a sample of the others
    cv = "loo"
    scoring = None
    encode = False

    def __init__(
        self,
        learner: Any = None,
        *,
        n_candidates: int = 1000,
        n_winners: int = 20,
        max_candidates: int | None = None,
        p_value: float = 0.01,
        init: Literal["gram-schmidt", "random", "correlation"] = "gram-schmidt",
        generator: Literal["neighbours", "schemata"] = "neighbours",
        prefer: Literal["small", "accurate"] = "small",
        combine: Literal["best", "average"] = "best",
        n_train: int = 50,
        growth: int | None = None,
        max_train: int | None = None,
        max_tests: int = 100,
        patience: int | None = 5,
        loss: str | None = None,
        feature_groups: Any = None,
        keep: Any = (),
        max_time: float | None = None,
        max_evaluations: int | None = None,
        on_error: Literal["raise", "skip"] = "raise",
        timeout: float | None = None,
        journal: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ):
        self.learner = learner
        self.n_candidates = n_candidates
        self.n_winners = n_winners
        self.max_candidates = max_candidates
        self.p_value = p_value
        self.init = init
        self.generator = generator
        self.prefer = prefer
        self.combine = combine
        self.n_train = n_train
        self.growth = growth
        self.max_train = max_train
        self.max_tests = max_tests
        self.patience = patience
        self.loss = loss
        self.feature_groups = feature_groups
        self.keep = keep
        self.max_time = max_time
        self.max_evaluations = max_evaluations
        self.on_error = on_error
        self.timeout = timeout
        self.journal = journal
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _learner(self, y: Any = None) -> Any:
        if self.learner is not None:
            return self.learner
        classes = y is not None and task_from(y) == "classification"
        return KNeighborsClassifier() if classes else LazyRegressor()

    def _strategy(self) -> searches.SearchStrategy:
        return searches.Population(
            self.n_candidates,
            self.n_winners,
            self.max_candidates,
            generator=self.generator,
            patience=self.patience,
            prefer_small=self.prefer == "small",
        )

    def _judge(self) -> races.Judge:
        return races.Friedman(self.p_value, posthoc="worst", subsamples=races.Subsamples())

    def _evaluator(
        self, columns: Columns, y: Any, seed: int, sample_weight: Any = None, groups: Any = None
    ) -> Evaluator:
        if groups is not None:
            raise ValueError("RACSAM draws single rows at random; it cannot keep groups together")
        learner = self._learner(y)
        if self.learner is None and is_classifier(learner) and not can_take(learner, columns):
            learner = ObliviousTree()  # nearest neighbours, too

        def make(*, fast: bool) -> Evaluator:
            return evaluator_for(
                learner,
                columns,
                y,
                cv=self.cv,
                loss=self.loss or ("zero_one" if is_classifier(learner) else "absolute"),
                sample_weight=sample_weight,
                fast=fast,
                n_jobs=self.n_jobs,
                random_state=seed,
                on_error=self.on_error,
                timeout=self.timeout,
            )

        evaluator = make(fast=True)
        return evaluator if evaluator.takes_samples else make(fast=False)

    def _fit_to(
        self, evaluator: Evaluator, strategy: searches.SearchStrategy, judge: races.Judge
    ) -> tuple[searches.SearchStrategy, races.Judge]:
        problem = evaluator.problem
        if self.init != "random" and isinstance(strategy, searches.Population):
            strategy.pool = _ranked(problem, self.init)
        n_rows = problem.columns.n_rows
        plan = races.Subsamples(
            first=self.n_train,
            growth=max(10, n_rows // self.max_tests) if self.growth is None else self.growth,
            most=self.max_train,
            max_tested=self.max_tests,
        )
        return strategy, races.Friedman(self.p_value, posthoc="worst", subsamples=plan)

    def _complete(self, table: Columns, evaluator: Evaluator, result: run.Run, seed: int) -> None:
        # cut short before the first race was over, or with but one subset to choose from
        finalists = result.finalists or (result.subset,)
        problem = evaluator.problem
        self.winners_ = positions_of(finalists, problem.columns, table)
        chosen = finalists if self.combine == "average" else (result.subset,)
        self._fit_models(table, problem, chosen, None if self.random_state is None else seed)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimators_[0] if hasattr(self, "estimators_") else self._learner())
        tags.classifier_tags = copy(inner.classifier_tags)
        tags.regressor_tags = copy(inner.regressor_tags)
        if self.learner is not None or hasattr(self, "estimators_"):
            tags.estimator_type = inner.estimator_type
        else:  # the target will tell
            tags.classifier_tags = ClassifierTags()
        for kind in (tags.classifier_tags, tags.regressor_tags):
            if kind is not None:
                kind.poor_score = True  # if too few rows tell which columns matter
        if tags.classifier_tags is not None:
            tags.classifier_tags.multi_label = False
        if self.learner is None:
            tags.input_tags.sparse = True  # at least if the target holds classes
        return tags


def _ranked(problem: Problem, init: str) -> list[int]:
    """Return the variables that rank first, by whatever of their columns ranks first."""
    columns = problem.columns if problem.columns.is_plain else encode(problem.columns)
    target: FloatArray = np.asarray(problem.target.values, dtype=np.float64)
    if problem.target.classes is not None:
        target = np.eye(problem.target.n_classes)[problem.target.values]
    variable_of = np.empty(columns.n_columns, dtype=np.intp)
    for variable, members in enumerate(columns.variables):
        variable_of[members] = variable
    matrix = columns.matrix
    if init == "correlation":
        order = correlation_order(matrix, target)
    else:
        widest = max(map(len, columns.variables))
        order = gram_schmidt_order(matrix, target, _N_RANKED * widest)
    return list(dict.fromkeys(variable_of[order].tolist()))[:_N_RANKED]
