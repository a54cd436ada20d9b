"""The nearest rows of a query, and what local models see of them, in the memory of ``lazy``."""

import numpy as np

from ._jit import kernel
from ._order import kth_smallest, sort_rows

#: What a missing cell counts in a squared distance.
_UNKNOWN = 2.0
#: Differences in the models are not larger than this, so that powers of them are finite.
_FARTHEST = 1e6


@kernel
def measure(table, is_level, point, factors, members, distances):
    """Squared distances of all rows to a point."""
    distances[:] = 0.0
    for column in members:
        values, at, factor = table[column], point[column], factors[column]
        if at != at:
            continue  # it counts the same for all rows
        if is_level[column]:
            weight = factor * factor
            for j in range(distances.shape[0]):
                part = 0.0 if values[j] == at else weight
                distances[j] += part if values[j] == values[j] else _UNKNOWN
        else:
            for j in range(distances.shape[0]):
                difference = (values[j] - at) * factor
                square = difference * difference
                distances[j] += square if square == square else _UNKNOWN


@kernel
def equally_far(distances, own):
    """Whether no row is nearer than another, so that there are no neighbours."""
    first = 1 if own == 0 else 0
    for j in range(distances.shape[0]):
        if distances[j] != distances[first] and j != own:
            return False
    return True


@kernel
def find_nearest(own, n_wanted, scratch):
    """List the nearest rows in order; of equals, those that come first in the table."""
    distances, nearest = scratch.distances, scratch.nearest
    if own >= 0:
        distances[own] = np.inf
    bound = kth_smallest(distances, n_wanted - 1, scratch.shuffled)
    n_ties = n_wanted
    for j in range(distances.shape[0]):
        n_ties -= distances[j] < bound
    n_found = 0
    for j in range(distances.shape[0]):
        near = distances[j] < bound
        if not near and distances[j] == bound and n_ties > 0 and j != own:
            near = True
            n_ties -= 1
        if near:
            nearest[n_found] = j
            n_found += 1
    sort_rows(distances, nearest, n_wanted)


@kernel
def set_differences(table, is_level, point, factors, members, n_nearest, scratch):
    """Fill the inputs of linear models: scaled differences to the query."""
    nearest, growth = scratch.nearest, scratch.growth
    for i in range(members.shape[0]):
        column = members[i]
        values, at, factor = table[column], point[column], factors[column]
        inputs = growth.inputs[i]
        for k in range(n_nearest):
            value = values[nearest[k]]
            if value != value or at != at:
                difference = 0.0
            elif is_level[column]:
                difference = 0.0 if value == at else factor
            else:
                difference = min(max((value - at) * factor, -_FARTHEST), _FARTHEST)
            inputs[k] = difference
        _make_relative(inputs, n_nearest, i, growth.shift)


@kernel
def _make_relative(inputs, n_nearest, i, shift):
    shift[i] = inputs[0]
    for k in range(n_nearest):
        inputs[k] -= shift[i]


@kernel
def set_squares(is_level, members, n_nearest, products, growth):
    """Add squares and products of differences to the inputs."""
    n_columns = members.shape[0]
    shift = growth.shift
    n_inputs = n_columns
    for i in range(n_columns):
        for m in range(i, n_columns if products else i + 1):
            if m == i and is_level[members[i]]:
                continue
            one, other, inputs = growth.inputs[i], growth.inputs[m], growth.inputs[n_inputs]
            # (one + a) * (other + b) - a * b, without the cancellation
            a, b = shift[i], shift[m]
            for k in range(n_nearest):
                inputs[k] = one[k] * (other[k] + b) + a * other[k]
            shift[n_inputs] = a * b
            n_inputs += 1
