"""What winsql says in its own way to versions of Spark whose parser lacks a clause: the same rows as the clause."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.errors import AnalysisException

import winsql
from winsql.errors import WindowPlanError, WindowSyntaxError, WinsqlError
from winsql.spark.aggregate_functions import AggregateNames
from winsql.spark.versions.java_parts import for_version
from winsql.spark.versions.number import Version, version_of
from winsql.spark.versions.stateful_operators import no_stateful_operators
from winsql.spark.versions.without_qualify import without_qualify
from winsql.syntax.selects.stream_relations import find_stream_relations
from winsql.syntax.text.source import Source

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS = "(SELECT * FROM VALUES ('a', 1), ('a', 2), ('b', 3), ('b', 5), ('c', 4) AS t(k, v))"
# statement over u, and its rows on a Spark that has the clause
QUALIFIED = {
    "SELECT k, -v AS v FROM u QUALIFY row_number() OVER (ORDER BY v) = 1": [("a", -1)],
    "SELECT k, -v AS w FROM u QUALIFY row_number() OVER (ORDER BY w) = 1": [("b", -5)],
    "SELECT k, v, row_number() OVER (ORDER BY v) AS rn FROM u QUALIFY rn = 2": [("a", 2, 2)],
    "SELECT k, sum(v) AS total FROM u GROUP BY k QUALIFY row_number() OVER (ORDER BY total DESC) = 1": [("b", 8)],
    "SELECT k, sum(v) t FROM u GROUP BY k QUALIFY row_number() OVER (ORDER BY t) <= 2 ORDER BY u.k DESC": [
        ("c", 4),
        ("a", 3),
    ],
    "SELECT u.k, sum(v) t FROM u GROUP BY u.k QUALIFY row_number() OVER (PARTITION BY u.k ORDER BY t) < 2 ORDER BY k": [
        ("a", 3),
        ("b", 8),
        ("c", 4),
    ],
    "SELECT sum(v) t FROM u GROUP BY k QUALIFY row_number() OVER (ORDER BY k) <= 2 ORDER BY t": [(3,), (8,)],
    "SELECT k, count(*) AS n FROM u GROUP BY ALL QUALIFY row_number() OVER (ORDER BY k) = 1": [("a", 2)],
    "SELECT k, sum(v) AS s FROM u GROUP BY k HAVING s > 3 QUALIFY row_number() OVER (ORDER BY s DESC) = 1": [("b", 8)],
    "SELECT DISTINCT k FROM u QUALIFY row_number() OVER (ORDER BY v) > 1 ORDER BY k": [("a",), ("b",), ("c",)],
    "SELECT DISTINCT k, v FROM u QUALIFY rank() OVER (ORDER BY v) < 4 ORDER BY u.v DESC": [
        ("b", 3),
        ("a", 2),
        ("a", 1),
    ],
    "SELECT k, v FROM u QUALIFY rank() OVER w < 2 WINDOW w AS (PARTITION BY k ORDER BY v) ORDER BY k LIMIT 2": [
        ("a", 1),
        ("b", 3),
    ],
    "SELECT k, v FROM u WINDOW w AS (PARTITION BY k ORDER BY v) QUALIFY rank() OVER w < 2 ORDER BY k LIMIT 2": [
        ("a", 1),
        ("b", 3),
    ],
    "SELECT * FROM u QUALIFY row_number() OVER (PARTITION BY k ORDER BY v) = 1 ORDER BY v DESC LIMIT 2": [
        ("c", 4),
        ("b", 3),
    ],
    "SELECT u.k FROM u QUALIFY row_number() OVER (PARTITION BY u.k ORDER BY u.v) = 1 ORDER BY u.v DESC": [
        ("c",),
        ("b",),
        ("a",),
    ],
    "SELECT k, v + 1 AS a, a * 2 AS b FROM u QUALIFY row_number() OVER (ORDER BY b) = 1": [("a", 2, 4)],
    "SELECT k, explode(array(1, 2)) AS e FROM u QUALIFY row_number() OVER (ORDER BY e, k DESC) = 1": [("c", 1)],
    "SELECT sum(v) OVER (PARTITION BY k) AS s, k FROM u "
    "QUALIFY s > 4 AND row_number() OVER (PARTITION BY k ORDER BY v) = 1": [(8, "b")],
    "SELECT k, row_number() OVER (ORDER BY v) AS rn FROM u QUALIFY max(rn) OVER () = rn": [("b", 5)],
    "SELECT k FROM u QUALIFY max(v) OVER () = v": [("b",)],
    "SELECT * FROM (SELECT * FROM u QUALIFY row_number() OVER (PARTITION BY k ORDER BY v) = 1) "
    "QUALIFY row_number() OVER (ORDER BY v DESC) = 1": [("c", 4)],
    "SELECT k, v FROM u QUALIFY row_number() OVER (PARTITION BY k ORDER BY v) = 1 UNION ALL SELECT 'z', 0 ORDER BY v": [
        ("z", 0),
        ("a", 1),
        ("b", 3),
        ("c", 4),
    ],
    "WITH w AS (SELECT k, v FROM u QUALIFY row_number() OVER (PARTITION BY k ORDER BY v) = 1) "
    "SELECT k, -v AS v FROM w QUALIFY row_number() OVER (ORDER BY v) = 1": [("a", -1)],
    "SELECT lower(k) AS lk, rank() OVER w AS r FROM u GROUP BY lower(k) WINDOW w AS (ORDER BY sum(v)) QUALIFY r = 1": [
        ("a", 1)
    ],
    "SELECT upper(k) AS v, count(*) OVER () AS n FROM u QUALIFY v = 'C'": [("C", 5)],
    "SELECT k, -v AS v, count(*) OVER () AS n FROM u QUALIFY row_number() OVER (ORDER BY v) = 1": [("b", -5, 5)],
    "SELECT -v AS v, count(*) OVER () AS n FROM u QUALIFY rank() OVER w = 1 WINDOW w AS (ORDER BY v)": [(-5, 5)],
    "SELECT k FROM u WHERE EXISTS (SELECT 1 FROM u y WHERE y.k = u.k AND y.v > 2 "
    "QUALIFY row_number() OVER (ORDER BY y.v) = 1) ORDER BY v": [("b",), ("c",), ("b",)],
}

# the same with aggregates in the clause, which no version of Spark takes
QUALIFIED_BY_AGGREGATES = {
    "SELECT k FROM u GROUP BY k QUALIFY row_number() OVER (ORDER BY sum(v) DESC, k) = 1": [("b",)],
    "SELECT k, sum(v) AS s FROM u GROUP BY k QUALIFY rank() OVER (ORDER BY sum(v) DESC) <= 2 ORDER BY sum(v)": [
        ("c", 4),
        ("b", 8),
    ],
    "SELECT k FROM u GROUP BY ALL QUALIFY count(*) = max(count(*)) OVER () ORDER BY min(v) DESC": [("b",), ("a",)],
    "SELECT k, rank() OVER w AS r FROM u GROUP BY k QUALIFY rank() OVER w < 3 WINDOW w AS (ORDER BY sum(v) DESC) "
    "ORDER BY r": [("b", 1), ("c", 2)],
    "SELECT lower(k) AS lk FROM u GROUP BY lower(k) QUALIFY row_number() OVER (ORDER BY sum(v) DESC, LOWER( k )) = 1": [
        ("b",)
    ],
    "SELECT sum(v) AS s FROM u GROUP BY upper(k) QUALIFY count(*) = 2 AND rank() OVER (ORDER BY upper(k)) = 1": [(3,)],
    "SELECT DISTINCT k, sum(v) AS s FROM u GROUP BY k QUALIFY sum(v) > max(1) OVER () + 2 ORDER BY sum(v)": [
        ("c", 4),
        ("b", 8),
    ],
    "SELECT DISTINCT count(*) AS n FROM u GROUP BY k QUALIFY sum(v) FILTER (WHERE v > 1) > 1": [(2,), (1,)],
    "SELECT k FROM (SELECT k, v FROM u QUALIFY row_number() OVER (PARTITION BY k ORDER BY v) = 1) GROUP BY k "
    "QUALIFY max(sum(v)) OVER () = sum(v)": [("c",)],
}


@pytest.mark.slow
def test_qualify(spark: SparkSession) -> None:
    """In a windowed SELECT, around one, and as other versions would be told."""
    spark.sql(f"SELECT * FROM {ROWS}").createOrReplaceTempView("u")
    window = "u WINDOW ASSIGN COUNT(1)"
    ranked = "QUALIFY row_number() OVER (ORDER BY {} DESC) = 1"
    assert _rows(spark, f"SELECT k, sum(v) AS total FROM {window} GROUP BY k {ranked.format('total')}") == [("b", 5)]
    assert _rows(
        spark, f"SELECT k, v FROM (SELECT k, any_value(v) AS v FROM {window} GROUP BY k) {ranked.format('v')}"
    ) == [("b", 5)]
    for text, expected in (QUALIFIED | QUALIFIED_BY_AGGREGATES).items():
        said = without_qualify(
            Source(text, is_aggregate=AggregateNames(spark)), lambda query: frozenset(spark.sql(query).columns)
        )
        assert "QUALIFY" not in said
        assert [tuple(row) for row in spark.sql(said).collect()] == expected, said
    assert_only_aggregates_are_rewritten(spark)
    text = "SELECT sum(v) AS s FROM u GROUP BY ALL QUALIFY count(*) = max(count(*)) OVER (PARTITION BY k)"
    said = without_qualify(Source(text, is_aggregate=AggregateNames(spark)), _no_columns)
    with pytest.raises(AnalysisException, match="UNRESOLVED_COLUMN"):  # k is no key
        spark.sql(said)
    spark.catalog.dropTempView("u")


def assert_only_aggregates_are_rewritten(spark: SparkSession) -> None:
    """Where Spark has the clause."""
    for text in (*QUALIFIED, *QUALIFIED_BY_AGGREGATES):
        said = without_qualify(Source(text, is_aggregate=AggregateNames(spark)), _no_columns, takes_plain=True)
        assert (said == text) == (text in QUALIFIED), said


def _no_columns(query: str) -> frozenset[str]:
    return frozenset()


def _rows(spark: SparkSession, text: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in winsql.sql(spark, text).collect()]


READ = {
    "STREAM read_here": "read_here.",
    "STREAM read_here WITH (maxFilesPerTrigger = 1) WATERMARK ts DELAY OF INTERVAL '1' HOUR": "read_here.",
    "STREAM default.read_here WATERMARK timestamp_micros(unix_micros(ts)) AS at DELAY OF INTERVAL 1 MINUTE AS x": "x.",
    "(SELECT * FROM STREAM read_here) WATERMARK ts DELAY OF INTERVAL 0 SECONDS": "",
    "STREAM (read_here) WATERMARK ts DELAY OF INTERVAL 1 MONTH": "read_here.",
    "STREAM IDENTIFIER('read_here') WATERMARK ts DELAY OF INTERVAL 1 YEAR AS x": "x.",
}
"""A stream in SQL, and what its columns may be qualified with; Spark's own parser computes no name of a stream."""


