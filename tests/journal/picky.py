"""A tree that refuses some columns, in a module that workers import quickly."""

from sklearn.tree import DecisionTreeClassifier


class Picky(DecisionTreeClassifier):
    def __init__(self, max_depth=3, random_state=0):
        super().__init__(max_depth=max_depth, random_state=random_state)

    def fit(self, X, y):
        if X.shape[1] == 4:
            raise ValueError("not four" + "!" * 5000)
        return super().fit(X, y)
