"""The words of an ARFF line."""

import re
from typing import NamedTuple

__all__ = ["Token", "plain_cells", "tokens"]

_TOKEN = re.compile(
    r"""\s*(?:
        '(?P<single>(?:[^'\\]|\\.)*)'
      | "(?P<double>(?:[^"\\]|\\.)*)"
      | (?P<comment>%.*)
      | (?P<mark>[{},])
      | (?P<word>[^\s,{}'"%][^\s,{}]*)
    )""",
    re.VERBOSE | re.DOTALL,
)
_PLAIN = re.compile(r"""\s*[^\s,{}'"%]+\s*(?:,\s*[^\s,{}'"%]+\s*)*""")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_CONTROL = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


class Token(NamedTuple):
    """A word, a quoted text, or one of the marks ``{``, ``}`` and ``,``."""

    text: str
    kind: str

    def is_mark(self, mark: str) -> bool:
        """Tell whether this is the given mark, outside quotes."""
        return self.kind == "mark" and self.text == mark

    @property
    def value(self) -> str | None:
        """The text as a cell: None for a question mark outside quotes."""
        return None if self.text == "?" and self.kind == "word" else self.text


def tokens(line: str) -> list[Token]:
    """Cut a line into tokens; a percent sign at the beginning of a word starts a comment.

    Raises
    ------
    ValueError
        If a quote is not closed, or an escape gives no character.

    Examples
    --------
    >>> [token.value for token in tokens("'it''s', 50%, ?, '?' % remark")]
    ['it', 's', ',', '50%', ',', None, ',', '?']
    """
    found = []
    end = len(line.rstrip())
    place = 0
    while place < end:
        match = _TOKEN.match(line, place, end)
        if match is None:
            raise ValueError(f"a quote is not closed: {line[place:end].strip()[:40]}")
        place = match.end()
        kind = str(match.lastgroup)
        if kind in ("single", "double"):
            found.append(Token(_unescaped(match[kind]), "quoted"))
        elif kind != "comment":
            found.append(Token(match[kind], kind))
    return found


def plain_cells(line: str) -> list[str | None] | None:
    """Return the cells of a row that needs no tokens, the common and quick case; else None."""
    if not _PLAIN.fullmatch(line):
        return None
    return [None if cell == "?" else cell for cell in map(str.strip, line.split(","))]


def _unescaped(text: str) -> str:
    plain = _ESCAPE.sub(_character, text)
    if "\\u" not in text:
        return plain
    try:  # Java writes characters beyond 16 bits as two escapes
        return plain.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise ValueError("half of a surrogate pair, which is no character") from None


def _character(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _CONTROL.get(code, code)
