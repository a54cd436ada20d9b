"""The file itself: what is added stays, and strangers' files are refused."""

import json
import os
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import numpy as np
import pytest

from thresher.journal import (
    Entry,
    Journal,
    JournalError,
    Scope,
    is_journal,
    opened,
    peek,
)


def entry(value):
    return Entry((np.array([value]),), {"why": "a test"})


def test_a_result_comes_back_bit_by_bit(tmp_path):
    values = np.array([0.1, -0.0, np.nan, np.inf, 5e-324])
    whole = np.arange(6).reshape(2, 3)
    with Journal(tmp_path / "run.db") as journal:
        journal.add(b"k", "a loss", Entry((values, whole, whole > 2), {"n": 3}))
    with Journal(tmp_path / "run.db") as journal:
        found = journal.find(b"k")
    assert found.arrays[0].tobytes() == values.tobytes()
    assert found.arrays[1].tolist() == whole.tolist()
    assert found.arrays[2].dtype == bool
    assert found.note == {"n": 3}


def test_the_first_result_under_a_key_stays(tmp_path):
    with Journal(tmp_path / "run.db") as journal:
        journal.add(b"k", "a loss", entry(1.0))
        journal.add(b"k", "a loss", entry(2.0))
        assert journal.find(b"k").arrays[0].tolist() == [1.0]
    assert peek(tmp_path / "run.db").n_results == 1


@pytest.mark.parametrize("statement", ["DELETE FROM results", "UPDATE results SET what = 'x'"])
def test_results_cannot_be_changed(tmp_path, statement):
    with Journal(tmp_path / "run.db") as journal:
        journal.add(b"k", "a loss", entry(1.0))
    database = sqlite3.connect(tmp_path / "run.db")
    with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
        database.execute(statement)
    database.close()


