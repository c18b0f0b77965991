"""Streaming tables in sessions with other settings, and in other places: what they hold, and what is said."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from session_settings import DOUBLE_QUOTED, ESCAPED, NEW_YORK, NTZ, settings

import winsql
from winsql.errors import WindowPlanError

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from tests.spark.streaming import Source

WINDOWS = "SELECT k, window_start, max(ts) AS last FROM events WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k"


def run(spark: SparkSession, name: str, rest: str) -> None:
    winsql.sql(spark, f"CREATE STREAMING TABLE {name} {rest}").collect()
    assert winsql.sql(spark, f"AWAIT STREAM {name}").collect()[0][1] == "finished"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["parquet", "csv", "json", "orc"])
def test_timestamps_are_instants_whatever_the_session_calls_them(
    session: SparkSession, events: Source, kind: str
) -> None:
    events.put([("a", 1.0, 1.0, 0), ("a", 60.0, 1.0, 1)], [("end", 600.0, 1.0, 2)])
    with settings(session, NTZ):
        run(session, f"kept_{kind}", f"USING {kind} OPTIONS (trigger 'available now') AS {WINDOWS}")
    table = session.table(f"kept_{kind}")
    assert [field.dataType.simpleString() for field in table.schema] == ["string", "timestamp", "timestamp"]
    first = table.orderBy("last").first()
    assert first is not None
    assert (first.last - first.window_start).total_seconds() == 1
    assert isinstance(first.window_start, datetime)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["csv", "json"])
def test_times_of_zones_whose_offset_had_seconds(session: SparkSession, events: Source, kind: str) -> None:
    """In tables of earlier versions too, which were made without a zone: the first start makes such a one."""
    old = "TIMESTAMP '1800-01-01 00:00:00.5Z'"
    nested = f", array({old}) AS a" if kind == "json" else ""
    query = f"AS SELECT k, {old} AS t, ts{nested} FROM events"
    events.put([("a", 1.0, 1.0, 0)])
    with settings(session, NEW_YORK):
        earlier = "timestampFormat \"yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX\", trigger 'available now'"
        run(session, f"old_{kind}", f"USING {kind} OPTIONS ({earlier}) {query}")
        events.put([("b", 1.0, 1.0, 0)])
        run(session, f"old_{kind}", f"USING {kind} OPTIONS (trigger 'available now') {query}")
        run(session, f"new_{kind}", f"USING {kind} OPTIONS (trigger 'available now') {query}")
    for table, keys in ((f"old_{kind}", ["b"]), (f"new_{kind}", ["a", "b"])):
        exact = session.table(table).where(f"t = {old}" + (f" AND a[0] = {old}" if nested else ""))
        assert sorted(row.k for row in exact.collect()) == keys
        assert session.table(table).where("ts = TIMESTAMP '2024-01-01 00:00:01Z'").count() == 2


@pytest.mark.slow
@pytest.mark.since("4.3")
def test_late_rows_where_spark_compares_schemas(session: SparkSession, events: Source) -> None:
    """And firings with values in them that are never NULL."""
    query = WINDOWS.replace("max(ts) AS last", "max(struct(1 AS one)) AS s, collect_list(1) AS ones")
    events.put([("a", 1.0, 1.0, 0), ("a", 60.0, 1.0, 1)], [("a", 2.0, 1.0, 2)])
    with settings(session, {"spark.sql.execution.arrow.pyspark.validateSchema.enabled": "true"}):
        run(session, "compared", f"OPTIONS (trigger 'available now') LATE INTO late_compared AS {query}")
    assert [row.n for row in session.table("late_compared").collect()] == [2]


CONSTANTS_ONLY = {"spark.sql.legacy.parameterSubstitution.constantsOnly": "true"}


@pytest.mark.slow
@pytest.mark.parametrize("given", [ESCAPED, CONSTANTS_ONLY], ids=["escaped", "constants"])
def test_values_come_back_whatever_strings_are_to_the_session(
    session: SparkSession, events: Source, given: dict[str, str]
) -> None:
    """Formats of times and NULL have quotes and backslashes, and so may the statement have that the table knows."""
    events.put([("a", 1.0, 1.0, 0), ("a", 2.0, 1.0, 1)], [("end", 600.0, 1.0, 2)])
    items = 'max(ts) AS last, max(nullif(k, k)) AS nothing, max("it\'s") AS said'
    name = "said_escaped" if given is ESCAPED else "said_in_constants"
    with settings(session, given):
        rest = f"USING csv OPTIONS (trigger 'available now') AS {WINDOWS.replace('max(ts) AS last', items)}"
        run(session, name, rest)
        run(session, name, rest)
    (row,) = session.table(name).collect()
    assert ((row.last - row.window_start).total_seconds(), row.nothing, row.said) == (2, None, "it's")


@pytest.mark.slow
def test_a_format_that_no_string_of_the_session_can_say(session: SparkSession, events: Source) -> None:
    events.put([("a", 1.0, 1.0, 0)])
    with (
        settings(session, {**ESCAPED, **DOUBLE_QUOTED}),
        pytest.raises(WindowPlanError, match="cannot be said to Spark"),
    ):
        winsql.sql(session, f"CREATE STREAMING TABLE unsaid USING csv OPTIONS (trigger 'available now') AS {WINDOWS}")
    assert not session.catalog.tableExists("unsaid")


@pytest.mark.slow
def test_a_folder_inside_another_one(session: SparkSession, events: Source, tmp_path: Path) -> None:
    events.put([("a", 1.0, 1.0, 0)])
    options = f"trigger 'available now', path '{tmp_path}/outer"
    run(session, "outer_table", f"OPTIONS ({options}') AS {WINDOWS}")
    run(session, "beside", f"OPTIONS ({options}_too') AS {WINDOWS}")
    for text in (
        f"CREATE STREAMING TABLE inner_table OPTIONS ({options}/deep/inner') AS {WINDOWS}",
        f"CREATE STREAM into_files INTO parquet OPTIONS ({options}/inner') AS SELECT k FROM events",
    ):
        with pytest.raises(WindowPlanError, match=r"is inside .*/outer, the folder of"):
            winsql.sql(session, text)


@pytest.mark.slow
def test_other_partitions_are_named(session: SparkSession, events: Source) -> None:
    events.put([("a", 1.0, 1.0, 0)])
    rest = f"OPTIONS (trigger 'available now') AS {WINDOWS}"
    run(session, "grouped", rest)
    with settings(session, {"spark.sql.shuffle.partitions": "20"}), pytest.raises(WindowPlanError) as caught:
        run(session, "grouped", rest)
    assert "key groups: 16, and not 40" in caught.value.problem
    assert caught.value.hint == "SET spark.sql.shuffle.partitions = 8"


@pytest.mark.slow
def test_what_keeps_nothing_begins_anew_where_the_session_has_a_folder_for_checkpoints(
    session: SparkSession, events: Source, tmp_path: Path
) -> None:
    events.put([("a", 1.0, 1.0, 0)])
    folder = {"spark.sql.streaming.checkpointLocation": str(tmp_path / "all")}
    with settings(session, folder):
        for _ in range(2):
            winsql.sql(
                session, "CREATE STREAM anew INTO memory OPTIONS (trigger 'available now') AS SELECT k FROM events"
            )
            assert winsql.sql(session, "AWAIT STREAM anew").collect()[0][1] == "finished"
            assert session.table("anew").count() == 1
        assert (
            winsql.sql(session, "CREATE OR REPLACE STREAM anew INTO memory AS SELECT k FROM events").collect()[0][1]
            == "started"
        )
        assert session.conf.get(*folder) == folder.popitem()[1]
    assert not (tmp_path / "all").exists()


@pytest.mark.slow
def test_what_a_sink_refuses_comes_without_a_traceback(session: SparkSession, events: Source, tmp_path: Path) -> None:
    events.put([("a", 1.0, 1.0, 0)])
    places = f"path '{tmp_path}/text', checkpointLocation '{tmp_path}/kept', trigger 'available now'"
    winsql.sql(session, f"CREATE STREAM as_text INTO text OPTIONS ({places}) AS SELECT k, n FROM events").collect()
    with pytest.raises(Exception, match="Text datasource doesn't support the column `n`") as caught:
        winsql.sql(session, "AWAIT STREAM as_text").collect()
    assert "Traceback" not in str(caught.value)
    said = winsql.sql(session, "SHOW STREAMS").where("error LIKE '%Text datasource%'").count()
    assert said == 1


@pytest.mark.slow
def test_the_state_beside_a_path_with_a_blank(session: SparkSession, events: Source, tmp_path: Path) -> None:
    events.put([("a", 1.0, 1.0, 0)])
    run(session, "spaced", f"OPTIONS (trigger 'available now', path '{tmp_path}/a%b c') AS {WINDOWS}")
    with pytest.raises(WindowPlanError, match="a blank, %, # or a letter beyond ASCII in its path"):
        winsql.sql(session, "SHOW WINDOW STATE OF spaced").collect()


@pytest.mark.slow
def test_a_file_that_is_gone_before_its_micro_batch_is_done(
    session: SparkSession, events: Source, tmp_path: Path
) -> None:
    events.put([("a", 1.0, 1.0, 0)])
    rest = f"OPTIONS (trigger 'available now', path '{tmp_path}/rows') AS SELECT k, 10 DIV n AS x FROM events"
    with pytest.raises(Exception, match="DIVIDE_BY_ZERO"):
        run(session, "divided", rest)
    (file,) = events.folder.glob("*.parquet")
    file.rename(tmp_path / "away")
    for statement in (f"CREATE STREAMING TABLE divided {rest}", "ALTER STREAM divided RESUME"):
        with pytest.raises(WindowPlanError, match=rf"the file .*{file.name} is gone"):
            winsql.sql(session, statement).collect()
    with settings(session, {"spark.sql.files.ignoreMissingFiles": "true"}):
        run(session, "divided", rest)
    assert session.table("divided").count() == 0
