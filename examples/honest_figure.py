"""Why a selection must be repeated in every fold: a table of pure noise.

Columns that are chosen by all rows look good on all rows, in cross-validation, too.
"""

import numpy as np
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from thresher import select
from thresher.filters import GainRatio

rng = np.random.default_rng(0)
X = rng.normal(size=(150, 300))
y = rng.permutation(150) % 2
best = GainRatio(GaussianNB(), criterion="information-gain", cuts=2, n_features=10)

chosen_first = best.fit(X, y).transform(X)
wrong = cross_val_score(GaussianNB(), chosen_first, y, cv=5).mean()
print(f"selected by all rows, then cross-validated: {wrong:.0%} right, and all of it is luck")

honest = cross_val_score(make_pipeline(best, GaussianNB()), X, y, cv=5).mean()
print(f"selected anew in every fold:                {honest:.0%} right")

selection = select(X, y, method=best, validate=5, random_state=0)
loss = selection.validation.losses["selected"]
print(f"select(..., validate=5):                    {1 - loss.mean:.0%} right, ", end="")
print(f"95 % interval {1 - loss.high:.0%} to {1 - loss.low:.0%}")
