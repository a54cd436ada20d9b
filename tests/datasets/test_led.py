import numpy as np
import pytest

from thresher.datasets import make_led
from thresher.datasets._led import SEGMENTS


def shown_digits(data):
    matches = (data.X[:, None, :7] == SEGMENTS).all(axis=2)
    return np.where(matches.any(axis=1), matches.argmax(axis=1), -1)


def test_defaults_follow_the_papers_table():
    data = make_led(random_state=0)
    assert data.X.shape == (2000, 150)
    assert data.relevant == tuple(range(7))
    assert np.unique(data.y).tolist() == list(range(10))


def test_digits_are_told_apart_by_their_segments():
    assert len(np.unique(SEGMENTS, axis=0)) == 10
    assert SEGMENTS.sum(axis=1).tolist() == [6, 2, 5, 5, 4, 5, 6, 3, 7, 6]


def test_clean_display_shows_the_class():
    data = make_led(class_noise=0, random_state=0)
    np.testing.assert_array_equal(shown_digits(data), data.y)


def test_class_noise_changes_a_tenth_of_the_classes():
    data = make_led(20_000, n_irrelevant=0, random_state=0)
    assert np.mean(shown_digits(data) != data.y) == pytest.approx(0.1, abs=0.01)


def test_class_noise_of_one_changes_every_class():
    data = make_led(500, class_noise=1, random_state=0)
    assert np.all(shown_digits(data) != data.y)


def test_segment_noise_inverts_a_tenth_of_the_segments():
    data = make_led(20_000, n_irrelevant=0, class_noise=0, segment_noise=0.1, random_state=0)
    inverted = np.abs(data.X - SEGMENTS[data.y]).mean(axis=0)
    np.testing.assert_allclose(inverted, 0.1, atol=0.01)
