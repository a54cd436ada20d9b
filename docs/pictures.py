"""The pictures of the documentation, each from a real run: ``python docs/pictures.py [NAME ...]``.

One function per picture; it returns a figure, and the file is called after it. The background is
transparent and colours are of middle brightness, so that they can be read on white and on black.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.preprocessing import StandardScaler

from thresher import ACE, Oblivion, RVErS, select
from thresher.datasets import make_boolean_concept, make_double_friedman, make_seven_of_ten
from thresher.evaluators import evaluator_for
from thresher.filters import CFS, FCBF, GainRatio, GramSchmidt, ReliefF
from thresher.learners import DiscreteNB, KernelRegressor, LazyRegressor
from thresher.races import Brace, Friedman, LossMatrix, Subsamples
from thresher.searches import elimination_schedule

FOLDER = Path(__file__).parent / "pictures"

INK = "#787d87"
FAINT = "#787d8755"
GREEN, ORANGE, BLUE, RED = "#2a9d7c", "#d58a2b", "#4c8fd0", "#d1605e"

STYLE = {
    "svg.hashsalt": "thresher",
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlesize": 10,
    "axes.titlecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "legend.labelcolor": INK,
    "lines.linewidth": 1.6,
}


def ace() -> Figure:
    """Scores of the columns in the first round, beside the best contrast of each replicate."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    selector = ACE(random_state=0).fit(X, y)
    first = selector.iterations_[0]
    scores = first.importances.scores.mean(axis=0)
    best_contrasts = first.importances.contrasts.max(axis=1)
    order = np.argsort(scores)
    figure, axes = new_figure(6.4, 5.8)
    axes.axvspan(best_contrasts.min(), best_contrasts.max(), color=INK, alpha=0.18, lw=0)
    axes.plot(
        best_contrasts, np.full(len(best_contrasts), -1.2), "|", color=INK, ms=9,
        label="best contrast of each replicate",
    )  # fmt: skip
    axes.axvline(first.test.threshold, color=INK, ls="--", lw=1, label="threshold")
    kept, found = set(first.kept), set(first.found)
    kinds = {
        "kept": (GREEN, [v in kept for v in order]),
        "important, but another column stands for it": (
            ORANGE, [v in found and v not in kept for v in order],
        ),
        "not told from contrasts": (BLUE, [v not in found for v in order]),
    }  # fmt: skip
    for label, (colour, mine) in kinds.items():
        places = np.flatnonzero(mine)
        axes.plot(scores[order][places], places, "o", color=colour, ms=5.5, label=label)
    axes.set_xscale("symlog", linthresh=0.5)
    axes.set_yticks(range(len(order)), X.columns[order], fontsize=8)
    axes.set_ylim(-2, len(order))
    axes.set_xlabel("score, in units of the best contrast (round 1)")
    axes.set_title(f"{len(found)} columns beat the contrasts, {len(kept)} are kept")
    axes.legend(loc="lower right", fontsize=8.5)
    return figure


