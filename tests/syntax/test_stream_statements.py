"""Statements about streams: what they are read as, what stays Spark's, and whose late rows LATE INTO means.

Their error messages are golden files: tests/golden/errors/streams.sql.
"""

from __future__ import annotations

import pytest

from winsql.errors import WindowSpecError, WindowSyntaxError
from winsql.syntax import (
    AwaitStream,
    CreateStream,
    ShowStreams,
    ShowWindowState,
    StatementKind,
    StopStream,
    parse_statement,
)

WINDOWED = "SELECT k, count(*) AS n FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k"


def test_a_streaming_table_with_everything() -> None:
    options = "path '/x/y', CheckpointLocation = '/c', trigger '10 seconds', a.b \"it's\", 'c d' = TRUE, n -1"
    head = f"create or replace /* ! */ streaming table `my db`.t USING JSON LATE INTO l OPTIONS ({options}) as\n"
    statement = parse_statement(f"{head}{WINDOWED};")
    stream = statement.stream
    assert isinstance(stream, CreateStream)
    assert (str(stream.name), stream.name.shown) == ("`my db`.`t`", "`my db`.t")
    assert (stream.or_replace, stream.if_not_exists, stream.format) == (True, False, "json")
    assert (stream.path, stream.checkpoint) == ("/x/y", "/c")
    assert stream.trigger is not None
    assert stream.trigger.interval == 10_000_000
    assert stream.options == {"a.b": "it's", "c d": "true", "n": "-1"}
    assert stream.late_into is not None
    assert stream.late_into.parts == ("l",)
    assert statement.target.kind is StatementKind.STREAM
    assert not statement.is_plain
    assert statement.replace({}) == f"{WINDOWED};"
    assert statement.batch_query() == 0


def test_a_streaming_table_of_a_query_without_windows() -> None:
    statement = parse_statement("CREATE STREAMING TABLE IF NOT EXISTS a AS (SELECT * FROM STREAM s WHERE v > ?)")
    assert isinstance(statement.stream, CreateStream)
    assert statement.stream.if_not_exists
    assert statement.stream.trigger is None
    assert statement.queries == ()
    assert statement.replace({}) == "(SELECT * FROM STREAM s WHERE v > :windowed__p0)"
    assert statement.arguments([3]) == {"windowed__p0": 3}


@pytest.mark.parametrize("words", ["available now", "AvailableNow", "available_now"])
def test_available_now(words: str) -> None:
    stream = parse_statement(f"CREATE STREAMING TABLE a OPTIONS (trigger '{words}') AS SELECT 1").stream
    assert isinstance(stream, CreateStream)
    assert stream.trigger is not None
    assert stream.trigger.interval is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("SHOW STREAMS", ShowStreams),
        ("-- all of them\nshow /* */ streams ;", ShowStreams),
        ("STOP STREAM a.b", StopStream),
        ("stop stream if exists a.b", StopStream),
        ("AWAIT STREAM `for`", AwaitStream),
        ("AWAIT STREAM a FOR '90 seconds'", AwaitStream),
        ("SHOW WINDOW STATE OF a.b.c", ShowWindowState),
    ],
)
def test_the_other_statements(text: str, kind: type) -> None:
    statement = parse_statement(text)
    assert isinstance(statement.stream, kind)
    assert not statement.is_plain


def test_await_for_a_while() -> None:
    stream = parse_statement("AWAIT STREAM a FOR INTERVAL 1 MINUTE 30 SECONDS").stream
    assert isinstance(stream, AwaitStream)
    assert stream.limit == 90_000_000


