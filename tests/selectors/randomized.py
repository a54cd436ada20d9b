"""What the tests of RVE and RVErS share."""

import json

import numpy as np
import pytest

from thresher import RVE, RVErS

both = pytest.mark.parametrize("make", [RVE, RVErS], ids=["RVE", "RVErS"])


def name_of(options):
    return "-".join(f"{k}={'f' if callable(v) else v}" for k, v in options.items()) or "default"


def selector_of(make, estimator, n_relevant=2, **options):
    known = {"n_relevant": n_relevant} if make is RVE else {}
    return make(estimator, **{"random_state": 0, **known, **options})


def told(selector):
    """Check that results agree with each other and say something of every column."""
    selection = selector.selection_
    names = [str(name) for name in selector.feature_names_in_] if hasattr(
        selector, "feature_names_in_"
    ) else [f"x{k}" for k in range(selector.n_features_in_)]  # fmt: skip
    assert [verdict.name for verdict in selection.verdicts] == names
    assert all(verdict.reason for verdict in selection.verdicts)
    assert {v.name for v in selection.verdicts if v.kind == "relevant"} == set(selection.selected)
    assert set(selection.selected) == set(np.array(names)[selector.support_])
    assert selection.settings["ending"] == "complete"
    assert (selector.ranking_[selector.support_] == 1).all()
    assert (selector.ranking_[~selector.support_] > 1).all()
    assert len(json.loads(json.dumps(selection.trace, allow_nan=False))) == len(selection.trace)
    assert selection.cost.evaluations > 0
