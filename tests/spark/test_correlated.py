"""Windowed subqueries inside other queries: correlated ones run as in Spark, or are refused by an error of winsql's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from pyspark.errors import PySparkException

import winsql
from winsql import WindowPlanError, WinsqlError
from winsql.spark.runner import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

TUMBLING = "WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES)"


@pytest.fixture(scope="module", autouse=True)
def _views(spark: SparkSession) -> Iterator[None]:
    spark.sql(
        "SELECT * FROM VALUES ('a', 'g1', TIMESTAMP'2024-01-01 00:01:00', 1),"
        " ('a', 'g1', TIMESTAMP'2024-01-01 00:02:00', 2), ('b', 'g2', TIMESTAMP'2024-01-01 00:03:00', 3),"
        " ('b', 'g1', TIMESTAMP'2024-01-01 00:13:00', 4) AS x(k, g, ts, v)"
    ).createOrReplaceTempView("inner_rows")
    spark.sql("SELECT * FROM VALUES ('g1', 10), ('g2', 20), ('g3', 30) AS x(g, w)").createOrReplaceTempView(
        "outer_rows"
    )
    yield
    spark.catalog.dropTempView("inner_rows")
    spark.catalog.dropTempView("outer_rows")


def subquery(select: str, window: str = TUMBLING, where: str = "t.g = d.g", after: str = "GROUP BY k") -> str:
    return f"(SELECT {select} FROM inner_rows AS t WHERE {where} {window} {after})"


COUNTS = subquery("k, count(*) AS n")
RUNNING = [
    (f"SELECT d.g, k, n FROM outer_rows d, LATERAL {COUNTS} x", [("g1", "a", 2), ("g1", "b", 1), ("g2", "b", 1)]),
    (
        f"SELECT d.g, k, n FROM outer_rows d LEFT JOIN LATERAL {COUNTS} x",
        [("g1", "a", 2), ("g1", "b", 1), ("g2", "b", 1), ("g3", None, None)],
    ),
    (f"SELECT g FROM outer_rows d WHERE EXISTS {COUNTS}", [("g1",), ("g2",)]),
    (f"SELECT g FROM outer_rows d WHERE NOT EXISTS {COUNTS}", [("g3",)]),
    (f"SELECT g FROM outer_rows d WHERE 2 IN {subquery('count(*)')}", [("g1",)]),
    (
        f"SELECT g, (SELECT max(n) FROM {COUNTS}) AS m FROM outer_rows d",
        [("g1", 2), ("g2", 1), ("g3", None)],
    ),
    (
        "SELECT d.g, n FROM outer_rows d JOIN outer_rows e ON d.g = e.g, LATERAL "
        + subquery("count(*) AS n", where="t.g = e.g AND e.w > 10", after=""),
        [("g2", 1)],
    ),
    (
        f"WITH o AS (SELECT * FROM outer_rows) SELECT g FROM o AS d WHERE EXISTS (SELECT 1 FROM {COUNTS} WHERE n > 1)",
        [("g1",)],
    ),
    (
        "SELECT d.g, k, n FROM outer_rows d, LATERAL "
        + subquery("k, count(*) AS n", "WINDOW ASSIGN SESSION(ts, '10 minutes')"),
        [("g1", "a", 2), ("g1", "b", 1), ("g2", "b", 1)],
    ),
    (
        "SELECT d.g, sum(n) FROM outer_rows d, LATERAL "
        + subquery("k, count(*) AS n", "WINDOW ASSIGN CUMULATING(ts, '10 minutes', '5 minutes')")
        + " x GROUP BY d.g",
        [("g1", 6), ("g2", 2)],
    ),
    *(
        (
            "SELECT d.g, n FROM outer_rows d, LATERAL "
            + subquery(
                "count(*) AS n", f"WINDOW ASSIGN {window}(ts + (SELECT INTERVAL '1' HOUR), '10 minutes')", after=""
            ),
            [("g1", 1), ("g1", 2), ("g2", 1)],
        )
        for window in ("TUMBLING", "SESSION")
    ),
]


@pytest.mark.parametrize(("text", "rows"), RUNNING)
def test_spark_runs_it(spark: SparkSession, text: str, rows: list[tuple[object, ...]]) -> None:
    frame = winsql.sql(spark, text)
    assert sorted(map(tuple, frame.collect()), key=str) == sorted(rows, key=str)
    assert winsql.metrics(frame) == {}  # rows without a time cannot be counted apart from the query around


READS, APART, LATERAL = "a column of the query around it", "cannot take this correlated", "in a LATERAL subquery"
REFUSED = [
    ("FROM outer_rows d, LATERAL {}", subquery("k, count(*)", f"{TUMBLING} TRIGGER COUNT(1)"), READS),
    ("FROM outer_rows d WHERE EXISTS {}", subquery("k, count(*)", f"{TUMBLING} EVICT COUNT(1)"), READS),
    ("FROM outer_rows d WHERE 1 IN {}", subquery("v", after=""), READS),
    ("FROM outer_rows d, LATERAL {}", subquery("k, count(*)", after="GROUP BY k, d.w"), READS),
    ("FROM outer_rows d, LATERAL {}", subquery("sum(d.w)", f"{TUMBLING} TRIGGER COUNT(1)", "true"), READS),
    ("FROM outer_rows d, LATERAL {}", subquery("sum(v + d.w)", where="true"), APART),
    (
        "FROM outer_rows d, LATERAL {}",
        subquery("k, count(*)", "WINDOW ASSIGN SLIDING(ts, '10 minutes', '5 minutes')"),
        APART,
    ),
    ("FROM outer_rows d, LATERAL {}", subquery("k, count(*)", f"{TUMBLING} TRIGGER COUNT(1)", "true"), LATERAL),
    (
        "FROM outer_rows d, LATERAL {}",
        "(SELECT * FROM TUMBLE(TABLE(SELECT * FROM inner_rows AS t WHERE t.g = d.g), DESCRIPTOR(ts), '1 hour'))",
        READS,
    ),
    (
        "FROM outer_rows d, LATERAL {}",
        "(SELECT * FROM SESSION(TABLE inner_rows PARTITION BY k, DESCRIPTOR(ts), '1 hour') s WHERE s.g = d.g)",
        LATERAL,
    ),
    (
        "FROM outer_rows d JOIN outer_rows e, LATERAL {}",
        subquery("k, count(*)", where="t.g = d.g AND v < w"),
        "Spark refuses this",
    ),
    ("FROM outer_rows d WHERE EXISTS {}", subquery("k, d.w, count(*)"), "there is no column d.w"),
    (
        "FROM VALUES (1, (SELECT max(n) FROM {})) AS x(a, b)",
        subquery("count(*) AS n", where="true"),
        "Spark refuses this windowed subquery",
    ),
]


@pytest.mark.parametrize(("around", "inner", "problem"), REFUSED)
def test_what_cannot_run_is_refused(spark: SparkSession, around: str, inner: str, problem: str) -> None:
    text = f"SELECT * {around.format(inner)}"
    with pytest.raises(WinsqlError, match=problem) as caught:
        winsql.sql(spark, text)
    error = caught.value
    assert error.rule
    assert error.hint
    assert error.span is not None
    assert "windowed__" not in str(error)
    if problem == READS:
        assert error.span.text(text).startswith("d.")


def test_a_cte_of_the_operator_after_lateral_is_refused(spark: SparkSession) -> None:
    text = f"WITH c AS (SELECT k, count(*) AS n FROM inner_rows {TUMBLING} TRIGGER COUNT(1) GROUP BY k) "
    winsql.sql(spark, f"{text} SELECT * FROM outer_rows d JOIN c ON n < w").collect()
    with pytest.raises(WindowPlanError, match=LATERAL):
        winsql.sql(spark, f"{text} SELECT * FROM outer_rows d, LATERAL (SELECT * FROM c WHERE n < w)")


def test_the_operator_runs_in_subqueries_without_lateral(spark: SparkSession) -> None:
    counted = f"SELECT g, count(*) AS n FROM inner_rows {TUMBLING} TRIGGER COUNT(1) GROUP BY g"
    text = f"SELECT g, (SELECT max(n) FROM ({counted}) x WHERE x.g = d.g) AS m FROM outer_rows d"
    text += f" WHERE g IN (SELECT g FROM ({counted}))"
    assert sorted(map(tuple, winsql.sql(spark, text).collect())) == [("g1", 2), ("g2", 1)]


def test_a_stream_may_stand_beside_lateral(spark: SparkSession) -> None:
    rate = spark.readStream.format("rate").load()
    rate.withWatermark("timestamp", "1 second").createOrReplaceTempView("rate_rows")
    text = "SELECT x, count(*) AS n FROM rate_rows, LATERAL explode(array(1, 2)) AS e(x)"
    assert winsql.sql(spark, f"{text} WINDOW ASSIGN TUMBLING(timestamp, '1 second') GROUP BY x").isStreaming


def test_a_registered_session_says_the_same(spark: SparkSession) -> None:
    winsql.register(spark)
    try:
        frame = spark.sql(f"SELECT g FROM outer_rows d WHERE EXISTS {COUNTS}")
        assert sorted(row.g for row in frame.collect()) == ["g1", "g2"]
        for around, inner, problem in (REFUSED[0], REFUSED[6], REFUSED[7]):
            with pytest.raises(WinsqlError, match=problem):
                spark.sql(f"SELECT * {around.format(inner)}")
    finally:
        winsql.unregister(spark)


ARRIVALS = f"(SELECT g FROM inner_rows {TUMBLING} TRIGGER COUNT(1) GROUP BY g)"
NUMBERED = [
    f"SELECT count_if(g IN {ARRIVALS}) FROM outer_rows",
    f"SELECT count(*) FILTER (WHERE g IN {ARRIVALS}) FROM outer_rows",
    f"SELECT d.g FROM outer_rows d JOIN outer_rows e ON d.g = e.g AND EXISTS {ARRIVALS}",
    f"SELECT g FROM outer_rows ORDER BY (SELECT max(g) FROM {ARRIVALS})",
    f"SELECT w > (SELECT count(*) FROM {ARRIVALS}) AS b, count(*) FROM outer_rows GROUP BY 1",
    f"WITH a AS {ARRIVALS} SELECT count_if(g IN (SELECT g FROM a)) FROM outer_rows",
    f"SELECT count_if(k IN (SELECT first(k) FROM inner_rows {TUMBLING} GROUP BY g)) FROM inner_rows",
]


@pytest.mark.parametrize("text", NUMBERED)
def test_where_spark_takes_no_numbered_rows_a_hint_says_what_to_write(spark: SparkSession, text: str) -> None:
    with pytest.raises(WindowPlanError, match="cannot be used in this place") as caught:
        winsql.sql(spark, text)
    assert caught.value.hint == "make it a column first: FROM (SELECT *, k IN (SELECT ...) AS is_in FROM t)"
    winsql.register(spark)
    try:
        with pytest.raises(WindowPlanError, match="cannot be used in this place"):
            spark.sql(text)
    finally:
        winsql.unregister(spark)


def test_the_hint_for_numbered_rows_works(spark: SparkSession) -> None:
    text = f"SELECT count_if(is_in) AS n FROM (SELECT *, g IN {ARRIVALS} AS is_in FROM outer_rows)"
    assert winsql.sql(spark, text).collect()[0].n == 2


FIRSTS = f"(SELECT g FROM (SELECT g, first(k) FROM inner_rows {TUMBLING} GROUP BY g))"
KEPT = [
    "SELECT count_if(g IN {}) AS n FROM outer_rows",
    "SELECT d.g FROM outer_rows d JOIN outer_rows e ON d.g = e.g AND EXISTS {}",
    "SELECT w > (SELECT count(*) FROM {}) AS b, count(*) AS n FROM outer_rows GROUP BY 1",
    "WITH a AS {} SELECT count_if(g IN (SELECT g FROM a)) AS n FROM outer_rows",
]


@pytest.fixture
def kept(spark: SparkSession) -> Iterator[str]:
    yield "kept_rows"
    spark.sql("DROP TABLE IF EXISTS kept_rows")


@pytest.mark.parametrize("query", [ARRIVALS, FIRSTS], ids=["operator", "native"])
@pytest.mark.parametrize("text", KEPT)
def test_commands_take_numbered_rows_anywhere(spark: SparkSession, kept: str, text: str, query: str) -> None:
    spark.createDataFrame(winsql.sql(spark, query).collect(), "g STRING").createOrReplaceTempView("numbered_before")
    expected = sorted(map(tuple, spark.sql(text.format("(SELECT g FROM numbered_before)")).collect()))
    winsql.sql(spark, f"CREATE TABLE {kept} USING parquet AS {text.format(query)}")
    assert sorted(map(tuple, spark.table(kept).collect())) == expected
    winsql.register(spark)
    try:
        statement = f"INSERT OVERWRITE {kept} {text.format(query)}"
        spark.sql(statement) if is_connect(spark) else spark._jsparkSession.sql(statement)
    finally:
        winsql.unregister(spark)
    assert sorted(map(tuple, spark.table(kept).collect())) == expected


@pytest.mark.parametrize("query", [ARRIVALS, FIRSTS], ids=["operator", "native"])
@pytest.mark.parametrize("change", ["DELETE FROM {} WHERE g IN {}", "UPDATE {} SET g = '' WHERE EXISTS {}"])
def test_numbered_rows_come_to_a_table_that_may_be_changed(
    spark: SparkSession, kept: str, change: str, query: str
) -> None:
    spark.sql(f"CREATE TABLE {kept} (g STRING) USING parquet")
    with pytest.raises(PySparkException, match=r"does not support (DELETE|UPDATE)"):
        winsql.sql(spark, change.format(kept, query))
