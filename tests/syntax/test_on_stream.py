"""What a window function becomes when it turns out to read a stream: the SELECT around it is the windowed query."""

from __future__ import annotations

import pytest

from winsql.errors import WindowSpecError
from winsql.model.query import Form, RankingFunction, SortKey, WindowQuery
from winsql.syntax import Statement, parse_statement

CALL = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour'))"


def on_stream(text: str) -> Statement:
    found = parse_statement(text).on_stream(0)
    assert found is not None
    return found


def query_of(text: str) -> WindowQuery:
    return on_stream(text).queries[-1]


def keys_of(query: WindowQuery) -> list[str]:
    return [key.sql for key in query.keys]


def test_the_statement_changes_at_the_call_only() -> None:
    statement = parse_statement(f"SELECT 1 FROM {CALL} a, TUMBLE(TABLE(SELECT * FROM {CALL}), DESCRIPTOR(x), '1 day')")
    assert [query.form for query in statement.queries] == [Form.WINDOWED] * 3
    assert all(statement.on_stream(index) is None for index in range(3))
    text = (
        f"WITH a AS (SELECT k, count(*) AS c FROM {CALL} GROUP BY window_start, window_end, k) SELECT * FROM a, {CALL}"
    )
    changed = on_stream(text)
    assert [query.form for query in changed.queries] == [Form.AGGREGATE, Form.WINDOWED]
    assert changed.replace({0: "r0", 1: "r1"}) == (
        "WITH a AS (SELECT __winsql_key_0 AS `k`, __winsql_aggregate_0 AS c FROM r0) "
        "SELECT * FROM a, (SELECT * FROM r1 )"
    )


def test_window_columns_lose_the_name_of_the_function() -> None:
    query = query_of(
        f"SELECT B.k, B.window_start AS s, max(B.window_end) AS m FROM {CALL} AS B "
        "GROUP BY b.window_start, B.window_end, B.k HAVING B.window_end > now() AND count(*) > 1"
    )
    assert (query.source, keys_of(query)) == ("t AS B", ["B.k"])
    assert query.head == "SELECT __winsql_key_0 AS `k`, __winsql_window_start AS s, __winsql_aggregate_0 AS m"
    assert query.tail == "WHERE __winsql_window_end > now() AND __winsql_aggregate_1 > 1"


SETS = [
    ("GROUPING SETS ((a, b), (a), ())", 3, [[0, 1], [0]]),
    ("ROLLUP (a, (b, c))", 3, [[0, 1], [0], [0]]),
    ("CUBE (a, b)", 4, [[0, 1], [0, 2]]),
    ("a, CUBE (b)", 2, [[0, 1], [0]]),
    ("GROUPING SETS (a, ROLLUP (b))", 3, [[0], [1]]),
    ("ROLLUP (a), ROLLUP (b)", 4, [[0, 1], [0, 2]]),
]


@pytest.mark.parametrize(("sets", "number", "within"), SETS)
def test_each_row_counts_once_per_grouping_set(sets: str, number: int, within: list[list[int]]) -> None:
    query = query_of(f"SELECT count(*) FROM {CALL} GROUP BY window_start, window_end, {sets}")
    numbers = ", ".join(map(str, range(number)))
    assert query.source == f"t LATERAL VIEW explode(array({numbers})) __winsql_sets AS __winsql_set"
    expected = [
        name if len(found) == number else f"CASE WHEN __winsql_set IN ({', '.join(map(str, found))}) THEN {name} END"
        for name, found in zip("abc", within, strict=False)
    ]
    assert keys_of(query) == [*expected, "__winsql_set"]


def test_grouping_is_told_from_the_set() -> None:
    query = query_of(
        f"SELECT grouping(a) AS g, GROUPING_ID(b, a) AS i FROM {CALL} GROUP BY window_start, window_end, ROLLUP (a, b)"
    )
    a = "CAST(CASE WHEN __winsql_key_2 IN (0, 1) THEN 0 ELSE 1 END AS TINYINT)"
    b = "CAST(CASE WHEN __winsql_key_2 IN (0) THEN 0 ELSE 1 END AS TINYINT)"
    bits = f"(shiftleft(CAST({b} AS BIGINT), 1) + shiftleft(CAST({a} AS BIGINT), 0))"
    assert query.head == f"SELECT {a} AS g, {bits} AS i"
    with pytest.raises(WindowSpecError, match="c is no key of GROUP BY"):
        query_of(f"SELECT grouping(c) FROM {CALL} GROUP BY window_start, window_end, ROLLUP (a, b)")


def test_a_ranking_reads_the_ranked_relation() -> None:
    query = query_of(
        "SELECT x.*, 1 + ROW_NUMBER() OVER (PARTITION BY window_end, x.window_start, k "
        f"ORDER BY v DESC, w NULLS LAST) AS r FROM {CALL} x WHERE v > 1"
    )
    ranking = query.ranking
    assert ranking is not None
    assert ranking.function is RankingFunction.ROW_NUMBER
    assert ranking.partition == ("window_end", "x.window_start", "k")
    assert ranking.order == (SortKey("v", True, False), SortKey("w", False, False))
    assert (ranking.before, ranking.behind, ranking.where) == ("", " AS x", "v > 1")
    assert (query.form, query.source, keys_of(query)) == (Form.WINDOWED, "t AS x", ["k"])
    assert (query.head, query.tail) == ("SELECT x.* EXCEPT (__winsql_rank), 1 + __winsql_rank AS r", "AS x")


def test_a_ranking_over_an_aggregation_is_one_query() -> None:
    statement = on_stream(
        "SELECT k FROM (SELECT *, RANK() OVER (PARTITION BY window_start, window_end ORDER BY c) r FROM ("
        f"SELECT k, window_start, window_end, count(*) AS c FROM {CALL} GROUP BY 1, 2, 3)) WHERE r < 3"
    )
    (query,) = statement.queries
    assert query.ranking is not None
    assert (query.form, keys_of(query), query.ranking.behind) == (Form.AGGREGATE, ["k"], " ) ")
    assert query.ranking.before.startswith("(SELECT __winsql_key_0 AS `k`, __winsql_window_start AS")
    expected = "SELECT k FROM (SELECT * EXCEPT (__winsql_rank), __winsql_rank r FROM r0) WHERE r < 3"
    assert statement.replace({0: "r0"}) == expected


@pytest.mark.parametrize(
    "over",
    [
        "SUM(v) OVER (PARTITION BY window_start, window_end ORDER BY v)",
        "RANK() OVER (PARTITION BY window_start ORDER BY v)",
        "RANK() OVER (PARTITION BY window_start, window_end)",
        "RANK() OVER w",
    ],
)
def test_what_is_left_to_spark(over: str) -> None:
    assert parse_statement(f"SELECT {over} FROM {CALL}").on_stream(0) is None
