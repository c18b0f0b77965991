"""Streaming tables that lost or forged what winsql notes with them: nothing foreign goes, nothing repeats."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import winsql
from winsql.errors import WindowDataError, WindowPlanError
from winsql.spark.runner import is_connect
from winsql.spark.tables import catalog
from winsql.spark.tables.files import BatchFiles, Place
from winsql.spark.tables.folders import empty_folder
from winsql.spark.tables.registry import streams_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.spark.streaming import Source

COPY = "SELECT k, n FROM events"


def start(spark: SparkSession, path: Path | None, *more: str, create: str = "CREATE", query: str = COPY) -> str:
    """Run the statement to the end of its input; returns what it did."""
    place = [] if path is None else [f"path '{path}'"]
    options = ", ".join(["trigger 'available now'", *place, *more])
    text = f"{create} STREAMING TABLE copied OPTIONS ({options}) AS {query}"
    done = str(winsql.sql(spark, text).collect()[0][1])
    assert winsql.sql(spark, "AWAIT STREAM copied").collect()[0][1] == "finished"
    return done


def refused(spark: SparkSession, path: Path | None, *more: str, **rest: Any) -> WindowPlanError:
    with pytest.raises(WindowPlanError) as caught:
        start(spark, path, *more, **rest)
    assert caught.value.span is not None
    assert caught.value.rule
    assert caught.value.hint
    return caught.value


def numbers(spark: SparkSession) -> list[int]:
    spark.catalog.refreshTable("copied")
    return sorted(row.n for row in spark.table("copied").collect())


@pytest.mark.slow
def test_rows_without_their_checkpoint_are_not_repeated(session: SparkSession, events: Source, tmp_path: Path) -> None:
    spark, path = session, tmp_path / "copied"
    events.put([("a", 1, 1.0, 0)], [("a", 2, 1.0, 1)], [("a", 3, 1.0, 2)])
    assert start(spark, path) == "started"
    older = tmp_path / "older"
    shutil.copytree(path / "_checkpoint", older)
    for name in (f"{kind}/{number}" for kind in ("offsets", "commits") for number in (1, 2)):
        (older / name).unlink()
    kept = path / "_checkpoint"
    shutil.move(kept, tmp_path / "newest")
    assert "is gone" in refused(spark, path).problem
    shutil.copytree(older, kept)
    assert "has the rows of micro-batch 2, its checkpoint" in refused(spark, path, "resume 'append'").problem
    shutil.rmtree(kept)
    shutil.copytree(tmp_path / "newest", kept)
    assert start(spark, path, "resume 'append'") == "resumed"  # nothing is appended where the checkpoint is there
    assert numbers(spark) == [0, 1, 2]
    shutil.rmtree(kept)
    for old in (0, 1):
        (events.folder / f"{old:05}.parquet").unlink()
    events.put([("a", 4, 1.0, 3)])
    assert start(spark, path, "resume 'append'") == "resumed"
    assert numbers(spark) == [0, 1, 2, 2, 3]
    spark.sql("DROP TABLE copied")  # the catalog forgets it, the files and their note stay
    events.put([("a", 5, 1.0, 4)])
    assert start(spark, path) == "resumed"
    assert numbers(spark) == [0, 1, 2, 2, 3, 4]
    assert sorted(place.name for place in path.glob("batch=*")) == [f"batch={number}" for number in range(6)]
    shutil.rmtree(kept)
    assert start(spark, path, create="CREATE OR REPLACE") == "started"
    assert numbers(spark) == [2, 3, 4]


@pytest.mark.parametrize("into", ["table", "sink"])
def test_what_was_begun_and_not_recorded_is_begun_again(
    session: SparkSession, events: Source, tmp_path: Path, into: str
) -> None:
    path = tmp_path / "copied"
    events.put([("a", 1, 1.0, 0)])
    checkpoint = path / "_checkpoint" if into == "table" else tmp_path / "noted"
    options = f"OPTIONS (trigger 'available now', path '{path}'"
    text = f"CREATE STREAMING TABLE copied {options}) AS {COPY}"
    if into == "sink":
        text = f"CREATE STREAM copied INTO parquet {options}, checkpointLocation '{checkpoint}') AS {COPY}"
    assert str(winsql.sql(session, text).collect()[0][1]) == "started"
    winsql.sql(session, "AWAIT STREAM copied")
    shutil.rmtree(path / "batch=0")
    for part in ("offsets", "commits"):  # as a process leaves them that is killed while it writes the first offsets
        shutil.rmtree(checkpoint / part)
        (checkpoint / part).mkdir()
    written = ".0.3fc03782-94b7-44f8-a551-ad246a645047.tmp"
    (checkpoint / "offsets" / written).touch()
    (checkpoint / "offsets" / f".{written}.crc").touch()
    assert str(winsql.sql(session, text).collect()[0][1]) == "resumed"
    assert winsql.sql(session, "AWAIT STREAM copied").collect()[0][1] == "finished"
    assert [row.n for row in session.read.parquet(str(path / "batch=0")).collect()] == [0]


def foreign(tmp_path: Path) -> Path:
    """A checkpoint of somebody else, which looks like one."""
    folder = tmp_path / "foreign"
    folder.mkdir()
    (folder / "metadata").write_text('{"id":"x"}')
    (folder / "thesis.txt").write_text("years of work")
    return folder


@pytest.mark.slow
def test_a_forged_record_deletes_and_writes_nothing_foreign(
    session: SparkSession, events: Source, tmp_path: Path
) -> None:
    from winsql.spark.tables.catalog import find_table
    from winsql.spark.tables.notes import Record, properties_of

    spark, other = session, foreign(tmp_path)
    before = {path.name: path.read_text() for path in other.iterdir()}
    events.put([("a", 1, 1.0, 0)])
    start(spark, None)
    table = find_table(spark, "copied")
    assert table is not None
    assert table.record is not None
    forged = Record(table.record.stream, str(other), None, table.record.identities)
    pairs = ", ".join(f"'{key}' = '{value}'" for key, value in properties_of(forged).items())
    spark.sql(f"ALTER TABLE copied SET TBLPROPERTIES ({pairs})")
    assert f"checkpointLocation was {other} and is nothing" in refused(spark, None).problem
    assert start(spark, None, create="CREATE OR REPLACE") == "started"
    assert {path.name: path.read_text() for path in other.iterdir()} == before

    path = tmp_path / "copied"
    assert start(spark, path, create="CREATE OR REPLACE") == "started"
    spark.sql("DROP TABLE copied")
    note = next((path / "_winsql").glob("part-*"))
    found = json.loads(note.read_text())
    found["record"]["checkpoint"] = str(other)
    (path / "linked").symlink_to(other, target_is_directory=True)
    rewrite(note, json.dumps(found))
    assert f"checkpointLocation was {other} and is nothing" in refused(spark, path).problem
    assert start(spark, path, create="CREATE OR REPLACE") == "started"
    assert numbers(spark) == [0]
    assert {path.name: path.read_text() for path in other.iterdir()} == before


def test_files_that_no_note_claims_stay(session: SparkSession, events: Source, tmp_path: Path) -> None:
    spark, other = session, foreign(tmp_path)
    events.put([("a", 1, 1.0, 0)])
    start(spark, None)
    properties = {row.key: row.value for row in spark.sql("SHOW TBLPROPERTIES copied").collect()}
    pairs = ", ".join(f"'{key}' = '{value}'" for key, value in properties.items() if key.startswith("winsql."))
    spark.sql("DROP TABLE copied")
    spark.sql(f"CREATE TABLE copied (k STRING, n INT) USING parquet LOCATION '{other}' TBLPROPERTIES ({pairs})")
    assert "says that its files are those of" in refused(spark, None, create="CREATE OR REPLACE").problem
    assert sorted(path.name for path in other.iterdir()) == ["metadata", "thesis.txt"]


def test_a_damaged_note_is_named(session: SparkSession, events: Source, tmp_path: Path) -> None:
    spark, path = session, tmp_path / "copied"
    events.put([("a", 1, 1.0, 0)])
    start(spark, path)
    spark.sql("DROP TABLE copied")
    note = next((path / "_winsql").glob("part-*"))
    for text in (note.read_text()[:50], "", "\0\1\2"):
        rewrite(note, text)
        error = refused(spark, path)
        assert f"the note {path}/_winsql cannot be read: it is no JSON" in error.problem
    rows = spark.read.parquet(f"{path}/batch=0").collect()
    assert [tuple(row) for row in rows] == [("a", 0)]


def rewrite(file: Path, text: str) -> None:
    """Write a file without what Spark remembers of its bytes."""
    file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
    file.write_text(text)


NAMES = ["a``b", "a/b", "it's", 'q"t', "a\0b", "a:b", "..", "a*b", "n" * 201, "a\nb", "ä"]
PLACES = ["{}/a*b", "{}/a?b", "{}/{{a}}", "{}/[a]", "{}/a\0b", "{}/a\nb", "", " "]


def test_names_and_places_that_cannot_be(session: SparkSession, events: Source, tmp_path: Path) -> None:
    spark = session
    before = sorted(path.name for path in tmp_path.iterdir())
    for name in NAMES:
        for statement in ("CREATE STREAMING TABLE `{}` AS SELECT k FROM events", "STOP STREAM `{}`"):
            with pytest.raises(WindowPlanError, match="cannot be the name of a stream") as caught:
                winsql.sql(spark, statement.format(name))
            assert caught.value.span is not None
        late = "SELECT k FROM events WINDOW ASSIGN TUMBLING(ts, '1 day') GROUP BY k"
        with pytest.raises(WindowPlanError, match="cannot be the name of a stream"):
            winsql.sql(spark, f"CREATE STREAMING TABLE fine LATE INTO `{name}` AS {late}")
    with pytest.raises(WindowPlanError, match="'a b' cannot be the name of a database"):
        winsql.sql(spark, "CREATE STREAMING TABLE `a b`.fine AS SELECT k FROM events")
    for place in PLACES:
        for option in ("path", "checkpointLocation"):
            written = place.format(tmp_path)
            with pytest.raises(WindowPlanError, match=r"is empty|has the character") as caught:
                winsql.sql(spark, f"CREATE STREAMING TABLE fine OPTIONS ({option} '{written}') AS SELECT k FROM events")
            assert caught.value.span is not None
    assert not spark.catalog.tableExists("fine")
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_stream_that_has_ended_leaves_no_thread(session: SparkSession, events: Source) -> None:
    import threading

    events.put([("a", 1, 1.0, 0)])
    start(session, None)
    known = set(threading.enumerate())
    for number in (1, 2):
        events.put([("a", 1 + number, 1.0, number)])
        start(session, None)
    left = set(threading.enumerate()) - known
    for thread in left:
        thread.join(30)
    assert not any(thread.is_alive() for thread in left)


@pytest.mark.slow
def test_rows_that_are_gone_are_missed(session: SparkSession, events: Source, tmp_path: Path) -> None:
    spark, path = session, tmp_path / "copied"
    checkpoint = f"checkpointLocation '{tmp_path / 'kept'}'"
    events.put([("a", 1, 1.0, 0)], [("a", 2, 1.0, 1)])
    assert start(spark, path, checkpoint) == "started"
    shutil.copytree(path / "batch=1", tmp_path / "newest")
    shutil.rmtree(path / "batch=1")
    events.put([("a", 3, 1.0, 2)])
    assert "has lost the rows of micro-batch 1" in refused(spark, path, checkpoint).problem
    shutil.copytree(tmp_path / "newest", path / "batch=1")
    assert start(spark, path, checkpoint) == "resumed"
    assert numbers(spark) == [0, 1, 2]
    repeat(tmp_path / "kept", 2)
    shutil.rmtree(path / "batch=2")
    assert start(spark, path, checkpoint) == "resumed"  # this one has not ended: it is done again
    assert numbers(spark) == [0, 1, 2]
    repeat(tmp_path / "kept", 2)
    shutil.rmtree(path)
    assert "has lost the rows of micro-batch 1" in refused(spark, path, checkpoint).problem
    assert start(spark, path, checkpoint, "resume 'append'") == "resumed"
    assert numbers(spark) == [2]
    (tmp_path / "kept" / "._winsql_newest").touch()  # as a process leaves it that is killed while it writes it
    assert start(spark, path, checkpoint, create="CREATE OR REPLACE") == "started"
    assert numbers(spark) == [0, 1, 2]
    assert (tmp_path / "kept" / "_winsql_newest").read_text() == '{"rows": [1, 2]}'


def test_a_folder_that_is_deleted_while_a_stream_runs(spark: SparkSession, tmp_path: Path) -> None:
    rows = spark.range(1)
    files = BatchFiles(Place(str(tmp_path / "copied"), "parquet", rows.schema, {}), None)
    for number in (0, 1):
        files(rows, None, number)
    shutil.rmtree(tmp_path / "copied")
    with pytest.raises(WindowDataError, match="copied has been deleted while the stream ran"):
        files(rows, None, 2)
    assert not (tmp_path / "copied").exists()


@pytest.mark.parametrize("change", ["DROP TABLE copied", "ALTER TABLE copied RENAME TO other"])
@pytest.mark.parametrize("has_path", [True, False])
def test_a_table_that_is_gone_while_its_stream_runs(
    session: SparkSession, events: Source, tmp_path: Path, change: str, has_path: bool
) -> None:
    if is_connect(session):
        pytest.skip("the server's streams look for no table")
    path = tmp_path / "copied" if has_path else None
    events.put([("a", 1, 1.0, 0)])
    place = f"OPTIONS (path '{path}') " if has_path else ""
    winsql.sql(session, f"CREATE STREAMING TABLE copied {place}AS {COPY}").collect()
    (stream,) = streams_of(session).values()
    stream.query.processAllAvailable()
    session.sql(change)
    events.put([("a", 2, 1.0, 1)])
    with pytest.raises(WindowDataError, match="copied has been dropped or renamed while the stream ran"):
        winsql.sql(session, "AWAIT STREAM copied")
    if not has_path and "RENAME" in change:
        session.sql("ALTER TABLE other RENAME TO copied")
    assert start(session, path) == ("resumed" if has_path or "RENAME" in change else "started")
    assert numbers(session) == [0, 1]


def test_a_table_that_is_moved(session: SparkSession, events: Source, tmp_path: Path) -> None:
    if is_connect(session):
        pytest.skip("the server's streams look for no table")
    path = tmp_path / "copied"
    events.put([("a", 1, 1.0, 0)])
    winsql.sql(session, f"CREATE STREAMING TABLE copied OPTIONS (path '{path}') AS {COPY}").collect()
    (stream,) = streams_of(session).values()
    stream.query.processAllAvailable()
    session.sql(f"ALTER TABLE copied SET LOCATION '{tmp_path}/moved'")
    events.put([("a", 2, 1.0, 1)])
    with pytest.raises(WindowDataError, match=f"copied has been moved to {tmp_path}/moved while the stream") as caught:
        winsql.sql(session, "AWAIT STREAM copied")
    assert (
        f"copied has its rows in {tmp_path}/moved, and the statement says path {path}" in refused(session, path).problem
    )
    assert not (tmp_path / "moved").exists()
    session.sql(str(caught.value.hint).partition(", and")[0])
    assert start(session, path) == "resumed"
    assert numbers(session) == [0, 1]


def test_a_table_without_a_path_that_is_moved(session: SparkSession, events: Source, tmp_path: Path) -> None:
    events.put([("a", 1, 1.0, 0)])
    assert start(session, None) == "started"
    session.sql(f"ALTER TABLE copied SET LOCATION '{tmp_path}/moved'")
    error = refused(session, None)
    assert f"copied is in {tmp_path}/moved now, its rows and its checkpoint are in /" in error.problem
    session.sql(str(error.hint).partition(", and")[0])
    assert start(session, None) == "resumed"
    assert numbers(session) == [0]


def test_a_table_that_has_got_a_column(session: SparkSession, events: Source, tmp_path: Path) -> None:
    events.put([("a", 1, 1.0, 0)])
    start(session, tmp_path / "copied")
    session.sql("ALTER TABLE copied SET TBLPROPERTIES ('a' = 'b')")
    session.sql("ALTER TABLE copied ALTER COLUMN n COMMENT 'a number'")
    assert start(session, tmp_path / "copied") == "resumed"
    session.sql("ALTER TABLE copied ADD COLUMN c INT")
    error = refused(session, tmp_path / "copied")
    assert "copied has other columns than the statement gives" in error.problem
    assert "take back what ALTER TABLE has changed" in str(error.hint)


def test_a_micro_batch_that_another_process_has_written(spark: SparkSession, tmp_path: Path) -> None:
    """A run repeats its first micro-batch alone; others are another one's, with a copy of the checkpoint."""
    rows = spark.range(1)
    place = Place(str(tmp_path / "copied"), "parquet", rows.schema, {})
    (tmp_path / "copied/batch=1").mkdir(parents=True)  # without rows
    first, second = BatchFiles(place, None), BatchFiles(place, None)
    for number in (0, 1):
        first(rows, None, number)
    second(rows, None, 1)
    first(rows, None, 2)
    with pytest.raises(WindowDataError, match="copied/batch=2 has been written by another process"):
        second(spark.range(2), None, 2)
    assert Counter(spark.read.parquet(place.path).select("batch").collect()) == Counter([(0,), (1,), (2,)])


