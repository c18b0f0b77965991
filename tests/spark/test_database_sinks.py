"""Streams into SQLite and PostgreSQL: each micro-batch once, keys, retractions, types, and secrets that stay secret."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from databases import RUN, Database, postgres, run, sink_for
from postgres_server import PASSWORD, Server
from psycopg.conninfo import conninfo_to_dict
from pyspark.sql.types import StructType
from streaming import Source

import winsql
from winsql.errors import WindowDataError, WindowPlanError, WinsqlError
from winsql.spark.tables.sinks.protocol import Request
from winsql.spark.tables.sinks.registry import sink_of
from winsql.syntax import CreateStreamInto, parse_statement

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NOW = "trigger 'available now'"
PER_TEN = "SELECT k, window_start AS w, sum(v) AS s FROM events WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k"


@pytest.mark.slow
def test_a_stream_into_a_database_and_its_late_rows(
    session: SparkSession, events: Source, database: Database, tmp_path: Path
) -> None:
    spark = session
    events.put([("a", 1, 1.0, 0), ("b", 2, 2.0, 1), ("b", 12, 4.0, 2)], [("a", 3, 5.0, 3)])
    options = f"{database.clause}, table 'sums', create 'true', mode 'upsert', checkpointLocation '{tmp_path}/c', {NOW}"
    create = f"CREATE STREAM sums INTO {database.format} OPTIONS ({options}) "
    create += f"LATE INTO {database.format} OPTIONS (table 'late') AS {PER_TEN}"
    assert run(spark, create) == [("default.sums", "started")]
    assert run(spark, "AWAIT STREAM sums")[0][1] == "finished"
    sums = "SELECT k, s FROM sums ORDER BY k, s"
    assert database.ask(sums) == [("a", 1.0), ("b", 2.0)]
    assert database.ask("SELECT k, n FROM late") == [("a", 3)]
    events.put([("c", 100, 0.0, -1)])
    assert run(spark, create) == [("default.sums", "resumed")]
    assert run(spark, "AWAIT STREAM sums")[0][1] == "finished"
    assert database.ask(sums) == [("a", 1.0), ("b", 2.0), ("b", 4.0)]
    (shown,) = winsql.sql(spark, "SHOW STREAMS").collect()
    assert (shown.guarantee, shown.error) == ("exactly once", None)
    (stream, batch) = database.ask("SELECT stream, batch FROM winsql_batches")[0]
    assert (stream, batch >= 2) == ("default.sums", True)
    with pytest.raises(WindowPlanError, match="INTO: table was sums and is other"):
        winsql.sql(spark, create.replace("table 'sums'", "table 'other'"))
    moved = create.replace(f"{tmp_path}/c", f"{tmp_path}/d")
    with pytest.raises(WindowPlanError, match="with another checkpoint"):
        winsql.sql(spark, moved)
    assert run(spark, moved.replace("CREATE", "CREATE OR REPLACE")) == [("default.sums", "started")]
    assert run(spark, "AWAIT STREAM sums")[0][1] == "finished"
    assert database.ask(sums) == [("a", 1.0), ("b", 2.0), ("b", 4.0)]
    plan = run(spark, f"EXPLAIN WINDOW {create}")[0][0]
    assert "table sums, mode upsert, key k, w)" in plan
    assert PASSWORD not in plan


def test_a_repeated_micro_batch_changes_nothing(spark: SparkSession, database: Database) -> None:
    rows = spark.sql("SELECT * FROM VALUES ('a', 1), ('b', 2) AS t(k, v)")
    sink = sink_for(spark, database, rows, table="sums", create="true")
    for number in (0, 0, 1, 1):
        again = replace(sink, may_repeat=True)  # as in a new run
        again.write(rows, number)
    assert database.ask("SELECT k, count(*) FROM sums GROUP BY k ORDER BY k") == [("a", 2), ("b", 2)]
    with pytest.raises(WindowDataError, match=r"has micro-batch 1 of default[.]sums, its checkpoint goes on with 0"):
        sink.write(rows, 0)
    sink.write(rows, 2)
    replace(sink).write(rows, 3)
    with pytest.raises(WindowDataError, match=r"micro-batch 3 of default[.]sums has been written by another process"):
        sink.write(rows, 3)
    sink.prepare(RUN)
    with pytest.raises(WindowPlanError, match="another checkpoint"):
        sink.prepare(replace(RUN, identity="2"))


def test_the_last_row_of_a_key_counts_and_retractions_delete(spark: SparkSession, database: Database) -> None:
    first = "('a', 1, '+I'), (NULL, 2, '+I'), ('a', 1, '-U'), ('a', 4, '+U'), ('b', 5, '+I'), ('b', 5, '-D'), "
    first += "(NULL, 2, '-U'), (NULL, 7, '+U'), ('c', 9, '+I')"
    second = "('a', 4, '-D'), (NULL, 7, '-U'), (NULL, 8, '+U'), ('d', 1, '-D'), ('c', 9, '-U'), ('c', 10, '+U')"
    batches = [spark.sql(f"SELECT * FROM VALUES {rows} AS t(k, v, row_kind)").coalesce(1) for rows in (first, second)]
    sink = sink_for(spark, database, batches[0], table="kinds", create="true", mode="upsert", key="K")
    for number, (batch, expected) in enumerate(
        zip(batches, ([(None, 7), ("a", 4), ("c", 9)], [(None, 8), ("c", 10)]), strict=True)
    ):
        sink.write(batch, number)
        assert sorted(database.ask("SELECT * FROM kinds"), key=str) == sorted(expected, key=str)
    with pytest.raises(WindowPlanError, match="rows with the column row_kind cannot be appended"):
        sink_for(spark, database, batches[0], table="kinds")


def test_a_column_may_have_the_name_of_a_staged_one(spark: SparkSession, database: Database) -> None:
    rows = spark.sql("SELECT 'a' AS k, 1 AS Winsql_Position, 2 AS winsql_position_").repartition(1)
    sink = sink_for(spark, database, rows, table="kinds", create="true", mode="upsert", key="k")
    for number in range(2):
        sink.write(rows, number)
        assert database.ask("SELECT * FROM kinds") == [("a", 1, 2)]


@pytest.mark.parametrize("kind", ["CAST(NULL AS STRING)", "'+i'", "'D'"])
def test_a_kind_of_row_that_is_none_is_told(spark: SparkSession, database: Database, kind: str) -> None:
    rows = spark.sql(f"SELECT 'a' AS k, '+I' AS row_kind UNION ALL SELECT 'b', {kind}")
    sink = sink_for(spark, database, rows, table="kinds", create="true", mode="upsert", key="k")
    with pytest.raises(WindowDataError, match=r"row_kind of a row is (NULL|'[+]i'|'D')"):
        sink.write(rows, 0)
    assert database.ask("SELECT * FROM kinds") == []


def test_types(spark: SparkSession, database: Database) -> None:
    rows = spark.sql(
        """SELECT 'it''s "so"' AS `a "name"`, '' AS e, CAST(NULL AS STRING) AS n, true AS b, 1Y AS y, 2S AS sh, 3 AS i,
        4L AS l, float('nan') AS f, 1.25D AS d, 1.50BD AS dec, binary('ab') AS bin, DATE '2024-02-03' AS dt,
        TIMESTAMP '2024-01-01 10:00:00.123456' AS ts, TIMESTAMP_NTZ '2024-01-01 10:00:00.5' AS ntz,
        INTERVAL '1 02:03:04.5' DAY TO SECOND AS dts, INTERVAL '1-2' YEAR TO MONTH AS ym, array(1, NULL) AS a,
        map('x', 1.5D) AS m, struct(1 AS p, CAST(NULL AS INT) AS q) AS st"""
    )
    sink = sink_for(spark, database, rows, table="types", create="true")
    sink.write(rows, 0)
    (row,) = database.ask("SELECT * FROM types")
    assert row[:3] == ('it\'s "so"', "", None)
    assert row[4:8] == (1, 2, 3, 4)
    assert bool(row[3])
    assert str(row[8]).lower() == "nan"
    assert (row[9], str(row[10]), bytes(row[11]), str(row[12])) == (1.25, "1.50", b"ab", "2024-02-03")
    assert str(row[13]).startswith("2024-01-01 10:00:00.123456")
    assert str(row[14]).startswith("2024-01-01 10:00:00.5")
    if database.format == "postgres":
        assert str(row[15]) == "1 day, 2:03:04.500000"
        assert row[17:] == ([1, None], {"x": 1.5}, {"p": 1, "q": None})
    else:
        assert row[17:] == ("[1,null]", '{"x":1.5}', '{"p":1,"q":null}')


def test_what_the_database_refuses_is_told_before_the_start(spark: SparkSession, database: Database) -> None:
    rows = spark.sql("SELECT 'a' AS k, 1 AS v")
    sink_for(spark, database, rows, table="sums", create="true")
    for options, says in (
        ({"table": "missing"}, "missing"),
        ({"table": "sums", "mode": "upsert", "key": "k"}, "mode 'upsert' needs a unique index"),
        ({"table": "sums", "mode": "upsert"}, "needs the option key"),
        ({"table": "sums", "mode": "upsert", "key": "kk"}, "key has kk, which is no column of the result"),
        ({"table": "sums", "mode": "replace"}, "modes are append and upsert"),
        *(({"table": name}, "is no name") for name in ("a.b.c", "a..b", 'a"b', 'a"b"', '"a"b', "a.", '"a')),
        ({"table": "sums", "tabel": "x"}, "did you mean table?"),
    ):
        with pytest.raises(WindowPlanError) as caught:
            sink_for(spark, database, rows, **options)
        assert says in str(caught.value)
    with pytest.raises(WindowPlanError, match=r"has no column|does not exist"):
        sink_for(spark, database, spark.sql("SELECT 'a' AS other"), table="sums")


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ("path '/x.db', table 'sums', Tabel 'x'", "Tabel 'x'"),
        ("path ':memory:', table 'sums'", "path ':memory:'"),
        ("'path' = '/x.db', 'table' = 'a..b'", "'table' = 'a..b'"),
        ("path '/x.db', table 'sums', mode 'replace'", "mode 'replace'"),
        ("path '/x.db', table 'sums', key 'k'", "key 'k'"),
        ("path '/x.db', table 'sums', mode 'upsert', KEY 'kk'", "KEY 'kk'"),
        ("path '/x.db', table 'sums', create 1", "create 1"),
        ("path '/x.db', table 'sums', resume 'anew'", "resume 'anew'"),
        ("path '/x.db'", "sqlite"),
    ],
)
def test_the_place_of_a_wrong_option(spark: SparkSession, options: str, wrong: str) -> None:
    text = f"CREATE STREAM s INTO sqlite OPTIONS ({options}) AS SELECT k, v FROM r"
    stream = parse_statement(text).stream
    assert isinstance(stream, CreateStreamInto)
    schema = StructType.fromDDL("k STRING, v INT")
    with pytest.raises(WindowPlanError) as caught:
        sink_of(Request(spark, "s", stream.sink, schema, "the result", None, text))
    span = caught.value.span
    assert span is not None
    assert text[span.start : span.end] == wrong


@pytest.mark.parametrize("mode", [{}, {"mode": "upsert", "key": "k"}], ids=["append", "upsert"])
@pytest.mark.parametrize(
    ("columns", "says", "hint"),
    [
        ("k text UNIQUE, v integer CHECK (v < 9)", "", "ALTER the table so that it takes such a row"),
        ("k text UNIQUE, v integer, must integer NOT NULL", "must", "ALTER the table so that it takes such a row"),
        ("k text UNIQUE, w integer", "v", "the rows have the columns k, v: give the table those"),
        ("k text UNIQUE, v integer GENERATED ALWAYS AS (1) STORED", "v", "leave the column out of the SELECT"),
    ],
)
def test_what_a_table_cannot_take_is_told_with_a_way_out(
    spark: SparkSession, database: Database, mode: dict[str, str], columns: str, says: str, hint: str
) -> None:
    database.ask(f"CREATE TABLE sums ({columns})")
    rows = spark.sql("SELECT 'a' AS k, 10 AS v")
    with pytest.raises(WinsqlError, match=says) as caught:
        sink_for(spark, database, rows, table="sums", **mode).write(rows, 0)
    assert hint in str(caught.value.hint)
    assert "winsql_staged" not in str(caught.value)
    assert database.ask("SELECT * FROM sums") == []


@pytest.mark.parametrize("mode", [{}, {"mode": "upsert", "key": "k"}], ids=["append", "upsert"])
def test_a_value_that_a_column_of_postgresql_cannot_hold_is_told_with_its_column(
    spark: SparkSession, own_server: Server | None, mode: dict[str, str]
) -> None:
    database = postgres(own_server)
    rows = spark.sql("SELECT 'a' AS k, 3000000000 AS v")
    for kind in ("smallint", "integer", "numeric(5)", "boolean", "date"):
        database.ask(f"DROP TABLE IF EXISTS sums; CREATE TABLE sums (k text UNIQUE, v {kind})")
        with pytest.raises(WindowDataError, match="COPY sums, line 1, column v") as caught:
            sink_for(spark, database, rows, table="sums", **mode).write(rows, 0)
        assert str(caught.value.hint).startswith("ALTER the table")
        database.ask("DELETE FROM winsql_batches")


def test_a_role_that_may_only_write(spark: SparkSession, own_server: Server | None) -> None:
    database = postgres(own_server)
    rows = spark.sql("SELECT 'a' AS k")
    sink_for(spark, database, rows, table="sums", create="true")
    database.ask("DROP ROLE IF EXISTS writer")
    database.ask("CREATE ROLE writer LOGIN PASSWORD 'geheim'")
    try:
        database.ask("GRANT SELECT, INSERT, UPDATE, DELETE ON sums, winsql_batches TO writer")
        own = Database("postgres", {**database.options, "user": "writer", "password": "geheim"}, database.ask)
        sink_for(spark, own, rows, table="sums", create="true").write(rows, 0)
        assert database.ask("SELECT * FROM sums") == [("a",)]
    finally:
        database.ask("DROP OWNED BY writer")
        database.ask("DROP ROLE writer")


def test_credentials_of_a_service_file_and_of_the_environment(
    spark: SparkSession, own_server: Server | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres(own_server)
    known = {key: str(value) for key, value in conninfo_to_dict(database.options["url"]).items()}
    password = known.pop("password", "")
    lines = [f"{key}={value}" for key, value in known.items()]
    service = tmp_path / "services"
    rows = spark.sql("SELECT 'a' AS k, 1 AS v")
    of_service = Database("postgres", {"service": "shop"}, database.ask)
    monkeypatch.setenv("PGSERVICEFILE", str(service))
    for written, environment in (([*lines, f"password={password}"], ""), (lines, password)):
        service.write_text("\n".join(["[shop]", *written]), encoding="utf-8")
        monkeypatch.setenv("PGPASSWORD", environment or "falsch")
        sink_for(spark, of_service, rows, table="sums", create="true").write(rows, 0)
        assert database.ask("SELECT * FROM sums") == [("a", 1)]
        database.ask("DROP TABLE sums, winsql_batches")
    monkeypatch.setenv("PGPASSWORD", "falsch")
    with pytest.raises(WindowPlanError) as caught:
        sink_for(spark, of_service, rows, table="sums", create="true")
    assert "falsch" not in str(caught.value)


def test_secrets_of_a_server_are_not_told(session: SparkSession, events: Source, own_server: Server | None) -> None:
    url = postgres(own_server).options["url"]
    for options in (
        f"url '{url.replace(PASSWORD, 'falsch')}'",
        "host '127.0.0.1', port '1', user 'geheimnis', password 'falsch'",
        "url 'postgresql://me:falsch@127.0.0.1:1/x'",
        "url 'jdbc:postgresql://h/x?password=falsch'",
        "url 'host=127.0.0.1 port=1 password=falsch'",
        "url 'falsch password=falsch ='",
        "passfile 'falsch', passwort 'falsch'",
    ):
        text = f"CREATE STREAM s INTO postgres OPTIONS ({options}, table 'x', checkpointLocation '/x') AS {PER_TEN}"
        with pytest.raises(WindowPlanError) as caught:
            winsql.sql(session, text)
        assert "falsch" not in str(caught.value)
        assert "geheimnis" not in str(caught.value)
        assert caught.value.span is not None


@pytest.mark.slow
def test_a_server_that_goes_in_the_middle_of_a_micro_batch(
    session: SparkSession, events: Source, own_server: Server | None, tmp_path: Path
) -> None:
    spark, database = session, postgres(own_server)
    database.ask("CREATE TABLE sums (k text, w timestamptz, s double precision, UNIQUE (k, w))")
    # the server ends the connection when the rows are there and the transaction is not done
    database.ask("DROP FUNCTION IF EXISTS breaks CASCADE")
    database.ask(
        "CREATE FUNCTION breaks() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$"
    )
    events.put([("a", 1, 1.0, 0), ("b", 2, 2.0, 1), ("b", 12, 4.0, 2)])
    options = f"{database.clause}, table 'sums', mode 'upsert', key 'k, w', checkpointLocation '{tmp_path}/c', {NOW}"
    create = f"CREATE STREAM sums INTO postgres OPTIONS ({options}) AS {PER_TEN}"
    database.ask("CREATE TRIGGER breaks AFTER INSERT ON sums FOR EACH ROW EXECUTE FUNCTION breaks()")
    run(spark, create)
    with pytest.raises(WindowDataError, match="PostgreSQL cannot take rows for the table sums") as caught:
        run(spark, "AWAIT STREAM sums")
    assert "goes on where it was" in (caught.value.hint or "")
    assert PASSWORD not in str(caught.value)
    (shown,) = winsql.sql(spark, "SHOW STREAMS").collect()
    assert (shown.status, PASSWORD in shown.error) == ("failed", False)
    assert database.ask("SELECT * FROM sums") == []
    database.ask("DROP TRIGGER breaks ON sums")
    assert run(spark, create) == [("default.sums", "resumed")]
    assert run(spark, "AWAIT STREAM sums")[0][1] == "finished"
    assert database.ask("SELECT k, s FROM sums ORDER BY k") == [("a", 1.0), ("b", 2.0)]


@pytest.mark.slow
def test_a_server_that_is_killed_in_the_middle_of_a_micro_batch(
    session: SparkSession, events: Source, own_server: Server | None, tmp_path: Path
) -> None:
    if own_server is None:
        pytest.skip("no server here that may be killed")
    spark, database = session, postgres(own_server)
    database.ask("CREATE TABLE sums (k text, w timestamptz, s double precision)")
    database.ask("DROP FUNCTION IF EXISTS waits CASCADE")
    database.ask(
        "CREATE FUNCTION waits() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$"
    )
    database.ask("CREATE TRIGGER waits AFTER INSERT ON sums FOR EACH ROW EXECUTE FUNCTION waits()")
    events.put([("a", 1, 1.0, 0), ("b", 2, 2.0, 1), ("b", 12, 4.0, 2)])
    options = f"{database.clause}, table 'sums', checkpointLocation '{tmp_path}/c', {NOW}"
    create = f"CREATE STREAM sums INTO postgres OPTIONS ({options}) AS {PER_TEN}"
    holder = psycopg.connect(own_server.url)
    holder.execute("SELECT pg_advisory_lock(7)")
    run(spark, create)
    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    while database.ask(waiting) == [(0,)]:
        run(spark, "AWAIT STREAM sums FOR INTERVAL 0 SECONDS")
    own_server.stop()
    holder.close()
    with pytest.raises(WindowDataError, match="PostgreSQL cannot take rows for the table sums"):
        run(spark, "AWAIT STREAM sums")
    own_server.start()
    assert database.ask("SELECT * FROM sums") == []
    database.ask("DROP TRIGGER waits ON sums")
    assert run(spark, create) == [("default.sums", "resumed")]
    assert run(spark, "AWAIT STREAM sums")[0][1] == "finished"
    assert database.ask("SELECT k, s FROM sums ORDER BY k") == [("a", 1.0), ("b", 2.0)]


def test_a_driver_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from winsql.spark.tables.sinks.databases.postgres import Postgres

    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(WindowDataError) as caught:
        Postgres("", {}).require_driver()
    assert "winsql[postgres]" in (caught.value.hint or "")


def test_a_relative_path_where_the_folder_of_the_process_is_gone(
    session: SparkSession, events: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(WindowPlanError, match="leads nowhere") as caught:
        winsql.sql(session, "CREATE STREAM s INTO sqlite OPTIONS (path 'x.db', table 't') AS SELECT k FROM events")
    assert caught.value.span is not None
