"""Statements over views that have windows already: they are windowed queries where they do more with these."""

from __future__ import annotations

import threading

import pytest
from on_streams import on_streams

from winsql.errors import WinsqlError
from winsql.model.query import Form
from winsql.model.window_tables import Role, WindowColumn, WindowTable
from winsql.syntax import Statement, parse_statement

COLUMNS = (
    WindowColumn("k"),
    WindowColumn("at", is_time=True),
    WindowColumn("The End", Role.END),
    WindowColumn("w", Role.TIME),
)
TABLES = {
    "`rows`": WindowTable(COLUMNS, are_rows=True),
    "`results`": WindowTable(COLUMNS, are_rows=False),
    "`my db`.`results`": WindowTable(COLUMNS, are_rows=False),
}


def parsed(text: str) -> Statement:
    return parse_statement(text, window_table=lambda name: TABLES.get(name.lower()))


@pytest.mark.parametrize(
    "text",
    [
        "SELECT `the end`, count(*) AS c FROM rows GROUP BY `the end`",
        "SELECT x.e, k FROM (SELECT `the end` AS e, k FROM STREAM Results WHERE k > 1) AS x GROUP BY ALL",
        "SELECT DISTINCT `THE END` FROM `my db` . results",
        "WITH a(k, t, e, m) AS (SELECT * FROM rows) SELECT max(k) AS m FROM a GROUP BY e",
        "SELECT w, count(*) AS c FROM results GROUP BY w",
    ],
)
def test_rows_of_a_view_are_grouped_by_their_end(text: str) -> None:
    (query,) = parsed(text).queries
    assert query.form is Form.AGGREGATE
    assert query.spec.assigner.time is not None
    assert query.spec.assigner.time.is_event


@pytest.mark.parametrize(
    "text",
    [
        "TABLE rows |> AGGREGATE count(*) AS c GROUP BY `the end`, k",
        "INSERT INTO z TABLE rows |> SELECT DISTINCT k, `the end`",
        "CREATE TABLE z TABLE `my db`.results |> AGGREGATE count(*) AS c GROUP BY w",
        "CREATE TABLE z FROM rows |> AGGREGATE count(*) AS c GROUP BY w",
        "DESCRIBE QUERY FROM rows |> SELECT DISTINCT w",
        "SELECT id FROM names WHERE id IN (TABLE rows |> AGGREGATE max(k) AS k GROUP BY w |> SELECT k)",
    ],
)
def test_a_query_with_pipes_may_begin_anywhere(text: str) -> None:
    assert [query.form for query in parsed(text).queries] == [Form.AGGREGATE]


def test_table_before_a_pipe_is_joined() -> None:
    (query,) = parsed("TABLE results |> JOIN `my db`.results b USING (`the end`, k) |> SELECT k").queries
    assert query.form is Form.JOIN


def test_queries_in_relations_that_the_tree_does_not_know_are_found() -> None:
    group = "SELECT `the end`, count(*) AS c FROM rows GROUP BY `the end`"
    for text in (f"SELECT * FROM ({group}) TABLESAMPLE (5 ROWS)", f"SELECT * FROM f(TABLE({group}) PARTITION BY c) x"):
        assert [query.form for query in parsed(text).queries] == [Form.AGGREGATE], text
    text = f"WITH rows AS (SELECT 1 AS `the end`) SELECT * FROM ({group}) TABLESAMPLE (5 ROWS)"
    assert parsed(text).is_plain


def test_a_view_is_ranked_and_joined() -> None:
    (ranked,) = parsed("SELECT * FROM rows QUALIFY row_number() OVER (PARTITION BY w, k ORDER BY at DESC) = 1").queries
    assert ranked.over is not None
    on = "ON a.`the end` = b.`the end` AND a.k = b.k"
    assert [q.form for q in parsed(f"SELECT a.k FROM results a JOIN `my db`.results b {on}").queries] == [Form.JOIN]
    both = parsed(f"SELECT a.k FROM rows a JOIN results b {on}")
    assert [query.form for query in both.queries] == [Form.ROWS, Form.JOIN]
    exists = "SELECT k FROM results a WHERE EXISTS (SELECT 1 FROM results b WHERE a.`the end` = b.`the end`)"
    assert [query.form for query in parsed(exists).queries] == [Form.JOIN]


def test_a_view_meets_windows_of_the_statement() -> None:
    call = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour'))"
    statement = parsed(f"SELECT a.k FROM rows a JOIN {call} b ON a.`the end` = b.window_end AND a.k = b.k")
    assert [query.form for query in statement.queries] == [Form.WINDOWED]
    assert [query.form for query in on_streams(statement).queries] == [Form.WINDOWED, Form.JOIN]
    assert [query.form for query in on_streams(statement, ("t",)).queries] == [Form.WINDOWED]


@pytest.mark.parametrize(
    "text",
    [
        "SELECT k, `the end` FROM results WHERE k IN (1, 2)",
        "SELECT k, count(*) FROM rows GROUP BY k",
        "WITH results AS (SELECT 1 AS k) SELECT k, count(*) FROM results GROUP BY k",
        "SELECT count(*) FROM other",
        "SELECT count(*) FROM results.results",
        "SELECT k, count(*) FROM (SELECT * FROM results) WATERMARK w DELAY OF INTERVAL 1 HOUR GROUP BY k",
        "SELECT (k FROM results GROUP BY `the end`",
        "FROM other |> SELECT DISTINCT k",
        "WITH a AS (SELECT 1 AS k) FROM",
    ],
)
def test_what_is_spark_s_own_stays_so(text: str) -> None:
    assert parsed(text).is_plain


@pytest.mark.parametrize(
    "text",
    [
        "SELECT k, count(*) AS c FROM results GROUP BY k",
        "SELECT max(k) AS m FROM results",
        "SELECT DISTINCT k FROM results",
        "SELECT k, rank() OVER (ORDER BY c) AS r FROM (SELECT k, 1 AS c FROM results)",
    ],
)
def test_groups_that_never_end_are_refused(text: str) -> None:
    with pytest.raises(WinsqlError, match=r"never end") as caught:
        parsed(text)
    assert caught.value.span is not None
    assert caught.value.hint


def test_another_thread_reads_a_statement_while_tables_are_asked_for() -> None:
    """Spark's parser asks winsql about the bodies of functions in a thread of its own."""
    text, inner = "SELECT `the end` FROM counted_of() GROUP BY `the end`", "SELECT DISTINCT `the end` FROM rows"
    read: list[Statement] = []

    def asked(name: str) -> WindowTable | None:
        thread = threading.Thread(target=lambda: read.append(parsed(inner)), daemon=True)
        thread.start()
        thread.join(10)
        assert read, "the two wait for each other"
        return None

    assert parse_statement(text, window_table=asked).is_plain
    assert len(read[0].queries) == 1


def test_of_a_call_that_reads_a_query_nothing_is_asked() -> None:
    asked: list[str] = []
    call = "range((SELECT count(*) FROM t WINDOW ASSIGN COUNT(2, time => ts)))"
    for relation in (call, f"{call} AS x", "f(a => (((SELECT 1))))", "f(1)"):
        parse_statement(f"SELECT DISTINCT id FROM {relation}", window_table=asked.append)
    assert {*asked} == {"`t`", "f(1)"}


@pytest.mark.parametrize("text", ["EXPLAIN WINDOW SELECT (k FROM r", "EXPLAIN WINDOW SELECT k FROM (r GROUP BY k"])
def test_what_spark_cannot_read_is_left_to_spark(text: str) -> None:
    assert not parsed(text).queries
