"""Run a selection that is killed again and again; a program of its own, because it forks.

``python killed.py METHOD FOLDER SEED N_KILLS`` prints, as JSON, the selection that came out in the
end, the one of a run that nobody disturbed, and how often work was done twice.
"""

import hashlib
import json
import os
import random
import signal
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression

from thresher import ACE, RVErS, select
from thresher.journal import Scope

#: Seconds that a fit takes at least, so that there is something to be killed in.
FIT = 0.004


class Logged(ClassifierMixin, BaseEstimator):
    """A classifier that notes each fit as it begins."""

    def fit(self, X, y):
        X = np.asarray(X, dtype=float)
        note(hashlib.sha1(X.tobytes() + np.asarray(y).tobytes()).hexdigest())
        time.sleep(FIT)
        self.model_ = LogisticRegression(C=0.5).fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(np.asarray(X, dtype=float))


def note(line):
    handle = os.open(os.environ["LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, line.encode() + b"\n")
    os.close(handle)


def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 8))
    y = (X[:, 0] + X[:, 1] - X[:, 2] + 0.5 * rng.normal(size=120) > 0).astype(int)
    return X, y


def run(method, journal):
    """The selection, without what depends on the clock."""
    X, y = table()
    if method == "rvers":
        found = RVErS(Logged(), random_state=1, journal=journal).fit(X, y).selection_
    elif method == "ace":
        found = ACE(n_trees=20, random_state=1, journal=journal).fit(X, y).selection_
    else:
        found = select(
            X, y, estimator=Logged(), validate=2, random_state=1, journal=journal, progress=False
        )
    return without_clock(found.to_dict())


def without_clock(content):
    """A result that can be compared: without seconds, and with NaN equal to itself."""
    if isinstance(content, dict):
        return {k: without_clock(v) for k, v in content.items() if k != "seconds"}
    if isinstance(content, (list, tuple)):
        return [without_clock(own) for own in content]
    return content if content == content else "nan"


def in_a_child(method, folder, delay):
    """Run it in a child; kill that after a while, unless it is done. Return whether it is."""
    child = os.fork()
    if child == 0:
        found = run(method, folder / "run.db")
        draft = folder / "result.draft"
        draft.write_text(json.dumps(found))
        os.replace(draft, folder / "result.json")
        os._exit(0)
    if delay is not None:
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return (folder / "result.json").exists()


def main(method, folder, seed, n_kills):
    warnings.simplefilter("ignore")
    os.environ["LOG"] = str(folder / "undisturbed.log")
    run(method, None)  # compiles what must be compiled
    started = time.perf_counter()
    undisturbed = run(method, None)
    seconds = time.perf_counter() - started
    n_fits = len(lines(folder / "undisturbed.log")) // 2
    os.environ["LOG"] = str(folder / "log")
    written = Scope.note

    def noted(self, entry, what, *key):
        note(hashlib.sha1(repr((self.name, what, key)).encode()).hexdigest())
        written(self, entry, what, *key)

    Scope.note = noted
    rng = random.Random(seed)
    killed = 0
    while killed < n_kills:
        if in_a_child(method, folder, rng.uniform(0, 1.6 * seconds / n_kills)):
            break
        killed += 1
    in_a_child(method, folder, None)
    log = lines(folder / "log")
    content = (folder / "result.json").read_text()
    print(
        json.dumps(
            {
                "same": json.loads(content) == json.loads(json.dumps(undisturbed)),
                "selected": json.loads(content)["selected"],
                "killed": killed,
                "twice": len(log) - len(set(log)),
                "n_fits": n_fits,
                "n_logged": len(set(log)),
            }
        )
    )


def lines(path):
    return path.read_text().split() if path.exists() else []


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
