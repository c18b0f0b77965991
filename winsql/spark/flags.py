"""Settings of a session that are on or off, which Spark takes in letters of any case and gives back as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # `variable_values` is for environments without PySpark, too
    from pyspark.sql import SparkSession


def is_on(spark: SparkSession, key: str, default: bool | None = None) -> bool:
    """Whether a setting is on; where nobody has set it, what this version of Spark has as its default.

    default   for settings that not every version has
    """
    is_known = default is None or spark.conf.isModifiable(key)  # with a default Spark does not tell its own
    said = spark.conf.get(key) if is_known else spark.conf.get(key, str(default))
    return str(said).strip().lower() == "true"
