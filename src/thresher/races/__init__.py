"""What a search wants decided, and who decides it."""

from ._contest import Contest, Outcome
from ._exhaustive import Exhaustive, mean_losses, standard_error
from ._judge import Judge

__all__ = ["Contest", "Exhaustive", "Judge", "Outcome", "mean_losses", "standard_error"]
