"""What a window table function becomes when it reads a stream: the SELECT around it is the windowed query."""

from __future__ import annotations

import pytest
from on_streams import last_on_streams, on_streams

from winsql.errors import WindowSpecError, WindowSyntaxError
from winsql.model.assigners import TumblingWindows
from winsql.model.joins import JoinType
from winsql.model.query import Form, WindowQuery
from winsql.model.window_functions import Frame, FrameBound, RankingFunction, Side, Ties
from winsql.syntax import Statement, parse_statement

CALL = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour'))"


def on_stream(text: str) -> Statement:
    found = parse_statement(text).on_stream(0)
    assert found is not None
    return found


def keys_of(query: WindowQuery) -> list[str]:
    return [key.sql for key in query.keys]


def ends_of(query: WindowQuery) -> list[str]:
    return [end.sql for end in query.ends]


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
        "WITH a AS (SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS c FROM r0) "
        "SELECT * FROM a, (SELECT * FROM r1 )"
    )


def test_window_columns_lose_the_name_of_the_function() -> None:
    query = last_on_streams(
        f"SELECT B.k, B.window_start AS s, max(B.v) AS m FROM {CALL} AS B "
        "GROUP BY b.window_start, B.window_end, B.k HAVING B.window_end > now() AND count(*) > 1"
    )
    assert (query.source, keys_of(query)) == ("t AS B", ["B.k"])
    assert query.head == "SELECT windowed__key_0 AS `k`, windowed__window_start AS s, windowed__aggregate_0 AS m"
    assert query.tail == "WHERE windowed__window_end > now() AND windowed__aggregate_1 > 1"


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT {{}}, count(*) AS c FROM {CALL} GROUP BY 1, 2",
        f"SELECT {{}}, count(*) AS c FROM {CALL} GROUP BY window_start, `WINDOW_END`",
        "SELECT {}, count(*) AS c FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')",
    ],
)
def test_a_window_column_comes_before_an_item_of_its_name(text: str) -> None:
    query = last_on_streams(text.format("window_end AS window_start, window_start AS window_end"))
    columns = "windowed__window_end AS window_start, windowed__window_start AS window_end"
    assert query.head == f"SELECT {columns}, windowed__aggregate_0 AS c"


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
    query = last_on_streams(f"SELECT count(*) FROM {CALL} GROUP BY window_start, window_end, {sets}")
    numbers = ", ".join(map(str, range(number)))
    assert query.source == f"t LATERAL VIEW explode(array({numbers})) windowed__sets AS windowed__set"
    expected = [
        name if len(found) == number else f"CASE WHEN windowed__set IN ({', '.join(map(str, found))}) THEN {name} END"
        for name, found in zip("abc", within, strict=False)
    ]
    assert keys_of(query) == [*expected, "windowed__set"]


def test_grouping_is_told_from_the_set() -> None:
    query = last_on_streams(
        f"SELECT grouping(a) AS g, GROUPING_ID(b, a) AS i FROM {CALL} GROUP BY window_start, window_end, ROLLUP (a, b)"
    )
    a = "CAST(CASE WHEN windowed__key_2 IN (0, 1) THEN 0 ELSE 1 END AS TINYINT)"
    b = "CAST(CASE WHEN windowed__key_2 IN (0) THEN 0 ELSE 1 END AS TINYINT)"
    bits = f"(shiftleft(CAST({b} AS BIGINT), 1) + shiftleft(CAST({a} AS BIGINT), 0))"
    assert query.head == f"SELECT {a} AS g, {bits} AS i"
    with pytest.raises(WindowSpecError, match="c is no key of GROUP BY"):
        last_on_streams(f"SELECT grouping(c) FROM {CALL} GROUP BY window_start, window_end, ROLLUP (a, b)")


CUBE = f"FROM {CALL} GROUP BY CUBE (k), window_start, window_end"


def test_on_tables_grouping_id_is_made_of_grouping() -> None:
    statement = parse_statement(
        f"SELECT GROUPING_ID(k), k, 1 + grouping_id(window_end, k) AS i, grouping(k) {CUBE} HAVING GROUPING_ID(k) = 0"
    )
    one = "(shiftleft(CAST(GROUPING(k) AS BIGINT), 0))"
    two = "(shiftleft(CAST(GROUPING(window_end) AS BIGINT), 1) + shiftleft(CAST(GROUPING(k) AS BIGINT), 0))"
    assert statement.replace({0: "r0"}).startswith(f"SELECT {one} AS `")
    assert f", k, 1 + {two} AS i, grouping(k) FROM (SELECT * FROM r0 )" in statement.replace({0: "r0"})
    assert statement.replace({0: "r0"}).endswith(f" HAVING {one} = 0")


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT GROUPING_ID(), grouping__id {CUBE}",
        f"SELECT (SELECT GROUPING_ID(a) FROM u GROUP BY CUBE (a)) {CUBE}",
        f"SELECT GROUPING_ID(k) FROM {CALL} GROUP BY k, window_start, window_end",
        f"SELECT * FROM {CALL} WHERE k IN (SELECT GROUPING_ID(a, b) FROM u GROUP BY ROLLUP (b, a))",
    ],
)
def test_what_spark_knows_of_grouping_sets_is_left_to_it(text: str) -> None:
    assert parse_statement(text).replace({0: CALL}).replace(f"(SELECT * FROM {CALL} )", CALL) == text


def test_without_keys_grouping_id_is_about_all_that_group_by_names() -> None:
    for call in ("GROUPING_ID()", "GROUPING__ID"):
        query = last_on_streams(f"SELECT {call} AS i FROM {CALL} GROUP BY CUBE (a), window_start, window_end, b")
        a = "CAST(CASE WHEN windowed__key_2 IN (0) THEN 0 ELSE 1 END AS TINYINT)"
        assert (
            f"SELECT (shiftleft(CAST({a} AS BIGINT), 3) + shiftleft(CAST(CAST(0 AS TINYINT) AS BIGINT), 2)"
            in query.head
        )


