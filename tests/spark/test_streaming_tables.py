"""Streams by SQL alone: tables of results and late rows, restarts, replacements, and what is refused before a start."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql.types import StructType
from pyspark.testing.objects import ExamplePoint, ExamplePointUDT
from session_settings import settings
from streaming import Source

import winsql
from winsql.errors import WindowDataError, WindowPlanError, WindowSpecError, WinsqlError
from winsql.spark.tables.available_now import _watch, has_read_all
from winsql.spark.tables.registry import Stream

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FAR = 1_000_000.0
PER_TEN = "SELECT k, sum(v) + 1 AS s FROM events WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k HAVING sum(v) > 0"
NOW = "OPTIONS (trigger 'available now')"


def run(spark: SparkSession, text: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in winsql.sql(spark, text).collect()]


def finished(spark: SparkSession, name: str) -> None:
    assert run(spark, f"AWAIT STREAM {name}")[0][1] == "finished"


def refused(spark: SparkSession, text: str, kind: type[WinsqlError] = WindowPlanError) -> WinsqlError:
    with pytest.raises(kind) as caught:
        winsql.sql(spark, text)
    assert caught.value.span is not None
    assert caught.value.rule is not None
    return caught.value


def batches(spark: SparkSession, table: str) -> set[str]:
    """The names of the files of a table."""
    return {row[0] for row in spark.sql(f"SELECT DISTINCT input_file_name() FROM {table}").collect()}


@pytest.mark.slow
def test_windows_that_follow_the_clock_end_with_what_is_there(session: SparkSession, events: Source) -> None:
    text = (
        f"CREATE STREAMING TABLE kept {NOW} AS SELECT k, count(*) FROM events WINDOW ASSIGN COUNT(2) STATE TTL '1 day'"
    )
    for found, reports in ((1, "100"), (2, "2")):
        events.put([("a", 1, 1.0, 0)], [("a", 2, 1.0, 1)])
        with settings(session, {"spark.sql.streaming.numRecentProgressUpdates": reports}):
            run(session, f"{text} GROUP BY k")
            finished(session, "kept")
        assert run(session, "SELECT * FROM kept") == [("a", 2)] * found


@pytest.mark.parametrize("create", [f"STREAMING TABLE kept {NOW}", f"STREAM kept INTO noop {NOW}"])
def test_without_reports_of_progress_the_end_is_not_seen(session: SparkSession, events: Source, create: str) -> None:
    query = "AS SELECT k, count(*) FROM events WINDOW ASSIGN COUNT(2)"
    with settings(session, {"spark.sql.streaming.numRecentProgressUpdates": "1"}):
        error = refused(session, f"CREATE {create} {query} STATE TTL '1 day' GROUP BY k")
    assert error.problem == "with spark.sql.streaming.numRecentProgressUpdates = 1 this stream would not end"
    with settings(session, {"spark.sql.streaming.numRecentProgressUpdates": "0"}):
        error = refused(session, f"CREATE {create} AS SELECT k FROM events")
    assert error.problem == "with spark.sql.streaming.numRecentProgressUpdates = 0 this stream would fail"


def test_types_of_the_users_own_are_not_those_of_tables(session: SparkSession, tmp_path: Path) -> None:
    schema = StructType().add("k", "string").add("p", ExamplePointUDT())
    session.createDataFrame([("a", ExamplePoint(1.0, 2.0))], schema).write.parquet(f"{tmp_path}/points")
    session.readStream.schema(schema).parquet(f"{tmp_path}/points").createOrReplaceTempView("points")
    assert "no table can hold" in refused(session, f"CREATE STREAMING TABLE kept {NOW} AS SELECT * FROM points").problem
    into = f"OPTIONS (path '{tmp_path}/kept', trigger 'available now')"
    run(session, f"CREATE STREAM kept INTO parquet {into} AS SELECT * FROM points")
    finished(session, "kept")
    assert session.read.parquet(f"{tmp_path}/kept").first().p == ExamplePoint(1.0, 2.0)


class Reporting:
    """A query of which Spark keeps the newest report alone."""

    def __init__(self) -> None:
        self.reports = iter([(0, 1), (0, 1), (1, 1), (1, 1), (2, 1), (2, 1)])
        self.seen, self.lastProgress = 0, None

    def awaitTermination(self, seconds: float) -> bool:
        report = next(self.reports)
        batch, end = report
        self.seen += 1
        self.lastProgress: Any = {"batchId": batch, "sources": [{"startOffset": min(batch, 1), "endOffset": end}]}
        return False

    def stop(self) -> None:
        raise OSError


def test_reports_are_gathered() -> None:
    query: Any = Reporting()
    _watch(query)
    assert query.seen == 5


@pytest.mark.parametrize(
    ("reports", "ends"),
    [
        ([(0, 1, "a"), (1, 1, "b")], False),
        ([(0, 1, "a"), (1, 1, "b"), (1, 1, "b")], True),
        ([(1, 1, "a"), (1, 1, "b")], False),
        ([(None, None, None), (None, None, None)], True),
        ([(1, 1, "b")], False),
    ],
)
def test_when_everything_is_read(reports: list[tuple[Any, Any, Any]], ends: bool) -> None:
    told = [
        {"sources": [{"startOffset": start, "endOffset": end}], "eventTime": {"watermark": watermark}}
        for start, end, watermark in reports
    ]
    assert has_read_all(told) is ends


class Noted:
    """A query, and the socket of a connection, that note what is asked of them."""

    def __init__(self, *, is_active: bool) -> None:
        self.isActive = is_active
        self.asked: list[str] = []
        self.socket = self

    def awaitTermination(self, seconds: float) -> bool:
        self.asked.append("awaited")
        return True

    def shutdown(self, how: int) -> None:
        self.asked.append("closed")


@pytest.mark.parametrize(("is_active", "asked"), [(True, []), (False, ["awaited", "closed"])])
def test_connections_are_closed_when_the_last_micro_batch_has_ended(is_active: bool, asked: list[str]) -> None:
    """A stop interrupts it, and Spark says at once that the query is not active."""
    query: Any = Noted(is_active=is_active)
    Stream("t", (), query, "", "", "", connections={query}).hang_up()
    assert query.asked == asked


@pytest.mark.slow
def test_a_stream_that_reads_a_view_twice_goes_on(session: SparkSession, events: Source) -> None:
    windows = "TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), '10 seconds'))"
    text = f"""CREATE STREAMING TABLE pairs {NOW} AS
        SELECT a.n, b.n AS other FROM {windows} a JOIN {windows} b
        ON a.window_start = b.window_start AND a.window_end = b.window_end AND a.k = b.k"""
    events.put([("a", 1, 1.0, 0), ("a", 2, 1.0, 1)], [("a", 11, 1.0, 2)])
    run(session, text)
    finished(session, "pairs")
    events.put([("a", 21, 1.0, 3)])
    assert run(session, text) == [("default.pairs", "resumed")]
    finished(session, "pairs")
    pairs = Counter([(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)])
    assert Counter(run(session, "SELECT * FROM pairs")) == pairs


@pytest.mark.slow
def test_a_ranking_of_other_rows_does_not_go_on(session: SparkSession, events: Source) -> None:
    text = f"""CREATE STREAMING TABLE best {NOW} AS
        SELECT n FROM (SELECT *, row_number() OVER (PARTITION BY window_start, window_end, k ORDER BY v %s) AS place
        FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), '10 seconds'))) WHERE place <= %s"""
    events.put([("a", 1, 3.0, 0), ("a", 2, 1.0, 1), ("a", 3, 2.0, 2)])
    run(session, text % ("DESC", 1))
    finished(session, "best")
    for order, most in (("ASC", 1), ("DESC", 2), ("DESC NULLS FIRST", 1)):
        error = refused(session, text % (order, most))
        assert "the first rows that are kept was ROW_NUMBER up to 1 by v DESC NULLS LAST and is" in error.problem
    events.put([("a", 20, 0.0, 3)])
    run(session, text % ("DESC", 1))
    finished(session, "best")
    assert run(session, "SELECT * FROM best") == [(0,)]


@pytest.mark.slow
def test_rows_of_other_types_do_not_go_on(session: SparkSession, events: Source, tmp_path: Path) -> None:
    def view(columns: str) -> None:
        run(
            session,
            f"""CREATE OR REPLACE STREAMING VIEW typed (k STRING, ts TIMESTAMP, {columns}) USING parquet
            OPTIONS (path '{tmp_path / "in"}') WATERMARK ts DELAY OF INTERVAL 0 SECONDS""",
        )

    windows = "TABLE(TUMBLE(TABLE typed, DESCRIPTOR(ts), '10 seconds'))"
    texts = {
        "counted": "SELECT k, count(DISTINCT n) AS c FROM typed WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k",
        "ranked": f"""SELECT k, place FROM (SELECT *, row_number() OVER (PARTITION BY window_start, window_end, k
            ORDER BY n) AS place FROM {windows}) WHERE place <= 3""",
    }
    view("n INT")
    events.put([("a", 1, 1.0, 1), ("a", 2, 1.0, 2)])
    for name, text in texts.items():
        run(session, f"CREATE STREAMING TABLE {name} {NOW} AS {text}")
        finished(session, name)
    for columns, changed in (("n STRING", texts), ("n INT, v DOUBLE", ["ranked"])):
        view(columns)
        for name in changed:
            error = refused(session, f"CREATE STREAMING TABLE {name} {NOW} AS {texts[name]}")
            assert "the type of what is kept was " in error.problem
    view("n BIGINT")
    assert run(session, f"CREATE STREAMING TABLE counted {NOW} AS {texts['counted']}")[0][1] == "resumed"


@pytest.mark.slow
def test_result_late_rows_and_restarts(session: SparkSession, events: Source) -> None:
    spark = session
    create = f"CREATE STREAMING TABLE sums {NOW} LATE INTO too_late AS {PER_TEN}"
    events.put([("a", 1, 1.0, 0), ("b", 2, 2.0, 1), ("z", 3, 0.0, 9), ("b", 12, 4.0, 2)])
    events.put([("a", 3, 5.0, 3), ("c", None, 1.0, 4)])
    assert run(spark, create) == [("default.sums", "started")]
    finished(spark, "sums")
    assert Counter(run(spark, "SELECT * FROM sums")) == Counter([("a", 2.0), ("b", 3.0)])
    assert [row[-1] for row in run(spark, "SELECT * FROM too_late")] == [3]
    assert spark.table("too_late").columns == ["k", "ts", "v", "n"]
    (shown,) = winsql.sql(spark, "SHOW STREAMS").collect()
    assert (shown.name, shown.status, shown.late_rows, shown.open_windows) == ("default.sums", "finished", 1, 1)
    assert shown.rows_per_second > 0
    assert shown.state_bytes > 0
    assert (shown.watermark.minute, shown.watermark.second, shown.error) == (0, 12, None)
    (window,) = winsql.sql(spark, "SHOW WINDOW STATE OF sums").collect()
    assert (window.key, window.window_start.second) == ('{"k": "b"}', 10)

    kept = batches(spark, "sums")
    for changed, says in {
        create.replace("10 sec", "20 sec"): "WINDOW ASSIGN was TUMBLING(ts, INTERVAL 10 SECOND) and is TUMBLING(ts, "
        "INTERVAL 20 SECOND)",
        create.replace("AS s ", "AS total "): "the columns were k string, s double and are k string, total double",
        create.replace("too_late", "late_elsewhere"): "LATE INTO was `spark_catalog`.`default`.`too_late` and is",
        create.replace("OPTIONS", "USING json OPTIONS"): "USING was parquet and is json",
        create.replace(f"AS {PER_TEN}", "AS SELECT k, ts FROM events").replace("LATE INTO too_late ", ""): "queries",
    }.items():
        error = refused(spark, changed)
        assert says in error.problem
        assert "CREATE OR REPLACE STREAMING TABLE" in (error.hint or "")
    assert batches(spark, "sums") == kept

    events.put([("a", 4, 7.0, 5), ("b", FAR, 0.0, -1)])
    assert run(spark, create.replace("TABLE", "TABLE IF NOT EXISTS", 1)) == [("default.sums", "resumed")]
    finished(spark, "default.sums")
    assert Counter(run(spark, "SELECT * FROM sums")) == Counter([("a", 2.0), ("b", 3.0), ("b", 5.0)])
    assert sorted(row[-1] for row in run(spark, "SELECT * FROM too_late")) == [3, 5]
    assert kept < batches(spark, "sums")  # what was there before has not been written again

    kept = batches(spark, "sums")
    with pytest.raises(WindowPlanError, match="ORDER BY cannot sort a stream"):
        winsql.sql(spark, f"CREATE OR REPLACE STREAMING TABLE sums {NOW} AS SELECT k FROM events ORDER BY k")
    assert batches(spark, "sums") == kept

    assert run(spark, create.replace("CREATE", "CREATE OR REPLACE").replace("10 sec", "20 sec"))[0][1] == "started"
    finished(spark, "sums")
    assert Counter(run(spark, "SELECT * FROM sums")) == Counter([("a", 14.0), ("b", 7.0)])
    assert run(spark, "SELECT * FROM too_late") == []


@pytest.mark.slow
def test_a_repeated_micro_batch_is_not_written_twice(session: SparkSession, events: Source) -> None:
    """As after a kill between the write and Spark's commit: the commit is taken away by hand."""
    spark = session
    create = f"CREATE STREAMING TABLE copied {NOW} AS SELECT k, n, {MAPS} FROM events"
    plain = create.replace("copied", "plain").replace(f", {MAPS}", "")
    events.put([("a", 1, 1.0, 0)], [("b", 2, 1.0, 1)])
    for text in (create, plain):
        run(spark, text)
    for name in ("copied", "plain"):
        finished(spark, name)
        location = spark.sql(f"DESCRIBE FORMATTED {name}").where("col_name = 'Location'").first()[1]
        place = Path(location.removeprefix("file:"))
        for path in (place / "_checkpoint" / "commits").glob("*1*"):
            path.unlink()
        if name == "plain":
            (place / "batch=1" / "_SUCCESS").unlink()
    kept = {name: batches(spark, name) for name in ("copied", "plain")}
    for text in (create, plain):
        run(spark, text)
    for name in ("copied", "plain"):
        finished(spark, name)
        assert sorted(row[:2] for row in run(spark, f"SELECT * FROM {name}")) == [("a", 0), ("b", 1)]
    assert {name: batches(spark, name) for name in ("copied", "plain")} == kept


