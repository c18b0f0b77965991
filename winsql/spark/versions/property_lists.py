"""`OPTIONS (...)`, `TBLPROPERTIES (...)`, LOCATION: Spark takes parameters in them since 4.1, before only literals."""

from __future__ import annotations

from typing import Any

from pyspark.sql import SparkSession

from winsql.errors import WindowPlanError
from winsql.model.settings import ParserSettings
from winsql.spark.flags import is_on
from winsql.spark.parser_settings import parser_settings
from winsql.spark.versions.number import Version, server_version


def property_value(spark: SparkSession, name: str, value: str, arguments: dict[str, Any]) -> str:
    """The SQL of a property or a place; where it is the parameter `name`, the value goes into `arguments`.

    Spark reads escapes in these literals whatever `spark.sql.parser.escapedStringLiterals` says.
    """
    if server_version(spark) >= Version(4, 1) and not is_on(spark, _CONSTANTS_ONLY, False):
        arguments[name] = value
        return f":{name}"
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def option_value(spark: SparkSession, name: str, value: str, arguments: dict[str, Any]) -> str:
    """The SQL of an option, as `property_value`.

    Where the session's strings keep their backslashes it is a literal: Spark writes a parameter with backslashes of its
    own into the statement, and keeps these. Raises WindowPlanError for a value that no literal of the session can have.
    """
    settings = parser_settings(spark)
    if settings.escaped_string_literals:
        return _verbatim(value, settings)
    return property_value(spark, name, value, arguments)


_CONSTANTS_ONLY = "spark.sql.legacy.parameterSubstitution.constantsOnly"


def _verbatim(value: str, settings: ParserSettings) -> str:
    quotes = "'" if settings.double_quoted_identifiers else "'\""
    quote = next((quote for quote in quotes if quote not in value), None)
    if quote is None or value.endswith("\\"):
        raise WindowPlanError(
            f"the value {value} cannot be said to Spark in this session",
            rule="with spark.sql.parser.escapedStringLiterals a string has no backslash at its end, and none of the "
            "quotes in it that it is written in",
            hint="turn the setting off for this statement",
        )
    return f"{quote}{value}{quote}"
