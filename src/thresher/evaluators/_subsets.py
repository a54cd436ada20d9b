"""Subsets of variables, and families of subsets that differ from one by a few variables."""

from collections.abc import Iterable, Sequence
from typing import overload

__all__ = ["Flips", "Removals", "Subset", "changes", "some_of"]

Subset = frozenset[int]
"""A set of variables, by position."""


class Flips(Sequence[Subset]):
    """The subsets reached from ``base`` by flipping one of ``variables``: in if out, out if in.

    It behaves as a list of subsets, but remembers where they come from: evaluators update the
    statistics of ``base`` by one variable instead of starting anew for each subset.

    Parameters
    ----------
    base : frozenset of int
        Where the flips start.
    variables : sequence of int
        One subset for each of them, in this order.

    Examples
    --------
    >>> flips = Flips(frozenset({1}), [0, 1])
    >>> [sorted(subset) for subset in flips]
    [[0, 1], []]
    """

    def __init__(self, base: Subset, variables: Sequence[int]):
        self.base = base
        self.variables = tuple(variables)

    def __len__(self) -> int:
        return len(self.variables)

    @overload
    def __getitem__(self, index: int) -> Subset: ...
    @overload
    def __getitem__(self, index: slice) -> "Flips": ...
    def __getitem__(self, index: int | slice) -> "Subset | Flips":
        if isinstance(index, slice):
            return Flips(self.base, self.variables[index])
        return self.base ^ {self.variables[index]}

    def __repr__(self) -> str:
        return f"Flips(base={sorted(self.base)}, variables={list(self.variables)})"


class Removals(Sequence[Subset]):
    """The subsets left of ``base`` when all the variables of one of several sets are removed.

    Like `Flips` it remembers where the subsets come from.

    Parameters
    ----------
    base : frozenset of int
        What the variables are removed from.
    removed : sequence of frozensets of int
        One subset for each of them, in this order; all of them parts of ``base``.

    Examples
    --------
    >>> removals = Removals(frozenset({0, 1, 2}), [frozenset({0, 2}), frozenset({1})])
    >>> [sorted(subset) for subset in removals]
    [[1], [0, 2]]
    """

    def __init__(self, base: Subset, removed: Sequence[Subset]):
        self.base = base
        self.removed = tuple(removed)
        if not all(some <= base for some in self.removed):
            raise ValueError("only variables of the base can be removed from it")

    def __len__(self) -> int:
        return len(self.removed)

    @overload
    def __getitem__(self, index: int) -> Subset: ...
    @overload
    def __getitem__(self, index: slice) -> "Removals": ...
    def __getitem__(self, index: int | slice) -> "Subset | Removals":
        if isinstance(index, slice):
            return Removals(self.base, self.removed[index])
        return self.base - self.removed[index]

    def __repr__(self) -> str:
        return f"Removals(base={sorted(self.base)}, removed={[sorted(r) for r in self.removed]})"


def changes(before: Subset, after: Subset) -> tuple[Subset, Subset]:
    """Return what came and what went from one subset to another.

    Examples
    --------
    >>> changes(frozenset({1, 2}), frozenset({2, 3}))
    (frozenset({3}), frozenset({1}))
    """
    went = before - after
    if len(before) - len(went) == len(after):
        return frozenset(), went  # no need to look at a large subset a second time
    return after - before, went


def some_of(subsets: Sequence[Subset], places: Iterable[int]) -> Sequence[Subset]:
    """Those of the subsets that stand at some places; flips and removals stay what they are.

    Examples
    --------
    >>> some_of(Flips(frozenset({1}), [0, 1, 2]), [0, 2])
    Flips(base=[1], variables=[0, 2])
    """
    if isinstance(subsets, Flips):
        return Flips(subsets.base, [subsets.variables[k] for k in places])
    if isinstance(subsets, Removals):
        return Removals(subsets.base, [subsets.removed[k] for k in places])
    return [subsets[k] for k in places]
