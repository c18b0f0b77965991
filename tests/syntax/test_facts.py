"""What a query says of itself in records, so that nobody searches its SQL for it."""

from __future__ import annotations

import pytest
from on_streams import last_on_streams

from winsql.model.aggregate_calls import AggregateCall, CallOperand
from winsql.model.query import ROW_KIND, WINDOW_END, WINDOW_START, WINDOW_TIME, Constant, ResultColumn, WindowQuery
from winsql.syntax import parse_statement

HOURS = "FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR)"


def one(text: str) -> WindowQuery:
    (query,) = parse_statement(text).queries
    return query


def call(text: str) -> AggregateCall:
    (found,) = one(f"SELECT {text} {HOURS}").aggregates
    return found


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("SELECT count(*) {}", ()),
        ("SELECT count(*), 'windowed window_end' AS s {}", ()),
        ("SELECT count(*), window_end - window_start {}", (WINDOW_START, WINDOW_END)),
        ("SELECT count(*) {} GROUP BY ts0 HAVING window_start > ts0", (WINDOW_START,)),
        ("SELECT * {} ORDER BY window_time", (WINDOW_TIME,)),
        ("SELECT k, count(*) {} GROUP BY k EMIT ON TIME AS UPSERT", (ROW_KIND,)),
    ],
)
def test_the_window_columns_that_are_read(text: str, read: tuple[str, ...]) -> None:
    assert one(text.format(HOURS)).window_columns == read


def test_keys_and_window_columns_that_are_returned_as_they_are() -> None:
    items = "k AS `a b`, struct(1, j AS k2) AS s, window_end e, window_start + INTERVAL 1 DAY, J"
    assert one(f"SELECT {items} {HOURS} GROUP BY k, j").returned == (
        ResultColumn("a b", "windowed__key_0"),
        ResultColumn("e", WINDOW_END),
        ResultColumn("J", "windowed__key_1"),
    )


@pytest.mark.parametrize(
    ("key", "constant"),
    [
        ("k", None),
        ("k + 1", None),
        ("(7 + 1)", None),
        ("- /* less */ (2)", None),
        ("- /* less */ 2", Constant.NUMBER),
        ("1L", None),
        (":p", Constant.PARAMETER),
        ("( : p )", Constant.PARAMETER),
        ("?", Constant.PARAMETER),
        ("? + 1", None),
    ],
)
def test_keys_that_group_by_would_take_for_a_position(key: str, constant: Constant | None) -> None:
    (found,) = one(f"SELECT * FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR) PARTITION BY {key}").keys
    assert found.constant is constant


def test_the_end_of_windows_has_a_name_of_its_own() -> None:
    inner = f"(SELECT k, window_end AS `my.End` {HOURS} GROUP BY k)"
    (end,) = last_on_streams(f"SELECT count(*) FROM {inner} g GROUP BY g.`my.End`").ends
    assert (end.sql, end.name) == ("g.`my.End`", "my.end")
    sides = last_on_streams(f"SELECT a.k FROM {inner} a JOIN {inner} b ON (a.`my.end`) = b.`my.end` AND a.k = b.k").ends
    assert [end.name for end in sides] == ["my.end", "my.end"]


def test_operands_of_a_call() -> None:
    found = call("listagg(DISTINCT CAST(v AS STRING), ', ') WITHIN GROUP (ORDER BY w DESC) FILTER (WHERE x.ok)")
    assert [operand.sql for operand in found.operands] == ["v", "', '", "w", "x.ok"]
    assert [operand.columns for operand in found.operands] == [(("V",),), (), (("W",),), (("X", "OK"),)]
    assert found.arguments == ("CAST(v AS STRING)", "', '")
    assert (found.sorted_by, found.filter, found.ignores_nulls) == ("w DESC", "x.ok", None)
    assert call("first(v) IGNORE NULLS").ignores_nulls is True
    assert call("first(v) RESPECT NULLS").ignores_nulls is False
    assert [operand.is_star for operand in call("max(struct(*))").operands] == [False]
    assert [operand.reads_more for operand in call("max(struct(*))").operands] == [True]
    assert [*call("count(*)").operands] == []


def test_a_call_over_other_operands() -> None:
    found = call("max_by(v, (SELECT 1) + w) FILTER (WHERE ok)")
    names: dict[CallOperand, str] = {operand: f"c{n}" for n, operand in enumerate(found.operands)}
    moved = found.over(names.__getitem__)
    assert (moved.sql, moved.arguments, moved.filter) == ("max_by(c0, c1) FILTER (WHERE c2)", ("c0", "c1"), "c2")
    assert found.read == ("v", "CASE WHEN ok THEN (SELECT 1) + w END")


def test_the_column_that_is_the_time_of_a_side() -> None:
    times = "(a.`t s`, date_trunc('day', b.ts))"
    join = one(f"SELECT 1 FROM a WINDOW JOIN b ON a.k = b.k WINDOW ASSIGN TUMBLING({times}, '1 day')").join
    assert join is not None
    assert (join.left.time_column, join.right.time_column) == ("`t s`", None)
