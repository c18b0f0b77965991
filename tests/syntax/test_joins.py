"""Window joins and the functions over two tables: what their records hold, and what stays Spark's own."""

from __future__ import annotations

import re

import pytest
from canonical import render_query
from hypothesis import given, settings
from hypothesis import strategies as st

import winsql
from winsql.errors import Span, WindowSpecError, WindowSyntaxError
from winsql.model.base import TimeAttribute, TimeDomain
from winsql.model.joins import JoinType
from winsql.model.query import Form, WindowQuery
from winsql.model.registry import CO_GROUP_FUNCTIONS
from winsql.model.settings import ParserSettings
from winsql.syntax import Statement, parse_statement
from winsql.syntax.clauses.policy_text import render_policy
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.source import Source

WINDOW = "WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')"
WINDOW_OF_ONE = "WINDOW ASSIGN TUMBLING(ts, '1 hour')"
CALL = "window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY j, DESCRIPTOR(ts, tz), TUMBLING('1 hour'){})"


def one(text: str) -> WindowQuery:
    """The one query of a statement."""
    (query,) = parse_statement(text).queries
    return query


def test_record_of_a_window_join() -> None:
    text = f"SELECT x.v FROM a AS x LEFT WINDOW JOIN db.b AS y ON x.k = y.j AND x.v > y.v {WINDOW} LATE INTO late"
    query = one(text)
    join = query.join
    assert join is not None
    assert (query.form, join.how, query.where, query.apply, query.aggregates) == (
        Form.JOIN,
        JoinType.LEFT,
        None,
        None,
        (),
    )
    assert [(s.sql, s.name, s.time, s.span.text(text)) for s in (join.left, join.right)] == [
        ("a", "x", "x.ts", "a AS x"),
        ("db.b", "y", "y.ts", "db.b AS y"),
    ]
    assert (join.keys, join.condition) == ((("x.k", "y.j"),), "x.k = y.j AND x.v > y.v")
    assert join.span.text(text) == "a AS x LEFT WINDOW JOIN db.b AS y ON x.k = y.j AND x.v > y.v"
    assert query.span == Span(0, len(text))
    assert query.late_into == "late"
    assert query.spec.late_output


def test_a_join_shows_the_keys_and_times_of_the_statement() -> None:
    text = f"SELECT * FROM a x WINDOW JOIN b y ON y.j = upper(x.k) {WINDOW}"
    query = one(text)
    (key,) = query.keys
    assert (key.sql, key.text, key.span.text(text)) == (
        "windowed__join_key_0",
        "y.j = upper(x.k)",
        "y.j = upper(x.k)",
    )
    time = query.spec.assigner.time
    assert time == TimeAttribute(TimeDomain.EVENT, ("windowed__join_time",), "(x.ts, y.ts)")
    assert query.time_span is not None
    assert query.time_span.text(text) == "(x.ts, y.ts)"
    assert render_policy(query.spec.assigner) == "TUMBLING((x.ts, y.ts), INTERVAL 1 HOUR)"


def test_record_of_a_call() -> None:
    text = f"SELECT * FROM c, TABLE({CALL.format(', state_ttl => INTERVAL 1 DAY')}) AS w"
    query = one(text)
    join = query.join
    assert join is not None
    assert (query.form, join.how, query.spec.state_ttl) == (Form.JOIN, JoinType.INNER, 86_400_000_000)
    assert (join.left.name, join.right.name) == ("`left`", "`right`")
    assert query.span.text(text) == f"TABLE({CALL.format(', state_ttl => INTERVAL 1 DAY')})"
    assert join.span.text(text) == CALL.format(", state_ttl => INTERVAL 1 DAY")
    assert query.keys[0].text == "`left`.k = `right`.j"
    assert render_policy(query.spec.assigner) == "TUMBLING((left.ts, right.tz), INTERVAL 1 HOUR)"


