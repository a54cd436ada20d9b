"""Small selections of every kind, as the dicts that reports are made of."""

from typing import Any

from thresher.selection import (
    Cost,
    Interval,
    Path,
    PathPoint,
    Selection,
    Stability,
    Validation,
    Verdict,
    View,
)
from thresher.selection import without_nan as plain

SCRIPT = "<script>alert(1)</script>"
HOSTILE = (
    SCRIPT,
    "\"><img src=x onerror=alert(2)>'",
    "two\nlines\tand a tab",
    "right to left \u202eoverride\u2066",
    "nul \x00, escape \x1b[31m, delete \x7f, next line \x85",
    "",
    "   ",
    "w" * 10_000,
    "</script><script>alert(3)</script>",
    "<!--<script>",
    "{{ 7 * 7 }} {% raw %}",
    "=HYPERLINK(1)",
    "عمود عربي",
    "lone \ud800 surrogate",
    "line\u2028separator",
    "\U000e0001 tag",
    "constructor",
    "__proto__",
)
REPLICATES = 20


def ace(**changes: Any) -> dict[str, Any]:
    """Rounds of ACE: a, and b beside its copies; c is found in the second; the rest is noise."""
    settings = {
        "alpha": "0.05",
        "masking_alpha": "0.05",
        "n_replicates": str(REPLICATES),
        "random_state": "0",
        "seed": 209652396,
        "ending": "complete",
    }
    verdicts = (
        Verdict("a", "relevant", 100.0, 1e-200, step=1, reason="found in round 1"),
        Verdict("b", "relevant", 8.0, 1.2345e-9, step=1, reason="found in round 1"),
        Verdict("b copy", "redundant", 7.0, 1e-8, "b", 1,
                "superfluous beside b (masking 0.52, p = 1e-08)"),
        Verdict("b shadow", "redundant", 6.0, 1e-7, "b", 1,
                "superfluous beside b (masking 0.81, p = 1e-07)"),
        Verdict("c", "relevant", 2.0, 0.0012345, step=2, reason="found in round 2"),
        Verdict("noise", "irrelevant", 0.123456, 1.0, step=1, reason="no better than contrasts"),
        Verdict("fixed", "irrelevant", reason="constant"),
    )  # fmt: skip
    selection = Selection(
        selected=("a", "b", "c"),
        verdicts=verdicts,
        trace=tuple(_round(step, n, verdicts) for step, n in ((1, 2), (2, 3), (3, 3))),
        cost=Cost(140, 0, 5.45),
        method="ACE",
        settings=settings,
        versions={"python": "3.11.7", "thresher": "0.1.0"},
        explanation="ACE, because no estimator was named.",
    )
    return {**plain(selection.to_dict()), **changes}


def _round(step: int, n_kept: int, verdicts: tuple[Verdict, ...]) -> dict[str, Any]:
    threshold = 2.0 + step
    own = [v for v in verdicts if v.step == step and v.score is not None]
    names = ["b", "a", "b copy", "b shadow"]
    return {
        "step": step,
        "loss": 0.7 / step,
        "standard_error": 0.05,
        "n_variables": n_kept,
        "found": [v.name for v in own],
        "accepted": True,
        "kept": ["a", "b", "c"][:n_kept],
        "masked_by": {},
        "threshold": threshold,
        "contrast_maxima": [threshold * (0.5 + k / 40) for k in range(REPLICATES)],
        "scores": {
            v.name: [threshold * v.score * (0.5 + k / (REPLICATES - 1)) for k in range(REPLICATES)]
            for v in own
        } or {"noise": [0.1] * REPLICATES},
        "masking": {
            "variables": names,
            "score": [[0, 1, 6, 8], [0.1, 0, 0.1, 0.1], [5, 1, 0, 4], [4, 1, 2, 0]],
            "p_value": [[1, 0.6, 1e-8, 1e-7], [0.9, 1, 0.8, 0.7], [1e-5, 0.9, 1, 1e-4],
                        [1e-5, 0.9, 1e-3, 1]],
        } if step == 1 else None,
    }  # fmt: skip


