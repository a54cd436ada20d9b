"""The rows of an ARFF file, dense or sparse, as cells of text."""

from collections.abc import Sequence

from ._arff_attribute import Attribute
from ._arff_tokens import Token, plain_cells, tokens
from ._names import shown

__all__ = ["RowParser"]


class RowParser:
    """Turns lines into one cell per attribute; None is a missing value.

    Parameters
    ----------
    attributes : sequence of Attribute
        What the header declares.

    Examples
    --------
    >>> parser = RowParser([Attribute("size", "numeric"), Attribute("kind", "nominal", ("a", "b"))])
    >>> parser.cells("?, b % remark"), parser.cells("{0 2.5}"), parser.cells("% remark")
    ([None, 'b'], ['2.5', 'a'], None)
    """

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self.zeros = [attribute.zero for attribute in attributes]
        # An omitted string means whatever text WEKA met first, which no reader should rely on.
        self.strings = {
            place: attribute.name
            for place, attribute in enumerate(attributes)
            if attribute.kind == "string"
        }

    def cells(self, line: str) -> list[str | None] | None:
        """Return the cells of a line, None if it holds none; raise ValueError for a broken row."""
        cells = plain_cells(line)
        if cells is None:
            found = tokens(line)
            if not found:
                return None
            if found[0].is_mark("{"):
                return self._sparse(found)
            cells = _dense(found)
        if len(cells) != len(self.zeros):
            raise ValueError(f"{len(cells)} values, but {len(self.zeros)} attributes are declared")
        return cells

    def _sparse(self, found: list[Token]) -> list[str | None]:
        """Return all cells of a row that is written as ``{index value, index value, ...}``."""
        cells = list(self.zeros)
        given: set[int] = set()
        for index, value in _pairs(found):
            place = int(index.text) if index.text.isdecimal() else -1
            if not 0 <= place < len(cells):
                raise ValueError(f"{shown(index.text)} is no index from 0 to {len(cells) - 1}")
            if place in given:
                raise ValueError(f"index {place} is given twice")
            given.add(place)
            cells[place] = value.value
        for place, name in self.strings.items():
            if place not in given:
                raise ValueError(f"a sparse row must not omit the string attribute {shown(name)}")
        return cells


def _dense(found: list[Token]) -> list[str | None]:
    """Return the cells of a row; as in WEKA, white space separates them as commas do."""
    cells: list[str | None] = []
    value_due = True
    for token in found:
        if token.kind != "mark":
            cells.append(token.value)
            value_due = False
        elif token.text != ",":
            raise ValueError(_behind(token))
        elif value_due:
            raise ValueError("an empty value; a missing one is written ?")
        else:
            value_due = True
    if value_due:
        raise ValueError("an empty value at the end; a missing one is written ?")
    return cells


def _pairs(found: list[Token]) -> list[tuple[Token, Token]]:
    close = next((place for place, token in enumerate(found) if token.is_mark("}")), None)
    if close is None:
        raise ValueError("a sparse row must end with }")
    if close + 1 < len(found):
        raise ValueError(_behind(found[-1]))
    inner = [token for token in found[1:close] if not token.is_mark(",")]
    if len(inner) % 2 or any(token.kind == "mark" for token in inner):
        raise ValueError("a sparse row must be pairs of an index and a value")
    return list(zip(inner[::2], inner[1::2], strict=True))


def _behind(token: Token) -> str:
    if token.is_mark("{") or token.is_mark("}"):
        return "braces behind the values: instance weights are not supported, remove them"
    return f"unexpected {shown(token.text)} behind the row"
