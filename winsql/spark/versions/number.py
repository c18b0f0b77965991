"""Versions as numbers that can be compared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Version(NamedTuple):
    """The two numbers of a version that decide on what it can do."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


_NUMBERS = re.compile(r"(\d+)\.(\d+)")
_SERVERS: WeakKeyDictionary[SparkSession, Version] = WeakKeyDictionary()


def version_of(text: str) -> Version | None:
    """The version that a text begins with, as `4.1.2` or `4.0.0-vendor5`; None where it begins with none."""
    match = _NUMBERS.match(text)
    return None if match is None else Version(int(match[1]), int(match[2]))


def client_version() -> Version:
    """The version of PySpark in this process."""
    import pyspark

    return version_of(pyspark.__version__) or Version(0, 0)


def server_version(spark: SparkSession) -> Version:
    """The version of the Spark that parses and runs the session's statements."""
    if spark not in _SERVERS:
        _SERVERS[spark] = version_of(spark.version) or Version(0, 0)
    return _SERVERS[spark]
