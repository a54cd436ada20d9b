"""The methods that are compared: who they are, what they need, and how they are used here."""

import hashlib
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .environments import ROOT, Environment, environment_for, versions_told
from .worker import load

ADAPTERS = Path(__file__).parent / "adapters"


@dataclass(frozen=True)
class Peer:
    """One method.

    Parameters
    ----------
    name : str
        In the tables.
    adapter : str
        The file in ``adapters`` without its suffix; also the name on the command line.
    requirements : tuple of str
        For pip; peers with the same ones share an environment. None at all: our own Python.
    choice : str
        How it is used and why, a whole sentence for the notes.
    told : bool
        Whether it must be told how many columns to select.
    frame : bool
        Whether it gets the table as it is, with categories and gaps, where the others get numbers.
    all_relevant : bool
        Whether it means to keep every column that carries information, copies included.
    """

    name: str
    adapter: str
    requirements: tuple[str, ...]
    choice: str
    told: bool = False
    frame: bool = False
    all_relevant: bool = False

    @property
    def path(self) -> Path:
        return ADAPTERS / f"{self.adapter}.py"

    @property
    def ours(self) -> bool:
        return self.adapter.startswith("thresher_")

    def environment(self) -> Environment:
        """Return where to run it, making that first if need be."""
        if self.requirements:
            return environment_for(self.requirements)
        own = environment_for(())
        if self.ours:
            return Environment(own.python, our_version())
        program = load(self.path)
        return Environment(own.python, program.version(), program.missing())


DEFAULT = Peer(
    "thresher select",
    "thresher_select",
    (),
    "thresher select: the default call, told nothing.",
    frame=True,
)

_SKLEARN = ("scikit-learn",)
# shap 0.45 turned its answer for several classes around, which this probatus does not expect
_PROBATUS = ("probatus", "lightgbm", "shap<0.45", "numpy<2")
# arfs 3.0 asks pandas for what pandas 3 no longer has, and imports pkg_resources
_ARFS = ("arfs", "pandas<3", "setuptools<81")
# neither has followed numpy 2; BorutaShap uses what scipy 1.12 and shap 0.45 took away
_BORUTA_SHAP = (
    "BorutaShap",
    "numpy<2",
    "scipy<1.12",
    "scikit-learn<1.6",
    "pandas<2.2",
    "shap<0.45",
)
_POWERSHAP = ("powershap", "numpy<2", "scikit-learn<1.6", "pandas<3")
_FEATURE_ENGINE = ("feature-engine",)

PEERS: tuple[Peer, ...] = (
    DEFAULT,
    Peer(
        "thresher select, to explain",
        "thresher_explain",
        (),
        'thresher select, to explain: the same with goal="explain".',
        frame=True,
    ),
    Peer(
        "thresher select, on numbers",
        "thresher_numbers",
        (),
        "thresher select, on numbers: the same, but told as little of categories and gaps as the "
        "others.",
    ),
    Peer(
        "thresher select for boosting",
        "thresher_boosting",
        (),
        'thresher select for boosting: the same with estimator="gradient-boosting".',
        frame=True,
    ),
    Peer(
        "thresher RVErS, k-NN",
        "thresher_rvers",
        (),
        "thresher RVErS: the defaults around five nearest neighbours, on standardised numbers.",
    ),
    Peer("thresher FCBF", "thresher_fcbf", (), "thresher FCBF: the defaults.", frame=True),
    Peer(
        "scikit-learn RFECV",
        "sklearn_rfecv",
        _SKLEARN,
        "RFECV: a forest of 50 trees, 5 folds, a twentieth of the columns a step, so that it ends.",
    ),
    Peer(
        "scikit-learn sequential",
        "sklearn_sequential",
        _SKLEARN,
        "SequentialFeatureSelector: forward around five nearest neighbours, as in its own "
        "example, until the score rises by less than 0.001.",
    ),
    Peer(
        "BorutaPy",
        "boruta_py",
        ("boruta",),
        'BorutaPy: trees of depth 5, n_estimators="auto", balanced classes, 100 iterations, as '
        "its manual has it; a regression forest tries the root of the columns in a split.",
        all_relevant=True,
    ),
    Peer(
        "arfs Leshy",
        "arfs_leshy",
        _ARFS,
        "Leshy: SHAP importance of LightGBM, 50 trees and 20 iterations, more than its tutorial "
        "takes.",
        all_relevant=True,
    ),
    Peer(
        "arfs GrootCV",
        "arfs_grootcv",
        _ARFS,
        "GrootCV: the defaults, five times five folds of LightGBM.",
        all_relevant=True,
    ),
    Peer(
        "BorutaShap",
        "boruta_shap",
        _BORUTA_SHAP,
        "BorutaShap: a forest of 50 trees of depth 5, 50 trials, the other defaults.",
        all_relevant=True,
    ),
    Peer(
        "powershap",
        "powershap_power",
        _POWERSHAP,
        "powershap: CatBoost of 250 trees and automatic iterations, as its manual has it.",
        all_relevant=True,
    ),
    Peer(
        "mlxtend floating",
        "mlxtend_floating",
        ("mlxtend",),
        "mlxtend: forward floating around five nearest neighbours, the best of 1 to 20 columns; "
        "the walk to the full set would not end in time.",
    ),
    Peer(
        "mrmr_selection",
        "mrmr_filter",
        ("mrmr_selection",),
        "mrmr_selection: the defaults, told the number of columns.",
        told=True,
    ),
    Peer(
        "scikit-rebate ReliefF",
        "skrebate_relieff",
        ("skrebate",),
        "ReliefF: ten neighbours as in the literature (the default, 100, is more than the rows of "
        "a small class), told the number of columns.",
        told=True,
    ),
    Peer(
        "probatus ShapRFECV",
        "probatus_shap",
        _PROBATUS,
        "ShapRFECV: LightGBM of 50 trees, 5 folds, a fifth of the columns a step as in its "
        "tutorial, the set that scores best; additivity of the SHAP values is not checked, which "
        "would end some fits.",
    ),
    Peer(
        "abess",
        "abess_sparse",
        ("abess",),
        "abess: linear, logistic or multinomial, the size chosen by its default criterion.",
    ),
    Peer(
        "feature-engine probes",
        "feature_engine_probes",
        _FEATURE_ENGINE,
        "feature-engine probes: of columns that are correlated (0.8) the one closest to the target "
        "stays, then a forest of 100 trees and 15 probes, of which the largest counts, as the mean "
        "of them keeps half of all noise.",
    ),
    Peer(
        "feature-engine elimination",
        "feature_engine_elimination",
        _FEATURE_ENGINE,
        "feature-engine elimination: a forest of 50 trees, the default threshold of 0.01.",
    ),
    Peer(
        "WEKA RaceSearch",
        "weka_race",
        (),
        "WEKA RaceSearch: the defaults around naive Bayes, for numbers five nearest neighbours; "
        "its seconds hold the start of Java.",
    ),
)


@cache
def our_version() -> str:
    """Return a name for the code as it is, so that changed code is run again.

    Not that of the layers above the selectors, which no selector may import.
    """
    digest = hashlib.blake2b(digest_size=6)
    source = ROOT / "src" / "thresher"
    for path in sorted(source.rglob("*.py")):
        if path.relative_to(source).parts[0] not in {"cli", "experiments", "testing"}:
            digest.update(path.read_bytes())
    return f"{versions_told(sys.executable, ('thresher', 'numba'))}, source {digest.hexdigest()}"
