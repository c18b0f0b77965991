"""Finds the misspelled word of winsql's in a statement that Spark cannot read, or that winsql reads otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.errors import AnalysisException, ParseException, PySparkException
from pyspark.sql import SparkSession

from winsql.errors import Span, WindowPlanError, WinsqlError
from winsql.spark.messages.stream_refusals import stream_refusal
from winsql.spark.parser_settings import parser_settings
from winsql.syntax.characters import foreign_character
from winsql.syntax.fragments import may_have_fragments
from winsql.syntax.near_misses import near_miss
from winsql.syntax.other_systems import function_of_others
from winsql.syntax.python_aggregates import refused_sessions
from winsql.syntax.text.openers import holds_any
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.unresolved import bare_window_function, described_stream


def meant(spark: SparkSession, text: str, error: WinsqlError) -> WinsqlError:
    """The error for a misspelled word before the place of this error, which may be its consequence; else this error."""
    settings = parser_settings(spark)
    foreign = foreign_character(Source(text, settings=settings))
    if foreign is not None:
        return foreign
    near = near_miss(text, settings)
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
    if isinstance(error, ParseException):
        return _in_a_string(spark, text, error)
    refused = stream_refusal(text, error, ())
    if refused is not None:
        return refused
    condition = error.getCondition() if isinstance(error, AnalysisException) else None
    if condition == "TABLE_OR_VIEW_NOT_FOUND":
        return described_stream(text, parser_settings(spark))
    if condition == "INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX":
        return refused_sessions(text, parser_settings(spark))
    called = bare_window_function(text, parser_settings(spark)) if condition in _OF_CALLS else None
    if called is not None and called.span is not None and not spark.catalog.functionExists(called.span.text(text)):
        return called
    if condition == "UNRESOLVED_ROUTINE":
        routine = (error.getMessageParameters() or {}).get("routineName", "")
        return function_of_others(text, routine, parser_settings(spark))
    return None


_OF_CALLS = (
    "UNRESOLVABLE_TABLE_VALUED_FUNCTION",
    "UNRESOLVED_ROUTINE",
    "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION",
    "INVALID_SUBQUERY_EXPRESSION.SCALAR_SUBQUERY_RETURN_MORE_THAN_ONE_OUTPUT_COLUMN",
)
"""What Spark says of a relation f(x) that it does not know, or first of what is in its brackets."""


def _in_a_string(spark: SparkSession, text: str, error: ParseException) -> WinsqlError | None:
    """What is wrong where EXECUTE IMMEDIATE runs a windowed query: its text may be a variable's, which Spark shows."""
    is_windowed = may_have_fragments(text) or may_have_fragments(str(error))
    span = immediate(spark, text) if is_windowed else None
    if span is None:
        return None
    return WindowPlanError(
        "EXECUTE IMMEDIATE cannot run a windowed query in this session",
        rule="Spark runs its text, and only where winsql.register has extended a session does it know windows; "
        "since Spark 4.1, and not on Spark Connect",
        hint="run the query itself, or register a session that is not one of Spark Connect: winsql.register(spark)",
    ).located(text, span)


def immediate(spark: SparkSession, text: str) -> Span | None:
    """Where a statement, or a script, says EXECUTE IMMEDIATE, whose text Spark reads when it runs."""
    if not holds_any(text, ("IMMEDIATE",)):
        return None
    source = Source(text, settings=parser_settings(spark))
    places = (place for place in source.places("EXECUTE") if source.words(place + 1, "IMMEDIATE"))
    return next((source.span(Extent(place, place + 2)) for place in places), None)
