"""What the filters and ACE select of a table in which columns matter in different ways."""

import numpy as np
import pandas as pd

from thresher import ACE
from thresher.filters import CFS, FCBF, GainRatio, GramSchmidt, ReliefF

rng = np.random.default_rng(0)
n = 700
X = pd.DataFrame(rng.normal(size=(n, 7)), columns=[
    "strong", "weak", "bent", "pair: one", "pair: other", "noise 1", "noise 2",
])  # fmt: skip
X.insert(1, "copy of strong", X["strong"] + 0.3 * rng.normal(size=n))
together = np.sign(X["pair: one"]) == np.sign(X["pair: other"])
score = 1.5 * X["strong"] + 0.5 * X["weak"] + X["bent"] ** 2 - 1 + 2.5 * together - 1.25
y = np.where(score + rng.logistic(size=n) > 0, "yes", "no")

methods = {
    "FCBF": FCBF(),
    "CFS": CFS(),
    "GainRatio": GainRatio(),
    "GramSchmidt": GramSchmidt(),
    "ReliefF": ReliefF(random_state=0),
    "ACE": ACE(random_state=0),
}
table = pd.DataFrame(index=X.columns)
for name, method in methods.items():
    table[name] = np.where(method.fit(X, y).support_, "x", ".")
print(table.to_string())
