"""Gram-Schmidt the slow way: a least-squares fit for every candidate at every step."""

import numpy as np
import pandas as pd
from scipy import stats


def columns_of(series):
    """A column as numbers: indicators of levels, or values with a flag where some are missing."""
    if not pd.api.types.is_numeric_dtype(series):
        levels = series.astype(object).where(series.notna(), "missing")
        return pd.get_dummies(levels).to_numpy(dtype=float)
    missing = series.isna().to_numpy()
    filled = series.fillna(series.median()).to_numpy(dtype=float)
    return np.column_stack([filled, missing]) if missing.any() else filled[:, None]


def target_columns(y, *, classes):
    """Indicators of all classes, or the numbers."""
    y = np.asarray(y)
    return (y[:, None] == np.unique(y)).astype(float) if classes else y[:, None].astype(float)


def residuals(A, Y):
    """What least squares leaves of Y."""
    return Y - A @ np.linalg.lstsq(A, Y, rcond=1e-9)[0]


def rank(A):
    scale = np.linalg.norm(A, axis=0)
    return np.linalg.matrix_rank(A / np.where(scale > 0, scale, 1.0), tol=1e-7)


def share_and_chance(base, block, Y):
    """What a block of columns adds to a base: share of the target, and what chance would do."""
    before, after = residuals(base, Y), residuals(np.column_stack([base, block]), Y)
    total = before.T @ before
    d = rank(np.column_stack([base, block])) - rank(base)
    q = np.linalg.matrix_rank(before, tol=1e-6 * np.linalg.norm(Y - Y.mean(axis=0)))
    nu = len(Y) - rank(base)
    if d == 0 or q == 0:
        return 0.0, 1.0, d
    if q == 1:  # the drop of the residual sum of squares
        share = 1.0 - (after**2).sum() / (before**2).sum()
    else:  # Pillai's trace
        share = np.trace(np.linalg.pinv(total, rcond=1e-9) @ (total - after.T @ after)) / min(d, q)
    if d + q > nu:
        return share, 1.0, d
    if min(d, q) == 1:
        df1, df2 = max(d, q), nu - max(d, q)
        return share, stats.f.sf(share / (1.0 - share) * df2 / df1, df1, df2), d
    mean = max(d, q) / nu
    variance = 2 * d * q * (nu - d) * (nu - q) / (nu**2 * (nu - 1) * (nu + 2)) / min(d, q) ** 2
    size = mean * (1 - mean) / variance - 1
    return share, stats.beta.sf(share, mean * size, (1 - mean) * size), d


def gram_schmidt(blocks, Y, *, alpha=0.05, probes="all", n_features="auto", keep=()):
    """Steps (variable, share, p-value), and the shares at the end of those left out."""
    chosen, steps, risk = [], [], 0.0
    while True:
        base = np.column_stack([np.ones(len(Y)), *[blocks[v] for v in chosen]])
        seen = {v: share_and_chance(base, blocks[v], Y) for v in set(range(len(blocks)))}
        left = {v: s for v, s in seen.items() if v not in chosen and s[2] > 0}
        n_probes = len(left) if probes == "all" else probes
        waiting = [v for v in sorted(keep) if v not in chosen]
        if not waiting and (not left or len(chosen) == n_features):
            break
        best = waiting[0] if waiting else min(left, key=lambda v: (left[v][1], -left[v][0], v))
        p_value = 1.0 - (1.0 - seen[best][1]) ** n_probes
        if not waiting:
            risk = p_value if probes == "all" else risk + p_value * (1.0 - risk)
            if n_features == "auto" and risk > alpha:
                break
        chosen.append(best)
        steps.append((best, seen[best][0], p_value))
    return steps, {v: share for v, (share, _, _) in left.items()}
