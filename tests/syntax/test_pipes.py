"""Pipes over windows: those that take several rows together are SELECTs on streams, or refused; others are Spark's."""

from __future__ import annotations

import pytest
from on_streams import last_on_streams, on_streams

from winsql.errors import WindowSpecError, WinsqlError
from winsql.model.query import Form
from winsql.model.settings import ParserSettings
from winsql.model.window_functions import Ties
from winsql.syntax import parse_statement
from winsql.syntax.text.source import Source

CALL = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour'))"
RESULTS = "SELECT k, window_end, count(*) AS n FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k"
RANKS = "row_number() OVER (PARTITION BY window_end ORDER BY k) AS r"
ROWS_RANKED = "row_number() OVER (PARTITION BY window_start, window_end, k ORDER BY ts DESC) AS r"


@pytest.mark.parametrize(
    ("pipes", "select"),
    [
        (f"FROM {CALL} |> AGGREGATE sum(v) AS s GROUP BY window_start, window_end, k",
         f"SELECT window_start, window_end, k, sum(v) AS s FROM {CALL} GROUP BY window_start, window_end, k"),
        (f"FROM {CALL} x |> AGGREGATE max(x.v), count(*) GROUP BY x.k AS name, x.window_end",
         f"SELECT x.k AS name, x.window_end, max(x.v), count(*) FROM {CALL} x GROUP BY ALL"),
        (f"FROM {CALL} |> SELECT DISTINCT k, window_end", f"SELECT DISTINCT k, window_end FROM {CALL}"),
        (f"FROM {CALL} |> AGGREGATE sum(v) AS s GROUP BY (k), (window_end)",
         f"SELECT (k), (window_end), sum(v) AS s FROM {CALL} GROUP BY (k), (window_end)"),
        (f"FROM {CALL} |> SELECT DISTINCT (k), window_end", f"SELECT (k), window_end FROM {CALL} GROUP BY ALL"),
        (f"FROM {CALL} |> SELECT k, {RANKS}", f"SELECT k, {RANKS} FROM {CALL}"),
        (f"FROM {CALL} |> EXTEND {ROWS_RANKED}", f"SELECT *, {ROWS_RANKED} FROM {CALL}"),
        (f"{RESULTS} |> EXTEND {RANKS}, n + 1", f"SELECT *, {RANKS}, n + 1 FROM ({RESULTS})"),
        (f"{RESULTS} |> AGGREGATE sum(n) AS s GROUP BY window_end",
         f"SELECT window_end, sum(n) AS s FROM ({RESULTS}) GROUP BY window_end"),
    ],
)  # fmt: skip
def test_pipes_are_read_as_the_selects_that_they_stand_for(pipes: str, select: str) -> None:
    piped, written = last_on_streams(pipes), last_on_streams(select)
    assert (piped.head, piped.tail, piped.spec) == (written.head, written.tail, written.spec)
    assert [key.sql for key in piped.keys] == [key.sql for key in written.keys]
    assert [call.sql for call in piped.aggregates] == [call.sql for call in written.aggregates]


@pytest.mark.parametrize(
    "text",
    [
        f"FROM {CALL} |> WHERE v | 1 > 2 |> AGGREGATE sum(v | 4) AS s GROUP BY window_start, window_end, k",
        f"{RESULTS} |> EXTEND {RANKS}, n + 1 |> WHERE r | n = 3",
        f"SELECT * FROM (SELECT k, window_end FROM {CALL} |> -- one more\n AS x |> SELECT DISTINCT x.k, window_end) y",
    ],
)
def test_pipes_of_one_character(text: str) -> None:
    """As in Spark since 4.2, unless its setting says that they are an OR of bits."""
    short = text.replace("|>", "| ")
    piped, written = last_on_streams(short), last_on_streams(text)
    assert (piped.head, piped.keys, piped.aggregates) == (written.head, written.keys, written.aggregates)
    assert piped.tail == written.tail.replace("|>", "| ")
    off = ParserSettings(single_character_pipes=False)
    assert not [*Source(short, settings=off).places("|>")]
    assert len([*Source(short).places("|>")]) == len([*Source(text).places("|>")])


@pytest.mark.parametrize(
    "before",
    ["EXPLAIN ", "EXPLAIN WINDOW ", "INSERT INTO TABLE x ", "CREATE TABLE x AS ", "CREATE STREAMING TABLE x AS ", "("],
)
def test_queries_with_pipes_in_every_statement(before: str) -> None:
    after = ")" * before.count("(")
    query = last_on_streams(f"{before}FROM {CALL} |> AGGREGATE max(v) AS v GROUP BY window_end{after}")
    assert query.head == "SELECT windowed__window_end AS `window_end`, windowed__aggregate_0 AS v"


