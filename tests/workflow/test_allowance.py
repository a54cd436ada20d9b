import time

import pytest

from thresher.workflow import Allowance, read_budget


@pytest.fixture
def stopped(monkeypatch):
    """A clock that stands still."""
    monkeypatch.setattr(time, "perf_counter", lambda: 1000.0)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("90s", 90), ("1.5m", 90), ("10m", 600), ("1h30m", 5400), ("1h 2m 3s", 3723),
     (" 10M ", 600), (2.5, 2.5), (3, 3)],
)  # fmt: skip
def test_durations(text, seconds, stopped):
    assert read_budget(text).seconds == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["500 evaluations", "500evals", "500 Evaluation"])
def test_evaluations(text):
    assert read_budget(text) == Allowance(evaluations=500)


@pytest.mark.parametrize(
    "text", ["", "m", "10x", "-5", -5, "0s", "1m1h", "five", float("nan"), float("inf"), [5], "1e3"]
)
def test_everything_else_is_refused(text):
    with pytest.raises(ValueError, match="budget must"):
        read_budget(text)


def test_parts_of_what_is_left(stopped):
    whole = Allowance(time.perf_counter() + 100, 50)
    part = whole.share(0.25)
    assert part.seconds == pytest.approx(25)
    assert part.evaluations == 12
    assert whole.after(30).evaluations == 20
    assert not whole.is_spent
    assert whole.after(50).is_spent
    assert Allowance(time.perf_counter() - 1).is_spent
    assert not Allowance().is_spent
    assert Allowance().share(0.5) == Allowance()
