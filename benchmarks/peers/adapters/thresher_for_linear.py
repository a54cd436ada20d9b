"""thresher.select for the sake of logistic or ridge regression, told what the target is."""

import thresher

WARM_UP = True


def select(X, y, task, seed, n_features):
    selection = thresher.select(
        X, y, estimator="linear", task=task, random_state=seed, n_jobs=1, progress=False
    )
    position = {verdict.name: at for at, verdict in enumerate(selection.verdicts)}
    return [position[name] for name in selection.selected]