@pytest.mark.parametrize(
    "text",
    [
        "CREATE OR REFRESH STREAMING TABLE a AS SELECT 1",
        "CREATE TABLE streaming (n INT)",
        "CREATE TABLE streams AS SELECT 1 AS state",
        "SELECT stream, streams, streaming FROM state",
        "SELECT * FROM STREAM t",
        "SHOW TABLES IN streams",
        "SHOW stream.tables",
        "SHOW WINDOW",
        "STOP",
        "DESCRIBE streams",
        "SELECT 'CREATE STREAMING TABLE a AS SELECT 1'",
        "SHOW `STREAMS`",
    ],
)
def test_what_is_sparks_own_stays(text: str) -> None:
    statement = parse_statement(text)
    assert statement.is_plain
    assert statement.replace({}) == text


def test_explain_window_explains_the_query() -> None:
    statement = parse_statement(f"EXPLAIN WINDOW CREATE STREAMING TABLE a LATE INTO l AS {WINDOWED}")
    assert statement.target.explains_windows
    assert len(statement.queries) == 1
    assert statement.replace({0: "r"}).startswith("SELECT ")


@pytest.mark.parametrize(
    "query",
    [
        WINDOWED,
        f"({WINDOWED} HAVING count(*) > 1)",
        f"WITH d AS (SELECT 1), t AS (SELECT * FROM u) ({WINDOWED});",
        "SELECT k, count(*) FROM (SELECT ts, k FROM u WINDOW ASSIGN COUNT(3) PARTITION BY k) "
        "WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k",
    ],
)
def test_the_query_whose_late_rows_are_meant(query: str) -> None:
    statement = parse_statement(f"CREATE STREAMING TABLE a LATE INTO l AS {query}")
    assert statement.batch_query() == len(statement.queries) - 1


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("SELECT n FROM t", "whose late rows are meant is not clear"),
        (f"SELECT * FROM ({WINDOWED})", "whose late rows are meant is not clear"),
        (f"{WINDOWED} UNION ALL {WINDOWED}", "whose late rows are meant is not clear"),
        (f"WITH w AS ({WINDOWED}) SELECT * FROM w", "whose late rows are meant is not clear"),
        (f"{WINDOWED} ORDER BY n", "ORDER BY cannot be used with"),
        (f"{WINDOWED} LIMIT 3", "LIMIT cannot be used with"),
        (f"{WINDOWED} QUALIFY row_number() OVER (ORDER BY n) = 1", "QUALIFY cannot be used with"),
        (WINDOWED.replace("SELECT k", "SELECT DISTINCT k"), "DISTINCT cannot be used with"),
        (WINDOWED.replace("SELECT k", "SELECT row_number() OVER (ORDER BY k), k"), "OVER cannot be used with"),
    ],
)
def test_late_rows_of_no_one_query(query: str, problem: str) -> None:
    statement = parse_statement(f"CREATE STREAMING TABLE a LATE INTO l AS {query}")
    with pytest.raises(WindowSpecError, match=problem) as caught:
        statement.batch_query()
    assert caught.value.span is not None
    assert caught.value.hint is not None


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("EXPLAIN CREATE STREAM s INTO noop AS SELECT 1", "write EXPLAIN WINDOW instead"),
        ("explain /* how */ extended create or replace streaming table t as select 1", "write EXPLAIN WINDOW instead"),
        ("EXPLAIN WINDOW CREATE STREAMING VIEW v USING rate", "leave out EXPLAIN WINDOW"),
        ("EXPLAIN WINDOW SHOW STREAMS", "leave out EXPLAIN WINDOW"),
        ("EXPLAIN FORMATTED ALTER STREAM s PAUSE", "leave out EXPLAIN FORMATTED"),
        ("EXPLAIN SHOW WINDOW STATE OF s", "leave out EXPLAIN"),
    ],
)
def test_statements_that_explain_does_not_know(text: str, hint: str) -> None:
    with pytest.raises(WindowSyntaxError) as caught:
        parse_statement(text)
    assert caught.value.hint == hint
    assert caught.value.span is not None
    assert caught.value.span.start == 0
    assert parse_statement("EXPLAIN SELECT * FROM STREAM t").stream is None
