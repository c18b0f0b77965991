"""What GROUP BY and JOIN over windowed queries become once these turn out to read streams."""

from __future__ import annotations

import pytest
from on_streams import last_on_streams, on_streams

from winsql.errors import WindowPlanError
from winsql.model.joins import JoinType
from winsql.model.query import Form, WindowQuery
from winsql.syntax import parse_statement

COUNTS = """(SELECT k, count(*) AS n, window_start AS s, window_end AS e
    FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')) GROUP BY k, window_start, window_end)"""
MARKED = "FROM STREAM u WATERMARK ts DELAY OF INTERVAL 1 HOUR"
CLAUSE = "(SELECT k, sum(v) AS n, window_start, window_end FROM u WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k)"


def ends_of(query: WindowQuery) -> list[str]:
    return [end.sql for end in query.ends]


def test_groups_end_where_the_windows_end() -> None:
    query = last_on_streams(f"SELECT max(c.n), C.E, c.s + INTERVAL 1 DAY FROM {COUNTS} AS c GROUP BY c.s, c.e, 3")
    assert [key.sql for key in query.keys] == ["c.s", "c.s + INTERVAL 1 DAY"]
    assert query.head == (
        "SELECT windowed__aggregate_0 AS `max(n)`, windowed__window_end AS `E`, "
        "windowed__key_1 AS `c.s + INTERVAL 1 DAY`"
    )
    assert ends_of(query) == ["c.e"]
    assert query.spec.assigner.time is not None
    assert query.spec.assigner.time.expressions == ("c.e - INTERVAL 1 MICROSECOND",)


@pytest.mark.parametrize("made", ["date(window_end)", "coalesce(window_end, window_start)", "(hour(window_start))"])
def test_what_is_made_of_a_window_column_is_null_in_the_sets_without_it(made: str) -> None:
    rows = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour'))"
    query = last_on_streams(
        f"SELECT {made} AS m, max(n) AS n FROM {rows} GROUP BY window_start, window_end, CUBE({made})"
    )
    assert query.head == "SELECT windowed__key_1 AS m, windowed__aggregate_0 AS n"
    assert query.keys[1].sql.startswith("CASE WHEN windowed__set IN (")


@pytest.mark.parametrize("key", ["(c.e)", "x"])
def test_an_end_is_grouped_by_in_brackets_and_by_the_name_of_its_item(key: str) -> None:
    query = last_on_streams(f"SELECT c.e AS x, max(n) AS m FROM {COUNTS} AS c GROUP BY {key}, c.k")
    assert ([key.sql for key in query.keys], ends_of(query)) == (["c.k"], ["c.e"])
    assert query.head == "SELECT windowed__window_end AS x, windowed__aggregate_0 AS m"


def test_a_window_start_is_that_of_the_subquery() -> None:
    passed = f"(SELECT * FROM {CLAUSE} AS x WHERE n > 1)"
    query = last_on_streams(f"SELECT window_start, window_end, max(window_start) FROM {passed} GROUP BY ALL")
    assert [key.sql for key in query.keys] == ["window_start"]
    assert query.head.startswith("SELECT windowed__key_0 AS `window_start`, windowed__window_end AS `window_end`, ")
    assert [call.sql for call in query.aggregates] == ["max(window_start)"]


@pytest.mark.parametrize(
    ("words", "how", "items"),
    [
        ("JOIN", JoinType.INNER, "windowed__window_end AS `e`, windowed__window_end AS `window_end`"),
        ("LEFT OUTER JOIN", JoinType.LEFT, "windowed__window_end AS `e`, b.window_end"),
        ("RIGHT JOIN", JoinType.RIGHT, "a.e, windowed__window_end AS `window_end`"),
        ("FULL JOIN", JoinType.FULL, "a.e, b.window_end"),
    ],
)
def test_a_join_hands_on_the_end_of_the_side_that_has_all_rows(words: str, how: JoinType, items: str) -> None:
    join = f"{COUNTS} AS a {words} {CLAUSE} b ON a.k = b.k AND b.window_end = a.e"
    query = last_on_streams(f"SELECT a.e, b.window_end, window_start FROM {join}")
    assert query.form is Form.JOIN
    assert query.join is not None
    assert query.join.how is how
    assert query.head == f"SELECT {items}, window_start"
    assert ends_of(query) == ["a.e", "b.window_end"]


