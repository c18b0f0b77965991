"""Names in results, schemas, errors and plans: Spark's own and the user's, never one of winsql's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.errors import AnalysisException
from streaming import Event, Source, rows_of, run_sql

import winsql
from winsql.errors import WindowPlanError, WindowSpecError
from winsql.model.registry import APPLY_FUNCTIONS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OURS = "windowed__"
EVENTS: list[Event] = [("a", 60, 1.0, 10), ("a", 120, 2.0, 20), ("b", 180, 3.0, 10), ("b", 780, 4.0, 10)]
COLUMNS = """k, ts, CAST(v AS INT) AS v, n AS g, named_struct('a', n, 'b', named_struct('c', k)) AS s,
    make_ym_interval(0, n) AS ym, -0.0D * n AS zero"""
BOUNDS = "window(ts, '10 minutes').start AS window_start, window(ts, '10 minutes').end AS window_end"
TUMBLING = "WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES)"
TRIGGERS = ("", "TRIGGER PURGING(EVENT_TIME())")
VIEWS = ("names", "names_stream", "names_plain")


@pytest.fixture(scope="module", autouse=True)
def _views(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A table, the same as a stream, and a table that has the window columns that TUMBLING would give."""
    source = Source(tmp_path_factory.mktemp("names") / "in")
    source.put(EVENTS, [("z", 4000, 0.0, 0)])
    source.stream(spark, "names_files")
    spark.sql(f"SELECT {COLUMNS} FROM names_files").createOrReplaceTempView("names_stream")
    source.table(spark, "names_rows")
    spark.sql(f"SELECT {COLUMNS} FROM names_rows WHERE k <> 'z'").createOrReplaceTempView("names")
    spark.sql(f"SELECT *, {BOUNDS} FROM names").createOrReplaceTempView("names_plain")
    yield
    for view in (*VIEWS, "names_files", "names_rows"):
        spark.catalog.dropTempView(view)


def test_names_of_tables_with_and_without_their_schema(spark: SparkSession) -> None:
    """As in Spark: `t`, `s.t` and `c.s.t` are one table where FROM says `c.s.t`."""
    spark.sql("CREATE TABLE named_here USING parquet AS SELECT * FROM names")
    full = "spark_catalog.default.named_here"
    items = f"{full}.k, DEFAULT.named_here.s.a AS a, sum(default.named_here.v), named_here.k AS again"
    keys = "named_here.k, `spark_catalog`.default.named_here.s.a"
    try:
        expected = spark.sql(f"SELECT {items} FROM {full} GROUP BY {keys}, window(ts, '10 minutes')")
        for trigger in TRIGGERS:
            text = (
                f"SELECT {items} FROM {full} WINDOW ASSIGN TUMBLING({full}.ts, '10 minutes') {trigger} GROUP BY {keys}"
            )
            found = winsql.sql(spark, text)
            assert found.columns == expected.columns
            assert rows_of(found) == rows_of(expected)
        inner = "EXISTS (SELECT 1 FROM default.named_here WHERE default.named_here.k = 'b')"  # its own table's k
        head = "SELECT default.named_here.k FROM default.named_here"
        text = f"{head} {{}} GROUP BY default.named_here.k {{}} HAVING {inner}"
        found = winsql.sql(spark, text.format("WINDOW ASSIGN TUMBLING(ts, '10 minutes')", ""))
        assert rows_of(found) == rows_of(spark.sql(text.format("", ", window(ts, '10 minutes')")))
    finally:
        spark.sql("DROP TABLE named_here")


