"""The papers' experiments, ours beside the printed figures.

To add one, write ``_name.py`` with an `Experiment`, import it here and list it in ``__all__``; the
command ``thresher reproduce`` and the shared tests pick it up.
"""

from ._ace_figure1 import ACE_FIGURE1
from ._ace_figure2 import ACE_FIGURE2
from ._ace_hepatitis import ACE_HEPATITIS
from ._ace_null import ACE_NULL
from ._ace_power import ACE_POWER
from ._ace_table2 import ACE_TABLE2
from ._ace_table6 import ACE_TABLE6
from ._ace_tied import ACE_TIED
from ._base import Conditions, Experiment
from ._cells import Cell, Spread, shown
from ._definitions import DEFINITIONS
from ._draw import draw
from ._filters_null import FILTERS_NULL
from ._items import PAPERS, item_name, items_of, showing
from ._kept import Kept, admit
from ._oblivion_curves import OBLIVION_CURVES
from ._oblivion_figure2_1 import OBLIVION_FIGURE2_1
from ._oblivion_noise import OBLIVION_NOISE
from ._oblivion_scaling import OBLIVION_SCALING
from ._picture import Panel, Picture, Series
from ._racing_families import RACING_FAMILIES, RACING_WIDE
from ._racing_figure1 import RACING_FIGURE1
from ._racing_figures2_3 import RACING_FIGURES2_3
from ._racing_level import RACING_LEVEL
from ._racing_table1 import RACING_TABLE1
from ._racing_table2 import RACING_TABLE2
from ._racsam_table1 import RACSAM_TABLE1
from ._racsam_table2 import RACSAM_TABLE2
from ._record import machine, markdown_table, page_of, save, write_index
from ._result import Result
from ._rve_figure1 import RVE_FIGURE1
from ._rve_figures2_3 import RVE_FIGURES2_3
from ._rve_figures4_5 import RVE_FIGURES4_5
from ._rve_table4 import RVE_TABLE4
from ._rve_table5 import RVE_TABLE5
from ._rve_tables6_9 import RVE_TABLES6_9
from ._select_noise import SELECT_NOISE

__all__ = [
    "Cell",
    "Conditions",
    "Experiment",
    "Kept",
    "Panel",
    "Picture",
    "Result",
    "Series",
    "Spread",
    "shown",
    "EXPERIMENTS",
    "PAPERS",
    "admit",
    "draw",
    "item_name",
    "items_of",
    "machine",
    "markdown_table",
    "page_of",
    "save",
    "showing",
    "write_index",
    "ACE_NULL",
    "ACE_POWER",
    "ACE_FIGURE1",
    "ACE_FIGURE2",
    "ACE_TIED",
    "ACE_TABLE2",
    "ACE_TABLE6",
    "ACE_HEPATITIS",
    "FILTERS_NULL",
    "OBLIVION_FIGURE2_1",
    "OBLIVION_CURVES",
    "OBLIVION_SCALING",
    "OBLIVION_NOISE",
    "RACING_TABLE1",
    "RACING_TABLE2",
    "RACING_FIGURE1",
    "RACING_FIGURES2_3",
    "RACING_FAMILIES",
    "RACING_WIDE",
    "RACING_LEVEL",
    "RACSAM_TABLE1",
    "RACSAM_TABLE2",
    "RVE_FIGURE1",
    "RVE_FIGURES2_3",
    "RVE_FIGURES4_5",
    "RVE_TABLE4",
    "RVE_TABLE5",
    "RVE_TABLES6_9",
    "SELECT_NOISE",
    "DEFINITIONS",
]

#: Every experiment by its name on the command line.
EXPERIMENTS: dict[str, Experiment] = {
    member.name: member
    for member in (globals().get(name) for name in __all__)
    if isinstance(member, Experiment)
}
