"""Statements about streams that winsql adds to Spark SQL: text -> frozen records.

    statement = create | into | SHOW STREAMS | STOP STREAM [IF EXISTS] name | AWAIT STREAM name [FOR duration]
              | SHOW WINDOW STATE OF name
    create    = CREATE [OR REPLACE] STREAMING TABLE [IF NOT EXISTS] name
                {USING format | OPTIONS "(" option {"," option} ")" | LATE INTO name}     (any order, each once)
                AS query
    into      = CREATE [OR REPLACE] STREAM [IF NOT EXISTS] name INTO sink [LATE INTO sink] AS query
    sink      = format [OPTIONS "(" option {"," option} ")"]
    option    = key ["="] value          key: name {. name} or a string; value: a string, number or boolean
    name      = identifier {. identifier}                                                 (one to three parts)

Spark refuses CREATE STREAMING TABLE outside its pipelines and knows none of the others, so these texts are winsql's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from winsql.errors import Span
from winsql.syntax.stream_statements.create import query_after, read_clauses
from winsql.syntax.stream_statements.into import CreateStreamInto, begins_create_into, read_create_into
from winsql.syntax.stream_statements.names import (
    Name,
    begins_create,
    end_of_statement,
    read_head,
    read_last_name,
    read_name,
    require_end,
)
from winsql.syntax.stream_statements.options import (
    Option,
    StreamTrigger,
    option_value,
    read_options,
    read_own,
    read_trigger,
)
from winsql.syntax.text.literals import read_duration, string_value
from winsql.syntax.text.openers import holds_all
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind


@dataclass(frozen=True, slots=True)
class CreateStream:
    """CREATE STREAMING TABLE; `query` is the place of the query after AS.

    options   those for the sink: all but `path`, `checkpointLocation`, `trigger` and `resume`
    appends   whether rows may stay where the checkpoint is gone: OPTIONS (resume 'append')
    """

    name: Name
    query: Span
    or_replace: bool = False
    if_not_exists: bool = False
    format: str | None = None
    format_span: Span | None = None
    path: str | None = None
    checkpoint: str | None = None
    trigger: StreamTrigger | None = None
    appends: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    late_into: Name | None = None


@dataclass(frozen=True, slots=True)
class ShowStreams:
    """SHOW STREAMS."""


@dataclass(frozen=True, slots=True)
class StopStream:
    """STOP STREAM [IF EXISTS] name."""

    name: Name
    if_exists: bool = False


@dataclass(frozen=True, slots=True)
class AwaitStream:
    """AWAIT STREAM name [FOR duration]; `limit` in microseconds; None: until the stream ends."""

    name: Name
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class ShowWindowState:
    """SHOW WINDOW STATE OF name."""

    name: Name


StreamStatement: TypeAlias = CreateStream | CreateStreamInto | ShowStreams | StopStream | AwaitStream | ShowWindowState


def may_be_stream_statement(text: str) -> bool:
    """Whether the text may be one of these statements: cheap, for it is asked of every statement."""
    return holds_all(text, ("STREAM",)) or holds_all(text, ("WINDOW", "STATE"))


def read_stream_statement(source: Source) -> StreamStatement | None:
    """The statement; None when it is Spark's, or a windowed query. EXPLAIN WINDOW may precede a CREATE.

    Raises WindowSyntaxError and WindowSpecError.
    """
    explains = source.words(0, "EXPLAIN", "WINDOW")
    index = 2 if explains else 0
    if begins_create(source, index, ("STREAMING", "TABLE")):
        return _create(source, index)
    if begins_create_into(source, index):
        return read_create_into(source, index)
    if explains:
        return None
    if source.words(0, "SHOW", "STREAMS"):
        require_end(source, 2)
        return ShowStreams()
    if source.words(0, "STOP", "STREAM"):
        if_exists = source.words(2, "IF", "EXISTS")
        return StopStream(read_last_name(source, 4 if if_exists else 2), if_exists)
    if source.words(0, "SHOW", "WINDOW", "STATE", "OF"):
        return ShowWindowState(read_last_name(source, 4))
    return _await(source) if source.words(0, "AWAIT", "STREAM") else None


_FORM = (
    "CREATE [OR REPLACE] STREAMING TABLE [IF NOT EXISTS] name [USING format] [OPTIONS (...)] [LATE INTO name] AS query"
)


def _await(source: Source) -> AwaitStream:
    name, index = read_name(source, 2, "the stream")
    if not source.words(index, "FOR"):
        require_end(source, index)
        return AwaitStream(name)
    extent = Extent(index + 1, end_of_statement(source))
    if extent.is_empty:
        raise source.syntax_error("FOR needs an interval", index, hint="write for instance FOR INTERVAL 30 SECONDS")
    return AwaitStream(name, read_duration(source, extent, "FOR", hint_below_zero="FOR INTERVAL 0 SECONDS only looks"))


def _create(source: Source, index: int) -> CreateStream:
    source.require_balance()
    head, index = read_head(source, index, ("STREAMING", "TABLE"))
    name, index = read_name(source, index, "the streaming table")
    clauses, index = read_clauses(source, index, _CLAUSES, _FORM, _HINTS)
    return CreateStream(name, query_after(source, index, _FORM), **head, **clauses)


_HINTS = {
    "(": "leave the columns out: their names and types are those of the query",
    "LOCATION": "write OPTIONS (path '...')",
    "PARTITIONED": "leave it out: rows are kept by micro-batch",
    "CLUSTER": "leave it out: rows are kept by micro-batch",
    "TBLPROPERTIES": "write OPTIONS (...)",
}


def _using(source: Source, index: int) -> tuple[dict[str, Any], int]:
    if not source.at(index + 1).is_name:
        raise source.syntax_error("USING needs a format", index, hint="write for instance USING parquet")
    span = source.span(Extent(index + 1, index + 2))
    return {"format": source.name(index + 1).lower(), "format_span": span}, index + 2


def _late_into(source: Source, index: int) -> tuple[dict[str, Any], int]:
    name, index = read_name(source, index + 2, "the table of late rows")
    return {"late_into": name}, index


def _options(source: Source, index: int) -> tuple[dict[str, Any], int]:
    options, stop = read_options(source, index)
    found, of_format = read_own(source, options, _OWN)
    return {"options": of_format, **found}, stop


_CLAUSES = {("USING",): _using, ("OPTIONS",): _options, ("LATE", "INTO"): _late_into}


def _appends(source: Source, option: Option) -> bool:
    value = option.value
    is_string = source.at(value.first, value.stop).kind is TokenKind.STRING
    if is_string and string_value(source, value.first).strip().lower() == "append":
        return True
    rule = "where the checkpoint is gone, resume 'append' keeps the rows and reads the sources from their start"
    hint = "write resume 'append', or leave it out"
    raise source.spec_error(f"{source.verbatim(value) or 'nothing'} is no way to resume", value, rule=rule, hint=hint)


_OWN = {
    "path": ("path", option_value),
    "checkpointlocation": ("checkpoint", option_value),
    "trigger": ("trigger", read_trigger),
    "resume": ("appends", _appends),
}
