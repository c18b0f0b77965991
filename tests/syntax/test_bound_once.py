"""A query is bound once: again only where a query inside it has got a relation."""

from __future__ import annotations

from winsql.syntax import parse_statement

WINDOW = "WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR) GROUP BY k"


def test_what_is_not_nested_stays() -> None:
    statement = parse_statement(
        f"WITH a AS (SELECT k, count(*) AS n FROM t {WINDOW}) SELECT k, sum(n) AS s FROM a JOIN u USING (k) {WINDOW}"
    )
    assert statement.query(1, {0: "first"}) is statement.queries[1]


def test_what_is_nested_is_bound_again() -> None:
    inner = f"SELECT k, window_time AS ts, count(*) AS n FROM t {WINDOW}"
    statement = parse_statement(f"SELECT k, sum(n) AS s FROM ({inner}) AS i {WINDOW}")
    assert statement.query(0, {}) is statement.queries[0]
    again = statement.query(1, {0: "first"})
    assert "FROM first" in again.source
    assert again.aggregates == statement.queries[1].aggregates
