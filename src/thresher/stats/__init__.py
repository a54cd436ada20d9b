"""Pure statistics: arrays in, small frozen records out."""

from ._blocked import blocked
from ._contrast_test import ContrastTest, contrast_test
from ._corrections import adjust
from ._friedman import friedman
from ._held_out import MeanInterval, held_out_interval
from ._hoeffding import hoeffding
from ._orthogonal import correlation_order, gram_schmidt_order
from ._paired import paired_t
from ._stability import StabilityIndex, stability_index
from ._standing import Standing, check_levels, level_of_look
from ._sufficiency import (
    CONFIDENCE,
    ESTIMATED,
    TOLERANCE,
    AllowedRise,
    Sufficiency,
    Sufficient,
    allowed_rise,
    sufficiency,
)
from ._tally import Tally, grain_of
from ._welch import welch, welch_p_values

__all__ = [
    "CONFIDENCE",
    "ESTIMATED",
    "AllowedRise",
    "TOLERANCE",
    "ContrastTest",
    "MeanInterval",
    "StabilityIndex",
    "Standing",
    "Sufficiency",
    "Sufficient",
    "Tally",
    "adjust",
    "allowed_rise",
    "blocked",
    "check_levels",
    "contrast_test",
    "correlation_order",
    "friedman",
    "grain_of",
    "gram_schmidt_order",
    "held_out_interval",
    "hoeffding",
    "level_of_look",
    "paired_t",
    "stability_index",
    "sufficiency",
    "welch",
    "welch_p_values",
]