def test_rows_are_ranked_with_the_windows_of_the_function() -> None:
    query = last_on_streams(
        "SELECT x.*, 1 + ROW_NUMBER() OVER (PARTITION BY window_end, x.window_start, k "
        f"ORDER BY v DESC, w NULLS LAST) AS r FROM {CALL} x WHERE v > 1"
    )
    assert query.over is not None
    (call,) = query.over.calls
    assert call.ranking is RankingFunction.ROW_NUMBER
    assert call.apart == ("window_end", "x.window_start", "k")
    assert call.partition == ("windowed__window_end", "windowed__window_start", "windowed__column_1")
    assert [(key.written, key.is_descending, key.nulls_first) for key in call.order] == [
        ("v", True, False),
        ("w", False, False),
    ]
    assert (query.form, query.source, query.where, keys_of(query)) == (Form.ROWS, "t AS x", "v > 1", ["k"])
    windows = ", ".join(f"windowed__{name} AS {name}" for name in ("window_start", "window_end", "window_time"))
    assert query.head == f"SELECT windowed__column_0.*, {windows}, 1 + windowed__rank_0 AS r"
    assert [column.sql for column in query.payload] == ["struct(x.*)", "k", "v", "w"]


def test_groups_are_ranked_by_a_query_of_its_own() -> None:
    text = (
        "SELECT k FROM (SELECT *, RANK() OVER (PARTITION BY window_start, window_end ORDER BY c) r FROM ("
        f"SELECT k, window_start, window_end, count(*) AS c FROM {CALL} GROUP BY 1, 2, 3)) WHERE r < 3"
    )
    groups, ranks = on_stream(text).queries
    assert (groups.form, keys_of(groups), groups.over) == (Form.AGGREGATE, ["k"], None)
    assert (ranks.form, ends_of(ranks), ranks.head) == (
        Form.ROWS,
        ["window_end"],
        "SELECT windowed__column_0.*, windowed__rank_0 AS r",
    )


@pytest.mark.parametrize("ranked", ["SELECT {}, k FROM {} GROUP BY window_start, window_end, k", "SELECT {} FROM {}"])
@pytest.mark.parametrize(
    "over", ["(PARTITION BY window_end ORDER BY k)", "w", "(w)", "(DISTRIBUTE BY window_end SORT BY k)"]
)
def test_windows_with_and_without_names_are_the_same(over: str, ranked: str) -> None:
    text = ranked.format(f"window_end AS e, rank() OVER {over} AS r", CALL)
    query = last_on_streams(f"{text} WINDOW v AS w, w AS (PARTITION BY window_end ORDER BY k)")
    assert query.over is not None
    (call,) = query.over.calls
    assert "windowed__window_end" in call.partition[0]
    assert "WINDOW" not in query.tail


def test_qualify_becomes_a_condition_on_ranks() -> None:
    query = last_on_streams(
        f"SELECT k, rank() OVER w AS a, k + 1 AS j FROM {CALL} WINDOW w AS (PARTITION BY window_end ORDER BY k) "
        "QUALIFY a < 3 AND j > 2 AND row_number() OVER (PARTITION BY window_end ORDER BY v) = 1"
    )
    assert query.over is not None
    assert [call.column for call in query.over.calls] == ["windowed__rank_0", "windowed__rank_1"]
    assert query.tail == "WHERE (windowed__rank_0) < 3 AND (windowed__column_1) > 2 AND windowed__rank_1 = 1"


@pytest.mark.parametrize(
    ("over", "problem"),
    [
        ("SUM(DISTINCT v) OVER (PARTITION BY window_start, window_end)", "SUM DISTINCT cannot have OVER"),
        ("SUM(v) OVER (ORDER BY v)", "PARTITION BY has no window_end"),
        ("SUM(RANK() OVER (PARTITION BY window_end ORDER BY v)) OVER (PARTITION BY window_end)", "inside another one"),
        (
            "LISTAGG(v) WITHIN GROUP (ORDER BY v) OVER (PARTITION BY window_end)",
            "LISTAGG WITHIN GROUP cannot have OVER",
        ),
        ("LAG(v) OVER (PARTITION BY window_end)", "LAG needs an order"),
        ("RANK() OVER (PARTITION BY k ORDER BY v)", "PARTITION BY has no window_end"),
        ("RANK() OVER (ORDER BY v)", "PARTITION BY has no window_end"),
        ("RANK() OVER (PARTITION BY window_start, window_end)", "RANK needs an order"),
        ("RANK() OVER w", "there is no window w"),
        ("RANK() OVER (PARTITION BY window_end ORDER BY v ROWS 1 PRECEDING)", "a ranking has no frame"),
        ("RANK() OVER (PARTITION BY window_end ORDER BY 1), count(*)", "over an aggregate of all windows"),
    ],
)
def test_what_over_cannot_be_on_a_stream(over: str, problem: str) -> None:
    with pytest.raises(WindowSpecError, match=problem) as caught:
        last_on_streams(f"SELECT {over} FROM {CALL}")
    assert caught.value.span is not None


def test_a_bound_of_a_frame_that_cannot_be_read() -> None:
    with pytest.raises(WindowSyntaxError, match="a bound of a frame cannot be read"):
        last_on_streams(f"SELECT SUM(v) OVER (PARTITION BY window_end ORDER BY v ROWS BETWEEN 1 AND 2) FROM {CALL}")


@pytest.mark.parametrize("start", ["(CASE WHEN true AND true THEN 2 END)", "CASE WHEN true AND true THEN 2 END"])
def test_a_bound_of_a_frame_may_have_conditions(start: str) -> None:
    end = "(1 + 1)"
    over = f"PARTITION BY window_end ORDER BY v ROWS BETWEEN {start} PRECEDING AND {end} FOLLOWING"
    query = last_on_streams(f"SELECT SUM(v) OVER ({over}) FROM {CALL}")
    assert query.over is not None
    assert query.over.calls[0].frame == Frame(True, FrameBound(Side.PRECEDING, start), FrameBound(Side.FOLLOWING, end))


