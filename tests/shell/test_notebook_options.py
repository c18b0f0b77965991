"""The options of %winsql that need, or exclude, others: none is left out without a word."""

from __future__ import annotations

import pytest

from winsql.shell.notebook.options import BadOptions, parse_options, split_line


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("--once", "--once needs --stream"),
        ("--for=3 --view v", "--for needs --stream"),
        ("--delay 5", "--delay needs --timeline"),
        ("--timeline --view v", "--timeline keeps no result: leave out --view"),
        ("--view=v --stream --once", "--stream keeps no result: leave out --view"),
        ("--timeline --stream", "--timeline keeps no result: leave out --stream"),
    ],
)
def test_options_that_would_do_nothing_are_refused(options: str, problem: str) -> None:
    with pytest.raises(BadOptions, match=problem):
        parse_options(options)


def test_options_that_go_together() -> None:
    assert parse_options("--stream --for 3 --rows=2").seconds == 3
    assert parse_options("--timeline --delay=5").delay == 5


def test_an_unknown_option_is_no_comment_of_sql() -> None:
    head, text = split_line(" --rows 3 --bogus SELECT 1")
    assert not text
    with pytest.raises(BadOptions, match="--bogus"):
        parse_options(head)
    assert split_line("--rows 3 -- SELECT 1") == ("--rows 3 ", "-- SELECT 1")