def racing() -> Figure:
    """A race of kernel widths over the rows of the diabetes table."""
    X, y = load_diabetes(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    widths = 2.0 ** np.arange(-2.0, 4.01, 0.25)
    everything = [frozenset(range(X.shape[1]))]
    losses = np.array(
        [
            evaluator_for(KernelRegressor(width=w), X, y, cv="loo").losses(everything)[0]
            for w in widths
        ]
    ).T
    source = LossMatrix(losses)
    finish = Brace(gamma=30).run(source, range(len(widths)), np.random.default_rng(0))
    figure, axes = new_figure(6.4, 3.6)
    base = finish.seen[finish.winner]
    for k, seen in enumerate(finish.seen):
        n = np.unique(np.geomspace(15, len(seen), 80).astype(int))
        gap = np.cumsum(seen - base[: len(seen)])[n - 1] / n
        wins = k == finish.winner
        axes.plot(n, gap, color=GREEN if wins else RED, lw=2.2 if wins else 1.1, zorder=2 + wins)
        axes.plot(n[-1], gap[-1], "o" if wins else "x", color=GREEN if wins else RED, zorder=3)
    axes.set_xscale("log")
    ticks = [n for n in (15, 30, 60, 120, 240, 442) if n <= len(base)]
    axes.set_xticks(ticks, map(str, ticks))
    axes.minorticks_off()
    axes.set_xlabel("rows seen")
    axes.set_ylabel("mean loss minus the winner's")
    axes.set_title(
        f"{len(widths)} kernel widths: {source.n_losses / losses.size:.0%} of all losses computed"
    )
    for colour, marker, label in ((RED, "x", "leaves the race"), (GREEN, "o", "wins")):
        axes.plot([], [], color=colour, marker=marker, label=label)
    axes.legend(loc="upper right", fontsize=8.5)
    return figure


def rve() -> Figure:
    """The schedule, and what it does to a table of 100 columns of which ten are relevant."""
    figure, (left, right) = new_figure(6.6, 3.3, columns=2)
    for r, colour in ((2, BLUE), (5, GREEN), (10, ORANGE), (20, RED)):
        plan = elimination_schedule(100, r)
        left.step(range(r, 101), plan.k[r:], color=colour, where="mid", label=f"{r} relevant")
    left.set_xlabel("columns left")
    left.set_ylabel("columns to draw")
    left.set_title("How many to remove at once")
    left.legend(fontsize=8.5)
    data = make_seven_of_ten(random_state=0)
    searches = {
        "one at a time": ({"strategy": "paper", "k": 1}, BLUE),
        "as published, at most 20": ({"strategy": "paper", "r_max": 20}, ORANGE),
        "ours": ({}, GREEN),
    }
    for label, (settings, colour) in searches.items():
        selector = RVErS(DiscreteNB(), random_state=0, **settings).fit(data.X, data.y)
        steps = selector.selection_.trace
        done = [step for step in steps if step["accepted"]]
        tried = [*(step["evaluations"] for step in done), steps[-1]["evaluations"]]
        left_over = [*(step["n_variables"] for step in done), done[-1]["n_variables"]]
        right.step(tried, left_over, color=colour, where="post", label=label)
    right.axhline(10, color=INK, ls="--", lw=1)
    right.set_ylim(0, 104)
    right.set_xlabel("subsets judged")
    right.set_ylabel("columns left")
    right.set_title("Seven of ten, among 100 columns")
    right.legend(fontsize=8.5)
    return figure


def racsam() -> Figure:
    """One race of 1000 random subsets on samples of the rows that grow."""
    data = make_double_friedman(n_features=30, n_rows=1000, random_state=0)
    rng = np.random.default_rng(1)
    subsets = [
        frozenset(rng.choice(30, rng.integers(1, 13), replace=False).tolist()) for _ in range(1000)
    ]
    plan = Subsamples(first=50, growth=10, max_tested=100)
    evaluator = evaluator_for(LazyRegressor(), data.X, data.y, cv="loo", loss="absolute")
    judge = Friedman(posthoc="worst", subsamples=plan, min_rows=2)
    finish = judge.run(evaluator, subsets, np.random.default_rng(0), n_winners=5)
    left_at = np.array([len(seen) for seen in finish.seen])
    tested = np.arange(1, left_at.max() + 1)
    n_in = [(left_at >= n).sum() for n in tested]
    hits = np.array([len(subset.intersection(data.relevant)) for subset in subsets])
    share = [hits[left_at >= n].mean() for n in tested]
    figure, (left, right) = new_figure(6.6, 3.3, columns=2)
    left.step(tested, n_in, color=GREEN, where="post", label="subsets in the race")
    n_train = np.minimum(plan.first + plan.growth * (tested - 1), len(data.y) - 1)
    left.step(tested, n_train, color=ORANGE, where="post",
              label="rows to learn from")  # fmt: skip
    left.set_yscale("log")
    left.set_xlabel("rows tested")
    left.set_title("Few subsets see large samples")
    left.legend(fontsize=8.5, loc="lower center")
    right.step(tested, share, color=GREEN, where="post")
    right.axhline(share[0], color=INK, ls="--", lw=1)
    right.annotate("all 1000", (tested[-1], share[0]), (0, -12), fontsize=8.5, ha="right",
                   textcoords="offset points")  # fmt: skip
    right.set_ylim(0, 10)
    right.set_xlabel("rows tested")
    right.set_ylabel("relevant columns held, of 10")
    right.set_title("Those still in: mean over subsets")
    return figure


def oblivion() -> Figure:
    """The errors on the way from all columns down to none, and three places to stop."""
    data = make_boolean_concept("parity-like", n_irrelevant=20, n_rows=200, random_state=0)
    rng = np.random.default_rng(0)
    y = np.where(rng.random(len(data.y)) < 0.1, 1 - data.y, data.y)
    ours = Oblivion().fit(data.X, y)
    paper = Oblivion(strategy="paper").fit(data.X, y)
    steps = [step for step in ours.selection_.trace if step["accepted"]]
    size = np.array([step["n_variables"] for step in steps])
    loss = np.array([step["loss"] for step in steps])
    error = np.array([step["standard_error"] for step in steps])
    best = int(np.argmin(loss))
    figure, axes = new_figure(6.4, 3.5)
    axes.axhspan(loss[best], loss[best] + error[best], color=INK, alpha=0.18, lw=0)
    axes.annotate("within one standard error of the lowest", (23, loss[best] + error[best]), (0, 4),
                  textcoords="offset points", fontsize=8.5)  # fmt: skip
    axes.plot(size, loss, "-o", color=BLUE, ms=3.5, lw=1.2)
    for label, n, colour, marker in (
        ("as published: every removal adds errors", paper.n_features_, RED, "s"),
        ("lowest loss", size[best], ORANGE, "D"),
        ("ours: the smallest within one standard error", ours.n_features_, GREEN, "o"),
    ):
        axes.plot(n, loss[size == n][0], marker, color=colour, ms=9, ls="none", label=label)
    axes.invert_xaxis()
    axes.set_ylim(0, 0.55)
    axes.set_xlabel("columns left (three of 23 are relevant)")
    axes.set_ylabel("errors, leave-one-out")
    axes.legend(fontsize=8.5, loc="upper left", ncols=1)
    return figure


def filters() -> Figure:
    """What each filter selects of a table in which columns matter in different ways."""
    X, names, y = _kinds_of_influence()
    methods: dict[str, Any] = {
        "GainRatio": GainRatio(),
        "FCBF": FCBF(),
        "CFS": CFS(),
        "GramSchmidt": GramSchmidt(),
        "ReliefF": ReliefF(random_state=0),
        "ACE": ACE(random_state=0),
    }
    figure, axes = new_figure(6.4, 3.6)
    for column, method in enumerate(methods.values()):
        chosen = method.fit(X, y).support_
        for row, name in enumerate(names):
            wanted = not name.startswith(("copy", "noise"))
            colour = (GREEN if wanted else RED) if chosen[row] else FAINT
            axes.plot(column, row, "o" if chosen[row] else ".", color=colour,
                      ms=11 if chosen[row] else 4)  # fmt: skip
    axes.set_xticks(range(len(methods)), methods, fontsize=9)
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(length=0)
    axes.xaxis.tick_top()
    axes.invert_yaxis()
    axes.margins(0.09)
    for side in axes.spines.values():
        side.set_visible(False)
    for label, colour in (("selected", GREEN), ("selected, though superfluous", RED)):
        axes.plot([], [], "o", color=colour, ms=8, label=label)
    axes.legend(loc="upper center", bbox_to_anchor=(0.45, -0.02), ncols=2, fontsize=8.5)
    return figure


def _kinds_of_influence() -> tuple[np.ndarray, list[str], np.ndarray]:
    rng = np.random.default_rng(0)
    strong, weak, bent, one, two, *noise = rng.normal(size=(8, 1000))
    score = 1.5 * strong + 0.5 * weak + (bent**2 - 1) + 2.5 * (np.sign(one) == np.sign(two)) - 1.25
    y = (score + rng.logistic(size=1000) > 0).astype(int)
    names = ["strong", "copy of strong", "weak", "bent: its square matters",
             "pair: one", "pair: the other", "noise 1", "noise 2", "noise 3"]  # fmt: skip
    copy = strong + 0.3 * rng.normal(size=1000)
    return np.column_stack([strong, copy, weak, bent, one, two, *noise]), names, y


def report() -> None:
    """The head of a report, as Chromium shows it; this one writes its file itself."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    selection = select(X, y, estimator="naive-bayes", validate=5, random_state=0)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "report.html")
        selection.report(page)
        subprocess.run(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--disable-background-networking", f"--user-data-dir={folder}/profile",
             "--window-size=1200,1010", f"--screenshot={FOLDER / 'report.png'}", page.as_uri()],
            check=True, capture_output=True,
        )  # fmt: skip


def new_figure(width: float, height: float, columns: int = 1) -> Any:
    """Return a figure and its axes."""
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(1, columns)


PICTURES: dict[str, Callable[[], Figure | None]] = {
    made.__name__: made for made in (ace, racing, rve, racsam, oblivion, filters, report)
}


def main(names: list[str]) -> None:
    """Draw some pictures, or all."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or PICTURES:
        with mpl.rc_context(STYLE):
            figure = PICTURES[name]()
            if figure is not None:
                figure.savefig(FOLDER / f"{name}.svg", metadata={"Date": None})


if __name__ == "__main__":
    main(sys.argv[1:])