def test_what_was_added_survives_a_process_that_is_killed(tmp_path):
    program = (
        "import os, numpy as np\n"
        "from thresher.journal import Entry, Journal\n"
        f"journal = Journal({str(tmp_path / 'run.db')!r})\n"
        "for k in range(50):\n"
        "    journal.add(bytes([k]), 'a loss', Entry((np.array([k / 7]),)))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=False)
    assert done.returncode == -9
    with Journal(tmp_path / "run.db") as journal:
        assert all(journal.find(bytes([k])).arrays[0][0] == k / 7 for k in range(50))


def test_two_writers_and_a_reader_at_a_time(tmp_path):
    path = tmp_path / "run.db"
    Journal(path).close()

    def write(offset):
        with Journal(path) as journal:
            for k in range(100):
                journal.add(bytes([k]), "a loss", entry(float(k)))  # the same results by both
                journal.add(bytes([k, offset]), "a loss", entry(float(k)))

    threads = [threading.Thread(target=write, args=(offset,)) for offset in (1, 2)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert is_journal(path)
        # what SQLite keeps beside the file comes with the first writer and goes with the last
        with suppress(JournalError):
            assert peek(path).n_results <= 300
    for thread in threads:
        thread.join()
    assert peek(path).n_results == 300


def test_two_processes_may_begin_a_journal_at_the_same_time(tmp_path):
    begins = threading.Barrier(2)

    def begin(path):
        begins.wait()
        Journal(path).close()

    with ThreadPoolExecutor(2) as pool:
        for k in range(100):
            path = tmp_path / f"{k}.db"
            for done in [pool.submit(begin, path) for _ in range(2)]:
                done.result()


def test_the_first_seed_counts_and_another_is_refused(tmp_path):
    with opened(tmp_path / "run.db") as scope:
        seed = scope.seed(None)
    with opened(tmp_path / "run.db") as scope:
        assert scope.seed(None) == seed
        scope.admit({"method": "ACE", "seed": seed})
    with (
        opened(tmp_path / "run.db") as scope,
        pytest.raises(JournalError, match=f"seed was {seed} and is"),
    ):
        scope.seed(12345)


def test_what_differs_is_named(tmp_path):
    header = {
        "versions": {"thresher": "1.0"},
        "parameters": {"cv": 5, "loss": None},
        "columns": {"age": "aa", "id": "bb"},
        "target": "cc",
    }
    with Journal(tmp_path / "run.db") as journal:
        journal.admit(header)
        journal.admit(header)
        other = {
            "versions": {"thresher": "1.1"},
            "parameters": {"cv": 10, "loss": None},
            "columns": {"age": "xx", "name": "bb"},
            "target": "dd",
        }
        with pytest.raises(JournalError) as caught:
            journal.admit(other)
    told = str(caught.value)
    assert "belongs to another run" in told
    for part in (
        'thresher was "1.0" and is "1.1"',
        "cv was 5 and is 10",
        "column 'age' has other values",
        "column 'id' is missing now",
        "column 'name' is new",
    ):
        assert part in told


def test_columns_in_another_order_are_told(tmp_path):
    with Journal(tmp_path / "run.db") as journal:
        journal.admit({"columns": {"a": "1", "b": "2"}})
        with pytest.raises(JournalError, match="in another order"):
            journal.admit({"columns": {"b": "2", "a": "1"}})


@pytest.mark.parametrize(
    "content",
    [b"", b"not a database", b"SQLite format 3\x00" + b"\x00" * 500, b"\x80\x04cos\nsystem\n."],
    ids=["empty", "text", "damaged", "pickle"],
)
def test_what_is_no_journal_is_refused_or_begun(tmp_path, content):
    path = tmp_path / "run.db"
    path.write_bytes(content)
    if not content:  # what mkstemp or touch leaves is a fine place to begin
        with Journal(path) as journal:
            journal.add(b"k", "a loss", entry(1.0))
        return
    with pytest.raises((JournalError, OSError), match="run.db"):
        Journal(path)
    assert path.read_bytes() == content
    with pytest.raises(JournalError, match="run.db"):
        peek(path)


def test_a_database_of_something_else_is_refused(tmp_path):
    database = sqlite3.connect(tmp_path / "run.db")
    database.execute("CREATE TABLE mine (a)")
    database.commit()
    database.close()
    for look in (Journal, peek):
        with pytest.raises(JournalError, match="not a journal of thresher"):
            look(tmp_path / "run.db")


def test_a_journal_with_a_trigger_of_a_stranger_is_refused(tmp_path):
    path = tmp_path / "run.db"
    Journal(path).close()
    database = sqlite3.connect(path)
    database.execute(
        "CREATE TRIGGER more AFTER INSERT ON results "
        "BEGIN INSERT INTO header VALUES ('x', '1'); END"
    )
    database.commit()
    database.close()
    for look in (Journal, peek):
        with pytest.raises(JournalError, match="not a journal of thresher"):
            look(path)


def test_a_journal_of_the_future_is_refused(tmp_path):
    path = tmp_path / "run.db"
    Journal(path).close()
    database = sqlite3.connect(path)
    database.execute("UPDATE header SET value = '2' WHERE name = 'format'")
    database.commit()
    database.close()
    with pytest.raises(JournalError, match="has format 2; this version of thresher reads format 1"):
        Journal(path)


@pytest.mark.parametrize(
    "value",
    [
        b"no line",
        b"[1, 2]\n",
        b'{"arrays": [["|O", [1]]], "note": {}}\n12345678',
        b'{"arrays": [["<f8", [3]]], "note": {}}\n12345678',
        b'{"arrays": [["<f8", [-1]]], "note": {}}\n',
        b'{"arrays": [["<f8", [1]]], "note": {}}\n1234567890',
        b'{"arrays": [["<f8", ["x"]]], "note": {}}\n',
    ],
)
def test_a_damaged_result_is_told_not_used(tmp_path, value):
    path = tmp_path / "run.db"
    Journal(path).close()
    database = sqlite3.connect(path)
    database.execute("INSERT INTO results VALUES (x'00', 'a loss', ?)", (value,))
    database.commit()
    database.close()
    with Journal(path) as journal, pytest.raises(JournalError, match="damaged"):
        journal.find(b"\x00")


def test_a_folder_or_a_missing_folder_is_named(tmp_path):
    with pytest.raises(JournalError, match="is a folder"):
        Journal(tmp_path)
    with pytest.raises(FileNotFoundError, match="does not exist"):
        Journal(tmp_path / "nowhere" / "run.db")


def test_a_journal_that_cannot_be_written_is_refused_before_any_work(tmp_path):
    path = tmp_path / "run.db"
    Journal(path).close()
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA locking_mode = EXCLUSIVE")
    database.execute("BEGIN EXCLUSIVE")
    import thresher.journal._journal as module

    patience = module._PATIENCE
    module._PATIENCE = 0.1
    try:
        with pytest.raises(OSError, match=r"run.db.*locked"):
            Journal(path)
    finally:
        module._PATIENCE = patience
        database.close()


def test_a_full_disk_costs_the_journal_not_the_run(tmp_path):
    path = tmp_path / "run.db"
    with Journal(path) as journal:
        journal.add(b"before", "a loss", entry(1.0))
        n_pages = journal._database.execute("PRAGMA page_count").fetchone()[0]
        journal._database.execute(f"PRAGMA max_page_count = {n_pages}")
        with pytest.warns(UserWarning, match=r"run.db.*full.*goes on without it"):
            journal.add(b"after", "a loss", Entry((np.zeros(100_000),)))
        journal.add(b"later", "a loss", entry(2.0))  # told once
        assert journal.find(b"before").arrays[0][0] == 1.0
        assert journal.find(b"later") is None
    assert peek(path).n_results == 1


def test_a_file_that_becomes_read_only_costs_the_journal_not_the_run(tmp_path):
    path = tmp_path / "run.db"
    with Journal(path) as journal:
        journal.add(b"before", "a loss", entry(1.0))
        journal._database.execute("PRAGMA query_only = ON")
        with pytest.warns(UserWarning, match="goes on without it"):
            journal.add(b"after", "a loss", entry(2.0))
    assert peek(path).n_results == 1


def test_objects_are_never_written(tmp_path):
    with Journal(tmp_path / "run.db") as journal, pytest.raises(TypeError, match="object"):
        journal.add(b"k", "a loss", Entry((np.array([object()], dtype=object),)))


def test_without_a_journal_nothing_is_known_and_nothing_is_written():
    with opened(None) as scope:
        assert not scope
        scope.note(entry(1.0), "losses", 1)
        assert scope.recall("losses", 1) is None


def test_parts_of_a_journal_do_not_mix(tmp_path):
    with opened(tmp_path / "run.db") as scope:
        scope.part("fold 1").note(entry(1.0), "losses", 7)
        assert scope.part("fold 2").recall("losses", 7) is None
        assert scope.recall("losses", 7) is None
        assert scope.part("fold 1").recall("losses", 7).arrays[0][0] == 1.0


def test_only_parts_that_have_a_say_are_shown(tmp_path):
    class Told:
        def __init__(self, text):
            self.text = text

        def to_dict(self):
            return {"text": self.text}

    with opened(tmp_path / "run.db") as scope:
        main = scope.part("selection", lambda own: Told(f"whole of {own.text}"))
        main.part("screening", lambda own: Told(f"stage {own.text}")).show(Told("one"))
        scope.part("fold 1").show(Told("hidden"))
        scope.part("fold 1").part("screening", lambda own: own).show(Told("hidden"))
    shown = peek(tmp_path / "run.db").snapshots["selection"]["selection"]
    assert shown == {"text": "whole of stage one"}


def test_names_in_a_header_may_be_anything(tmp_path):
    odd = {"new\nline": "1", 'quo"te': "2", "\u202eright": "3", "": "4", "🌾": "5"}
    with Journal(tmp_path / "run.db") as journal:
        journal.admit({"columns": odd})
        journal.admit({"columns": odd})
        with pytest.raises(JournalError, match="column '' has other values"):
            journal.admit({"columns": {**odd, "": "6"}})


def test_a_scope_is_shared_not_copied(tmp_path):
    from copy import deepcopy

    with opened(tmp_path / "run.db") as scope:
        assert deepcopy(scope) is scope
        assert repr(scope) == repr(str(tmp_path / "run.db"))
    assert repr(Scope()) == "None"
    assert os.path.exists(tmp_path / "run.db")


def test_peek_reads_while_a_run_writes(tmp_path):
    with Journal(tmp_path / "run.db") as journal:
        journal.settle("command", {"file": "x.csv"})
        journal.add(b"k", "a loss", entry(1.0))
        seen = peek(tmp_path / "run.db")
        journal.add(b"l", "a loss", entry(1.0))
    assert seen.n_results == 1
    assert json.dumps(seen.header["command"]) == '{"file": "x.csv"}'


def test_a_seed_of_a_run_that_never_began_does_not_count(tmp_path):
    with opened(tmp_path / "run.db") as scope:
        first = scope.seed(1)
    with opened(tmp_path / "run.db") as scope:
        assert scope.seed(2) != first


def test_a_database_of_somebody_else_is_not_touched(tmp_path):
    path = tmp_path / "mine.sqlite"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE mine (a)")
    database.commit()
    database.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="not a journal"):
        Journal(path)
    assert path.read_bytes() == before


def test_a_journal_is_a_file_whatever_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Journal(":memory:") as journal:
        journal.add(b"k", "a loss", entry(1.0))
    assert peek(tmp_path / ":memory:").n_results == 1


@pytest.mark.skipif(os.name == "nt", reason="permissions are others")
def test_a_journal_in_a_folder_that_cannot_be_written_to_is_read(tmp_path):
    folder = tmp_path / "backup"
    folder.mkdir()
    with Journal(folder / "run.db") as journal:
        journal.add(b"k", "a loss", entry(1.0))
    assert sorted(p.name for p in folder.iterdir()) == ["run.db"]
    peek(folder / "run.db")
    assert sorted(p.name for p in folder.iterdir()) == ["run.db"]  # nothing was written beside it


def test_numbers_that_are_equal_are_not_the_same_parameter(tmp_path):
    with Journal(tmp_path / "run.db") as journal:
        journal.admit({"parameters": {"max_features": 1, "weights": None}})
        with pytest.raises(JournalError, match=r"max_features was 1 and is 1\.0"):
            journal.admit({"parameters": {"max_features": 1.0, "weights": None}})
    with Journal(tmp_path / "other.db") as journal:
        journal.admit({"sample_weight": None})
        with pytest.raises(JournalError, match="sample_weight has other values"):
            journal.admit({"sample_weight": "abc"})
