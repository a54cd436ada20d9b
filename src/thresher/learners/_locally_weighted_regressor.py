"""Locally weighted regression: a plane fitted anew around each point to predict."""

from thresher.kernels.local import Rule

from ._memory_based import MemoryBasedRegressor, checked_number, scale_of

__all__ = ["LocallyWeightedRegressor"]


class LocallyWeightedRegressor(MemoryBasedRegressor):
    """Predicts by a linear regression in which near training rows count more.

    A training row at Euclidean distance d has the weight exp(-d^2 / (2 width^2)) [1]_. Columns
    should be on one scale.

    Parameters
    ----------
    width : float, default=0.25
        Standard deviation of the Gaussian kernel, any number above 0. Where only the nearest row
        has a weight, its target is predicted.
    ridge : float, default=0.001
        What is added to the local variance of each column, as a share of their mean: it keeps
        slopes small where rows near by do not determine them. The intercept is not penalised. With
        0, columns that earlier columns explain locally get no slope.

    Attributes
    ----------
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, if the table had any.

    See Also
    --------
    KernelRegressor : Takes a mean with these weights instead of fitting a plane.

    References
    ----------
    .. [1] A. W. Moore and M. S. Lee, "Efficient algorithms for minimizing cross validation error",
       Proceedings of the 11th International Conference on Machine Learning, 1994.

    Examples
    --------
    >>> from thresher.learners import LocallyWeightedRegressor
    >>> X, y = [[0.0], [1.0], [2.0]], [0.0, 10.0, 20.0]
    >>> model = LocallyWeightedRegressor(width=0.5, ridge=0).fit(X, y)
    >>> model.predict([[0.0], [1.5], [3.0]]).round(6).tolist()
    [0.0, 15.0, 30.0]
    """

    def __init__(self, *, width: float = 0.25, ridge: float = 0.001):
        self.width = width
        self.ridge = ridge

    def make_rule(self) -> Rule:
        """Return the parameters as kernels take them; a ValueError names a wrong one."""
        ridge = checked_number("ridge", self.ridge, zero=True)
        return Rule(scale=scale_of(self.width), linear=True, ridge=ridge)