MAPS = "map('n', n, 'm', NULL) AS m, named_struct('a', array(map(n, map(k, n)))) AS s, parse_json('{\"b\": 1.50}') AS v"


VALUES = """SELECT ts, CAST(ts AS TIMESTAMP_NTZ) + INTERVAL 1 MICROSECOND AS local, CAST(v / 3 AS DECIMAL(20, 7)) AS d,
    CAST(k AS STRING) || ' "\\\\,' AS `count(1)`, CAST('NaN' AS DOUBLE) AS nan, date(ts) AS day, n,
    k AS _corrupt_record, INTERVAL '1 02:00:00.5' DAY TO SECOND AS i, ts + INTERVAL 7 MICROSECONDS AS micro{nested}
    FROM events"""
NESTED = ", array(n, NULL) AS a, named_struct('x', ts, 'y', array(named_struct('z', k))) AS s, map(k, n) AS m"


@pytest.mark.slow
def test_formats_hold_every_type_and_an_external_path(session: SparkSession, events: Source, tmp_path: Path) -> None:
    spark = session
    events.put([("a\r\nx\ry", 1.5, 1.0, 0), ("b\nc ", 2, 2.0, None)], [("", 3, 12345.678, 2)])
    frame = spark.read.schema(spark.table("events").schema).parquet(str(events.folder))
    frame.createOrReplaceTempView("bounded")
    for kind in ("orc", "json", "csv", "parquet"):
        path = tmp_path / f"it's {kind}"
        query = VALUES.format(nested="" if kind == "csv" else NESTED)
        quoted = str(path).replace("'", "\\'")
        options = f"USING {kind} OPTIONS (trigger 'available now', path '{quoted}')"
        run(spark, f"CREATE STREAMING TABLE as_{kind} {options} AS {query}")
        finished(spark, f"as_{kind}")
        expected = spark.sql(query.replace("FROM events", "FROM bounded"))
        found = spark.table(f"as_{kind}")
        assert _texts(found) == _texts(expected), kind
        assert found.dtypes == expected.dtypes
        assert (path / "batch=0").is_dir()
    spark.catalog.dropTempView("bounded")

    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("full")
    for folder, problem in (("full", "is not empty"), ("in", "would read its own rows")):
        again = f"CREATE STREAMING TABLE again OPTIONS (path '{tmp_path / folder}') AS SELECT k FROM events"
        assert problem in refused(spark, again).problem
    replace = "CREATE OR REPLACE STREAMING TABLE as_json USING csv OPTIONS (trigger 'available now', path '{path}')"
    path = str(tmp_path / "it's json").replace("'", "\\'")
    run(spark, f"{replace.format(path=path)} AS SELECT n FROM events")
    finished(spark, "as_json")
    assert sorted(run(spark, "SELECT * FROM as_json"), key=str) == [(0,), (2,), (None,)]
    error = refused(spark, f"{replace.format(path=quoted)} AS SELECT n FROM events")  # another table's
    assert "is the folder of another stream" in error.problem
    assert run(spark, "SELECT count(*) FROM as_json") == [(3,)]


