"""Where this process can look into folders by itself, and need not ask Spark."""

from __future__ import annotations

from pyspark.sql import SparkSession

from winsql.spark.local_places import local_place
from winsql.spark.runner import is_connect
from winsql.spark.versions.classic import default_file_system


def reachable_place(spark: SparkSession, path: str) -> str | None:
    """A path of the local file system without its scheme; None for others, and on Spark Connect."""
    return None if is_connect(spark) else local_place(path, default_file_system(spark))
