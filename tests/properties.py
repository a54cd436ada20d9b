"""How property tests draw their examples.

In the suite each test sees the same examples on every machine, in every order and under every load.
``make fuzz`` draws others, more of them and new ones each time. An example that fails there is
written into ``tests/kept``, and the suite tries it from then on, before all others.
"""

import hashlib
import os
from base64 import b64decode, b64encode
from pathlib import Path

from hypothesis import HealthCheck, seed, settings
from hypothesis.database import ExampleDatabase
from hypothesis.internal.conjecture import providers

#: How many times as many examples as in the suite ``make fuzz`` draws; 0 in the suite.
TIMES = int(os.environ.get("THRESHER_FUZZ", "0"))
FOLDER = Path(__file__).parent / "kept"


def _no_constants_of_the_sources():
    return providers._local_constants


# Hypothesis also draws constants that it finds in the modules imported so far, which depends on the
# tests that ran before in the same process. It has no setting against it.
if not TIMES:
    providers._get_local_constants = _no_constants_of_the_sources

# No deadline and no complaint about slow examples: both depend on the load of the machine. Every
# setting is named, since hypothesis has other defaults where it believes to run in CI.
settings.register_profile(
    "thresher",
    derandomize=False,
    deadline=None,
    database=None,
    print_blob=False,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("thresher")


class KeptExamples(ExampleDatabase):
    """The failures of one test, a file each; the suite only reads them.

    A file holds the choices that made the example, and means something else once the strategies
    change: turn it into a test of its own and delete it.
    """

    def __init__(self, folder, *, read_only):
        super().__init__()
        self.folder = folder
        self.read_only = read_only
        self._new = set()

    def fetch(self, key):
        """Yield what was kept, whatever version of the test it failed."""
        if _is_primary(key) and self.folder.is_dir():
            for path in sorted(self.folder.iterdir()):
                yield b64decode(path.read_text())

    def save(self, key, value):
        """Keep a failure."""
        path = self._path(value)
        if _is_primary(key) and not self.read_only and not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            path.write_text(b64encode(value).decode() + "\n")
            self._new.add(value)

    def delete(self, key, value):
        """Forget a failure for which a smaller example was found, but nothing of earlier runs."""
        if _is_primary(key) and value in self._new:
            self._new.remove(value)
            self._path(value).unlink(missing_ok=True)

    def _path(self, value):
        return self.folder / hashlib.sha256(value).hexdigest()[:16]


def _is_primary(key):
    """Whether a key stands for failures, not for what led to them."""
    return not key.endswith((b".secondary", b".pareto", b".hypothesis-keys"))


def examples(n_examples):
    """Let a property test draw so many examples in the suite, and a multiple in ``make fuzz``."""

    def decorate(test):
        kept = KeptExamples(
            FOLDER / f"{test.__module__.rpartition('.')[2]}.{test.__name__}", read_only=not TIMES
        )
        test = settings(max_examples=n_examples * max(TIMES, 1), database=kept)(test)
        return test if TIMES else seed(0)(test)

    return decorate
