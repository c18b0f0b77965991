"""SHOW STREAM, DROP STREAM and ALTER STREAM: what becomes of a stream, of its rows and of its checkpoint."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.errors import PySparkException
from streaming import SCHEMA, Source

import winsql
from winsql.errors import WindowPlanError, WinsqlError
from winsql.spark.runner import is_connect
from winsql.spark.tables import statements
from winsql.spark.tables.registry import streams_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NOW = "trigger 'available now'"
COPY = "AS SELECT k, n FROM events"


def run(spark: SparkSession, text: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in winsql.sql(spark, text).collect()]


def refused(spark: SparkSession, text: str) -> WinsqlError:
    with pytest.raises(WindowPlanError) as caught:
        winsql.sql(spark, text)
    assert caught.value.span is not None
    assert caught.value.rule is not None
    assert caught.value.hint is not None
    return caught.value


def status(spark: SparkSession, name: str) -> str:
    return {row[0]: row[1] for row in run(spark, "SHOW STREAMS")}[name]


def test_the_last_micro_batches_as_rows(session: SparkSession, events: Source) -> None:
    spark = session
    events.put([("a", 1, 1.0, 0), ("b", 12, 1.0, 1)], [("a", 2, 1.0, 2), ("b", 13, 1.0, 3), ("b", 14, 1.0, 4)])
    run(
        spark,
        f"CREATE STREAMING TABLE sums OPTIONS ({NOW}) AS SELECT k, count(*) AS c FROM events "
        "WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k",
    )
    run(spark, "AWAIT STREAM sums")
    found = winsql.sql(spark, "SHOW STREAM sums").collect()
    assert [(row.batch, row.rows) for row in found][:2] == [(0, 2), (1, 3)]
    assert [row.late_rows for row in found][:2] == [0, 1]
    assert found[1].watermark.second == 12
    assert all(row.time is not None and row.duration_ms > 0 for row in found)
    assert found[1].rows_per_second > 0
    assert found[1].state_rows > 0
    assert "did you mean default.sums?" in (refused(spark, "SHOW STREAM sms").hint or "")


def test_a_watermark_after_the_year_9999(session: SparkSession, events: Source) -> None:
    """As of a row whose time was in other units."""
    events.put([("a", 1, 5.7e11, 0)])
    rows = session.readStream.schema(SCHEMA).parquet(str(events.folder)).selectExpr("k", "timestamp_seconds(v) AS ts")
    rows.withWatermark("ts", "0 seconds").createOrReplaceTempView("events")
    run(
        session,
        f"CREATE STREAMING TABLE far OPTIONS ({NOW}) AS SELECT k, count(*) AS c FROM events "
        "WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k",
    )
    run(session, "AWAIT STREAM far")
    (stream,), (*_, last) = (winsql.sql(session, f"SHOW {what}").collect() for what in ("STREAMS", "STREAM far"))
    assert stream.watermark.year == last.watermark.year == 9999


def test_a_stream_that_is_paused_goes_on_where_it_was(session: SparkSession, events: Source) -> None:
    spark = session
    events.put([("a", 1, 1.0, 0)])
    run(spark, f"CREATE STREAMING TABLE copied {COPY}")
    next(iter(streams_of(spark).values())).query.processAllAvailable()
    assert run(spark, "ALTER STREAMING TABLE copied PAUSE") == [("default.copied", "paused")]
    assert status(spark, "default.copied") == "paused"
    assert run(spark, "ALTER STREAM copied PAUSE") == [("default.copied", "paused")]
    assert run(spark, f"ALTER STREAM copied SET OPTIONS ({NOW}, Compression 'gzip')") == [("default.copied", "set")]
    events.put([("b", 2, 1.0, 1)])
    assert run(spark, "ALTER STREAM copied RESUME")[0][0] == "default.copied"
    assert run(spark, "AWAIT STREAM copied")[0][1] == "finished"  # the trigger is the one that was set
    assert sorted(run(spark, "SELECT * FROM copied")) == [("a", 0), ("b", 1)]
    assert {Path(row[0]).suffixes[-2] for row in run(spark, "SELECT input_file_name() FROM copied WHERE n = 1")} == {
        ".gz"
    }
    assert "has finished" in refused(spark, "ALTER STREAM copied PAUSE").problem
    events.put([("c", 3, 1.0, 2)])
    run(spark, "ALTER STREAM copied RESUME")  # with what was set before
    assert run(spark, "AWAIT STREAM copied")[0][1] == "finished"
    assert len(run(spark, "SELECT * FROM copied")) == 3


def test_a_micro_batch_that_takes_longer_than_the_session_waits(
    session: SparkSession, events: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Spark raises then, by the session of a query that has ended in truth."""
    events.put([("a", 0, 1.0, 0)])
    real = {}

    def stop(query: Any) -> None:
        real[type(query)](query)
        raise PySparkException("failed to stop within 1 milliseconds (specified by spark.sql.streaming.stopTimeout)")

    for command in ("STOP STREAM busy", "ALTER STREAM busy PAUSE", "DROP STREAM busy"):
        run(session, f"CREATE STREAMING TABLE busy {COPY}")
        (stream,) = streams_of(session).values()
        real[type(stream.query)] = type(stream.query).stop
        with monkeypatch.context() as patched:
            patched.setattr(type(stream.query), "stop", stop)
            error = refused(session, command)
        assert error.problem == "the stream default.busy is told to stop, and has not yet"
        assert error.hint is not None
        assert "SET spark.sql.streaming.stopTimeout = 0" in error.hint
        assert run(session, command)[0][1] in ("stopped", "paused", "dropped")


