"""Every table and figure of the five papers."""

from collections.abc import Mapping

from ._base import Experiment

__all__ = ["PAPERS", "item_name", "items_of", "showing"]

#: The tables and figures that each paper numbers.
PAPERS: dict[str, tuple[str, ...]] = {
    "RVE": (*(f"Table {k}" for k in range(1, 10)), *(f"Figure {k}" for k in range(1, 6))),
    "ACE": (*(f"Table {k}" for k in range(1, 8)), "Figure 1", "Figure 2"),
    "Racing": ("Table 1", "Table 2", "Figure 1", "Figure 2", "Figure 3"),
    "RACSAM": ("Table 1", "Table 2"),
    "OBLIVION": tuple(f"Figure 2.{k}" for k in range(1, 7)),
}


def item_name(item: str) -> str:
    """Return how an item is called on the command line.

    Examples
    --------
    >>> item_name("OBLIVION Figure 2.4")
    'oblivion-figure2-4'
    """
    paper, label, number = item.split()
    return f"{paper}-{label}{number}".lower().replace(".", "-")


def items_of() -> list[str]:
    """Return every item, such as "RVE Table 4"."""
    return [f"{paper} {label}" for paper, labels in PAPERS.items() for label in labels]


def showing(experiments: Mapping[str, Experiment]) -> dict[str, str]:
    """Return the experiment that shows each item, by the item's name on the command line."""
    return {item_name(item): each.name for each in experiments.values() for item in each.shows}
