"""Run selections that are killed again and again; a program of its own, because it forks.

``python killed.py FOLDER SEED N_KILLS METHOD...`` prints, as JSON, for each method whether the
selection that came out in the end is the one of a run that nobody disturbed, and how often work was
done twice. Runs are killed after a number of results, not of seconds, so that it is the same on
every machine.
"""

import hashlib
import json
import os
import random
import signal
import sys
import warnings
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression

from thresher import ACE, RVErS, select
from thresher.journal import Journal, peek

#: When a run is killed: before a result is written, while SQLite is at it, and when it is done.
MOMENTS = ("before", "within", "after")


class Logged(ClassifierMixin, BaseEstimator):
    """A classifier that notes each fit as it begins."""

    def fit(self, X, y):
        X = np.asarray(X, dtype=float)
        note(hashlib.sha1(X.tobytes() + np.asarray(y).tobytes()).hexdigest())
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


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def die_with(number, moment):
    """Have this process killed when it writes its so many-th result."""
    genuine, begun = Journal.add, []

    def add(self, key, what, entry):
        begun.append(key)
        last = len(begun) == number
        if last and moment == "before":
            die()
        if last and moment == "within":
            self._database.set_progress_handler(die, 2)  # called by SQLite in a statement
        genuine(self, key, what, entry)
        if last:
            die()

    Journal.add = add


def in_a_child(method, folder, death=None):
    """Run it in a child, which is killed at some point. Return whether it was."""
    child = os.fork()
    if child == 0:
        if death is not None:
            die_with(*death)
        found = run(method, folder / "run.db")
        (folder / "result.json").write_text(json.dumps(found))
        os._exit(0)
    return os.waitpid(child, 0)[1] == signal.SIGKILL


def killed_again_and_again(method, folder, rng, n_kills):
    folder.mkdir()
    os.environ["LOG"] = str(folder / "undisturbed.log")
    undisturbed = run(method, folder / "undisturbed.db")
    n_results = peek(folder / "undisturbed.db").n_results
    os.environ["LOG"] = str(folder / "log")
    # so few each time that there is always something left to be killed in
    most = n_results // n_kills
    deaths = [(rng.randint(1, most), MOMENTS[k % len(MOMENTS)]) for k in range(n_kills)]
    n_killed = sum(in_a_child(method, folder, death) for death in deaths)
    n_written = peek(folder / "run.db").n_results
    in_a_child(method, folder)
    log = (folder / "log").read_text().split() if (folder / "log").exists() else []
    content = json.loads((folder / "result.json").read_text())
    return {
        "same": content == json.loads(json.dumps(undisturbed)),
        "killed": n_killed,
        "begun": sum(number for number, _ in deaths),  # results, in runs that were killed
        "lost": sum(moment != "after" for _, moment in deaths),
        "written": n_written,
        "twice": len(log) - len(set(log)),  # fits
        "missing": n_results - peek(folder / "run.db").n_results,
    }


def main(folder, seed, n_kills, methods):
    warnings.simplefilter("ignore")
    rng = random.Random(seed)
    found = {
        method: killed_again_and_again(method, folder / method, rng, n_kills) for method in methods
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
