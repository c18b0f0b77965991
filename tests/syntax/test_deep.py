"""Statements that nest two hundred brackets are read as any other; Python's limit on calls is as before after it."""

from __future__ import annotations

import sys
import threading

import pytest

from winsql.errors import WindowSyntaxError
from winsql.syntax import parse_statement
from winsql.syntax.layout import lay_out
from winsql.syntax.mistakes import find_mistakes
from winsql.syntax.text.deep import MAX_DEPTH, room_for
from winsql.syntax.text.source import Source

DEPTH = 200
CLAUSE = "WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR)"
FUNCTION = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL 1 HOUR))"


def nested(depth: int) -> Source:
    return Source("(" * depth + ")" * depth)


def within(opening: str, text: str, depth: int = DEPTH - 3) -> str:
    return opening * depth + text + ")" * depth


STATEMENTS = {
    "an item": f"SELECT k, {within('(', 'sum(v)')} AS s FROM t {CLAUSE} GROUP BY k",
    "calls": f"SELECT k, {within('abs(', 'sum(v)')} AS s FROM t {CLAUSE} GROUP BY k",
    "an argument": f"SELECT k, sum({within('abs(', 'v')}) AS s FROM t {CLAUSE} GROUP BY k",
    "a key": f"SELECT {within('abs(', 'k')} AS a, sum(v) AS s FROM t {CLAUSE} GROUP BY {within('abs(', 'k')}",
    "a filter": f"SELECT k, sum(v) AS s FROM t WHERE {within('(', 'v > 1')} {CLAUSE} GROUP BY k",
    "HAVING": f"SELECT k, sum(v) AS s FROM t {CLAUSE} GROUP BY k HAVING {within('(', 'sum(v) > 1')}",
    "WHEN": f"SELECT k, sum(v) AS s FROM t {CLAUSE} TRIGGER WHEN({within('(', 'sum(v) > 1')}) GROUP BY k",
    "a time": f"SELECT k, sum(v) AS s FROM t WINDOW ASSIGN TUMBLING({within('(', 'ts')}, '1 hour') GROUP BY k",
    "CASE": f"SELECT k, {'CASE WHEN k > 0 THEN (' * 90}1{') END' * 90} AS c, sum(v) AS s FROM t {CLAUSE} GROUP BY k",
    "CASE without brackets": f"SELECT {'CASE WHEN k > 0 THEN ' * DEPTH}1{' END' * DEPTH} AS c, sum(v) AS s"
    f" FROM {FUNCTION}"
    " GROUP BY window_start, window_end, k",
    "operators": f"SELECT k, sum({'- ' * DEPTH}v) AS s FROM {FUNCTION} WHERE {'NOT ' * DEPTH}ok"
    " GROUP BY window_start, window_end, k",
    "AND": f"SELECT k, sum(v) AS s FROM {FUNCTION} WHERE {' AND '.join(['v > 1'] * 5 * DEPTH)}"
    " GROUP BY window_start, window_end, k",
    "UNION": f"{'SELECT 1, 2 UNION ALL ' * 5 * DEPTH}SELECT k, sum(v) FROM {FUNCTION}"
    " GROUP BY window_start, window_end, k",
    "CTEs": f"WITH c0 AS (SELECT * FROM {FUNCTION}), "
    + ", ".join(f"c{n} AS (SELECT * FROM c{n - 1})" for n in range(1, DEPTH))
    + f" SELECT k, sum(v) FROM c{DEPTH - 1} GROUP BY window_start, window_end, k",
    "ON": f"SELECT * FROM a WINDOW JOIN b ON a.k = b.k AND {within('(', 'a.v > b.v')}"
    " WINDOW ASSIGN TUMBLING((a.ts, b.ts), INTERVAL 1 HOUR)",
    "subqueries": f"SELECT k, sum(v) AS s FROM {within('(SELECT * FROM ', 't')} {CLAUSE} GROUP BY k",
    "around": f"SELECT * FROM {within('(SELECT * FROM ', f'(SELECT k, sum(v) FROM t {CLAUSE} GROUP BY k)', DEPTH - 5)}",
    "brackets around": within("(", f"SELECT k, sum(v) AS s FROM t {CLAUSE} GROUP BY k"),
    "over a function": f"SELECT k, sum({within('abs(', 'v')}) FROM {FUNCTION} GROUP BY window_start, window_end, k",
    "a filter of a function": f"SELECT k, sum(v) FROM {FUNCTION} WHERE {within('(', 'v > 1')}"
    " GROUP BY window_start, window_end, k",
    "subqueries over a function": f"SELECT k, sum(v) FROM {within('(SELECT * FROM ', FUNCTION, DEPTH - 5)}"
    " GROUP BY window_start, window_end, k",
    "a table of a call": f"SELECT * FROM window_join(TABLE(SELECT * FROM {within('(SELECT * FROM ', 'a', DEPTH - 5)})"
    " PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING(INTERVAL 1 HOUR))",
}


@pytest.mark.parametrize("text", STATEMENTS.values(), ids=STATEMENTS)
def test_deep_brackets_are_read(text: str) -> None:
    limit = sys.getrecursionlimit()
    statement = parse_statement(text)
    assert len(statement.queries) == 1
    if statement.differs_on_stream(0):
        again = statement.on_stream(0)
        assert again is not None
        assert again.queries
    assert find_mistakes(text) == []
    assert lay_out(lay_out(text)) == lay_out(text)
    assert sys.getrecursionlimit() == limit


def test_deeper_brackets_are_refused() -> None:
    for text in (
        f"SELECT {within('(', '1', MAX_DEPTH + 1)} FROM t {CLAUSE}",
        f"SELECT k, {within('(', 'sum(v)', MAX_DEPTH + 1)} FROM {FUNCTION} GROUP BY window_start, window_end, k",
    ):
        with pytest.raises(WindowSyntaxError, match="brackets nest too deeply"):
            parse_statement(text)


def test_what_python_has_no_room_for_is_left_to_spark_or_refused() -> None:
    case = f"{'CASE WHEN k > 0 THEN ' * 5000}1{' END' * 5000}"
    assert parse_statement(f"SELECT {case}, sum(v) FROM t GROUP BY k", window_table=lambda name: None).is_plain

    def endless() -> None:
        endless()

    with pytest.raises(WindowSyntaxError, match="nests too deeply"), room_for(Source("SELECT 1")):
        endless()


def test_triggers_in_triggers_have_a_limit() -> None:
    text = "SELECT k, sum(v) FROM t WINDOW ASSIGN GLOBAL() TRIGGER {} GROUP BY k"
    assert parse_statement(text.format(within("PURGING(", "COUNT(3)", 99))).queries
    with pytest.raises(WindowSyntaxError, match="triggers nest too deeply"):
        parse_statement(text.format(within("PURGING(", "COUNT(3)", 102)))


def test_the_limit_stays_until_the_last_thread_is_done() -> None:
    before = sys.getrecursionlimit()
    inside, leave, seen = threading.Event(), threading.Event(), []

    def other() -> None:
        with room_for(nested(200)):
            inside.set()
            leave.wait(10)
            seen.append(sys.getrecursionlimit())

    thread = threading.Thread(target=other)
    thread.start()
    assert inside.wait(10)
    with room_for(nested(100)):
        pass
    leave.set()
    thread.join(10)
    assert seen[0] > before
    assert sys.getrecursionlimit() == before
