"""The names of the functions that a session knows."""

from __future__ import annotations

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession


def system_functions(spark: SparkSession) -> frozenset[str]:
    """Spark's own, as it writes them."""
    return frozenset(_listed(spark, "SYSTEM"))


def user_functions(spark: SparkSession) -> frozenset[str]:
    """Those of the session and of its current schema, in lower case and without the schema."""
    names = _listed(spark, "`user`")  # a reserved word to some sessions
    return frozenset(name.rpartition(".")[2].lower() for name in names)


def _listed(spark: SparkSession, which: str) -> list[str]:
    show = f"SHOW {which} FUNCTIONS"
    try:
        return [row[0] for row in spark.sql(show).collect()]
    except AnalysisException:  # the current catalog has no functions
        names = [row[0] for row in spark.sql(f"{show} IN spark_catalog.`default`").collect()]
        return [name for name in names if "." not in name]  # the others are of a schema that is not the current one
