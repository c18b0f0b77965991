"""Rows as CSV, JSON, Markdown and lines of name and value."""

from __future__ import annotations

import csv
import json

from winsql.shell.formats import Column, Format, Kind, format_rows

COLUMNS = [Column("name"), Column("n", Kind.NUMBER), Column("ok", Kind.BOOLEAN), Column("all", Kind.NESTED)]
ROWS = [['a "b", c', "1.50", "true", "[1,null]"], ["", "NaN", None, None], [None, "-2", "false", '{"x":1}']]


def test_csv_tells_null_from_an_empty_string() -> None:
    text = format_rows(COLUMNS, ROWS, Format.CSV)
    assert text.split("\n") == [
        "name,n,ok,all",
        '"a ""b"", c",1.50,true,"[1,null]"',
        '"",NaN,,',
        ',-2,false,"{""x"":1}"',
    ]
    assert next(csv.reader(text.split("\n")[1:2])) == ROWS[0]


def test_json_has_the_values_types() -> None:
    assert json.loads(format_rows(COLUMNS, ROWS, Format.JSON)) == [
        {"name": 'a "b", c', "n": 1.5, "ok": True, "all": [1, None]},
        {"name": "", "n": "NaN", "ok": None, "all": None},
        {"name": None, "n": -2, "ok": False, "all": {"x": 1}},
    ]
    assert format_rows(COLUMNS, [], Format.JSON) == "[]"


def test_json_keeps_columns_of_the_same_name() -> None:
    columns = [Column("a"), Column("a_2"), Column("a")]
    assert format_rows(columns, [["1", "2", "3"]], Format.JSON) == '[{"a": "1", "a_2": "2", "a_3": "3"}]'


def test_markdown_escapes_what_would_end_a_cell() -> None:
    rows = [["a|b\nc", "1", "true", None]]
    assert format_rows(COLUMNS, rows, Format.MARKDOWN).split("\n") == [
        "| name | n | ok | all |",
        "| --- | ---: | --- | --- |",
        "| a\\|b<br>c | 1 | true | NULL |",
    ]


def test_expanded_rows_have_a_line_per_value() -> None:
    text = format_rows(COLUMNS[:2], [["two\nlines", "1"], [None, "\x1b"]], Format.TABLE, expanded=True)
    assert text.split("\n") == [
        "-[ row 1 ]------",
        "name  two",
        "      lines",
        "n     1",
        "-[ row 2 ]------",
        "name  NULL",
        "n     \\x1b",
    ]


def test_a_table_is_cut_to_the_width_of_the_terminal() -> None:
    rows = [["x" * 50, "y" * 50]]
    columns = [Column("a"), Column("b")]
    widths = [len(format_rows(columns, rows, Format.TABLE, width=width).split("\n")[2]) for width in (None, 110, 80, 5)]
    assert widths[:2] == [102, 102]
    assert 70 < widths[2] <= 80
    assert widths[3] == 2 * 12 + 2  # a pager shows what cells of that width do not fit