def test_a_stream_that_takes_longer_to_stop_keeps_no_other_one_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a shell ends."""
    stopped = []

    def busy() -> None:
        raise WindowPlanError("the stream busy is told to stop, and has not yet")

    stops = {"busy": busy, "other": lambda: stopped.append("other")}
    query = SimpleNamespace(isActive=True)
    streams = {name: SimpleNamespace(name=f"`{name}`", query=query, stop=stop) for name, stop in stops.items()}
    monkeypatch.setattr(statements, "streams_of", lambda spark: streams)
    spark: Any = None
    assert statements.stop_streams(spark) == ["busy", "other"]
    assert stopped == ["other"]


def test_a_stream_that_is_resumed_from_another_database_stays_in_its_own(session: SparkSession) -> None:
    spark = session
    for place in ("default", "elsewhere"):
        run(spark, f"CREATE DATABASE IF NOT EXISTS {place}")
        run(spark, f"CREATE TABLE {place}.visits USING parquet AS SELECT '{place}' AS k")
    run(spark, f"CREATE STREAMING TABLE copied OPTIONS ({NOW}) AS SELECT k FROM STREAM visits")
    run(spark, "AWAIT STREAM copied")
    run(spark, "INSERT INTO visits VALUES ('more')")
    run(spark, "USE elsewhere")
    try:
        assert run(spark, "ALTER STREAM default.copied RESUME")[0][0] == "default.copied"
        assert spark.catalog.currentDatabase() == "elsewhere"
        assert run(spark, "AWAIT STREAM default.copied")[0][1] == "finished"
        assert sorted(run(spark, "SELECT * FROM default.copied")) == [("default",), ("more",)]
        assert run(spark, "SHOW TABLES LIKE 'copied'") == []
        run(spark, f"CREATE STREAMING TABLE copied OPTIONS ({NOW}) AS SELECT k FROM STREAM visits")
        run(spark, "AWAIT STREAM copied")
        run(spark, "USE default")
        run(spark, "DROP DATABASE elsewhere CASCADE")
        assert "is gone" in refused(spark, "ALTER STREAM elsewhere.copied RESUME").problem
        assert spark.catalog.currentDatabase() == "default"
    finally:
        run(spark, "USE default")
        run(spark, "DROP DATABASE IF EXISTS elsewhere CASCADE")


def test_options_that_may_not_change(session: SparkSession, events: Source) -> None:
    spark = session
    events.put([("a", 1, 1.0, 0)])
    run(spark, f"CREATE STREAMING TABLE copied USING csv OPTIONS ({NOW}) {COPY}")
    run(spark, "AWAIT STREAM copied")
    for option, reason in {
        "path '/x'": "rows and checkpoint belong together",
        "checkpointLocation '/x'": "rows and checkpoint belong together",
        "resume 'append'": "how a stream begins",
        "sep ';'": "were written with it",
    }.items():
        text = f"ALTER STREAM copied SET OPTIONS ({NOW}, {option}, password 'swordfish')"
        error = refused(spark, text)
        assert error.span is not None
        assert error.span.text(text) == option
        assert reason in (error.rule or "")
        assert "swordfish" not in str(error)
    assert run(spark, "ALTER STREAM copied RESUME")[0][0] == "default.copied"  # as before
    run(spark, "AWAIT STREAM copied")


def test_a_dropped_stream_leaves_its_table(session: SparkSession, events: Source, tmp_path: Path) -> None:
    spark = session
    events.put([("a", 1, 1.0, 0)])
    place = tmp_path / "checkpoint"
    create = f"CREATE STREAMING TABLE copied OPTIONS ({NOW}, checkpointLocation '{place}') {COPY}"
    run(spark, create)
    run(spark, "AWAIT STREAM copied")
    assert run(spark, "STOP STREAM IF EXISTS copied")[0][0] == "default.copied"
    assert run(spark, "DROP STREAM copied") == [("default.copied", "dropped")]
    assert run(spark, "SHOW STREAMS") == []
    assert run(spark, "SELECT * FROM copied") == [("a", 0)]
    assert (place / "offsets").is_dir()
    assert run(spark, "DROP STREAM IF EXISTS copied") == [("copied", "was not there")]
    assert run(spark, "STOP STREAM IF EXISTS copied") == [("copied", "was not there", None)]
    assert "no stream copied" in refused(spark, "DROP STREAM copied").problem

    assert run(spark, create) == [("default.copied", "resumed")]  # nothing is read twice
    run(spark, "AWAIT STREAM copied")
    assert run(spark, "SELECT * FROM copied") == [("a", 0)]
    (place / "notes.txt").write_text("mine")
    assert "notes.txt" in refused(spark, "DROP STREAM copied PURGE").problem
    assert status(spark, "default.copied") == "finished"
    assert (place / "offsets").is_dir()
    (place / "notes.txt").unlink()
    assert run(spark, "DROP STREAM copied PURGE") == [("default.copied", "purged")]
    assert not (place / "offsets").exists()
    assert run(spark, "SELECT * FROM copied") == [("a", 0)]
    assert "is gone" in refused(spark, create).problem  # rows would be there twice


def test_a_purge_that_is_killed_leaves_nothing_to_go_on_with(
    session: SparkSession, events: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_connect(session):
        pytest.skip("the checkpoint is beside the server")
    create = f"CREATE STREAMING TABLE copied OPTIONS ({NOW}, path '{tmp_path / 'copied'}') {COPY}"
    events.put([("a", 1, 1.0, 0)])
    run(session, create)
    run(session, "AWAIT STREAM copied")
    deleted: list[str] = []

    def killed(path: str) -> None:
        deleted.append(Path(path).name)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(shutil, "rmtree", killed)
        with pytest.raises(KeyboardInterrupt):
            run(session, "DROP STREAM copied PURGE")
    assert deleted == ["offsets"]  # what has been read goes first
    assert (tmp_path / "copied" / "_checkpoint" / "metadata").exists()
    assert run(session, create) == [("default.copied", "resumed")]
    run(session, "AWAIT STREAM copied")
    assert run(session, "SELECT * FROM copied") == [("a", 0)]


def test_purge_after_its_table_leaves_the_name_free(session: SparkSession, events: Source) -> None:
    spark = session
    events.put([("a", 1, 1.0, 0)])
    create = f"CREATE STREAMING TABLE copied OPTIONS ({NOW}) {COPY}"
    for _ in range(2):
        run(spark, create)
        run(spark, "AWAIT STREAM copied")
        assert run(spark, "SELECT * FROM copied") == [("a", 0)]
        run(spark, "DROP TABLE copied")
        assert run(spark, "DROP STREAM copied PURGE") == [("default.copied", "purged")]


def test_a_stream_into_a_sink(session: SparkSession, events: Source, tmp_path: Path) -> None:
    spark = session
    events.put([("a", 1, 1.0, 0)])
    options = f"path '{tmp_path / 'out'}', {NOW}"
    run(spark, f"CREATE STREAM copied INTO json OPTIONS ({options}) {COPY}")
    run(spark, "AWAIT STREAM copied")
    assert "ALTER STREAM copied" in (refused(spark, "ALTER STREAMING TABLE copied PAUSE").hint or "")
    assert "cannot change" in refused(spark, "ALTER STREAM copied SET OPTIONS (path '/x')").problem
    run(spark, "ALTER STREAM copied SET OPTIONS (compression 'gzip')")
    events.put([("b", 2, 1.0, 1)])
    run(spark, "ALTER STREAM copied RESUME")
    run(spark, "AWAIT STREAM copied")
    assert {path.parent.name: path.suffix for path in (tmp_path / "out").glob("batch=*/part-*")} == {
        "batch=0": ".json",
        "batch=1": ".gz",
    }
    assert run(spark, "DROP STREAM copied PURGE") == [("default.copied", "purged")]
    assert spark.read.json(str(tmp_path / "out")).count() == 2


def test_the_shell_draws_the_rates(session: SparkSession, events: Source) -> None:
    from winsql.shell.result import fetch

    events.put([("a", 1, 1.0, 0)])
    run(session, f"CREATE STREAMING TABLE copied OPTIONS ({NOW}) {COPY}")
    run(session, "AWAIT STREAM copied")
    above = fetch(session, "SHOW STREAM copied").above or ""
    assert above.startswith("rows/s ")
    assert set(above) & set("▁▂▃▄▅▆▇█")
    assert fetch(session, "SHOW STREAMS").above is None


def test_other_processes_see_what_show_streams_shows(
    session: SparkSession, events: Source, capsys: pytest.CaptureFixture[str]
) -> None:
    from winsql.shell.cli import main
    from winsql.shell.metrics import MetricsServer, serving_metrics
    from winsql.shell.streams import of_session, show_streams

    events.put([("a", 1, 1.0, 0)])
    run(session, f"CREATE STREAMING TABLE copied OPTIONS ({NOW}) {COPY}")
    run(session, "AWAIT STREAM copied")
    (shown,) = winsql.sql(session, "SHOW STREAMS").collect()
    server = MetricsServer(0)
    with serving_metrics(server, session):
        assert main(["streams", "--url", server.url]) == 0
    there = capsys.readouterr().out
    show_streams(of_session(session), None)
    here = capsys.readouterr().out
    for out in (there, here):
        assert all(text in out for text in ("default.copied", shown.status, f"{shown.rows_per_second:,.1f}"))