@pytest.mark.slow
def test_streams_are_read_in_sql(spark: SparkSession, tmp_path: Path) -> None:
    spark.sql("SELECT id AS n, timestamp_seconds(id * 60) AS ts FROM range(20)").write.saveAsTable("read_here")
    try:
        for number, (relation, qualifier) in enumerate(READ.items()):
            text = f"SELECT sum({qualifier}n) AS s, max({qualifier}ts) AS ts FROM {relation} WINDOW ASSIGN COUNT(5)"
            query = winsql.sql(spark, text).writeStream.trigger(availableNow=True)
            query = query.option("checkpointLocation", str(tmp_path / str(number)))
            query.format("parquet").option("path", str(tmp_path / f"out{number}")).start().awaitTermination()
            assert spark.read.parquet(str(tmp_path / f"out{number}")).selectExpr("sum(s)").first()[0] == 190
        both = "SELECT count(*) FROM STREAM read_here a JOIN read_here b ON a.n = b.n WINDOW ASSIGN COUNT(20)"
        assert winsql.sql(spark, both).isStreaming
    finally:
        spark.sql("DROP TABLE read_here")


@pytest.mark.parametrize(
    ("relation", "place"),
    [
        ("STREAM nowhere WATERMARK ts DELAY OF INTERVAL 1 MINUTE", "nowhere"),
        ("STREAM (nowhere)", "nowhere"),
        ("STREAM read_badly WATERMARK missing DELAY OF INTERVAL 1 MINUTE", "missing"),
        ("STREAM read_badly WATERMARK ts DELAY OF 'abc'", "'abc'"),
        ("STREAM read_badly WATERMARK ts DELAY OF 5", "5"),
    ],
)
def test_mistakes_in_streams_have_a_place(spark: SparkSession, relation: str, place: str) -> None:
    """Whether Spark's own parser reads them or, as of an older version, winsql does."""
    spark.sql("CREATE TABLE read_badly (ts TIMESTAMP) USING parquet")
    try:
        with pytest.raises((AnalysisException, WinsqlError)) as caught:
            winsql.sql(spark, f"SELECT count(*) FROM {relation} WINDOW ASSIGN COUNT(5)")
    finally:
        spark.sql("DROP TABLE read_badly")
    lines = str(caught.value).splitlines()
    marks = next(n for n, line in enumerate(lines) if line.strip(" ^") == "" and "^" in line)
    begin = lines[marks].index("^")
    assert place in lines[marks - 1][begin : begin + lines[marks].count("^")]