ITEMS = [
    "sum(v) + 1", "sum(v) FILTER (WHERE v > 1)", "SUM(V)", "Count(*)", "COUNT(DISTINCT v, g)", "sum(ALL v)",
    "CASE WHEN sum(v) > 1 THEN 'x' END", "CAST(k AS BINARY)", "CAST(sum(v) AS INT)", "sum(v)::string", "e.k",
    "k || 'x'", "- sum(v)", "NULL", "'x'", "1e3", "INTERVAL '1' DAY", "DATE'2024-01-01'", "first(v, true)",
    "first(v) IGNORE NULLS", "mean(v)", "percentile(v, 0.5)", "percentile_cont(0.5) WITHIN GROUP (ORDER BY v DESC)",
    "array_agg(v)", "max(s).a", "max(e.s.a)", "transform(collect_list(v), x -> x + 1)", "window_start",
    "window_end - window_start", "date_format(window_start, 'HH')", "(SELECT max(v) FROM names)", "k IN ('a')",
    "NOT (sum(v) > 1)", "nvl(sum(v), 0)", "count(*) OVER ()", "sum(sum(v)) OVER (PARTITION BY k ORDER BY window_start)",
    "current_date", "struct(k, sum(v))", "(k, sum(v))", "array(sum(v))[0]", "extract(HOUR FROM window_start)",
    "sum(v) DIV 2", "(sum(v))", "((k))", "sum(v + 1)", "max(struct(v, k)).v", "q + 1", "rank() OVER w",
    "k IS UNKNOWN", "(k = 'a') IS NOT UNKNOWN", "collate(k, 'UTF8_LCASE')", "like(k, 'a%')",
    "OVERLAY('xy' PLACING k FROM 2)",
]  # fmt: skip
CLAUSES = "WINDOW w AS (ORDER BY sum(v))"


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_items_are_named_as_spark_names_them(spark: SparkSession, ansi: str) -> None:
    had = spark.conf.get("spark.sql.ansi.enabled")
    spark.conf.set("spark.sql.ansi.enabled", ansi)
    try:
        head = f"SELECT k, sum(v) AS q, {', '.join(ITEMS)}"
        expected = spark.sql(f"{head} FROM names_plain AS e GROUP BY k, window_start, window_end {CLAUSES}").columns
        for view, trigger in (("names", ""), ("names", "TRIGGER COUNT(1)")):
            frame = winsql.sql(spark, f"{head} FROM {view} AS e {TUMBLING} {trigger} GROUP BY k {CLAUSES}")
            assert frame.columns == expected
        few = f"SELECT k, {', '.join(ITEMS[:16])}"
        stream = winsql.sql(spark, f"{few} FROM names_stream AS e {TUMBLING} GROUP BY k")
        assert stream.columns == ["k", *expected[2:18]]
    finally:
        spark.conf.set("spark.sql.ansi.enabled", str(had))


def test_items_of_rows_and_of_joins_are_named_as_spark_names_them(spark: SparkSession) -> None:
    rows = """v AS q, v + 1, s.a, s.b.c, CAST(v AS STRING), window_end - ts, row_number() OVER (ORDER BY ts),
        count(*) OVER (), q + 1"""
    expected = spark.sql(f"SELECT {rows} FROM names_plain").columns
    assert winsql.sql(spark, f"SELECT {rows} FROM names {TUMBLING}").columns == expected
    items = "date_format(window_start, 'HH'), count(*) + 1, sum(x.v)"
    join = f"""SELECT x.k, {items} FROM names AS x WINDOW JOIN names AS y ON x.v = y.v
        WINDOW ASSIGN TUMBLING((x.ts, y.ts), INTERVAL 10 MINUTES) GROUP BY x.k, window_start"""
    plain = f"SELECT x.k, {items} FROM names_plain AS x CROSS JOIN names AS y GROUP BY x.k, window_start"
    assert winsql.sql(spark, join).columns == spark.sql(plain).columns


def test_a_window_column_has_the_case_of_each_item(spark: SparkSession) -> None:
    items = "year( window_end )+1, YEAR(WINDOW_END) + 1, WINDOW_end - `window_end`"
    expected = ["(year(window_end) + 1)", "(year(WINDOW_END) + 1)", "(WINDOW_end - window_end)"]
    for trigger in ("", "TRIGGER COUNT(1)"):
        frame = winsql.sql(spark, f"SELECT {items} FROM names {TUMBLING} {trigger} GROUP BY k")
        assert frame.columns == expected


@pytest.mark.parametrize("distinct", ["", "DISTINCT"])
def test_order_by_knows_the_names_that_spark_gives(spark: SparkSession, distinct: str) -> None:
    text = f"SELECT {distinct} k, sum(v) + 1 FROM names {TUMBLING} GROUP BY k ORDER BY `(sum(v) + 1)` DESC, k"
    assert [tuple(row) for row in winsql.sql(spark, text).collect()] == [("b", 5), ("a", 4), ("b", 4)]


