"""Numbers, names and losses in words; nothing here knows about HTML."""

import ast
import math
import re
from collections.abc import Mapping
from typing import Any

__all__ = [
    "as_number",
    "counted",
    "cut",
    "duration",
    "figure",
    "listed",
    "loss_words",
    "p_figure",
    "p_relation",
    "percent",
    "setting",
    "shown",
    "visible",
]

_LOSSES = {
    "zero_one": "share of rows predicted wrongly",
    "log": "log loss",
    "brier": "Brier score",
    "absolute": "mean absolute error",
    "squared": "mean squared error",
}
#: Below this a number reads better with an exponent; the script of the page does the same.
_SMALL = 1e-4
#: Smaller p-values are extrapolations; the script has the same bound.
_SMALLEST_P = 1e-16
#: Beyond this the difference of two numbers may not be finite.
_LARGEST = 1e300


def as_number(value: Any) -> float | None:
    """The value as a float, or None where there is none (JSON has null for NaN)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = float(value)
    return number if abs(number) < _LARGEST else None


def visible(text: str) -> str:
    r"""Show control characters, direction overrides and odd spaces as escapes.

    Examples
    --------
    >>> print(visible("a\nb"))
    a\nb
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def cut(text: str, width: int) -> str:
    """Keep at most ``width`` characters, the last of them an ellipsis if any were lost."""
    return text if len(text) <= width else f"{text[: width - 1]}\N{HORIZONTAL ELLIPSIS}"


def shown(text: str, width: int) -> str:
    """Make visible what a text holds, as far as there is room; the text may be very long."""
    return cut(visible(text[: width + 1]), width)


def figure(value: float | None, digits: int = 3) -> str:
    """Write a number to so many significant digits, with a real minus sign.

    Examples
    --------
    >>> figure(12345.6), figure(0.012345), figure(2.1e-20), figure(None)
    ('12,346', '0.0123', '2.1e-20', '')
    """
    if value is None:
        return ""
    size = abs(value)
    if size >= 1e9:
        text = f"{size:.{digits - 1}e}"
    elif size >= 999.5:
        text = f"{size:,.0f}"
    elif 0 < size < _SMALL:
        text = f"{size:.{digits - 1}e}"
    else:
        text = f"{size:.{digits}g}"
    if "e" in text:
        text = re.sub(r"\.?0*e([+-])0*", lambda m: f"e{m[1].replace('+', '')}", text)
    return f"\N{MINUS SIGN}{text}" if value < 0 and text.strip("0.") else text


def p_figure(value: float | None) -> str:
    """Write a p-value; one that is smaller than any test could tell is only bounded.

    Examples
    --------
    >>> p_figure(0.0123), p_figure(9.9e-305)
    ('0.012', '< 1e-16')
    """
    return "< 1e-16" if value is not None and value < _SMALLEST_P else figure(value, 2)


def p_relation(value: float) -> str:
    """Write what stands after the letter p: "= 0.012" or "< 1e-16"."""
    text = p_figure(value)
    return text if text.startswith("<") else f"= {text}"


def percent(share: float) -> str:
    """Write a share in percent, without decimals unless it is small.

    Examples
    --------
    >>> percent(0.632), percent(0.004)
    ('63 %', '0.4 %')
    """
    hundred = 100 * share
    return f"{hundred:.1f} %" if 0 < hundred < 1 else f"{math.floor(hundred + 0.5)} %"


def counted(number: int, noun: str) -> str:
    """Write a number with its noun, which takes an s unless there is one.

    Examples
    --------
    >>> counted(1, "column"), counted(5000, "column")
    ('1 column', '5,000 columns')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(words: list[str]) -> str:
    """Join words as a sentence does: "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def duration(seconds: float) -> str:
    """Write a time in the unit that suits it.

    Examples
    --------
    >>> duration(0.0123), duration(5.451), duration(3725)
    ('12 ms', '5.5 s', '1 h 2 min')
    """
    if seconds < 0.1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 100:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"


def loss_words(name: str | None) -> str:
    """Name a loss as a reader would."""
    known = name if isinstance(name, str) else ""  # a file may say anything
    return _LOSSES.get(known, known or "loss")


def setting(content: Mapping[str, Any], name: str) -> Any:
    """A setting as the value that its text stands for, or None where it is not set.

    Settings of several stages have the stage before their name; the first stage counts.
    """
    settings = content.get("settings", {})
    known = (name, *(key for key in settings if str(key).endswith(f".{name}")))
    text = next((settings[key] for key in known if key in settings), None)
    if not isinstance(text, str):
        return text
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
