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
    assert widths[3] == 2 * 16 + 2


TIMES = [Column("id", Kind.NUMBER), Column("carrier"), Column("departure", Kind.TIME), Column("more", Kind.NESTED)]
WIDE = [["1", "a carrier with a long name", "2024-03-10 06:00:00", "{0, [1, 2, 3, 4, 5, 6, 7]}"]]


def lines(width: int, expanded: bool | None = None) -> list[str]:
    return format_rows(TIMES, WIDE, Format.TABLE, expanded=expanded, width=width).split("\n")


def test_nested_values_give_way_before_texts_and_times_never() -> None:
    assert lines(79)[2] == " 1  a carrier with a long name  2024-03-10 06:00:00  {0, [1, 2, 3, 4, 5, 6, 7]}"
    assert lines(70)[2] == " 1  a carrier with a long name  2024-03-10 06:00:00  {0, [1, 2, 3, 4,…"
    assert lines(55)[2] == " 1  a carrier with a …  2024-03-10 06:00:00  {0, [1, 2…"


def test_rows_that_do_not_fit_turn_to_a_line_per_column() -> None:
    assert lines(50)[0] == "-[ row 1 ]-----------"
    assert "departure  2024-03-10 06:00:00" in lines(50)
    assert "2024-03-10 06:00:00" in lines(50, expanded=False)[2]


def test_one_column_is_never_cut() -> None:
    assert format_rows([Column("plan")], [["x" * 300]], Format.TABLE, width=80).split("\n")[2] == "x" * 300


def test_names_of_columns_may_be_left_out() -> None:
    assert format_rows(COLUMNS[:2], [["a", "1"]], Format.TABLE, headers=False) == "a  1"
    assert format_rows(COLUMNS[:2], [["a", "1"]], Format.CSV, headers=False) == "a,1"


def test_any_line_end_is_one_in_markdown() -> None:
    text = format_rows([Column("k")], [["a\rb\r\nc\nd"]], Format.MARKDOWN)
    assert text.splitlines()[-1] == "| a<br>b<br>c<br>d |"