STRUCTS = {
    "to_json(max(struct(v, k)))": '{"v":3,"k":"b"}',
    "to_json(max(struct(e.*)))": '"v":3,"g":10,"s":{"a":10',
    "to_json(struct(max(struct(v, ts)).v, max(s)))": '{"v":3,"col2":{"a":10,"b":{"c":"b"}}}',
    "to_json(max((v, k)))": '{"v":3,"k":"b"}',
    "to_json(struct(K, date(window_start), count(*), (k)))": '{"K":"b","col2":"2024-01-01","col3":1,"k":"b"}',
    "to_json((k, pane_index))": '{"k":"b","pane_index":0}',
    "to_json((k, sum(v)))": '{"k":"b","col2":3}',
    "to_json(arrays_zip(collect_list(v), array(k)))": '[{"0":3,"1":"b"}]',
    "to_json(max(transform(array(v), x -> struct(x, v))))": '[{"x":3,"v":3}]',
    "to_json(transform(array(1), x -> struct(x, k)))": '[{"x":1,"k":"b"}]',
    "(SELECT to_json(struct(e.k, c)) FROM VALUES (7) AS x(c))": '{"k":"b","c":7}',
    "to_json(struct(sum(DISTINCT v), max_by(struct(*), ts).s.b.c))": '{"col1":3,"c":"b"}',
    "to_json(collect_list(struct(v, k)) FILTER (WHERE v > 2))": '[{"v":3,"k":"b"}]',
}


SESSIONS = "WINDOW ASSIGN SESSION(ts, '5 minutes')"


@pytest.mark.parametrize("window", [*(f"{TUMBLING} {trigger}" for trigger in TRIGGERS), SESSIONS])
def test_fields_keep_the_names_of_the_user(spark: SparkSession, window: str) -> None:
    clauses = "HAVING k = 'b' AND max(struct(v)).v = 3 ORDER BY max(s).a"
    frame = winsql.sql(spark, f"SELECT k, {', '.join(STRUCTS)} FROM names AS e {window} GROUP BY k {clauses}")
    assert OURS not in frame.schema.simpleString()
    row = frame.collect()[0][1:]
    for found, (item, expected) in zip(row, STRUCTS.items(), strict=True):
        assert expected in found, item


@pytest.mark.slow
def test_calls_keep_what_spark_wants_constant(spark: SparkSession) -> None:
    calls = {
        "percentile_approx(v, names_share, 100)": [3, 4, 1],
        "listagg(DISTINCT CAST(v AS STRING), ',') WITHIN GROUP (ORDER BY v DESC)": ["3", "4", "2,1"],
        "sum(6 / (v - 1)) FILTER (WHERE v > 1)": [3.0, 2.0, 6.0],
        "count(DISTINCT *)": [1, 1, 2],
    }
    spark.sql("DECLARE OR REPLACE VARIABLE names_share DOUBLE = 0.5")
    try:
        for call, expected in calls.items():
            text = f"SELECT {call} AS x FROM names {TUMBLING} {{}} GROUP BY k ORDER BY k DESC, window_start"
            for trigger in TRIGGERS:
                found = [row.x for row in winsql.sql(spark, text.format(trigger)).collect()]
                assert found == expected, (call, trigger)
    finally:
        spark.sql("DROP TEMPORARY VARIABLE names_share")


ROW_ITEMS = """struct(v, row_number() OVER (ORDER BY ts)) AS a, to_json(struct(s.a, window_start)) AS b,
    (v, window_end) AS c, struct(*, window_end) AS d"""


def test_fields_of_rows_and_of_pairs_keep_the_names_of_the_user(spark: SparkSession) -> None:
    frame = winsql.sql(spark, f"SELECT {ROW_ITEMS} FROM names {TUMBLING} PARTITION BY k")
    assert frame.schema["a"].dataType.names == ["v", "col2"]
    assert frame.schema["c"].dataType.names == ["v", "window_end"]
    assert frame.schema["d"].dataType.names == ["k", "ts", "v", "g", "s", "ym", "zero", "window_end"]
    assert frame.select("b").first()["b"].startswith('{"a":10,"window_start"')
    pairs = """SELECT struct(x.k, window_start) AS a, struct(x.*) AS b
        FROM names AS x WINDOW JOIN names AS y ON x.ym = y.ym WINDOW ASSIGN {}((x.ts, y.ts), INTERVAL 10 MINUTES)"""
    for assigner in ("TUMBLING", "SESSION"):
        joined = winsql.sql(spark, pairs.format(assigner))
        assert joined.schema["a"].dataType.names == ["k", "window_start"]
        assert OURS not in joined.schema.simpleString()
        assert joined.count() == {"TUMBLING": 6, "SESSION": 10}[assigner]


def test_count_over_counts_rows(spark: SparkSession) -> None:
    spark.sql("SELECT *, NULL AS nothing FROM names").createOrReplaceTempView("names_nothing")
    rows = winsql.sql(spark, f"SELECT count(*) OVER () AS n FROM names_nothing {TUMBLING}").collect()
    assert [row.n for row in rows] == [4] * 4
    spark.catalog.dropTempView("names_nothing")
    over = """count(*) OVER () AS a, count(*) FILTER (WHERE k = 'a') OVER () AS b,
        lag(sum(v)) OVER (ORDER BY k, window_start) AS c, nth_value(k, 1) IGNORE NULLS OVER (ORDER BY k) AS d,
        count(*) OVER (PARTITION BY window_time) + count(*) AS e"""
    for trigger in TRIGGERS:
        frame = winsql.sql(spark, f"SELECT {over} FROM names {TUMBLING} {trigger} GROUP BY k ORDER BY k, window_start")
        assert [tuple(row) for row in frame.collect()] == [(3, 1, None, "a", 4), (3, 1, 3, "a", 3), (3, 1, 3, "a", 2)]


