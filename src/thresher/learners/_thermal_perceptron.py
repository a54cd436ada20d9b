"""The thermal perceptron: steps that get smaller and rarer as a temperature falls."""

import math
from typing import Any

from thresher.kernels.perceptron import Rule

from ._memory_based import checked_number
from ._perceptron import PerceptronClassifier, checked_switch

__all__ = ["ThermalPerceptron"]


class ThermalPerceptron(PerceptronClassifier):
    """Perceptron that gives up, little by little, on rows far on the wrong side.

    Rows are visited one by one. If the weighted sum phi of a row has the wrong sign, the weights
    move towards the row by a step in proportion to T / temperature * exp(-abs(phi) / T) [1]_. As T
    falls from epoch to epoch, only rows near the plane still count, and they count less, so that
    the weights settle whether or not a plane separates the classes.

    Parameters
    ----------
    temperature : float, default=2.0
        T in the first epoch.
    decay : float, default=0.999
        What T is multiplied by after each epoch; between 0 and 1.
    final_temperature : float, default=0.3
        The last epoch is the last one with T not below this; 1897 epochs by default.
    learning_rate : float, default=1.0
        What all steps are multiplied by. Only its ratio to the temperatures matters: small steps
        at the same temperatures end before the weights have settled.
    shuffle : bool, default=True
        Whether each epoch visits the rows in a new random order.
    random_state : int, RandomState instance or None, default=None
        Source of these orders.

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
    PocketPerceptron : Keeps the best weights it came by.

    Notes
    -----
    Columns are centred and divided by two standard deviations, which suits 0/1 columns as well as
    any other scale. Steps are measured against the mean squared length of rows: with a learning
    rate of 1, the first step moves the sum of its own row by 10 or so, as with ten inputs of -1
    and +1, whatever the number of columns. Thus a temperature means the same for all subsets of the
    columns. With more than two classes, each is learned against all others, and weights
    are divided by their length before their sums are compared.

    Rows more than 20 T on the wrong side are passed over, as their steps would be too small to be
    seen. After an epoch without any step, nothing can change any more, and the rest is skipped. The
    counts ``n_iter_`` and ``n_updates_`` include it all the same: they say what the algorithm costs
    as it is published.

    References
    ----------
    .. [1] M. Frean, "A 'thermal' perceptron learning rule", Neural Computation 4, 1992.

    Examples
    --------
    >>> from thresher.datasets import make_seven_of_ten
    >>> from thresher.learners import ThermalPerceptron
    >>> data = make_seven_of_ten(n_rows=2000, n_features=30, random_state=0)
    >>> model = ThermalPerceptron(random_state=0).fit(data.X[:1000], data.y[:1000])
    >>> model.n_iter_, model.n_updates_
    (1897, 58807000)
    >>> model.score(data.X[1000:], data.y[1000:]) > 0.98
    True
    """

    def __init__(
        self,
        *,
        temperature: float = 2.0,
        decay: float = 0.999,
        final_temperature: float = 0.3,
        learning_rate: float = 1.0,
        shuffle: bool = True,
        random_state: Any = None,
    ):
        self.temperature = temperature
        self.decay = decay
        self.final_temperature = final_temperature
        self.learning_rate = learning_rate
        self.shuffle = shuffle
        self.random_state = random_state

    def make_rule(self) -> Rule:
        """Return the parameters as kernels take them; a ValueError names a wrong one."""
        first = checked_number("temperature", self.temperature, zero=False)
        last = checked_number("final_temperature", self.final_temperature, zero=False)
        decay = checked_number("decay", self.decay, zero=False)
        if last > first:
            raise ValueError(
                f"final_temperature must not be above temperature; got {last!r} and {first!r}"
            )
        if decay >= 1.0:
            raise ValueError(f"decay must be a number between 0 and 1; got {self.decay!r}")
        return Rule(
            pocket=False,
            n_epochs=_count_epochs(first, last, decay),
            temperature=first,
            decay=decay,
            learning_rate=checked_number("learning_rate", self.learning_rate, zero=False),
            shuffle=checked_switch("shuffle", self.shuffle),
        )


def _count_epochs(first: float, last: float, decay: float) -> int:
    """Count the temperatures first, first * decay, ... that are not below the last.

    Examples
    --------
    >>> _count_epochs(2.0, 0.3, 0.999), _count_epochs(1.0, 0.25, 0.5)
    (1897, 3)
    """
    n_decays = (math.log(last) - math.log(first)) / math.log(decay)
    return 1 + math.floor(n_decays * (1.0 + 1e-12))  # where it is a whole number but for rounding