@pytest.mark.parametrize(
    ("written", "how"),
    [
        ("", JoinType.INNER),
        ("INNER", JoinType.INNER),
        ("left", JoinType.LEFT),
        ("LEFT OUTER", JoinType.LEFT),
        ("RIGHT", JoinType.RIGHT),
        ("RIGHT OUTER", JoinType.RIGHT),
        ("FULL", JoinType.FULL),
        ("full outer", JoinType.FULL),
        ("SEMI", JoinType.SEMI),
        ("LEFT SEMI", JoinType.SEMI),
        ("ANTI", JoinType.ANTI),
        ("LEFT ANTI", JoinType.ANTI),
    ],
)
def test_types_of_joins(written: str, how: JoinType) -> None:
    clause = one(f"SELECT x.* FROM a AS x {written} WINDOW JOIN b AS y ON x.k = y.k {WINDOW}")
    call = one(f"SELECT * FROM {CALL.format(f', join_type => {written!r}' if written else '')}")
    assert clause.join is not None
    assert call.join is not None
    assert (clause.join.how, call.join.how) == (how, how)
    assert clause.join.left.name == "x"


def test_canonical_text_reads_as_the_same_query() -> None:
    text = (
        f"select x.k, window_end from a as x left window join b y on x.k = y.k where x.v > 1 {WINDOW} trigger count(3)"
    )
    canonical = render_query(one(text))
    assert canonical == (
        "SELECT x.k, window_end\n"
        "FROM a as x left window join b y on x.k = y.k\n"
        "WHERE x.v > 1\n"
        "WINDOW ASSIGN TUMBLING((x.ts, y.ts), INTERVAL 1 HOUR)\n"
        "TRIGGER COUNT(3)"
    )
    assert render_query(one(canonical)) == canonical
    assert render_query(one(f"SELECT 1 FROM {CALL.format('')} w")) == f"SELECT *\nFROM {CALL.format('')}"


@pytest.mark.parametrize(
    ("text", "body", "name"),
    [
        ("a", "a", "a"),
        ("c.db.a AS x", "c.db.a", "x"),
        ("a x WHERE", "a", "x"),
        ("a x(k, v) ON", "a", "x"),
        ("`a b`.`c``d`", "`a b`.`c``d`", "`c``d`"),
        ("STREAM a", "STREAM a", "a"),
        ("stream AS x", "stream", "x"),
        ("stream ON", "stream", "stream"),
        ("STREAM(a) x", "STREAM(a)", "x"),
        ("a watermark ON", "a", "watermark"),
        ("a WATERMARK ts DELAY OF INTERVAL 5 SECONDS x", "a WATERMARK ts DELAY OF INTERVAL 5 SECONDS", "x"),
        ("a WATERMARK ts DELAY OF INTERVAL '5' SECOND ON", "a WATERMARK ts DELAY OF INTERVAL '5' SECOND", "a"),
        ("a VERSION AS OF 3 AS x", "a VERSION AS OF 3", "x"),
        ("a version ON", "a", "version"),
        ("a TIMESTAMP AS OF now() - INTERVAL 1 DAY x", "a TIMESTAMP AS OF now() - INTERVAL 1 DAY", "x"),
        (
            "a FOR VERSION AS OF 'v' TABLESAMPLE SYSTEM (5 ROWS)",
            "a FOR VERSION AS OF 'v' TABLESAMPLE SYSTEM (5 ROWS)",
            "a",
        ),
        ("a WITH ('k' = 'v') x", "a WITH ('k' = 'v')", "x"),
        ("VALUES (1, 2), (3, 4) AS x(a, b), c", "VALUES (1, 2), (3, 4)", "x"),
        ("VALUES 1, INTERVAL 2 DAYS x", "VALUES 1, INTERVAL 2 DAYS", "x"),
        ("values x", "values x", None),
        ("(SELECT 1) x", "(SELECT 1)", "x"),
        ("(a JOIN b) LEFT JOIN c", "(a JOIN b)", None),
        ("range(1, 2) AS `left`", "range(1, 2)", "`left`"),
        ("left LEFT", "left", "left"),
        ("a ASOF JOIN b", "a", "a"),
        ("a asof, b", "a", "asof"),
        ("a PIVOT (x)", "a", "a"),
        ("a UNPIVOT INCLUDE NULLS (x)", "a", "a"),
        ("a pivot JOIN", "a", "pivot"),
        ("ON x", "", None),
    ],
)
def test_relations(text: str, body: str, name: str | None) -> None:
    source = Source(text)
    relation = read_relation(source, 0, len(source))
    found = None if relation.name is None else text[slice(*source.tokens[relation.name][1:3])]
    assert (source.verbatim(relation.body), found) == (body, name)


