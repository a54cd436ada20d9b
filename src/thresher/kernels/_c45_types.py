"""What the kernels of the C4.5 tree work on and return."""

from typing import NamedTuple

import numpy as np


class Table(NamedTuple):
    """Columns as codes: numbers by their rank among the distinct ones, levels by their place.

    Attributes
    ----------
    codes : array of int32, shape (n_columns, n_rows)
        -1 if missing.
    levels : bool array of shape (n_columns,)
        Which columns hold levels, not numbers.
    starts : array of int64, shape (n_columns + 1,)
        Column j has ``starts[j + 1] - starts[j]`` codes.
    values : array of float64
        ``values[starts[j] + code]`` is the number behind a code.
    words : array of uint64, shape (n_rows, n_words)
        Columns with few codes as bytes of 0 or 1: "higher than code t" for all codes of a number
        but the highest, and then "is missing" if some are; "has level t" for levels.
    first : array of int64, shape (n_columns,)
        The first byte of each column; -1 if it is not in ``words``.
    width : array of int64, shape (n_columns,)
        How many bytes it has.
    missing : bool array of shape (n_columns,)
        Whether values are missing.
    """

    codes: np.ndarray
    levels: np.ndarray
    starts: np.ndarray
    values: np.ndarray
    words: np.ndarray
    first: np.ndarray
    width: np.ndarray
    missing: np.ndarray


class Training(NamedTuple):
    """The rows that a tree is grown from.

    Attributes
    ----------
    rows : array of int32, shape (n_training,)
        Where they are in the table, by class.
    classes : array of int32, shape (n_training,)
    weights : array of float64, shape (n_training,)
        All above 0.
    n_classes : int
        Of the whole problem.
    n_seen : int
        How many of these occur here.
    floor : array of int32, shape of ``Table.values``
        The highest code that occurs here among those not above each code; -1 if there is none.
    n_codes : array of int64, shape (n_columns,)
        How many codes of a column occur here.
    """

    rows: np.ndarray
    classes: np.ndarray
    weights: np.ndarray
    n_classes: int
    n_seen: int
    floor: np.ndarray
    n_codes: np.ndarray


class Tree(NamedTuple):
    """Nodes of a tree, parents before children.

    Attributes
    ----------
    column : array of int64, shape (n_nodes,)
        What a node is split by; -1 for leaves.
    cut : array of int64, shape (n_nodes,)
        Codes up to this one go to the first of two branches; -1 for a branch per level.
    child : array of int64, shape (n_nodes,)
        The first child; the others follow it.
    n_children : array of int64, shape (n_nodes,)
    parent : array of int64, shape (n_nodes,)
    share : array of float64, shape (n_nodes,)
        Which share of a row whose value is missing comes here from the parent.
    totals : array of float64, shape (n_nodes, n_classes)
        Weights of the classes of the training rows at each node.
    """

    column: np.ndarray
    cut: np.ndarray
    child: np.ndarray
    n_children: np.ndarray
    parent: np.ndarray
    share: np.ndarray
    totals: np.ndarray


class Nodes(NamedTuple):
    """Nodes of a tree while it grows, with room for more: see `Tree`.

    Attributes
    ----------
    fields : array of int64, shape (n, 5)
        What a tree keeps in five arrays: column, cut, child, n_children, parent.
    totals : array of float64, shape (n, n_classes)
    share : array of float64, shape (n,)
    """

    fields: np.ndarray
    totals: np.ndarray
    share: np.ndarray


class Judged(NamedTuple):
    """What was found at the nodes that might have been split.

    Attributes
    ----------
    node : array of int64, shape (n_judged,)
        Which nodes these are.
    best : array of int64, shape (n_judged,)
        The candidate that was chosen; -1 if none was.
    gain, ratio : arrays of float64, shape (n_judged, n_candidates)
    cut : array of int64, shape (n_judged, n_candidates)
    start : array of int64, shape (n_judged + 1,)
        Where the rows of each node start in what follows.
    places : array of int64
        Places among the training rows.
    weights : array of float64
    """

    node: np.ndarray
    best: np.ndarray
    gain: np.ndarray
    ratio: np.ndarray
    cut: np.ndarray
    start: np.ndarray
    places: np.ndarray
    weights: np.ndarray
