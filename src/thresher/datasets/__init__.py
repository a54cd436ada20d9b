"""Generators of the papers' artificial data, each returned together with the truth about it.

To add a generator, write ``_name.py`` with one function that returns a ``Generated``, import it
here and list it in ``__all__``; the shared tests pick up every name that starts with ``make_``.
"""

from ._boolean_concept import make_boolean_concept
from ._double_friedman import make_double_friedman
from ._expression import make_expression
from ._friedman_random import make_friedman_random
from ._generated import Generated
from ._led import make_led
from ._linear_masked import make_linear_masked
from ._monks2 import make_monks2
from ._seven_of_ten import make_seven_of_ten
from ._tied import make_tied

__all__ = [
    "Generated",
    "make_seven_of_ten",
    "make_led",
    "make_monks2",
    "make_linear_masked",
    "make_friedman_random",
    "make_tied",
    "make_expression",
    "make_double_friedman",
    "make_boolean_concept",
]
