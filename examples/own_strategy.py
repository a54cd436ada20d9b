"""A search strategy of your own, with any estimator, judge and budget."""

from sklearn.datasets import load_digits
from sklearn.naive_bayes import GaussianNB

from thresher import WrapperSelector
from thresher.races import Contest
from thresher.searches import SearchStrategy
from thresher.testing import check_strategy


class Pairs(SearchStrategy):
    """Add the best of some random pairs of variables, as long as that lowers the loss."""

    def __init__(self, n_draws=40):
        self.n_draws = n_draws

    def run(self, space, rng):
        """Yield contests, receive outcomes, return the chosen subset."""
        current, loss = space.empty, float("inf")
        while len(free := sorted(space.full - current)) >= 2:
            pairs = [rng.choice(free, 2, replace=False).tolist() for _ in range(self.n_draws)]
            outcome = yield Contest([current.union(pair) for pair in pairs])
            if outcome.loss >= loss:
                break
            current, loss = outcome.best, outcome.loss
        return current


check_strategy(Pairs())

X, y = load_digits(return_X_y=True, as_frame=True)
selector = WrapperSelector(GaussianNB(), search=Pairs(), random_state=0).fit(X, y)
print(selector.selection_)
print(selector.selection_.cost.evaluations, "subsets judged")
for step in selector.selection_.trace:
    print(
        f"{step['n_variables']:3} columns: error {step['loss']:.3f} +- {step['standard_error']:.3f}"
    )
