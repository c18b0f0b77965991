"""Statements about streams that winsql adds to Spark SQL: text -> frozen records.

    statement = create | SHOW STREAMS | STOP STREAM name | AWAIT STREAM name [FOR duration]
              | SHOW WINDOW STATE OF name
    create    = CREATE [OR REPLACE] STREAMING TABLE [IF NOT EXISTS] name
                {USING format | OPTIONS "(" option {"," option} ")" | LATE INTO name}     (any order, each once)
                AS query
    option    = key ["="] value          key: name {. name} or a string; value: a string, number or boolean
    name      = identifier {. identifier}                                                 (one to three parts)

Spark refuses CREATE STREAMING TABLE outside its pipelines and knows none of the others, so these texts are winsql's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from winsql.errors import Span
from winsql.model.nearest import nearest
from winsql.model.settings import DEFAULTS, ParserSettings
from winsql.syntax.literals import read_duration, string_value
from winsql.syntax.openers import holds_all
from winsql.syntax.options import option_value, read_options
from winsql.syntax.source import Extent, Source
from winsql.syntax.tokens import TokenKind
from winsql.syntax.vocabulary import QUERY_STARTS

__all__ = [
    "AwaitStream",
    "CreateStream",
    "Name",
    "ShowStreams",
    "ShowWindowState",
    "StopStream",
    "StreamStatement",
    "StreamTrigger",
    "begins_query",
    "end_of_statement",
    "may_be_stream_statement",
    "name_of",
    "read_name",
    "read_stream_statement",
    "require_end",
]


class Name(NamedTuple):
    """A table's name by its parts, in the user's case, and its place; `str` quotes it for Spark."""

    parts: tuple[str, ...]
    span: Span

    def __str__(self) -> str:
        return ".".join(f"`{part.replace('`', '``')}`" for part in self.parts)

    @property
    def shown(self) -> str:
        """For messages: quoted only where it must be."""
        return ".".join(part if part.isidentifier() else f"`{part.replace('`', '``')}`" for part in self.parts)


@dataclass(frozen=True, slots=True)
class StreamTrigger:
    """When micro-batches run: `interval` in microseconds between their starts; None: all there is now, then the end."""

    interval: int | None


@dataclass(frozen=True, slots=True)
class CreateStream:
    """CREATE STREAMING TABLE; `query` is the place of the query after AS.

    options   those for the sink: without `path`, `checkpointLocation`, `trigger` and `resume`, which are apart
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
    """STOP STREAM name."""

    name: Name


@dataclass(frozen=True, slots=True)
class AwaitStream:
    """AWAIT STREAM name [FOR duration]; `limit` in microseconds, None: to the end."""

    name: Name
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class ShowWindowState:
    """SHOW WINDOW STATE OF name."""

    name: Name


StreamStatement: TypeAlias = CreateStream | ShowStreams | StopStream | AwaitStream | ShowWindowState


def may_be_stream_statement(text: str) -> bool:
    """Whether the words are there without which no statement is one of these: cheap, for every statement."""
    return holds_all(text, ("STREAM",)) or holds_all(text, ("WINDOW", "STATE"))


def read_stream_statement(source: Source) -> StreamStatement | None:
    """The statement; None when it is Spark's, or a windowed query. EXPLAIN WINDOW may precede a CREATE.

    Raises WindowSyntaxError and WindowSpecError.
    """
    if source.words(0, "EXPLAIN", "WINDOW"):
        return _create(source, 2) if _creates(source, 2) else None
    if _creates(source, 0):
        return _create(source, 0)
    for words, read in _READERS.items():
        if source.words(0, *words):
            statement, stop = read(source, len(words))
            require_end(source, stop)
            return statement
    return None


