from benchmarks.peers.results import Results, key_of


def test_results_outlive_the_run(tmp_path):
    path = tmp_path / "results.jsonl"
    Results(path).add("a", {"columns": [1]})
    assert Results(path).get("a") == {"columns": [1]}
    assert Results(path).get("b") is None


def test_fresh_forgets(tmp_path):
    path = tmp_path / "results.jsonl"
    Results(path).add("a", {"columns": [1]})
    assert Results(path, fresh=True).get("a") is None


def test_half_a_line_is_passed_over_and_closed(tmp_path):
    path = tmp_path / "results.jsonl"
    Results(path).add("a", {"n": 1})
    with path.open("a") as lines:
        lines.write('{"key": "b", "n"')
    results = Results(path)
    assert results.get("a") == {"n": 1}
    assert results.get("b") is None
    results.add("c", {"n": 3})
    assert Results(path).get("c") == {"n": 3}


def test_a_key_depends_on_every_part_but_not_on_their_order():
    assert key_of(a=1, b=2) == key_of(b=2, a=1)
    assert key_of(a=1, b=2) != key_of(a=1, b=3)
