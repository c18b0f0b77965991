"""Streaming views: CREATE, SHOW, DESCRIBE and DROP STREAMING VIEW.

A streaming view is a temporary view of a streaming DataFrame, which Spark's own statements know as such. Its
declaration is noted beside the session; a mark on its first column tells whether the view of that name still is it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from weakref import WeakKeyDictionary

from pyspark.errors import AnalysisException, ParseException
from pyspark.sql import DataFrame, SparkSession, functions
from pyspark.sql.types import TimestampType

from winsql.errors import Span, WindowPlanError
from winsql.model.nearest import nearest
from winsql.model.query import INTERNAL_PREFIX
from winsql.spark.local_rows import Rows
from winsql.spark.messages.places import Places
from winsql.spark.messages.translation import in_words_of_user
from winsql.spark.parser_settings import parser_settings
from winsql.spark.planned_statement import Arguments
from winsql.spark.runner import Runner
from winsql.spark.tables.connectors import SPARK_ERRORS, missing_connector, spark_message
from winsql.syntax import (
    CreateStreamView,
    DescribeStreamView,
    DropStreamView,
    Name,
    ShowStreamViews,
    Statement,
    parameter_name,
    query_of_view,
)
from winsql.syntax.expressions.items import quoted
from winsql.syntax.stream_statements.secrets import is_secret, shown_options, starred


@dataclass(frozen=True, slots=True)
class StreamView:
    """The declaration of a streaming view, without secrets.

    mark  on the view's first column
    """

    name: str
    format: str
    options: Mapping[str, str]
    watermark: str | None
    text: str
    mark: str


_VIEWS: WeakKeyDictionary[SparkSession, dict[str, StreamView]] = WeakKeyDictionary()


def views_of(spark: SparkSession) -> dict[str, StreamView]:
    """The streaming views of a session that are still there, by their names in the session's form."""
    views = _VIEWS.setdefault(spark, {})
    for key, view in list(views.items()):
        if not _is_there(spark, view):
            del views[key]
    return views


_MARK = "winsql.view"


def _is_there(spark: SparkSession, view: StreamView) -> bool:
    """Whether the view of that name is this one: Spark's own statements may have dropped or replaced it."""
    if not _is_temporary_view(spark, view.name):
        return False
    schema = spark.table(quoted(view.name)).schema
    return bool(schema.fields) and (schema[0].metadata or {}).get(_MARK) == view.mark


def _is_temporary_view(spark: SparkSession, name: str) -> bool:
    try:
        return spark.catalog.getTable(quoted(name)).isTemporary
    except AnalysisException:
        return False


def _key(spark: SparkSession, name: str) -> str:
    return name if parser_settings(spark).case_sensitive else name.lower()


# -- CREATE -----------------------------------------------------------------------------------------------------------


def _create(spark: SparkSession, statement: Statement, view: CreateStreamView, args: Arguments) -> Rows:
    name = view.name.parts[-1]
    is_there = _is_temporary_view(spark, name)
    if is_there and view.if_not_exists:
        return [(name, "exists already")]
    if is_there:
        _require_replaceable(spark, statement, view)
    secrets = [span for key, span in view.values.items() if is_secret(key, view.options[key])]
    text = starred(statement.text, secrets)
    mark = sha256(f"{_key(spark, name)}\0{statement.text}".encode()).hexdigest()[:32]
    frame = _Declared(spark, statement.text, text, view, args).frame(mark)
    frame.createOrReplaceTempView(quoted(name))
    watermark = None if view.watermark is None else view.watermark.text.removeprefix("WATERMARK ")
    made = StreamView(name, view.format, shown_options(view.options), watermark, text.strip(), mark)
    _VIEWS.setdefault(spark, {})[_key(spark, name)] = made
    return [(name, "replaced" if is_there else "created")]


def _require_replaceable(spark: SparkSession, statement: Statement, view: CreateStreamView) -> None:
    name = view.name.parts[-1]
    is_ours = _key(spark, name) in views_of(spark)
    if view.or_replace and is_ours:
        return
    raise WindowPlanError(
        f"the view {view.name.shown} exists" + ("" if is_ours else ", and is no streaming view"),
        rule="a name has one view" if is_ours else "winsql never replaces a view that it has not made",
        hint="write CREATE OR REPLACE STREAMING VIEW"
        if is_ours
        else f"DROP VIEW {view.name.shown}, or choose another name",
        source=statement.text,
        span=view.name.span,
    )