def _texts(frame: DataFrame) -> Counter[str]:
    """Rows as text, so that NaN equals itself and intervals of months can be looked at."""
    return Counter(str(row) for row in frame.selectExpr("CAST(struct(*) AS STRING)").collect())


def test_tables_of_others_are_never_touched(session: SparkSession, events: Source) -> None:
    spark = session
    spark.sql("CREATE TABLE mine AS SELECT 1 AS one")
    spark.range(1).createOrReplaceTempView("seen")
    for name in ("mine", "seen", "MINE", "default.mine"):
        error = refused(spark, f"CREATE OR REPLACE STREAMING TABLE {name} AS SELECT k FROM events")
        assert "exists and is no streaming table" in error.problem
        error = refused(spark, f"CREATE OR REPLACE STREAMING TABLE fresh LATE INTO {name} AS {PER_TEN}")
        assert "exists and is no streaming table" in error.problem
    assert run(spark, "SELECT one FROM mine") == [(1,)]
    spark.catalog.dropTempView("seen")
    refused(spark, "CREATE STREAMING TABLE elsewhere.db.t AS SELECT k FROM events")
    assert (
        "names the streaming table itself"
        in refused(spark, f"CREATE STREAMING TABLE one LATE INTO ONE AS {PER_TEN}").problem
    )
    late = PER_TEN.replace("GROUP BY", "LATE INTO this GROUP BY")
    assert (
        "names two tables"
        in refused(spark, f"CREATE STREAMING TABLE one LATE INTO that AS {late}", WindowSpecError).problem
    )
    count = "SELECT k, count(*) FROM events WINDOW ASSIGN COUNT(2) GROUP BY k"
    refused(spark, f"CREATE STREAMING TABLE one LATE INTO that AS {count}", WindowSpecError)
    refused(spark, "CREATE STREAMING TABLE one LATE INTO that AS SELECT k FROM events", WindowSpecError)
    for query, problem in {
        "SELECT 1 AS one": "reads no stream",
        "SELECT k, n AS K FROM events": "two columns of the result are called K",
        "SELECT NULL AS nothing FROM events": "parquet cannot hold column nothing",
        "SELECT make_interval(n) AS long FROM events": "parquet cannot hold column long",
    }.items():
        assert problem in refused(spark, f"CREATE STREAMING TABLE one AS {query}").problem
    for query, problem in {
        "USING avro AS SELECT k FROM events": "this session has no avro",
        "USING csv AS SELECT array(k) AS a FROM events": "csv cannot hold column a",
        "USING json AS SELECT map(n, k) AS m FROM events": "json cannot hold column m",
    }.items():
        assert problem in refused(spark, f"CREATE STREAMING TABLE one {query}").problem
    error = refused(spark, f"CREATE STREAMING TABLE one AS {PER_TEN} ORDER BY k")
    assert error.problem == "ORDER BY cannot sort a stream"
    assert not any(spark.catalog.tableExists(name) for name in ("one", "that", "this", "fresh"))
    assert run(spark, "SHOW STREAMS") == []