def test_a_star_hands_on_the_ends_of_its_side_alone() -> None:
    """Those of the right side of a LEFT JOIN are NULL in some rows, which would be a group on tables."""
    join = f"FROM {COUNTS} AS a LEFT JOIN {COUNTS} AS b ON a.k = b.k AND a.e = b.e AND b.n > 1"
    text = "SELECT e, count(*) FROM (SELECT {} {}) GROUP BY e"
    assert last_on_streams(text.format("a.*, b.k AS j", join)).form is Form.AGGREGATE
    for star in ("b.*, a.k AS j", "b.*"):
        with pytest.raises(WindowPlanError, match="groups that never end"):
            last_on_streams(text.format(star, join))


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT DISTINCT n, e FROM {COUNTS}",
        f"SELECT max(n) FROM ({COUNTS} UNION ALL {COUNTS}) GROUP BY e",
        f"WITH c(a, b, x, y) AS {COUNTS} SELECT max(b) FROM c GROUP BY y",
        f"SELECT max(n), e FROM (SELECT * FROM {COUNTS}) LATERAL VIEW explode(array(1)) v AS i GROUP BY ROLLUP(k), 2",
    ],
)
def test_windows_are_found_in_other_words(text: str) -> None:
    assert [query.form for query in on_streams(parse_statement(text)).queries][-1] is Form.AGGREGATE
    assert last_on_streams(text).ends


ROWS = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour'))"


@pytest.mark.parametrize("rows", [f"{ROWS} AS b", f"(SELECT * FROM {ROWS} WHERE v > 1) b"])
@pytest.mark.parametrize("on", ["ON a.e = b.window_end AND a.k = b.k", "USING (k, window_end)"])
def test_rows_are_gathered_where_they_join_results(rows: str, on: str) -> None:
    results = COUNTS.replace("window_end AS e", "window_end") if "USING" in on else COUNTS
    statement = on_streams(parse_statement(f"SELECT a.n FROM {results} AS a JOIN {rows} {on}"))
    queries = [statement.query(n, dict(enumerate(f"r{i}" for i in range(n)))) for n in range(len(statement.queries))]
    gathered, join = queries[-2:]
    assert join.join is not None
    assert join.join.right.sql.startswith("(SELECT * FROM (SELECT windowed__side_row.* FROM r")
    assert (gathered.form, join.form) == (Form.ROWS, Form.JOIN)
    assert ends_of(gathered) == ["b.window_end"]
    assert "b.k" in {key.sql for key in gathered.keys}
    assert gathered.head == "(SELECT windowed__side_row.*"
    assert gathered.tail == ") AS b"


def test_rows_are_gathered_before_they_join_results_and_tables() -> None:
    join = f"{COUNTS} AS a JOIN {ROWS} AS b ON a.e = b.window_end AND a.k = b.k JOIN names AS n ON n.id = a.k"
    queries = on_streams(
        parse_statement(f"SELECT a.e, n.label, count(*) AS c FROM {join} GROUP BY a.e, n.label")
    ).queries
    assert [query.form for query in queries[-3:]] == [Form.ROWS, Form.JOIN, Form.AGGREGATE]


@pytest.mark.parametrize(
    "asked",
    [
        f"(k, window_end) IN (SELECT * EXCEPT (n, s) FROM {COUNTS} AS b)",
        f"EXISTS (SELECT * EXCEPT (n) FROM {COUNTS} AS b WHERE b.e = a.window_end)",
    ],
)
def test_what_is_asked_may_leave_out_columns(asked: str) -> None:
    join = last_on_streams(f"SELECT k, n FROM {CLAUSE} AS a WHERE {asked}").join
    assert join is not None
    assert join.how is JoinType.SEMI


def test_a_join_is_grouped_in_the_same_select() -> None:
    join = f"{COUNTS} AS a JOIN {CLAUSE} AS b ON a.e = b.window_end AND a.k = b.k"
    statement = on_streams(parse_statement(f"SELECT a.e, count(*) AS c, max(a.n) FROM {join} WHERE v > 2 GROUP BY a.e"))
    pairs, groups = statement.queries[-2:]
    assert (pairs.form, pairs.head, pairs.tail) == (Form.JOIN, "", "")
    assert (groups.form, ends_of(groups), groups.where) == (Form.AGGREGATE, ["a.e"], "v > 2")
    assert statement.query(3, {0: "r0", 1: "r1", 2: "r2"}).source == "r2"


