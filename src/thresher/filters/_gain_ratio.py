"""Columns ranked by what they tell about the target; a learner may say how many."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, is_classifier
from sklearn.utils import get_tags

from thresher import run
from thresher.columns import Columns
from thresher.evaluators import Target, check_estimator, evaluator_for
from thresher.races import Contest, Exhaustive, LossSource, Outcome
from thresher.searches import Ranked, Space
from thresher.searches._path import Sizes
from thresher.selection import Kind

from ._base import (
    BaseFilter,
    Findings,
    Judgement,
    among_best,
    best_column,
    best_of,
    most_features,
    varying_target,
)
from ._target_information import TargetInformation, known_chance, target_information

__all__ = ["GainRatio"]

FloatArray = NDArray[np.float64]


class GainRatio(BaseFilter):
    """Rank columns by gain ratio, and cut the ranking where a learner does best.

    The gain ratio (Quinlan, 1993) is what a column tells about the classes, as a share of what
    there is to tell about the column itself: many levels must pay their way. With an estimator,
    the first 1, 2, 3, ... columns of the ranking are cross-validated, and the best number is kept:
    the hybrid filter of Stracuzzi and Utgoff. Without one, the number or a threshold decides.

    Parameters
    ----------
    estimator : classifier or regressor, optional
        Who chooses the cut.
    criterion : {"gain-ratio", "information-gain", "symmetrical-uncertainty"}, default="gain-ratio"
        What columns are ranked by.
    n_features : int, (int, int) or "auto", default="auto"
        How many variables. "auto" leaves it to the estimator, or else to the threshold; a range is
        for the estimator to choose from.
    threshold : float, default=0.0
        The score must be higher, unless a number of variables is given. An estimator chooses among
        all variables if none has such a score.
    cuts : "mdl" or int, default="mdl"
        How numbers become levels: by the minimum description length of the target (see
        `MDLDiscretizer`), where many columns may have a score of 0, or cut into so many equally
        filled bins.
    missing : {"spread", "separate"}, default="spread"
        Whether missing cells are spread over the levels as often as these occur, or are a level.
    n_target_bins : int, default=5
        Into how many equally filled bins a numeric target is cut.
    cv : int, "loo", splitter or iterable, default=5
        How rows are held out for the estimator.
    loss : {"zero_one", "log", "brier", "absolute", "squared"}, optional
        Per-row loss; "zero_one" for classifiers and "squared" for regressors if None.
    scoring : str or callable, optional
        A scikit-learn scorer in place of ``loss``.
    encode : bool, default=False
        Rewrite categories and missing values as numbers for the estimator.
    task : {"auto", "classification", "regression"}, default="auto"
        What the target is. "auto" asks the estimator, or takes labels and few whole numbers for
        classes.
    feature_groups : mapping or sequence of columns, optional
        Columns that stand or fall together; a group is as good as its best column.
    keep : sequence of columns, default=()
        Columns that are always selected.
    max_time : float, optional
        Seconds after which the best number so far is returned.
    max_evaluations : int, optional
        Cross-validations after which the best number so far is returned.
    n_jobs : int, optional
        Workers. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seeds every random_state of the estimator that is None.
    verbose : int, default=0
        Whether to print what was found on stderr.

    Attributes
    ----------
    support_ : bool array of shape (n_columns,)
        The selected columns.
    n_features_ : int
        How many they are.
    ranking_ : int array of shape (n_columns,)
        1 for selected columns, then 2, 3, ... for the others by their score.
    scores_ : array of shape (n_columns,)
        What they were ranked by; NaN for constant columns.
    selection_ : Selection
        Verdicts, cost, and the loss of each number of columns as the trace.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from thresher.filters import GainRatio
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> GainRatio(n_features=2).fit(X, y).selection_.selected
    ('od280/od315_of_diluted_wines', 'flavanoids')
    >>> GainRatio(GaussianNB()).fit(X, y).n_features_
    10
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        criterion: str = "gain-ratio",
        n_features: Any = "auto",
        threshold: float = 0.0,
        cuts: str | int = "mdl",
        missing: str = "spread",
        n_target_bins: int = 5,
        cv: Any = 5,
        loss: str | None = None,
        scoring: Any = None,
        encode: bool = False,
        task: str = "auto",
        feature_groups: Any = None,
        keep: Sequence[str | int] = (),
        max_time: float | None = None,
        max_evaluations: int | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ):
        self.estimator = estimator
        self.criterion = criterion
        self.n_features = n_features
        self.threshold = threshold
        self.cuts = cuts
        self.missing = missing
        self.n_target_bins = n_target_bins
        self.cv = cv
        self.loss = loss
        self.scoring = scoring
        self.encode = encode
        self.task = task
        self.feature_groups = feature_groups
        self.keep = keep
        self.max_time = max_time
        self.max_evaluations = max_evaluations
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _findings(self, columns: Columns, target: Target, seed: int) -> Findings:
        if self.threshold is None:
            raise ValueError("threshold must be a number; got None")
        known = target_information(
            columns, target, cuts=self.cuts, missing=self.missing,
            n_target_bins=self.n_target_bins, n_jobs=self.n_jobs,
        )  # fmt: skip
        scores = {
            "gain-ratio": known.found.gain_ratio,
            "information-gain": known.found.gain,
            "symmetrical-uncertainty": known.found.symmetrical_uncertainty,
        }[self.criterion]
        name = self.criterion.replace("-", " ")
        ranking = _Ranking(columns, known, scores, name, self.threshold)
        if self._learner_chooses:
            return self._cut_by_learner(ranking, target, seed)
        return self._cut_by_score(ranking)

    @property
    def _learner_chooses(self) -> bool:
        """Whether there is a learner, and the number of columns is open; else it sees no table."""
        return self.estimator is not None and not isinstance(self.n_features, Integral)

    def _target(self, y: Any, n_rows: int) -> Target:
        if self.estimator is None or self.task != "auto":
            return super()._target(y, n_rows)
        check_estimator(self.estimator)
        task = "classification" if is_classifier(self.estimator) else "regression"
        return varying_target(y, n_rows, task)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if self._learner_chooses and isinstance(self.estimator, BaseEstimator):
            inner = get_tags(self.estimator).input_tags
            for name in ("allow_nan", "categorical", "string"):
                setattr(tags.input_tags, name, self.encode or getattr(inner, name))
            tags.input_tags.sparse = inner.sparse
        return tags

    def _cut_by_score(self, ranking: "_Ranking") -> Findings:
        columns = ranking.columns
        if isinstance(self.n_features, (tuple, list)):
            raise ValueError(
                f"n_features={self.n_features!r} is a range for an estimator to choose from; give "
                "an estimator, or a number"
            )
        n_wanted = most_features(self.n_features, columns)
        bar = f"more than {self.threshold:g}"
        chosen = ranking.worthy
        if isinstance(self.n_features, Integral):
            n_wanted = max(n_wanted, len(columns.required))
            chosen, bar = ranking.order[:n_wanted], among_best(n_wanted, columns)
        judged = ranking.judge(lambda size: ("" if size <= len(chosen) else "not ") + bar, chosen)
        return Findings(chosen, ranking.scores, judged, evaluations=columns.n_columns)

    def _cut_by_learner(self, ranking: "_Ranking", target: Target, seed: int) -> Findings:
        """Have the estimator say how many variables of the ranking are best."""
        columns = ranking.columns
        evaluator = evaluator_for(
            self.estimator, columns, target.raw, cv=self.cv, loss=self.loss, scoring=self.scoring,
            encode=self.encode, n_jobs=self.n_jobs, random_state=seed,
        )  # fmt: skip
        judge, space = _Listener(), Space(columns.n_variables, columns.required)
        sizes = Sizes.of(self.n_features, space)
        # all of them, if there is too little above the threshold to choose from
        fewest = max(sizes.least, len(columns.required) + 1)
        ranked = ranking.worthy if len(ranking.worthy) >= fewest else ranking.order
        result = run.search(
            Ranked(ranked, self.n_features),
            space,
            evaluator,
            judge,
            random_state=seed,
            budget=run.Budget(self.max_time, self.max_evaluations),
        )
        if result.ending == "budget":
            warnings.warn(
                f"GainRatio has spent its budget after {result.evaluations} evaluations and "
                f"{result.seconds:.1f} s; this is the best number of columns so far",
                UserWarning,
                stacklevel=4,
            )
        # if there was no time for anything, the search returns what was not to be looked at as well
        chosen = [v for v in ranked if v in result.subset][: sizes.most]
        n_best = len(chosen)
        n_tried = min(len(ranked), sizes.most)
        judged = ranking.judge(lambda size: judge.tell(size, n_best, n_tried), chosen)
        trace = [
            {"step": step, "n_variables": size, "loss": loss, "chosen": size == n_best}
            for step, (size, loss) in enumerate(sorted(judge.loss_of.items()))
        ]
        return Findings(
            chosen, ranking.scores, judged, trace, result.evaluations, result.losses, result.ending
        )