@pytest.mark.slow
def test_a_stream_keeps_the_names_of_its_tables(session: SparkSession, events: Source) -> None:
    text = f"CREATE STREAMING TABLE {{}} {NOW} LATE INTO {{}} AS {PER_TEN}"
    events.put([("a", 1, 1.0, 0)])
    run(session, text.format("named", "late_ones"))
    finished(session, "named")
    error = refused(session, text.format("late_ones", "others"))
    assert error.problem == "default.late_ones is the table of late rows of the stream default.named"
    run(session, "ALTER TABLE named RENAME TO renamed")
    error = refused(session, text.format("renamed", "late_ones"))
    assert error.problem == "default.renamed is a table of the stream default.named"
    assert "ALTER TABLE default.renamed RENAME TO default.named" in (error.hint or "")
    error = refused(session, "ALTER STREAM named RESUME")
    assert error.problem == "late_ones has the late rows of default.named, and the table default.named is gone"
    assert run(session, "SHOW TABLES LIKE 'late_ones'")
    run(session, "ALTER TABLE renamed RENAME TO named")
    assert run(session, text.format("named", "late_ones"))[0][1] == "resumed"
    finished(session, "named")


@pytest.mark.slow
def test_a_stream_reads_a_streaming_table_and_runs_on(session: SparkSession, events: Source) -> None:
    spark = session
    events.put([("a", 1, 1.0, 0), ("b", 2, 2.0, 1)], [("a", 11, 3.0, 2)])
    run(spark, "CREATE STREAMING TABLE first OPTIONS (trigger '0 seconds') AS SELECT k, ts, v FROM events WHERE v < 50")
    run(
        spark,
        "CREATE STREAMING TABLE second AS SELECT k, count(*) AS c FROM STREAM first "
        "WATERMARK ts DELAY OF INTERVAL 0 SECONDS WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k",
    )
    assert "runs already" in refused(spark, "CREATE STREAMING TABLE first AS SELECT k, ts, v FROM events").problem
    assert run(spark, "CREATE STREAMING TABLE IF NOT EXISTS first AS SELECT 1")[0][1] == "runs already"
    for _ in range(60):
        run(spark, "AWAIT STREAM second FOR INTERVAL 1 SECOND")
        if len(run(spark, "SELECT * FROM second")) == 2:
            break
    assert Counter(run(spark, "SELECT * FROM second")) == Counter([("a", 1), ("b", 1)])
    assert run(spark, "AWAIT STREAM first FOR INTERVAL 0 SECONDS")[0][1] in ("running", "waiting")
    assert run(spark, "STOP STREAM first")[0][1] == "stopped"
    error = refused(spark, "STOP STREAM secnd")
    assert "did you mean default.second?" in (error.hint or "")
    assert {row[0]: row[1] for row in run(spark, "SHOW STREAMS")}["default.first"] == "stopped"
    assert run(spark, "STOP STREAM second")[0][1] == "stopped"


