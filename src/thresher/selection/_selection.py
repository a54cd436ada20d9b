"""The record that every selector leaves, with its forms on disk, as a table and as text."""

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw

from thresher._version import __version__

from ._notebook import as_html
from ._reading import check_content, read_json
from ._text import printable, without_nan
from ._validation import Stability, Validation
from ._verdict import Cost, Verdict

__all__ = ["Selection"]

SCHEMA = "thresher.selection"
SCHEMA_VERSION = 1

_REPR_ROWS = 10
_REPR_WIDTH = 60


@dataclass(frozen=True)
class Selection:
    """Which columns matter, with the evidence.

    Parameters
    ----------
    selected : tuple of str
        Names of the selected columns, best first.
    verdicts : tuple of Verdict
        One for each input column, in input order.
    trace : tuple of dict
        What happened at each step.
    cost : Cost
        Evaluations, losses and seconds.
    method : str
        Which selector this is from.
    settings : mapping
        Its parameters, as text.
    versions : mapping
        Versions of the libraries behind the result.
    explanation : str
        Why this method, where it was chosen for the user.
    validation : Validation, optional
        Losses on rows held out from the whole selection; see `thresher.select`.
    stability : Stability, optional
        How often each column is chosen on parts of the rows; see `thresher.select`.
    failures : tuple of dict
        Fits that failed and were passed over, as ``on_error="skip"`` asks for: the ``subset`` in
        words, and the ``error``.

    Examples
    --------
    >>> verdicts = (Verdict("age", "relevant", 0.4), Verdict("id", "irrelevant"))
    >>> selection = Selection(("age",), verdicts)
    >>> selection
    Selection: 1 of 2 columns
      column  verdict     score  reason
      age     relevant    0.4
      id      irrelevant
    >>> selection.to_dict()["verdicts"][1]["kind"]
    'irrelevant'
    """

    selected: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    trace: tuple[Mapping[str, Any], ...] = ()
    cost: Cost = field(default_factory=Cost)
    method: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    explanation: str = ""
    validation: Validation | None = None
    stability: Stability | None = None
    failures: tuple[Mapping[str, Any], ...] = ()

    def __post_init__(self) -> None:
        chosen = {verdict.name for verdict in self.verdicts if verdict.kind == "relevant"}
        if chosen != set(self.selected) or len(chosen) != len(self.selected):
            raise ValueError("selected must name exactly the columns whose verdict is 'relevant'")

    @property
    def positions(self) -> tuple[int, ...]:
        """Where the selected columns stand in the table, best first: ``X[:, positions]``."""
        place = {verdict.name: position for position, verdict in enumerate(self.verdicts)}
        return tuple(place[name] for name in self.selected)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists, strings and numbers."""
        plain: dict[str, Any] = without_nan(asdict(self))
        return {"schema": SCHEMA, "schema_version": SCHEMA_VERSION, **plain}

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the verdicts as a data frame: pandas, polars or pyarrow, whichever is there.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Which library to use; by default the first that can be imported.
        """
        rows = {
            f.name: [getattr(verdict, f.name) for verdict in self.verdicts] for f in fields(Verdict)
        }
        library: Any = backend or _first_backend()
        whole: Any = nw.Int64
        if library == "pandas":  # which has no plain type for integers with gaps
            whole = nw.Float64
            rows["step"] = [None if step is None else float(step) for step in rows["step"]]
        text: Any = nw.String
        number: Any = nw.Float64
        types = (text, text, number, number, text, whole, text)
        frame = nw.from_dict(rows, dict(zip(rows, types, strict=True)), backend=library)
        return frame.to_native()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the selection to a JSON file, whole or not at all."""
        _write_whole(path, json.dumps(self.to_dict(), indent=1, allow_nan=False))

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write a page about the selection: one HTML file that opens anywhere, offline.

        Needs jinja2 (``pip install 'thresher[cli]'``).
        """
        from thresher.report import render_page

        _write_whole(path, render_page(self.to_dict()))

    def plot(self, which: str = "all", *, n_columns: int = 20, ax: Any = None) -> Any:
        """Draw the selection with matplotlib (``pip install 'thresher[plot]'``).

        Parameters
        ----------
        which : {"all", "importances", "trace", "masking"}, default="all"
            What to draw; "all" is what there is of the three, side by side.
        n_columns : int, default=20
            At most so many columns in a picture.
        ax : matplotlib.axes.Axes, optional
            Where to draw a single picture.

        Returns
        -------
        matplotlib.figure.Figure
        """
        from thresher.report import plot

        return plot(self.to_dict(), which, n_columns=n_columns, ax=ax)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Selection":
        """Read a selection that `save` has written.

        A file from a stranger can be wrong, which a ValueError tells, but it cannot do anything.
        """
        content = read_json(path)
        try:
            return cls.from_dict(content)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path}: {error}") from error

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "Selection":
        """Rebuild a selection from what `to_dict` returns."""
        if not isinstance(content, Mapping) or content.get("schema") != SCHEMA:
            raise ValueError(f"not a selection: no schema {SCHEMA!r}")
        version = content.get("schema_version")
        if version != SCHEMA_VERSION:
            raise ValueError(
                f"written in schema version {version!r}; this is thresher {__version__}, which "
                f"reads version {SCHEMA_VERSION}"
            )
        absent = sorted(_ALWAYS_THERE - set(content))
        if absent:
            raise ValueError(f"the selection lacks {', '.join(absent)}")
        check_content(content)
        return cls(
            selected=tuple(content["selected"]),
            verdicts=tuple(Verdict(**verdict) for verdict in content["verdicts"]),
            trace=tuple(content["trace"]),
            cost=Cost(**content["cost"]),
            method=content["method"],
            settings=content["settings"],
            versions=content["versions"],
            explanation=content.get("explanation", ""),
            validation=_rebuilt(Validation, content.get("validation")),
            stability=_rebuilt(Stability, content.get("stability")),
            failures=tuple(content.get("failures", ())),
        )

    def __repr__(self) -> str:
        by = f" by {printable(self.method, _REPR_WIDTH)}" if self.method else ""
        head = f"Selection: {len(self.selected)} of {len(self.verdicts)} columns{by}"
        ranked = self.ranked()
        cells = [("column", "verdict", "score", "reason")]
        cells += [
            (printable(v.name, _REPR_WIDTH), v.kind, _number(v.score), printable(v.reason))
            for v in ranked[:_REPR_ROWS]
        ]
        widths = [max(len(row[c]) for row in cells) for c in range(4)]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            for row in cells
        ]
        if len(ranked) > _REPR_ROWS:
            lines.append(f"... and {len(ranked) - _REPR_ROWS} more columns")
        return "\n".join([head, *("  " + line.rstrip() for line in lines)])

    def _repr_html_(self) -> str:
        return as_html(self)

    def ranked(self) -> list[Verdict]:
        """Verdicts with the selected columns first, in their order, then the others by score."""
        place = {name: k for k, name in enumerate(self.selected)}
        return sorted(
            self.verdicts,
            key=lambda v: (
                place.get(v.name, len(place)),
                -(v.score if v.score is not None else -1e300),
            ),
        )


#: What every file holds; the rest came later.
_ALWAYS_THERE = {f.name for f in fields(Selection)} - {
    "explanation",
    "validation",
    "stability",
    "failures",
}


def _rebuilt(kind: Any, content: Mapping[str, Any] | None) -> Any:
    return None if content is None else kind.from_dict(content)


def _first_backend() -> str:
    from importlib.util import find_spec

    for name in ("pandas", "polars", "pyarrow"):
        if find_spec(name) is not None:
            return name
    raise ImportError("to_frame needs pandas, polars or pyarrow; to_dict needs none of them")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"


def _write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Write a file whole or not at all; what a link points to, and straight into a device."""
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        target.write_text(text + "\n", encoding="utf-8")
        return
    handle, draft = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text + "\n")
        os.chmod(draft, 0o666 & ~_umask())
        os.replace(draft, target)
    except BaseException:
        os.unlink(draft)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
