"""Who a redundant column is credited to: the one that masks the largest share of it."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from thresher import ACE
from thresher.ace import Masking, remove_masked

TEXTURES = {"mean texture", "worst texture"}


def masking_of(share, importance=(5.0, 4.0, 1.0)):
    """``share[i][j]``: what j could have earned in the place of i."""
    earned = np.array(importance)
    score = np.array(share) * earned[:, None]
    p_value = np.where(np.array(share) > 0, 0.001, 1.0)
    return Masking(tuple(range(len(earned))), earned, score, p_value)


def constant(subsets):
    """Losses of which no column changes anything."""
    noise = np.random.default_rng(0).random(50)
    return [1 + noise for _ in subsets]


def needs_first_two(subsets):
    return [
        losses + sum(v not in own for v in (0, 1))
        for own, losses in zip(subsets, constant(subsets), strict=True)
    ]


@pytest.mark.parametrize("losses", [None, needs_first_two])
def test_the_largest_share_tells_not_the_largest_importance(losses):
    # 0 has earned more, so even the small part of it that 2 could have had is larger
    masking = masking_of([[0, 0, 0.3], [0, 0, 0.9], [0, 0, 0]], importance=(50.0, 4.0, 1.0))
    found = remove_masked(masking, 0.05, losses)
    assert found.kept == (0, 1)
    assert found.masked_by == {2: 1}


@pytest.mark.parametrize(("share", "kept"), [(0.09, (0, 1, 2)), (0.11, (0, 1))])
def test_a_small_share_is_no_masking_however_sure(share, kept):
    masking = masking_of([[0, 0, share], [0, 0, share], [0, 0, 0]])
    assert remove_masked(masking, 0.05, needs_first_two).kept == kept


def test_a_masker_that_stays_goes_before_one_that_does_not_mask():
    masking = masking_of([[0, 0, 0.05], [0, 0, 0.2], [0, 0, 0]])
    found = remove_masked(masking, 0.05, constant)
    assert found.masked_by == {2: 1}


@pytest.fixture(scope="module", params=[0, 1])
def ace(request):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return ACE(random_state=request.param).fit(X, y)


def test_the_textures_of_breast_cancer_belong_to_each_other(ace):
    record = next(record for record in ace.selection_.trace if record.get("masking"))
    names = record["masking"]["variables"]
    shares = (
        np.array(record["masking"]["score"]) / np.array(record["masking"]["importance"])[:, None]
    )
    np.fill_diagonal(shares, 0.0)
    for name in TEXTURES:
        [other] = TEXTURES - {name}
        assert names[shares[:, names.index(name)].argmax()] == other


def test_a_redundant_texture_is_credited_to_the_other(ace):
    verdict = {v.name: v for v in ace.selection_.verdicts}
    kept = {name for name in TEXTURES if verdict[name].is_selected}
    assert kept
    for name in TEXTURES - kept:
        assert {verdict[name].masked_by} == kept
        assert name in ace.alternatives_[verdict[name].masked_by]
    members = [name for own in ace.alternatives_.values() for name in own]
    assert len(members) == len(set(members))


def test_somewhere_a_texture_is_redundant():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    few = X[["worst texture", "mean texture", "worst area", "worst smoothness"]]
    ace = ACE(random_state=0).fit(few, y)
    [gone] = TEXTURES - set(ace.selection_.selected)
    [stays] = TEXTURES - {gone}
    assert gone in ace.alternatives_[stays]
