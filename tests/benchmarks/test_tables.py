import pytest
from benchmarks.peers.quality import judge
from benchmarks.peers.real_tables import ALL, NONE, Outcome, real_tables
from benchmarks.peers.registry import PEERS, Peer
from benchmarks.peers.tables import failures, generated_tables

GOOD, SLOW = Peer("good", "good", (), "Good."), Peer("slow", "slow", (), "Slow.", told=True)
PLACES = [("led", "seed 0"), ("led", "seed 1"), ("wide", "seed 0")]
QUIET = ("pure noise", "seed 0")


@pytest.fixture
def tables():
    records = {("good", where): {"columns": [0], "cpu_seconds": 1.0} for where in [*PLACES, QUIET]}
    records |= {("slow", where): {"error": "gave up after 10 s"} for where in PLACES[:2]}
    records["slow", PLACES[2]] = {"columns": [0, 1], "cpu_seconds": 10.0}
    qualities = {("good", where): judge([0], [0], {}, [1]) for where in PLACES}
    qualities["good", QUIET] = judge([0], [], {}, [0, 1])
    qualities["slow", PLACES[2]] = judge([0, 1], [0], {}, [1])
    return generated_tables((SLOW, GOOD), records, qualities, limit=10.0), records


def test_the_best_comes_first_and_missing_answers_count_as_zero(tables):
    summary = tables[0]["peers-generated"].to_dict()["rows"]
    assert [row["method"] for row in summary] == ["good", "slow"]
    assert [row["answered"] for row in summary] == ["3 of 3", "1 of 3"]
    assert summary[0]["F1"]["mean"] == 1.0
    assert summary[1]["F1"]["mean"] == pytest.approx(2 / 9, abs=1e-3)
    assert summary[1]["precision"] == 0.5
    assert summary[0]["tied with best?"] == "best"


def test_pure_noise_is_no_part_of_f1(tables):
    summary = tables[0]["peers-generated"].to_dict()["rows"]
    assert summary[0]["columns kept of pure noise"] == 1.0
    assert summary[1]["columns kept of pure noise"] is None


def test_what_was_given_up_counts_with_the_limit(tables):
    assert tables[0]["peers-generated"].to_dict()["rows"][1]["seconds"] == 10.0


def test_every_task_has_a_column(tables):
    by_task = tables[0]["peers-tasks"].to_dict()["rows"]
    assert by_task[1] == {"method": "slow", "led": 0.0, "wide": pytest.approx(2 / 3, abs=1e-3)}


def test_failures_are_told_once_for_each_reason(tables):
    assert failures((SLOW, GOOD), tables[1]).rows == (("slow", 2, "led", "gave up after 10 s"),)


def outcome(error, size, **settings):
    errors = {"boosting": (error, error + 0.01, error + 0.02), "k-NN": (0.5, 0.5, 0.5)}
    return Outcome(errors, (size,) * 3, 10, (1.0,) * 3, **settings)


def test_a_peer_with_lower_error_and_fewer_columns_is_named():
    outcomes = {
        ("ada", ALL): outcome(0.3, 10),
        ("ada", NONE): outcome(0.9, 0),
        ("ada", "ours"): outcome(0.2, 5),
        ("ada", "better"): outcome(0.1, 4),
        ("ada", "larger"): outcome(0.1, 6),
        ("ada", "equal"): outcome(0.2, 5),
        ("ada", "as large"): outcome(0.15, 5),
        ("ada", "silent"): Outcome({}, (), 10, (60.0,), "gave up"),
    }
    peers = ["better", "larger", "equal", "as large", "silent"]
    found = real_tables(
        ["ada", "gone"], [ALL, NONE, "ours", *peers], outcomes, "ours", {"gone": "absent"}, peers
    )
    details, verdict, beaten, means = found.values()
    assert beaten.rows == (
        ("better", 2, 0, 0),
        ("larger", 2, 2, 0),  # by one that is as good with fewer columns
        ("ours", 2, 2, 1),
        ("equal", 2, 2, 1),
        ("as large", 2, 2, 1),
        ("silent", 0, 0, 0),
    )
    boosting, neighbours, mean, _ = verdict.to_dict()["rows"]
    assert mean["data"] == "mean of all"
    assert mean["better and no larger"] == "better, as large"
    assert boosting["better and no larger"] == "better, as large"
    assert boosting["significantly"] == "better, as large"  # the same difference in each fold
    assert neighbours["better and no larger"] == "better"  # with fewer columns, as good
    assert details.to_dict()["rows"][-1]["problem"] == "absent"
    row = next(row for row in means.to_dict()["rows"] if row["method"] == "silent")
    assert (row["boosting"], row["columns kept %"], row["answered"]) == (1.0, 100.0, "0 of 1")
    assert row["seconds"] == 60.0


def test_without_data_the_table_says_so():
    found = real_tables(["ada"], [ALL], {}, "ours", {"ada": "data not found"}, [])
    details = found["peers-real"]
    assert details.to_dict()["rows"][0]["problem"] == "data not found"


def test_every_peer_has_an_adapter_and_shares_a_folder_only_with_the_same_requirements():
    from benchmarks.peers.environments import bare_name

    folders = {}
    for peer in PEERS:
        assert peer.path.is_file(), peer.adapter
        assert peer.choice.endswith("."), peer.choice
        if peer.requirements:
            needs = folders.setdefault(bare_name(peer.requirements[0]), peer.requirements)
            assert needs == peer.requirements


def test_data_sets_with_many_folds_count_once_in_the_seconds():
    few, many = outcome(0.2, 5), outcome(0.2, 5)
    errors = {name: own * 5 for name, own in many.errors.items()}
    many = Outcome(errors, (5,) * 15, 10, (100.0,) * 15)
    outcomes = {("ada", method): few for method in (ALL, "ours")}
    outcomes |= {("hepatitis", method): many for method in (ALL, "ours")}
    found = real_tables(["ada", "hepatitis"], [ALL, "ours"], outcomes, "ours", {}, [])
    assert found["peers-means"].to_dict()["rows"][0]["seconds"] == 10.0