@pytest.mark.parametrize("start", ["-1 + 3", "CAST('2' AS INT)", ":n", "2"])
def test_a_frame_begins_before_any_bound(start: str) -> None:
    over = f"PARTITION BY window_end ORDER BY rows, range DESC, t.rows ROWS {start} PRECEDING"
    query = last_on_streams(f"SELECT SUM(v) OVER ({over}) FROM {CALL}")
    assert query.over is not None
    assert [key.written for key in query.over.calls[0].order] == ["rows", "range", "t.rows"]
    assert query.over.calls[0].frame == Frame(True, FrameBound(Side.PRECEDING, start), FrameBound(Side.CURRENT_ROW))


def test_a_window_function_is_over_what_the_windows_give() -> None:
    query = last_on_streams(
        f"SELECT k, lag(v, 2) IGNORE NULLS OVER (PARTITION BY window_end, k ORDER BY v DESC) AS p, "
        "sum(v) FILTER (WHERE w > 1) OVER (PARTITION BY window_end ORDER BY v "
        f"RANGE BETWEEN 3 PRECEDING AND CURRENT ROW) FROM {CALL}"
    )
    assert query.over is not None
    lag, total = query.over.calls
    assert (lag.name, lag.arguments, lag.ignores_nulls, lag.frame) == ("LAG", ("windowed__column_1", "2"), True, None)
    assert (total.name, total.filter) == ("SUM", "windowed__column_2 > 1")
    assert total.frame == Frame(False, FrameBound(Side.PRECEDING, "3"), FrameBound(Side.CURRENT_ROW))
    assert total.sql == (
        "sum(windowed__column_1\n) FILTER (WHERE windowed__column_2 > 1\n) OVER (PARTITION BY windowed__window_end "
        "ORDER BY windowed__column_1 ASC NULLS FIRST RANGE BETWEEN 3 PRECEDING AND CURRENT ROW)"
    )


OTHER = "TABLE(TUMBLE(TABLE u, DESCRIPTOR(ts), '1 hour'))"
SAME_WINDOW = "L.window_start = R.window_start AND L.window_end = R.window_end"


def test_windows_are_grouped_by_their_end_through_a_bracket() -> None:
    query = last_on_streams(
        "SELECT x.window_start, upper(a) AS b, sum(x.d) AS s FROM ("
        f"SELECT k AS a, v * 2 AS d, B.window_start, window_end FROM {CALL} B WHERE v > 1) AS x "
        "GROUP BY x.window_start, window_end, upper(a)"
    )
    assert query.spec.assigner.time is not None
    assert query.spec.assigner.time.expressions == ("window_end - INTERVAL 1 MICROSECOND",)
    assert (ends_of(query), keys_of(query)) == (["window_end"], ["x.window_start", "upper(a)"])
    assert query.source.startswith("(SELECT k AS a, v * 2 AS d, B.window_start, window_end FROM ")


def test_windows_are_grouped_by_their_end_through_a_cte() -> None:
    statement = on_stream(
        f"WITH w AS (SELECT * FROM {CALL}), z AS (SELECT w.k, count(*) AS c FROM w "
        "GROUP BY w.window_start, w.window_end, w.k) SELECT * FROM z, w"
    )
    assert [query.form for query in statement.queries] == [Form.WINDOWED, Form.AGGREGATE]
    assert statement.queries[1].source == "w"
    assert statement.replace({0: "r0", 1: "r1"}) == (
        "WITH w AS (SELECT * FROM (SELECT * FROM r0 )), z AS (SELECT windowed__key_1 AS `k`, "
        "windowed__aggregate_0 AS c FROM r1) SELECT * FROM z, w"
    )
    ranking = "SELECT *, ROW_NUMBER() OVER (PARTITION BY s, window_end ORDER BY k) AS n FROM w"
    query = last_on_streams(f"WITH w AS (SELECT k, window_start AS s, window_end FROM {CALL}) {ranking}")
    assert (query.source, ends_of(query)) == ("w", ["window_end"])


@pytest.mark.parametrize(
    "items", ["k, window_start", "*, window_end", "window_start AS s", "window_start, window_end + x"]
)
@pytest.mark.parametrize("shape", ["SELECT 1 FROM ({}) {}", "WITH w AS ({}) SELECT 1 FROM w {}"])
def test_an_end_that_is_missing_is_asked_for(items: str, shape: str) -> None:
    text = shape.format(f"SELECT {items} FROM {CALL}", "GROUP BY 1, window_start, s, window_end")
    with pytest.raises(WindowSpecError, match="GROUP BY has no window_end"):
        parse_statement(text).on_stream(0)


START_ALONE = {
    "SELECT window_start, k, count(*) FROM {t} GROUP BY window_start, k": ["window_end"],
    "SELECT window_start, count(*) FROM {t} GROUP BY ALL": ["window_end"],
    "SELECT DISTINCT s FROM (SELECT window_start AS s, window_end AS e, v FROM {t} WHERE v > 1)": ["e"],
    "SELECT s, count(*) FROM (SELECT window_start AS s, window_end AS e FROM {t}) x GROUP BY GROUPING SETS ((s))": [
        "e"
    ],
    "SELECT window_start, sum(c) FROM (SELECT window_start, window_end, count(*) AS c FROM t "
    "WINDOW ASSIGN TUMBLING(ts, '1 hour')) GROUP BY window_start": ["window_end"],
    "SELECT k, RANK() OVER (PARTITION BY s ORDER BY v) FROM (SELECT *, window_start AS s FROM {t})": ["window_end"],
    "SELECT l.v FROM {t} l JOIN {u} r USING (window_start)": ["l.window_end", "r.window_end"],
    "SELECT l.v FROM {t} l, {u} r WHERE l.k = r.k AND r.window_start = l.window_start": [
        "l.window_end",
        "r.window_end",
    ],
    "SELECT * FROM {t} l WHERE (k, window_start) IN (SELECT r.k, r.window_start FROM {u} r)": [
        "l.window_end",
        "r.window_end",
    ],
}


