"""`''` for a quote in a string: Spark reads it so since 4.1, before as the end of a string and the start of another."""

from __future__ import annotations

import re

from pyspark.sql import SparkSession

from winsql.spark.versions.number import Version, server_version

_COMMENT = re.compile(r"^COMMENT '(?:[^']|'')*'$", re.MULTILINE)


def known_quotes(spark: SparkSession, statement: str) -> str:
    """A statement with the quotes in its COMMENT, the only text that has some, as the session's Spark reads them."""
    if server_version(spark) >= Version(4, 1):
        return statement
    return _COMMENT.sub(lambda comment: comment[0].replace("''", '"'), statement)
