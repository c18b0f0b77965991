"""Aggregates in Python over Arrow's columns: PySpark has them since 4.1.

Those over pandas' columns, which 4.0 has, would not do: they lose the hour that a clock repeats, and distant years.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.sql import SparkSession

from winsql.spark.versions.number import Version, client_version

HAS_ARROW_AGGREGATES = client_version() >= Version(4, 1)


def register_arrow_aggregate(spark: SparkSession, name: str, function: Callable[..., Any], returns: str) -> None:
    """Make a function of columns an aggregate of the session; `returns` is its type, as DDL."""
    from pyspark.sql.functions import arrow_udf  # type: ignore[attr-defined]

    spark.udf.register(name, arrow_udf(function, returns))
