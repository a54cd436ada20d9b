"""The exponential function of many numbers at once.

Compiled code calls the C library for each exponential, 10 ns each, which is most of the time of
kernel regression. This loop has no calls and no branches, so that the compiler uses vectors.
"""

import numpy as np

from ._jit import kernel

#: Below this, results are 0: smaller ones would be subnormal numbers, which have fewer digits.
LOWEST = -708.0
_PER_LOG2 = 1.4426950408889634
# the logarithm of 2 in two parts; multiples of the first by up to 2^11 are exact
_LOG2_HIGH = 6.93147180369123816490e-01
_LOG2_LOW = 1.90821492927058770002e-10
# adding this rounds to a whole number, which is then in the last bits
_ROUNDER = 1.5 * 2.0**52


@kernel
def exponentials(values, bits):
    """Replace values, none above 0, by their exponentials; ``bits`` is memory for int64 to use."""
    power = bits.view(np.float64)
    # comparisons instead of max(), which cares for NaN and so is a branch
    for j in range(values.shape[0]):
        power[j] = (values[j] if values[j] > LOWEST else LOWEST) * _PER_LOG2 + _ROUNDER
    for j in range(values.shape[0]):
        whole = power[j] - _ROUNDER
        value = values[j] if values[j] > LOWEST else LOWEST
        x = (value - whole * _LOG2_HIGH) - whole * _LOG2_LOW
        # |x| < 0.35, where the series is exact to the last digit
        series = 1 / 479001600 + x * (1 / 6227020800)
        series = 1 / 3628800 + x * (1 / 39916800 + x * series)
        series = 1 / 40320 + x * (1 / 362880 + x * series)
        series = 1 / 720 + x * (1 / 5040 + x * series)
        series = 1 / 24 + x * (1 / 120 + x * series)
        series = 1 / 2 + x * (1 / 6 + x * series)
        result = 1.0 + (x + x * x * series)
        values[j] = result if values[j] >= LOWEST else 0.0
    for j in range(values.shape[0]):
        # a power of 2 is its exponent, shifted to where float64 keeps it; higher bits fall off
        bits[j] = (bits[j] + 1023) << 52
    for j in range(values.shape[0]):
        values[j] *= power[j]
