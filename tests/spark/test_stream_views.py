"""Streaming views: sources that SQL alone declares, read by windows, with watermark, schema and errors of their own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from streaming import Source

import winsql
from winsql.errors import WindowPlanError, WindowSpecError, WinsqlError
from winsql.spark.runner import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

COLUMNS = "(k STRING, ts TIMESTAMP, v DOUBLE, n INT)"


@pytest.fixture
def views(session: SparkSession) -> Iterator[SparkSession]:
    """The session; views of the test are gone after it."""
    yield session
    for table in session.sql("SHOW TABLES").collect():
        if table.isTemporary:
            session.catalog.dropTempView(table.tableName)


def run(spark: SparkSession, text: str, **given: Any) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in winsql.sql(spark, text, **given).collect()]


def refused(spark: SparkSession, text: str, kind: type[WinsqlError] = WindowPlanError) -> WinsqlError:
    with pytest.raises(kind) as caught:
        winsql.sql(spark, text)
    assert caught.value.span is not None
    assert caught.value.rule is not None
    assert caught.value.hint is not None
    return caught.value


def test_files_to_windows_to_a_table(views: SparkSession, tmp_path: Path) -> None:
    """The same windows and late rows as over a stream that Python has declared."""
    spark, source = views, Source(tmp_path / "files")
    source.put([("a", 1, 1.0, 0), ("b", 2, 2.0, 1), ("z", 3, 0.0, 9)], [("b", 12, 4.0, 2)], [("a", 3, 5.0, 3)])
    text = (
        f"CREATE STREAMING VIEW visits {COLUMNS} USING parquet OPTIONS (path '{source.folder}', maxFilesPerTrigger 1, "
        "'my.password' 'swordfish') WATERMARK at DELAY OF INTERVAL 1 SECOND AS "
        "SELECT SOURCE.k, ts AS at, v FROM SOURCE WHERE k <> 'z'"
    )
    assert run(spark, text) == [("visits", "created")]
    assert spark.table("visits").isStreaming
    assert run(spark, "SHOW STREAMING VIEWS") == [
        ("visits", "parquet", "k, at, v", "at DELAY OF INTERVAL 1 SECOND"),
    ]
    run(
        spark,
        "CREATE STREAMING TABLE sums OPTIONS (trigger 'available now') LATE INTO too_late AS SELECT k, sum(v) AS s "
        "FROM STREAM visits WINDOW ASSIGN TUMBLING(at, '10 seconds') GROUP BY k",
    )
    assert run(spark, "AWAIT STREAM sums")[0][1] == "finished"
    assert Counter(run(spark, "SELECT * FROM sums")) == Counter([("a", 1.0), ("b", 2.0)])
    assert [row[0] for row in run(spark, "SELECT * FROM too_late")] == ["a"]

    described = dict(run(spark, "DESC STREAMING VIEW Visits"))
    assert (described["k"], described["at"], described["Format"]) == ("string", "timestamp", "parquet")
    assert described["Option path"] == str(source.folder)
    assert described["Option my.password"] == "*********(redacted)"
    assert described["Text"].startswith("CREATE STREAMING VIEW visits (k STRING")
    assert not any("swordfish" in str(value) for value in described.values())
    assert [row[0] for row in run(spark, "DESCRIBE visits")] == ["k", "at", "v"]  # Spark's own


def test_names_and_parameters(views: SparkSession) -> None:
    spark = views
    assert (
        run(spark, "CREATE TEMP STREAMING VIEW `r s` (at, n) USING rate OPTIONS (rowsPerSecond 5)")[0][1] == "created"
    )
    assert spark.table("`r s`").columns == ["at", "n"]
    text = "CREATE OR REPLACE STREAMING VIEW `r s` (one) USING rate AS SELECT value + {} AS v FROM STREAM SOURCE AS x"
    for marker, args in ((":more", {"more": 3}), ("?", [3])):
        assert run(spark, text.format(marker), args=args) == [("r s", "replaced")]
        assert spark.table("`r s`").columns == ["one"]
    text = "CREATE STREAMING VIEW timed USING rate WATERMARK timestamp_seconds(value) AS at DELAY OF INTERVAL 1 DAY"
    run(spark, text)
    assert spark.table("timed").columns == ["timestamp", "value", "at"]
    assert winsql.sql(spark, "SELECT count(*) FROM timed WINDOW ASSIGN TUMBLING(at, '1 hour')").isStreaming


def test_views_that_come_and_go(views: SparkSession) -> None:
    spark = views
    create = "CREATE STREAMING VIEW v USING rate"
    assert run(spark, create) == [("v", "created")]
    assert run(spark, create.replace("VIEW", "VIEW IF NOT EXISTS")) == [("v", "exists already")]
    assert "OR REPLACE" in (refused(spark, create).hint or "")
    assert run(spark, "DROP STREAMING VIEW V") == [("v", "dropped")]
    assert run(spark, "DROP STREAMING VIEW IF EXISTS v") == [("v", "was not there")]
    assert "no streaming view" in refused(spark, "DROP STREAMING VIEW v").problem
    run(spark, "CREATE STREAMING VIEW visits USING rate")
    assert "did you mean visits?" in (refused(spark, "DESCRIBE STREAMING VIEW vists").hint or "")
    run(spark, "DROP VIEW visits")  # Spark's own statement
    assert run(spark, "SHOW STREAMING VIEWS") == []


def test_a_view_of_somebody_else_is_never_touched(views: SparkSession) -> None:
    spark = views
    run(spark, "CREATE STREAMING VIEW v USING rate")
    run(spark, "CREATE OR REPLACE TEMPORARY VIEW v AS SELECT 1 AS one")
    assert run(spark, "SHOW STREAMING VIEWS") == []
    for text in (
        "CREATE OR REPLACE STREAMING VIEW v USING rate",
        "DROP STREAMING VIEW IF EXISTS v",
        "DESCRIBE STREAMING VIEW v",
    ):
        assert "is no streaming view" in refused(spark, text).problem
    assert run(spark, "SELECT * FROM v") == [(1,)]
    spark.readStream.format("rate").load().createOrReplaceTempView("v")  # a stream with the same columns
    assert run(spark, "SHOW STREAMING VIEWS") == []


@pytest.mark.parametrize(
    ("rest", "problem", "place"),
    [
        ("USING kafak", "no format kafak", "kafak"),
        ("USING nosuch", "no format nosuch", "nosuch"),
        ("USING jdbc", "does not support streamed reading", "jdbc"),
        ("USING json OPTIONS (path '/')", "needs the columns", "json"),
        ("(a STRIN) USING json OPTIONS (path '/')", "STRIN", "(a STRIN)"),
        ("(a INT) USING rate", "rate has columns of its own", "(a INT)"),
        ("(a, b, c) USING rate", "3 names, and 2 columns", "(a, b, c)"),
        ("(a, A) USING rate", "two columns of the view are called A", "(a, A)"),
        ("USING rate WATERMARK timestmp DELAY OF '1 day'", "no column timestmp", "timestmp"),
        ("USING rate WATERMARK value DELAY OF '1 day'", "column value is BIGINT", "value"),
    ],
)
def test_what_is_refused_before_anything(views: SparkSession, rest: str, problem: str, place: str) -> None:
    text = f"CREATE STREAMING VIEW wrong {rest}"
    error = refused(views, text)
    assert problem in error.problem
    assert error.span is not None
    assert error.span.text(text) == place
    assert run(views, "SHOW STREAMING VIEWS") == []


def test_a_missing_connector_names_its_package(views: SparkSession) -> None:
    error = refused(views, "CREATE STREAMING VIEW k USING kafka OPTIONS (subscribe 'visits')")
    assert error.hint is not None
    assert f"org.apache.spark:spark-sql-kafka-0-10_2.13:{views.version}" in error.hint


def test_mistakes_in_the_query_have_their_place_and_no_secret(views: SparkSession) -> None:
    text = (
        "CREATE STREAMING VIEW v USING rate OPTIONS (secret 'swordfish', url 'x://me:swordfish@host/') "
        "AS SELECT valu FROM SOURCE"
    )
    error = refused(views, text, WindowSpecError)
    assert error.span is not None
    assert error.span.text(text) == "valu"
    assert "did you mean value?" in str(error)
    assert "swordfish" not in str(error)
    with pytest.raises(Exception, match="PARSE_SYNTAX_ERROR") as caught:
        winsql.sql(views, "CREATE STREAMING VIEW v USING rate AS SELECT value FROM SOURCE WHERE value >")
    assert "windowed__" not in str(caught.value)


def test_a_taught_session_takes_them(views: SparkSession) -> None:
    spark = views
    winsql.register(spark)
    try:
        assert [tuple(row) for row in spark.sql("CREATE STREAMING VIEW v USING rate").collect()] == [("v", "created")]
        assert [row.name for row in spark.sql("SHOW STREAMING VIEWS").collect()] == ["v"]
        if not is_connect(spark):  # as a JDBC client
            listed = spark._jsparkSession.sql("SHOW STREAMING VIEWS").collectAsList()
            assert [row.getString(0) for row in listed] == ["v"]
            spark._jsparkSession.sql("CREATE OR REPLACE STREAMING VIEW v (a, b) USING rate")
        with pytest.raises(WinsqlError, match="did you mean STREAMING VIEW"):
            spark.sql("CREATE STREAM VIEW w USING rate")
    finally:
        winsql.unregister(spark)


def broker(spark: SparkSession, messages: list[bytes]) -> None:
    """Registers the format `broker`: it has the columns of Kafka's source, and gives these values."""
    from pyspark.sql.datasource import DataSource, SimpleDataSourceStreamReader

    columns = "key BINARY, value BINARY, topic STRING, partition INT, offset BIGINT, timestamp TIMESTAMP"

    class Reader(SimpleDataSourceStreamReader):
        def __init__(self, topic: str) -> None:
            self.topic = topic

        def initialOffset(self) -> dict[str, int]:
            return {"offset": 0}

        def read(self, start: dict[str, int]) -> Any:
            end = {"offset": len(messages)}
            return self.readBetweenOffsets(start, end), end

        def readBetweenOffsets(self, start: dict[str, int], end: dict[str, int]) -> Any:
            import datetime

            at = datetime.datetime(2024, 1, 1)
            rows = [(None, value, self.topic, 0, n, at) for n, value in enumerate(messages)]
            return iter(rows[start["offset"] : end["offset"]])

    class Broker(DataSource):
        @classmethod
        def name(cls) -> str:
            return "broker"

        def schema(self) -> str:
            return columns

        def simpleStreamReader(self, schema: Any) -> Any:
            return Reader(self.options["subscribe"])

    spark.dataSource.register(Broker)


