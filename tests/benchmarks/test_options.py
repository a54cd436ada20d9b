import pytest
from benchmarks.peers.options import read_options
from benchmarks.peers.tasks import TASKS, given


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--limit", "0"], "must be a positive number; got 0"),
        (["--limit", "nan"], "must be a positive number; got nan"),
        (["--runs", "0"], "must be at least 1; got 0"),
        (["--only", "nobody"], "invalid choice: 'nobody'"),
        (["--fresh", "--only", "abess_sparse"], "--fresh forgets all results"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, said, capsys):
    with pytest.raises(SystemExit) as end:
        read_options(arguments)
    assert end.value.code == 2
    assert said in capsys.readouterr().err


def test_what_is_told_gives_the_same_run_again_without_naming_the_folder(tmp_path):
    options = read_options(["--tasks", "led", "ada", "--runs", "2", "--data", str(tmp_path)])
    assert [task.name for task in options.tasks] == ["led"]
    assert options.data_sets == ("ada",)
    assert options.told == "--tasks led ada --runs 2 --limit 60 --data FOLDER"


def test_no_two_tables_are_drawn_alike():
    digests = {
        given(task, seed, small=True)[0].X[:, 0].tobytes() for task in TASKS for seed in (0, 1)
    }
    assert len(digests) == 2 * len(TASKS)


def test_noise_is_numbers_and_classes_in_turn():
    kinds = [given(TASKS[-1], seed, small=True)[0].kind for seed in range(4)]
    assert kinds == ["regression", "classification"] * 2
