"""Whether sessions of this process are of Spark Connect, for code without a session; in all versions of PySpark."""

from __future__ import annotations

from pyspark.sql.utils import is_remote

__all__ = ["is_remote"]
