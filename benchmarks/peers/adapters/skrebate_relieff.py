"""scikit-rebate's ReliefF, told how many columns to take."""

from skrebate import ReliefF


def select(X, y, task, seed, n_features):
    # its default of 100 neighbours is more than the rows of a small class
    selector = ReliefF(n_features_to_select=n_features, n_neighbors=10, n_jobs=1).fit(X, y)
    return selector.top_features_[:n_features]
