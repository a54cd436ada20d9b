"""Columns for an estimator of your own, and the selection as a step of a pipeline."""

from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from thresher import RVErS, select
from thresher.learners import DiscreteNB

X, y = load_wine(return_X_y=True, as_frame=True)

# The estimator may be a pipeline; its losses on held-out rows say which columns are enough.
logistic = make_pipeline(StandardScaler(), LogisticRegression())
selection = select(X, y, estimator=logistic, random_state=0)
print("for logistic regression:", *selection.selected, sep="\n  ")

# A selector is a transformer: inside a pipeline it sees the training rows of each fold only. Here
# a fast learner selects for a slower one.
both = make_pipeline(RVErS(DiscreteNB(), random_state=0), logistic)
for name, model in (("all 13 columns", logistic), ("selected columns", both)):
    accuracy = cross_val_score(model, X, y, cv=5)
    print(f"accuracy with {name}: {accuracy.mean():.3f}")
print("columns in the end:", both.fit(X, y)[0].n_features_)
