"""Whether sessions of this process are of Spark Connect, where none is at hand; PySpark tells it in all versions."""

from __future__ import annotations

from pyspark.sql.utils import is_remote

__all__ = ["is_remote"]