GROUPINGS = [
    ("k, k AS g, count(*) AS n", "k, g", ""),
    ("k, v % 2 AS g, count(*) AS n", "k, g", ""),
    ("v % 2 AS g, count(*) AS n", "g", ""),
    ("v % 2 AS q, count(*) AS n", "q", ""),
    ("upper(k) AS g, g AS h, count(*) AS n", "k, g", ""),
    ("k, -g AS g, count(*) AS n", "k, g", "HAVING g > 0"),
    ("k, -sum(v) AS g", "k", "HAVING g < 0"),
    ("k, sum(v) AS g, g + 1 AS h", "k", ""),
    ("k, -g AS g, count(*) AS n", "k, g", "ORDER BY g"),
    ("k, sum(v) AS g", "k", "QUALIFY row_number() OVER (ORDER BY g) = 1"),
    ("upper(k) AS g, row_number() OVER (ORDER BY ts, k) AS v", "", "QUALIFY v < 3 AND g >= 'A'"),
    ("k, -sum(v) AS g, row_number() OVER (ORDER BY k, sum(v)) AS v", "k, g", "QUALIFY v < 3 AND g < 0"),
    ("window_end AS k, count(*) AS n", "k", ""),
    ("window_end AS q, count(*) AS n", "q", ""),
    ("window_end AS k, k AS z, count(*) AS n", "k", ""),
    ("s.a AS a, count(*) AS n", "a", ""),
    ("s.a AS g, count(*) AS n", "g", ""),
    ("'x' AS g, count(*) AS n", "g", ""),
    ("v + 1 AS g, g AS h", "", ""),
    ("v + 1 AS q, q * 2 AS h", "", ""),
]


@pytest.mark.slow
@pytest.mark.parametrize(("items", "keys", "tail"), GROUPINGS)
def test_a_column_comes_before_an_alias_where_it_does_in_spark(
    spark: SparkSession, items: str, keys: str, tail: str
) -> None:
    by_plain, by = (f"GROUP BY {keys}, window_start, window_end", f"GROUP BY {keys}") if keys else ("", "")
    ours = f"SELECT {items} FROM names {TUMBLING} {{}} {by} {tail}"
    try:
        expected = rows_of(spark.sql(f"SELECT {items} FROM names_plain {by_plain} {tail}"))
    except AnalysisException:
        with pytest.raises((AnalysisException, WindowSpecError), match=r"neither a key|cannot be resolved"):
            winsql.sql(spark, ours.format(""))
        return
    for trigger in TRIGGERS:
        assert rows_of(winsql.sql(spark, ours.format(trigger))) == expected
    if not any(word in items + tail for word in ("OVER", "ORDER")):
        assert winsql.sql(spark, ours.format("").replace("FROM names", "FROM names_stream")).columns


@pytest.mark.slow
def test_flink_aggregation_on_a_stream_takes_columns_before_aliases(spark: SparkSession, tmp_path: Path) -> None:
    call = "TABLE(TUMBLE(TABLE names{}, DESCRIPTOR(ts), INTERVAL '10' MINUTES))"
    both = "GROUP BY window_start, window_end"
    counts = f"(SELECT k, count(*) AS n, window_start AS b, window_end AS e FROM {call} {both}, k)"
    statements = [
        f"SELECT window_end AS k, k AS z, count(*) AS n FROM {call} {both}, k",
        f"SELECT upper(k) AS g, count(*) AS n FROM {call} {both}, k, g",
        f"SELECT window_end AS z, sum(n) AS n FROM {counts} c GROUP BY c.b, z".replace("window_end AS z", "c.e AS z"),
        f"SELECT c.e AS k, k AS z, sum(n) AS n FROM {counts} c GROUP BY c.e, k",
    ]
    found = run_sql(spark, [text.format("_stream") for text in statements], tmp_path / "checkpoint")
    for text, rows in zip(statements, found, strict=True):
        assert sorted(rows) == sorted(rows_of(spark.sql(winsql.rewrite(spark, text.format("")))).elements()), text
    with pytest.raises(WindowSpecError, match="window_end"):
        winsql.sql(
            spark, f"SELECT window_end AS k, count(*) AS n FROM {call.format('_stream')} GROUP BY window_start, k"
        )


