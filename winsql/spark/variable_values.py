"""`${name}` in statements, which Spark replaces before it parses: by a setting of the session, or the environment.

The name may have one of Spark's prefixes: `hivevar:`, `hiveconf:`, `spark:`, `sparkconf:` mean the same as none, `env:`
is the environment, which on Spark Connect is that of the server. What has another prefix stays, for Spark to read. A
value may hold such names, too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from winsql.errors import Span, WindowSyntaxError
from winsql.spark.flags import is_on
from winsql.syntax import hidden

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REFERENCE = re.compile(r"\$\{(?:(\w+?):)?(\S+?)\}")
"""Spark's own, in ConfigReader."""
_OWN = frozenset({None, "hivevar", "hiveconf", "spark", "sparkconf"})


def replaces_variables(spark: SparkSession, text: str) -> bool:
    """Whether the session replaces variables, and the text has any."""
    return "${" in text and is_on(spark, "spark.sql.variable.substitute")


def with_values(spark: SparkSession, text: str) -> str:
    """The text with the values of its variables; one without a value stays."""
    if not replaces_variables(spark, text):
        return text

    from winsql.spark.environment import environment_variable  # it needs PySpark

    def value(match: re.Match[str]) -> str:
        found = value_of(
            match, lambda name: spark.conf.get(name, None), environment=partial(environment_variable, spark)
        )
        return match[0] if found is None else found

    return REFERENCE.sub(value, text)


def is_variable_of_ours(match: re.Match[str]) -> bool:
    """Whether a match of `REFERENCE` has a prefix that is known here."""
    return match[1] == "env" or match[1] in _OWN


def value_of(
    match: re.Match[str],
    lookup: Callable[[str], str | None],
    within: tuple[re.Match[str], ...] = (),
    environment: Callable[[str], str | None] = os.environ.get,
) -> str | None:
    """The value of a match of `REFERENCE`, with the values of the names in it; None for nothing.

    `within` are the matches whose values led here, the one of the statement first. Raises WindowSyntaxError for a name
    that its own value leads back to.
    """
    prefix, name = match.groups()
    found = environment(name) if prefix == "env" else lookup(name) if prefix in _OWN else None
    if found is None:
        return None
    if any(match[0] == outer[0] for outer in within):
        raise _endless(match[0], within[0])

    def value(inner: re.Match[str]) -> str:
        known = value_of(inner, lookup, (*within, match), environment)
        return inner[0] if known is None else known

    return REFERENCE.sub(value, found)


def _endless(name: str, written: re.Match[str]) -> WindowSyntaxError:
    return WindowSyntaxError(
        f"the value of the variable {name} leads back to {name}",
        rule="the value of a variable may name others, but not itself",
        hint=f"give {name} a value without {name} in it",
        source=hidden(written.string),
        span=Span(*written.span()),
    )
