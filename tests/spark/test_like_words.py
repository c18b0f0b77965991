"""Columns called as words of the grammar, and what is read beside them, give Spark's own rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS = """
SELECT ts, k, v, DATE'2024-01-01' AS date, TIMESTAMP'2024-01-02 00:00:00' AS timestamp, v AS partition, v AS day,
  concat('t', k) AS table, array(v, 2) AS values, k AS leading, v AS rows, v > 1 AS `true`, 'Q' AS upperChar,
  make_dt_interval(v) AS length, v > 1 AS exists, v AS case, k AS when, v AS then, v AS else, v AS distinct, v AS all
FROM VALUES (TIMESTAMP'2024-01-01 00:10:00', 'a', 1), (TIMESTAMP'2024-01-01 00:20:00', 'a', 2),
  (TIMESTAMP'2024-01-01 01:20:00', 'b', 3) AS rows_of_words(ts, k, v)"""
GROUPS = [
    ("max(ts) > DATE '2024-01-01' AS a, date", "date"),
    ("max(ts) < TIMESTAMP '2024-01-01 01:00:00' AS a, timestamp", "timestamp"),
    ("extract(minute FROM max(ts)) + day AS a", "day"),
    ("upper(table) AS a, size(values) AS b, (values[1] + 1) AS c, (table IN ('ta')) AS d", "table, values"),
    ("trim(leading FROM concat(' ', max(k))) AS a, trim(leading 'b' FROM leading) AS b", "leading"),
    (
        "sum(max(v)) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS a, (rows BETWEEN 1 AND 2) AS b",
        "rows",
    ),
    ("`true` AS a, TRUE AS b", "`true`"),
    ("mask(max(k), otherChar => 'X') AS a, upperChar", "upperChar"),
    ("transform(array('z'), k -> concat(k, w.k)) AS a", "k"),
    ("max(v)::int < 3 AS a, max(v)::bigint <= 2 OR min(v)::int < 1 AND max(v) > 5 AS b, k", "k"),
    ("max(length)::interval day AS a, max(length)::interval day to second AS b, k::string c", "k"),
    ("k IN (table) AS a, v NOT IN (rows) AS b, v IN (rows, day) AS c", "k, table, v, rows, day, (rows, day)"),
    ("v > 1 IS DISTINCT FROM v > 2 OR `true` AS a", "v, `true`, v > 2 OR `true`"),
    ("length::interval day to second AS a, k || DATE '2024-01-01' AS b", "length, length::interval day, k, k || date"),
    ("rank() OVER (PARTITION BY 1 ORDER BY partition) AS a, partition", "partition"),
    (
        "exists AS a, NOT exists OR EXISTS (SELECT 1) AS b, CASE WHEN exists THEN case + 1 ELSE - case END AS c",
        "exists, case",
    ),
    ("when || 'x' AS a, then + 1 AS b, CASE WHEN then > 1 THEN then ELSE else END AS c", "when, then, else"),
    ("1 + distinct AS a, CAST(distinct AS STRING) AS b, (distinct IS DISTINCT FROM 2) AS c", "distinct"),
    ("max(all) AS a, max(all * 2) AS b, sum(distinct % 2) AS c, min(all - 5) AS d, bool_or(all IS NULL) AS e", "k"),
    ("k LIKE k || 'a' ESCAPE '/' AS a, ~v::int + ~v AS b", "k, k || 'a', v, v::int"),
    ("NOT v BETWEEN 1 AND day + 1 AND exists AS a", "v BETWEEN 1 AND day + 1, exists"),
    (
        "9 - CASE k WHEN 'a' THEN 2 END + CASE v WHEN 1 THEN 2 END AS a",
        "k, v, CASE k WHEN 'a' THEN 2 END + CASE v WHEN 1 THEN 2 END",
    ),
]


@pytest.fixture(scope="module", autouse=True)
def _rows(spark: SparkSession) -> Iterator[None]:
    spark.sql(ROWS).createOrReplaceTempView("words")
    yield
    spark.catalog.dropTempView("words")


def counted(spark: SparkSession, text: str) -> Counter[Any]:
    return Counter(str(row) for row in winsql.sql(spark, text).collect())


@pytest.mark.parametrize("trigger", ["", "TRIGGER PURGING(EVENT_TIME())"])
@pytest.mark.parametrize(("items", "keys"), GROUPS)
def test_groups(spark: SparkSession, items: str, keys: str, trigger: str) -> None:
    expected = counted(spark, f"SELECT {items} FROM words w GROUP BY window(ts, '1 hour'), {keys}")
    text = f"SELECT {items} FROM words w WINDOW ASSIGN TUMBLING(ts, '1 hour') {trigger} GROUP BY {keys}"
    assert counted(spark, text) == expected


def test_clauses_after_columns_called_as_words_before_operands(spark: SparkSession) -> None:
    head, tail = (
        "SELECT when, count(*) AS n FROM words WHERE exists OR then = 1",
        "when HAVING count(*) > 1 ORDER BY when",
    )
    expected = f"{head} GROUP BY window(ts, '1 hour'), {tail}"
    text = f"{head} WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY {tail}"
    assert counted(spark, text) == counted(spark, expected) == {"Row(when='a', n=2)": 1}


def test_types_of_several_words_name_their_items_as_in_spark(spark: SparkSession) -> None:
    items = "max(length)::interval day, max(length)::interval day to second, k::string"
    expected = spark.sql(f"SELECT {items} FROM words GROUP BY k").columns
    text = f"SELECT {items} FROM words WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k"
    assert winsql.sql(spark, text).columns == expected


def test_a_filter_with_a_cast_keeps_spark_s_rows(spark: SparkSession) -> None:
    where = "v::int < 3 OR v > 5 AND k = 'b'"
    text = f"SELECT k, v FROM words WHERE {where} WINDOW ASSIGN TUMBLING(ts, '1 hour')"
    assert counted(spark, text) == counted(spark, f"SELECT k, v FROM words WHERE {where}")