@pytest.mark.slow
def test_a_failed_stream_shows_its_error(session: SparkSession, events: Source) -> None:
    from pyspark.errors import StreamingQueryException

    spark = session
    events.put([("a", 1, 1.0, 0)])
    sum_of = "SELECT sum(CAST(n AS BIGINT) + 9223372036854775807) AS s FROM events WINDOW ASSIGN COUNT(2)"
    run(spark, f"CREATE STREAMING TABLE overflows {NOW} AS {sum_of}")
    run(spark, f"CREATE STREAMING TABLE asserts {NOW} AS SELECT CAST(raise_error(k) AS STRING) AS e FROM events")
    finished(spark, "overflows")
    with pytest.raises(StreamingQueryException, match="USER_RAISED_EXCEPTION"):
        winsql.sql(spark, "AWAIT STREAM asserts")
    events.put([("a", 2, 1.0, 1)])
    run(spark, f"CREATE STREAMING TABLE overflows {NOW} AS {sum_of}")
    with pytest.raises((WindowDataError, StreamingQueryException)):
        winsql.sql(spark, "AWAIT STREAM overflows")
    errors = {row[0]: (row[1], row[-1]) for row in run(spark, "SHOW STREAMS")}
    assert {status for status, _ in errors.values()} == {"failed"}
    assert all(error for _, error in errors.values())


