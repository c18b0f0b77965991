"""Settings of a session that statements must not depend on, and rows that can be compared between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql.types import TimestampType

import winsql

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

ANSI = {"spark.sql.ansi.enabled": "true"}
NOT_ANSI = {"spark.sql.ansi.enabled": "false"}
RESERVED = {**ANSI, "spark.sql.ansi.enforceReservedKeywords": "true"}
DOUBLE_QUOTED = {**ANSI, "spark.sql.ansi.doubleQuotedIdentifiers": "true"}
ESCAPED = {"spark.sql.parser.escapedStringLiterals": "true"}
PATTERNS = {"spark.sql.parser.quotedRegexColumnNames": "true"}
CASE_SENSITIVE = {"spark.sql.caseSensitive": "true"}
NTZ = {"spark.sql.timestampType": "TIMESTAMP_NTZ"}
LEGACY = {"spark.sql.legacy.timeParserPolicy": "LEGACY"}
CORRECTED = {"spark.sql.legacy.timeParserPolicy": "CORRECTED"}
NOT_ADAPTIVE = {"spark.sql.adaptive.enabled": "false"}
WITHOUT_ARROW = {"spark.sql.execution.arrow.pyspark.enabled": "false"}
NEW_YORK = {"spark.sql.session.timeZone": "America/New_York"}
KOLKATA = {"spark.sql.session.timeZone": "Asia/Kolkata"}
ONE, MANY = ({"spark.sql.shuffle.partitions": number} for number in ("1", "200"))
SETTINGS = {
    "not ANSI": {**NOT_ANSI, **CASE_SENSITIVE, **NEW_YORK, **LEGACY, **ONE},
    "strict": {**RESERVED, **DOUBLE_QUOTED, **ESCAPED, **KOLKATA, **CORRECTED, **NOT_ADAPTIVE, **ONE},
    "reserved": {**RESERVED, **NTZ, **NEW_YORK, **WITHOUT_ARROW, **NOT_ADAPTIVE},
    "double-quoted": {**DOUBLE_QUOTED, **CASE_SENSITIVE, **LEGACY, **MANY},
    "escaped": {**NOT_ANSI, **ESCAPED, **NTZ, **KOLKATA, **WITHOUT_ARROW, **MANY},
}
"""Several settings at once, most pairs of them together somewhere."""


@contextmanager
def settings(spark: SparkSession, given: dict[str, str]) -> Iterator[None]:
    before = {key: spark.conf.get(key, None) for key in given}
    try:
        for key, value in given.items():
            spark.conf.set(key, value)
        yield
    finally:
        for key, value in before.items():
            if value is None:
                spark.conf.unset(key)
            else:
                spark.conf.set(key, value)


def rows_of(spark: SparkSession, statements: Sequence[str]) -> list[Counter[str]]:
    """The rows of each statement as text, instants as numbers, all in one query."""
    texts = [as_text(winsql.sql(spark, text), number) for number, text in enumerate(statements)]
    found: list[Counter[str]] = [Counter() for _ in statements]
    for number, row in reduce(lambda left, right: left.unionAll(right), texts).collect():
        found[number][row] += 1
    return found


def as_text(frame: DataFrame, number: int) -> DataFrame:
    renamed = frame.toDF(*(f"c{n}" for n in range(len(frame.columns))))
    columns = [_instants(renamed, name) for name in renamed.columns]
    return renamed.select(F.lit(number).alias("number"), F.to_json(F.struct(*columns)).alias("row"))


def _instants(frame: DataFrame, name: str) -> Column:
    """A column, in microseconds where it holds instants."""
    is_instant = isinstance(frame.schema[name].dataType, TimestampType)
    return F.unix_micros(name).alias(name) if is_instant else F.col(name)
