"""The four races, by the rule that ends them for a candidate."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from thresher.kernels.races import first_exit
from thresher.stats import Standing, Tally, blocked, friedman, hoeffding, welch

from ._fields import BoundedFields, FieldStatistics, PairedFields, SplitFields
from ._judge import LossSource, scale_of
from ._pairs import PairSource
from ._racing import Racing, units_of
from ._schema import SchemaContest
from ._subsamples import Subsamples

__all__ = ["Brace", "Friedman", "Hoeffding", "Race"]

FloatArray = NDArray[np.float64]


class Brace(Racing):
    """Race by paired differences (BRACE): hard rows are hard for all, and cancel out.

    Parameters
    ----------
    delta, gamma, min_rows, corrected, finite, subsamples
        See `Racing`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from thresher.evaluators import evaluator_for
    >>> from thresher.races import Brace, Contest
    >>> evaluator = evaluator_for(KNeighborsClassifier(), *load_iris(return_X_y=True), cv="loo")
    >>> contest = Contest([frozenset({0}), frozenset({1}), frozenset({2, 3})])
    >>> outcome = Brace().decide(contest, evaluator, np.random.default_rng(0))
    >>> sorted(outcome.best), evaluator.n_losses < 200
    ([2, 3], True)
    """

    def standing(self, tally: Tally, delta: float, span: float | None) -> Standing:
        """Compare paired differences with the leader."""
        return blocked(tally, delta=delta, gamma=self.gamma)

    def skip(self, tally: Tally, coming: FloatArray, levels: FloatArray) -> tuple[int, bool]:
        """Run ahead to the first row after which a t statistic is large enough."""
        # what a step between losses is, must be seen anew at certain rows
        n_ahead = min(len(coming), tally.grain_until - 1 - tally.n)
        if n_ahead < 1:
            return 1, True
        n = tally.n + 1 + np.arange(n_ahead)
        critical = stdtrit(n[:, None] - 1.0, 1.0 - levels[:n_ahead])
        left = np.ones(n_ahead) if tally.n_rows is None else 1.0 - n / tally.n_rows
        n_entered, look = first_exit(
            tally.history,
            np.ascontiguousarray(coming[:n_ahead]),
            critical**2,
            int(np.ceil(-np.log2(levels.max()))),
            self.gamma,
            left,
            tally.grain() ** 2,
        )
        if not look and n_ahead < len(coming):
            return n_entered + 1, True
        return n_entered, look

    def fields(
        self, contest: SchemaContest, source: LossSource, rng: np.random.Generator
    ) -> FieldStatistics:
        """Compare mirror images on the same row, and use again what is known."""
        pairs = PairSource(contest.schema, contest.draws, units_of(source), rng)
        return PairedFields(pairs, len(contest.schema.open))


class Race(Racing):
    """Race by means and variances of each candidate's own losses (RACE).

    Parameters
    ----------
    delta, gamma, min_rows, corrected, finite, subsamples
        See `Racing`.
    """

    def standing(self, tally: Tally, delta: float, span: float | None) -> Standing:
        """Compare means with the leader's by Welch's approximation."""
        return welch(tally, delta=delta, gamma=self.gamma)

    def fields(
        self, contest: SchemaContest, source: LossSource, rng: np.random.Generator
    ) -> FieldStatistics:
        """Compare losses of independent draws, as in the paper."""
        schema = contest.schema
        return SplitFields(units_of(source), len(schema.open), rng, no_empty=not schema.on)


class Hoeffding(Racing):
    """Race by Hoeffding's bound: safe for any bounded losses, and slow.

    Parameters
    ----------
    delta, gamma, min_rows, corrected, finite, subsamples
        See `Racing`.
    span : float, optional
        Largest possible difference between two losses, where they do not tell themselves.
    """

    def __init__(
        self,
        delta: float = 0.001,
        gamma: float = 0.001,
        min_rows: int | None = None,
        *,
        corrected: bool = False,
        finite: bool = True,
        subsamples: Subsamples | None = None,
        span: float | None = None,
    ):
        super().__init__(
            delta, gamma, min_rows, corrected=corrected, finite=finite, subsamples=subsamples
        )
        self.span = span

    def span_of(self, source: LossSource) -> float | None:
        """What was given, or what the losses tell themselves."""
        return self.span or source.loss_span

    def check(self, source: LossSource) -> None:
        """Refuse losses without a known range, too."""
        super().check(source)
        if self.span is not None and not self.span > 0:
            raise ValueError(f"span must be positive; got {self.span!r}")
        if self.span is None and source.loss_span is None:
            raise ValueError(
                "a Hoeffding race needs losses that are bounded, and these are not known to be: "
                "give span, the largest possible difference between two of them, or use "
                "another race"
            )

    def standing(self, tally: Tally, delta: float, span: float | None) -> Standing:
        """Compare intervals with the leader's."""
        return hoeffding(tally, delta=delta, gamma=self.gamma, span=span)

    def fields(
        self, contest: SchemaContest, source: LossSource, rng: np.random.Generator
    ) -> FieldStatistics:
        """Bound the means of independent draws."""
        schema, span = contest.schema, self.span_of(source) or np.inf
        scale = scale_of(source)
        if scale is not None and source.parts is None:
            span *= float(scale.max())
        return BoundedFields(
            units_of(source), len(schema.open), rng, no_empty=not schema.on, span=span
        )


class Friedman(Racing):
    """Race by ranks within rows (F-race).

    Parameters
    ----------
    delta : float, default=0.01
        Level of Friedman's test, and of what follows it.
    gamma
        Not used by this rule.
    min_rows, corrected, finite, subsamples
        See `Racing`; ranks know no finite number of rows.
    posthoc : {"conover", "worst"}, default="conover"
        Who leaves when not all are alike; see `thresher.stats.friedman`.
    """

    def __init__(
        self,
        delta: float = 0.01,
        gamma: float = 0.0,
        min_rows: int | None = None,
        *,
        corrected: bool = False,
        finite: bool = True,
        subsamples: Subsamples | None = None,
        posthoc: Literal["conover", "worst"] = "conover",
    ):
        super().__init__(
            delta, gamma, min_rows, corrected=corrected, finite=finite, subsamples=subsamples
        )
        self.posthoc = posthoc

    def standing(self, tally: Tally, delta: float, span: float | None) -> Standing:
        """Test ranks within rows."""
        return friedman(tally, delta=delta, gamma=self.gamma, posthoc=self.posthoc)
