"""One call: how many columns are enough, which ones, and why."""

import inspect
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from thresher.journal import Scope, describe, digest, opened
from thresher.selection import Selection
from thresher.selectors import data_header, library_versions

from ._allowance import read_budget
from ._join import ending_of
from ._plan import make_plan
from ._progress import watcher_for
from ._question import Question, read_question
from ._repeats import folds_for, resamples_for, stability_of
from ._work import Work

__all__ = ["select"]


def select(
    X: Any,
    y: Any,
    *,
    goal: str | None = None,
    estimator: Any = None,
    method: Any = "auto",
    task: str = "auto",
    tolerance: float | None = None,
    alpha: float = 0.05,
    max_features: int | None = None,
    budget: Any = None,
    feature_groups: Any = None,
    keep: Sequence[str | int] = (),
    validate: Any = None,
    stability: int | None = None,
    random_state: Any = None,
    journal: Any = None,
    n_jobs: int | None = None,
    memory: Any = None,
    progress: Any = "auto",
) -> Selection:
    """Find the smallest set of columns that is enough, with a verdict and its reason for each.

    Parameters
    ----------
    X : data frame, array, sparse matrix or path
        The inputs, as they are: numbers, categories, text, dates, missing cells. A path names a
        file, see `thresher.files.read_table`, or a folder of Parquet or Arrow files.
    y : array-like of shape (n_rows,) or str
        The target: classes or numbers; or the name of a column of X.
    goal : {"predict", "explain", "all-relevant"}, default="predict"
        What the selection is for. "predict": the smallest set that is shown to predict held-out
        rows as well as the best set known. "explain": what is proved to matter, without what is
        redundant given the rest. "all-relevant": all that is proved to matter, redundant columns
        included. The result holds the evidence for all three: see `Selection.view`.
    estimator : classifier, regressor or str, optional
        The estimator for which the columns must be enough; by default boosted trees or a linear
        model, whichever predicts better. A name such as "gradient-boosting", "knn" or "linear" will
        do; ``thresher methods`` lists them.
    method : str or selector, default="auto"
        "auto" screens by `ACE`, then looks for the smallest set that is enough. Or the name of a
        selector such as "stepwise" or "cfs", or one of thresher's selectors. Its own parameters
        (alpha, loss, limits, groups and seed) apply, unless they are given here.
    task : {"auto", "classification", "regression"}, default="auto"
        What the target is. "auto" takes labels and few whole numbers for classes.
    tolerance : float, default=0.06
        Largest rise of the loss over that of the best set, as a share of that loss. A set is enough
        if held-out rows show, with 95 % confidence, that its loss rises no more, and if the
        estimated rise is at most half of that. Where little can be predicted, the gain over
        knowing nothing limits both.
    alpha : float, default=0.05
        Level of the tests: the probability of proving any column relevant in a table in which none
        is. A selector given as ``method`` has its own.
    max_features : int, optional
        Largest number of columns.
    budget : float or str, optional
        Seconds, a duration such as "10m", or "500 evaluations"; then the best answer so far.
    feature_groups : mapping or sequence of columns, optional
        Columns that are kept or dropped as a group.
    keep : sequence of columns, default=()
        Columns that are always selected.
    validate : int or splitter, optional
        Folds. The whole selection is repeated in each, and judged on rows it has not seen: the loss
        with the selected columns, with all, with equally many at random, and with none.
    stability : int, optional
        Number of random parts of the rows (63 % of them) on which to repeat the selection. If None,
        the folds of ``validate`` tell how often each column is chosen.
    random_state : int, RandomState or None, default=None
        Source of all randomness; ``settings["random_state"]`` of the result repeats it.
    journal : path, optional
        A file to which all that takes long is written as soon as it is known. If the process dies,
        the same call goes on from there and comes to the same result. Meanwhile
        ``thresher report`` makes a page of it.
    n_jobs : int, optional
        Number of workers. The result does not depend on it.
    memory : int or str, optional
        Most memory for a table that is read from a path, such as "2GB". A larger one is coded, see
        `thresher.coded.code_dataset`, and so are folders of files; ACE draws rows from it.
    progress : bool, "auto" or callable, default="auto"
        Whether to show progress on stderr; "auto" where it is a terminal. A callable is called at
        each step, and ends the search by returning a true value.

    Returns
    -------
    Selection
        With ``explanation``, ``validation`` and ``stability``.

    See Also
    --------
    ACE : The screening, as a scikit-learn selector for pipelines.
    Selection.at : The set of another size or tolerance.
    Selection.view : The selection for another goal.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from thresher import select
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selection = select(X, y, random_state=0)
    >>> selection.selected[0]
    'flavanoids'
    >>> selection.settings["call"]
    'select(X, y, random_state=0)'
    """
    asked = {
        "goal": goal, "estimator": estimator, "method": method, "task": task,
        "tolerance": tolerance, "alpha": alpha,
        "max_features": max_features, "budget": budget, "feature_groups": feature_groups,
        "keep": keep, "validate": validate, "stability": stability, "memory": memory,
    }  # fmt: skip
    with _told_once() as told, opened(journal) as pages:
        question = read_question(
            X, y, estimator=estimator, method=method, task=task, alpha=alpha,
            max_features=max_features, goal=goal, tolerance=tolerance,
            feature_groups=feature_groups, keep=keep, random_state=random_state, memory=memory,
        )  # fmt: skip
        question = _admitted(pages, question, asked, fixed=random_state is not None)
        allowance = read_budget(budget)
        plan = make_plan(question, allowance.parameters, n_jobs)
        seeds = np.random.RandomState(question.seed).randint(2**31 - 1, size=5).tolist()
        folds = folds_for(validate, question.target, seeds[1])
        if folds:
            pages.admit({"validation": digest([list(fold) for fold in folds]).hex()})
        resamples = resamples_for(stability, question.target, seeds[2])
        with watcher_for(progress) as watcher:
            watcher.limit(allowance)
            work = Work(
                plan, question, watcher, allowance,
                n_folds=len(folds), n_resamples=len(resamples), journal=pages,
            )  # fmt: skip
            found = work.select(seeds[0])
            checked, chosen = work.validate(folds, seeds[3]) if folds else (None, [])
            parts = work.resample(resamples, seeds[4]) if resamples else chosen
        n_used = len(resamples[0]) if resamples else len(folds[0][0]) if folds else 0
        share = n_used / question.columns.n_rows
        whole = replace(
            found,
            explanation=plan.explanation,
            validation=checked,
            stability=stability_of(parts, question.columns.names, share),
            settings={
                **found.settings,
                "call": _call({**asked, "random_state": question.seed}),
                "random_state": question.seed,
                "ending": work.ending or ending_of(found),
            },
        )
        pages.show(whole)
    for category, message in [*told, *work.shortcomings]:
        warnings.warn(message, category, stacklevel=2)
    return whole


