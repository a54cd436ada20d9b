"""The smallest set that is shown to be enough: two paths, one choice, fresh folds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.ace import Problem
from thresher.columns import CodedColumns, Columns
from thresher.journal import NO_JOURNAL, Scope
from thresher.stats import CONFIDENCE, TOLERANCE, AllowedRise, sufficiency
from thresher.trees import Squared

from ._choice import Choice, Reference, choose_size, reference_of
from ._clusters import cluster_variables, with_representatives
from ._copies import copies_in, without_copies
from ._design import make_design
from ._elimination import try_sets
from ._estimator import Estimator, proper_loss
from ._folds import repeated_folds
from ._fresh import FreshTrials, confirm
from ._learners import BoostedTrees, Learner, LinearModel, Remembering
from ._paths import PathLosses, Workplace, judged_by, path_from_all, path_of_proved

__all__ = ["Sufficient", "find_sufficient"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
#: Told the name of a stage, how much of it is done and how much there is; may end it by raising.
Tell = Callable[[str, int, int], object]

#: Folds and row samples do not depend on the user's seed, so that another seed gives the same set.
_SEEDS = np.random.SeedSequence(20_101)
#: Predictions must beat those without any variable at this level, or nothing is added to what is
#: proved; and at a stricter one where nothing is, since nothing else speaks for any variable then.
PROVED_LEVEL, UNPROVED_LEVEL = 0.1, 0.005
#: Exchanging a variable for one that says the same may cost this share of what was gained.
NEGLIGIBLE = 0.01
#: Largest chosen set of which each variable is left out once, to measure the rise of the loss.
MOST_LEFT_OUT = 40


@dataclass(frozen=True, eq=False)
class Sufficient:
    """The smallest set of variables that is shown to be enough, and the path to it.

    Parameters
    ----------
    choice : Choice
        All sizes that were tried, and the chosen one.
    order : tuple of int
        All variables; the first n are the set of size n.
    rises : mapping of int to float
        For each chosen variable: rise of the loss on fresh folds without it, as a share. Empty if
        very many are chosen.
    clusters : tuple of tuples of int
        Chosen and proved variables with all others that say nearly the same, the representative
        first.
    loss : {"log", "brier", "zero_one", "squared"}
        The loss.
    n_folds : int
        Number of folds.
    n_trials : int
        Number of sets tried.
    """

    choice: Choice
    order: tuple[int, ...]
    rises: Mapping[int, float]
    clusters: tuple[tuple[int, ...], ...]
    loss: str
    n_folds: int
    n_trials: int

    @property
    def chosen(self) -> tuple[int, ...]:
        """The chosen variables, the most needed first."""
        return self.order[: self.choice.chosen]


def find_sufficient(
    problem: Problem,
    columns: Columns,
    *,
    proved: frozenset[int] = frozenset(),
    estimator: Any = None,
    y: NDArray[Any] | None = None,
    tolerance: float = TOLERANCE,
    confidence: float = CONFIDENCE,
    most: int | None = None,
    n_jobs: int | None = None,
    progress: Tell = lambda _stage, _done, _total: None,
    journal: Scope = NO_JOURNAL,
) -> Sufficient:
    """Find the smallest set of variables that is shown to predict as well as the best set known.

    Parameters
    ----------
    problem : Problem
        Codes, response and weights.
    columns : Columns
        The table with the same rows and variables, for linear models and estimators.
    proved : frozenset of int
        Variables that are known to matter, and not to repeat each other. If they are enough, only
        they are chosen from.
    estimator : classifier or regressor, optional
        The estimator whose losses decide; by default those of boosted trees or a linear model,
        whichever predicts better.
    y : array of shape (n_rows,), optional
        The target, for the estimator.
    tolerance, confidence, most
        See `choose_size`.
    n_jobs : int, optional
        Number of workers; the result does not depend on it.
    progress : callable
        Called at each step with the name of the stage, the steps done and the number of steps.
    journal : Scope
        Where trials are written down.
    """
    fold_seed, tree_seed, fresh_seed = (
        # not spawn, which would give others at the next call
        np.random.SeedSequence(_SEEDS.entropy, spawn_key=(k,))
        for k in range(3)
    )
    linear: list[Learner] = []
    if not isinstance(columns, CodedColumns):
        linear = [Remembering(LinearModel(problem, make_design(columns), n_jobs))]
    quick = [Remembering(BoostedTrees(problem, tree_seed, n_jobs, quick=True)), *linear]
    learners = quick  # where an estimator judges the sets, they only order the variables
    if estimator is None:
        learners = [Remembering(BoostedTrees(problem, tree_seed, n_jobs)), *linear]

    def told(stage: str) -> Callable[[int, int], object]:
        return lambda done, total: progress(stage, done, total)

    place = Workplace(
        learners,
        quick,
        repeated_folds(problem, fold_seed),
        columns.required,
        told,
        journal.part("trials"),
    )
    n_proved = len(proved | columns.required)
    judge = None
    if estimator is not None:
        assert y is not None, "an estimator learns from the target"
        judge = Estimator(
            estimator, columns, y, place.folds,
            seed=0, n_jobs=n_jobs, journal=journal.part("fits"),
        )  # fmt: skip
    # Phase 1: paths of nested sets, and their losses for learners or for the estimator
    paths = _make_paths(place, problem, proved, judge)
    # Phase 2: the smallest size that is enough; of proved variables only, if these are enough
    n_train = place.folds.n_train
    limits = _Limits(tolerance, confidence, most, columns)
    reference = reference_of(paths[0].losses, place.folds.of_row[0])
    path, choice = _choose(paths, reference, n_train, n_proved, limits)
    level = PROVED_LEVEL if proved else UNPROVED_LEVEL
    predicts = _beats_nothing(reference, n_train, level)
    if not predicts:
        path = paths[-1]  # nothing but what is proved
        choice = limits.choose(path, reference, n_train)
        n_most = min(n_proved, limits.size_on(path))
        choice = replace(choice, chosen=max(s.size for s in choice.sizes if s.size <= n_most))
    # Phase 3: of columns that say nearly the same one will do, if the rest is enough
    n_missing = [int(columns.n_missing[members].sum()) for members in columns.variables]
    if predicts:
        alike = cluster_variables(problem, path.order[: choice.chosen], n_missing)
        copies = copies_in(path.order[: choice.chosen], alike)
        path, choice = without_copies(
            path, choice, [v for v in copies if v not in columns.required],
            lambda variables: _losses_of(variables, place, judge),
            lambda shorter: limits.choose(shorter, reference, n_train),
        )  # fmt: skip
    # Phase 4: the chosen set again, on folds that have not chosen it
    fresh = repeated_folds(problem, fresh_seed)
    confirming = FreshTrials(learners, fresh, journal.part("fresh folds"))
    trials = FreshTrials(quick, fresh, journal.part("fresh folds, quickly"))
    deciding = choice.learner if estimator is None else learners[0].name
    if predicts and estimator is None and choice.chosen > len(columns.required):
        choice = confirm(choice, path.order, confirming, tolerance, limits.size_on(path))
    # Phase 5: of columns that say the same, the one that stands for them by a rule
    clusters = cluster_variables(problem, {*path.order[: choice.chosen], *proved}, n_missing)
    limit = trials.loss(path.order[: choice.chosen], deciding)
    limit += NEGLIGIBLE * abs(trials.loss((), deciding) - limit)
    order = with_representatives(
        path.order, choice.chosen, clusters, lambda chosen: trials.loss(chosen, deciding) <= limit
    )
    # Phase 6: what each chosen column is needed for
    rises = _rises(order[: choice.chosen], trials, deciding, told("leaving out each column"))
    return Sufficient(
        choice, order, rises, clusters, _loss_name(problem, estimator), place.folds.n_folds,
        n_trials=_n_tried(paths, n_proved) + confirming.n_trials + trials.n_trials,
    )  # fmt: skip


def _rises(
    chosen: Sequence[int], trials: FreshTrials, learner: str, progress: Callable[[int, int], object]
) -> dict[int, float]:
    """By how much the loss rises without each chosen variable; empty if very many are chosen."""
    if len(chosen) > MOST_LEFT_OUT:
        return {}
    rises = {}
    for done, variable in enumerate(chosen):
        progress(done, len(chosen))
        rises[variable] = trials.rise(chosen, variable, learner)
    return rises


@dataclass(frozen=True)
class _Limits:
    """What a set must be, and how large it may be: ``most`` counts columns, not variables."""

    tolerance: float
    confidence: float
    most: int | None
    columns: Columns

    def size_on(self, path: PathLosses) -> int:
        """The largest size on a path that has no more columns than allowed."""
        if self.most is None:
            return len(path.order)
        n_columns = np.cumsum([len(self.columns.variables[v]) for v in path.order])
        return int(np.searchsorted(n_columns, self.most, side="right"))

    def choose(self, path: PathLosses, reference: Reference, n_train: float) -> Choice:
        """Choose a size of a path."""
        return choose_size(
            path.losses, reference, n_train, tolerance=self.tolerance, confidence=self.confidence,
            most=self.size_on(path),
        )  # fmt: skip


def _make_paths(
    place: Workplace, problem: Problem, proved: frozenset[int], judge: Estimator | None
) -> list[PathLosses]:
    """The path from all variables, and the one from the proved ones if it is another."""
    n_proved = len(proved | place.required)
    paths = [path_from_all(place, problem.n_variables)]
    if proved and set(paths[0].order[:n_proved]) != proved | place.required:
        paths.append(path_of_proved(place, proved))
    if judge is not None:
        told = place.progress(f"fitting {judge.name}")
        paths = [judged_by(path, judge, n_proved, told) for path in paths]
    return [paths[0], *(path.continued_by(paths[0]) for path in paths[1:])]


def _n_tried(paths: Sequence[PathLosses], n_proved: int) -> int:
    """Number of sizes tried, each within the folds and on all rows."""
    everything, *others = paths
    inner = sum(size <= n_proved for path in others for size in path.sets)
    return 2 * (len(everything.sets) + inner)


def _losses_of(
    variables: Sequence[int], place: Workplace, judge: Estimator | None
) -> Mapping[str, FloatArray]:
    """Losses with the same variables in each fold."""
    size, sets = len(variables), (tuple(variables),) * place.folds.n_models
    if judge is not None:
        losses = judge.judge({size: sets}, place.progress(f"fitting {judge.name}"))
        return {judge.name: losses[size]}
    trials = try_sets(place.learners, sets, place.folds, place.journal)
    return {name: trial.losses for name, trial in trials.items()}


def _choose(
    paths: Sequence[PathLosses],
    reference: Reference,
    n_train: float,
    n_proved: int,
    limits: _Limits,
) -> tuple[PathLosses, Choice]:
    """Choose a size, and the path that it is on: that of the proved ones, if they are enough."""
    everything, *others = paths
    for path in others:
        choice = limits.choose(path, reference, n_train)
        if choice.chosen <= n_proved and choice.at(choice.chosen).verdict == "enough":
            return path, choice
    return everything, limits.choose(everything, reference, n_train)


def _beats_nothing(reference: Reference, n_train: float, level: float) -> bool:
    """Whether predictions are shown to be better than without any variable."""
    found = sufficiency(
        reference.nothing[reference.learner], reference.best, n_train,
        allowed=AllowedRise(0.0, 0.0), confidence=1 - level,
    )  # fmt: skip
    return found.low > 0


def _loss_name(problem: Problem, estimator: Any) -> str:
    if estimator is not None:
        return proper_loss(estimator)
    return "squared" if isinstance(problem.response, Squared) else "log"
