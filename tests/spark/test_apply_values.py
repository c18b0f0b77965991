"""What the functions of APPLY and co_group see and return is what those of Spark's own `applyInPandas` do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

RETURNS = "seen STRING, top TIMESTAMP, a ARRAY<TIMESTAMP>, m MAP<STRING, TIMESTAMP>, s STRUCT<t: TIMESTAMP>"
ROW = (
    "t AS ts, array(t, NULL) AS a, map('x', t) AS m, struct(t AS t, map('n', 1) AS n) AS s, "
    "struct(t, array(t) AS a) AS p "
    "FROM VALUES (TIMESTAMP'2024-01-01 00:00:01') AS v(t)"
)
WINDOW = "TUMBLING(ts, '1 day')"


@pytest.fixture(autouse=True)
def new_york(spark: SparkSession) -> Iterator[None]:
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW nested_times AS SELECT {ROW}")
    yield
    spark.catalog.dropTempView("nested_times")
    spark.conf.set("spark.sql.session.timeZone", before)


def test_times_at_any_depth(spark: SparkSession) -> None:
    def look(rows: pd.DataFrame, *key: Any) -> pd.DataFrame:
        row = rows.iloc[0]
        seen = repr((row["ts"], list(row["a"]), row["m"], row["s"], *key))
        top = row["ts"]
        return pd.DataFrame({"seen": [seen], "top": [top], "a": [[top]], "m": [{"x": top}], "s": [{"t": top}]})

    winsql.register_apply_function("look_at", lambda key, window, rows: look(rows, key[0]), RETURNS)
    winsql.register_co_group_function("look_at_both", lambda key, window, rows, others: look(others, key[0]), RETURNS)
    table = "TABLE(nested_times) PARTITION BY p"
    statements = [
        f"SELECT * FROM nested_times WINDOW ASSIGN {WINDOW} PARTITION BY p APPLY look_at",
        f"SELECT * FROM co_group({table}, {table}, DESCRIPTOR(ts, ts), TUMBLING('1 day'), apply => 'look_at_both')",
    ]
    own = spark.table("nested_times").groupBy("p").applyInPandas(lambda key, rows: look(rows, key[0]), RETURNS)
    for statement in statements:
        found = winsql.sql(spark, statement).select(own.columns)
        assert found.collect() == own.collect()


def test_the_bounds_of_every_window_may_be_returned(spark: SparkSession) -> None:
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    winsql.register_apply_function("its_end", lambda key, window, rows: pd.DataFrame({"w": [window[1]]}), "w TIMESTAMP")
    days = "VALUES (TIMESTAMP'9999-12-31 23:59:59'), (TIMESTAMP'0001-01-01 00:00:00')"
    statement = f"SELECT w FROM (SELECT * FROM {days} AS v(ts)) WINDOW ASSIGN {WINDOW} APPLY its_end"
    found = winsql.sql(spark, statement).selectExpr("CAST(w AS STRING)").collect()
    assert sorted(found) == [("+10000-01-01 00:00:00",), ("0001-01-02 00:00:00",)]
