"""The schedule of randomized elimination: linear time against the recurrence of the paper."""

import argparse
import time

import numpy as np

from thresher.searches import elimination_schedule


def best_of(n_times, function):
    seconds = []
    for _ in range(n_times):
        start = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def recurrence(n, r, cost):
    """The paper's Table 1, with the innermost loop over all k at once."""
    costs = np.array([cost(m) for m in range(n + 1)], dtype=np.float64)
    log_rate = np.zeros(n + 1)
    log_rate[r + 1 :] = np.cumsum(-np.log1p(-r / np.arange(r + 1.0, n + 1.0)))
    total = np.zeros(n + 1)
    for i in range(r + 1, n + 1):
        left = np.arange(r, i)
        total[i] = (np.exp(log_rate[i] - log_rate[left]) * costs[left] + total[left]).min()
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variables", type=int, default=100_000)
    parser.add_argument("--small", type=int, default=4_000)
    args = parser.parse_args()
    elimination_schedule(10, 2)
    for r in (2, 10, 100, 5000):
        seconds = best_of(5, lambda r=r: elimination_schedule(args.variables, r, "linear"))
        print(f"{args.variables} variables, {r} relevant: {1000 * seconds:.1f} ms")
    n, r = args.small, 10
    ours = best_of(5, lambda: elimination_schedule(n, r, "linear"))
    start = time.perf_counter()
    expected = recurrence(n, r, float)
    theirs = time.perf_counter() - start
    found = elimination_schedule(n, r, "linear").cost
    gap = float(np.max(np.abs(found[r + 1 :] / expected[r + 1 :] - 1.0)))
    print(f"{n} variables: {theirs / ours:.0f} times the recurrence, largest difference {gap:.1e}")


if __name__ == "__main__":
    main()