def test_the_newest_rows_of_a_folder_are_missed(session: SparkSession, events: Source, tmp_path: Path) -> None:
    out, late = tmp_path / "out", tmp_path / "late"

    def create(options: str, late_options: str = "") -> str:
        into = f"json OPTIONS (path '{out}', trigger 'available now'{options})"
        into += f" LATE INTO csv OPTIONS (path '{late}'{late_options})"
        query = "SELECT k, count(*) AS n FROM events WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 SECOND) GROUP BY k"
        (row,) = winsql.sql(session, f"CREATE STREAM s INTO {into} AS {query}").collect()
        winsql.sql(session, "AWAIT STREAM s")
        return str(row[1])

    events.put([("a", 1, 1.0, 0)], [("a", 5, 1.0, 1)], [("a", 2, 1.0, 2)], [("a", 9, 1.0, 3)])
    create("")
    oldest, *_, newest = sorted(out.glob("batch=*"))
    shutil.rmtree(oldest)  # a reader may have taken it away
    assert create("") == "resumed"
    shutil.rmtree(newest)
    with pytest.raises(WindowPlanError, match=r"path \S*/out has lost the rows of micro-batch \d+, which the check"):
        create("")
    assert create(", Resume ' APPEND '") == "resumed"
    events.put([("a", 20, 1.0, 4)])
    create(", resume 'append'")
    assert create("") == "resumed"
    (found,) = late.glob("batch=*")
    shutil.rmtree(found)
    with pytest.raises(WindowPlanError, match=r"path \S*/late has lost the rows of micro-batch"):
        create("")
    assert create("", ", resume 'append'") == "resumed"
    with pytest.raises(WindowPlanError, match="anew is no way to resume"):
        create(", resume 'anew'")


