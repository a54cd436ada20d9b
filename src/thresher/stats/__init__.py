"""Pure statistics: arrays in, small frozen records out."""

from ._contrast_test import ContrastTest, contrast_test
from ._corrections import adjust
from ._paired import paired_t

__all__ = ["ContrastTest", "adjust", "contrast_test", "paired_t"]
