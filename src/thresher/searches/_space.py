"""The space of subsets that a strategy moves in."""

from collections.abc import Iterable

from thresher.evaluators import Flips, Subset

__all__ = ["Space"]


class Space:
    """Subsets of ``n_variables`` variables that hold all the required ones.

    Parameters
    ----------
    n_variables : int
        Variables are 0 .. n_variables - 1.
    required : iterable of int
        Variables in every subset.

    Examples
    --------
    >>> space = Space(3, required={2})
    >>> sorted(space.empty), sorted(space.full)
    ([2], [0, 1, 2])
    >>> [sorted(subset) for subset in space.supersets(space.empty)]
    [[0, 2], [1, 2]]
    """

    def __init__(self, n_variables: int, required: Iterable[int] = ()):
        self.n_variables = n_variables
        self.required: Subset = frozenset(required)
        if not self.required <= frozenset(range(n_variables)):
            raise ValueError(f"required must lie in 0 .. {n_variables - 1}")

    @property
    def empty(self) -> Subset:
        """The smallest subset: nothing but what is required."""
        return self.required

    @property
    def full(self) -> Subset:
        """The largest subset: everything."""
        return frozenset(range(self.n_variables))

    def supersets(self, subset: Subset) -> Flips:
        """Subsets with one variable more, in the order of the variables."""
        return Flips(subset, [v for v in range(self.n_variables) if v not in subset])

    def subsets(self, subset: Subset) -> Flips:
        """Subsets with one variable less, in the order of the variables."""
        return Flips(subset, sorted(subset - self.required))

    def neighbours(self, subset: Subset) -> Flips:
        """Subsets with one variable more or less."""
        return Flips(subset, [v for v in range(self.n_variables) if v not in self.required])
