"""Interpolation: since 4.3 Spark adds a part of the difference to the lower value, before it weighed both values.

The results differ in their last digits.
"""

from __future__ import annotations

from pyspark.sql import SparkSession

from winsql.spark.versions.number import Version, server_version


def weighs_percentiles(spark: SparkSession) -> bool:
    """Whether the session's Spark weighs the two values between which a percentile is."""
    return server_version(spark) < Version(4, 3)
