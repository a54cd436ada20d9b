"""Property tests see the same examples everywhere, and what failed once is tried again."""

import importlib.util
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import TIMES, KeptExamples, examples

pytestmark = pytest.mark.skipif(TIMES > 0, reason="examples are not fixed in make fuzz")


def drawn():
    """What a property test draws."""
    seen = []

    @examples(300)
    @given(st.floats(), st.integers(), st.text(max_size=3))
    def run(x, n, text):
        seen.append(repr((x, n, text)))

    run()
    return seen


def test_examples_do_not_depend_on_what_was_imported_before(tmp_path, monkeypatch):
    before = drawn()
    assert len(set(before)) > 200
    path = tmp_path / "constants.py"
    path.write_text("".join(f"c{k} = {k}.125\nd{k} = 1{k}\n" for k in range(20)))
    spec = importlib.util.spec_from_file_location("constants", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, "constants", module)
    assert drawn() == before


def test_a_failure_is_kept_in_its_smallest_form_and_tried_again(tmp_path):
    def tried(database, limit):
        seen = []

        @settings(database=database, max_examples=2000 if limit else 1)
        @given(st.integers(0, 10**6))
        def run(n):
            seen.append(n)
            assert not limit or n < limit

        run()
        return seen

    folder = tmp_path / "kept"
    with pytest.raises(AssertionError):
        tried(KeptExamples(folder, read_only=True), 5000)
    assert not folder.exists()
    with pytest.raises(AssertionError):
        tried(KeptExamples(folder, read_only=False), 5000)
    [kept] = folder.iterdir()
    content = kept.read_text()
    for read_only in (True, False):  # it stays when it does not fail any more
        assert tried(KeptExamples(folder, read_only=read_only), None)[0] == 5000
        assert kept.read_text() == content