def test_a_python_data_source(views: SparkSession) -> None:
    spark = views
    broker(spark, [])
    run(
        spark,
        """CREATE STREAMING VIEW visits USING broker OPTIONS (subscribe 'visits')
        WATERMARK timestamp DELAY OF INTERVAL 10 SECONDS AS
        SELECT timestamp, topic, v.* FROM (SELECT *, from_json(CAST(value AS STRING), 'user STRING, n INT') AS v
                                           FROM SOURCE)""",
    )
    assert spark.table("visits").columns == ["timestamp", "topic", "user", "n"]
    assert spark.table("visits").isStreaming


@pytest.mark.slow
def test_the_cookbook_reads_kafka(views: SparkSession) -> None:
    """Its statements over a source with the columns of Kafka's: the connector is not at hand here."""
    from winsql.shell.script import split

    spark = views
    page = (Path(__file__).parents[2] / "docs" / "cookbook.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^```sql kafka\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert "spark-sql-kafka" in (refused(spark, text.partition(";")[0]).hint or "")
    times = {"10:05": 5, "10:40": 7, "12:00": 1}
    orders = [f'{{"shop": "north", "at": "2024-05-01 {at}:00", "amount": {n}}}' for at, n in times.items()]
    broker(spark, [order.encode() for order in orders])
    text = text.replace("USING kafka", "USING broker").replace("'10 seconds'", "'0 seconds'")
    *starts, wait = (statement.text for statement in split(text))
    for start in starts:
        run(spark, start)
    found: list[Any] = []
    for _ in range(60):
        run(spark, f"{wait} FOR INTERVAL 1 SECOND")
        found = run(spark, "SELECT shop, hour(window_start), orders, total FROM per_hour")
        if found:
            break
    assert found == [("north", 10, 2, 12)]
    assert run(spark, "DROP STREAM per_hour") == [("default.per_hour", "dropped")]
