"""EXPLAIN WINDOW as text: `golden/plans/*.sql` holds statements over the relations below, and the whole explanation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from golden_cases import GoldenCase, check_case, golden_cases

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLANS = golden_cases("plans")


@pytest.fixture(scope="module")
def relations(spark: SparkSession) -> SparkSession:
    spark.sql(
        "SELECT CAST(NULL AS TIMESTAMP) AS ts, CAST(NULL AS DATE) AS day, 'a' AS k, 1 AS v, 1.5D AS x, 3L AS seconds"
    ).createOrReplaceTempView("events")
    ticks = spark.readStream.format("rate").load().selectExpr("timestamp AS ts", "value AS v", "value % 3 AS k")
    ticks.withWatermark("ts", "5 seconds").createOrReplaceTempView("ticks")
    winsql.register_apply_function("profile", len, "n INT")
    return spark


def test_there_are_cases() -> None:
    assert len(PLANS) >= 10


@pytest.mark.parametrize("case", PLANS, ids=lambda case: case.id)
def test_plan(relations: SparkSession, case: GoldenCase, update_golden: bool) -> None:
    check_case(case, lambda case: winsql.explain(relations, case.input), update_golden)
