"""Session variables in windowed queries: columns come first, then variables, as in Spark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

import winsql
from winsql import WindowSpecError, WindowSyntaxError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

TUMBLING = "WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES)"
VARIABLES = {"few": "2", "v": "100", "person": "named_struct('name', 'Ann')"}


@pytest.fixture(scope="module", autouse=True)
def _declared(spark: SparkSession) -> Iterator[None]:
    spark.sql(
        "SELECT * FROM VALUES ('a', TIMESTAMP'2024-01-01 00:01:00', 1), ('a', TIMESTAMP'2024-01-01 00:02:00', 2),"
        " ('b', TIMESTAMP'2024-01-01 00:03:00', 3), ('b', TIMESTAMP'2024-01-01 00:13:00', 4) AS x(k, ts, v)"
    ).createOrReplaceTempView("declared")
    for name, value in VARIABLES.items():
        spark.sql(f"DECLARE OR REPLACE VARIABLE {name} = {value}")
    yield
    for name in VARIABLES:
        spark.sql(f"DROP TEMPORARY VARIABLE {name}")
    spark.catalog.dropTempView("declared")


SELECTS = [
    "SELECT k, few, count(*) AS n FROM declared {w} GROUP BY k",
    "SELECT k, few + 1 AS x, session.few AS y, system.session.few AS z, count(*) AS n FROM declared {w} GROUP BY k",
    "SELECT k, person.name AS p, `few` AS q, count(*) AS n FROM declared {w} GROUP BY k",
    "SELECT k, count(*) AS n FROM declared {w} GROUP BY k HAVING count(*) < few",
    "SELECT k, sum(v * few) AS s, count(*) FILTER (WHERE v > few) AS n FROM declared WHERE v < few + 2 {w} GROUP BY k",
    "SELECT k, count(*) AS n FROM declared {w} GROUP BY k QUALIFY row_number() OVER (ORDER BY k, n) < (SELECT few)",
    "SELECT k, count(*) AS n FROM declared {w} GROUP BY k ORDER BY count(*) % few, k",
    "SELECT few, k, sum(v) AS s FROM declared {w} GROUP BY few, k",
    "SELECT k, max(v) AS few, few + 1 AS next FROM declared {w} GROUP BY k",
    "SELECT k, few, v FROM declared {w}",
    "SELECT k, v, session.v AS w FROM declared {w}",
]


@pytest.mark.parametrize("text", SELECTS)
@pytest.mark.parametrize("trigger", ["", "TRIGGER PURGING(EVENT_TIME())"])
def test_the_rows_are_those_of_the_values(spark: SparkSession, text: str, trigger: str) -> None:
    """Spark's own GROUP BY tells what the names mean: the window is a key of it."""
    found = winsql.sql(spark, text.format(w=f"{TUMBLING} {trigger}"))
    after = text.partition("{w}")[2]
    group = after.replace("GROUP BY", "GROUP BY window(ts, '10 minutes'),") if after else ""
    expected = spark.sql(text.partition("{w}")[0] + group)
    assert found.columns == expected.columns
    assert sorted(map(str, found.collect())) == sorted(map(str, expected.collect()))


@pytest.mark.parametrize("text", ["v", "v + 1", "`V`"])
@pytest.mark.parametrize(
    "clause", ["SELECT k, {} AS x, {} {} GROUP BY k", "SELECT k, {1} {2} GROUP BY k HAVING {0} > 1"]
)
def test_a_column_of_the_name_comes_first(spark: SparkSession, clause: str, text: str) -> None:
    statement = clause.format(text, "count(*) FROM declared", TUMBLING)
    with pytest.raises(WindowSpecError, match="neither a key nor inside an aggregate") as caught:
        winsql.sql(spark, statement)
    assert caught.value.span is not None
    assert caught.value.span.text(statement).strip("`").lower() == "v"


def test_what_is_neither_is_refused(spark: SparkSession) -> None:
    with pytest.raises(WindowSpecError, match="there is no column nothing"):
        winsql.sql(spark, f"SELECT k, nothing, count(*) FROM declared {TUMBLING} GROUP BY k")


def test_qualify_takes_them_in_a_subquery_as_in_spark(spark: SparkSession) -> None:
    text = f"SELECT k, count(*) FROM declared {TUMBLING} GROUP BY k QUALIFY rank() OVER (ORDER BY k) < few"
    with pytest.raises(WindowSpecError, match="QUALIFY cannot read the session variable few") as caught:
        winsql.sql(spark, text)
    assert caught.value.hint == "write (SELECT few)"


def test_window_functions(spark: SparkSession) -> None:
    text = (
        "SELECT k, few, count(*) AS n FROM TUMBLE(TABLE declared, DESCRIPTOR(ts), '10 minutes') "
        "GROUP BY k, window_start, window_end HAVING count(*) < few"
    )
    assert sorted(map(tuple, winsql.sql(spark, text).collect())) == [("b", 2, 1), ("b", 2, 1)]


def test_window_joins(spark: SparkSession) -> None:
    text = (
        "SELECT l.k, few, count(*) AS n FROM declared l WINDOW JOIN declared r ON l.k = r.k WHERE r.v < few + 2 "
        "WINDOW ASSIGN TUMBLING((l.ts, r.ts), '10 minutes') GROUP BY l.k HAVING count(*) > few"
    )
    assert [tuple(row) for row in winsql.sql(spark, text).collect()] == [("a", 2, 4)]


@pytest.mark.parametrize("trigger", ["", "TRIGGER COUNT(1)"])
def test_a_default_takes_no_windows(spark: SparkSession, trigger: str) -> None:
    """The hint, when followed, works."""
    counts = f"(SELECT max(n) FROM (SELECT k, count(*) AS n FROM declared {TUMBLING} {trigger} GROUP BY k))"
    with pytest.raises(WindowSyntaxError, match="a DEFAULT cannot have a windowed subquery") as caught:
        winsql.sql(spark, f"DECLARE OR REPLACE VARIABLE most BIGINT DEFAULT {counts}")
    assert "SET VAR name" in (caught.value.hint or "")
    winsql.sql(spark, "DECLARE OR REPLACE VARIABLE most BIGINT")
    winsql.sql(spark, f"SET VAR most = {counts}")
    assert winsql.sql(spark, "SELECT most").collect() == [(2,)]
    winsql.sql(spark, "DROP TEMPORARY VARIABLE most")
