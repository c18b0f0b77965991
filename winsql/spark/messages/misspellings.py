"""Finds the misspelled word of winsql's in a statement that Spark cannot read, or that winsql reads otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import SparkSession

from winsql.errors import WinsqlError
from winsql.spark.parser_settings import parser_settings
from winsql.syntax.near_misses import near_miss, old_group_window

__all__ = ["in_words_of_winsql", "meant", "meant_for_winsql"]


def meant(spark: SparkSession, text: str, error: WinsqlError) -> WinsqlError:
    """The error for a misspelled word before the place of this error, which may be its consequence; else this error."""
    near = near_miss(text, parser_settings(spark))
    if near is None or near.span is None or (error.span is not None and near.span.start == error.span.start):
        return error
    return near


@contextmanager
def in_words_of_winsql(spark: SparkSession, text: str) -> Iterator[None]:
    """Where a window clause was meant, makes Spark's error about a statement without one say what to write."""
    try:
        yield
    except PySparkException as error:
        raise meant_for_winsql(spark, text, error) or error from None


def meant_for_winsql(spark: SparkSession, text: str, error: PySparkException) -> WinsqlError | None:
    """What is wrong in a statement that Spark refuses; None where it was not meant for winsql."""
    near = near_miss(text, parser_settings(spark))
    if near is not None:
        return near
    if isinstance(error, AnalysisException) and error.getCondition() == "UNRESOLVED_ROUTINE":
        routine = (error.getMessageParameters() or {}).get("routineName", "")
        return old_group_window(text, routine, parser_settings(spark))
    return None
