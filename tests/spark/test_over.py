"""Calls with OVER over windows of a stream: Spark's own functions, types and frames."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.errors import AnalysisException
from streaming import Event, Source, rows_of, run, run_sql

import winsql
from winsql.errors import WindowPlanError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CALL = "TABLE(TUMBLE(TABLE {t}, DESCRIPTOR(ts), INTERVAL '1' MINUTE))"
STATEMENT = f"""
SELECT n, window_end, doc, docs,
  to_json(lag(struct(k, ts), 2) OVER w) AS of_a_struct, lead(ts, 1, TIMESTAMP'1970-01-01') OVER w AS of_a_time,
  to_json(first_value(array(v)) OVER w) AS of_an_array, nth_value(k, 2) IGNORE NULLS OVER w AS second_one,
  CAST(lag(doc, 2, parse_json('1')) OVER w AS STRING) AS of_a_variant, to_json(lead(docs) OVER w) AS of_variants,
  CAST(first_value(doc) IGNORE NULLS OVER w AS STRING) AS first_variant,
  CAST(sum(months) OVER w AS STRING) AS all_months, CAST(avg(months) OVER moving AS STRING) AS average_months,
  CAST((lag(array(months)) OVER w)[0] AS STRING) AS in_an_array,
  sum(CAST(v AS DECIMAL(10, 2))) OVER w AS total, avg(CAST(n AS DECIMAL(12, 3))) OVER moving AS average,
  count_if(v > 2) OVER near AS counted, stddev(n) OVER moving AS deviation,
  to_json(collect_list(n) OVER moving) AS numbers, ntile(3) OVER w AS part, cume_dist() OVER near AS share,
  n / max(n) OVER (PARTITION BY window_end) AS of_all, (lag(st) OVER w).a AS field,
  CAST(lag(make_ym_interval(1, n)) OVER w AS STRING) AS months, to_json(lag(twins) OVER w) AS both,
  count_if(to_json(st) LIKE '%"a":1%') OVER w AS named,
  sum(ALL n) OVER (PARTITION BY window_end ORDER BY NULL) AS of_none,
  count(*) OVER (PARTITION BY window_end ORDER BY n RANGE BETWEEN 1.5 PRECEDING AND 1.5 FOLLOWING) AS whole_offsets,
  count(*) OVER (PARTITION BY window_end ORDER BY CAST(v AS DECIMAL(9, 2)) RANGE 0.005 PRECEDING) AS rounded_offsets
FROM (SELECT *, struct(n AS a, k AS b) AS st, struct(n AS a, k AS a) AS twins, array(struct(doc, ts), NULL) AS docs,
    make_ym_interval(n % 3, -n) AS months
  FROM (SELECT *, CASE WHEN n % 5 < 4 THEN parse_json(to_json(struct(n))) END AS doc FROM {CALL}))
WINDOW w AS (PARTITION BY window_start, window_end ORDER BY n DESC),
  moving AS (PARTITION BY window_end, v ORDER BY n ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING),
  near AS (PARTITION BY window_end ORDER BY ts RANGE BETWEEN INTERVAL '5' SECOND PRECEDING AND CURRENT ROW)
