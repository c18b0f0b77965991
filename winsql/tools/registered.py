"""Sessions that tools make: a setting says whether they are to know the language."""

from __future__ import annotations

from pyspark.sql import SparkSession

from winsql.spark.extension.register import register
from winsql.spark.flags import is_on

_SETTING = "spark.winsql.register"


def register_if_wanted(spark: SparkSession) -> None:
    """Register the session where `spark.winsql.register` is true in its settings."""
    if is_on(spark, _SETTING, False):
        register(spark)
