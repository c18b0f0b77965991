"""Streams into sinks by SQL: folders, Spark's writers, restarts, and what is refused before a start."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql.datasource import DataSource, DataSourceStreamWriter, DataSourceWriter, WriterCommitMessage
from streaming import Source

import winsql
from winsql.errors import WindowPlanError, WindowSpecError, WinsqlError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PER_TEN = "SELECT k, sum(v) AS s FROM events WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k"
NOW = "trigger 'available now'"
ROWS = [("a", 1, 1.0, 0), ("b", 2, 2.0, 1), ("b", 12, 4.0, 2)]
MORE = [("a", 3, 5.0, 3), ("c", 30, 0.0, -1)]


def run(spark: SparkSession, text: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in winsql.sql(spark, text).collect()]


def finished(spark: SparkSession, name: str) -> None:
    assert run(spark, f"AWAIT STREAM {name}")[0][1] == "finished"


def refused(spark: SparkSession, text: str, kind: type[WinsqlError] = WindowPlanError) -> WinsqlError:
    with pytest.raises(kind) as caught:
        winsql.sql(spark, text)
    assert caught.value.span is not None
    return caught.value


def rows_in(spark: SparkSession, kind: str, path: Path) -> Counter[tuple[Any, ...]]:
    reader = spark.read.format(kind).option("recursiveFileLookup", "true")
    return Counter(tuple(row) for row in reader.load(str(path)).collect())


def test_folders_of_rows_and_late_rows_restarts_and_replacement(
    session: SparkSession, events: Source, tmp_path: Path
) -> None:
    spark, out, late = session, tmp_path / "out", tmp_path / "late"
    into = f"INTO parquet OPTIONS (path '{out}', {NOW}) LATE INTO json OPTIONS (path '{late}')"
    create = f"CREATE STREAM sums {into} AS {PER_TEN}"
    events.put(ROWS, MORE[:1])
    assert run(spark, create) == [("default.sums", "started")]
    finished(spark, "sums")
    assert rows_in(spark, "parquet", out) == Counter([("a", 1.0), ("b", 2.0)])
    assert [(row.k, row.v) for row in spark.read.option("recursiveFileLookup", "true").json(str(late)).collect()] == [
        ("a", 5.0)
    ]
    (shown,) = winsql.sql(spark, "SHOW STREAMS").collect()
    assert (shown.name, shown.status, shown.guarantee, shown.late_rows) == (
        "default.sums",
        "finished",
        "exactly once",
        1,
    )
    for changed, says in {
        create.replace("10 sec", "20 sec"): "WINDOW ASSIGN was TUMBLING(ts, INTERVAL 10 SECOND) and is TUMBLING(ts, ",
        create.replace("AS s ", "AS total "): "the columns were k string, s double and are k string, total double",
        create.replace("INTO json", "INTO csv"): "LATE INTO: format was json and is csv",
    }.items():
        error = refused(spark, changed)
        assert says in error.problem
        assert "CREATE OR REPLACE STREAM" in (error.hint or "")

    events.put(MORE[1:])
    assert run(spark, create.replace("STREAM", "STREAM IF NOT EXISTS", 1)) == [("default.sums", "resumed")]
    finished(spark, "sums")
    assert rows_in(spark, "parquet", out) == Counter([("a", 1.0), ("b", 2.0), ("b", 4.0)])

    replacing = create.replace("CREATE", "CREATE OR REPLACE").replace("10 sec", "20 sec")
    assert run(spark, replacing) == [("default.sums", "started")]
    finished(spark, "sums")
    assert rows_in(spark, "parquet", out) == Counter([("a", 6.0), ("b", 6.0)])


@pytest.mark.slow
def test_writers_of_spark_append_each_micro_batch(session: SparkSession, events: Source, tmp_path: Path) -> None:
    spark = session
    events.put(ROWS, MORE[:1], MORE[1:])
    url = f"jdbc:derby:memory:{tmp_path.name}"
    into = f"INTO jdbc OPTIONS (url '{url};create=true', dbtable 'sums', checkpointLocation '{tmp_path}/c', {NOW})"
    run(spark, f"CREATE STREAM sums {into} LATE INTO jdbc OPTIONS (dbtable 'late') AS {PER_TEN}")
    finished(spark, "sums")
    tables = {name: spark.read.format("jdbc").options(url=url, dbtable=name).load() for name in ("sums", "late")}
    assert Counter(map(tuple, tables["sums"].collect())) == Counter([("a", 1.0), ("b", 2.0), ("b", 4.0)])
    assert [row[-1] for row in tables["late"].collect()] == [3]
    (shown,) = winsql.sql(spark, "SHOW STREAMS").collect()
    assert shown.guarantee == "at least once"


def test_sinks_that_keep_nothing_need_no_checkpoint(session: SparkSession, events: Source) -> None:
    events.put(ROWS)
    run(session, f"CREATE STREAM seen INTO memory OPTIONS ({NOW}) AS {PER_TEN}")
    run(session, f"CREATE STREAM nothing INTO noop OPTIONS ({NOW}) AS {PER_TEN}")
    finished(session, "seen")
    finished(session, "nothing")
    assert Counter(run(session, "SELECT * FROM seen")) == Counter([("a", 1.0), ("b", 2.0)])


class Lines(DataSource):
    """Writes rows as lines of a file for each task."""

    @classmethod
    def name(cls) -> str:
        return "lines"

    def writer(self, schema: Any, overwrite: bool) -> DataSourceWriter:
        return LinesWriter(self.options["path"])


class LinesStream(DataSource):
    """The same, on streams only."""

    @classmethod
    def name(cls) -> str:
        return "lines_stream"

    def streamWriter(self, schema: Any, overwrite: bool) -> DataSourceStreamWriter:
        return LinesStreamWriter(self.options["path"])


class Files:
    def __init__(self, path: str) -> None:
        self.path = path

    def write(self, iterator: Iterator[Any]) -> WriterCommitMessage:
        import uuid
        from pathlib import Path

        text = "".join(f"{row[0]} {row[1]}\n" for row in iterator)
        if text:
            Path(self.path, uuid.uuid4().hex).write_text(text)
        return WriterCommitMessage()


class LinesWriter(Files, DataSourceWriter):
    pass


class LinesStreamWriter(Files, DataSourceStreamWriter):
    pass


@pytest.mark.slow
def test_python_data_sources(session: SparkSession, events: Source, tmp_path: Path) -> None:
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])  # the workers have no tests
    events.put(ROWS)
    for source in (Lines, LinesStream):
        session.dataSource.register(source)
        name, folder = source.name(), tmp_path / source.name()
        folder.mkdir()
        options = f"path '{folder}', checkpointLocation '{tmp_path}/checkpoint_{name}', {NOW}"
        run(session, f"CREATE STREAM {name} INTO {name} OPTIONS ({options}) AS {PER_TEN}")
        finished(session, name)
        lines = [line for path in folder.iterdir() for line in path.read_text().splitlines()]
        assert sorted(lines) == ["a 1.0", "b 2.0"]
    assert {row.guarantee for row in winsql.sql(session, "SHOW STREAMS").collect()} == {"at least once"}


def test_what_is_refused_before_a_start(session: SparkSession, events: Source, tmp_path: Path) -> None:
    spark = session
    url = "url 'jdbc:postgresql://me:geheim@host/x', password 'geheim', dbtable 'x'"
    for into, problem, hint in (
        ("kafka", "no kafka", "org.apache.spark:spark-sql-kafka-0-10_2.13"),
        ("delta", "no delta", "io.delta:delta-spark_2.13"),
        ("iceberg", "no iceberg", "iceberg-spark-runtime"),
        ("avro", "no avro", "spark-avro_2.13"),
        ("nonsense", "no format nonsense", "spark.dataSource.register"),
        (f"jdbc OPTIONS ({url})", "no JDBC driver for jdbc:postgresql", "org.postgresql:postgresql"),
        ("jdbc OPTIONS (url 'jdbc:derby:memory:x', dbtable 'x')", "needs the option checkpointLocation", "OPTIONS"),
        ("parquet", "needs the option path", "path"),
        ("text OPTIONS (path '/x', mode 'upsert')", "cannot be written in the mode upsert", "postgres"),
        (f"json OPTIONS (path '{tmp_path}/o') LATE INTO json", "late rows go where the rows go", "another path"),
        ("noop LATE INTO memory", "late rows need a sink with a batch writer", "STREAMING TABLE"),
    ):
        error = refused(spark, f"CREATE STREAM sums INTO {into} AS {PER_TEN}")
        assert problem in error.problem
        assert hint in (error.hint or "")
        assert "geheim" not in str(error)
    late = PER_TEN.replace("GROUP BY", "LATE INTO l GROUP BY")
    assert "before AS" in (refused(spark, f"CREATE STREAM sums INTO noop AS {late}", WindowSpecError).hint or "")
    assert not run(spark, "SHOW STREAMS")


@pytest.mark.parametrize("name", ["batch", "BATCH"])
@pytest.mark.parametrize("kind", ["parquet", "orc", "json", "csv"])
def test_no_column_has_the_name_of_the_numbers_of_micro_batches(
    session: SparkSession, events: Source, tmp_path: Path, kind: str, name: str
) -> None:
    """Spark reads it from the names of the folders, and would hide the column."""
    query = "SELECT k, sum(v) AS s FROM {0} WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k"
    into = f"CREATE STREAM sums INTO {kind} OPTIONS (path '{tmp_path}/o')"
    error = refused(session, f"{into} AS {query.format('events').replace('AS s', f'AS {name}')}")
    assert error.problem == f"a column of the result is called {name}"
    assert error.hint == f"give it another name: ... AS {name}_2"
    renamed = f"(SELECT ts, k, v, v AS {name} FROM events)"
    late = f"{into} LATE INTO {kind} OPTIONS (path '{tmp_path}/l') AS {query.format(renamed)}"
    error = refused(session, late)
    assert error.problem == f"a column of the late rows is called {name}"
    assert f"FROM (SELECT {name} AS {name}_2, ..." in (error.hint or "")
    assert not list(tmp_path.glob("[ol]"))


def test_explain_says_the_guarantees(session: SparkSession, events: Source) -> None:
    into = "INTO parquet OPTIONS (path '/x/o') LATE INTO noop OPTIONS (token 'geheim')"
    (plan,) = run(session, f"EXPLAIN WINDOW CREATE STREAM sums {into} AS {PER_TEN}")[0]
    assert plan.startswith(
        "rows:       exactly once into parquet (path /x/o)\nlate rows:  at least once into noop\n\nWindowed query"
    )
    assert "geheim" not in plan
