"""Kernel regression: the mean of all training rows, near ones counting more."""

from thresher.kernels.local import Rule

from ._memory_based import MemoryBasedRegressor, scale_of

__all__ = ["KernelRegressor"]


class KernelRegressor(MemoryBasedRegressor):
    """Predicts the weighted mean of the training targets, with weights that fall with distance.

    A training row at Euclidean distance d has the weight exp(-d^2 / (2 width^2)) [1]_. Columns
    should be on one scale.

    Parameters
    ----------
    width : float, default=0.25
        Standard deviation of the Gaussian kernel. Any number above 0 will do: distances are taken
        relative to the nearest row, so that a tiny width means the nearest neighbour (neighbours,
        in equal shares, if several are nearest), and a huge one the mean of all rows.

    Attributes
    ----------
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, if the table had any.

    See Also
    --------
    LocallyWeightedRegressor : Fits a plane with these weights instead of a mean.

    References
    ----------
    .. [1] A. W. Moore and M. S. Lee, "Efficient algorithms for minimizing cross validation error",
       Proceedings of the 11th International Conference on Machine Learning, 1994.

    Examples
    --------
    >>> from thresher.learners import KernelRegressor
    >>> X, y = [[0.0], [1.0], [2.0]], [0.0, 10.0, 20.0]
    >>> model = KernelRegressor(width=0.5).fit(X, y)
    >>> model.predict([[0.0], [1.0], [1.5]]).round(2).tolist()
    [1.2, 10.0, 14.86]
    >>> KernelRegressor(width=1e-9).fit(X, y).predict([[0.5], [1.6]]).tolist()
    [5.0, 20.0]
    """

    def __init__(self, *, width: float = 0.25):
        self.width = width

    def make_rule(self) -> Rule:
        """Return the parameters as kernels take them; a ValueError names a wrong one."""
        return Rule(scale=scale_of(self.width), linear=False, ridge=0.0)
