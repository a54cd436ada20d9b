"""Ensembles of trees on binned columns, grown for what they tell about the columns."""

from ._boosting import BoostedMasking, HeldOut, boosted_masking, held_out_boosting
from ._forest import forest_importances
from ._response import Logistic, Multinomial, Response, Squared

__all__ = [
    "BoostedMasking",
    "HeldOut",
    "Logistic",
    "Multinomial",
    "Response",
    "Squared",
    "boosted_masking",
    "forest_importances",
    "held_out_boosting",
]
