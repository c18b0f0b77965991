"""How a session reads quotes, pipes and groups, and compares names."""

from __future__ import annotations

from pyspark.sql import SparkSession

from winsql.model.settings import ParserSettings

__all__ = ["parser_settings"]


def parser_settings(spark: SparkSession) -> ParserSettings:
    """The settings as they are now; each statement may have others."""

    def is_on(key: str) -> bool:  # where nobody has set it, what this version of Spark has as its default
        return str(spark.conf.get(key)).lower() == "true"

    return ParserSettings(
        is_on("spark.sql.ansi.doubleQuotedIdentifiers") and is_on("spark.sql.ansi.enabled"),
        is_on("spark.sql.parser.escapedStringLiterals"),
        is_on("spark.sql.caseSensitive"),
        is_on("spark.sql.groupByOrdinal"),
        is_on("spark.sql.groupByAliases"),
        str(spark.conf.get("spark.sql.legacy.ctePrecedencePolicy")).upper() == "LEGACY",
        is_on("spark.sql.legacy.integerGroupingId"),
        spark.conf.isModifiable(_SINGLE_CHARACTER_PIPES) and is_on(_SINGLE_CHARACTER_PIPES),
    )


_SINGLE_CHARACTER_PIPES = "spark.sql.parser.singleCharacterPipeOperator.enabled"
"""Spark before 4.2 knows neither them nor the setting."""