def repeat(checkpoint: Path, number: int) -> None:
    """Take the record that a micro-batch has ended away, as by hand: its checksum stays."""
    (checkpoint / "commits" / str(number)).unlink()


def test_late_rows_that_are_gone_are_missed(session: SparkSession, events: Source, tmp_path: Path) -> None:
    path = tmp_path / "counted"
    text = (
        f"CREATE STREAMING TABLE counted OPTIONS (trigger 'available now', path '{path}') LATE INTO late AS "
        "SELECT k, count(*) AS n FROM events WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 SECOND) GROUP BY k"
    )
    events.put([("a", 1, 1.0, 0)], [("a", 5, 1.0, 1)], [("a", 2, 1.0, 2)], [("a", 9, 1.0, 3)])
    winsql.sql(session, text)
    winsql.sql(session, "AWAIT STREAM counted")
    (late,) = (path / "_late").glob("batch=*")
    shutil.rmtree(late)
    with pytest.raises(WindowPlanError, match=r"_late has lost the rows of micro-batch \d+"):
        winsql.sql(session, text)


def test_a_checkpoint_without_its_metadata(session: SparkSession, events: Source, tmp_path: Path) -> None:
    path = tmp_path / "copied"
    events.put([("a", 1, 1.0, 0)])
    start(session, path)
    (path / "_checkpoint" / "metadata").write_bytes(b"")
    assert "_checkpoint/metadata cannot be read: it held the name" in refused(session, path).problem
    (path / "_checkpoint" / "metadata").unlink()
    if session.conf.isModifiable("spark.sql.streaming.checkpoint.verifyMetadataExists.enabled"):
        assert "_checkpoint/metadata cannot be read: it held the name" in refused(session, path).problem


