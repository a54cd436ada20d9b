"""Trees for workers, who must find them by name."""

import os
import signal
import time
from pathlib import Path

from sklearn.tree import DecisionTreeClassifier

from tests.parallel.jobs import PATIENCE


class SleepyTree(DecisionTreeClassifier):
    """A tree that never comes to an end by itself, and leaves a mark when it begins and ends."""

    def __init__(self, marks="", max_depth=None, random_state=None):
        super().__init__(max_depth=max_depth, random_state=random_state)
        self.marks = marks

    def fit(self, X, y, **options):
        own = Path(self.marks) / str(os.getpid())
        own.with_suffix(".begun").touch()
        time.sleep(PATIENCE)
        own.with_suffix(".ended").touch()
        return super().fit(X, y, **options)


class DyingTree(DecisionTreeClassifier):
    """A tree whose first fit, in all processes together, kills its process."""

    def __init__(self, mark="", max_depth=None, random_state=None):
        super().__init__(max_depth=max_depth, random_state=random_state)
        self.mark = mark

    def fit(self, X, y, **options):
        if self.mark and not Path(self.mark).exists():
            Path(self.mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().fit(X, y, **options)