@pytest.mark.parametrize("text", START_ALONE)
def test_starts_of_tumbling_windows_tell_their_ends(text: str) -> None:
    query = last_on_streams(text.format(t=CALL, u=OTHER))
    if query.ends:
        assert [end.sql.replace("`", "").removeprefix("x.") for end in query.ends] == START_ALONE[text]
    else:  # of the function's own windows
        assert isinstance(query.spec.assigner, TumblingWindows)
        assert query.spec.assigner.size > 1


@pytest.mark.parametrize(
    "text",
    [
        "SELECT window_start FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), '1 hour', '2 hours')) GROUP BY window_start",
        "SELECT s FROM (SELECT window_start AS s FROM {t}) GROUP BY s",
        "SELECT window_start FROM (SELECT * FROM {t} UNION ALL SELECT * FROM {l}) GROUP BY window_start",
        "SELECT a.k FROM {t} a JOIN {l} b ON a.window_start = b.window_start",
        "SELECT a.k FROM (SELECT *, count(*) FROM t WINDOW ASSIGN TUMBLING(size => ?, time => ts) GROUP BY ALL) a "
        "JOIN (SELECT k, window_start, window_end FROM u WINDOW ASSIGN TUMBLING(size => ?, time => ts) GROUP BY k) b "
        "USING (window_start)",
        "SELECT k, RANK() OVER (PARTITION BY window_start ORDER BY v) AS r FROM TABLE(SESSION(TABLE t, "
        "DESCRIPTOR(ts), '1 hour'))",
    ],
)
def test_starts_of_other_windows_do_not(text: str) -> None:
    longer = CALL.replace("1 hour", "2 hours")
    with pytest.raises(WindowSpecError):
        last_on_streams(text.format(t=CALL, l=longer))


@pytest.mark.parametrize("items", ["count(*)", "k, n"])
def test_what_has_no_windows_is_left_to_spark(items: str) -> None:
    text = f"SELECT 1 FROM (SELECT {items} FROM {CALL}) GROUP BY window_start, window_end"
    assert parse_statement(text).on_stream(0) is None


def test_another_cte_of_the_name_is_another_one() -> None:
    text = (
        f"WITH w AS (SELECT * FROM {CALL}) SELECT * FROM (WITH w AS (SELECT 1) SELECT 2 FROM w GROUP BY window_start)"
    )
    assert parse_statement(text).on_stream(0) is None


def test_window_columns_of_a_join_are_null_where_their_side_is() -> None:
    query = last_on_streams(
        f"SELECT *, R.*, R.window_end, L.window_end, coalesce(R.window_time, now()) AS c FROM {CALL} L "
        f"LEFT JOIN {OTHER} R ON L.v < R.v AND L.k = R.k AND {SAME_WINDOW}"
    )
    assert query.head == (
        "SELECT L.*, R.*, R.*, R.window_end, windowed__window_end AS `window_end`, coalesce(R.window_time, now()) AS c"
    )
    assert query.join is not None
    assert query.join.condition == (
        "(L.v < R.v) AND L.k = R.k AND L.window_start = R.window_start AND L.window_end = R.window_end"
    )
    assert ends_of(query) == ["L.window_end", "R.window_end"]


def test_shared_columns_come_first() -> None:
    query = last_on_streams(f"SELECT *, k FROM {CALL} L FULL JOIN {OTHER} R USING (k, window_end)")
    both = "coalesce(L.k, R.k) AS `k`, windowed__window_end AS `window_end`"
    rest = "EXCEPT (`k`, `window_end`)"
    assert query.head == f"SELECT {both}, L.* {rest}, R.* {rest}, coalesce(L.k, R.k) AS `k`"


SEMI = [
    (
        "EXISTS (SELECT 1 FROM {} AS R WHERE L.k = R.k AND {})",
        JoinType.SEMI,
        "L.k = R.k AND L.window_start = R.window_start AND L.window_end = R.window_end",
    ),
    (
        "NOT EXISTS (SELECT * FROM (SELECT * FROM {}) R WHERE {} AND L.k = R.k)",
        JoinType.ANTI,
        "L.window_start = R.window_start AND L.window_end = R.window_end AND L.k = R.k",
    ),
    (
        "k IN (SELECT j FROM {} R WHERE R.v > L.v AND {})",
        JoinType.SEMI,
        "(R.v > L.v) AND L.window_start = R.window_start AND L.window_end = R.window_end AND (L.k) = (R.j)",
    ),
    (
        "NOT k IN (SELECT R.k FROM {} R WHERE {})",
        JoinType.ANTI,
        "L.window_start = R.window_start AND L.window_end = R.window_end AND coalesce((L.k) = (R.k), true)",
    ),
    (
        "k NOT IN (SELECT R.k FROM {} R WHERE {})",
        JoinType.ANTI,
        "L.window_start = R.window_start AND L.window_end = R.window_end AND coalesce((L.k) = (R.k), true)",
    ),
]


@pytest.mark.parametrize(("part", "how", "condition"), SEMI)
def test_exists_and_in_are_semi_and_anti_joins(part: str, how: JoinType, condition: str) -> None:
    text = f"SELECT *, L.window_end AS e FROM {CALL} AS L WHERE v > 2 AND {part.format(OTHER, SAME_WINDOW)} AND w < 3"
    query = last_on_streams(text)
    assert query.join is not None
    assert (query.join.how, query.join.condition) == (how, condition)
    assert query.head == "SELECT L.*, windowed__window_end AS e"
    assert query.tail == "WHERE v > 2 AND TRUE AND w < 3"


@pytest.mark.parametrize(
    ("part", "problem"),
    [
        ("L.k IN (SELECT R.k FROM {o} R)", "this EXISTS or IN"),
        ("EXISTS (SELECT 1 FROM {o} L WHERE k = 1 AND window_end = L.window_end)", "of the same name"),
        ("EXISTS (SELECT 1 FROM {o} R WHERE L.k = R.k AND L.window_start = R.window_end)", "this EXISTS or IN"),
        ("EXISTS (SELECT 1 FROM {o} R WHERE L.k = R.k AND {w} GROUP BY R.v)", "this EXISTS or IN"),
        ("EXISTS (WITH x AS (SELECT * FROM {o} R) SELECT 1 FROM x WHERE x.k = L.k)", "this EXISTS or IN"),
        ("(L.k, L.window_end) IN (SELECT k, window_end FROM {o} R LIMIT 1)", "this EXISTS or IN"),
        ("(L.k, L.window_end) IN (SELECT R.*, L.v FROM {o} R, {o} S)", "this IN over windows"),
    ],
)
def test_what_is_no_semi_join(part: str, problem: str) -> None:
    with pytest.raises(WindowSpecError, match=problem) as caught:
        last_on_streams(f"SELECT * FROM {CALL} L WHERE {part.format(o=OTHER, w=SAME_WINDOW)}")
    assert caught.value.hint is not None


