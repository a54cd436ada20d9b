"""The pocket perceptron: plain steps, and a memory of the best weights on the way."""

from typing import Any

from thresher.kernels.perceptron import Rule

from ._perceptron import PerceptronClassifier, checked_count, checked_switch

__all__ = ["PocketPerceptron"]


class PocketPerceptron(PerceptronClassifier):
    """Perceptron that keeps the weights with the longest run of rows classified correctly.

    Rows are drawn at random, with replacement. A misclassified row is added to the weights, or
    subtracted from them. Weights with a longer run of correct classifications than those in the
    pocket take their place [1]_.

    Parameters
    ----------
    n_epochs : int, default=500
        As many rows are drawn as there are, times this number.
    ratchet : bool, default=True
        Whether weights must also classify more of the training rows correctly than those in the
        pocket to take their place. Training ends early when they classify all of them correctly.
    random_state : int, RandomState instance or None, default=None
        Source of the draws.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The labels.
    coef_ : array of shape (1, n_columns) or (n_classes, n_columns)
        Weights in units of the columns; one row for two classes.
    intercept_ : array of shape (1,) or (n_classes,)
        What is added to the weighted sums.
    n_iter_ : int
        The number of epochs.
    n_updates_ : int
        Cost of training, counted as (epochs) x (rows) x (columns + 1), for each row of ``coef_``.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, if the table had any.

    See Also
    --------
    ThermalPerceptron : Anneals instead, which usually gets nearer to the best plane.

    Notes
    -----
    Columns are centred and divided by two standard deviations, which suits 0/1 columns as well as
    any other scale. With more than two classes, each is learned against all others, and weights are
    divided by their length before their sums are compared.

    References
    ----------
    .. [1] S. I. Gallant, "Perceptron-based learning algorithms", IEEE Transactions on Neural
       Networks 1, 1990.

    Examples
    --------
    >>> from thresher.datasets import make_seven_of_ten
    >>> from thresher.learners import PocketPerceptron
    >>> data = make_seven_of_ten(n_rows=2000, n_features=30, random_state=0)
    >>> model = PocketPerceptron(random_state=0).fit(data.X[:1000], data.y[:1000])
    >>> model.score(data.X[1000:], data.y[1000:]) > 0.98
    True
    """

    def __init__(self, *, n_epochs: int = 500, ratchet: bool = True, random_state: Any = None):
        self.n_epochs = n_epochs
        self.ratchet = ratchet
        self.random_state = random_state

    def make_rule(self) -> Rule:
        """Return the parameters as kernels take them; a ValueError names a wrong one."""
        return Rule(
            pocket=True,
            n_epochs=checked_count("n_epochs", self.n_epochs),
            ratchet=checked_switch("ratchet", self.ratchet),
        )