@pytest.mark.slow
def test_columns_that_a_source_has_got(session: SparkSession) -> None:
    def begin(relation: str) -> str:
        text = (
            "CREATE STREAMING TABLE counted OPTIONS (trigger 'available now') LATE INTO late AS "
            f"SELECT k, count(*) AS n FROM {relation} WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 SECOND) GROUP BY k"
        )
        return str(winsql.sql(session, text).collect()[0][1])

    relation = "STREAM grown WATERMARK ts DELAY OF INTERVAL 0 SECONDS"
    session.sql("CREATE TABLE grown (k STRING, ts TIMESTAMP) USING parquet")
    session.sql("INSERT INTO grown VALUES ('a', TIMESTAMP'2024-05-01 10:00:00')")
    assert begin(relation) == "started"
    winsql.sql(session, "AWAIT STREAM counted")
    session.sql("ALTER TABLE grown ADD COLUMNS (w INT)")
    session.sql("INSERT INTO grown VALUES ('a', TIMESTAMP'2024-05-01 11:00:00', 1)")
    with pytest.raises(WindowPlanError, match=r"columns of the late rows were .* and are .*, w int") as caught:
        begin(relation)
    assert "read FROM (SELECT k, ts FROM ...)" in str(caught.value.hint)
    assert begin(f"(SELECT k, ts FROM {relation})") == "resumed"
    assert winsql.sql(session, "AWAIT STREAM counted").collect()[0][1] == "finished"
    session.catalog.refreshTable("counted")
    assert [tuple(row) for row in session.table("counted").collect()] == [("a", 1)]


@pytest.mark.slow
def test_a_replacement_that_is_killed_leaves_nothing_to_go_on_with(
    session: SparkSession, events: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spark, path = session, tmp_path / "copied"
    events.put([("a", 1, 1.0, 0)], [("a", 2, 1.0, 1)])
    start(spark, path)

    def killed(spark: SparkSession, folder: str, keep: Sequence[str] = ()) -> None:
        if folder.endswith("/_checkpoint"):
            return empty_folder(spark, folder, keep)
        shutil.rmtree(path / "batch=0")
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(catalog, "empty_folder", killed)
        with pytest.raises(KeyboardInterrupt):
            start(spark, path, create="CREATE OR REPLACE")
    assert "has rows and its checkpoint" in refused(spark, path).problem
    assert start(spark, path, create="CREATE OR REPLACE") == "started"
    assert numbers(spark) == [0, 1]
