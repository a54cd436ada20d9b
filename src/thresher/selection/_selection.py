"""The record that every selector leaves, with its forms on disk, as a table and as text."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

import narwhals.stable.v2 as nw

from thresher._version import __version__

from ._as_text import as_text
from ._at import at
from ._notebook import as_html
from ._path import Path
from ._reading import check_content, read_json
from ._text import printable, without_nan
from ._validation import Stability, Validation
from ._verdict import Cost, Verdict
from ._view import GOALS, View, allowed_goals, check_views, with_view
from ._writing import write_whole

__all__ = ["Selection"]

SCHEMA = "thresher.selection"
SCHEMA_VERSION = 2
#: Older files lack what came later, which has defaults.
_READ_VERSIONS = (1, 2)


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
    goal : {"", "predict", "explain", "all-relevant"}
        What the columns are selected for, where the method distinguishes it.
    path : Path, optional
        How well each number of columns that was tried predicts.
    clusters : tuple of tuple of str
        Groups of interchangeable columns, the representative first.
    views : mapping of str to View
        The selection for each goal, for `view`.

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
    goal: str = ""
    path: Path | None = None
    clusters: tuple[tuple[str, ...], ...] = ()
    views: Mapping[str, View] = field(default_factory=dict)

    def __post_init__(self) -> None:
        chosen = {verdict.name for verdict in self.verdicts if verdict.is_selected}
        if chosen != set(self.selected) or len(chosen) != len(self.selected):
            raise ValueError(
                "selected must name exactly the columns whose verdict is 'relevant' or 'supporting'"
            )
        if self.goal not in ("", *GOALS):
            raise ValueError(f"goal must be empty or one of {allowed_goals()}; got {self.goal!r}")
        names = {verdict.name for verdict in self.verdicts}
        if self.path is not None:
            _check_known(self.path.order, names, "path.order")
        for position, cluster in enumerate(self.clusters):
            _check_known(cluster, names, f"clusters[{position}]")
            if len(set(cluster)) < len(cluster):
                raise ValueError(f"clusters[{position}] names a column twice")
        check_views(self.views, self.verdicts)

    @property
    def positions(self) -> tuple[int, ...]:
        """Where the selected columns stand in the table, best first: ``X[:, positions]``."""
        place = {verdict.name: position for position, verdict in enumerate(self.verdicts)}
        return tuple(place[name] for name in self.selected)

    def view(self, goal: str) -> "Selection":
        """Return the selection for another goal, from the same evidence.

        Validation and stability are those of the selection that was made: they are left out where
        the view selects other columns.

        Parameters
        ----------
        goal : {"predict", "explain", "all-relevant"}
            "predict" is the smallest set shown to be enough; "explain" is what is proved to matter,
            without what is redundant given the rest; "all-relevant" is all that is proved to
            matter.

        Returns
        -------
        Selection

        Examples
        --------
        >>> views = {
        ...     "predict": View(("a",), {"b": {"kind": "redundant", "masked_by": "a"}}),
        ...     "all-relevant": View(("a", "b"), {"b": {"kind": "relevant"}}),
        ... }
        >>> verdicts = (Verdict("a", "relevant"), Verdict("b", "redundant", masked_by="a"))
        >>> selection = Selection(("a",), verdicts, goal="predict", views=views)
        >>> selection.view("all-relevant").selected
        ('a', 'b')
        """
        if goal not in GOALS:
            raise ValueError(f"goal must be one of {allowed_goals()}; got {goal!r}")
        if goal not in self.views:
            if goal == self.goal:
                return self
            raise ValueError(self._no_view(goal))
        view = self.views[goal]
        path = self.path
        if path is not None and "predict" in self.views:
            # `at` may have moved the chosen point
            n_chosen = len(self.views["predict"].selected)
            if any(point.n_columns == n_chosen for point in path.points):
                path = replace(path, chosen=n_chosen)
        verdicts = with_view(self.verdicts, view)
        return self._changed(view.selected, verdicts, goal=goal, path=path)

    def _no_view(self, goal: str) -> str:
        if self.views:
            there = ", ".join(map(repr, self.views))
            return f"goal {goal!r}: this selection holds the evidence for {there} only"
        made_for = f" than {self.goal!r}" if self.goal else ""
        return (
            f"goal {goal!r}: this selection by {printable(self.method, 60) or 'an unnamed method'} "
            f"holds no evidence for other goals{made_for}; select anew with goal={goal!r}"
        )

    def at(self, n_features: int | None = None, tolerance: float | None = None) -> "Selection":
        """Return the selection with another set of the path. Give exactly one parameter.

        Validation and stability are those of the selection that was made: they are left out where
        the set has other columns. The goal of the result is "predict" if it was another.

        Parameters
        ----------
        n_features : int, optional
            Number of columns. If that size was not tried, the nearest one that was is taken (of
            two as near, the larger one), and a warning says so.
        tolerance : float from 0 to 1, optional
            Share of the best loss by which the set may be worse: the smallest set which the rows
            show to be within it.

        Returns
        -------
        Selection

        Examples
        --------
        >>> from thresher.selection import PathPoint
        >>> points = (
        ...     PathPoint(1, 0.30, 0.25, 0.36, 0.4, "not enough"),
        ...     PathPoint(2, 0.26, 0.26, 0.26, 0.0, "enough"),
        ... )
        >>> path = Path(("age", "city"), points, chosen=2, best=2, loss="log",
        ...             learner="boosted trees", tolerance=0.02, confidence=0.9,
        ...             n_rows=500, n_folds=5)
        >>> verdicts = (Verdict("age", "relevant"), Verdict("city", "supporting"))
        >>> Selection(("age", "city"), verdicts, path=path).at(tolerance=0.5).selected
        ('age',)
        """
        changes = at(self, n_features, tolerance)
        return self._changed(**changes)

    def _changed(
        self, selected: tuple[str, ...], verdicts: tuple[Verdict, ...], **more: Any
    ) -> "Selection":
        if set(selected) != set(self.selected):
            more = {"validation": None, "stability": None, **more}
        return replace(self, selected=selected, verdicts=verdicts, **more)

    @property
    def claim(self) -> str:
        """What the selection has shown, in one sentence; empty without losses or proofs to tell.

        Examples
        --------
        >>> verdicts = (Verdict("age", "relevant"), Verdict("id", "irrelevant"))
        >>> Selection(("age",), verdicts, goal="explain", settings={"alpha": "0.05"}).claim
        '1 of 2 columns is proved to matter (family-wise level 5 %)'
        """
        from thresher.report import claim, says_more

        content = {
            "selected": self.selected,
            "verdicts": [{"kind": verdict.kind} for verdict in self.verdicts],
            "settings": self.settings,
            "goal": self.goal,
            "path": None if self.path is None else without_nan(asdict(self.path)),
            "trace": self.trace,
        }
        return str(claim(content)) if says_more(content) else ""

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
        write_whole(path, json.dumps(self.to_dict(), indent=1, allow_nan=False))

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write a page about the selection: one HTML file that opens anywhere, offline.

        Needs jinja2 (``pip install 'thresher[cli]'``).
        """
        from thresher.report import render_page

        write_whole(path, render_page(self.to_dict()))

    def plot(self, which: str = "all", *, n_columns: int = 20, ax: Any = None) -> Any:
        """Draw the selection with matplotlib (``pip install 'thresher[plot]'``).

        Parameters
        ----------
        which : {"all", "path", "importances", "trace", "masking"}, default="all"
            What to draw; "all" is what there is of the four, side by side. "path" is the loss
            against the number of columns.
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
        if isinstance(version, bool) or version not in _READ_VERSIONS:
            raise ValueError(
                f"written in schema version {version!r}; this is thresher {__version__}, which "
                f"reads versions {' and '.join(map(str, _READ_VERSIONS))}"
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
            goal=content.get("goal", ""),
            path=_rebuilt(Path, content.get("path")),
            clusters=tuple(tuple(cluster) for cluster in content.get("clusters", ())),
            views={goal: View.from_dict(view) for goal, view in content.get("views", {}).items()},
        )

    def __repr__(self) -> str:
        return as_text(self)

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
    "goal",
    "path",
    "clusters",
    "views",
}


def _check_known(columns: Sequence[str], names: set[str], where: str) -> None:
    unknown = next((name for name in columns if name not in names), None)
    if unknown is not None:
        raise ValueError(f"{where} names an unknown column: {unknown!r:.60}")


def _rebuilt(kind: Any, content: Mapping[str, Any] | None) -> Any:
    return None if content is None else kind.from_dict(content)


def _first_backend() -> str:
    from importlib.util import find_spec

    for name in ("pandas", "polars", "pyarrow"):
        if find_spec(name) is not None:
            return name
    raise ImportError("to_frame needs pandas, polars or pyarrow; to_dict needs none of them")
