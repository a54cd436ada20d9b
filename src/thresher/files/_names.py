"""Column names: empty ones, repeated ones, and help for one that is not there."""

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from ._source import Source
from ._table import TableError

__all__ = ["column_names", "shown", "unknown_column"]

_LISTED = 8
_LONGEST = 60


def column_names(names: Iterable[str], source: Source) -> list[str]:
    """Return usable names, or raise for repeated ones.

    A column without a name (an index that pandas wrote, say) is called ``unnamed_<position>``,
    counted from 0: it stays, because nothing tells an index from a feature, and can be dropped by
    that name.
    """
    usable = [name or f"unnamed_{position}" for position, name in enumerate(names)]
    repeated = [name for name, times in Counter(usable).items() if times > 1]
    if repeated:
        places = [str(i) for i, name in enumerate(usable, start=1) if name == repeated[0]]
        more = f"; also repeated: {_listing(repeated[1:])}" if len(repeated) > 1 else ""
        raise source.error(
            f"duplicate column name {shown(repeated[0])} (columns {', '.join(places[:_LISTED])})"
            + more
        )
    return usable


def unknown_column(role: str, name: str, columns: Sequence[str], source: Source) -> TableError:
    """Return the error for a ``name`` that is not among the columns, with the closest ones."""
    folded: dict[str, str] = {}
    for column in columns:
        folded.setdefault(column.casefold(), column)
    wanted = str(name).strip().casefold()
    close = [folded[match] for match in get_close_matches(wanted, folded, n=3)]
    hint = f"; did you mean {' or '.join(shown(match) for match in close)}?" if close else "."
    return source.error(f"no {role} column {shown(name)}{hint} The columns are {_listing(columns)}")


def shown(name: str) -> str:
    r"""Quote a name for a message: one line whatever it holds, and not too long.

    Examples
    --------
    >>> print(shown("two" + chr(10) + "lines"))
    'two\nlines'
    """
    quoted = repr(name)
    return quoted if len(quoted) <= _LONGEST else f"{quoted[: _LONGEST - 4]}...'"


def _listing(names: Sequence[str]) -> str:
    listed = ", ".join(shown(name) for name in names[:_LISTED])
    return listed if len(names) <= _LISTED else f"{listed}, ... ({len(names)} in all)"