JOIN = f"{CALL} a LEFT JOIN {CALL} b ON a.k = b.k AND a.window_end = b.window_end"
PIPED_JOIN = f"{CALL} a |> LEFT JOIN {CALL} b ON a.k = b.k AND a.window_end = b.window_end"
ASKS = f"EXISTS (SELECT 1 FROM {CALL} b WHERE b.window_end = a.window_end)"


@pytest.mark.parametrize(
    ("pipes", "select"),
    [
        (f"FROM {JOIN} |> SELECT a.k, b.v AS w", f"SELECT a.k, b.v AS w FROM {JOIN}"),
        (f"FROM {JOIN} |> WHERE a.v > 1 |> SELECT *", f"SELECT * FROM {JOIN} WHERE a.v > 1"),
        (f"FROM {CALL} a |> WHERE {ASKS} |> SELECT k", f"SELECT k FROM {CALL} a WHERE {ASKS}"),
        (f"FROM {CALL} a |> WHERE v > 1 AND NOT {ASKS} |> AGGREGATE max(v) AS m GROUP BY window_end",
         f"SELECT window_end, max(v) AS m FROM {CALL} a WHERE v > 1 AND NOT {ASKS} GROUP BY window_end"),
        (f"FROM {JOIN} |> SELECT DISTINCT a.window_end", f"SELECT DISTINCT a.window_end FROM {JOIN}"),
        (f"FROM {JOIN} |> WHERE b.v > 1 |> AGGREGATE sum(b.v) AS s GROUP BY a.window_end",
         f"SELECT a.window_end, sum(b.v) AS s FROM {JOIN} WHERE b.v > 1 GROUP BY a.window_end"),
        (f"FROM {PIPED_JOIN} |> WHERE a.v > 1 |> SELECT *", f"SELECT * FROM {JOIN} WHERE a.v > 1"),
        (f"FROM {PIPED_JOIN} |> AGGREGATE count(*) AS c GROUP BY a.window_end",
         f"SELECT a.window_end, count(*) AS c FROM {JOIN} GROUP BY a.window_end"),
        (f"FROM {PIPED_JOIN} |> LEFT OUTER JOIN names d ON d.id = a.k |> SELECT a.k, b.v AS w, d.label",
         f"SELECT a.k, b.v AS w, d.label FROM {JOIN} LEFT OUTER JOIN names d ON d.id = a.k"),
        (f"FROM {PIPED_JOIN} AND a.limit < b.order", f"SELECT * FROM {JOIN} AND a.limit < b.order"),
        (f"FROM {PIPED_JOIN}", f"SELECT * FROM {JOIN}"),
        (f"WITH x AS (FROM {JOIN} |> WHERE a.v > 1) FROM x", f"WITH x AS (SELECT * FROM {JOIN} WHERE a.v > 1) FROM x"),
        (f"FROM {CALL} a JOIN {CALL} b USING (k, window_end)",
         f"SELECT * FROM {CALL} a JOIN {CALL} b USING (k, window_end)"),
        (f"FROM {CALL} a |> WHERE v > 1 AND {ASKS}", f"SELECT * FROM {CALL} a WHERE v > 1 AND {ASKS}"),
        (f"SELECT k FROM (FROM {CALL} a |> WHERE NOT {ASKS})",
         f"SELECT k FROM (SELECT * FROM {CALL} a WHERE NOT {ASKS})"),
        (f"SELECT k FROM {CALL} a WHERE EXISTS (FROM {CALL} b |> WHERE a.window_end = b.window_end)",
         f"SELECT k FROM {CALL} a WHERE EXISTS (SELECT * FROM {CALL} b WHERE a.window_end = b.window_end)"),
        (f"FROM {CALL} a|>JOIN names d USING (k)|>WHERE v > 1 |> AGGREGATE max(label) AS m GROUP BY window_end",
         f"SELECT window_end, max(label) AS m FROM {CALL} a JOIN names d USING (k) WHERE v > 1 GROUP BY window_end"),
    ],
)  # fmt: skip
def test_joins_and_predicates_before_pipes_are_those_of_a_select(pipes: str, select: str) -> None:
    ours, written = (on_streams(parse_statement(text)).queries for text in (pipes, select))
    assert [query.form for query in ours] == [query.form for query in written]
    for one, other in zip(ours[2:], written[2:], strict=True):
        for part in ("head", "tail", "where", "source"):
            assert str(getattr(one, part)).split() == str(getattr(other, part)).split()
        assert (one.join and one.join.condition) == (other.join and other.join.condition)


@pytest.mark.parametrize(
    "text",
    [f"FROM {JOIN} WHERE a.v > 1", f"FROM {JOIN} |> LIMIT 3", f"FROM {CALL} |> WHERE k IN (1, 2)", f"FROM {CALL} a, b"],
)
def test_other_queries_without_select_are_left_to_spark(text: str) -> None:
    assert all(query.form is Form.WINDOWED for query in on_streams(parse_statement(text)).queries)


