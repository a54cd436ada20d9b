"""What the CSV reader makes of headers, cells, quotes and types."""

from datetime import date, datetime

import polars as pl
import pytest

from thresher.files import TableError, read_table

from .conftest import Write


def column(write: Write, cells: list[str]) -> pl.Series:
    """Read one column of cells, as plain and as quoted text, which must agree."""
    plain = write("plain.csv", "y,x\n" + "".join(f"a,{cell}\n" for cell in cells))
    quoted = write("quoted.csv", "y,x\n" + "".join(f'a,"{cell}"\n' for cell in cells))
    x = read_table(plain, "y").X["x"]
    assert x.equals(read_table(quoted, "y").X["x"], check_dtypes=True)
    return x


@pytest.mark.parametrize(
    ("cells", "dtype", "values"),
    [
        (["1", "-2", "+3"], pl.Int64, [1, -2, 3]),
        (["1", "2.5", "1e3", "-.5"], pl.Float64, [1.0, 2.5, 1000.0, -0.5]),
        (["1", "99999999999999999999"], pl.Float64, [1.0, 1e20]),
        (["true", "FALSE", "", "True"], pl.Boolean, [True, False, None, True]),
        (["true", "1"], pl.String, ["true", "1"]),
        (["1", "2", "two"], pl.String, ["1", "2", "two"]),
        (["  1 ", "2"], pl.Int64, [1, 2]),
        ([" red", "blue "], pl.String, ["red", "blue"]),
        (["2024-02-29", "NA"], pl.Date, [date(2024, 2, 29), None]),
        (["2024-02-30", "2024-02-01"], pl.String, ["2024-02-30", "2024-02-01"]),
        (["29/02/2024"], pl.Date, [date(2024, 2, 29)]),
        (["2024-02-29 12:30"], pl.Datetime("us"), [datetime(2024, 2, 29, 12, 30)]),
        (["2024-02-29T12:30:01.5"], pl.Datetime("us"), [datetime(2024, 2, 29, 12, 30, 1, 500000)]),
        (["2024-02-29", "2024-02-29 12:30"], pl.String, ["2024-02-29", "2024-02-29 12:30"]),
        (["?", "NA", ""], pl.Float64, [None, None, None]),
    ],
)
def test_types(write: Write, cells: list[str], dtype: pl.DataType, values: list[object]) -> None:
    x = column(write, cells)
    assert x.dtype == dtype
    assert x.to_list() == values


def test_moments_with_zones_are_in_utc(write: Write) -> None:
    x = column(write, ["2024-02-29T12:30:00Z", "2024-02-29T12:30:00+02:00"])
    assert x.dtype == pl.Datetime("us", "UTC")
    assert [moment.hour for moment in x] == [12, 10]


@pytest.mark.parametrize("marker", ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "?"])
@pytest.mark.parametrize("value", ["1", "2.5", "red", "true", "2024-01-01"])
def test_missing_markers(write: Write, marker: str, value: str) -> None:
    x = column(write, [value, marker, f" {marker} ", value])
    assert x.is_null().to_list() == [False, True, True, False]
    assert x.dtype == column(write, [value]).dtype


def test_one_bad_cell_in_the_last_row_makes_text(write: Write) -> None:
    with pytest.warns(UserWarning, match="but not 'oops'"):
        x = column(write, ["1"] * 3000 + ["oops"])
    assert x.dtype == pl.String
    assert x[0] == "1"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(write: Write, delimiter: str) -> None:
    rows = [["a", "b", "y"], ["1.5", "x", "u"], ["2.5", "z", "v"]]
    path = write("t.csv", "\n".join(delimiter.join(row) for row in rows))
    assert read_table(path, "y").feature_names == ("a", "b")


def test_a_delimiter_within_quotes_or_cells_does_not_mislead(write: Write) -> None:
    path = write("t.csv", 'a;y\n"1,5;2,5";u\n1,5,5;v\n')
    assert read_table(path, "y").X["a"].to_list() == ["1,5;2,5", "1,5,5"]


