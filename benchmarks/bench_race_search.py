"""RaceSearchCV against scikit-learn's GridSearchCV: the best of 20 memory-based models.

Run ``python benchmarks/bench_race_search.py``. Kernel and locally weighted regression with ten
widths each, by leave-one-out, one worker on both sides. What a race costs depends on how far apart
the best models are, so there are several tables, and the bar of 5 % of all losses is printed beside
each. GridSearchCV is timed on some of its folds only: all of them would take minutes.
"""

from time import perf_counter

import numpy as np
from sklearn.model_selection import GridSearchCV, LeaveOneOut
from sklearn.pipeline import Pipeline

from thresher import RaceSearchCV
from thresher.learners import KernelRegressor, LocallyWeightedRegressor

N_ROWS, N_COLUMNS, N_SEEDS, N_FOLDS = 1000, 12, 10, 20
BAR = 0.05
MODEL = Pipeline([("model", KernelRegressor())])
GRID = {
    "model": [KernelRegressor(), LocallyWeightedRegressor()],
    "model__width": [2.0**-k for k in range(10)],
}


def sheet(*, thickness, noise):
    """Rows on a curved sheet in 12 dimensions, or near it, and a smooth target on it."""
    rng = np.random.default_rng(0)
    place = rng.uniform(-1.0, 1.0, size=(N_ROWS, 2))
    directions = rng.normal(size=(2, N_COLUMNS))
    X = np.tanh(place @ directions) / 2 + thickness * rng.normal(size=(N_ROWS, N_COLUMNS))
    y = np.sin(3 * place[:, 0]) * np.cos(2 * place[:, 1]) + noise * rng.normal(size=N_ROWS)
    return X, y


def cube():
    """Rows all over a cube, of whose 12 columns five matter: no neighbour is near."""
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(N_ROWS, N_COLUMNS))
    y = sum(np.sin(2 * np.pi * X[:, j]) / (j + 1) for j in range(5))
    return X, y / y.std() + 0.3 * rng.normal(size=N_ROWS)


TABLES = {
    "a sheet, little noise": sheet(thickness=0.0, noise=0.02),
    "a thick sheet, some noise": sheet(thickness=0.02, noise=0.1),
    "a cube": cube(),
}


def search(**settings):
    return RaceSearchCV(MODEL, GRID, refit=False, **settings)


def seconds(function, *args):
    start = perf_counter()
    result = function(*args)
    return result, perf_counter() - start


def compare(name, X, y):
    """Race with several seeds; return the median time."""
    every, exhaustive = seconds(search(race="exhaustive").fit, X, y)
    raced = [seconds(search(random_state=seed).fit, X, y) for seed in range(N_SEEDS)]
    ratios = [race.n_losses_ / every.n_losses_ for race, _ in raced]
    n_same = sum(race.best_index_ == every.best_index_ for race, _ in raced)
    scores = every.cv_results_["mean_test_score"]
    regret = max(every.best_score_ - scores[race.best_index_] for race, _ in raced)
    time = float(np.median([time for _, time in raced]))
    verdict = "met" if np.median(ratios) <= BAR else "MISSED"
    print(f"  {name}: best {every.best_params_}, loss {-every.best_score_:.5f}")
    print(
        f"    losses of a race / all {every.n_losses_:,}: median {np.median(ratios):.3f} (bar "
        f"{BAR}: {verdict}), {min(ratios):.3f} to {max(ratios):.3f}"
    )
    print(f"    same winner {n_same} of {N_SEEDS}; loss of another winner higher by {regret:.2g}")
    print(f"    race {time:.3f} s, all losses {exhaustive:.3f} s: {exhaustive / time:.1f} times")
    return time


def seconds_of_grid_search(X, y):
    """Time for all folds, from some of them drawn at random."""
    folds = list(LeaveOneOut().split(X))
    chosen = np.random.default_rng(0).choice(N_ROWS, N_FOLDS, replace=False)
    scoring = "neg_mean_squared_error"
    grid = GridSearchCV(MODEL, GRID, cv=[folds[k] for k in chosen], scoring=scoring, refit=False)
    return seconds(grid.fit, X, y)[1] * N_ROWS / N_FOLDS


def main():
    search(random_state=0).fit(*TABLES["a cube"])  # compiles
    print(f"20 memory-based models, {N_ROWS} x {N_COLUMNS}, leave-one-out, {N_SEEDS} seeds")
    times = [compare(name, *table) for name, table in TABLES.items()]
    theirs = seconds_of_grid_search(*TABLES["a cube"])
    print(
        f"  GridSearchCV(cv=LeaveOneOut()), same learners: {theirs:.0f} s, extrapolated from "
        f"{N_FOLDS} of {N_ROWS} folds on a cube: {theirs / times[-1]:.0f} times as long as the race"
    )


if __name__ == "__main__":
    main()