RESULTS = f"(SELECT k, window_end FROM {CALL} GROUP BY k, window_end)"


@pytest.mark.parametrize("left", [f"{RESULTS} L", RESULTS, f"{CALL} L", CALL])
@pytest.mark.parametrize(
    "asked",
    [
        f"SELECT k, window_end FROM {OTHER}",
        f"SELECT * FROM (SELECT k, window_end FROM {OTHER})",
        f"SELECT DISTINCT * FROM (SELECT k, window_end FROM {OTHER}) x",
        f"SELECT * FROM {RESULTS.replace(CALL, OTHER)}",
        f"WITH x AS {RESULTS.replace(CALL, OTHER)} SELECT * FROM x",
        f"SELECT x.k, x.window_end FROM {OTHER} x JOIN {CALL} y ON x.window_end = y.window_end",
    ],
)
def test_in_asks_any_select_over_windows(left: str, asked: str) -> None:
    text = f"SELECT k, window_end FROM {left} WHERE (k, window_end) IN ({asked})"
    join = last_on_streams(text).join
    assert join is not None
    assert join.how is JoinType.SEMI


def test_in_asks_for_the_window_end_as_it_is() -> None:
    asked = f"SELECT k, max(window_end) FROM {OTHER} GROUP BY k, window_end"
    with pytest.raises(WindowSpecError, match="this EXISTS or IN") as caught:
        last_on_streams(f"SELECT k, window_end FROM {CALL} WHERE (k, window_end) IN ({asked})")
    assert "compare window_end too" in str(caught.value.hint)


def test_rows_of_a_cte_in_in_are_buffered_for_results() -> None:
    asked = f"WITH x AS (SELECT k, window_end FROM {OTHER}) SELECT * FROM x"
    join = last_on_streams(f"SELECT k, window_end FROM {RESULTS} WHERE (k, window_end) IN ({asked})").join
    assert join is not None
    assert join.right.sql.startswith("(WITH x AS (SELECT k, window_end FROM ")


def test_rows_that_are_made_in_in_meet_rows_alone() -> None:
    asked = f"SELECT x.k, x.window_end FROM {OTHER} x JOIN names y ON x.k = y.id"
    text = "SELECT k, window_end FROM {} WHERE (k, window_end) IN ({})"
    assert last_on_streams(text.format(CALL, asked)).join is not None
    with pytest.raises(WindowSpecError, match="asks rows about results") as caught:
        last_on_streams(text.format(RESULTS, asked))
    assert caught.value.hint is not None


ASSIGNED = (
    "SELECT {} FROM t WINDOW ASSIGN {} GROUP BY k QUALIFY row_number() OVER (PARTITION BY {} ORDER BY sum(v)) = 1"
)


@pytest.mark.parametrize("key", ["window_end", "window_start", "window_time, k"])
def test_a_window_clause_ranks_its_groups_on_streams(key: str) -> None:
    text = ASSIGNED.format("k, sum(v) AS s", "TUMBLING(ts, '1 hour')", key)
    assert parse_statement(text).queries[0].tail.startswith("QUALIFY")
    query = last_on_streams(text)
    assert query.over is not None
    assert query.over.ties is Ties.COLUMNS
    assert query.over.calls[0].order[0].sql == "windowed__aggregate_0"
    assert query.tail == "WHERE windowed__rank_0 = 1"


def test_a_start_may_be_that_of_several_windows() -> None:
    with pytest.raises(WindowSpecError, match="PARTITION BY has no window_end"):
        last_on_streams(ASSIGNED.format("k", "CUMULATING(ts, '1 hour', '1 minute')", "window_start"))


@pytest.mark.parametrize(
    ("text", "is_alone"),
    [
        ("SELECT * FROM {0} L WHERE k IN (SELECT k FROM {0} R WHERE L.window_end = R.window_end)", True),
        ("SELECT * FROM {0} L WHERE k NOT IN (SELECT k FROM {0} R WHERE L.window_end = R.window_end)", False),
        (
            "SELECT * FROM {0} L WHERE EXISTS (SELECT 1 FROM {0} R WHERE L.window_end = R.window_end AND L.v > R.v)",
            False,
        ),
        ("SELECT L.k FROM {0} L, {0} R WHERE L.window_end = R.window_end AND L.k = R.k", True),
        ("SELECT L.k FROM {0} L, {0} R WHERE L.window_end = R.window_end AND L.k <=> R.k", False),
        ("SELECT L.k FROM {0} L JOIN {0} R ON L.window_end = R.window_end AND L.k IS NOT DISTINCT FROM R.k", False),
    ],
)
def test_a_join_knows_whether_its_condition_is_its_keys(text: str, is_alone: bool) -> None:
    join = last_on_streams(text.format(CALL)).join
    assert join is not None
    assert join.keys_alone is is_alone


@pytest.mark.parametrize("time", ["DESCRIPTOR(ts)", "DESCRIPTOR(PROCTIME())"])
def test_subqueries_of_all_columns_hand_the_windows_on(time: str) -> None:
    inner = f"(SELECT * FROM (TABLE(TUMBLE(TABLE t, {time}, '1 hour')) y) WHERE y.v > 1)"
    over = "ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY v) AS r"
    ranked = last_on_streams(f"SELECT * FROM (SELECT *, {over} FROM {inner} AS x) WHERE r = 1")
    grouped = last_on_streams(f"SELECT count(*) AS n FROM {inner} AS x GROUP BY window_start, window_end")
    assert {ranked.source, grouped.source} == {"(SELECT * FROM (t AS y) WHERE y.v > 1) AS x"}
    assert ranked.spec.assigner == grouped.spec.assigner