"""
STATEMENT = STATEMENT.replace("cume_dist() OVER near", "cume_dist() OVER (PARTITION BY window_end ORDER BY ts)")


@pytest.mark.slow
@pytest.mark.parametrize("large_texts", ["false", "true"])
def test_a_stream_gives_the_rows_of_a_table(spark: SparkSession, tmp_path: Path, large_texts: str) -> None:
    spark.conf.set("spark.sql.execution.arrow.useLargeVarTypes", large_texts)
    try:
        compare(spark, tmp_path)
    finally:
        spark.conf.unset("spark.sql.execution.arrow.useLargeVarTypes")


def compare(spark: SparkSession, tmp_path: Path) -> None:
    rng = random.Random(9)
    times = sorted(rng.randrange(200) for _ in range(90))
    rows: list[Event] = [
        (rng.choice(["a", "b", None]), time, float(rng.randrange(5)), n) for n, time in enumerate(times)
    ]
    source = Source(tmp_path / "in")
    source.put(rows[:50], [*rows[50:], ("end", 1_000_000.0, 0.0, -1)])
    source.stream(spark, "over_stream")
    source.table(spark, "over_table")
    (found,) = run_sql(spark, [STATEMENT.format(t="over_stream")], tmp_path / "checkpoints")
    expected = rows_of(winsql.sql(spark, STATEMENT.format(t="over_table")))
    expected = Counter({row: count for row, count in expected.items() if row[0] != "-1"})
    assert Counter(found) == expected
    assert sum(expected.values()) == len(rows)


@pytest.mark.parametrize("planned", ["false", "true"])
def test_the_setting_of_large_texts_may_change_before_the_start(
    spark: SparkSession, tmp_path: Path, planned: str
) -> None:
    """Calls with OVER, and rankings in the operator: Spark wants texts as the setting is when the stream runs."""
    setting = "spark.sql.execution.arrow.useLargeVarTypes"
    source = Source(tmp_path / "in")
    source.put([("a", 1.0, 1.0, 0), ("b", 2.0, 1.0, 1)], [("end", 1_000.0, 1.0, 2)])
    source.stream(spark, "over_stream")
    number = "row_number() OVER (PARTITION BY window_start, window_end ORDER BY v, n)"
    texts = (
        f"SELECT lag(k) OVER (PARTITION BY window_end ORDER BY n) AS before FROM {CALL}",
        f"SELECT * FROM (SELECT k, {number} AS r FROM {CALL}) WHERE r = 1",
    )
    spark.conf.set(setting, planned)
    try:
        frames = [winsql.sql(spark, text.format(t="over_stream")) for text in texts]
        spark.conf.set(setting, "true" if planned == "false" else "false")
        lagged, ranked = run(frames, tmp_path / "checkpoints")
    finally:
        spark.conf.unset(setting)
    assert sorted(lagged) == [("None",), ("a",)]
    assert ranked == [("a", "1")]


@pytest.mark.parametrize(
    ("over", "problem", "place"),
    [
        ("ntile('a') OVER (PARTITION BY window_end ORDER BY n)", "ntile", "ntile('a')"),
        ("sum(n) OVER (PARTITION BY window_end ORDER BY n, v RANGE 1 PRECEDING)", "multiple order by", "sum(n) OVER"),
        ("rank() FILTER (WHERE n > 1) OVER (PARTITION BY window_end ORDER BY n)", "FILTER", "rank() FILTER"),
    ],
)
def test_what_spark_refuses(spark: SparkSession, tmp_path: Path, over: str, problem: str, place: str) -> None:
    Source(tmp_path / "in").stream(spark, "over_stream")
    with pytest.raises(AnalysisException, match=problem) as caught:
        winsql.sql(spark, f"SELECT k, {over} FROM {CALL.format(t='over_stream')}")
    assert f"SELECT k, {place}" in str(caught.value)
    assert "position 11" in str(caught.value)
    assert "windowed__" not in str(caught.value)


def test_an_aggregate_that_winsql_does_not_have(spark: SparkSession, tmp_path: Path) -> None:
    Source(tmp_path / "in").stream(spark, "over_stream")
    sketch = "histogram_numeric(v, 5)"
    with pytest.raises(WindowPlanError, match="HISTOGRAM_NUMERIC OVER cannot run on a stream") as caught:
        winsql.sql(spark, f"SELECT {sketch} OVER (PARTITION BY window_end) FROM {CALL.format(t='over_stream')}")
    assert caught.value.span is not None
    text = f"SELECT lag(make_interval(1)) OVER (PARTITION BY window_end ORDER BY n) FROM {CALL}"
    with pytest.raises(WindowPlanError, match="of type INTERVAL, which cannot leave a window"):
        winsql.sql(spark, text.format(t="over_stream"))
    with pytest.raises(WindowPlanError, match="give SUM what it takes"):
        winsql.sql(spark, f"SELECT sum(k) OVER (PARTITION BY window_end) FROM {CALL.format(t='over_stream')}")
