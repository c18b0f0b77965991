"""Starts of streams that Spark or winsql refuses: what was there before stays, and the statement can be run again."""

from __future__ import annotations

import re
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import winsql
from winsql.errors import Span, WindowPlanError
from winsql.spark.runner import is_connect
from winsql.spark.tables.notes import Record, properties_of, record_in
from winsql.spark.tables.places import require_other_source
from winsql.spark.tables.trying import tried_name
from winsql.syntax import Name

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.spark.streaming import Source

CREATE = "CREATE{} STREAMING TABLE {} OPTIONS (trigger 'available now'{}) AS SELECT k, n FROM events"
INTO = "STREAM kept INTO parquet OPTIONS (path '{}/kept', trigger 'available now') AS SELECT k, n FROM events"
HIDDEN_BY_SPARK = re.compile(r"(?i)secret|password|token|access[.]?key|url")


def run(spark: SparkSession, name: str, options: str = "", *, replace: bool = False) -> str:
    """Start the stream and run it to the end of its input; returns what was done."""
    text = CREATE.format(" OR REPLACE" if replace else "", name, options)
    done = str(winsql.sql(spark, text).collect()[0][1])
    assert winsql.sql(spark, f"AWAIT STREAM {name}").collect()[0][1] == "finished"
    return done


def test_no_word_that_spark_hides_is_in_a_record() -> None:
    identity = {"keys": "url, password"}
    record = Record("`spark_catalog`.`default`.`hourly`", "/my_token/é", identities=(identity,))
    kept = properties_of(record)
    assert not any(HIDDEN_BY_SPARK.search(text) for text in kept.values())
    assert record_in(kept) == record
    assert record_in({**kept, "winsql.stream.0": "*********(redacted)"}) is None


def test_records_of_earlier_versions_are_read() -> None:
    text = '{"stream": "`spark_catalog`.`default`.`x`", "checkpoint": "/c", "first_batch": 2}'
    record = record_in({"winsql.stream": "2", "winsql.stream.0": text[:20], "winsql.stream.1": text[20:]})
    assert record == Record("`spark_catalog`.`default`.`x`", "/c", first_batch=2)


def test_a_table_whose_name_has_a_word_that_spark_hides(session: SparkSession, events: Source, tmp_path: Path) -> None:
    checkpoint = f", checkpointLocation '{tmp_path}/my_token'"
    events.put([("a", 1, 1.0, 0)])
    assert run(session, "hourly", checkpoint) == "started"
    assert (tmp_path / "my_token" / "commits" / "0").exists()
    events.put([("a", 2, 1.0, 1)])
    assert run(session, "hourly", checkpoint) == "resumed"
    session.catalog.refreshTable("hourly")
    assert sorted(row.n for row in session.table("hourly").collect()) == [0, 1]
    assert run(session, "hourly", checkpoint, replace=True) == "started"


def test_a_record_that_the_session_hides_is_no_stream(session: SparkSession, events: Source) -> None:
    session.conf.set("spark.sql.redaction.options.regex", "[0-9a-f]{9}")
    try:
        with pytest.raises(WindowPlanError, match="does not give back what winsql has noted"):
            run(session, "noted")
    finally:
        session.conf.unset("spark.sql.redaction.options.regex")
    assert not session.catalog.tableExists("noted")
    events.put([("a", 1, 1.0, 0)])
    assert run(session, "noted") == "started"


def test_files_in_the_folder_of_a_checkpoint_stay(session: SparkSession, events: Source, tmp_path: Path) -> None:
    own = tmp_path / "data" / "sub" / "b.txt"
    own.parent.mkdir(parents=True)
    own.write_text("mine")
    with pytest.raises(WindowPlanError, match="has a file that is not of a stream: sub"):
        run(session, "copied", f", checkpointLocation '{tmp_path}/data'")
    assert own.read_text() == "mine"
    assert not session.catalog.tableExists("copied")