def test_what_is_before_the_last_pipe_is_a_subquery_of_its_name() -> None:
    query = last_on_streams(f"FROM {CALL} AS x |> WHERE v > 1 |> AGGREGATE sum(x.v) AS s GROUP BY window_end")
    assert query.source.split() == f"(FROM {CALL} AS x |> WHERE v > 1 ) AS `x`".split()
    query = last_on_streams(f"FROM {CALL} |> SELECT v, window_end |> AGGREGATE sum(v) AS s GROUP BY window_end")
    assert query.source.split() == f"(FROM {CALL} |> SELECT v, window_end )".split()


def test_after_a_pipe_mistakes_have_their_place() -> None:
    for text, problem in (
        (f"FROM {CALL} |> AGGREGATE sum(v),, count(*) GROUP BY window_end", "an item of the select list is missing"),
        (f"{RESULTS} |> AGGREGATE sum(n) AS s GROUP BY k", "groups that never end"),
    ):
        with pytest.raises(WinsqlError, match=problem):
            on_streams(parse_statement(text))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"FROM {CALL} a JOIN {CALL} b ON a.k = b.k |> EXTEND row_number() OVER (ORDER BY a.v) AS r", "OVER after"),
        (f"{RESULTS} |> AGGREGATE sum(n) AS s GROUP BY ROLLUP (window_end)", "AGGREGATE after"),
    ],
)
def test_other_pipes_that_take_rows_together_are_refused(text: str, problem: str) -> None:
    with pytest.raises(WindowSpecError, match=rf"{problem} \|> cannot be used over windows of a stream"):
        on_streams(parse_statement(text))


@pytest.mark.parametrize(
    "operators",
    [
        "AS a",
        "SELECT k, v, window_end |> AS a",
        "SET v = v + 1 |> AS x |> WHERE x.v > 1 |> AS a",
        f"UNION ALL (FROM {CALL}) |> AS a",
    ],
)
def test_operators_before_a_join_are_those_of_its_left_side(operators: str) -> None:
    after = f"JOIN {CALL} AS b ON a.window_end = b.window_end AND a.k = b.k"
    ours = last_on_streams(f"FROM {CALL} |> {operators} |> LEFT {after} |> SELECT a.k, b.v")
    written = last_on_streams(f"SELECT a.k, b.v FROM (FROM {CALL} |> {operators}) AS a LEFT {after}")
    assert ours.join is not None
    assert written.join is not None
    assert (ours.head, ours.join.keys, ours.join.how) == (written.head, written.join.keys, written.join.how)


@pytest.mark.parametrize(
    "text",
    [
        f"FROM {CALL} |> AS a |> JOIN {CALL} AS b USING (k, window_end)",
        f"FROM {CALL} |> AS a |> NATURAL JOIN {CALL} AS b",
        f"FROM {CALL} AS a |> EXTEND v + 1 AS w |> JOIN {CALL} AS b ON a.window_end = b.window_end",
        f"FROM {CALL} AS a |> JOIN {CALL} AS b USING (window_end) |> EXTEND 1 AS x |> SELECT x",
        f"FROM {CALL} |> AGGREGATE count(*) AS c GROUP BY window_end |> JOIN {CALL} b USING (window_end) |> SELECT c",
        f"FROM (SELECT window_end AS e FROM {CALL}) |> JOIN (SELECT window_end AS e FROM {CALL}) AS b USING (e) "
        "|> SELECT e |> JOIN (SELECT k, window_end AS e FROM " + CALL + ") AS c USING (e) |> LIMIT 3",
    ],
)  # fmt: skip
def test_other_joins_by_windows_after_pipes_are_refused(text: str) -> None:
    """Spark's own join of them would keep all rows."""
    with pytest.raises(WindowSpecError, match=r"this join of windows after \|> cannot run on streams") as caught:
        on_streams(parse_statement(text))
    assert caught.value.span is not None
    assert text[slice(*caught.value.span)] in ("JOIN", "NATURAL JOIN")


@pytest.mark.parametrize(
    "text",
    [
        "FROM {call} AS x |> EXTEND v + 1 AS w |> WHERE EXISTS ({asked})",
        "FROM {call} |> AS x |> WHERE k NOT IN ({asked})",
        "SELECT * FROM {call} AS x |> WHERE v > (SELECT 1) + ({asked})",
        "FROM {call} AS x |> SET v = coalesce(({asked}), 0)",
        "SELECT * FROM (FROM {call} AS x |> LIMIT 3 |> WHERE EXISTS ({asked})) |> AGGREGATE max(v) GROUP BY window_end",
        "WITH g AS (SELECT k, window_end FROM {call}) FROM g AS x |> EXTEND 1 AS w |> WHERE EXISTS ("
        "SELECT * FROM g AS y WHERE y.window_end = x.window_end)",
    ],
)
def test_subqueries_after_other_pipes_are_refused(text: str) -> None:
    text = text.format(call=CALL, asked=f"SELECT max(y.v) FROM {CALL} AS y WHERE y.window_end = x.window_end")
    with pytest.raises(WindowSpecError, match=r"this subquery over windows after \|> cannot run on") as caught:
        on_streams(parse_statement(text))
    assert caught.value.span is not None
    assert text[slice(*caught.value.span)] == "SELECT"


