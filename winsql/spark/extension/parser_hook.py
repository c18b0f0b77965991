"""Extends the parser of a classic session, so that everything that uses it knows the language: JDBC clients too.

A small Java class (WindowParser.java) takes the place of the session's parser and asks Python about the texts that
have words of winsql's. A parser in Python alone would cost a call from the JVM for every text, and Python would change
Spark's own errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from py4j.java_gateway import JavaGateway
from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from winsql.errors import WindowPlanError, WinsqlError
from winsql.model.query import INTERNAL_PREFIX
from winsql.spark.java_source import compiled
from winsql.spark.local_rows import local_rows
from winsql.spark.messages.original_text import handed, is_handed
from winsql.spark.messages.places import Places
from winsql.spark.messages.unlogged import unlogged
from winsql.spark.origins import move_origins_of_plan
from winsql.spark.parser_settings import parser_settings
from winsql.spark.planned_statement import Arguments, PlannedStatement, parse
from winsql.spark.session import explained, run
from winsql.spark.streaming.window_views import window_tables
from winsql.spark.tables.for_each_batch import late_name
from winsql.spark.tables.statements import COMMANDS, run_stream_statement
from winsql.spark.versions.classic import (
    analyzed,
    analyzed_plan,
    collected_in_jvm,
    column_of,
    java_session,
    jvm_of,
    new_array,
    thrown_in_jvm,
    with_callbacks,
)
from winsql.spark.views import KeptViews
from winsql.syntax import Statement, StatementKind, parameter_name
from winsql.syntax.functions.window_table_functions import FUNCTION_NAMES, MARKS
from winsql.syntax.joins.arguments import JOIN_FUNCTIONS
from winsql.syntax.near_misses import near_miss
from winsql.syntax.selects.endless import endless_query

_SOURCE = Path(__file__).with_name("WindowParser.java")
_FIELD = "sqlParser"


class ParserHook:
    """The parser of one classic session, extended."""

    def __init__(self, spark: SparkSession) -> None:
        """Extend it; raises WindowPlanError, and leaves the session as it was, when Spark does not let it."""
        try:
            self._state = java_session(spark).sessionState()
            self._parser = _made(spark, self._state.sqlParser())
            self._parser.ask(_Answers(spark, self._parser), with_callbacks().java_gateway_server)
            put_parser(self._state, self._parser)
        except (Py4JError, PySparkException, OSError) as error:
            raise _cannot(spark, error) from error

    def remove(self) -> None:
        """Give the session its parser back. A parser that was put around this one since then stays, and bypasses it."""
        self._parser.askNobody()
        if self._state.sqlParser().equals(self._parser):
            put_parser(self._state, self._parser.before())


def put_parser(state: Any, parser: Any) -> None:
    """Make `parser` the parser of a session, whose state can be changed by reflection only."""
    field = state.getClass().getDeclaredField(_FIELD)
    field.setAccessible(True)
    field.set(state, parser)


_WORDS: tuple[tuple[Iterable[str], ...], ...] = (
    (("window",), ("assign", "explain", "join")),
    ((*JOIN_FUNCTIONS, "stream", "streams", "streaming", "state"),),
    (FUNCTION_NAMES, MARKS),
)
"""A text may be winsql's if it has a word of each list in one of these rows."""
_PATTERN = "|".join("".join(rf"(?=.*\b(?:{'|'.join(words)})\b)" for words in lists) for lists in _WORDS)
_PATTERN += r"|(?=.*\$\{)"  # what a variable has may be winsql's too

_CLASSES: WeakKeyDictionary[JavaGateway, Any] = WeakKeyDictionary()
"""The class in each JVM: it is compiled once, as py4j cannot tell two classes of one name apart."""


def _made(spark: SparkSession, before: Any) -> Any:
    """A new WindowParser in front of the parser `before`."""
    gateway = with_callbacks()
    if gateway not in _CLASSES:
        _CLASSES[gateway] = compiled(jvm_of(spark), _SOURCE, before.getClass().getClassLoader())
    return _CLASSES[gateway].getConstructors()[0].newInstance(new_array(before, _PATTERN))


def _cannot(spark: SparkSession, error: Exception) -> WindowPlanError:
    cause = error.java_exception.toString() if isinstance(error, Py4JJavaError) else str(error)
    first_line = next(iter(cause.strip().splitlines()), "") or type(error).__name__
    return WindowPlanError(
        f"the parser of this session cannot be extended: {first_line}",
        rule=f"winsql.register reaches into Spark, and this is Spark {spark.version}",
        hint="run statements with winsql.sql(spark, text), which needs no registration",
    )


class _Answers:
    """Answers the parser in the JVM: a `java.util.function.Function` of `[what, text, parameters]`."""

    class Java:
        implements = ("java.util.function.Function",)

    def __init__(self, spark: SparkSession, parser: Any) -> None:
        self._spark = spark
        self._parser = parser

    @unlogged()
    def apply(self, question: Any) -> Any:
        """The answer; an exception that the parser shall throw."""
        what, text, parameters = question
        try:
            return _ASKED[what](self._spark, self._parser, text, parameters)
        except (WinsqlError, PySparkException, Py4JError) as error:
            return _throwable(error, self._parser)


