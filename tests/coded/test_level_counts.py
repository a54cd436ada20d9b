"""Levels are counted; of far too many, the frequent ones stay."""

import numpy as np
import pyarrow as pa

from thresher.coded import _level_counts
from thresher.coded._level_counts import LevelCounts


def counted(batches, **how):
    found = LevelCounts(**how)
    for batch in batches:
        found.add(batch)
    return found


def test_levels_are_sorted_and_rare_ones_share_a_code():
    text = ["b"] * 5 + ["a"] * 3 + ["d"] * 2 + ["c", None]
    assert counted([pa.array(text)]).cut(4).levels == ("a", "b", "c", "d")
    found = counted([pa.array(text[:6]), pa.array(text[6:])])
    assert found.cut(3).levels == ("a", "b", None)
    assert found.n_missing == 1


def test_declared_levels_keep_their_order_across_dictionaries():
    one = pa.DictionaryArray.from_arrays([0, 1, 0], ["small", "large"])
    other = pa.DictionaryArray.from_arrays([1, 0, None], ["huge", "large"])
    found = counted([one, other], declared=True)
    assert found.cut(9).levels == ("small", "large", "huge")


def test_frequent_levels_survive_among_too_many_whatever_the_batches(monkeypatch):
    monkeypatch.setattr(_level_counts, "MOST_LEVELS", 50)
    monkeypatch.setattr(_level_counts, "CHUNK", 256)
    rng = np.random.default_rng(0)
    often = rng.choice(["one", "two", "three"], 3000)
    rare = np.array([f"id {k}" for k in range(3000)])
    text = np.where(rng.random(3000) < 0.5, often, rare)
    sizes = ([3000], [1, 700, 299, 2000])
    found = [
        counted([pa.array(part) for part in np.split(text, np.cumsum(size)[:-1])]) for size in sizes
    ]
    assert found[0]._counts == found[1]._counts
    kept = found[0].cut(4).levels
    assert len(found[0]._counts) <= 50
    assert set(kept) == {"one", "two", "three", None}
    assert not found[0].is_constant


def test_long_levels_are_not_all_remembered(monkeypatch):
    monkeypatch.setattr(_level_counts, "MOST_LETTERS", 10_000)
    monkeypatch.setattr(_level_counts, "CHUNK", 512)
    found = counted([pa.array([f"{k}" * 30 for k in range(2000)] + ["short"] * 600)])
    found._forget()
    assert sum(map(len, found._counts)) <= 30_000
    assert "short" in found._counts
