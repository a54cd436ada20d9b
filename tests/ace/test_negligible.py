"""What is as good as explained is not explained twice."""

import numpy as np
import pandas as pd

from thresher import ACE


def test_of_copies_that_are_the_target_itself_one_is_kept():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 4)), columns=list("abcd"))
    y = np.where(X["a"] + X["b"] > 0, "yes", "no")
    X["leak"] = (y == "yes") * 1.0
    X["copy"] = X["leak"]
    for seed in range(2):
        selected = ACE(random_state=seed).fit(X, y).selection_.selected
        assert len(selected) == 1
        assert selected[0] in ("leak", "copy")
