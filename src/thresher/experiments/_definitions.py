"""Tables of the papers that define rather than measure, and where thresher has what they define."""

from ._base import Conditions, Experiment
from ._result import Result

__all__ = ["DEFINITIONS"]

#: Item, what it is, where it is.
DEFINED = (
    ("RVE Table 2", "the algorithm RVE", 'thresher.RVE(strategy="paper")'),
    ("RVE Table 3", "the algorithm RVErS", 'thresher.RVErS(strategy="paper")'),
    ("ACE Table 1", "the notation of the algorithms", "thresher.ace, one function per step"),
)


def run(conditions: Conditions) -> Result:
    """List them."""
    conditions.progress("definitions: 1 of 1")
    return Result(
        "Tables that define rather than measure",
        ("item", "what it is", "where it is in thresher"),
        DEFINED,
        ("There is nothing to measure in these; the experiments run what they define.",),
        (
            "RVErS ends when the number of relevant inputs is settled and too many draws have "
            "failed, and settles it by the number of inputs left: Table 3 as printed has the "
            "first condition inverted and the second on another variable, against the text.",
        ),
    )


DEFINITIONS = Experiment(
    "definitions", "Tables that hold algorithms and notation", run, 1,
    shows=tuple(item for item, *_ in DEFINED), minutes=0.01,
)  # fmt: skip