SPARKS_OWN = [
    "SELECT * FROM a AS window JOIN b ON window.k = b.k",
    "SELECT * FROM a `window` JOIN b USING (k)",
    "SELECT * FROM window JOIN b",
    "SELECT * FROM a, window JOIN b ON a.k = b.k",
    "SELECT * FROM a JOIN c ON a.k = window JOIN b ON a.window JOIN d ON c.ok AND window JOIN e",
    "SELECT * FROM STREAM window JOIN b",
    "SELECT * FROM a window CROSS JOIN b",
    "SELECT window join, count(*) OVER window join FROM t WINDOW window AS (PARTITION BY k)",
    "SELECT 1 FROM a AS x WHERE EXISTS (SELECT 1 FROM c y JOIN d WINDOW)",
    "SELECT * FROM a WINDOW LEFT JOIN b y ON window.k = y.k",
    "SELECT * FROM db.a AS window FULL OUTER JOIN b ON window.k = b.k",
    "SELECT count(*) OVER join FROM a x WINDOW join AS (PARTITION BY k)",
    "SELECT 'a x WINDOW JOIN b', window FROM a -- FROM a x WINDOW JOIN b",
    "SELECT * FROM window_join JOIN co_group ON window_join.k = co_group.k",
    "SELECT window_join, co_group AS window_join FROM t AS window_join",
    "SELECT window_join(a, b, 1) FROM t",
    "SELECT co_group(table(a), descriptor(b)) FROM t",
    "SELECT a, window_join(table(a), 1) FROM t WHERE co_group(TABLE(a)) > 1",
    "SELECT * FROM window_join(1, 2) w",
    "SELECT * FROM db.window_join(TABLE(a) PARTITION BY k)",
    "SELECT * FROM f(x, window_join(TABLE(a)))",
    "SELECT * FROM t WHERE x IS DISTINCT FROM window_join(TABLE(a))",
    "SELECT * FROM t GROUP BY a, co_group(table(b))",
    "SELECT 'window_join(TABLE(a))', `window_join`(table(a)) -- FROM window_join(TABLE(a))",
    "CREATE TABLE window_join(table INT, descriptor INT)",
    "CREATE FUNCTION co_group(x INT) RETURNS INT RETURN x",
    "SELECT * FROM a, b ORDER BY a, window_join(TABLE(a))",
]


@pytest.mark.parametrize("text", SPARKS_OWN)
def test_what_is_sparks_own_stays(text: str) -> None:
    assert parse_statement(text).is_plain


REFUSED = [
    "SELECT * FROM a {} b",
    "SELECT v FROM a {} b ON k = j",
    "SELECT v FROM a {} b USING (k)",
    "SELECT * FROM a {} b ON window.k = b.k",
    "SELECT v FROM db.a {} b ON a.k = b.k",
    "SELECT * FROM `a` {} b",
    "SELECT * FROM left {} b",
    "SELECT * FROM f(1) {} b",
    "SELECT * FROM VALUES (1) {} b",
    "SELECT * FROM a TABLESAMPLE (10 ROWS) {} b AS y",
    "SELECT * FROM (SELECT * FROM a) {} LATERAL (SELECT 1)",
    "SELECT v FROM (a {} b ON k = j)",
    "SELECT * FROM ((SELECT 1) {} b)",
    "SELECT * FROM c, a {} b",
    "SELECT * FROM c JOIN a {} b ON true ON true",
    "SELECT * FROM c LEFT JOIN b ON c.k = b.k {} d ON d.k = b.k",
    "FROM a {} b SELECT *",
    "FROM a {} b |> SELECT *",
    "WITH q AS (SELECT * FROM a {} b) SELECT * FROM q",
    "SELECT * FROM a UNION ALL SELECT * FROM a {} b",
    "SELECT 1 FROM a WHERE EXISTS (SELECT 1 FROM c {} d)",
    "INSERT INTO t SELECT * FROM a {} b",
    "SELECT k, count(*) FROM (SELECT * FROM a {} b USING (k)) WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k",
]