def wrapper(n_steps: int = 12, **changes: Any) -> dict[str, Any]:
    """An elimination that takes every other step, from as many columns as steps down to one."""
    names = [f"x{k}" for k in range(n_steps)]
    verdicts = tuple(
        Verdict(name, "relevant" if k == 0 else "irrelevant", 0.3 if k == 0 else -0.01 * k, step=k)
        for k, name in enumerate(names)
    )
    trace = []
    for k in range(n_steps):
        for accepted in (False, True):
            trace.append(
                {
                    "step": len(trace),
                    "n_variables": n_steps - k,
                    "added": [],
                    "removed": [],
                    "loss": 0.2 + 0.01 * (n_steps - k) + (not accepted) * 0.05,
                    "standard_error": 0.02,
                    "accepted": accepted,
                    "chosen": accepted and k == n_steps - 1,
                }
            )
    selection = Selection(
        selected=("x0",),
        verdicts=verdicts,
        trace=tuple(trace),
        cost=Cost(len(trace), 1000, 0.01),
        method="RVErS",
        settings={"estimator": "GaussianNB()", "loss": "'log'", "random_state": "None",
                  "seed": 17, "ending": "complete"},
    )  # fmt: skip
    return {**plain(selection.to_dict()), **changes}


def cfs() -> dict[str, Any]:
    """A filter with a merit in place of a loss, and masking without a measure of it."""
    merits = (0.0, 0.5, 0.6)
    selection = Selection(
        selected=("x", "z"),
        verdicts=(
            Verdict("x", "relevant", 0.5),
            Verdict("y", "redundant", 0.4, masked_by="x", reason="closer to x than to the target"),
            Verdict("z", "relevant", 0.1),
        ),
        trace=tuple(
            {"step": k, "n_variables": k, "loss": 1 - merit, "standard_error": 0.0, "merit": merit,
             "accepted": True, "chosen": k == 2}
            for k, merit in enumerate(merits)
        ),
        method="CFS",
    )  # fmt: skip
    return plain(selection.to_dict())


def scores_only() -> dict[str, Any]:
    """A filter that leaves nothing but scores, some of them negative."""
    scores = {"x": 0.4, "y": 0.1, "z": -0.2}
    verdicts = tuple(
        Verdict(name, "relevant" if score > 0 else "irrelevant", score)
        for name, score in scores.items()
    )
    return plain(Selection(("x", "y"), verdicts, method="ReliefF").to_dict())


def nothing() -> dict[str, Any]:
    """Nothing found, and nothing known."""
    verdicts = (Verdict("x", "irrelevant"), Verdict("y", "irrelevant"))
    return plain(Selection((), verdicts).to_dict())


def two_stages() -> dict[str, Any]:
    """Screening by ACE, then refinement by a wrapper."""
    content = ace()
    refinement = wrapper(3)["trace"]
    content["trace"] = [{"stage": "screening", **record} for record in content["trace"]] + [
        {"stage": "refinement", **record} for record in refinement
    ]
    return content | {"method": "ACE, then RVErS"}


def validated() -> dict[str, Any]:
    """ACE with validation and stability."""
    content = ace()
    names = [verdict["name"] for verdict in content["verdicts"]]
    validation = Validation(
        losses={
            "selected": Interval(0.05, 0.03, 0.07),
            "all": Interval(0.045, 0.02, 0.07),
            "random": Interval(0.09, 0.06, 0.12),
            "none": Interval(0.37, 0.33, 0.41),
        },
        differences={
            "all": Interval(0.005, -0.01, 0.02),
            "random": Interval(-0.04, -0.07, -0.01),
            "none": Interval(-0.32, -0.36, -0.28),
        },
        n_columns={"selected": 3.2, "all": 7.0, "random": 3.2, "none": 0.0},
        loss="zero_one",
        learner="HistGradientBoostingClassifier()",
        n_folds=5,
        n_rows=569,
    )
    stability = Stability(
        frequency={name: 1 - k / 10 for k, name in enumerate(names)},
        index=Interval(0.71, 0.6, 0.82),
        sizes=(3, 3, 4, 2),
        share=0.632,
    )
    selection = Selection.from_dict(content)
    extra = Selection(selection.selected, selection.verdicts, validation=validation,
                      stability=stability)  # fmt: skip
    told = plain(extra.to_dict())
    return content | {"validation": told["validation"], "stability": told["stability"]}


def hostile(names: tuple[str, ...] = HOSTILE) -> dict[str, Any]:
    """Columns of all verdicts whose names mean mischief, in every place a name can be."""
    kinds = ("relevant", "redundant", "irrelevant")
    masker = names[0]
    verdicts = tuple(
        Verdict(name, kinds[k % 3], 10.0 / (k + 1), 0.01, masker if k % 3 == 1 else None, 1,
                f"beside {name} (masking 0.5, p = 0.01)")
        for k, name in enumerate(names)
    )  # fmt: skip
    selection = Selection(
        selected=tuple(v.name for v in verdicts if v.kind == "relevant"),
        verdicts=verdicts,
        trace=(_hostile_round(verdicts),),
        method=SCRIPT,
        settings={SCRIPT: SCRIPT, "ending": SCRIPT, "estimator": "f('</code>')"},
        versions={SCRIPT: SCRIPT},
        explanation=SCRIPT,
        stability=Stability(dict.fromkeys(names, 0.5), Interval(0.5, 0.4, 0.6), (3, 4), 0.5),
    )
    return plain(selection.to_dict())


