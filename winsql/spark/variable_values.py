"""`${name}` in statements, which Spark replaces before it parses: by a setting of the session, or the environment.

The name may have one of Spark's prefixes: `hivevar:`, `hiveconf:`, `spark:`, `sparkconf:` mean the same as none, `env:`
is the environment. What has another prefix stays, for Spark to read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["REFERENCE", "is_variable_of_ours", "replaces_variables", "value_of", "with_values"]

REFERENCE = re.compile(r"\$\{(?:(\w+?):)?(\S+?)\}")
"""Spark's own, in ConfigReader."""
_OWN = frozenset({None, "hivevar", "hiveconf", "spark", "sparkconf"})


def replaces_variables(spark: SparkSession, text: str) -> bool:
    """Whether the session replaces variables, and the text has any."""
    return "${" in text and str(spark.conf.get("spark.sql.variable.substitute")).lower() == "true"


def with_values(spark: SparkSession, text: str) -> str:
    """The text with the values of its variables; one without a value stays."""
    if not replaces_variables(spark, text):
        return text

    def value(match: re.Match[str]) -> str:
        found = value_of(match, lambda name: spark.conf.get(name, None))
        return match[0] if found is None else found

    return REFERENCE.sub(value, text)


def is_variable_of_ours(match: re.Match[str]) -> bool:
    """Whether a match of `REFERENCE` has a prefix that is known here."""
    return match[1] == "env" or match[1] in _OWN


def value_of(match: re.Match[str], lookup: Callable[[str], str | None]) -> str | None:
    """The value of a match of `REFERENCE`; None for nothing."""
    prefix, name = match.groups()
    if prefix == "env":
        return os.environ.get(name)
    return lookup(name) if prefix in _OWN else None
