"""What a statement does with its query, by its first words and by those after a WITH list."""

from __future__ import annotations

import pytest

from winsql.syntax.statement_kind import StatementKind, read_target
from winsql.syntax.text.source import Source

LISTS = [
    "WITH w AS (SELECT a FROM t)",
    "with w (a, b) (select 1, 2), v as (select * from w)",
    "WITH RECURSIVE w (a) MAX RECURSION LEVEL 5 AS (SELECT 1), `update` AS (TABLE w)",
]
REST = {
    "UPDATE t SET s = 1 WHERE k IN (SELECT a FROM w)": StatementKind.CHANGE,
    "delete FROM t WHERE k IN (SELECT a FROM w)": StatementKind.CHANGE,
    "MERGE INTO t USING w ON t.k = w.a WHEN MATCHED THEN DELETE": StatementKind.CHANGE,
    "MERGE WITH SCHEMA EVOLUTION INTO t USING w ON t.k = w.a WHEN MATCHED THEN DELETE": StatementKind.CHANGE,
    "INSERT INTO t SELECT * FROM w": StatementKind.INSERT,
    "INSERT WITH SCHEMA EVOLUTION INTO t SELECT * FROM w": StatementKind.INSERT,
    "FROM w INSERT OVERWRITE t SELECT *": StatementKind.INSERT,
    "SELECT (a) delete FROM w": StatementKind.QUERY,
    "SELECT update, merge FROM w": StatementKind.QUERY,
    "(SELECT * FROM w) UNION ALL SELECT * FROM w": StatementKind.QUERY,
    "FROM w |> WHERE a IN (SELECT a FROM w)": StatementKind.QUERY,
}


@pytest.mark.parametrize(
    "before", ["", "EXPLAIN WINDOW ", *(f"{one} " for one in LISTS), f"EXPLAIN WINDOW {LISTS[0]} "]
)
@pytest.mark.parametrize("rest", REST)
def test_the_words_after_a_with_list_tell_what_a_statement_does(before: str, rest: str) -> None:
    assert read_target(Source(f"{before}{rest}")).kind is REST[rest]


@pytest.mark.parametrize(
    "text", ["WITH", "WITH w AS (SELECT a FROM t", "WITH w AS (SELECT a FROM t)", "WITH w AS SELECT a"]
)
def test_an_unfinished_with_list_is_a_query(text: str) -> None:
    assert read_target(Source(text)).kind is StatementKind.QUERY
