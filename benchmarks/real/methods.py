"""The methods that are compared, and who judges what they choose."""

from dataclasses import dataclass

from benchmarks.peers.registry import PEERS, Peer

from .judges import THREE

_LIGHTGBM = ("lightgbm", "scikit-learn")


@dataclass(frozen=True)
class Method:
    """One method.

    Parameters
    ----------
    name : str
        On the command line and in the tables.
    peer : Peer or None
        How it is asked; None: it keeps all columns.
    judges : tuple of str
        Who judges it.
    view : str
        What it gets: the "frame" as it is, or one of the forms of a `Split`.
    """

    name: str
    peer: Peer | None
    judges: tuple[str, ...] = THREE
    view: str = "filled"

    @property
    def ours(self) -> bool:
        return self.peer is not None and self.peer.ours

    @property
    def is_peer(self) -> bool:
        return self.peer is not None and not self.peer.ours


def _select(name: str, adapter: str, judges: tuple[str, ...], choice: str) -> Method:
    return Method(name, Peer(name, adapter, (), choice, frame=True), judges, "frame")


def _known(name: str, adapter: str) -> Method:
    """Return a method that `make bench-peers` compares too."""
    return Method(name, next(peer for peer in PEERS if peer.adapter == adapter))


ALL = Method("all", None)
SELECT = _select("select", "thresher_told", THREE, "select: the default call, told the task.")
#: Selected for a learner, and judged by that learner alone.
FOR = tuple(
    _select(f"for-{judge}", f"thresher_for_{judge}", (judge,), f'for-{judge}: estimator="{name}".')
    for judge, name in {
        "boosting": "gradient-boosting",
        "forest": "forest",
        "linear": "linear",
        "neighbours": "knn",
    }.items()
)
OTHERS = (
    Method(
        "lasso",
        Peer(
            "lasso",
            "sklearn_lasso",
            (),
            "lasso: LassoCV, or LogisticRegressionCV with the L1 penalty and log loss, five folds, "
            "on the numbers that the linear judge gets; a variable is chosen if any number made "
            "from it is.",
        ),
        view="standardised",
    ),
    Method(
        "rfecv",
        Peer(
            "rfecv",
            "lightgbm_rfecv",
            _LIGHTGBM,
            "rfecv: scikit-learn's RFECV around LightGBM by gain, five folds, a twentieth of the "
            "columns a step.",
        ),
    ),
    _known("boruta", "boruta_py"),
    Method(
        "gain",
        Peer(
            "gain", "lightgbm_gain", _LIGHTGBM, "gain: columns of at least the mean LightGBM gain."
        ),
    ),
    _known("floating", "mlxtend_floating"),
)
METHODS: dict[str, Method] = {method.name: method for method in (ALL, SELECT, *FOR, *OTHERS)}
