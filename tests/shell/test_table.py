"""Rows as aligned text."""

from __future__ import annotations

import pytest

from winsql.shell.table import format_table, text_width


def table(*lines: str) -> str:
    return "\n".join(lines)


def test_numbers_stand_right_and_text_left() -> None:
    rows = [["UA", "12.5"], ["Endeavor", None]]
    assert format_table(["carrier", "delay"], rows, [False, True]) == table(
        "carrier   delay",
        "--------  -----",
        "UA         12.5",
        "Endeavor   NULL",
    )


def test_a_table_without_rows_shows_its_columns() -> None:
    assert format_table(["a", "b"], [], [True, False]) == table("a  b", "-  -")


def test_columns_may_have_the_same_name() -> None:
    assert format_table(["a", "a"], [["1", "2"]], [True, True]) == table("a  a", "-  -", "1  2")


def test_a_value_that_is_too_wide_is_cut() -> None:
    assert format_table(["t"], [["x" * 61], ["y" * 60]], [False]).splitlines()[2:] == ["x" * 59 + "…", "y" * 60]


def test_wide_characters_take_two_columns_and_combining_ones_none() -> None:
    rows = [["漢字", "1"], ["e\u0301te\u0301", "2"]]
    assert format_table(["k", "v"], rows, [False, True]) == table(
        "k     v",
        "----  -",
        "漢字  1",
        "e\u0301te\u0301   2",
    )


def test_a_wide_value_is_cut_to_the_columns_it_takes() -> None:
    assert format_table(["k"], [["漢" * 40]], [False]).splitlines()[2] == "漢" * 29 + "…"


def test_line_breaks_and_control_characters_are_shown() -> None:
    rows = [["a\nb\t\x1b[31m", "1"]]
    assert format_table(["k", "v"], rows, [False, True]).splitlines()[2] == "a\\nb\\t\\x1b[31m  1"


def test_one_column_with_line_breaks_is_printed_as_it_is() -> None:
    plan = "== Plan ==\n" + "x" * 100 + "\n"
    assert format_table(["plan"], [[plan]], [False]) == plan.rstrip()


def test_one_column_with_line_breaks_does_not_move_the_cursor() -> None:
    assert format_table(["text"], [["a\n\tb\x1b[31m\r"], [None]], [False]) == "a\n\tb\\x1b[31m\\r\nNULL"


@pytest.mark.parametrize(("text", "width"), [("กี่", 1), ("👍\ufe0f", 2), ("a\u200db", 2), ("한글", 4), ("é", 1)])
def test_marks_and_joiners_take_no_column(text: str, width: int) -> None:
    assert text_width(text) == width