STATIC = "TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), '1 hour'))"


def asked(call: str, name: str) -> str:
    return f"EXISTS (SELECT 1 FROM {call} {name} WHERE {name}.k = L.k AND {name}.window_end = L.window_end)"


@pytest.mark.parametrize(
    ("conditions", "left"),
    [
        (asked(STATIC, "a"), None),
        (f"{asked(STATIC, 'a')} AND {asked(OTHER, 'b')}", "a"),
        (f"{asked(OTHER, 'a')} AND {asked(STATIC, 'b')}", "b"),
        (f"{asked(OTHER, 'a')} AND EXISTS (SELECT 1 FROM names b WHERE b.id = L.k)", "b"),
    ],
)
@pytest.mark.parametrize(
    "more", ["", "GROUP BY window_end, k", "QUALIFY rank() OVER (PARTITION BY window_end ORDER BY v) = 1"]
)
def test_spark_asks_tables_itself(conditions: str, left: str | None, more: str) -> None:
    statement = parse_statement(f"SELECT k, window_end FROM {CALL} L WHERE {conditions} {more}")
    statement = on_streams(statement, ("s",))
    joins = [query for query in statement.queries if query.join is not None]
    last = statement.queries[-1]
    asks = f"{last.where or ''} {last.tail}" if more or joins else statement.replace(dict.fromkeys(range(9), "r"))
    assert len(joins) == (left is not None)
    assert f" {left or 'a'} WHERE" in asks
    assert bool(more) == (last.form in (Form.AGGREGATE, Form.ROWS))


WINDOW_JOIN = "FROM t x {} WINDOW JOIN u AS y ON x.k = y.k WHERE x.v > 1 WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')"


@pytest.mark.parametrize(
    ("text", "how", "head", "keys"),
    [
        (
            "SELECT x.k, window_start AS s, window_end, count(y.v) AS c {} GROUP BY x.k, s, window_end",
            "LEFT",
            "SELECT windowed__key_0 AS `k`, windowed__key_1 AS s, windowed__window_end AS `window_end`, "
            "windowed__aggregate_0 AS c",
            ["x.k", "windowed__window_start"],
        ),
        ("SELECT DISTINCT WINDOW_TIME {}", "", "SELECT windowed__window_time AS `WINDOW_TIME`", []),
        (
            "SELECT *, rank() OVER w AS r {} WINDOW w AS (PARTITION BY window_end, x.k ORDER BY y.v)",
            "FULL",
            "SELECT windowed__column_0.*, windowed__rank_0 AS r",
            ["x.k"],
        ),
    ],
)
def test_the_rows_of_a_window_join_are_grouped_and_ranked(text: str, how: str, head: str, keys: list[str]) -> None:
    statement = parse_statement(text.format(WINDOW_JOIN.format(how)))
    assert len(statement.queries) == 1
    join, query = on_streams(statement).queries
    assert (join.form, join.head, join.tail) == (Form.JOIN, "", "")
    assert (query.head, keys_of(query), query.where) == (head, keys, "x.v > 1")
    assert [end.name for end in query.ends] in (["window_end"], [])


@pytest.mark.parametrize("keys", ["x.k", "x.k, window_end"])
def test_on_tables_the_rows_of_a_window_join_are_grouped_by_spark(keys: str) -> None:
    statement = parse_statement(f"SELECT x.k, collect_list(y.v) AS v {WINDOW_JOIN.format('')} GROUP BY {keys}")
    assert statement.grouped(0) is None
    assert statement.on_table(0) is statement


def test_stars_leave_out_columns_of_joins() -> None:
    left, right = (f"(SELECT k, {n} AS {n}, window_end FROM {CALL})" for n in "ab")
    on = "l.window_end = r.window_end"
    assert last_on_streams(f"SELECT * EXCEPT (a, r.k) FROM {left} l JOIN {right} r ON {on}").head == (
        "SELECT l.* EXCEPT (`a`), r.* EXCEPT (`k`)"
    )
    assert last_on_streams(f"SELECT * EXCEPT (k, b) FROM {left} l JOIN {right} r USING (window_end, k)").head == (
        "SELECT windowed__window_end AS `window_end`, l.* EXCEPT (`window_end`, `k`), "
        "r.* EXCEPT (`window_end`, `k`, `b`)"
    )
    assert last_on_streams(f"SELECT * FROM {left} l LEFT SEMI JOIN {right} r USING (window_end, k)").head == (
        "SELECT windowed__window_end AS `window_end`, l.k AS `k`, l.* EXCEPT (`window_end`, `k`)"
    )
    with pytest.raises(WindowSpecError, match="k does not say which side"):
        last_on_streams(f"SELECT * EXCEPT (k) FROM {left} l JOIN {right} r ON {on}")


ASKED = "SELECT r.k FROM {o} r WHERE r.k = L.k AND {w}"


@pytest.mark.parametrize(
    ("part", "how"),
    [
        ("(EXISTS (({a})))", JoinType.SEMI),
        ("NOT (EXISTS ({a}))", JoinType.ANTI),
        ("! EXISTS ({a})", JoinType.ANTI),
        ("NOT (NOT ((EXISTS ({a}))))", JoinType.SEMI),
        ("NOT (L.k NOT IN (({a})))", JoinType.SEMI),
        ("(v > 1 AND ((L.k) IN ({a})))", JoinType.SEMI),
        ("(L.v > 1 OR EXISTS ({a})) = TRUE", JoinType.LEFT),
    ],
)
def test_questions_may_be_in_brackets(part: str, how: JoinType) -> None:
    join = last_on_streams(
        f"SELECT * FROM {CALL} L WHERE {part.format(a=ASKED.format(o=OTHER, w=SAME_WINDOW.replace('R.', 'r.')))}"
    ).join
    assert join is not None
    assert join.how is how


