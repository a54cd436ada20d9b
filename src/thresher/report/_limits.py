"""How much goes into a page, so that it stays small whatever the table."""

from dataclasses import dataclass

__all__ = ["LARGEST_PAGE", "LIMITS", "Limits"]

#: Bytes; a page is rendered with the next stricter limits until it is smaller.
LARGEST_PAGE = 2_900_000


@dataclass(frozen=True)
class Limits:
    """At most so much of each.

    Parameters
    ----------
    table_bytes : int
        For the data of the verdict table.
    label, title, reason : int
        Characters of a name, of a name in full, and of a reason.
    static_rows : int
        Rows of the table that need no script.
    selected, clusters, members : int
        Selected columns in the head; groups of columns, and columns in each.
    matrix : int
        Rows of the heat map.
    sizes : int
        Rows of the table of sizes.
    """

    table_bytes: int
    label: int
    title: int
    reason: int
    static_rows: int = 200
    selected: int = 24
    clusters: int = 30
    members: int = 16
    matrix: int = 40
    sizes: int = 200


#: The first suits any table but one with very long or hostile names.
LIMITS = (
    Limits(table_bytes=2_200_000, label=160, title=10_000, reason=400),
    Limits(table_bytes=1_500_000, label=120, title=500, reason=250),
    Limits(
        table_bytes=800_000, label=60, title=120, reason=100, static_rows=100, matrix=20, sizes=50
    ),
)
