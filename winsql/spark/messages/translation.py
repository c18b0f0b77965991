"""Turns Spark's errors about a text that winsql made from a statement into errors about the statement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pyspark.errors import ParseException, PySparkException
from pyspark.errors.exceptions.base import QueryContext, QueryContextType
from pyspark.sql import SparkSession

from winsql.errors import Span, WindowSyntaxError
from winsql.model.query import INTERNAL_PREFIX, WindowQuery
from winsql.spark.messages.conditions import refused_condition
from winsql.spark.messages.hidden_names import said, written
from winsql.spark.messages.misspellings import meant_for_winsql
from winsql.spark.messages.original_text import handed_before
from winsql.spark.messages.patterns import refused_pattern
from winsql.spark.messages.places import Places, line_excerpt
from winsql.spark.messages.shown_places import Shown, StatementPlace
from winsql.spark.messages.stream_refusals import stream_refusal
from winsql.spark.messages.unknown_names import missing_key, unknown_in_plan
from winsql.spark.parser_settings import parser_settings
from winsql.syntax.selects.unexpected import missing_comma
from winsql.syntax.text.source import Source


@contextmanager
def in_words_of_user(spark: SparkSession, text: str, queries: Sequence[WindowQuery]) -> Iterator[None]:
    """Makes errors of Spark show what the user wrote, and where; errors about other texts stay.

    Raises WindowSpecError for a column or function that does not exist, WindowSyntaxError for a misspelled word of
    winsql's, and what `refused_condition`, `refused_pattern` and `stream_refusal` find.
    """
    try:
        yield
    except PySparkException as error:
        told = (refused_condition, refused_pattern, stream_refusal)
        refused = next((found for of in told if (found := of(text, error, queries)) is not None), None)
        if refused is None and (isinstance(error, ParseException) or error.getCondition() == _NO_TABLE_FUNCTION):
            refused = meant_for_winsql(spark, text, error)
        if refused is not None:
            raise refused from None
        about = handed_before(error)
        span = None if about is None else _place(error, about)
        if span is not None and isinstance(error, ParseException):
            refused = _missing_comma(Source(text, settings=parser_settings(spark)), span.start)
            if refused is not None:
                raise refused from None
        is_told = span is not None or INTERNAL_PREFIX in str(error) or (queries and _PLAN.search(str(error)))
        if not is_told:
            raise
        if span is None:
            unknown = missing_key(spark, text, error, written(queries))
        else:
            unknown = unknown_in_plan(spark, text, error, span)
        raise (unknown or _told(error, text, span, queries)) from None


def places_of(statement: str, queries: Sequence[WindowQuery], index: int | None = None) -> Places | None:
    """Places in a statement for texts made for one of its queries, or for all of it; None where it has no query."""
    if not queries:
        return None
    names = tuple(written([query]) for query in (queries if index is None else [queries[index]]))
    within, last = None if index is None else queries[index].span, queries[-1 if index is None else index]
    word = re.compile(r"\w+|\S").match(statement, last.span.start)
    first_word = None if word is None else Span(*word.span())
    return Places(statement, names, within, first_word, last.settings)


def _missing_comma(source: Source, place: int) -> WindowSyntaxError | None:
    """The error where Spark refuses a call or, as it takes the function for an alias, its bracket."""
    found = next((n for n in range(len(source)) if source.at(n).start == place), 0)
    return missing_comma(source, found - source.at(found).is_symbol("("))


def _place(error: PySparkException, about: Shown) -> Span | None:
    place = _of_syntax(str(error), about) if isinstance(error, ParseException) else None
    if place is not None:
        return place
    for context in error.getQueryContext() or ():
        if isinstance(context, StatementPlace):
            return context.span
        if context.contextType() is not QueryContextType.SQL or context.objectType():
            return None
        fragment, start = context.fragment(), context.startIndex()
        if not about.text.isascii():  # Spark counts characters there, and Java's string has more
            fragment = about.text[start : context.stopIndex() + 1]
        if not about.text.startswith(fragment, start):  # Spark has put longer names in before it, or into it
            fragment = fragment.partition("_pyspark_")[0]
            start = about.text.rfind(fragment, 0, start + len(fragment))
        return None if start < 0 or not fragment else about.places.find(about.text, Span(start, start + len(fragment)))
    return None


_NO_TABLE_FUNCTION = "UNRESOLVABLE_TABLE_VALUED_FUNCTION"
"""What Spark says of `TABLE(f(x))`, which may be meant as Flink has it."""
_POSITION = re.compile(r"\(line (\d+), pos (\d+)\)")
_POINTER = re.compile(r"^-*\^\^\^\n", re.MULTILINE)


def _of_syntax(message: str, about: Shown) -> Span | None:
    """The place of a syntax error: the word at the position, in the copy of the text in Spark's message if it has
    one."""
    position = _POSITION.search(message)
    if position is None:
        return None
    line, column = int(position[1]), int(position[2])
    shown = _POINTER.sub("", message.partition("== SQL ==\n")[2]) or about.text
    start = sum(len(text) + 1 for text in shown.split("\n")[: line - 1]) + column
    word = re.compile(r"\w+|\S|$").match(shown, start)
    return about.places.after(shown, Span(start, word.end() if word else start))


_PLAN = re.compile(r"(; line \d+ pos \d+)?;\n\s*['~!]*\w+.*", re.DOTALL)
"""After a message of Spark's analysis: a place in the text it was handed, and its plan."""
_MORE = re.compile(r"(; line \d+ pos \d+)?;?\n\s*'?\w+.*", re.DOTALL)
"""The lines after the first one."""
_NO_NAME = "__auto_generated_subquery_name."
"""What Spark calls a subquery that has no name."""
_AT = r"\(line \d+, pos \d+\)\s*"
_PLACE = re.compile(rf"; line \d+ pos \d+(;?\s*$|;\n.*)|\s*{_AT}$|\s*({_AT})?(== SQL|JVM stacktrace:).*", re.DOTALL)
"""The same, with Spark's plan or the stack of a server of Spark Connect after it."""


def _told(error: PySparkException, text: str, span: Span | None, queries: Sequence[WindowQuery]) -> PySparkException:
    """The same error with another message, of Spark's own public class."""
    kind = next(base for base in type(error).__mro__ if base.__module__ == PySparkException.__module__)
    assert issubclass(kind, PySparkException)
    condition, names = error.getCondition(), written(queries)
    message = (error.getMessage() or str(error)).strip().removeprefix(f"[{condition}] ")
    parameters = {name: said(value, names) for name, value in (error.getMessageParameters() or {}).items()}
    if condition == "PARSE_SYNTAX_ERROR" and span is not None and span.start < span.end:  # it may be a word of ours
        parameters["error"], word = f"'{span.text(text)}'", parameters["error"]
        message = message.replace(word, parameters["error"], 1)
    message = _PLAN.sub("", message) if queries else message
    message = _PLACE.sub("", said(_MORE.sub("", message), names) if INTERNAL_PREFIX in message else message)
    message = message.replace(_NO_NAME, "")
    if span is None:
        return kind(message, condition, parameters or None)
    contexts: list[QueryContext] = [StatementPlace(text, span)]
    return kind(f"{message}\n{line_excerpt(text, span)}", condition, parameters or None, contexts)
