"""Arguments of table functions by their names, in any order: the same query as by their places."""

from __future__ import annotations

from itertools import permutations

import pytest

from winsql.model.query import WindowQuery
from winsql.syntax import Statement, parse_statement

CALLS = {
    "TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL 10 MINUTES, INTERVAL 1 MINUTE)": (
        "SIZE => INTERVAL 10 MINUTES",
        "DATA => TABLE t",
        "TIMECOL => DESCRIPTOR(ts)",
        "OFFSET => INTERVAL 1 MINUTE",
    ),
    "HOP(TABLE(SELECT * FROM t), DESCRIPTOR(ts), '5 minutes', '10 minutes')": (
        "size => '10 minutes'",
        "slide => '5 minutes'",
        "timecol => DESCRIPTOR(ts)",
        "data => TABLE(SELECT * FROM t)",
    ),
    "CUMULATE(TABLE t, DESCRIPTOR(ts), '5 minutes', '10 minutes')": (
        "STEP => '5 minutes'",
        "SIZE => '10 minutes'",
        "TIMECOL => DESCRIPTOR(ts)",
        "DATA => TABLE t",
    ),
    "SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), '10 minutes')": (
        "GAP => '10 minutes'",
        "TIMECOL => DESCRIPTOR(ts)",
        "DATA => TABLE t PARTITION BY k",
    ),
}


def essence(query: WindowQuery) -> tuple[object, ...]:
    return query.spec, query.source, [key.sql for key in query.keys], query.head, query.tail


def on_stream(statement: Statement) -> WindowQuery:
    again = statement.on_stream(0)
    assert again is not None
    return again.queries[-1]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("form", ["{}", "TABLE({})"])
def test_window_functions(call: str, form: str) -> None:
    text = "SELECT k, count(*) FROM {} GROUP BY window_start, window_end, k"
    expected = parse_statement(text.format(form.format(call)))
    name = call.partition("(")[0]
    for arguments in permutations(CALLS[call]):
        found = parse_statement(text.format(form.format(f"{name}({', '.join(arguments)})")))
        assert [essence(query) for query in found.queries] == [essence(query) for query in expected.queries]
        assert essence(on_stream(found)) == essence(on_stream(expected))


@pytest.mark.parametrize(
    ("name", "option"),
    [("window_join", "join_type => 'LEFT'"), ("window_join", "trigger => COUNT(3)"), ("co_group", "")],
)
def test_functions_of_two_tables(name: str, option: str) -> None:
    left, right, window = "TABLE(a) PARTITION BY k", "TABLE(b) PARTITION BY j", "TUMBLING('1 hour')"
    after = [option] if option else []
    by_place = ", ".join([left, right, "DESCRIPTOR(x, y)", window, *after])
    (expected,) = parse_statement(f"SELECT * FROM {name}({by_place})").queries
    named = [f"left => {left}", f"right => {right}", "time => DESCRIPTOR(x, y)", f"window => {window}", *after]
    for arguments in permutations(named):
        (found,) = parse_statement(f"SELECT * FROM {name}({', '.join(arguments)})").queries
        assert essence(found) == essence(expected)


SPARKS_OWN = [
    "SELECT hop(size => 1, slide => 2) FROM t",
    "SELECT * FROM tumble(size => 1)",
    "SELECT session(a, b), tumble(t => 1, u => descriptor) FROM t",
    "SELECT * FROM cumulate(1, step => 2)",
]


@pytest.mark.parametrize("text", SPARKS_OWN)
def test_other_functions_of_the_names_stay_sparks(text: str) -> None:
    assert parse_statement(text).is_plain
