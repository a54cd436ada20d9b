"""Table 2 of Moore and Lee: the grammar of the random expressions, as ours are drawn."""

import re
from collections import Counter
from collections.abc import Sequence

from thresher.datasets import make_expression

from ._base import Conditions, Experiment
from ._cells import Cell, Spread
from ._racing_figures2_3 import N_ROWS
from ._result import Result

__all__ = ["RACING_TABLE2", "nodes_of"]

#: How a node is written in our descriptions, and what the paper prints.
GRAMMAR = {
    "x": "X_i: the ith input",
    "product": "expr x expr: the product of the subexpressions",
    "mean": "mean(expr, expr): the mean of the subexpressions",
    "max": "max(expr, expr): the maximum of the subexpressions",
    "corrupt": "corrupt(expr): gaussian random noise of ±0.1 is added",
    "g": "g(expr): -x^2 if x > 0, -x^2 - 2x if x <= 0",
}


def run(conditions: Conditions) -> Result:
    """Draw the expressions of figures 2 and 3, and count what is in them."""
    tasks = [(seed,) for seed in range(conditions.runs)]
    found = conditions.map(_one_expression, tasks, "expressions")
    sizes = {
        "inputs": ([size[0] for size, _ in found], "4 to 12"),
        "terms": ([size[1] for size, _ in found], "5 to 30"),
        "relevant inputs": ([size[2] for size, _ in found], "a random subset of the inputs"),
    }
    rows = [_row(what, printed, values) for what, (values, printed) in sizes.items()]
    rows += [
        _row(name, printed, [nodes[name] for _, nodes in found])
        for name, printed in GRAMMAR.items()
    ]
    return Result(
        f"Table 2: the {conditions.runs} random expressions of figures 2 and 3",
        ("what", "paper", "ours, range", "ours, per expression"),
        tuple(rows),
        (
            "Terms are all nodes of an expression, inputs and functions alike, of make_expression; "
            "below, how often each of them occurs in one. Relevant are the inputs that the "
            "expression mentions. Inputs are uniform between -1 and 1, as in the paper.",
        ),
        (
            "The paper does not say what counts as a term: with all nodes, its long example has 24 "
            "of its 5 to 30, but its short one only 3. Nor does it say how expressions are drawn: "
            "here all five functions are equally likely, and where two can follow, so are all ways "
            "to share the terms.",
            "The noise is normal with a standard deviation of 0.1, as ±0.1 is read.",
        ),
    )


def _row(what: str, printed: str, values: Sequence[int]) -> tuple[Cell, ...]:
    return what, printed, f"{min(values)} to {max(values)}", Spread.of(values)


def _one_expression(seed: int) -> tuple[tuple[int, int, int], Counter[str]]:
    """Inputs, nodes and relevant inputs of one data set, and how often each node occurs."""
    data = make_expression(N_ROWS, random_state=seed)
    nodes = nodes_of(data.description)
    return (data.X.shape[1], nodes.total(), len(data.relevant)), nodes


def nodes_of(expression: str) -> Counter[str]:
    """Count the nodes of an expression by their names.

    Examples
    --------
    >>> nodes_of("max(g(x1), corrupt(g(x12)))") == Counter(max=1, g=2, corrupt=1, x=2)
    True
    """
    return Counter(re.findall(r"[a-z]+", expression))


RACING_TABLE2 = Experiment(
    "racing-table2", "The grammar of the random expressions, as ours are drawn", run, 56, 5,
    shows=("Racing Table 2",), minutes=0.02,
)  # fmt: skip