@pytest.mark.slow
def test_keys_of_every_type_are_the_same_on_native_and_operator_plans(spark: SparkSession) -> None:
    keys = {
        "ym": "CAST({} AS STRING)",
        "struct(ym AS a, array(zero) AS b)": "CAST({} AS STRING)",
        "array(struct(zero))": "CAST({} AS STRING)",
        "make_dt_interval(0, g)": "CAST({} AS STRING)",
        "CAST(k AS BINARY)": "hex({})",
        "CAST(g AS DECIMAL(38, 10))": "{}",
        "NULL": "CAST({} AS STRING)",
        "k COLLATE UTF8_LCASE": "upper({})",
    }
    for key, shown in keys.items():
        counted = f"SELECT {key} AS key, count(*) AS n, window_start AS w FROM names {TUMBLING} {{}} GROUP BY 1"
        text = f"SELECT {shown.format('key')} AS key, n, w FROM ({counted})"
        native, operator = (rows_of(winsql.sql(spark, text.format(trigger))) for trigger in TRIGGERS)
        assert native == operator, key


@pytest.mark.slow
def test_year_month_intervals_pass_through_windows(spark: SparkSession, tmp_path: Path) -> None:
    counted = f"SELECT ym, count(*) AS n, max(g) AS m FROM names {TUMBLING} {{}} GROUP BY ym"
    structs = f"SELECT ym, max(struct(v, ym)) AS m FROM names {TUMBLING} {{}} GROUP BY ym"
    rows = f"SELECT ym, struct(ym) AS q, map(1, ym) AS r FROM names {TUMBLING} PARTITION BY ym"
    shown = ["CAST(ym AS STRING) AS ym, n, m", "CAST(ym AS STRING) AS ym, CAST(m AS STRING) AS m"]
    every = [f"SELECT {shown[0]} FROM ({counted})", f"SELECT {shown[1]} FROM ({structs})"]
    for text in every:
        native, operator = (rows_of(winsql.sql(spark, text.format(trigger))) for trigger in TRIGGERS)
        assert native == operator
    carried = f"SELECT CAST(ym AS STRING) AS ym, CAST(q AS STRING) AS q, CAST(r AS STRING) AS r FROM ({rows})"
    source = "SELECT CAST(ym AS STRING), CAST(struct(ym) AS STRING), CAST(map(1, ym) AS STRING) FROM names"
    assert rows_of(winsql.sql(spark, carried)) == rows_of(spark.sql(source))
    texts = [every[0].format(""), carried]
    on_stream = [text.replace("FROM names", "FROM names_stream") for text in texts]
    for found, text in zip(run_sql(spark, on_stream, tmp_path / "checkpoint"), texts, strict=True):
        assert sorted(found) == sorted(rows_of(winsql.sql(spark, text)).elements())


def test_no_plan_or_error_shows_our_names(spark: SparkSession) -> None:
    text = f"SELECT k, sum(v) + 1 FROM names {TUMBLING} TRIGGER COUNT(1) GROUP BY k"
    told = winsql.explain(spark, text)
    assert OURS not in told
    assert "SELECT key_0 AS `k`, aggregate_0 + 1 AS `(sum(v) + 1)` FROM firings_0" in told
    assert OURS not in winsql.sql(spark, f"EXPLAIN WINDOW {text}").first().plan
    assert OURS not in winsql.sql(spark, f"EXPLAIN FORMATTED {text}").first().plan
    for trigger in TRIGGERS:
        with pytest.raises(AnalysisException, match=r'"\(sum\(v\) \+ array\(k\)\)"') as raised:
            winsql.sql(spark, f"SELECT sum(v) + array(k) FROM names {TUMBLING} {trigger} GROUP BY k")
        assert raised.value.getCondition() == "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES"
        assert OURS not in str(raised.value)
    with pytest.raises(WindowSpecError, match="there is no column nope") as unknown:
        winsql.sql(spark, f"SELECT k, max(nope) FROM names {TUMBLING} GROUP BY k")
    assert OURS not in str(unknown.value)
    winsql.register_apply_function("names_fit", lambda key, window, rows: rows, "n INT")
    with pytest.raises(WindowPlanError, match=r"the value of ym is of type INTERVAL YEAR TO MONTH") as refused:
        winsql.sql(spark, f"SELECT n FROM names {TUMBLING} APPLY names_fit")
    APPLY_FUNCTIONS.remove("names_fit")
    assert OURS not in str(refused.value)
