"""Statements about the sources of streams: what they are read as, and where SOURCE is the source.

Their error messages are golden files: tests/golden/errors/stream_views.sql.
"""

from __future__ import annotations

import pytest

from winsql.errors import WinsqlError
from winsql.model.settings import DEFAULTS
from winsql.syntax import (
    CreateStreamView,
    DescribeStreamView,
    DropStreamView,
    ShowStreamViews,
    parse_statement,
    query_of_view,
)


def view_of(text: str) -> CreateStreamView:
    view = parse_statement(text).stream
    assert isinstance(view, CreateStreamView)
    return view


def test_a_streaming_view_with_everything() -> None:
    text = """create or replace /* ! */ temp streaming view `my view` (k STRING NOT NULL, m MAP<STRING, ARRAY<INT>>,
      d DECIMAL(10, 2)) WATERMARK to_timestamp(k) AS `a ts` DELAY OF INTERVAL '1:30' MINUTE TO SECOND
      USING Json OPTIONS (path = '/in', a.b -1, 'Kafka.Password' "p'w") AS\nSELECT * FROM SOURCE;"""
    view = view_of(text)
    assert (view.name.parts, view.or_replace, view.if_not_exists) == (("my view",), True, False)
    assert view.schema == "k STRING NOT NULL, m MAP<STRING, ARRAY<INT>>,\n      d DECIMAL(10, 2)"
    assert (view.columns, view.format) == ((), "Json")
    assert view.options == {"path": "/in", "a.b": "-1", "Kafka.Password": "p'w"}
    assert view.values["Kafka.Password"].text(text) == '"p\'w"'
    assert view.watermark is not None
    assert (view.watermark.column, view.watermark.delay) == ("`a ts`", 90_000_000)
    assert view.watermark.items == "*, to_timestamp(k) AS `a ts`"
    assert view.query is not None
    assert view.query.text(text) == "SELECT * FROM SOURCE"


def test_a_streaming_view_of_names_and_one_of_an_option() -> None:
    view = view_of("CREATE STREAMING VIEW IF NOT EXISTS v (a, `b c`) USING org.example.Source")
    assert (view.columns, view.schema, view.format, view.if_not_exists) == (
        ("a", "b c"),
        None,
        "org.example.Source",
        True,
    )
    view = view_of("CREATE TEMPORARY STREAMING VIEW v USING json OPTIONS (schema 'a INT', path '/in')")
    assert (view.schema, dict(view.options), view.query, view.watermark) == ("a INT", {"path": "/in"}, None, None)
    view = view_of("CREATE STREAMING VIEW v (x) USING json OPTIONS (schema 'a INT')")
    assert (view.columns, view.schema) == (("x",), "a INT")


def test_the_others() -> None:
    assert isinstance(parse_statement("show streaming views;").stream, ShowStreamViews)
    for verb in ("DESCRIBE", "desc"):
        described = parse_statement(f"{verb} STREAMING VIEW `a b`").stream
        assert isinstance(described, DescribeStreamView)
        assert described.name.parts == ("a b",)
    for words, flag in (("", False), ("IF EXISTS", True)):
        dropped = parse_statement(f"DROP STREAMING VIEW {words} v").stream
        assert isinstance(dropped, DropStreamView)
        assert (dropped.name.parts, dropped.if_exists) == (("v",), flag)


@pytest.mark.parametrize(
    "text",
    [
        "DESCRIBE STREAMING VIEW",
        "DESC streaming view.x",
        "CREATE VIEW streaming AS SELECT 1 AS view",
        "DROP VIEW streaming",
    ],
)
def test_what_stays_sparks(text: str) -> None:
    assert parse_statement(text).is_plain


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT source.a FROM SOURCE", "SELECT source.a FROM s AS SOURCE"),
        ("SELECT x.a FROM Source x", "SELECT x.a FROM s x"),
        ("SELECT a FROM SOURCE AS x (a, b) WHERE a > 1", "SELECT a FROM s AS x (a, b) WHERE a > 1"),
        ("SELECT a FROM SOURCE WHERE (a)", "SELECT a FROM s AS SOURCE WHERE (a)"),
        ("SELECT a FROM STREAM SOURCE", "SELECT a FROM s AS SOURCE"),
        ("SELECT * FROM SOURCE TABLESAMPLE (5 ROWS)", "SELECT * FROM s TABLESAMPLE (5 ROWS) AS SOURCE"),
        ("FROM SOURCE |> WHERE a > 1", "FROM s AS SOURCE |> WHERE a > 1"),
        ("TABLE SOURCE", "TABLE s"),
        ("SELECT * FROM (SOURCE)", "SELECT * FROM (s AS SOURCE)"),
        ("SELECT * FROM (SELECT source FROM SOURCE) x", "SELECT * FROM (SELECT source FROM s AS SOURCE) x"),
        ("SELECT * FROM t, SOURCE", "SELECT * FROM t, s AS SOURCE"),
        ("SELECT * FROM t JOIN SOURCE USING (source)", "SELECT * FROM t JOIN s AS SOURCE USING (source)"),
        ("SELECT * FROM SOURCE a JOIN SOURCE b ON f(a.x, source)", "SELECT * FROM s a JOIN s b ON f(a.x, source)"),
        ("SELECT trim(BOTH FROM source) FROM SOURCE", "SELECT trim(BOTH FROM source) FROM s AS SOURCE"),
        (
            "SELECT 'SOURCE', x.source FROM SOURCE AS x, db.source WHERE a IS DISTINCT FROM source",
            "SELECT 'SOURCE', x.source FROM s AS x, db.source WHERE a IS DISTINCT FROM source",
        ),
        ("SELECT * FROM `source`, SOURCE", "SELECT * FROM `source`, s AS SOURCE"),
        ("WITH x AS (SELECT * FROM SOURCE) SELECT * FROM x", "WITH x AS (SELECT * FROM s AS SOURCE) SELECT * FROM x"),
        ("SELECT a + ? FROM SOURCE", "SELECT a + :windowed__p0 FROM s AS SOURCE"),
    ],
)
def test_where_source_is_the_source(query: str, expected: str) -> None:
    text = f"CREATE STREAMING VIEW v USING rate AS {query}"
    assert query_of_view(text, DEFAULTS, view_of(text), "s") == expected


@pytest.mark.parametrize(
    "text",
    [
        "CREATE STREAMING VIEW v USING x OPTIONS (password 'swordfish') LOCATION '/x'",
        "CREATE OR REPLACE TEMP STREAMING VIEW v USING x OPTIONS (a 'jdbc:x://me:swordfish@host') AS SELECT 1",
        "CREATE GLOBAL TEMPORARY STREAMING VIEW v USING x OPTIONS (token 'swordfish')",
        "CREATE STREAMING VIEW v USING x OPTIONS (token 'swordfish') AS SELECT * FROM SOURCE WINDOW ASSIGN COUNT(2)",
        "ALTER STREAM s SET OPTIONS (password 'swordfish') NOW",
    ],
)
def test_mistakes_show_no_secrets(text: str) -> None:
    with pytest.raises(WinsqlError) as caught:
        parse_statement(text)
    assert "at line 1" in str(caught.value)
    assert "swordfish" not in str(caught.value)