def read_name(source: Source, index: int, what: str) -> tuple[Name, int]:
    """A name of one to three parts at `index`, and the index after it; `what` says in errors what it names."""
    first, parts = index, []
    while source.at(index).is_name and not (source.words(index, "AS") and begins_query(source, index + 1)):
        parts.append(source.name(index))
        index += 1
        if not source.at(index).is_symbol("."):
            break
        index += 1
    if not parts or source.at(index - 1).is_symbol("."):
        raise source.syntax_error(f"the name of {what} is missing", index, hint=f"write the name of {what} here")
    span = source.span(Extent(first, index))
    if len(parts) > _MAX_PARTS:
        raise source.syntax_error(
            f"the name of {what} has {len(parts)} parts",
            span,
            rule="a table's name is [[catalog.]database.]name",
            hint="quote a name with points: `a.b`",
        )
    return Name(tuple(parts), span), index


def name_of(text: str, settings: ParserSettings = DEFAULTS) -> Name:
    """The name that a text of nothing else holds."""
    return read_name(Source(text, settings=settings), 0, "the table")[0]


_MAX_PARTS = 3
_FORM = (
    "CREATE [OR REPLACE] STREAMING TABLE [IF NOT EXISTS] name [USING format] [OPTIONS (...)] [LATE INTO name] AS query"
)


def _creates(source: Source, index: int) -> bool:
    if source.words(index, "CREATE", "OR", "REPLACE"):
        return source.words(index + 3, "STREAMING", "TABLE")
    return source.words(index, "CREATE", "STREAMING", "TABLE")


def _show_streams(source: Source, index: int) -> tuple[StreamStatement, int]:
    return ShowStreams(), index


def _stop(source: Source, index: int) -> tuple[StreamStatement, int]:
    name, index = read_name(source, index, "the stream")
    return StopStream(name), index


def _await(source: Source, index: int) -> tuple[StreamStatement, int]:
    name, index = read_name(source, index, "the stream")
    if not source.words(index, "FOR"):
        return AwaitStream(name), index
    extent = Extent(index + 1, end_of_statement(source))
    if extent.is_empty:
        raise source.syntax_error("FOR needs an interval", index, hint="write for instance FOR INTERVAL 30 SECONDS")
    limit = read_duration(source, extent, "FOR")
    if limit < 0:
        raise source.spec_error(
            "FOR: the interval must not be negative", extent, hint="FOR INTERVAL 0 SECONDS only looks"
        )
    return AwaitStream(name, limit), extent.stop


def _show_state(source: Source, index: int) -> tuple[StreamStatement, int]:
    name, index = read_name(source, index, "the stream")
    return ShowWindowState(name), index


_READERS = {
    ("SHOW", "STREAMS"): _show_streams,
    ("STOP", "STREAM"): _stop,
    ("AWAIT", "STREAM"): _await,
    ("SHOW", "WINDOW", "STATE", "OF"): _show_state,
}


def end_of_statement(source: Source) -> int:
    """The index after the last token that is not a semicolon."""
    end = len(source)
    while end and source.at(end - 1).is_symbol(";"):
        end -= 1
    return end


def require_end(source: Source, index: int) -> None:
    """Raises WindowSyntaxError where the statement goes on at `index`."""
    if index < end_of_statement(source):
        raise source.syntax_error(
            "nothing may follow here",
            Extent(index, end_of_statement(source)),
            rule="the statement ends before",
            hint="leave it out",
        )


def _create(source: Source, index: int) -> CreateStream:
    source.require_balance()
    found: dict[str, Any] = {"or_replace": source.words(index + 1, "OR", "REPLACE")}
    index += 5 if found["or_replace"] else 3
    start = index
    found["if_not_exists"] = source.words(index, "IF", "NOT", "EXISTS")
    if found["or_replace"] and found["if_not_exists"]:
        raise source.spec_error(
            "OR REPLACE and IF NOT EXISTS are both there",
            Extent(index, index + 3),
            rule="one replaces a table that exists, the other leaves it alone",
            hint="leave one of them out",
        )
    found["name"], index = read_name(source, start + 3 if found["if_not_exists"] else start, "the streaming table")
    while not source.words(index, "AS"):
        read = next((read for words, read in _CLAUSES.items() if source.words(index, *words)), None)
        if read is None:
            raise _no_clause(source, index)
        values, stop = read(source, index)
        if values.keys() & found.keys():
            hint = "leave one of them out"
            raise source.syntax_error("this clause is given twice", index, rule=f"write {_FORM}", hint=hint)
        found.update(values)
        index = stop
    if not begins_query(source, index + 1):
        hint = "write AS SELECT ... FROM ..."
        raise source.syntax_error("AS needs a query", index, rule=f"write {_FORM}", hint=hint)
    query = Span(source.at(index + 1).start, len(source.text))
    return CreateStream(query=query, **found)