@pytest.mark.parametrize("written", ["STREAM db.t", "STREAM (db.t)", "stream((db.t))"])
def test_a_stream_in_brackets_is_one(written: str) -> None:
    text = f"SELECT 1 FROM {written} WITH (a = 1) WATERMARK ts DELAY OF INTERVAL 1 MINUTE AS x"
    (relation,) = find_stream_relations(Source(text))
    assert (relation.core, relation.is_table, relation.options) == ("db.t", True, {"a": "1"})
    assert relation.place is not None
    assert relation.place.text(text) == "INTERVAL 1 MINUTE"
    (relation,) = find_stream_relations(Source(f"SELECT 1 FROM {written} WHERE t.v > 1"))
    assert relation.name == "t"


def test_a_watermark_needs_the_name_of_a_column() -> None:
    with pytest.raises(WindowSyntaxError, match="needs a name"):
        find_stream_relations(Source("SELECT 1 FROM STREAM t WATERMARK ts + x DELAY OF INTERVAL 1 MINUTE"))


JAVA = "a\n//# since 4.1\nb\n//# end\n//# before 4.1\nc\n//# end\nd"


@pytest.mark.parametrize(("version", "lines"), [((4, 0), "acd"), ((4, 1), "abd"), ((4, 3), "abd")])
def test_java_is_for_a_version(version: tuple[int, int], lines: str) -> None:
    kept = for_version(JAVA, Version(*version))
    assert kept.replace("\n", "") == lines
    assert kept.count("\n") == JAVA.count("\n")


