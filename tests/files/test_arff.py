"""The ARFF reader against the language of WEKA."""

from datetime import datetime

import polars as pl
import pytest

from tests.oracles import FOLDER as ORACLES
from thresher.files import TableError, read_table

from .conftest import Write

HEADER = """% a remark
@relation 'some name'

@attribute size numeric   % another
@attribute kind {red, 'dark blue', "it's"}
@ATTRIBUTE y {p,q}
@data
"""


def rows(write: Write, text: str, header: str = HEADER) -> list[tuple[object, ...]]:
    table = read_table(write("t.arff", header + text), "y")
    return table.X.with_columns(y=pl.Series(table.y.tolist())).rows()


@pytest.mark.parametrize("name", ["mixed_missing", "nominal", "numeric", "regression"])
def test_same_as_csv(name: str) -> None:
    target = "y" if name == "regression" else "class"
    arff, csv = (read_table(ORACLES / f"{name}.{kind}", target) for kind in ("arff", "csv"))
    assert arff.feature_names == csv.feature_names
    assert arff.y.tolist() == csv.y.tolist()
    for column in arff.feature_names:
        nominal = arff.X[column].dtype == pl.Enum
        kind = pl.String if nominal else pl.Float64
        assert nominal or arff.X[column].dtype == pl.Float64
        assert arff.X[column].cast(kind).equals(csv.X[column].cast(kind), null_equal=True), column


def test_types_and_levels(write: Write) -> None:
    header = """@attribute a INTEGER
@attribute b Real
@attribute c string
@attribute d date
@attribute e date "dd.MM.yy HH:mm Z"
@attribute f{z,'y ','x'}
@attribute y numeric
@data
1, 2.5, 'some text', '2024-02-29T12:30:01', "29.02.24 12:30 +0200", 'y ', 1
?,?,?,?,?,?,2
"""
    X = read_table(write("t.arff", header), "y").X
    assert X.row(0) == (
        *(1.0, 2.5, "some text"),
        *(datetime(2024, 2, 29, 12, 30, 1), datetime(2024, 2, 29, 10, 30), "y "),
    )
    assert X.row(1) == (None,) * 6
    assert X.dtypes[:4] == [pl.Float64, pl.Float64, pl.String, pl.Datetime("us")]
    assert X["f"].dtype == pl.Enum(["z", "y ", "x"])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1,red,p", (1.0, "red", "p")),
        (" 1 ,\t'red' , p % remark, with comma", (1.0, "red", "p")),
        ("1e3 'dark blue' q", (1000.0, "dark blue", "q")),
        ("?,?,q", (None, None, "q")),
        ("NaN,red,q", (None, "red", "q")),
        ('-1.5,"it\'s",q', (-1.5, "it's", "q")),
        (r"-1.5,'it\'s',q", (-1.5, "it's", "q")),
        ("{0 2, 1 'dark blue', 2 q}", (2.0, "dark blue", "q")),
        ("{2 q}", (0.0, "red", "q")),
        ("{ 1 ?,0 7 } % remark", (7.0, None, "p")),
        ("{}", (0.0, "red", "p")),
    ],
)
def test_rows(write: Write, line: str, expected: tuple[object, ...]) -> None:
    assert rows(write, f"\n% remark\n  \n{line}\n") == [expected]


def test_dense_and_sparse_rows_may_be_mixed(write: Write) -> None:
    found = rows(write, "1,red,q\n{0 2}\n3,red,q")
    assert found == [(1, "red", "q"), (2, "red", "p"), (3, "red", "q")]


def test_sparse_rows_omit_the_epoch_of_a_date(write: Write) -> None:
    header = "@attribute d date 'yyyy/MM/dd'\n@attribute y {p,q}\n@data\n"
    assert rows(write, "{1 q}\n{0 2024/02/29}", header) == [
        (datetime(1970, 1, 1), "q"),
        (datetime(2024, 2, 29), "p"),
    ]


def test_escapes_quoted_question_marks_and_percents(write: Write) -> None:
    header = "@attribute s string\n@attribute y {p,q}\n@data\n"
    lines = [r"'a\tb\n\\ \u00e9\"',p", "'?',p", "50%,p", "'%x',p", r'"\'",p', "'',p"]
    lines.append(r"'\ud83c\udf3e',p")
    found = [row[0] for row in rows(write, "\n".join(lines), header)]
    assert found == ['a\tb\n\\ é"', "?", "50%", "%x", "'", "", "🌾"]


