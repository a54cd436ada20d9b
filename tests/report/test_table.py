"""The data of the verdict table."""

import json

from tests.report import contents
from thresher.report import summarise
from thresher.report._limits import Limits
from thresher.report._table import build_table

ROOMY = Limits(table_bytes=2_000_000, label=160, title=1000, reason=400)


def table_of(content, limits=ROOMY):
    table = build_table(summarise(content).columns, limits)
    return table, json.loads(table.data)


def test_rows_have_the_fields_that_any_column_has():
    table, data = table_of(contents.ace())
    assert data["fields"] == ["name", "kind", "score", "p_value", "masked_by", "step", "reason"]
    assert data["rows"][0][:3] == ["a", "relevant", 100]
    assert len(data["rows"]) == table.n_rows == 7
    assert table.note == ""
    bare, data = table_of(contents.nothing())
    assert data == {"fields": ["name", "kind"], "rows": [["x", "irrelevant"], ["y", "irrelevant"]]}
    assert bare.all_selected


def test_names_survive_exactly_and_cannot_end_the_script():
    table, data = table_of(contents.hostile())
    assert {row[0] for row in data["rows"]} == set(contents.HOSTILE)
    assert "<" not in table.data
    assert "\u202e" not in table.data
    table.data.encode()  # no lone surrogates


def test_reasons_of_the_least_important_go_first():
    limits = Limits(table_bytes=20_000, label=160, title=1000, reason=400)
    table, data = table_of(contents.wide(250), limits)
    given = [len(row) == len(data["fields"]) for row in data["rows"]]
    assert table.n_rows == 250
    assert given == sorted(given, reverse=True)
    assert 0 < sum(given) < 250
    assert f"for the {sum(given)} columns that matter most" in table.note


def test_then_rows_go_but_the_first_keep_their_reasons():
    limits = Limits(table_bytes=5_000, label=160, title=1000, reason=400)
    table, data = table_of(contents.wide(1000), limits)
    assert 0 < len(data["rows"]) == table.n_rows < 1000
    assert len(data["rows"][0]) == len(data["fields"])
    assert f"the {1000 - table.n_rows} columns that matter least are not listed" in table.note
    assert table.all_selected
    assert len(table.data.encode()) < 6_000


def test_names_are_not_copied_unless_all_selected_are_there():
    limits = Limits(table_bytes=40, label=160, title=1000, reason=400)
    assert not table_of(contents.wide(10), limits)[0].all_selected
