"""What the selection has cost, and how to get it again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._words import as_number, duration, setting

__all__ = ["Provenance", "summarise_provenance"]

#: What does not change the result, or is not a parameter.
_NOT_PARAMETERS = {"seed", "ending", "verbose", "n_jobs", "call"}


@dataclass(frozen=True)
class Provenance:
    """Cost, settings and versions as pairs of text, and how to repeat the run."""

    cost: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, str], ...]
    versions: tuple[tuple[str, str], ...]
    repeat: str
    code: str
    failures: tuple[tuple[str, str], ...] = ()


def summarise_provenance(content: Mapping[str, Any]) -> Provenance:
    """Write down what is known about how the selection came about."""
    settings = content.get("settings", {})
    return Provenance(
        cost=tuple(_cost(content)),
        settings=tuple((str(k), " ".join(str(v).split())) for k, v in settings.items()),
        versions=tuple((str(k), str(v)) for k, v in content.get("versions", {}).items()),
        repeat=_repeat(content),
        code=_code(content),
        failures=tuple(_failures(content)),
    )


def _failures(content: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Which columns a learner failed on, and how."""
    return [
        (str(own.get("subset", "")), " ".join(str(own.get("error", "")).split()))
        for own in content.get("failures", ())
        if isinstance(own, Mapping)
    ]


def _cost(content: Mapping[str, Any]) -> list[tuple[str, str]]:
    cost = content["cost"]
    pairs = [
        (name, f"{cost[key]:,}")
        for name, key in (("evaluations", "evaluations"), ("row losses", "losses"))
        if cost.get(key)
    ]
    pairs.append(("time of the selection", duration(as_number(cost.get("seconds")) or 0.0)))
    extra = as_number((content.get("validation") or {}).get("seconds"))
    if extra:
        pairs.append(("time of the validation", duration(extra)))
    return pairs


def _repeat(content: Mapping[str, Any]) -> str:
    if not content.get("settings"):
        return ""
    drawn = content["settings"].get("seed")
    if setting(content, "random_state") is not None or drawn is None:
        return "The same rows with these settings and versions give the same selection."
    return (
        f"No random_state was given; the run drew the seed {drawn}. "
        "Give a number as random_state to be able to repeat a run exactly."
    )


def _code(content: Mapping[str, Any]) -> str:
    """The call as it was noted, or one with all parameters, where the method is a single class."""
    method = content.get("method", "")
    settings = content.get("settings", {})
    if settings.get("call"):
        return str(settings["call"])
    if not (isinstance(method, str) and method.isidentifier()) or not settings:
        return ""
    given = [
        f"    {name}={value},"
        for name, value in settings.items()
        if name not in _NOT_PARAMETERS and str(name).isidentifier()
    ]
    return "\n".join([f"{method}(", *given, ").fit(X, y)"])
