"""One call: how many columns are enough, which ones, and why the others are not needed."""

from collections import Counter

from sklearn.datasets import load_breast_cancer

from thresher import select

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
selection = select(X, y, random_state=0)

print(selection)
print(selection.explanation)
print(Counter(verdict.kind for verdict in selection.verdicts))

for verdict in selection.verdicts:
    if verdict.masked_by is not None:
        print(f"{verdict.name} is redundant given {verdict.masked_by}")

for goal in ("predict", "explain", "all-relevant"):
    print(f"{goal}: {len(selection.view(goal).selected)} columns")
