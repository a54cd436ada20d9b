"""Random numbers inside kernels: the same on every machine, whatever thread draws them."""

import numpy as np

from ._jit import kernel


@kernel
def draw_below(state, n):
    """A whole number in 0 .. n - 1 from splitmix64; ``state`` is a uint64 array of length 1."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    # the high half, scaled: the bias is below n / 2**32
    return np.int64(((z >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@kernel
def shuffle_first(items, n_first, state):
    """Bring a random choice of ``n_first`` items to the front, in random order."""
    n = items.shape[0]
    for i in range(n_first):
        k = i + draw_below(state, n - i)
        items[i], items[k] = items[k], items[i]