def begins_query(source: Source, index: int) -> bool:
    """Whether a query begins at `index`."""
    while source.at(index).is_symbol("("):
        index += 1
    return source.at(index).is_word(*QUERY_STARTS)


def _no_clause(source: Source, index: int) -> Exception:
    token = source.at(index)
    if token.end == 0 or token.is_symbol(";"):
        place = max(index - 1, 0)
        return source.syntax_error("the query is missing", place, rule=f"write {_FORM}", hint="add AS SELECT ...")
    hints = {
        "(": "leave the columns out: their names and types are those of the query",
        "LOCATION": "write OPTIONS (path '...')",
        "PARTITIONED": "leave it out: rows are kept by micro-batch",
    }
    shown = source.text[token.start : token.end]
    return source.syntax_error(
        f"{shown} is not allowed here", index, rule=f"write {_FORM}", hint=hints.get(token.upper)
    )


def _using(source: Source, index: int) -> tuple[dict[str, Any], int]:
    if not source.at(index + 1).is_name:
        raise source.syntax_error("USING needs a format", index, hint="write for instance USING parquet")
    span = source.span(Extent(index + 1, index + 2))
    return {"format": source.name(index + 1).lower(), "format_span": span}, index + 2


def _late_into(source: Source, index: int) -> tuple[dict[str, Any], int]:
    name, index = read_name(source, index + 2, "the table of late rows")
    return {"late_into": name}, index


def _options(source: Source, index: int) -> tuple[dict[str, Any], int]:
    given, stop = read_options(source, index)
    found: dict[str, Any] = {}
    options: dict[str, str] = {}
    for option in given:
        own = _OWN.get(option.key.lower())
        read = _VALUES.get(own) if own is not None else None
        value: Any = option_value(source, option) if read is None else read(source, option.value)
        (options if own is None else found)[own or option.key] = value
    return {"options": options, **found}, stop


_OWN = {"path": "path", "checkpointlocation": "checkpoint", "trigger": "trigger", "resume": "appends"}
_CLAUSES = {("USING",): _using, ("OPTIONS",): _options, ("LATE", "INTO"): _late_into}


def _trigger(source: Source, value: Extent) -> StreamTrigger:
    token = source.at(value.first, value.stop)
    words = string_value(source, value.first) if token.kind is TokenKind.STRING else ""
    given = re.sub(r"[\s_-]+", " ", words.strip()).lower()
    if given in _NOW:
        return StreamTrigger(None)
    if not any(letter.isdigit() for letter in source.verbatim(value)):
        near = nearest(given, [*_NOW, "once"])
        raise source.spec_error(
            f"{words or 'this'} is no trigger of a stream",
            value,
            rule="a trigger is 'available now' or an interval between micro-batches such as '10 seconds'",
            hint="write trigger 'available now'" if near else "leave it out to run micro-batches one after the other",
        )
    interval = read_duration(source, value, "trigger")
    if interval < 0:
        hint = "write for instance '10 seconds' or 'available now'"
        raise source.spec_error("trigger: the interval must not be negative", value, hint=hint)
    return StreamTrigger(interval)


_NOW = frozenset({"available now", "availablenow"})


def _appends(source: Source, value: Extent) -> bool:
    is_string = source.at(value.first, value.stop).kind is TokenKind.STRING
    if is_string and string_value(source, value.first).strip().lower() == "append":
        return True
    raise source.spec_error(
        f"{source.verbatim(value) or 'nothing'} is no way to resume",
        value,
        rule="where the checkpoint is gone, resume 'append' keeps the rows and reads the sources from their start",
        hint="write resume 'append', or leave it out",
    )


_VALUES = {"trigger": _trigger, "appends": _appends}