def test_groups_and_ranks_take_the_rows_that_exists_leaves() -> None:
    asks = (
        f"FROM {CLAUSE} AS a WHERE n > 1 AND EXISTS (SELECT 1 FROM {COUNTS} b WHERE b.k = a.k AND b.e = a.window_end)"
    )
    *_, left, groups = on_streams(
        parse_statement(f"SELECT k, max(n) AS m, window_end {asks} GROUP BY k, window_end")
    ).queries
    assert (left.form, left.head, left.join.how if left.join else None) == (Form.JOIN, "", JoinType.SEMI)
    assert (groups.form, groups.where, ends_of(groups)) == (Form.AGGREGATE, "n > 1 AND TRUE", ["window_end"])
    ranks = last_on_streams(
        f"SELECT *, rank() OVER (PARTITION BY window_end ORDER BY n) AS r {asks.replace('EXISTS', 'NOT EXISTS')}"
    )
    assert (ranks.form, ranks.payload[0].sql) == (Form.ROWS, "struct(a.*)")


def test_shared_columns_of_a_join_say_whose_they_are() -> None:
    join = f"{CLAUSE} AS a LEFT JOIN {CLAUSE} AS b USING (window_end, k)"
    groups = last_on_streams(f"SELECT k, window_end AS e, count(*) AS c FROM {join} GROUP BY window_end, k")
    assert ([key.sql for key in groups.keys], ends_of(groups)) == (["a.k"], ["a.window_end"])
    assert groups.head == "SELECT windowed__key_0 AS `k`, windowed__window_end AS e, windowed__aggregate_0 AS c"


def test_only_streams_are_joined_in_windows() -> None:
    statement = parse_statement(f"SELECT a.n FROM {COUNTS} AS a JOIN {CLAUSE} AS b ON a.e = b.window_end AND a.k = b.k")
    forms = {skipped: [q.form for q in on_streams(statement, skipped).queries] for skipped in ((), ("t",), ("u",))}
    assert forms == {
        (): [Form.AGGREGATE, Form.AGGREGATE, Form.JOIN],
        ("t",): [Form.WINDOWED, Form.AGGREGATE],
        ("u",): [Form.AGGREGATE, Form.AGGREGATE],
    }


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT a.n FROM {COUNTS} AS a JOIN {CLAUSE} AS b ON a.k = b.k",
        f"SELECT k, n FROM {COUNTS} WHERE n > 1",
        f"SELECT k, max(n) FROM {CLAUSE} WATERMARK window_end DELAY OF INTERVAL 1 HOUR GROUP BY k",
    ],
)
def test_what_does_not_name_the_windows_is_left_to_spark(text: str) -> None:
    queries = on_streams(parse_statement(text)).queries
    assert [query.form for query in queries] == [Form.AGGREGATE] * (text.count("TUMBLE(") + text.count("ASSIGN"))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (f"SELECT max(n) FROM {COUNTS} GROUP BY k", "GROUP BY k"),
        (f"SELECT DISTINCT n FROM {COUNTS}", "SELECT"),
        (f"SELECT k, max(n) FILTER (WHERE n > 1) AS m FROM {CLAUSE}", "max(n) FILTER (WHERE n > 1)"),
        (f"SELECT n, rank() OVER (ORDER BY n) FROM (SELECT n FROM {CLAUSE})", "rank() OVER (ORDER BY n)"),
        (f"WITH g AS (SELECT DISTINCT k, window_end FROM {ROWS}) SELECT k, max(k) FROM g GROUP BY ALL", "GROUP BY ALL"),
        (f"SELECT k, max(n) FROM {CLAUSE} AS watermark GROUP BY k", "GROUP BY k"),
        (f"SELECT max(n) FROM (SELECT k AS watermark, n FROM {COUNTS}) GROUP BY watermark", "GROUP BY watermark"),
        (f"SELECT max(n) FROM {CLAUSE.replace('FROM u', MARKED)} GROUP BY k", "GROUP BY k"),
    ],
)
def test_groups_of_results_that_never_end_are_refused(text: str, place: str) -> None:
    with pytest.raises(WindowPlanError, match="groups that never end") as caught:
        last_on_streams(text)
    assert caught.value.span is not None
    assert text[caught.value.span.start : caught.value.span.end] == place
