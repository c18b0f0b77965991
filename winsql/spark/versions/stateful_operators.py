"""Stateful operators in Python over Spark Connect: PySpark's client has them since 4.1; classic sessions of 4.0 do."""

from __future__ import annotations

from winsql.spark.versions.number import Version, client_version


def no_stateful_operators(is_connect: bool) -> str | None:
    """The first version whose sessions keep windows of streams; None where sessions of this PySpark do."""
    return "4.1" if is_connect and client_version() < Version(4, 1) else None