@dataclass(frozen=True, eq=False)
class _Ranking:
    """Variables by their score, those to keep first."""

    columns: Columns
    known: TargetInformation
    scores: FloatArray
    name: str
    threshold: float

    @cached_property
    def best(self) -> FloatArray:
        return best_of(self.columns, self.scores)

    @cached_property
    def order(self) -> list[int]:
        by_score = np.argsort(-self.best, kind="stable").tolist()
        return sorted(by_score, key=lambda v: v not in self.columns.required)

    @cached_property
    def worthy(self) -> list[int]:
        """Those to keep, and those with a score above the threshold."""
        keep = self.columns.required
        return [v for v in self.order if v in keep or self.best[v] > self.threshold]

    def judge(self, tell: Callable[[int], str], chosen: Sequence[int]) -> list[Judgement]:
        """Judge each variable; ``tell`` says what it means to be the last of so many."""
        selected, judged = frozenset(chosen), {}
        for size, v in enumerate(self.order, start=1):
            face = best_column(self.columns, self.scores, v)
            p_value = known_chance(self.known.p_values[face])
            if v in self.columns.required:
                judged[v] = Judgement("relevant", "kept, as asked", p_value)
            elif v not in selected and not self.best[v] > 0.0:
                judged[v] = Judgement("irrelevant", self.known.silence(face), p_value)
            else:
                rank = size - len(self.columns.required)
                why = f"{self.name} {self.best[v]:.3g}, rank {rank}: {tell(size)}"
                kind: Kind = "relevant" if v in selected else "irrelevant"
                judged[v] = Judgement(kind, why, p_value)
        return [judged[v] for v in range(self.columns.n_variables)]


class _Listener(Exhaustive):
    """Judges all subsets on all rows, and remembers what it has seen."""

    def __init__(self) -> None:
        self.loss_of: dict[int, float] = {}

    def decide(self, contest: Contest, evaluator: LossSource, rng: np.random.Generator) -> Outcome:
        outcome = super().decide(contest, evaluator, rng)
        sizes = map(len, contest.candidates)
        self.loss_of.update(zip(sizes, outcome.losses.tolist(), strict=True))
        return outcome

    def tell(self, size: int, n_best: int, n_tried: int) -> str:
        """Say what the learner's cut means for the last of so many variables."""
        if size > n_tried:
            return f"not among the {n_tried} that the learner was to choose from"
        if n_best not in self.loss_of:
            return f"the search was cut short, with the first {n_best}"
        why = f"the loss is lowest with the first {n_best}"
        if size <= n_best or size not in self.loss_of:
            return why
        more = self.loss_of[size] - self.loss_of[n_best]
        return f"{why}, by {more:.3g}" if more > 0 else f"{why}, and not lower with this one"
