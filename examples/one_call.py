"""One call: which columns of a table matter, and why the others do not."""

from collections import Counter

from sklearn.datasets import load_breast_cancer

from thresher import select

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
selection = select(X, y, random_state=0)

print(selection)
print(selection.explanation)
print(Counter(verdict.kind for verdict in selection.verdicts))

for verdict in selection.verdicts:
    if verdict.kind == "redundant":
        print(f"{verdict.name} says what {verdict.masked_by} says, too")