def test_other_delimiters_are_not_guessed(write: Write) -> None:
    with pytest.raises(TableError, match="no target column 'y'"):
        read_table(write("t.csv", "a:y\n1:2\n"), "y")


@pytest.mark.parametrize("quote", ["", '"'])
def test_blank_lines_and_line_ends(write: Write, quote: str) -> None:
    rows = f"\n \na,y\r\n\r\n1,{quote}u{quote}\r\n  \r\n2,v\r\n\r\n"
    for text in (rows, rows.replace("\r\n", "\n"), rows.replace("\r\n", "\r"), rows.strip()):
        table = read_table(write("t.csv", text), "y")
        assert table.X["a"].to_list() == [1, 2]
        assert table.y.tolist() == ["u", "v"]


def test_rows_of_nothing_but_delimiters_are_rows(write: Write) -> None:
    table = read_table(write("t.tsv", "a\tb\ty\n\t\tu\n1\t\tv\n"), "y")
    assert table.X["a"].to_list() == [None, 1]


def test_byte_order_mark(write: Write) -> None:
    table = read_table(write("t.csv", b"\xef\xbb\xbfa,y\n1,u\n"), "y")
    assert table.feature_names == ("a",)


def test_index_column_of_pandas_and_other_nameless_columns(write: Write) -> None:
    path = write("t.csv", ",a, ,y\n0,1,2,u\n1,3,4,v\n")
    assert read_table(path, "y").feature_names == ("unnamed_0", "a", "unnamed_2")
    assert read_table(path, "y", drop=["unnamed_0", "unnamed_2"]).feature_names == ("a",)


def test_names_are_stripped_but_otherwise_untouched(write: Write) -> None:
    names = ["two\nlines", 'quo"te', "co,mma", "Größe ∑ 🌾", "a b", "'"]
    header = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    table = read_table(write("t.csv", f'{header}, " y "\n1,2,3,4,5,6,u\n'), "y")
    assert list(table.feature_names) == names
    assert table.X.row(0) == (1, 2, 3, 4, 5, 6)


def test_quotes_within_and_around_cells(write: Write) -> None:
    path = write("t.csv", 'a,b,y\n"x ""y"" z", "s,t",u\n5" pipe,"p\n\nq",v\n')
    table = read_table(path, "y")
    assert table.X["a"].to_list() == ['x "y" z', '5" pipe']
    assert table.X["b"].to_list() == ["s,t", "p\n\nq"]


def test_many_quoted_rows_come_in_order(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.files._csv._CELLS_PER_CHUNK", 6)
    path = write("t.csv", "a,y\n" + "".join(f'{i},"u"\n' for i in range(20)))
    assert read_table(path, "y").X["a"].to_list() == list(range(20))


def test_tens_of_thousands_of_columns(write: Write) -> None:
    n = 30_000
    header = ",".join(f"c{i}" for i in range(n))
    row = ",".join(["1"] * n)
    table = read_table(write("t.csv", f"{header},y\n{row},u\n{row},v\n"), "y")
    assert table.X.shape == (2, n)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a,b,y\n1,2,u\n1,2\n", 3, "2 fields, but the header has 3"),
        ("a,b,y\n\n1,2,u\n1,2,3,4\n", 4, "4 fields, but the header has 3"),
        ("a,b,y\n1,2,u\n1\n", 3, "1 field, but the header has 3"),
        ('a,b,y\n"p\nq",2,u\n"r",2\n', 4, "2 fields, but the header has 3"),
        ('a,b,y\n1,2,u\n"x,2,v\n1,2,w\n', 3, "broken quotes"),
        ('a,b,y\n1,2,u\n"x"z,2,v\n', 3, "broken quotes"),
        ('"a,b,y\n1,2,u\n', 1, "broken quotes"),
    ],
)
def test_broken_rows_are_named_by_line(write: Write, text: str, line: int, message: str) -> None:
    path = write("t.csv", text)
    with pytest.raises(TableError, match=message) as caught:
        read_table(path, "y")
    assert str(caught.value).startswith(f"{path}, line {line}: ")
