"""Folders and tables of a stream are its own: no other stream writes there, and nothing else is deleted there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streaming import Source
from test_catalog_tables import catalog
from test_sinks import MORE, NOW, PER_TEN, ROWS, finished, refused, rows_in, run

import winsql
from winsql.errors import WindowPlanError
from winsql.spark.runner import is_connect
from winsql.spark.tables.claims import claimed
from winsql.spark.tables.registry import streams_of
from winsql.spark.tables.sinks.notes import read_note, write_note

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["catalog"]

EXPECTED = Counter([("a", 1.0), ("b", 2.0)])


def sums(out: Path | str, options: str = NOW) -> str:
    return f"CREATE STREAM sums INTO parquet OPTIONS (path '{out}', {options}) AS {PER_TEN}"


def test_a_replaced_stream_keeps_its_claim(session: SparkSession, events: Source, tmp_path: Path) -> None:
    events.put(ROWS)
    create = sums(tmp_path / "out", "trigger '1 hour'")
    run(session, create)
    run(session, create.replace("CREATE", "CREATE OR REPLACE"))
    for _ in range(2):
        with (
            pytest.raises(WindowPlanError, match="runs already: process"),
            claimed(session, f"{tmp_path}/out/_checkpoint"),
        ):
            pass
    run(session, "STOP STREAM sums")
    with claimed(session, f"{tmp_path}/out/_checkpoint") as claim:
        claim.release()


def test_rows_and_late_rows_are_not_in_one_folder(session: SparkSession, events: Source, tmp_path: Path) -> None:
    """However it is written: micro-batches of both have the same names, and one would replace the other."""
    (tmp_path / "link").symlink_to(tmp_path / "out")
    events.put(ROWS)
    for rows, late in (
        ("parquet OPTIONS (path '{0}/x/../out', ", "parquet OPTIONS (path '{0}/out'"),
        ("parquet OPTIONS (path '{0}/./out', ", "json OPTIONS (path 'file:{0}//out/late'"),
        ("parquet OPTIONS (path '{0}/out/rows', ", "json OPTIONS (path '{0}/link'"),
        ("parquet OPTIONS (path '{0}/link', ", "text OPTIONS (path '{0}/out'"),
        ("text OPTIONS (path '{0}/link/rows', ", "text OPTIONS (path '{0}/out//rows'"),
    ):
        into = f"{rows}checkpointLocation '{{0}}/c', {NOW}) LATE INTO {late})".format(tmp_path)
        assert (
            "late rows go where the rows go" in refused(session, f"CREATE STREAM sums INTO {into} AS {PER_TEN}").problem
        )


def test_a_copy_of_the_checkpoint_does_not_write_into_the_folder_too(
    session: SparkSession, events: Source, tmp_path: Path
) -> None:
    if is_connect(session):
        pytest.skip("there are no claims")
    events.put(ROWS)
    run(session, sums(tmp_path / "out", "trigger '1 hour'"))
    shutil.copytree(tmp_path / "out/_checkpoint", tmp_path / "copy")
    other = session.newSession()
    events.stream(other, "events")
    for out in (f"{tmp_path}/out", f"file:{tmp_path}/x/../out/"):
        copied = sums(out, f"checkpointLocation '{tmp_path}/copy'")
        with pytest.raises(WindowPlanError, match=rf"the stream of {tmp_path}/out runs already: process"):
            winsql.sql(other, copied)
    run(session, "STOP STREAM sums")
    with claimed(session, f"{tmp_path}/other", [f"{tmp_path}/out"]) as claim:
        claim.release()


def test_a_jvm_that_outlives_its_process_keeps_the_claim(session: SparkSession, tmp_path: Path) -> None:
    """It may be writing a micro-batch, which the successor would write too."""
    if is_connect(session):
        pytest.skip("there are no claims")
    file = tmp_path / ".winsql_runs_out"
    lock = (
        f"import fcntl; file = open({str(file)!r}, 'w'); fcntl.lockf(file, fcntl.LOCK_EX); print(flush=True); input()"
    )
    with subprocess.Popen([sys.executable, "-c", lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as left:
        assert left.stdout is not None
        left.stdout.readline()
        with pytest.raises(WindowPlanError, match="runs already"), claimed(session, f"{tmp_path}/out"):
            pass
        left.kill()
    with claimed(session, f"{tmp_path}/out") as claim:
        claim.release()


class _OthersFile:
    """Opens files as a user does to whom one file, with mode 0644, does not belong."""

    def __init__(self, file: Path) -> None:
        self.inode = file.stat().st_ino
        self.open = os.open
        self.is_readable = True

    def __call__(self, path: str, flags: int, mode: int = 0o777) -> int:
        is_others = os.path.exists(path) and os.stat(path).st_ino == self.inode
        if is_others and (flags & os.O_RDWR or not self.is_readable):
            raise PermissionError(13, "Permission denied", path)
        return self.open(path, flags, mode)


def test_a_claim_of_another_user_counts(session: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if is_connect(session):
        pytest.skip("there are no claims")
    file = tmp_path / ".winsql_runs_out"
    file.write_text("process 7 on there")
    others = _OthersFile(file)
    monkeypatch.setattr(os, "open", others)
    monkeypatch.setattr("winsql.spark.tables.claims._PATIENCE", 0.05)
    for function in ("flock", "lockf"):  # of the process, and of its JVM
        lock = f"import fcntl, sys; file = open(sys.argv[1], 'r+'); fcntl.{function}(file, fcntl.LOCK_EX)"
        command = [sys.executable, "-c", f"{lock}; print(flush=True); input()", str(file)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
            assert holder.stdout is not None
            holder.stdout.readline()
            with pytest.raises(WindowPlanError, match="process 7 on there"), claimed(session, f"{tmp_path}/out"):
                pass
            holder.kill()
    others.is_readable = False
    with pytest.raises(WindowPlanError, match=f"cannot tell .* the file {file}"), claimed(session, f"{tmp_path}/out"):
        pass
    others.is_readable = True
    with claimed(session, f"{tmp_path}/out") as claim:
        assert claim.file is not None
        assert f"process {os.getpid()} on" in file.read_text()
        claim.release()


def test_a_relative_path_has_a_claim(session: SparkSession, events: Source, tmp_path: Path) -> None:
    events.put(ROWS)
    relative = os.path.relpath(tmp_path / "out")
    run(session, sums(relative, "trigger '1 hour'"))
    with pytest.raises(WindowPlanError, match="runs already: process"), claimed(session, f"{tmp_path}/out/_checkpoint"):
        pass
    run(session, "STOP STREAM sums")
    error = refused(session, sums(f"{relative}_2", f"checkpointLocation '{os.path.relpath('/sys/winsql')}'"))
    assert "cannot be written" in error.problem


def test_the_same_path_in_other_words(session: SparkSession, events: Source, tmp_path: Path) -> None:
    events.put(ROWS)
    table = (
        f"CREATE STREAMING TABLE totals OPTIONS (path '{{0}}', checkpointLocation '{tmp_path}/c', {NOW}) AS {PER_TEN}"
    )
    for create, name in ((table, "totals"), (sums("{0}"), "sums")):
        for number, path in enumerate(("{0}/x/../{1}", "{0}//./{1}", "file:{0}/{1}/")):
            done = run(session, create.format(path.format(tmp_path, name)))
            assert done[0][1] == ("resumed" if number else "started")
            finished(session, name)
        run(session, create.format(f"{tmp_path}//{name}").replace("CREATE", "CREATE OR REPLACE"))
        finished(session, name)
    assert rows_in(session, "parquet", tmp_path / "sums") == EXPECTED


def test_a_checkpoint_is_not_among_the_rows(session: SparkSession, events: Source, tmp_path: Path) -> None:
    """Neither rows in a checkpoint; names that are not read as data are allowed."""
    (tmp_path / "link").symlink_to(tmp_path / "out")
    late = PER_TEN.replace(" GROUP", " LATE INTO late GROUP")
    rows = f"path '{tmp_path}/out', "
    warehouse = session.sql("DESCRIBE DATABASE default").where("info_name = 'Location'").collect()[0][1]
    for create in (
        f"STREAMING TABLE totals USING json OPTIONS ({rows}checkpointLocation '{{0}}', {NOW}) AS {late}",
        f"STREAM sums INTO csv OPTIONS ({rows}checkpointLocation '{{0}}', {NOW}) AS {PER_TEN}",
    ):
        for place in ("out", "out/c", "link/c", "x/../out//c", "out/_c=1"):
            error = refused(session, f"CREATE {create.format(f'{tmp_path}/{place}')}")
            assert "would be among the rows in" in error.problem
        assert "would be in the checkpoint" in refused(session, f"CREATE {create.format(tmp_path)}").problem
    for name in ("totals/c", "late/c"):
        table = f"CREATE STREAMING TABLE totals OPTIONS (checkpointLocation '{warehouse}/{name}', {NOW}) AS {late}"
        assert "would be among the rows in" in refused(session, table).problem
    table = f"CREATE STREAMING TABLE totals OPTIONS ({rows}checkpointLocation '{{0}}', {NOW}) AS {late}"
    assert "would be among the rows in" in refused(session, table.format(f"{tmp_path}/out/_late/c")).problem
    events.put(ROWS)
    run(session, table.format(f"{tmp_path}/out/_c/1"))
    winsql.sql(session, "AWAIT STREAM totals")
    assert Counter(run(session, "SELECT * FROM totals")) == EXPECTED
    for name in ("late", "totals"):
        session.sql(f"DROP TABLE {name}")


def test_a_folder_is_that_of_one_stream(session: SparkSession, events: Source, tmp_path: Path) -> None:
    """Also before it has rows, and whatever the other one is."""
    late = f"LATE INTO json OPTIONS (path '{tmp_path}/late')"
    events.put(ROWS)
    run(session, sums(tmp_path / "out").replace(" AS SELECT", f" {late} AS SELECT"))
    finished(session, "sums")
    assert not list((tmp_path / "late").glob("batch=*"))
    other = sums(tmp_path / "other").replace("sums", "others", 1).replace(" AS SELECT", f" {late} AS SELECT")
    assert "late is the folder of another stream" in refused(session, other).problem
    for place in ("late", "out"):
        table = f"CREATE STREAMING TABLE totals OPTIONS (path '{tmp_path}/{place}') AS {PER_TEN}"
        assert f"{place} is the folder of another stream" in refused(session, table).problem
    run(session, f"CREATE STREAMING TABLE totals OPTIONS (path '{tmp_path}/table', {NOW}) AS {PER_TEN}")
    winsql.sql(session, "AWAIT STREAM totals")
    into_table = sums(tmp_path / "table", f"checkpointLocation '{tmp_path}/c', {NOW}").replace("sums", "others", 1)
    assert "table is the folder of another stream" in refused(session, into_table).problem
    session.sql("DROP TABLE totals")
    assert not (tmp_path / "other").exists()


@pytest.mark.slow
def test_a_copied_folder_is_not_written_twice(session: SparkSession, events: Source, tmp_path: Path) -> None:
    events.put(ROWS)
    for name in ("one", "other"):
        run(session, sums(tmp_path / name, f"checkpointLocation '{tmp_path}/c_{name}', {NOW}").replace("sums", name, 1))
        finished(session, name)
    owner = Path("_winsql_stream", "part-00000.txt")
    (tmp_path / "other" / owner).write_bytes((tmp_path / "one" / owner).read_bytes())
    again = sums(tmp_path / "other", f"checkpointLocation '{tmp_path}/c_other', {NOW}").replace("sums", "other", 1)
    assert "other is the folder of the stream default.one" in refused(session, again).problem
    assert "folder of the stream" in refused(session, again.replace("CREATE", "CREATE OR REPLACE")).problem
    assert rows_in(session, "parquet", tmp_path / "other") == EXPECTED


@pytest.mark.slow
@pytest.mark.parametrize("gone", [[], ["metadata", ".metadata.crc"]], ids=["all", "no name"])
def test_a_replacement_that_is_cut_off_is_finished_by_another(
    session: SparkSession, events: Source, tmp_path: Path, gone: list[str]
) -> None:
    checkpoint = f"{tmp_path}/c"
    create = sums(tmp_path / "out", f"checkpointLocation '{checkpoint}', {NOW}")
    events.put(ROWS)
    run(session, create)
    finished(session, "sums")
    kept = read_note(session, checkpoint)
    assert kept is not None
    write_note(session, checkpoint, replace(kept, is_replaced=True))
    for file in gone:
        (tmp_path / "c" / file).unlink()
    (tmp_path / "c" / ".metadata.9b2c2d6e-8f3a-4a55-9d43-0c5f3f0f7a11.tmp").write_text("")
    error = refused(session, create)
    assert "interrupted" in error.problem
    run(session, create.replace("CREATE", "CREATE OR REPLACE"))
    finished(session, "sums")
    assert rows_in(session, "parquet", tmp_path / "out") == EXPECTED
    assert run(session, create) == [("default.sums", "resumed")]


def test_files_of_others_are_no_empty_folder(session: SparkSession, events: Source, tmp_path: Path) -> None:
    events.put(ROWS)
    hidden = {"out/.git/config": "mine", "out2/_other_checkpoint/metadata": "theirs"}
    for place, text in hidden.items():
        (tmp_path / place).parent.mkdir(parents=True)
        (tmp_path / place).write_text(text)
    for place in ("out", "out2"):
        assert "is not empty" in refused(session, sums(tmp_path / place)).problem
        table = f"CREATE STREAMING TABLE totals OPTIONS (path '{tmp_path}/{place}') AS {PER_TEN}"
        assert "is not empty" in refused(session, table).problem
    assert {place: (tmp_path / place).read_text() for place in hidden} == hidden


@pytest.mark.slow
def test_what_is_beside_a_checkpoint_is_never_deleted(session: SparkSession, events: Source, tmp_path: Path) -> None:
    events.put(ROWS)
    options = f"checkpointLocation '{tmp_path}/c', {NOW}"
    beside = tmp_path / "c" / ".other" / "metadata"
    beside.parent.mkdir(parents=True)
    beside.write_text("theirs")
    run(session, sums(tmp_path / "out", options))
    finished(session, "sums")
    run(session, f"CREATE STREAMING TABLE totals OPTIONS (checkpointLocation '{tmp_path}/d', {NOW}) AS {PER_TEN}")
    winsql.sql(session, "AWAIT STREAM totals")
    (tmp_path / "d" / "mine").write_text("mine")
    table = f"CREATE OR REPLACE STREAMING TABLE totals OPTIONS (checkpointLocation '{tmp_path}/d', {NOW}) AS {PER_TEN}"
    for statement in (
        sums(tmp_path / "out", options).replace("CREATE", "CREATE OR REPLACE"),
        "DROP STREAM sums PURGE",
        table,
        "DROP STREAM totals PURGE",
    ):
        assert "has a file that is not of the stream" in refused(session, statement).problem
    assert beside.read_text() == "theirs"
    assert rows_in(session, "parquet", tmp_path / "out") == EXPECTED
    assert Counter(run(session, "SELECT * FROM totals")) == EXPECTED
    session.sql("DROP TABLE totals")


@pytest.mark.slow
def test_purge_leaves_the_checkpoint_of_a_stream_that_runs(
    session: SparkSession, events: Source, tmp_path: Path
) -> None:
    events.put(ROWS)
    run(session, sums(tmp_path / "out"))
    finished(session, "sums")
    for stream in streams_of(session).values():
        stream.stop()
    with claimed(session, f"{tmp_path}/out/_checkpoint") as claim:  # as another process has it
        assert "runs already" in refused(session, "DROP STREAM sums PURGE").problem
        assert (tmp_path / "out" / "_checkpoint" / "metadata").exists()
        claim.release()
    assert run(session, "DROP STREAM sums PURGE") == [("default.sums", "purged")]
    assert not (tmp_path / "out" / "_checkpoint" / "metadata").exists()


@pytest.mark.slow
def test_a_table_outlives_a_replacement_that_is_refused(
    session: SparkSession, events: Source, tmp_path: Path, catalog: str
) -> None:
    table = f"{catalog}.shop.sums"
    options = f"OPTIONS (checkpointLocation '{tmp_path}/c', {NOW})"
    create = f"CREATE STREAMING TABLE {table} {options} AS {PER_TEN}"
    session.sql(f"CREATE TABLE {catalog}.shop.taken (k STRING)")
    events.put(ROWS, MORE[:1])
    run(session, create)
    finished(session, table)
    anew = create.replace("CREATE", "CREATE OR REPLACE")
    for statement, says in {
        anew.replace(" AS SELECT", f" LATE INTO {catalog}.shop.taken AS SELECT"): "taken exists",
        anew.replace("sum(v) AS s", "array(sum(v)) AS s"): "cannot be a streaming table",
    }.items():
        assert says in refused(session, statement).problem
        assert Counter(run(session, f"SELECT * FROM {table}")) == EXPECTED
    assert session.sql(f"SHOW TABLES IN {catalog}.shop").count() == 2
    assert run(session, create) == [(table, "resumed")]