@pytest.mark.parametrize(
    "text",
    [
        f"FROM t AS x |> EXTEND 1 AS w |> WHERE EXISTS (SELECT * FROM names) |> UNION ALL (SELECT * FROM {CALL})",
        f"FROM {CALL} AS x |> EXTEND 1 AS w |> WHERE k IN (SELECT id FROM names)",
        f"FROM {CALL} AS x |> EXTEND 1 AS w |> JOIN (SELECT * FROM names) AS n ON n.id = x.k",
        f"WITH g AS (SELECT window_end FROM {CALL}) FROM g |> EXTEND 1 AS w |> WHERE w IN (SELECT g FROM names)",
        f"FROM {CALL} AS x |> WHERE EXISTS (SELECT * FROM {CALL} AS y WHERE y.k = x.k AND y.window_end = x.window_end)",
    ],
)
def test_other_subqueries_after_pipes_are_not(text: str) -> None:
    assert on_streams(parse_statement(text)).queries


def test_joins_after_pipes_without_windows_are_left_to_spark() -> None:
    text = f"FROM {CALL} AS a |> AS b |> JOIN {CALL} AS c ON b.k = c.k |> SELECT b.k"
    assert all(query.join is None for query in on_streams(parse_statement(text)).queries)


@pytest.mark.parametrize(
    "text",
    [
        f"{RESULTS} |> WHERE n > 1 |> SELECT k, (SELECT max(x) FROM u |> AGGREGATE max(x) AS x) AS m",
        f"WITH w AS (FROM t |> AGGREGATE max(v) AS v GROUP BY k) {RESULTS} |> SELECT k, n",
        f"FROM {CALL} |> AGGREGATE count(*) AS n GROUP BY k",
        f"FROM {CALL} |> SELECT k, (SELECT max(count(*) OVER ()) FROM u) AS m",
    ],
)
def test_other_pipes_are_left_to_spark(text: str) -> None:
    assert len(on_streams(parse_statement(text)).queries) == 1


@pytest.mark.parametrize("pipe", [f"EXTEND {ROWS_RANKED}", f"SELECT *, {ROWS_RANKED}"])
@pytest.mark.parametrize(
    "after", ["WHERE r = 1", "WHERE v > 0 AND 2 > r |> DROP r", "SELECT r AS n, k |> WHERE n <= 1"]
)
def test_filters_after_pipes_say_how_many_rows_matter(pipe: str, after: str) -> None:
    over = last_on_streams(f"FROM {CALL} |> {pipe} |> {after}").over
    assert over is not None
    assert (over.most, over.ties) == (1, Ties.LAST_ARRIVED)


def test_rows_cut_before_a_filter_all_matter() -> None:
    over = last_on_streams(f"FROM {CALL} |> EXTEND {ROWS_RANKED} |> LIMIT 5 |> WHERE r = 1").over
    assert over is not None
    assert over.most is None


@pytest.mark.parametrize("name", ["w", "(w)", "`w`"])
def test_named_windows_in_pipes(name: str) -> None:
    window = "PARTITION BY window_end ORDER BY k"
    piped, written = (
        last_on_streams(text)
        for text in (
            f"FROM {CALL} |> SELECT k, row_number() OVER {name} AS r WINDOW w AS ({window}) |> WHERE r < 3",
            f"SELECT * FROM (SELECT k, {RANKS} FROM {CALL}) WHERE r < 3",
        )
    )
    assert piped.over is not None
    assert written.over is not None
    (call,), (same,) = piped.over.calls, written.over.calls
    assert (call.partition, call.order, piped.over.most) == (same.partition, same.order, 2)


ONE_VALUE = f"SELECT max(n) FROM ({RESULTS}) AS g WHERE g.window_end = t.window_end"


@pytest.mark.parametrize(
    "text",
    [
        f"FROM ({RESULTS}) |> AS t |> WHERE n >= ({ONE_VALUE})",
        f"SELECT * FROM ({RESULTS}) AS t, LATERAL ({ONE_VALUE})",
    ],
)
def test_an_aggregate_that_names_other_rows_is_no_group_without_end(text: str) -> None:
    with pytest.raises(WindowSpecError) as caught:
        last_on_streams(text)
    assert caught.value.problem == "this subquery over windows cannot run on streams"