def _parsed(spark: SparkSession, parser: Any, text: str, parameters: Any) -> Any:
    """The plan of a statement, None when it is Spark's own. A command does its work when the plan runs."""
    args = _arguments(parser, parameters)
    statement = parse(spark, text, args, knows_views=False)  # Spark's own texts are many here
    if statement.is_plain:
        return None
    if window_tables(spark) is not None:
        statement = parse(spark, text, args)
    if statement.target.explains_windows:
        return analyzed_plan(local_rows(spark, [(explained(spark, statement, args),)], "plan STRING"))
    if statement.target.kind is StatementKind.EXPLAIN:  # whose rows name what winsql has made
        return analyzed_plan(run(spark, statement, args))
    if type(statement.stream) in COMMANDS:
        _, columns = COMMANDS[type(statement.stream)]
        schema = StructType.fromDDL(columns)
        return parser.command(text, parameters, schema.json())
    if statement.stream is not None:
        return analyzed_plan(run_stream_statement(spark, statement, args))
    return _planned(spark, parser, statement, args, parameters)


def _planned(spark: SparkSession, parser: Any, statement: Statement, args: Arguments, parameters: Any) -> Any:
    planned = PlannedStatement(spark, statement, args, late_into=late_name(statement))
    with planned.in_words_of_user():
        planned.prepare()
        return planned.handed_to(partial(_plan, spark, parser, planned, args, parameters))


def _plan(
    spark: SparkSession,
    parser: Any,
    planned: PlannedStatement,
    args: Arguments,
    parameters: Any,
    text: str,
    frames: Mapping[str, DataFrame],
) -> Any:
    """The plan of a text and the DataFrames that it names."""
    target = planned.target
    if frames and target.kind in _BY_NAME:
        text, frames = KeptViews(spark, frames, is_global=target.is_global).text(text), {}
    names = [parameter_name(n) for n in range(len(args or ()))]
    plans = {name: analyzed_plan(frame) for name, frame in frames.items()}
    places = planned.places()
    with handed(text, places):
        plan = parser.planned(text, parameters, names, plans)
    if places is not None:
        move_origins_of_plan(spark, plan, [text], places)
        places = Places(planned.statement.text)
    # Spark explains what is not analyzed yet and reads streams by running it, a command once more
    is_read = target.kind is StatementKind.QUERY or plan.isStreaming()
    if not args:  # parameters may get their values later
        with handed(planned.statement.text, places):
            known = analyzed(spark, plan)  # here its errors can be told
        plan = known if is_read else plan
    return plan


_BY_NAME = frozenset({StatementKind.FUNCTION, StatementKind.KEPT, StatementKind.ALTERED, StatementKind.DESCRIBE})
"""Statements whose query Spark keeps apart from the plan's tree, where relations can be put in by name only."""


def _run(spark: SparkSession, parser: Any, text: str, parameters: Any) -> Any:
    """The rows of one of the commands."""
    args = _arguments(parser, parameters)
    frame = run_stream_statement(spark, parse(spark, text, args), args)
    return collected_in_jvm(frame)


def _refused(spark: SparkSession, parser: Any, text: str, parameters: Any) -> None:
    """Raises winsql's error where a text of the user's that Spark's parser refuses was meant for winsql.

    Of a text that winsql has made Spark's own error comes, to be told in the user's words.
    """
    error = None if is_handed(text) or INTERNAL_PREFIX in text else near_miss(text, parser_settings(spark))
    if error is not None:
        raise error


def _endless(spark: SparkSession, parser: Any, text: str, parameters: Any) -> None:
    """Raises the error for a client of the Thrift server that reads a stream."""
    raise endless_query(text, "a client reads the rows of a query that ends")


def _read(spark: SparkSession, parser: Any, text: str, plan: Any) -> None:
    """Raises the error for such a client where Spark's own plan reads a stream: by its name, or by a temporary view."""
    if not plan.isStreaming() and not _has_temporary_views(spark):
        return
    try:
        is_streaming = analyzed(spark, plan).isStreaming()
    except (PySparkException, Py4JError):  # Spark tells it when it runs the plan
        return
    if is_streaming:
        _endless(spark, parser, text, None)


def _has_temporary_views(spark: SparkSession) -> bool:
    catalog = java_session(spark).sessionState().catalog()
    return bool(
        catalog.listLocalTempViews("*").nonEmpty() or catalog.globalTempViewManager().listViewNames("*").nonEmpty()
    )


_ASKED: dict[str, Callable[..., Any]] = {
    "parse": _parsed,
    "run": _run,
    "refused": _refused,
    "endless": _endless,
    "read": _read,
}


def _arguments(parser: Any, parameters: Any) -> Arguments:
    """Parameters as `spark.sql` takes them: by name, by position, or none."""
    if parameters is None:
        return None
    named = parser.named(parameters)
    if named is not None:
        return {name: column_of(named[name]) for name in named}
    return [column_of(value) for value in parser.positional(parameters) or ()]


def _throwable(error: Exception, parser: Any) -> Any:
    """The exception for a caller in the JVM; Spark's own error as Spark has thrown it."""
    if isinstance(error, Py4JJavaError):
        return error.java_exception
    origin = thrown_in_jvm(error)
    if origin is not None:
        return origin
    line, column = -1, -1
    if isinstance(error, WinsqlError) and error.source is not None and error.span is not None:
        line, column = error.span.line_and_column(error.source)
    condition = error.getCondition() if isinstance(error, PySparkException) else None
    return parser.error(str(error), line, column, condition)
