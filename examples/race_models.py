"""A race of models in place of a grid search: as good a winner, from a part of the losses."""

from sklearn.datasets import load_diabetes
from sklearn.neighbors import KNeighborsRegressor
from sklearn.preprocessing import scale

from thresher import RaceSearchCV

X, y = load_diabetes(return_X_y=True)
X = scale(X)
grid = {"n_neighbors": [1, 2, 3, 5, 8, 12, 18, 27, 40, 60, 90, 135, 200], "p": [1, 2]}

# gamma: differences in squared error that do not matter; the target's variance is 5930
race = RaceSearchCV(KNeighborsRegressor(), grid, gamma=30, random_state=0).fit(X, y)
print("race:       ", race.best_params_)
print(f"losses:      {race.n_losses_} of {len(race.cv_results_['params']) * len(y)}")

results = race.cv_results_
for k in sorted(range(len(results["params"])), key=lambda k: -results["n_rows"][k])[:5]:
    print(f"  ran {results['n_rows'][k]:3} rows: {results['params'][k]}")

# what computing all losses would have found
full = RaceSearchCV(KNeighborsRegressor(), grid, race="exhaustive").fit(X, y)
print("all losses: ", full.best_params_)
behind = full.best_score_ - full.cv_results_["mean_test_score"][race.best_index_]
print(f"the winner of the race is {behind:.0f} behind the best, of {-full.best_score_:.0f}")