def test_a_stream_does_not_read_its_own_rows(session: SparkSession, events: Source, tmp_path: Path) -> None:
    events.put([("a", 1, 1.0, 0)])
    run(session, "kept_rows")
    winsql.sql(session, f"CREATE {INTO.format(tmp_path)}")
    winsql.sql(session, "AWAIT STREAM kept").collect()
    view = f"own (k STRING, n INT) USING parquet OPTIONS (path '{tmp_path}/kept')"
    winsql.sql(session, f"CREATE OR REPLACE STREAMING VIEW {view}")
    itself = CREATE.replace("events", "STREAM kept_rows")
    for text in (
        itself.format("", "kept_rows", ""),
        itself.format(" OR REPLACE", "kept_rows", ""),
        f"CREATE OR REPLACE {INTO.format(tmp_path)}".replace("events", "own"),
    ):
        with pytest.raises(WindowPlanError, match=r"the stream default\.kept(_rows)? would read its own rows"):
            winsql.sql(session, text)
    assert session.table("kept_rows").count() == 1
    assert session.read.parquet(f"{tmp_path}/kept").count() == 1
    winsql.sql(session, itself.format("", "copied", "")).collect()
    assert winsql.sql(session, "AWAIT STREAM copied").collect()[0][1] == "finished"
    assert session.table("copied").count() == 1


@pytest.mark.parametrize(
    ("source", "folder", "is_own"),
    [
        ("d", "d/out", True),
        ("d/*", "d/out", True),
        ("d/{in,[o]ut}", "d/out", True),
        ("d/*/batch=*", "d/out", True),
        ("link/*", "d/x/out", True),
        ("d/i*", "d/out", False),
        ("d/[^o]*", "d/out", False),
        ("d", "d/_out", False),
        ("d/*/in/*", "d/out", False),
        ("d2", "d", False),
    ],
)
def test_a_source_around_its_own_rows(
    spark: SparkSession, tmp_path: Path, source: str, folder: str, is_own: bool
) -> None:
    """Once there are some, Spark ends the stream at CONFLICTING_DIRECTORY_STRUCTURES, or reads them for ever."""
    for path in ("d/in/in", "d/out/batch=0", "d2"):
        (tmp_path / path).mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "d")
    reader = spark.readStream.schema("k STRING").format("json")
    with pytest.raises(WindowPlanError, match="read its own rows") if is_own else nullcontext():
        require_other_source(reader.load(f"{tmp_path}/{source}"), "s", [f"{tmp_path}/{folder}"])
    if is_connect(spark):
        return  # the server does not tell of options
    named = reader.option("pathGlobFilter", "*.json").load(f"{tmp_path}/{source}")
    require_other_source(named, "s", [f"{tmp_path}/{folder}"])


def test_a_query_of_the_same_name_runs(session: SparkSession, events: Source, tmp_path: Path) -> None:
    events.put([("a", 1, 1.0, 0)])
    assert run(session, "copied") == "started"
    into = (
        f"STREAM kept INTO parquet OPTIONS (path '{tmp_path}/kept', trigger 'available now') AS SELECT k, n FROM events"
    )
    assert winsql.sql(session, f"CREATE {into}").collect()[0][1] == "started"
    assert winsql.sql(session, "AWAIT STREAM kept").collect()[0][1] == "finished"
    others = [
        session.readStream.format("rate").load().writeStream.format("noop").queryName(f"default.{name}").start()
        for name in ("copied", "kept")
    ]
    try:
        for text in (CREATE.format(" OR REPLACE", "copied", ""), f"CREATE OR REPLACE {into}"):
            with pytest.raises(WindowPlanError, match=r"another query named default\.\w+ runs in this session"):
                winsql.sql(session, text)
    finally:
        for other in others:
            other.stop()
    assert session.table("copied").count() == 1
    assert session.read.parquet(f"{tmp_path}/kept").count() == 1
    assert run(session, "copied", replace=True) == "started"
    assert winsql.sql(session, f"CREATE OR REPLACE {into}").collect()[0][1] == "started"


