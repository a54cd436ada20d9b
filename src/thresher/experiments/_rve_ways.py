"""The way of a search through the subsets, with inner and test error at each."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from ._rve_data import Split
from ._rve_searches import learned

__all__ = ["Way", "follow", "subsets_on_the_way"]


@dataclass(frozen=True)
class Way:
    """One search: the sizes of its subsets, and their percent errors.

    Parameters
    ----------
    sizes : tuple of int
        Inputs of each subset that the search moved to, in its order.
    inner : tuple of float
        Percent error by the cross-validation that the search sees.
    test : tuple of float
        Percent error in the test, which it does not see.
    end : int
        Which of them was chosen in the end.
    """

    sizes: tuple[int, ...]
    inner: tuple[float, ...]
    test: tuple[float, ...]
    end: int

    @property
    def best(self) -> int:
        """Where the test error is lowest on the way to the chosen subset; of ties, the latest."""
        return self.end - int(np.argmin(self.test[self.end :: -1]))

    @property
    def overfit(self) -> float:
        """By how much the test error rose from its lowest point on the way to the end."""
        return self.test[self.end] - self.test[self.best]

    def at(self, errors: tuple[float, ...], n_inputs: int) -> float | None:
        """Error when an elimination first had no more inputs; None if it never had."""
        return next((e for e, s in zip(errors, self.sizes, strict=True) if s <= n_inputs), None)


def follow(split: Split, learner: str, selector: Any) -> Way:
    """Select from the training rows, and test every subset on the way."""
    everything = np.arange(split.X.shape[1])
    fitted = clone(selector).set_params(random_state=split.seed)
    fitted.fit(split.table(split.train, everything), split.y[split.train])
    steps = [s for s in fitted.selection_.trace if s.get("accepted", True) and s["n_variables"]]
    subsets = subsets_on_the_way(fitted)
    return Way(
        tuple(map(len, subsets)),
        tuple(100.0 * float(step["loss"]) for step in steps),
        tuple(learned(split, learner, subset)[1] for subset in subsets),
        [bool(step["chosen"]) for step in steps].index(True),
    )


def subsets_on_the_way(fitted: Any) -> list[NDArray[np.intp]]:
    """Return the columns of each subset that a search moved to, but for the empty one."""
    trace = fitted.selection_.trace
    if "accepted" not in trace[0]:  # a ranking, of which each step takes one more
        order = np.argsort(-fitted.scores_, kind="stable")
        return [np.sort(order[: step["n_variables"]]) for step in trace]
    position = {verdict.name: at for at, verdict in enumerate(fitted.selection_.verdicts)}
    current = set(position) if trace[0]["n_variables"] else set()
    way = []
    for step in trace:
        if step["accepted"]:
            current = (current | set(step["added"])) - set(step["removed"])
            way.append(np.array(sorted(position[name] for name in current), dtype=np.intp))
    return [subset for subset in way if len(subset)]
