"""How a session reads quotes, pipes and groups, and compares names."""

from __future__ import annotations

from pyspark.sql import SparkSession

from winsql.model.settings import ANSI, BACKSLASHES, CONSECUTIVE_STRINGS, DOUBLE_QUOTES, ParserSettings
from winsql.spark.flags import is_on


def parser_settings(spark: SparkSession) -> ParserSettings:
    """The settings as they are now; each statement may have others."""
    return ParserSettings(
        is_on(spark, DOUBLE_QUOTES) and is_on(spark, ANSI),
        is_on(spark, BACKSLASHES),
        is_on(spark, "spark.sql.caseSensitive"),
        is_on(spark, "spark.sql.groupByOrdinal"),
        is_on(spark, "spark.sql.groupByAliases"),
        str(spark.conf.get("spark.sql.legacy.ctePrecedencePolicy")).upper() == "LEGACY",
        is_on(spark, "spark.sql.legacy.integerGroupingId"),
        spark.conf.isModifiable(_SINGLE_CHARACTER_PIPES) and is_on(spark, _SINGLE_CHARACTER_PIPES),
        is_on(spark, CONSECUTIVE_STRINGS, default=True),  # before 4.1 there is no other way
    )


_SINGLE_CHARACTER_PIPES = "spark.sql.parser.singleCharacterPipeOperator.enabled"
"""Spark before 4.2 knows neither them nor the setting."""
