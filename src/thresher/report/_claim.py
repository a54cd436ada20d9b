"""The claim: one sentence that says what a selection has shown, and no more."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._path import PathSummary, summarise_path
from ._words import as_number, counted, figure, setting

__all__ = ["Claim", "claim", "says_more"]

#: Goals that are about proofs, not about losses.
_PROOFS = ("explain", "all-relevant")


@dataclass(frozen=True)
class Claim:
    """The claim and the figures behind it, in lower case, without a full stop.

    Examples
    --------
    >>> print(Claim("12 of 57 columns predict as well as all", "loss 0.148, all 0.147"))
    12 of 57 columns predict as well as all (loss 0.148, all 0.147)
    """

    lead: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.lead} ({self.detail})" if self.detail else self.lead


def claim(content: Mapping[str, Any]) -> Claim:
    """Say what a selection has shown.

    Parameters
    ----------
    content : mapping
        What ``Selection.to_dict`` gives: ``selected``, ``verdicts``, ``settings``, ``goal``,
        ``path`` and the ``level`` of each round in ``trace`` are read.

    Returns
    -------
    Claim

    Examples
    --------
    >>> verdicts = [{"kind": "relevant"}, {"kind": "irrelevant"}]
    >>> str(claim({"selected": ["age"], "verdicts": verdicts}))
    '1 of 2 columns selected'
    >>> settings = {"alpha": "0.05"}
    >>> str(claim({"selected": ["age"], "verdicts": verdicts, "settings": settings,
    ...            "goal": "explain"}))
    '1 of 2 columns is proved to matter (family-wise level 5 %)'
    """
    n_all, n_selected = len(content["verdicts"]), len(content["selected"])
    if content.get("goal") in _PROOFS:
        n_proved = sum(verdict["kind"] == "relevant" for verdict in content["verdicts"])
        if n_proved == n_selected:
            return _proofs(n_proved, n_all, _level(content))
    elif (path := summarise_path(content)) is not None:
        return _losses(path, n_all)
    chosen = f"{n_selected:,}" if n_selected else "none"
    return Claim(f"{chosen} of {counted(n_all, 'column')} selected")


def says_more(content: Mapping[str, Any]) -> bool:
    """Whether the claim says more than how many columns are selected."""
    return bool(content.get("goal") in _PROOFS or content.get("path"))


def _level(content: Mapping[str, Any]) -> float | None:
    """The level asked for, or the one that could be held where the work was cut short."""
    asked = as_number(setting(content, "alpha"))
    rounds = (record.get("level") for record in content.get("trace", ()))
    held = [level for level in map(as_number, rounds) if level is not None]
    return None if asked is None else max(asked, *held, asked)


def _proofs(n_proved: int, n_all: int, level: float | None) -> Claim:
    detail = "" if level is None else f"family-wise level {100 * level:.4g} %"
    if n_proved == 0:
        return Claim(f"none of {counted(n_all, 'column')} is proved to matter", detail)
    are = "is" if n_proved == 1 else "are"
    return Claim(f"{n_proved:,} of {counted(n_all, 'column')} {are} proved to matter", detail)


def _losses(path: PathSummary, n_all: int) -> Claim:
    chosen = path.chosen
    if chosen.n_columns == path.all.n_columns:
        return _everything(path, n_all)
    if chosen.n_columns == 0 and chosen.verdict != "not enough":
        losses = f"loss {figure(chosen.loss)}, all {figure(path.all.loss)}"
        return Claim("no column is shown to predict better than none", losses)
    some = f"{chosen.n_columns:,} of {counted(n_all, 'column')}"
    predict = "predicts" if chosen.n_columns == 1 else "predict"
    if chosen.verdict == "cannot tell":
        lead = f"the rows cannot tell whether {some} {predict} as well as all"
    elif chosen.verdict == "not enough":
        lead = f"{some} {predict} worse than the best set"
    else:
        lead = f"{some} {predict} as well as all"
    losses = f"loss {figure(chosen.loss)}, all {figure(path.all.loss)}"
    return Claim(lead, f"{losses}; {_bound(path)}")


def _bound(path: PathSummary) -> str:
    at_most, sure = path.chosen.at_most, f"with {path.sure} confidence"
    if at_most is None:
        return "the rows do not bound how much worse than the best set that is"
    if at_most > 0:
        return f"{path.chosen.bound} than the best set {sure}"
    if path.chosen is path.best:
        return "the lowest loss of all sets tried"
    return f"no worse than the best set {sure}"


def _everything(path: PathSummary, n_all: int) -> Claim:
    n_kept = path.all.n_columns
    detail = f"loss {figure(path.all.loss)}"
    if n_kept == 0:
        return Claim("no column is shown to predict better than none", detail)
    if n_kept < n_all:
        are = f"all {counted(n_kept, 'informative column')} of {n_all:,} are kept"
    else:
        are = f"all {counted(n_kept, 'column')} are kept"
    if n_kept == 1:
        are = f"the only {'informative ' * (n_all > 1)}column is kept"
    smaller = {point.verdict for point in path.points[:-1]}
    if "enough" in smaller:
        enough = next(point for point in path.points if point.verdict == "enough")
        return Claim(f"{are}; {enough.n_columns:,} predict as well", detail)
    if "cannot tell" in smaller:
        return Claim(f"{are}: the rows cannot tell whether fewer are enough", detail)
    return Claim(f"{are}: fewer predict worse" if smaller else are, detail)
