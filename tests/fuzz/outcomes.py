"""What may come of a fit: an answer that holds together, or a complaint that helps.

The rule for complaints:

- `ValueError` says what is wrong with the table, the target, the weights or a parameter;
- `TypeError` only where scikit-learn raises it for the same: names of columns that are not all
  text, cells that are no numbers at all (`check_array` on objects), sparse tables for an estimator
  that takes none; and for arguments of another kind than asked for (an estimator that is none);
- either is raised on purpose: by a ``raise`` in thresher or scikit-learn, not by an array operation
  that happened to fail. What an estimator itself raises is passed on with a note that names the
  columns it was given.
"""

import faulthandler
import json
import linecache
import signal
import sys
import tempfile
import time
import traceback
import warnings
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from thresher import Selection
from thresher.selection import without_nan

#: Seconds of computing that one fit of a small table may take before it counts as hanging; the
#: first ones compile kernels. Others may keep the machine busy, hence not seconds of the clock.
PATIENCE = 60
#: Seconds of the clock after which whoever waits for nothing is killed.
_DEADLOCK = 900


class HangError(Exception):
    """A fit that does not come to an end."""


@contextmanager
def patience():
    """Interrupt what takes too long; kill what cannot be interrupted, and say where it was."""

    def ring(*_):
        raise HangError(f"no answer after {PATIENCE} s")

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    faulthandler.dump_traceback_later(_DEADLOCK, exit=True, file=sys.__stderr__)
    started = time.process_time()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGPROF, before)
    if time.process_time() - started > PATIENCE:
        raise HangError("too slow, and the alarm was swallowed")


@contextmanager
def no_leaks():
    """Let warnings for the user pass; numpy's warnings from thresher's own code are errors."""
    leaked = []

    def look(message, category, *_, **__):
        if issubclass(category, UserWarning):
            assert str(message)
            return
        if responsible(sys._getframe(1)) != "sklearn":  # what it does with odd numbers is its own
            trace = "".join(traceback.format_stack(sys._getframe(1), limit=8))
            leaked.append(f"{category.__name__}: {message}\n{trace}")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = look
        yield
    assert not leaked, leaked[0]


def responsible(frame):
    """Return which of thresher and scikit-learn is closer to what happens in a frame.

    Modules tell by their names, not by their files: whoever clones the project into a folder
    "thresher" has all packages of its environment below that folder.
    """
    while frame is not None:
        package = _package(frame)
        if package in ("thresher", "sklearn"):
            return package
        frame = frame.f_back
    return None


def _package(frame):
    return frame.f_globals.get("__name__", "").partition(".")[0]


def check_complaint(error, saying=""):
    """A complaint is raised on purpose, and has something to say."""
    told = str(error).strip()
    assert told, f"{type(error).__name__} without a word"
    assert saying in told
    if getattr(error, "__notes__", None):  # an estimator's own words, and its columns
        return
    *_, (frame, line_number) = traceback.walk_tb(error.__traceback__)
    file = frame.f_code.co_filename
    line = linecache.getline(file, line_number).strip()
    meant = line.startswith("raise") and _package(frame) in ("thresher", "sklearn")
    assert meant, f"by accident, in {file}:{line_number}: {line}\n{told}"
    if isinstance(error, TypeError):
        accepted = (
            "feature names",
            "Feature names",
            "argument must be",
            "sparse",
            "Sparse",
            "y_pred",
            "must be",
        )
        assert any(words in told for words in accepted), (
            f"a TypeError that should be a ValueError: {told}"
        )


def answer(act):
    """Call ``act``; return what it returns, or None after a complaint that is in order."""
    with patience(), no_leaks():
        try:
            return act()
        except (ValueError, TypeError) as error:
            check_complaint(error)
            return None


def check_selection(selection, n_columns, *, with_page=False):
    """One verdict for each column, and the same after a file."""
    names = [verdict.name for verdict in selection.verdicts]
    assert len(names) == n_columns
    assert len(set(names)) == n_columns
    assert set(selection.selected) <= set(names)
    assert {v.name for v in selection.verdicts if v.kind == "relevant"} == set(selection.selected)
    for verdict in selection.verdicts:
        assert verdict.reason, f"no reason for {verdict.name!r}"
        assert verdict.p_value is None or not (verdict.p_value < 0 or verdict.p_value > 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "selection.json"
        selection.save(path)
        loaded = Selection.load(path)
        expected = without_nan(selection.to_dict())
        assert without_nan(loaded.to_dict()) == expected
        assert json.loads(path.read_text(), parse_constant=_no_constants) == expected
        if with_page:
            selection.report(Path(folder) / "page.html")
    shown = repr(selection) + selection._repr_html_()
    assert all(c == "\n" or c.isprintable() for c in shown), "control characters in what is shown"


def _no_constants(word):
    raise AssertionError(f"{word} is not JSON")


def check_selector(fitted, X, n_rows, n_columns, *, with_page=False):
    """Attributes, selection and ``transform`` agree."""
    assert fitted.support_.shape == fitted.ranking_.shape == (n_columns,)
    assert fitted.support_.dtype == bool
    assert np.array_equal(fitted.ranking_ == 1, fitted.support_)
    chosen = {fitted.selection_.verdicts[p].name for p in np.flatnonzero(fitted.support_)}
    assert chosen == set(fitted.selection_.selected)
    check_selection(fitted.selection_, n_columns, with_page=with_page)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "No features were selected", UserWarning)
        shape = fitted.transform(X).shape
    assert shape == (n_rows, int(fitted.support_.sum()))
