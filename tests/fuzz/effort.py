"""How many tables: a few and always the same in the suite, thousands of others in ``make fuzz``."""

import os
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

#: Tables in total, over all subjects; 0 in the suite.
ASKED = int(os.environ.get("THRESHER_FUZZ", "0"))


def effort(*, in_suite, n_subjects):
    """Settings for one of ``n_subjects``."""
    common = {"deadline": None, "suppress_health_check": list(HealthCheck), "print_blob": True}
    if not ASKED:
        return settings(max_examples=in_suite, derandomize=True, database=None, **common)
    # outside of the tree; what failed is tried again first
    known = DirectoryBasedExampleDatabase(Path(tempfile.gettempdir()) / "thresher-fuzz")
    return settings(max_examples=max(ASKED // n_subjects, 1), database=known, **common)