def _admitted(
    journal: Scope, question: Question, asked: Mapping[str, Any], *, fixed: bool
) -> Question:
    """Refuse a journal of another question; take the seed from one of the same."""
    if getattr(question.method, "journal", None) is not None:
        raise ValueError(
            "journal: give it to select, not to the method, which is run several times"
        )
    if not journal:
        return question
    fixed = fixed or getattr(question.method, "random_state", None) is not None
    seed = journal.settle_seed(question.seed, fixed=fixed)
    free = ("budget",)  # more of it goes further on the same way
    journal.admit(
        {
            "versions": library_versions(),
            "method": "select",
            "parameters": {k: describe(v) for k, v in asked.items() if k not in free},
            **data_header(question.variables, question.target),
        }
    )
    return replace(question, seed=seed)


def _call(asked: Mapping[str, Any]) -> str:
    """Write down the call that gives this selection again, without default arguments."""
    default = inspect.signature(select).parameters
    given = [
        f", {name}={value!r}"
        for name, value in asked.items()
        if repr(value) != repr(default[name].default)
    ]
    return f"select(X, y{''.join(given)})"


#: What numpy says where numbers overflow, or are none.
_NUMPYS = " encountered in "


@contextmanager
def _told_once() -> Iterator[list[tuple[type[Warning], str]]]:
    """Collect what the stages warn of, each message once, to be told at the user's own line.

    What numpy says of single operations tells nothing there, and is left out: if it matters, an
    error or a missing figure comes of it. Warnings are caught for the whole process, so not in
    threads.
    """
    told: list[tuple[type[Warning], str]] = []
    if threading.current_thread() is not threading.main_thread():
        yield told
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield told
    all_told = dict.fromkeys((warning.category, str(warning.message)) for warning in caught)
    told += [one for one in all_told if not (one[0] is RuntimeWarning and _NUMPYS in one[1])]
