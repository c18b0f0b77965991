"""Values on their way to databases: as they are, whatever the session's settings and however far the times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from databases import Database, postgres, sink_for
from postgres_server import Server
from session_settings import settings

from winsql.errors import WindowDataError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def stored(spark: SparkSession, database: Database, query: str, asked: str = "*") -> list[tuple[Any, ...]]:
    rows = spark.sql(query)
    sink_for(spark, database, rows, table="types", create="true").write(rows, 0)
    return database.ask(f"SELECT {asked} FROM types")


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_intervals_are_exact_in_every_zone(spark: SparkSession, own_server: Server | None, ansi: str) -> None:
    """Days have 24 hours, also where the clock changes; PostgreSQL counts them from minutes and microseconds."""
    database = postgres(own_server)
    query = """SELECT INTERVAL '200' DAY AS a, INTERVAL '106751991 04:00:54.775807' DAY TO SECOND AS largest,
        INTERVAL '-106751991 04:00:54.775808' DAY TO SECOND AS smallest, INTERVAL '-0.000001' SECOND AS s,
        INTERVAL '-25:30' HOUR TO MINUTE AS h, CAST(NULL AS INTERVAL DAY) AS n,
        INTERVAL '-178956970-8' YEAR TO MONTH AS months"""
    with settings(spark, {"spark.sql.session.timeZone": "America/New_York", "spark.sql.ansi.enabled": ansi}):
        asked = ", ".join(f"{name}::text" for name in ("a", "largest", "smallest", "s", "h", "n", "months"))
        assert stored(spark, database, query, asked) == [
            (
                "4800:00:00",
                "2562047788:00:54.775807",
                "-2562047788:00:54.775808",
                "-00:00:00.000001",
                "-25:30:00",
                None,
                "-178956970 years -8 mons",
            )
        ]


@pytest.mark.parametrize("escaped", ["true", "false"])
def test_values_do_not_depend_on_the_literals_of_a_session(
    spark: SparkSession, database: Database, escaped: str
) -> None:
    query = "SELECT binary('ab') AS bin, array(TIMESTAMP '2024-01-01 10:00:00.123456Z') AS a"
    with settings(spark, {"spark.sql.parser.escapedStringLiterals": escaped}):
        ((found, times),) = stored(spark, database, query)
    assert bytes(found) == b"ab"
    assert "2024-01-01T10:00:00.123456Z" in str(times)


def test_instants_in_nested_values_keep_the_seconds_of_old_offsets(spark: SparkSession, database: Database) -> None:
    with settings(spark, {"spark.sql.session.timeZone": "America/New_York"}):
        ((times,),) = stored(spark, database, "SELECT array(TIMESTAMP '1800-01-01 00:00:00.5Z') AS a")
    assert "1800-01-01T00:00:00.500000Z" in str(times)


def test_years_before_the_first_one(spark: SparkSession, database: Database) -> None:
    query = "SELECT TIMESTAMP '0000-02-29 10:00:00Z' AS ts, TIMESTAMP_NTZ '-0043-03-15 12:00:00.5' AS ntz, "
    query += "DATE '-0001-12-31' AS d, DATE '0000-01-01' AS z, DATE '12345-01-02' AS far, CAST(NULL AS DATE) AS n"
    names = ("ts", "ntz", "d", "z", "far", "n")
    if database.format == "sqlite":
        assert stored(spark, database, query) == [
            (
                "0000-02-29 10:00:00.000000Z",
                "-0043-03-15 12:00:00.500000",
                "-0001-12-31",
                "0000-01-01",
                "12345-01-02",
                None,
            )
        ]
    else:
        utc = ["(ts AT TIME ZONE 'UTC')::text", *(f"{name}::text" for name in names[1:])]
        assert stored(spark, database, query, ", ".join(utc)) == [
            (
                "0001-02-29 10:00:00 BC",
                "0044-03-15 12:00:00.5 BC",
                "0002-12-31 BC",
                "0001-01-01 BC",
                "12345-01-02",
                None,
            )
        ]


@pytest.mark.parametrize(
    ("value", "year"),
    [
        ("timestamp_micros(9223372036854775807)", 294247),
        ("timestamp_micros(-9223372036854775808)", -290308),
        ("TIMESTAMP_NTZ '+32768-01-01 00:00:00'", 32768),
        ("date_from_unix_date(2147483647)", 5881580),
    ],
)
def test_times_that_cannot_be_written_are_told(spark: SparkSession, database: Database, value: str, year: int) -> None:
    with pytest.raises(WindowDataError, match=f"column far has a time in the year {year}, which cannot") as caught:
        stored(spark, database, f"SELECT {value} AS far")
    assert "CAST(`far` AS STRING)" in (caught.value.hint or "")
    assert database.ask("SELECT * FROM types") == []


@pytest.mark.parametrize("mode", [{}, {"mode": "upsert", "key": "k, w"}])
def test_a_table_takes_the_same_values_with_a_key_and_without(
    spark: SparkSession, own_server: Server | None, mode: dict[str, str]
) -> None:
    database = postgres(own_server)
    database.ask("CREATE TABLE types (k uuid, w timestamp, v integer, j json, UNIQUE (k, w))")
    key, at = "6f9619ff-8b86-d011-b42d-00c04fc964ff", "TIMESTAMP '2024-01-01 10:00:00'"
    rows = spark.sql(f"SELECT '{key}' AS k, {at} AS w, 2.0D AS v, array(1) AS j")
    sink = sink_for(spark, database, rows, table="types", options="-c TimeZone=Asia/Tokyo", **mode)
    sink.write(rows, 0)
    assert database.ask("SELECT k::text, w::text, v, j FROM types") == [(key, "2024-01-01 10:00:00", 2, [1])]
    with pytest.raises(WindowDataError, match=r'invalid input syntax for type integer: "1.4"'):
        sink.write(rows.selectExpr("k", "w", "1.4D AS v", "j"), 1)