@pytest.mark.parametrize(
    ("text", "version"), [("4.1.2", (4, 1)), ("4.0.0-vendor5", (4, 0)), ("4.3.0.dev1", (4, 3)), ("vendor", None)]
)
def test_versions_are_two_numbers(text: str, version: tuple[int, int] | None) -> None:
    assert version_of(text) == version


@pytest.mark.spark
def test_a_session_that_keeps_no_state_is_told_before_the_start(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one of Spark Connect 4.0; EXPLAIN WINDOW says it too."""
    monkeypatch.setattr("winsql.spark.streaming.stateful.no_stateful_operators", lambda session: "4.1")
    events = spark.readStream.format("rate").load().withWatermark("timestamp", "1 second")
    events.createOrReplaceTempView("of_old_connect")
    text = "SELECT count(*) AS n FROM of_old_connect WINDOW ASSIGN TUMBLING(timestamp, '1 hour')"
    for statement in (text, f"EXPLAIN WINDOW {text}"):
        with pytest.raises(WindowPlanError, match="this session of Spark Connect keeps no state") as caught:
            winsql.sql(spark, statement)
        assert caught.value.hint == "use PySpark 4.1 or newer on both sides, or a classic session"


def test_older_clients_of_connect_keep_no_state(monkeypatch: pytest.MonkeyPatch) -> None:
    for is_connect, version, since in ((True, (4, 0), "4.1"), (True, (4, 1), None), (False, (4, 0), None)):
        monkeypatch.setattr(
            "winsql.spark.versions.stateful_operators.client_version", lambda version=version: Version(*version)
        )
        assert no_stateful_operators(is_connect) == since
