"""What all wrapper selectors share: a search around an estimator."""

from typing import Any, Literal

from sklearn.base import MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter

from thresher import races
from thresher.columns import Columns
from thresher.evaluators import Evaluator, check_estimator, evaluator_for

from ._callbacks import with_callbacks
from ._names import resolve
from ._parameters import check_parameters
from ._routing import fit_router, routed
from ._searching import SearchingSelector

__all__ = ["BaseWrapper"]


class BaseWrapper(MetaEstimatorMixin, SearchingSelector):  # type: ignore[misc]
    """A search over subsets around an estimator; subclasses say which strategy."""

    estimator: Any
    cv: Any
    loss: str | None
    scoring: Any
    judge: Any
    encode: bool
    on_error: Literal["raise", "skip"]
    timeout: float | None

    def _learner(self, y: Any = None) -> Any:
        """Return the estimator whose loss counts."""
        return self.estimator

    def _judge(self) -> races.Judge:
        judge: races.Judge = resolve(self.judge, races.Judge, races, "judge")
        return judge

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any = None, **params: Any) -> Any:
        """Search for the best subset of the columns.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_rows, n_columns)
            The inputs. Data frames may hold whatever the estimator accepts; dates and durations
            reach it as seconds.
        y : array-like of shape (n_rows,)
            The target.
        **params : arrays of shape (n_rows,)
            ``sample_weight``: used in fitting and in the mean of per-row losses (a scorer does not
            see it); ``groups``: rows that the splitter keeps together. With scikit-learn's metadata
            routing switched on, the estimator and the splitter must have asked for them.

        Returns
        -------
        self
        """
        check_estimator(self._learner(y))
        check_parameters(self.get_params(deep=False))
        return self._search(X, y, **routed(self, params))

    def _evaluator(
        self,
        columns: Columns,
        y: Any,
        seed: int,
        sample_weight: Any = None,
        groups: Any = None,
    ) -> Evaluator:
        return evaluator_for(
            self._learner(y),
            columns,
            y,
            cv=self.cv,
            loss=self.loss,
            scoring=self.scoring,
            sample_weight=sample_weight,
            groups=groups,
            encode=self.encode,
            n_jobs=self.n_jobs,
            random_state=seed,
            on_error=self.on_error,
            timeout=self.timeout,
        )

    def get_metadata_routing(self) -> MetadataRouter:
        """Tell scikit-learn that weights go to the estimator and groups to the splitter."""
        return fit_router(self, self._learner())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._learner()).input_tags
        tags.input_tags.allow_nan = self.encode or inner.allow_nan
        tags.input_tags.categorical = self.encode or inner.categorical
        tags.input_tags.string = self.encode or inner.string
        tags.input_tags.sparse = inner.sparse
        return tags