def _hostile_round(verdicts: tuple[Verdict, ...]) -> dict[str, Any]:
    n = len(verdicts)
    return {
        "step": 1,
        "loss": 0.5,
        "standard_error": None,
        "n_variables": 2,
        "threshold": 1.0,
        "contrast_maxima": [0.5, 0.7],
        "scores": {v.name: [v.score, v.score] for v in verdicts},
        "masking": {
            "variables": [v.name for v in verdicts],
            "score": [[0.5] * n] * n,
            "p_value": [[0.01] * n] * n,
        },
    }


def wide(n_columns: int, name: str = "sensor {} / reading", reason: str = "") -> dict[str, Any]:
    """A table with many columns, two of them selected."""
    told = reason or "no better than contrasts: 0.0183 times the threshold of the contrasts, p = 1"
    verdicts = tuple(
        Verdict(name.format(k), "relevant" if k < 2 else "irrelevant", 1 / (k + 1), 0.5, None, 1,
                told)
        for k in range(n_columns)
    )  # fmt: skip
    selected = tuple(v.name for v in verdicts[:2])
    return plain(Selection(selected, verdicts, method="ACE").to_dict())


def enough() -> dict[str, Any]:
    """Four of twenty columns are enough; two of them are proved to matter, and one has a copy."""
    names = tuple(f"x{k}" for k in range(20))
    told = {
        "x0": ("relevant", None, "found in round 1"),
        "x1": ("relevant", None, "found in round 1"),
        "x2": ("supporting", None, "without it log loss rises by 0.01"),
        "x3": ("supporting", None, "without it log loss rises by 0.004"),
        "x4": ("redundant", "x0", "superfluous beside x0 (masking 0.9, p = 0.001)"),
    }
    verdicts = tuple(
        Verdict(name, kind, 1 / (k + 1), None if kind == "supporting" else 0.001, masked_by, 1, why)
        for k, name in enumerate(names)
        for kind, masked_by, why in [told.get(name, ("irrelevant", None, "no better than chance"))]
    )
    alike = {
        "x2": {"kind": "supporting", "masked_by": None, "reason": told["x2"][2]},
        "x3": {"kind": "supporting", "masked_by": None, "reason": told["x3"][2]},
        "x4": {"kind": "redundant", "masked_by": "x0", "reason": told["x4"][2]},
    }
    unproved = {"kind": "irrelevant", "masked_by": None, "reason": "not proved to matter"}
    proved = {"kind": "relevant", "masked_by": None, "reason": "found in round 1"}
    infinite = float("inf")
    points = (
        PathPoint(0, 0.69, 0.6, 0.78, infinite, "not enough"),
        PathPoint(1, 0.30, -infinite, infinite, infinite, "cannot tell"),
        PathPoint(2, 0.24, 0.21, 0.27, 0.4, "not enough"),
        PathPoint(4, 0.204, 0.199, 0.206, 0.0291, "enough"),
        PathPoint(8, 0.2, 0.2, 0.2, 0.0, "enough"),
        PathPoint(20, 0.201, 0.198, 0.205, 0.025, "enough"),
    )
    selection = Selection(
        selected=names[:4],
        verdicts=verdicts,
        cost=Cost(140, 0, 5.45),
        method="ACE",
        settings={"alpha": "0.05", "random_state": "0", "ending": "complete"},
        goal="predict",
        path=Path(names, points, 4, 8, "log", "boosted trees", 0.03, 0.9, 500, 5),
        clusters=(("x0", "x4", "x9"),),
        views={
            "predict": View(names[:4], alike),
            "explain": View(("x0", "x1"), {**alike, "x2": unproved, "x3": unproved}),
            "all-relevant": View(
                ("x0", "x1", "x4"), {"x2": unproved, "x3": unproved, "x4": proved}
            ),
        },
    )
    return plain(selection.to_dict())


ALL = {
    "ace": ace,
    "wrapper": wrapper,
    "cfs": cfs,
    "scores only": scores_only,
    "nothing": nothing,
    "two stages": two_stages,
    "validated": validated,
    "hostile": hostile,
    "wide": lambda: wide(300),
    "enough": enough,
}