def test_a_stream_into_files_that_spark_has_refused_to_start(
    session: SparkSession, events: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events.put([("a", 1, 1.0, 0)])
    into = f"CREATE {INTO.format(tmp_path)}"
    other = session.readStream.format("rate").load().writeStream.format("noop").queryName("default.kept").start()
    try:
        with monkeypatch.context() as patched:
            patched.setattr("winsql.spark.tables.sinks.start.require_startable", lambda *_: None)
            with pytest.raises(Exception, match="already active"):
                winsql.sql(session, into)
    finally:
        other.stop()
    assert winsql.sql(session, into).collect()[0][1] == "started"
    assert winsql.sql(session, "AWAIT STREAM kept").collect()[0][1] == "finished"


def test_a_stream_to_nowhere_goes_on_where_its_successor_cannot_start(session: SparkSession, events: Source) -> None:
    winsql.sql(session, "CREATE STREAM nowhere INTO noop AS SELECT k, n FROM events")
    with pytest.raises(WindowPlanError):
        winsql.sql(session, "CREATE OR REPLACE STREAM nowhere INTO noop AS SELECT k, n FROM events ORDER BY k")
    assert [query.name for query in session.streams.active] == ["default.nowhere"]


@pytest.mark.parametrize(
    "options", [", `a b` 'x'", ", compression 'bogus'", ", maxRecordsPerFile 'many'"], ids=["name", "codec", "number"]
)
def test_a_table_outlives_options_that_cannot_be(
    session: SparkSession, events: Source, tmp_path: Path, options: str
) -> None:
    events.put([("a", 1, 1.0, 0)])
    into = INTO.format(tmp_path)
    run(session, "kept_table")
    winsql.sql(session, f"CREATE {into}").collect()
    winsql.sql(session, "AWAIT STREAM kept")
    with pytest.raises(WindowPlanError) as caught:
        run(session, "kept_table", options, replace=True)
    assert caught.value.span is not None
    assert session.table("kept_table").count() == 1
    assert run(session, "kept_table") == "resumed"
    assert [table.tableName for table in session.sql("SHOW TABLES LIKE 'winsql*'").collect()] == []
    if "`" not in options:  # Spark's writers leave out options that they do not know
        with pytest.raises(WindowPlanError, match="cannot be written"):
            winsql.sql(session, "CREATE OR REPLACE " + into.replace(", trigger", f"{options}, trigger"))
        assert session.read.parquet(f"{tmp_path}/kept").count() == 1
        assert winsql.sql(session, f"CREATE {into}").collect()[0][1] == "resumed"
    assert not [*tmp_path.rglob("_winsql_tried*")]


@pytest.mark.parametrize("path", ["", "/kept"])
def test_a_new_table_keeps_no_options_that_cannot_be(
    session: SparkSession, events: Source, tmp_path: Path, path: str
) -> None:
    events.put([("a", 1, 1.0, 0)])
    options = f", path '{tmp_path}{path}'" if path else ""
    with pytest.raises(WindowPlanError, match=r"cannot be written: .*codec") as caught:
        run(session, "kept_rows", f"{options}, compression 'bogus'")
    assert caught.value.span is not None
    assert not session.catalog.tableExists("kept_rows")
    assert not (tmp_path / "kept").exists()
    assert run(session, "kept_rows", f"{options}, compression 'gzip'") == "started"
    assert session.table("kept_rows").count() == 1


def test_a_start_that_was_killed_while_it_tried_is_no_table(
    session: SparkSession, events: Source, tmp_path: Path
) -> None:
    tried = tmp_path / "kept" / "_winsql_tried" / "part-00000.parquet"
    tried.parent.mkdir(parents=True)
    tried.write_text("what is left of a row")
    events.put([("a", 1, 1.0, 0)])
    assert run(session, "kept_rows", f", path '{tmp_path}/kept', compression 'gzip'") == "started"
    assert session.table("kept_rows").count() == 1
    assert not tried.parent.exists()


def test_what_a_killed_start_has_tried_is_dropped(session: SparkSession, events: Source, tmp_path: Path) -> None:
    """A catalog that outlives its process keeps such tables."""
    name = Name(("spark_catalog", "default", "kept_rows"), Span(0, 0))
    session.sql(f"CREATE TABLE {tried_name(name._replace(parts=(*name.parts[:2], 'others')))} (k INT) USING parquet")
    for done in ("started", "resumed"):
        session.sql(f"CREATE TABLE {tried_name(name)} (k INT) USING parquet LOCATION '{tmp_path}/tried'")
        events.put([("a", 1, 1.0, 0)])
        assert run(session, "kept_rows") == done
        (left,) = session.sql("SHOW TABLES LIKE 'winsql_tried_*'").collect()
        assert left.tableName not in str(tried_name(name))


def test_a_new_stream_into_files_keeps_no_options_that_cannot_be(
    session: SparkSession, events: Source, tmp_path: Path
) -> None:
    events.put([("a", 1, 1.0, 0)])
    into = INTO.format(tmp_path)
    with pytest.raises(WindowPlanError, match=r"cannot be written: .*codec") as caught:
        winsql.sql(session, "CREATE " + into.replace(", trigger", ", compression 'bogus', trigger"))
    assert caught.value.span is not None
    assert not (tmp_path / "kept").exists()
    assert winsql.sql(session, f"CREATE {into}").collect()[0][1] == "started"
    assert winsql.sql(session, "AWAIT STREAM kept").collect()[0][1] == "finished"