@dataclass(frozen=True, slots=True)
class _Declared:
    """One CREATE STREAMING VIEW on its way. `shown` is its text without secrets, of the same length."""

    spark: SparkSession
    text: str
    shown: str
    view: CreateStreamView
    args: Arguments

    def frame(self, mark: str) -> DataFrame:
        """The streaming DataFrame; raises WinsqlErrors with their place."""
        frame = self._source()
        if self.view.query is not None:
            frame = self._query(frame, self.view.query)
        frame = self._named(frame)
        frame = self._timed(frame)
        first, *others = [functions.col(quoted(name)) for name in frame.columns]
        metadata = {**(frame.schema[0].metadata or {}), _MARK: mark}
        return self._watermarked(frame.select(first.alias(frame.columns[0], metadata=metadata), *others))

    def _source(self) -> DataFrame:
        """What the source gives."""
        view = self.view
        reader = self.spark.readStream.format(view.format).options(**view.options)
        try:
            frame = (reader if view.schema is None else reader.schema(view.schema)).load()
            frame.schema  # noqa: B018  on Spark Connect this is what asks the server
        except SPARK_ERRORS as error:
            raise self._refused(error) from None
        return frame

    def _refused(self, error: Exception) -> WindowPlanError:
        name = self.view.format
        missing = missing_connector(self.spark, name, error)
        if missing is not None:
            return missing.located(self.shown, self.view.format_span)
        message = spark_message(error)
        if isinstance(error, ParseException) and self.view.layout is not None:
            return WindowPlanError(
                f"these columns cannot be read: {message}",
                rule="columns are written as in CREATE TABLE: name type, name type",
                hint="write for instance (user STRING, at TIMESTAMP)",
            ).located(self.shown, self.view.layout)
        if "schema must be specified" in message.lower():
            return WindowPlanError(
                f"{name} needs the columns that it reads, with their types",
                rule="on a stream Spark guesses no schema: files that come later may have another one",
                hint=f"write {self.view.name.shown} (name type, ...) before USING, or OPTIONS (schema '...')",
            ).located(self.shown, self.view.format_span)
        if "does not support user-specified schema" in message:
            return WindowPlanError(
                f"{name} has columns of its own",
                rule="columns with types are for sources that take a schema",
                hint="leave the types out, and cast in AS SELECT ... FROM SOURCE",
            ).located(self.shown, self.view.layout or self.view.format_span)
        is_no_stream = "does not support streamed reading" in message
        return WindowPlanError(
            f"{name} cannot be read: {message}",
            rule="a streaming view has a source that Spark reads as a stream, with the options that it asks for",
            hint="read a table of it" if is_no_stream else "OPTIONS (...) are those of spark.readStream",
        ).located(self.shown, self.view.format_span)

    def _query(self, frame: DataFrame, query: Span) -> DataFrame:
        name = f"{INTERNAL_PREFIX}source"
        settings = parser_settings(self.spark)
        text = query_of_view(self.text, settings, self.view, name)
        given = self.args
        arguments = given if isinstance(given, Mapping) else _by_name(given)
        places = Places(self.shown, (), query, Span(query.start, query.start + 1), settings)
        with in_words_of_user(self.spark, self.shown, ()):
            found = Runner(self.spark, arguments, relations={name: frame}, places=places).run(text)
            found.schema  # noqa: B018  on Spark Connect this is what asks the server
        return found

    def _named(self, frame: DataFrame) -> DataFrame:
        """The DataFrame with the view's names, which differ from one another."""
        view = self.view
        place = view.layout or view.query or view.name.span
        if view.columns:
            if len(view.columns) != len(frame.columns):
                raise WindowPlanError(
                    f"the view has {len(view.columns)} names, and {len(frame.columns)} columns",
                    rule="names without types are those of all columns, in order",
                    hint=f"the columns are {', '.join(frame.columns)}",
                ).located(self.shown, place)
            frame = frame.toDF(*view.columns)
        keys = [_key(self.spark, name) for name in frame.columns]
        twice = next((name for n, name in enumerate(frame.columns) if keys[n] in keys[:n]), None)
        if twice is None:
            return frame
        raise WindowPlanError(
            f"two columns of the view are called {twice}",
            rule="the columns of a view have names of their own",
            hint=f"give one of them another name: ... AS {twice}_2",
        ).located(self.shown, place)

    def _timed(self, frame: DataFrame) -> DataFrame:
        """The DataFrame with the column that the watermark computes; it has a time column then."""
        mark = self.view.watermark
        if mark is None:
            return frame
        if mark.items != "*":
            name = f"{INTERNAL_PREFIX}source"
            settings = parser_settings(self.spark)
            places = Places(self.shown, (), mark.span, mark.span, settings)
            with in_words_of_user(self.spark, self.shown, ()):
                runner = Runner(self.spark, {}, relations={name: frame}, places=places)
                frame = self._named(runner.run(f"SELECT {mark.items} FROM {name}"))
        column = mark.column[1:-1].replace("``", "`")
        field = next((f for f in frame.schema if _key(self.spark, f.name) == _key(self.spark, column)), None)
        if field is None:
            near = nearest(column, frame.columns)
            raise WindowPlanError(
                f"the view has no column {column}",
                rule="a watermark follows a time column of the view",
                hint=f"did you mean {near}?" if near else f"the columns are {', '.join(frame.columns)}",
            ).located(self.shown, mark.span)
        if not isinstance(field.dataType, TimestampType):
            raise WindowPlanError(
                f"column {column} is {field.dataType.simpleString().upper()}",
                rule="Spark has watermarks on TIMESTAMP only",
                hint=f"write WATERMARK CAST({column} AS TIMESTAMP_LTZ) AS {column}_ts DELAY OF ...",
            ).located(self.shown, mark.span)
        return frame

    def _watermarked(self, frame: DataFrame) -> DataFrame:
        mark = self.view.watermark
        return frame if mark is None else frame.withWatermark(mark.column, f"{mark.delay} microseconds")


