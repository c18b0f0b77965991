"""Keys of a windowed SELECT in subqueries among its items: `t.k`, where t is no relation of the subquery's own."""

from __future__ import annotations

import pytest

from winsql.syntax import parse_statement

KEY = "windowed__key_0"


@pytest.mark.parametrize(
    ("subquery", "expected"),
    [
        ("SELECT 1 FROM u WHERE u.k = t.k", f"SELECT 1 FROM u WHERE u.k = {KEY}"),
        # the same table under another name
        ("SELECT 1 FROM t y WHERE y.k = t.k", f"SELECT 1 FROM t y WHERE y.k = {KEY}"),
        ("SELECT 1 FROM s.t AS y WHERE y.k = t.k", f"SELECT 1 FROM s.t AS y WHERE y.k = {KEY}"),
        ("SELECT 1 FROM u JOIN t y ON y.k = t.k", f"SELECT 1 FROM u JOIN t y ON y.k = {KEY}"),
        ("SELECT 1 FROM t y JOIN u ON y.k = t.k", f"SELECT 1 FROM t y JOIN u ON y.k = {KEY}"),
        ("SELECT (SELECT t.k FROM t y)", f"SELECT (SELECT {KEY} FROM t y)"),
        # a relation or a column of this name
        ("SELECT 1 FROM t WHERE t.k = 1", None),
        ("SELECT 1 FROM t JOIN u ON t.k = u.k", None),
        ("SELECT 1 FROM t LEFT JOIN u ON t.k = u.k", None),
        ("SELECT 1 FROM t VERSION AS OF 1 WHERE t.k = 1", None),
        ("SELECT 1 FROM t TABLESAMPLE (5 ROWS) WHERE t.k = 1", None),
        ("SELECT max(t.k) FROM t GROUP BY t.k", None),
        ("SELECT 1 FROM u AS t WHERE t.k = 1", None),
        ("SELECT 1 FROM t y JOIN t ON y.k = t.k", None),
        ("SELECT 1 FROM t y WHERE t IS NULL AND t.k = 1", None),
        ("FROM t |> WHERE t.k = 1", None),
    ],
)
def test_keys_in_subqueries(subquery: str, expected: str | None) -> None:
    (query,) = parse_statement(f"SELECT ({subquery}) AS x FROM t WINDOW ASSIGN COUNT(9) GROUP BY k").queries
    assert query.head == f"SELECT ({expected or subquery}) AS x"
