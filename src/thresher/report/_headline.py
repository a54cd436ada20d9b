"""The head of the page: what is shown, which columns are selected, and how sure that is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._claim import Claim, claim
from ._columns import KINDS, Column
from ._curve import LossCurve
from ._masking import Cluster
from ._path import PathSummary
from ._stability import StabilitySummary
from ._validation import ValidationSummary
from ._words import as_number, counted, duration, figure, p_figure, p_relation, percent, setting

__all__ = ["Evidence", "Figure", "Headline", "summarise_headline"]

_ENDINGS = {
    "running": "The run was still going when this page was made, or was killed.",
    "budget": "The budget was used up before the search was over.",
    "interrupted": "The run was interrupted before the search was over.",
    "stopped": "The run was stopped by a callback before the search was over.",
}


@dataclass(frozen=True)
class Figure:
    """A key figure: what it is, its value, and a note in small print."""

    label: str
    value: str
    note: str = ""


@dataclass(frozen=True)
class Evidence:
    """A selected column, and what speaks for it in short."""

    name: str
    score: float | None
    words: tuple[str, ...]


@dataclass(frozen=True)
class Headline:
    """What stands at the top of the page; ``claim`` is the title in two parts."""

    claim: Claim
    method: str
    explanation: str
    notice: str
    counts: Mapping[str, int]
    figures: tuple[Figure, ...]
    sureness: tuple[str, ...]
    evidence: tuple[Evidence, ...]

    @property
    def title(self) -> str:
        """The claim as a sentence."""
        return str(self.claim)


def summarise_headline(
    content: Mapping[str, Any],
    columns: Sequence[Column],
    *,
    tested: bool,
    clusters: Sequence[Cluster],
    path: PathSummary | None,
    curves: Sequence[LossCurve],
    validation: ValidationSummary | None,
    stability: StabilitySummary | None,
) -> Headline:
    """Put the head together; ``tested`` says that scores are in units of a threshold."""
    counts = dict.fromkeys(KINDS, 0)
    for column in columns:
        counts[column.kind] += 1
    ending = str(content.get("settings", {}).get("ending", "complete"))
    n_masked = {
        cluster.keeper: sum(own.kind not in KINDS[:2] for own in cluster.stand_ins)
        for cluster in clusters
    }
    shown = claim(content)
    return Headline(
        claim=Claim(shown.lead[0].upper() + shown.lead[1:], shown.detail),
        method=content.get("method", ""),
        explanation=content.get("explanation") or "",
        notice="" if ending == "complete" else _notice(ending),
        counts=counts,
        figures=tuple(_figures(content, path, curves, validation)),
        sureness=tuple(_sureness(content, columns, validation, stability, tested=tested)),
        evidence=tuple(
            _evidence(column, n_masked.get(column.name, 0), tested=tested)
            for column in columns
            if column.is_selected
        ),
    )


def _notice(ending: str) -> str:
    told = _ENDINGS.get(ending, f"The run ended early ({ending}).")
    return f"{told} What follows is the best that was known by then, not a finished selection."


def _figures(
    content: Mapping[str, Any],
    path: PathSummary | None,
    curves: Sequence[LossCurve],
    validation: ValidationSummary | None,
) -> list[Figure]:
    figures = []
    if validation is not None and validation.losses[0].key == "selected":
        own = validation.losses[0]
        note = f"{figure(own.low)} to {figure(own.high)}; {validation.loss}, on rows not used"
        figures.append(Figure("loss", figure(own.mean), note))
    elif path is not None and path.chosen.loss is not None:
        note = f"{path.measure} on the rows held out to compare the sets"
        figures.append(Figure("loss", figure(path.chosen.loss), note))
    elif curves and (point := curves[-1].chosen) is not None:
        error = point.standard_error
        spread = f"\N{PLUS-MINUS SIGN} {figure(error, 2)}; " if error else ""
        label = "merit" if curves[-1].higher_is_better else "loss"
        named = curves[-1].measure.removeprefix(label).strip()
        note = f"{spread}{named}{', ' if named else ''}as the search saw it"
        figures.append(Figure(label, figure(point.loss), note))
    cost = content["cost"]
    if cost.get("evaluations"):
        figures.append(Figure("evaluations", f"{cost['evaluations']:,}"))
    figures.append(Figure("time", duration(as_number(cost.get("seconds")) or 0.0)))
    return figures


def _sureness(
    content: Mapping[str, Any],
    columns: Sequence[Column],
    validation: ValidationSummary | None,
    stability: StabilitySummary | None,
    *,
    tested: bool,
) -> list[str]:
    told = []
    n_proved, n_supporting = (sum(c.kind == kind for c in columns) for kind in KINDS[:2])
    if n_supporting:
        told.append(
            f"{n_proved:,} of the {counted(n_proved + n_supporting, 'selected column')} "
            f"{'is' if n_proved == 1 else 'are'} proved to matter; the others are supporting: "
            "not proved one by one, but held-out loss rises without them"
        )
    p_values = [c.p_value for c in columns if c.kind == "relevant" and c.p_value is not None]
    if p_values:
        low, high = min(p_values), max(p_values)
        span = " to ".join(dict.fromkeys((p_figure(low), p_figure(high))))
        told.append(f"the p-values of the relevant columns: {span}{_level(content)}")
        n_replicates = setting(content, "n_replicates")
        if tested and isinstance(n_replicates, int) and low < 1 / (n_replicates + 1):
            bound = figure(1 / (n_replicates + 1), 2)
            told.append(f"p-values below {bound} are extrapolated from {n_replicates} replicates")
    if validation is not None:
        told += [validation.headline] if validation.differences else []
    if stability is not None and stability.index is not None:
        told.append(
            f"stability {figure(stability.index, 2)} over "
            f"{counted(stability.n_resamples, 'repetition')}: {stability.words}"
        )
    return [sentence[0].upper() + sentence[1:] for sentence in told]


def _level(content: Mapping[str, Any]) -> str:
    level = as_number(setting(content, "alpha"))
    return "" if level is None else f", tested at level {figure(level)}"


def _evidence(column: Column, n_masked: int, *, tested: bool) -> Evidence:
    words = ["supporting"] if column.kind == "supporting" else []
    if tested and column.score is not None and column.reason != "kept, as asked":
        words.append(f"{figure(column.score)} \N{MULTIPLICATION SIGN} threshold")
    if column.reason and (column.kind == "supporting" or not words):
        words.append(column.reason)
    if column.p_value is not None:
        words.append(f"p {p_relation(column.p_value)}")
    if n_masked:
        words.append(f"stands for {counted(n_masked, 'other')}")
    if column.chosen_in is not None:
        words.append(f"chosen in {percent(column.chosen_in)}")
    return Evidence(column.name, column.score, tuple(words))