@pytest.mark.parametrize("text", REFUSED)
@pytest.mark.parametrize("join", ["WINDOW JOIN", "window /* a comment */ join", "LEFT WINDOW --\n JOIN"])
def test_a_window_join_without_windows_is_refused(text: str, join: str) -> None:
    with pytest.raises(WindowSyntaxError, match="WINDOW JOIN without WINDOW ASSIGN"):
        parse_statement(text.format(join))


@pytest.mark.parametrize("after", ["", "WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k"])
@pytest.mark.parametrize("source", ["a {} b USING (k)", "(a {} b USING (k))", "c JOIN a {} b ON k = j ON true"])
def test_a_type_after_window_is_refused(source: str, after: str) -> None:
    text = f"SELECT k, count(*) FROM {source.format('WINDOW LEFT OUTER /**/ JOIN')} {after}"
    with pytest.raises(WindowSyntaxError, match="WINDOW LEFT OUTER JOIN is no join"):
        parse_statement(text)


WORDS = [
    *re.findall(
        r"\S+", "SELECT FROM WHERE ON USING AS JOIN LEFT SEMI CROSS NATURAL WINDOW OUTER LATERAL UNION , . ( ) = *"
    ),
    *("WINDOW JOIN", "a WINDOW JOIN b ON a.k = b.k", "PARTITION BY", "window", "STREAM a", "VALUES (1)", "'x'"),
    *("window_join", "co_group", "f(a)", "a", "b", "x.k", "((a.ts, b.ts), '1 hour')", "TRIGGER", "COUNT(3)", "`q`"),
]


@settings(max_examples=400)
@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
def test_joins_without_the_door_opener_are_refused_or_stay(words: str) -> None:
    text = f"SELECT * FROM a AS window JOIN b ON a.k = b.k {words}"
    try:
        found = parse_statement(text).replace({})
    except WindowSyntaxError as error:
        found = text if re.search("WINDOW .*JOIN", error.problem) else error.problem
    assert found == text


def batch_query(text: str) -> int:
    return parse_statement(text).batch_query()


def test_late_rows_beside_a_join_of_single_firings() -> None:
    assert batch_query(f"SELECT x.k, y.v FROM a x WINDOW JOIN b y ON x.k = y.k {WINDOW} LATE INTO late") == 0


@pytest.mark.parametrize(
    ("select", "after"),
    [("x.k, count(*)", "GROUP BY x.k"), ("1", "GROUP BY x.k"), ("max(y.v) AS v", ""), ("1", "HAVING true")],
)
def test_late_rows_beside_groups_over_a_join(select: str, after: str) -> None:
    text = f"SELECT {select} FROM a x WINDOW JOIN b y ON x.k = y.k {WINDOW} LATE INTO late {after}"
    with pytest.raises(WindowSpecError, match="cannot be used with LATE INTO"):
        batch_query(text)


def test_nested_calls_are_planned_inside_first() -> None:
    inner = CALL.format("")
    statement: Statement = parse_statement(
        f"SELECT * FROM co_group(TABLE({inner}) PARTITION BY k, TABLE b PARTITION BY k, COUNT(3))"
    )
    assert [query.form for query in statement.queries] == [Form.JOIN, Form.CO_GROUP]
    outer = statement.query(1, {0: "r0"}).join
    assert outer is not None
    assert outer.left.sql.endswith("FROM r0 )")
    assert statement.queries[1].join is not None
    assert statement.queries[1].join.left.sql == inner


