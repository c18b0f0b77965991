"""`OPTIONS (...)`, `TBLPROPERTIES (...)`, LOCATION: Spark takes parameters in them since 4.1, before only literals."""

from __future__ import annotations

from typing import Any

from pyspark.sql import SparkSession

from winsql.errors import WindowPlanError
from winsql.spark.parser_settings import parser_settings
from winsql.spark.versions.number import Version, server_version

__all__ = ["property_value"]


def property_value(spark: SparkSession, name: str, value: str, arguments: dict[str, Any]) -> str:
    """The SQL of a value; where it is the parameter `name`, the value goes into `arguments`.

    Raises WindowPlanError for a value that no literal of this session can have.
    """
    if server_version(spark) >= Version(4, 1):
        arguments[name] = value
        return f":{name}"
    return _literal(value, is_escaped=parser_settings(spark).escaped_string_literals)


def _literal(value: str, *, is_escaped: bool) -> str:
    if not is_escaped:
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if "'" in value or value.endswith("\\"):
        raise WindowPlanError(
            f"the value {value} cannot be said to Spark 4.0 in this session",
            rule="with spark.sql.parser.escapedStringLiterals a string has no quote in it, and no backslash at its end",
            hint="turn the setting off for this statement, or use Spark 4.1 or newer",
        )
    return f"'{value}'"