def _by_name(given: Sequence[Any] | None) -> dict[str, Any]:
    return {parameter_name(number): value for number, value in enumerate(given or ())}


# -- SHOW, DESCRIBE, DROP ---------------------------------------------------------------------------------------------


def _show(spark: SparkSession, statement: Statement, show: ShowStreamViews, args: Arguments) -> Rows:
    views = sorted(views_of(spark).items())
    return [(v.name, v.format, ", ".join(spark.table(quoted(v.name)).columns), v.watermark) for _, v in views]


def _describe(spark: SparkSession, statement: Statement, describe: DescribeStreamView, args: Arguments) -> Rows:
    view = _find(spark, statement, describe.name)
    fields = spark.table(quoted(view.name)).schema
    rows: list[tuple[str, str | None]] = [(field.name, field.dataType.simpleString()) for field in fields]
    rows += [("", ""), ("# Source", ""), ("Format", view.format)]
    rows += [(f"Option {key}", value) for key, value in view.options.items()]
    rows += [("Watermark", view.watermark), ("Text", view.text)]
    return rows


def _drop(spark: SparkSession, statement: Statement, drop: DropStreamView, args: Arguments) -> Rows:
    name = drop.name.parts[-1]
    if drop.if_exists and not _is_temporary_view(spark, name):
        return [(name, "was not there")]
    view = _find(spark, statement, drop.name)
    spark.catalog.dropTempView(view.name)
    del _VIEWS[spark][_key(spark, view.name)]
    return [(view.name, "dropped")]


def _find(spark: SparkSession, statement: Statement, name: Name) -> StreamView:
    views = views_of(spark)
    found = views.get(_key(spark, name.parts[-1]))
    if found is not None:
        return found
    near = nearest(name.parts[-1], [view.name for view in views.values()])
    is_other = _is_temporary_view(spark, name.parts[-1])
    hint = f"did you mean {near}?" if near else "SHOW STREAMING VIEWS lists them"
    raise WindowPlanError(
        f"{name.shown} is no streaming view" if is_other else f"this session has no streaming view {name.shown}",
        rule="a streaming view is known by its name to the session that has made it",
        hint=f"DROP VIEW {name.shown} drops, DESCRIBE {name.shown} describes another view" if is_other else hint,
        source=statement.text,
        span=name.span,
    )


_DONE = "name STRING, status STRING"
VIEW_STATEMENTS: dict[type, tuple[Callable[..., Rows], str]] = {
    CreateStreamView: (_create, _DONE),
    ShowStreamViews: (_show, "name STRING, format STRING, columns STRING, watermark STRING"),
    DescribeStreamView: (_describe, "col_name STRING, data_type STRING"),
    DropStreamView: (_drop, _DONE),
}
"""What gives the rows of each, and their columns."""
