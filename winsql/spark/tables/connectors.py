"""Which package brings a source or sink that Spark does not find."""

from __future__ import annotations

import re

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from winsql.errors import WindowPlanError
from winsql.model.nearest import nearest
from winsql.spark.parser_settings import parser_settings
from winsql.spark.versions.java_errors import Py4JError, Py4JJavaError
from winsql.syntax.text.source import Extent, Source

SPARK_ERRORS = (PySparkException, Py4JError)
"""Errors of asking Spark for a source or sink: some of Java's reach Python as py4j's."""

_PACKAGES = {
    "kafka": "org.apache.spark:spark-sql-kafka-0-10_2.13:{version}",
    "avro": "org.apache.spark:spark-avro_2.13:{version}",
    "protobuf": "org.apache.spark:spark-protobuf_2.13:{version}",
    "delta": "io.delta:delta-spark_2.13",
    "iceberg": "org.apache.iceberg:iceberg-spark-runtime-{minor}_2.13",
    "hudi": "org.apache.hudi:hudi-spark{minor}-bundle_2.13",
}
_OF_SPARK = ("csv", "json", "orc", "parquet", "text", "xml", "rate", "rate-micro-batch", "socket")


def missing_connector(spark: SparkSession, name: str, error: Exception) -> WindowPlanError | None:
    """What to add where Spark has no source or sink of this name; None for another error."""
    if not _MISSING.search(_condition(error) + spark_message(error)):
        return None
    release = _release(spark)
    package = _PACKAGES.get(name.lower(), "").format(version=release, minor=release.rpartition(".")[0])
    near = nearest(name, [*_OF_SPARK, *_PACKAGES])
    if package:
        return WindowPlanError(
            f"this session has no {name}",
            rule="its classes are not part of Spark: they come with a package, which a session gets at its start",
            hint=f"start with --conf spark.jars.packages={package}",
        )
    return WindowPlanError(
        f"this session has no format {name}",
        rule="formats are Spark's, those of packages in spark.jars.packages, and Python data sources",
        hint=f"did you mean {near}?" if near else "register a Python data source with spark.dataSource.register",
    )


def missing_format(spark: SparkSession, text: str, error: Exception) -> WindowPlanError | None:
    """The same for the format after USING in a statement; with its place."""
    source = Source(text, settings=parser_settings(spark))
    place = next((n + 1 for n in source.places("USING") if source.at(n + 1).is_name), None)
    found = None if place is None else missing_connector(spark, source.name(place), error)
    return None if place is None or found is None else found.located(text, source.span(Extent(place, place + 1)))


_MISSING = re.compile(r"DATA_SOURCE_NOT_(FOUND|ENABLED)|Failed to find (the )?data source")


def spark_message(error: Exception) -> str:
    """The first line of what Spark says, without its condition."""
    text = str(error)
    if isinstance(error, Py4JJavaError):
        text = str(error.java_exception.getMessage())
    elif isinstance(error, PySparkException):
        text = error.getMessage() or text
    first = text.strip().split("\n")[0]
    return re.sub(r"^\[[\w.]+\]\s*|\s*SQLSTATE: \w+.*$", "", first)


def _condition(error: Exception) -> str:
    if isinstance(error, Py4JJavaError):
        return str(error.java_exception.getMessage())
    return (error.getCondition() or "") if isinstance(error, PySparkException) else ""


def _release(spark: SparkSession) -> str:
    """Spark's version as its packages have it, without a vendor's suffix."""
    found = re.match(r"\d+\.\d+\.\d+", spark.version)
    return found[0] if found else spark.version
