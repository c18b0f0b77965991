"""`*` in a SELECT with APPLY: the columns of the function, without those after EXCEPT."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pandas as pd
import pytest

import winsql
from winsql import WindowSpecError
from winsql.model.registry import APPLY_FUNCTIONS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TUMBLING = "WINDOW ASSIGN TUMBLING(ts, '1 minute') PARTITION BY k APPLY starred"


@pytest.fixture(autouse=True)
def function(spark: SparkSession) -> Iterator[None]:
    def starred(key: tuple[object, ...], window: object, rows: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"k": [f"{key[0]}{key[0]}"], "n": [len(rows)], "s": [{"x": 1, "y": 2}]})

    winsql.register_apply_function("starred", starred, "k STRING, n INT, s STRUCT<x: INT, y: INT>")
    spark.sql(
        "SELECT substr('aab', id + 1, 1) AS k, timestamp_seconds(1704067200 + id) AS ts FROM range(3)"
    ).createOrReplaceTempView("stars")
    yield
    spark.catalog.dropTempView("stars")
    APPLY_FUNCTIONS.remove("starred")


@pytest.mark.parametrize(
    ("items", "columns", "rows"),
    [
        ("*", ["k", "n", "s"], [("aa", 2, (1, 2)), ("bb", 1, (1, 2))]),
        ("* EXCEPT (s)", ["k", "n"], [("aa", 2), ("bb", 1)]),
        ("Stars.* except (`S`, stars.N)", ["k"], [("aa",), ("bb",)]),
        ("* EXCEPT (k, s), n + 1 AS m", ["n", "m"], [(1, 2), (2, 3)]),
        ("DISTINCT * EXCEPT (k, n)", ["s"], [((1, 2),)]),
        ("struct(* EXCEPT (s)) AS t", ["t"], [(("aa", 2),), (("bb", 1),)]),
        ("s.*, n", ["x", "y", "n"], [(1, 2, 1), (1, 2, 2)]),
    ],
)
def test_columns_and_rows(spark: SparkSession, items: str, columns: list[str], rows: list[tuple[object, ...]]) -> None:
    frame = winsql.sql(spark, f"SELECT {items} FROM stars {TUMBLING}")
    assert frame.columns == columns
    assert sorted(map(tuple, frame.collect()), key=str) == rows


def test_other_case_is_another_name_where_the_session_says_so(spark: SparkSession) -> None:
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        assert winsql.sql(spark, f"SELECT * EXCEPT (s) FROM stars {TUMBLING}").columns == ["k", "n"]
        with pytest.raises(WindowSpecError, match="S is no column of starred"):
            winsql.sql(spark, f"SELECT * EXCEPT (S) FROM stars {TUMBLING}")
    finally:
        spark.conf.unset("spark.sql.caseSensitive")
