"""A folder of codes is used again if it is whole and belongs to these files, else refused."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from thresher.coded import _code as code_module
from thresher.coded import code_dataset


@pytest.fixture
def codes(folder, tmp_path):
    place = tmp_path / "codes"
    code_dataset(folder, "score", drop=["bought"], folder=place)
    return place


def again(folder, codes, **changed):
    return code_dataset(
        folder, **{"target": "score", "drop": ["bought"], "folder": codes, **changed}
    )


def test_a_whole_folder_is_opened_without_coding_anew(folder, codes, monkeypatch):
    monkeypatch.setattr(code_module, "survey", None)
    table = again(folder, codes, memory="40MB")
    fresh_names = ("x0", "x1", "copy", "noise")
    assert table.X.names[:4] == fresh_names
    assert table.X.memory == 40 * 10**6
    table.close()
    assert (codes / "table.json").exists()


def test_another_question_is_refused(folder, codes):
    with pytest.raises(ValueError, match="made with max_bins=255, not 16"):
        again(folder, codes, max_bins=16)
    with pytest.raises(ValueError, match="made with drop="):
        again(folder, codes, drop=["bought", "x0"])


def test_other_files_are_refused(frame, folder, codes):
    status = (folder / "c.parquet").stat()
    os.utime(folder / "c.parquet", ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    with pytest.raises(ValueError, match=r"'c\.parquet' was written to since then"):
        again(folder, codes)
    frame[:10].write_parquet(folder / "d.parquet")
    os.utime(folder / "c.parquet", ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(ValueError, match=r"'d\.parquet' is not among those"):
        again(folder, codes)
    (folder / "d.parquet").unlink()
    (folder / "b.arrow").unlink()
    with pytest.raises(ValueError, match=r"made from a file 'b\.arrow' that is not there"):
        again(folder, codes)


def flip_a_code(codes):
    with (codes / "codes.bin").open("r+b") as file:
        file.seek(1000)
        old = file.read(1)[0]
        file.seek(1000)
        file.write(bytes([old ^ 1]))


def shorten(codes):
    os.truncate(codes / "codes.bin", 1000)


def rewrite(change):
    def damage(codes):
        record = json.loads((codes / "table.json").read_text())
        change(record)
        (codes / "table.json").write_text(json.dumps(record))

    return damage


def pickled_target(codes):
    np.save(codes / "target.npy", np.array([print], dtype=object), allow_pickle=True)


DAMAGE = [
    (flip_a_code, "codes of column .* have changed"),
    (shorten, "has 1000 bytes"),
    (pickled_target, "damaged"),
    (lambda codes: (codes / "target.npy").unlink(), "damaged"),
    (lambda codes: (codes / "table.json").write_text("{"), "is damaged"),
    (lambda codes: (codes / "table.json").write_text("[1]"), "another kind or version"),
    (rewrite(lambda r: r["columns"][0]["edges"].reverse()), "'x0' is inconsistent"),
    (rewrite(lambda r: r["columns"][0]["counts"].pop()), "'x0' is inconsistent"),
    (rewrite(lambda r: r["columns"][0].pop("kind")), "damaged"),
    (rewrite(lambda r: r.update(n_rows="many")), "damaged"),
    (rewrite(lambda r: r["target"].update(checksum=1)), "has changed"),
    (rewrite(lambda r: r.update(format=99)), "another kind or version"),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGE)
def test_damage_is_found_before_anything_is_computed(damage, message, folder, codes):
    damage(codes)
    with pytest.raises(ValueError, match=message):
        again(folder, codes)


def test_a_folder_of_something_else_is_left_alone(folder, tmp_path):
    place = tmp_path / "mine"
    place.mkdir()
    (place / "thesis.tex").write_text("...")
    with pytest.raises(ValueError, match=r"no coded table, and not empty \(thesis\.tex\)"):
        again(folder, place)
    with pytest.raises(ValueError, match="is a file"):
        again(folder, place / "thesis.tex")
    assert os.listdir(place) == ["thesis.tex"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_what_is_interrupted_leaves_nothing(error, folder, tmp_path, monkeypatch):
    def interrupted(*_):
        raise error

    monkeypatch.setattr(code_module, "write_codes", interrupted)
    with pytest.raises(error):
        again(folder, tmp_path / "codes")
    assert not os.listdir(tmp_path / "codes")
    monkeypatch.undo()
    assert again(folder, tmp_path / "codes").n_rows == 1200


KILLED = """
import sys, time
from thresher.coded import _code
def stuck(*_):
    print("at work", flush=True)
    time.sleep(600)
_code.survey = stuck
_code.code_dataset(sys.argv[1], "score", folder=sys.argv[2])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="locks of POSIX systems")
def test_what_a_killed_process_left_is_swept_up_but_not_what_another_does(folder, tmp_path):
    place = tmp_path / "codes"
    command = [sys.executable, "-c", KILLED, folder, place]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "at work\n"
            assert again(folder, place).n_rows == 1200
            assert len(list(place.glob("part-*"))) == 1, "another process is at work there"
        finally:
            process.send_signal(signal.SIGKILL)
    for name in ("table.json", "codes.bin", "target.npy"):
        (place / name).unlink()
    assert again(folder, place).n_rows == 1200
    assert not list(place.glob("part-*"))


def test_the_end_of_the_program_removes_a_temporary_folder(folder):
    code = (
        "import sys; from thresher.coded import code_dataset; "
        "table = code_dataset(sys.argv[1], 'score'); "
        "assert table.folder.exists(); print(table.folder)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, folder], capture_output=True, text=True, check=True
    )
    assert not os.path.exists(done.stdout.strip())


def test_columns_keep_their_temporary_folder_alive(folder):
    X = code_dataset(folder, "score").X
    assert os.path.exists(X.codes.path)
    assert X.informative().codes.column(0).max() > 0
    path = X.codes.path
    del X
    deadline = time.monotonic() + 60
    while os.path.exists(path) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not os.path.exists(path)
