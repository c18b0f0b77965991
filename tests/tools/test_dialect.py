"""The dialect of SQLMesh's models: window clauses come out as they went in."""

from __future__ import annotations

import pytest
import sqlglot

from winsql.tools.sqlmesh import Winsql

CLAUSES = """
WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) -- of a day
TRIGGER ANY(COUNT(2), EVENT_TIME()) /* c */ EVICT COUNT(1)"""
NAMED = "SELECT SUM(k) OVER w FROM t WINDOW w AS (PARTITION BY k)"


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT k, COUNT(*) AS n FROM t WHERE v > 1{CLAUSES} GROUP BY k HAVING n > 1 ORDER BY k LIMIT 3",
        f"SELECT * FROM (SELECT k FROM t{CLAUSES} GROUP BY k) AS x WHERE k > 1",
        f"WITH a AS (SELECT k FROM t{CLAUSES} PARTITION BY k UNION ALL SELECT 1) {NAMED.replace('FROM t', 'FROM a')}",
        f"SELECT k FROM t{CLAUSES} GROUP BY k UNION ALL SELECT k FROM u{CLAUSES} GROUP BY k",
        f"SELECT k FROM t{CLAUSES} ALLOWED LATENESS '1 hour' APPLY f(x => (1))",
        f"CREATE TABLE u AS SELECT k FROM t{CLAUSES} GROUP BY k",
        f"SELECT (SELECT MAX(n) FROM t{CLAUSES}) AS n",
        NAMED,
    ],
)
def test_clauses_stay_as_they_are(text: str) -> None:
    tree = sqlglot.parse_one(text, dialect=Winsql)
    assert tree.sql(dialect="spark") == text
    assert tree.copy().sql(dialect=Winsql) == text


def test_clauses_after_group_by_and_before_where() -> None:
    expected = f"SELECT k FROM t WHERE k > 1{CLAUSES} GROUP BY k"
    for text in (
        f"SELECT k FROM t{CLAUSES} WHERE k > 1 GROUP BY k",
        f"SELECT k FROM t WHERE k > 1 GROUP BY k{CLAUSES}",
    ):
        assert sqlglot.parse_one(text, dialect=Winsql).sql(dialect="spark") == expected


def test_two_lists_of_clauses_are_refused() -> None:
    with pytest.raises(sqlglot.ParseError, match="multiple 'WINDOW' clauses"):
        sqlglot.parse_one(f"SELECT k FROM t{CLAUSES} GROUP BY k{CLAUSES}", dialect=Winsql)