def test_hostile_attribute_names(write: Write) -> None:
    names = {"'a b'": "a b", r"'it\'s'": "it's", '"x,{y}"': "x,{y}", r"'two\nlines'": "two\nlines"}
    names |= {"größe-∑": "größe-∑", "''": "unnamed_5", "'@data'": "@data"}
    header = "".join(f"@attribute {name} numeric\n" for name in names)
    text = f"{header}@attribute y {{p,q}}\n@data\n1,2,3,4,5,6,7,p\n"
    assert read_table(write("t.arff", text), "y").feature_names == tuple(names.values())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1,red", "2 values, but 3 attributes"),
        ("1,dark blue,p", "4 values, but 3 attributes"),
        ("1,,p", "an empty value; a missing one is written"),
        ("1,red,", "an empty value at the end"),
        ("1,'red,p", "a quote is not closed"),
        (r"1,'\ud83c',p", "half of a surrogate pair"),
        ("one,red,p", "attribute 'size': 'one' is not a number"),
        ("1,green,p", "attribute 'kind': 'green' is not one of the declared values"),
        ("1,red,p,{0.5}", "instance weights are not supported"),
        ("{0 1}, {0.5}", "instance weights are not supported"),
        ("{0 1} 5", "unexpected '5' behind the row"),
        ("{0 1, 3 p}", "'3' is no index from 0 to 2"),
        ("{-1 1}", "'-1' is no index"),
        ("{0 1, 0 2}", "index 0 is given twice"),
        ("{0 1, 2}", "pairs of an index and a value"),
        ("{0 1", "must end with }"),
    ],
)
def test_broken_rows_are_named_by_line(write: Write, line: str, message: str) -> None:
    path = write("t.arff", f"{HEADER}2,red,p\n{line}\n3,red,p\n")
    with pytest.raises(TableError, match=message) as caught:
        read_table(path, "y")
    assert str(caught.value).startswith(f"{path}, line 9: ")


@pytest.mark.parametrize(
    ("declaration", "message"),
    [
        ("@attribute x", "expected @attribute <name> <type>"),
        ("@attribute x relational", "has the type 'relational'; known are"),
        ("@attribute x numeric {0.5}", "unexpected '{' after the type"),
        ("@attribute x {a,b", "must end with }"),
        ("@attribute x {a,{b}}", "braces within the values"),
        ("@attribute x {a,b,a}", "the value 'a' is declared twice"),
        ("@attribute x date 'yyyy-ww'", "'ww' is not supported"),
        ("@attribute x date 'yyyy-MM-dd yyyy'", "'yyyy' is repeated"),
        ("@attribute 'x numeric", "a quote is not closed"),
        ("@data", "@data comes before any @attribute"),
        ("1,2,3", "expected @attribute or @data, found '1'"),
    ],
)
def test_broken_headers_are_named_by_line(write: Write, declaration: str, message: str) -> None:
    path = write("t.arff", f"@relation r\n{declaration}\n@attribute y {{p}}\n@data\n1,p\n")
    with pytest.raises(TableError, match=message) as caught:
        read_table(path, "y")
    assert str(caught.value).startswith(f"{path}, line 2: ")


def test_no_data_line(write: Write) -> None:
    with pytest.raises(TableError, match="no @data line"):
        read_table(write("t.arff", "@relation r\n@attribute y {p}\n"), "y")


def test_bad_dates_and_omitted_strings(write: Write) -> None:
    header = "@attribute d date\n@attribute s string\n@attribute y {p}\n@data\n"
    with pytest.raises(TableError, match=r"line 5: attribute 'd': '1\.1\.2024' is not a date"):
        rows(write, "1.1.2024,x,p", header)
    zoned = header.replace("date", "date 'yyyy Z'", 1)
    with pytest.raises(TableError, match=r"'0001 [+]0200' is not a date"):
        rows(write, "'0001 +0200',x,p", zoned)
    with pytest.raises(TableError, match=r"line 5: .* must not omit the string attribute 's'"):
        rows(write, "{0 '2024-01-01T00:00:00'}", header)
