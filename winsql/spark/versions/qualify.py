"""QUALIFY: Spark has the clause since 4.2, and takes no aggregates in it."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

from winsql.spark.aggregate_functions import AggregateNames
from winsql.spark.parser_settings import parser_settings
from winsql.spark.versions.number import Version, server_version
from winsql.spark.versions.without_qualify import without_qualify
from winsql.syntax.text.openers import holds_any
from winsql.syntax.text.source import Source


def with_known_clauses(spark: SparkSession, text: str, run: Callable[[str], DataFrame]) -> str:
    """A statement written with clauses that the session's Spark has; `run` runs queries over the statement's
    relations."""
    if not holds_any(text, ("QUALIFY",)):
        return text

    def columns_of(query: str) -> frozenset[str]:
        try:
            return frozenset(run(query).columns)
        except AnalysisException:  # the statement has the same mistake, and Spark will tell it
            return frozenset()

    source = Source(text, settings=parser_settings(spark), is_aggregate=AggregateNames(spark))
    return without_qualify(source, columns_of, takes_plain=server_version(spark) >= Version(4, 2))
