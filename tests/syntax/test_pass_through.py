"""A statement without window clauses reaches Spark byte for byte, whatever it is."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winsql.syntax import parse_statement
from winsql.syntax.stream_statements.statements import may_be_stream_statement

SPARKS_OWN = [
    "SELECT 1",
    "SELECT window assign FROM (SELECT 1 AS window)",
    "SELECT a, window assign, b FROM t",
    "SELECT * FROM window assign JOIN (SELECT 1) x ON true",
    "SELECT * FROM a, window assign WHERE assign.x = 1",
    "SELECT * FROM db.window assign",
    "SELECT rank() OVER assign FROM t WINDOW assign AS (ORDER BY x)",
    "SELECT rank() OVER w FROM t WINDOW w AS (ORDER BY x), assign AS (PARTITION BY y)",
    "MERGE INTO window assign USING s ON assign.k = s.k WHEN MATCHED THEN DELETE",
    "DELETE FROM window assign WHERE assign.x = 1",
    "UPDATE window assign SET x = 1",
    "CREATE TABLE x (window assign)",
    "ALTER TABLE x ADD COLUMN window assign",
    "SELECT * FROM a AS window JOIN b",
    "SELECT * FROM window JOIN b",
    "SELECT trigger, evict, late, apply, allowed, state FROM x trigger",
    "SELECT * FROM t APPLY",
    "SELECT * FROM t TRIGGER",
    "SELECT 'FROM t WINDOW ASSIGN TUMBLING(ts, 1)'",
    'SELECT "FROM t WINDOW ASSIGN TUMBLING(ts, 1)"',
    "SELECT r'\\' AS x, 'WINDOW ASSIGN TUMBLING(ts, 1)'",
    "SELECT `WINDOW ASSIGN TUMBLING(ts, 1)` FROM t",
    "SELECT 1 -- FROM t WINDOW ASSIGN TUMBLING(ts, 1)",
    "SELECT 1 -- continued \\\n FROM t WINDOW ASSIGN TUMBLING(ts, 1)",
    "SELECT 1 /* FROM t /* WINDOW ASSIGN */ TUMBLING(ts, 1) */",
    "CREATE VIEW v WITH METRICS LANGUAGE YAML AS $$ WINDOW ASSIGN TUMBLING(ts, 1) $$",
    "SELECT window . assign(1)",
    "SELECT `window` `assign` (1) FROM t",
    "FROM t SELECT window assign",
    "SELECT 1 WINDOW ASSIGN",
    "SELECT * FROM t WHERE (a = 'x) WINDOW ASSIGN",
    "SELECT * FROM t WHERE (((( WINDOW ASSIGN",
    "EXPLAIN SELECT window assign FROM t",
    "WINDOW ASSIGN",
    "",
    "  \n\t ",
    ";",
    "-- nothing WINDOW ASSIGN",
]


@pytest.mark.parametrize("text", SPARKS_OWN)
def test_what_is_sparks_own_stays(text: str) -> None:
    statement = parse_statement(text)
    assert statement.is_plain
    assert statement.queries == ()
    assert statement.replace({}) == text


FRAGMENTS = [
    *re.findall(
        r"\S+", "SELECT FROM WHERE GROUP BY ORDER LIMIT WINDOW WITH AS UNION ALL JOIN ON trigger evict late into"
    ),
    *re.findall(r"\S+", "apply state ttl allowed lateness w x y , ; ( ) [ ] . * + - / => -> :: |> ? :p {d}"),
    *("1", "1.5", "1e3", "2L", "'a'", '"b"', "`c d`"),
    *("'WINDOW ASSIGN'", "/* WINDOW ASSIGN f(x) */", "-- WINDOW ASSIGN f(x)\n", "/*+ HINT(a) */", "'open", "/* open"),
    *("WINDOW w AS (ORDER BY x)", "AS window JOIN", "é", "\n", "\t", "`assign`", "`window`", "r'\\'", "$$", "/*/**/*/"),
]


@settings(max_examples=400)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30).map(" ".join))
def test_fragments_without_the_door_opener_stay(text: str) -> None:
    assert parse_statement(text).replace({}) == text


@settings(max_examples=300)
@given(st.text().filter(lambda text: not (may_be_stream_statement(text) or "EXPLAIN" in text.upper())))  # winsql's
def test_any_text_stays(text: str) -> None:
    assert parse_statement(text).replace({}) == text


@pytest.mark.parametrize("rest", ["FROM t WINDOW w AS ()", "FROM (TABLE t) JOIN state", "-- EXPLAIN ß"])
def test_looking_is_cheap(rest: str) -> None:
    """The limit is 1 ms; what this text of 9,000 letters needs is a tenth of it."""
    text = "SELECT " + ", ".join(f"sum(column_{n}) AS total_{n}" for n in range(300)) + f" {rest}"
    assert min(_seconds(text) for _ in range(100)) < 0.001


def _seconds(text: str) -> float:
    start = time.process_time()
    parse_statement(text)
    return time.process_time() - start