def test_for_each_batch_takes_queries_over_streams_only(session: SparkSession, events: Source) -> None:
    for text in ("DROP VIEW events", "SHOW STREAMS", "CREATE TABLE copied AS SELECT * FROM events", "SELECT 1 AS one"):
        with pytest.raises(WindowPlanError, match=r"no query|no stream"):
            winsql.for_each_batch(session, text, lambda rows, late_rows, number: None)
    assert session.catalog.tableExists("events")


@pytest.mark.slow
def test_for_each_batch_hands_over_firings_and_late_rows(session: SparkSession, events: Source, tmp_path: Path) -> None:
    spark = session
    events.put([("a", 1, 1.0, 0)], [("a", 25, 1.0, 1)], [("a", 2, 1.0, 2)])
    seen: list[tuple[Any, ...]] = []

    def keep(rows: DataFrame, late_rows: DataFrame | None, number: int) -> None:
        seen.extend(("late", row.n) for row in late_rows.collect()) if late_rows is not None else None
        seen.extend(("row", *row) for row in rows.collect())

    query = "SELECT k, :word AS w, sum(v) AS s FROM events WINDOW ASSIGN TUMBLING(ts, '10 seconds') {late} GROUP BY k"
    for number, late in enumerate(("LATE INTO anywhere", "")):
        writer = winsql.for_each_batch(spark, query.format(late=late), keep, args={"word": "x"})
        running = writer.trigger(availableNow=True).option("checkpointLocation", str(tmp_path / str(number))).start()
        running.awaitTermination()
    assert Counter(seen) == Counter([("row", "a", "x", 1.0), ("late", 2), ("row", "a", "x", 1.0)])