@pytest.mark.parametrize(
    "text",
    [
        "L.k ! IN ({a})",
        "L.v > 1 OR L.k ! IN ({a})",
        "L.v > 1 OR L.k NOT IN ({a})",
        "L.v > 1 OR NOT (L.v > 2 OR L.k IN ({a}))",
        "(L.v > 1 OR L.k IN ({a})) = TRUE",
        "L.v > 1 OR L.k IN ({a} GROUP BY r.k)",
        "L.k = ({a})",
        "L.k IN ({a} UNION ALL SELECT 1)",
        "L.k IN ({a} EXCEPT SELECT 1)",
    ],
)
def test_other_subqueries_over_windows_are_refused(text: str) -> None:
    asked = ASKED.format(o=OTHER, w=SAME_WINDOW.replace("R.", "r."))
    statement = parse_statement(f"SELECT * FROM {CALL} L WHERE {text.format(a=asked)}")
    with pytest.raises(WindowSpecError, match="this subquery over windows") as caught:
        on_streams(statement)
    assert caught.value.span is not None
    assert statement.text[caught.value.span.start :].startswith("SELECT r.k")
    is_one_of_several = "UNION" in text or "EXCEPT" in text
    assert str(caught.value.hint).startswith("put the set operation" if is_one_of_several else "write [NOT] EXISTS")
    assert [query.form for query in on_streams(statement, ("u",)).queries] == [Form.WINDOWED] * 2


def test_what_comes_by_pipes_reads_groups_of_windows() -> None:
    text = f"SELECT k, window_start, window_end, count(*) AS c FROM {CALL} GROUP BY k, window_start, window_end"
    piped = f"{text} |> WHERE c > 2 |> SELECT k, c"
    assert keys_of(last_on_streams(piped)) == keys_of(last_on_streams(text))
    assert on_streams(parse_statement(piped)).replace({0: "r"}).endswith(" FROM r |> WHERE c > 2 |> SELECT k, c")
    joined = f"FROM x |> JOIN ({text}) y ON x.k = y.k"
    assert last_on_streams(joined).form is Form.AGGREGATE


PIPED = "SELECT window_end, count(*) FROM (FROM {call} {pipes}) GROUP BY window_end"


@pytest.mark.parametrize(
    "pipes",
    [
        "|> SET k = 1, v = v + 1 |> DROP window_start",
        "|> EXTEND 1 AS x |> WHERE x = 1 |> AS q |> WHERE q.v > 1",
        "|> SELECT k, window_end |> SELECT window_end",
        f"|> UNION ALL SELECT * FROM {CALL}",
        f"|> UNION ALL TABLE {CALL}",
    ],
)
def test_windows_that_come_by_pipes_are_known(pipes: str) -> None:
    assert last_on_streams(PIPED.format(call=CALL, pipes=pipes)).form is Form.AGGREGATE


@pytest.mark.parametrize(
    "pipes",
    [
        "|> SET window_end = window_end - INTERVAL 1 HOUR",
        "|> SET v = 1, window_end = window_start",
        "|> DROP window_end |> EXTEND current_date() AS window_end",
        "|> unheard OF window_end",
    ],
)
def test_what_pipes_make_of_windows_is_no_window(pipes: str) -> None:
    statement = parse_statement(PIPED.format(call=CALL, pipes=pipes))
    assert [query.form for query in on_streams(statement).queries] == [Form.WINDOWED]


def test_pipes_that_leave_no_window_end_are_refused() -> None:
    with pytest.raises(WindowSpecError, match="GROUP BY has no window_end"):
        last_on_streams(PIPED.format(call=CALL, pipes="|> SELECT window_start AS window_end"))


SAME_END = "x.window_end = y.window_end"
RANKED = f"SELECT *, RANK() OVER (PARTITION BY window_start, window_end ORDER BY v) AS r FROM {CALL}"
OF_FIRST = f"WITH x AS ({RANKED}) SELECT k FROM x WHERE r = 1 UNION ALL SELECT k FROM"


