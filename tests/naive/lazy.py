"""Lazy learning in plain numpy: each model of each size is fitted anew, and without each row."""

import math

import numpy as np

MODELS = ("constant", "linear", "quadratic")


def is_missing(cell):
    return cell is None or cell != cell


def is_text(column):
    return any(isinstance(cell, str) for cell in column)


def scale_of(column):
    """What numbers are divided by, or the squared distance of two different levels."""
    known = [cell for cell in column if not is_missing(cell)]
    if is_text(column):
        frequency = [known.count(level) / len(known) for level in set(known)]
        return 2 / (1 - sum(f**2 for f in frequency)) if len(frequency) > 1 else 1.0
    return np.std(known) if len(set(known)) > 1 else 1.0


def differences(column, at):
    """Squared distances, and differences, of a column's cells to the query's."""
    scale, text = scale_of(column), is_text(column)
    distances, inputs = [], []
    for cell in column:
        if is_missing(cell) or is_missing(at) or (text and at not in column):
            distances.append(2.0)
            inputs.append(0.0)
        elif text:
            distances.append(scale if cell != at else 0.0)
            inputs.append(math.sqrt(scale) if cell != at else 0.0)
        else:
            distances.append(((cell - at) / scale) ** 2)
            inputs.append((cell - at) / scale)
    return np.array(distances), np.array(inputs)


def design(inputs, text, model, products):
    """The inputs of a model, (rows, inputs)."""
    if model == "constant":
        return np.empty((inputs.shape[1], 0))
    found = list(inputs)
    if model == "quadratic":
        found += [z**2 for z, levels in zip(inputs, text, strict=True) if not levels]
        n_columns = len(inputs) if products else 0
        found += [inputs[a] * inputs[b] for a in range(n_columns) for b in range(a)]
    return np.array(found).reshape(len(found), -1).T if found else inputs.T


def value_at_query(X, y, ridge, point):
    """Fit a ridge regression whose intercept is free, and predict a point."""
    if not X.shape[1]:
        return y.mean()
    rows = np.column_stack([np.ones(len(X)), X])
    penalty = np.vstack([np.zeros((1, X.shape[1])), np.eye(X.shape[1])]).T
    stacked = np.vstack([rows, np.sqrt(ridge) * penalty])
    right = np.concatenate([y, np.zeros(X.shape[1])])
    solution = np.linalg.lstsq(stacked, right, rcond=None)[0]
    return solution[0] + point @ solution[1:]


def left_out_error(X, y, ridge):
    """Mean squared error of each row predicted by a model of all others."""
    errors = []
    for j in range(len(y)):
        others = np.arange(len(y)) != j
        errors.append(y[j] - value_at_query(X[others], y[others], ridge, X[j]))
    return np.mean(np.square(errors))


def judged_models(
    rows,
    target,
    query,
    *,
    models=MODELS,
    neighbors_per_coefficient=(1.5, 5.0),
    max_neighbors=None,
    ridge=0.001,
    products=False,
):
    """All models of a query, best first: (error, size, kind, prediction)."""
    columns = [[row[c] for row in rows] for c in range(len(query))]
    filled = [c for c, column in enumerate(columns) if not all(map(is_missing, column))]
    columns, query = [columns[c] for c in filled], [query[c] for c in filled]
    parts = [differences(column, at) for column, at in zip(columns, query, strict=True)]
    distance = sum((part[0] for part in parts), np.zeros(len(rows)))
    if (distance == distance[0]).all():
        y = np.asarray(target, dtype=np.float64)
        error = left_out_error(np.empty((len(y), 0)), y, ridge) if len(y) > 1 else np.nan
        return [(error, len(y), 0, y.mean())]
    order = sorted(range(len(rows)), key=lambda j: (distance[j], j))
    inputs = np.array([part[1] for part in parts]).reshape(-1, len(rows))[:, order]
    y = np.asarray(target)[order]
    text = [is_text(column) for column in columns]
    limit = min(len(rows), max_neighbors or len(rows))
    few, many = neighbors_per_coefficient
    found = []
    for m, model in enumerate(MODELS):
        X = design(inputs, text, model, products)
        p = X.shape[1] + 1
        again = model == "quadratic" and p == len(query) + 1 and "linear" in models
        again |= model != "constant" and p == 1
        smallest = max(3, math.ceil(few * p))
        if model in models and not again:
            for k in range(smallest, min(limit, max(15, smallest, math.floor(many * p))) + 1):
                error = left_out_error(X[:k], y[:k], ridge)
                prediction = value_at_query(X[:k], y[:k], ridge, np.zeros(p - 1))
                found.append((error, k, m, prediction))
    if not found:
        error = left_out_error(np.empty((limit, 0)), y[:limit], ridge) if limit > 1 else np.nan
        found = [(error, limit, 0, y[:limit].mean())]
    return sorted(found)


def predict(rows, target, query, *, n_combined=1, **rule):
    """Prediction, size, kind and error of the best model."""
    best = judged_models(rows, target, query, **rule)[:n_combined]
    error, size, model, prediction = best[0]
    if error == 0:
        prediction = np.mean([b[3] for b in best if b[0] == 0])
    elif error == error:
        prediction = np.average([b[3] for b in best], weights=[1 / b[0] for b in best])
    return prediction, size, MODELS[model], error
