"""Keys of nested types: those that only GROUP BY of Spark takes, structs whose fields Spark cannot tell apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from differential.plans import Plan, planned
from planned import rows_of

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

VALUES = {
    "m": "map('v', v)",
    "by_case": "struct(CAST(v AS DOUBLE) AS a, 'x' AS A)",
    "twice": "named_struct('a', -0.0D, 'a', CAST(v AS DOUBLE))",
    "in_array": "array(named_struct('a', CAST(v AS DOUBLE), 'a', -0.0D), NULL)",
    "months": "array(named_struct('i', make_ym_interval(0, v), 'x', array(CAST(v AS FLOAT))))",
}
WITHOUT_ORDER = ("m",)


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> Iterator[SparkSession]:
    columns = ", ".join(f"{sql} AS {name}" for name, sql in VALUES.items())
    spark.sql(
        f"SELECT ts, v, {columns} FROM VALUES (TIMESTAMP'2024-01-01 00:00:01', 1), (TIMESTAMP'2024-01-01 00:00:02', 1),"
        " (TIMESTAMP'2024-01-01 00:00:03', 2), (TIMESTAMP'2024-01-01 00:05:00', 2) AS x(ts, v)"
    ).createOrReplaceTempView("nested")
    yield spark
    spark.catalog.dropTempView("nested")


def counted(session: SparkSession, windows: str, key: str, calls: str = "count(*) AS n") -> Counter[str]:
    text = f"SELECT max(v) AS v, minute(window_start) AS s, {calls} FROM nested {windows} GROUP BY {key}"
    return rows_of([winsql.sql(session, text)])[0]


SESSION = "WINDOW ASSIGN SESSION(ts, '10 seconds')"


@pytest.mark.parametrize("key", WITHOUT_ORDER)
def test_keys_without_an_order_go_to_spark(session: SparkSession, key: str) -> None:
    """Also where winsql's operator would be faster, or need less memory."""
    wanted = Counter({"{1, 0, 2}": 1, "{2, 0, 1}": 1, "{2, 5, 1}": 1})
    many = "WINDOW ASSIGN CUMULATING(ts, '1 minute', '5 seconds')"
    function = "FROM TABLE(HOP(TABLE nested, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '1' MINUTE))"
    hop = f"SELECT count(*) AS n {function} GROUP BY {key}, window_start, window_end"
    assert counted(session, SESSION, key) == wanted
    assert counted(session, "WINDOW ASSIGN TUMBLING(ts, '1 minute')", key, "size(collect_set(ts)) AS n") == wanted
    assert counted(session, many, key).total() == 12 + 12 + 12
    assert rows_of([winsql.sql(session, hop)])[0].total() == 3 * 12


@pytest.mark.parametrize("key", [key for key in VALUES if key not in WITHOUT_ORDER])
@pytest.mark.parametrize("way", Plan, ids=lambda way: way.name)
def test_fields_that_spark_cannot_tell_apart(session: SparkSession, key: str, way: Plan) -> None:
    with planned(way):
        assert counted(session, SESSION, key) == Counter({"{1, 0, 2}": 1, "{2, 0, 1}": 1, "{2, 5, 1}": 1})
        text = f"SELECT CAST({key} AS STRING) AS t FROM nested {SESSION} PARTITION BY {key}"
        shown = rows_of([winsql.sql(session, text)])[0]
    assert shown == rows_of([session.sql(f"SELECT CAST({key} AS STRING) AS t FROM nested")])[0]