@pytest.mark.parametrize(
    ("text", "most"),
    [
        (f"SELECT k FROM ({RANKED}) WHERE r = 1", 1),
        (f"SELECT k, dense_rank() OVER (PARTITION BY window_end ORDER BY v) FROM ({RANKED}) WHERE r <= 2", 2),
        (f"{RANKED} QUALIFY r <= 2 AND row_number() OVER (PARTITION BY window_end, window_start ORDER BY k) = 1", None),
        (f"WITH x AS ({RANKED}) SELECT k FROM x WHERE r = 1 AND k IN (SELECT r FROM x AS y WHERE {SAME_END})", None),
        # what reads all rows beside a filter: windows over them, functions of tables, what sqlglot does not know
        (f"{OF_FIRST} TABLE(TUMBLE(TABLE x, DESCRIPTOR(window_time), '2 hours'))", None),
        (f"{OF_FIRST} my_function(TABLE(x))", None),
        (f"{OF_FIRST} my_function((SELECT r FROM `X`))", None),
        (f"{OF_FIRST} x WINDOW ASSIGN TUMBLING(window_time, '2 hours') GROUP BY k", None),
        (f"{OF_FIRST} x TABLESAMPLE (5 ROWS) WHERE r = 1", None),
        (f"{OF_FIRST} (TABLE x)", None),
        (f"{OF_FIRST} (FROM x |> LIMIT 3 |> WHERE r = 1)", None),
        (f"{OF_FIRST} x WHERE x.r <= 3", 3),
        (f"SELECT k FROM (SELECT k, r FROM ({RANKED}) q WINDOW ASSIGN TUMBLING(ts, '1 day')) WHERE r = 1", None),
        (f"WITH x AS ({RANKED}) SELECT k FROM x JOIN x AS y USING (window_end, k) WHERE y.r = 1", None),
        (f"SELECT k, r FROM ({RANKED}) AS x WHERE k > 5 AND (3 >= x.r)", 3),
        (f"SELECT k FROM ({RANKED}) WHERE r < 4 AND r <= 7", 3),
        (f"SELECT k FROM ({RANKED}) WHERE 10 > r", 9),
        (f"SELECT k FROM ({RANKED}) WHERE r IN (2, 5)", 5),
        (f"SELECT k FROM ({RANKED}) WHERE r BETWEEN 2 AND 4", 4),
        (f"SELECT k FROM (SELECT k, r AS place FROM ({RANKED})) WHERE place <=> 2", 2),
        (f"WITH x AS ({RANKED}) SELECT k FROM x WHERE r <= 2 UNION ALL SELECT k FROM x WHERE r = 5", 5),
        (f"{RANKED} QUALIFY r <= 3", 3),
        (f"SELECT k FROM {CALL} QUALIFY DENSE_RANK() OVER (PARTITION BY window_start, window_end ORDER BY v) < 3", 2),
        (f"SELECT k FROM ({RANKED})", None),
        (f"SELECT k FROM ({RANKED}) WHERE r <= 3 OR k = 1", None),
        (f"SELECT k FROM ({RANKED}) WHERE NOT r <= 3", None),
        (f"SELECT k FROM ({RANKED}) WHERE r >= 3", None),
        (f"SELECT k FROM ({RANKED}) WHERE r NOT BETWEEN 1 AND 3", None),
        (f"SELECT k FROM ({RANKED}) WHERE r <= k", None),
        (f"SELECT k FROM ({RANKED}) WHERE r + 1 <= 3", None),
        (f"SELECT k FROM ({RANKED}) WHERE r <= 2.5", None),
        (f"WITH x AS ({RANKED}) SELECT k FROM x WHERE r <= 2 UNION ALL SELECT k FROM x", None),
        (f"SELECT k FROM (SELECT * FROM ({RANKED}) LIMIT 10) WHERE r <= 2", None),
        (f"SELECT k FROM ({RANKED} LIMIT 10) WHERE r <= 2", None),
        (f"SELECT k FROM (({RANKED}) LIMIT 10) WHERE r <= 2", None),
        (f"SELECT k FROM (({RANKED}) ORDER BY r) WHERE r <= 2", 2),
        (f"{RANKED} QUALIFY r <= 2 LIMIT 10", 2),
        (f"WITH x AS ({RANKED}) SELECT k FROM x LEFT ANTI JOIN x AS y ON x.k = y.k WHERE x.r = 1", None),
        (
            f"WITH x AS ({RANKED}) SELECT k FROM x PIVOT (max(v) FOR r IN (1, 9)) UNION ALL"
            " SELECT k FROM x WHERE r = 1",
            None,
        ),
        (f"SELECT k FROM (SELECT k, r + 1 AS r FROM ({RANKED})) WHERE r <= 2", None),
        (
            f"SELECT k FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_end, window_start ORDER BY k) n FROM"
            f" ({RANKED})) WHERE r <= 2 AND n = 1",
            None,
        ),
    ],
)
def test_up_to_which_number_a_ranking_is_read(text: str, most: int | None) -> None:
    found = on_streams(parse_statement(text))
    ranking = next(query.over for query in found.queries if query.over is not None)
    assert ranking.most == most


@pytest.mark.parametrize("keys", ["k, window_end,", ", window_end", "k GROUPING SETS", "GROUPING SETS ((k)),"])
def test_keys_that_are_not_complete_are_left_to_spark(keys: str) -> None:
    statement = parse_statement(f"SELECT k, count(*) FROM {CALL} GROUP BY {keys}")
    assert len(statement.queries) == 1


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT x.k FROM {CALL} x JOIN {CALL} y ON {SAME_END} WHERE x.v > 1 LIMIT 3",
        f"SELECT x.k FROM {CALL} x JOIN {CALL} y ON {SAME_END} JOIN names n ON n.id = x.k LIMIT 3",
        f"SELECT x.k FROM {CALL} x WHERE EXISTS (SELECT 1 FROM {CALL} y WHERE {SAME_END}) LIMIT 3",
    ],
)
def test_a_join_of_windows_keeps_its_limit(text: str) -> None:
    query = last_on_streams(text)
    assert query.form is Form.JOIN
    assert query.tail.endswith("LIMIT 3")


@pytest.mark.parametrize("value", ["?", ":more", "100"])
@pytest.mark.parametrize("text", ["SELECT n, {0} AS m FROM {1} a", "SELECT n FROM {1} a WHERE n + {2} > {0}"])
def test_an_aggregate_that_is_looked_up_computes_with_parameters(text: str, value: str) -> None:
    looked_up = f"(SELECT max(n) - {value} FROM {CALL} b WHERE b.window_end = a.window_end)"
    statement = on_streams(parse_statement(text.format(looked_up, CALL, value)))
    assert statement.queries[-1].join is not None


def test_a_name_in_on_may_be_meant_as_a_variable_of_the_session() -> None:
    text = f"SELECT a.k FROM {CALL} a JOIN {CALL} b ON a.window_end = b.window_end AND a.v > "
    for name, hint in (
        ("top", "write a.top or b.top, or write session.top for the variable"),
        ("v", "write a.v or b.v"),
    ):
        statement = parse_statement(text + name, is_variable=lambda name: name == "top")
        with pytest.raises(WindowSpecError, match=f"{name} does not say which side") as caught:
            on_streams(statement)
        assert caught.value.hint == hint


@pytest.mark.parametrize(
    "text",
    [
        "SELECT a.k FROM {0} a JOIN {0} b ON a.window_end = b.window_end AND b.k IN (SELECT id FROM names)",
        "SELECT a.k FROM {0} a LEFT JOIN {0} b ON a.window_end = b.window_end AND b.v > (SELECT max(id) FROM names)",
        "SELECT k FROM {0} a WHERE EXISTS (SELECT 1 FROM {0} b WHERE b.window_end = a.window_end"
        " AND NOT EXISTS (SELECT 1 FROM names WHERE id = b.k))",
    ],
)
def test_a_condition_with_a_subquery_is_refused_at_its_place(text: str) -> None:
    with pytest.raises(WindowSpecError, match="this join of windows holds a subquery") as caught:
        on_streams(parse_statement(text.format(CALL)), {"names"})
    assert caught.value.span is not None
    assert "FROM names" in caught.value.span.text(text.format(CALL))