def test_co_group_functions_are_registered_by_name() -> None:
    with pytest.raises(WindowSpecError, match="is not callable"):
        winsql.register_co_group_function("both", 1, "n INT")  # type: ignore[arg-type]
    with pytest.raises(WindowSpecError, match="cannot name a co-group function"):
        winsql.register_co_group_function("b o t h", max, "n INT")
    winsql.register_co_group_function("both", max, "n INT, `m m` STRUCT<x: INT>")
    try:
        query = one("SELECT * FROM co_group(TABLE a PARTITION BY k, TABLE b PARTITION BY k, COUNT(3), apply => 'Both')")
        assert (query.form, query.apply, query.head) == (Form.CO_GROUP, "Both", "(SELECT `n`, `m m`")
    finally:
        CO_GROUP_FUNCTIONS.remove("both")


def test_columns_of_a_call_get_names_of_their_own() -> None:
    statement = parse_statement(f"SELECT * FROM {CALL.format('')}")
    named = statement.with_columns(0, ("K", "ts", "window_start"), ("j", "k", "TS", "ts_right", "v"))
    assert named.queries[0].head == (
        "(SELECT `left`.k AS `k`, windowed__window_start AS window_start, windowed__window_end AS window_end, "
        "windowed__window_time AS window_time, `left`.`ts` AS `ts`, `left`.`window_start` AS `window_start_left`, "
        "`right`.`k` AS `k_right`, `right`.`TS` AS `TS_right`, `right`.`ts_right` AS `ts_right_right`, "
        "`right`.`v` AS `v`"
    )
    assert named.replace({0: "r0"}) == f"SELECT * FROM {named.queries[0].head} FROM r0 )"
    assert named.query(0, {}).join == statement.query(0, {}).join


def test_names_of_other_case_are_other_columns_where_the_session_says_so() -> None:
    settings = ParserSettings(case_sensitive=True)
    statement = parse_statement(f"SELECT * FROM {CALL.format('')}", settings=lambda: settings)
    head = statement.with_columns(0, ("k", "v", "V"), ("j", "v", "K")).queries[0].head
    assert head.endswith("`left`.`v` AS `v`, `left`.`V` AS `V`, `right`.`v` AS `v_right`, `right`.`K` AS `K`")


def test_columns_that_the_statement_cannot_name_stay() -> None:
    ambiguous = parse_statement(f"SELECT * FROM {CALL.format('')}").with_columns(0, ("k", "v", "V"), ("j", "w"))
    assert ambiguous.queries[0].head.endswith("`left`.* EXCEPT (`k`), `right`.`w` AS `w`")
    for text in (f"SELECT * FROM a x WINDOW JOIN b y ON x.k = y.k {WINDOW}", f"SELECT * FROM t {WINDOW_OF_ONE}"):
        statement = parse_statement(text)
        assert statement.with_columns(0, ("k",), ("k",)) is statement


def test_keys_leave_the_names_of_window_columns_alone() -> None:
    keys = "TABLE(a) PARTITION BY (s.k, k, window_start), TABLE(b) PARTITION BY (k, j, window_end)"
    head = one(f"SELECT * FROM window_join({keys}, COUNT(3))").head
    assert head.startswith(
        "(SELECT `left`.s.k AS `k`, `left`.k AS `k_left`, `left`.window_start AS `window_start_left`, windowed__"
    )
    head = one(f"SELECT * FROM co_group({keys}, COUNT(3))").head
    assert head.startswith(
        "(SELECT windowed__key_0 AS `k`, windowed__key_1 AS `k_left`, windowed__key_2 AS `window_start_left`"
    )


def test_the_session_is_asked_for_functions_alone() -> None:
    asked: list[str] = []

    def is_aggregate(name: str) -> bool:
        asked.append(name)
        return False

    of_join = f"SELECT f(x.v) FROM a x WINDOW JOIN b y ON x.k = y.k AND g(x.v) > y.v {WINDOW}"
    parse_statement(f"{of_join} TRIGGER PURGING(COUNT(3)) EVICT DELTA(h(x.v) - y.v, 2)", is_aggregate)
    of_function = "FROM TABLE(TUMBLE(TABLE a, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY window_start, window_end"
    parse_statement(f"SELECT i(max(v)) {of_function}, ROLLUP(k)", is_aggregate).check()
    assert set(asked) == {"F", "G", "H", "I"}
