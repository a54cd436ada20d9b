"""What a search wants decided, and who decides it."""

from ._contest import Contest, Exit, Outcome
from ._exhaustive import Exhaustive, mean_losses, standard_error
from ._judge import Judge, LossSource
from ._loop import Enough, Finish, race
from ._matrix import LossMatrix
from ._racing import Racing
from ._rules import Brace, Friedman, Hoeffding, Race
from ._schema import Draws, Schema, SchemaContest, SchemaOutcome
from ._subsamples import Samples, Subsamples

__all__ = [
    "Brace",
    "Contest",
    "Draws",
    "Enough",
    "Exhaustive",
    "Exit",
    "Finish",
    "Friedman",
    "Hoeffding",
    "Judge",
    "LossMatrix",
    "LossSource",
    "Outcome",
    "Race",
    "Racing",
    "Schema",
    "SchemaContest",
    "SchemaOutcome",
    "Samples",
    "Subsamples",
    "mean_losses",
    "race",
    "standard_error",
]
