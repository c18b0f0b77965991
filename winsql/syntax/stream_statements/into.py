"""CREATE STREAM ... INTO: a stream whose rows go to a sink of Spark's writers or to a database.

into      = CREATE [OR REPLACE] STREAM [IF NOT EXISTS] name INTO sink [LATE INTO sink] AS query
sink      = format [OPTIONS "(" option {"," option} ")"]
format    = identifier {. identifier}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from winsql.errors import Span
from winsql.syntax.stream_statements.create import not_allowed, query_after
from winsql.syntax.stream_statements.names import (
    Name,
    begins_create,
    dotted_names,
    end_of_statement,
    read_head,
    read_name,
)
from winsql.syntax.stream_statements.options import (
    Option,
    OwnOption,
    StreamTrigger,
    option_value,
    read_options,
    read_own,
    read_trigger,
)
from winsql.syntax.text.source import Extent, Source


@dataclass(frozen=True, slots=True)
class SinkClause:
    """Where rows go: a format as written, and its options, secrets among them.

    table   the full name of the table that the stream creates, as CREATE STREAMING TABLE does; then its format may be
            "table"
    places  of the options, by their keys in lower case
    """

    format: str
    span: Span
    options: Mapping[str, str] = field(default_factory=dict, repr=False)
    table: Name | None = None
    places: Mapping[str, Span] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class CreateStreamInto:
    """CREATE STREAM name INTO ...; `query` is the place of the query after AS.

    sink, late_sink   their options do not include `checkpointLocation` and `trigger`, which are fields here
    """

    name: Name
    query: Span
    sink: SinkClause
    late_sink: SinkClause | None = None
    or_replace: bool = False
    if_not_exists: bool = False
    checkpoint: str | None = None
    trigger: StreamTrigger | None = None


def begins_create_into(source: Source, index: int) -> bool:
    """Whether the statement begins at `index`. CREATE STREAM TABLE is a slip for CREATE STREAMING TABLE."""
    if not begins_create(source, index, ("STREAM",)):
        return False
    after = index + (4 if source.words(index + 1, "OR") else 2)
    return not (source.words(after, "TABLE") and not source.words(after + 1, "INTO"))


_FORM = (
    "CREATE [OR REPLACE] STREAM [IF NOT EXISTS] name INTO format [OPTIONS (...)] [LATE INTO format [OPTIONS (...)]] "
    "AS query"
)


def read_create_into(source: Source, index: int) -> CreateStreamInto:
    """The statement; raises WindowSyntaxError and WindowSpecError."""
    source.require_balance()
    found, index = read_head(source, index, ("STREAM",))
    found["name"], index = read_name(source, index, "the stream")
    if not source.words(index, "INTO"):
        raise _no_sink(source, index)
    sink, own, index = _sink(source, index + 1, _OWN)
    if source.words(index, "LATE", "INTO"):
        found["late_sink"], _, index = _sink(source, index + 2, _OF_LATE_ROWS)
    if index < end_of_statement(source) and not source.words(index, "AS"):
        raise not_allowed(source, index, _FORM, _HINTS, ("OPTIONS", "LATE", "AS"))
    return CreateStreamInto(query=query_after(source, index, _FORM), sink=sink, **found, **own)


_HINTS = {
    "OPTIONS": "write them once, in one pair of brackets after the format",
    "LATE": "write LATE INTO format [OPTIONS (...)] once, after the first sink",
    "INTO": "a stream has one sink",
    "USING": "the format comes after INTO",
}


def _sink(source: Source, index: int, own: Mapping[str, OwnOption]) -> tuple[SinkClause, dict[str, Any], int]:
    """A sink, what its options say of the stream itself, and the index after it."""
    first = index
    parts, index = dotted_names(source, index)
    if not parts:
        hint = "write for instance INTO sqlite OPTIONS (path '...', table '...')"
        raise source.syntax_error("INTO needs a format", max(index - 1, 0), rule=f"write {_FORM}", hint=hint)
    span = source.span(Extent(first, index))
    options, index = read_options(source, index) if source.words(index, "OPTIONS") else ([], index)
    found, given = read_own(source, options, own)
    places = {option.key.lower(): source.span(option.part) for option in options}
    return SinkClause(".".join(parts), span, given, places=places), found, index


def _refuse(source: Source, option: Option) -> NoReturn:
    rule = "it is one of the stream, whose rows and late rows are written in the same micro-batches"
    hint = "write it in the OPTIONS after INTO"
    raise source.spec_error(f"{option.key} is not an option of late rows", option.part, rule=rule, hint=hint)


_OWN = {"checkpointlocation": ("checkpoint", option_value), "trigger": ("trigger", read_trigger)}
_OF_LATE_ROWS = {key: (name, _refuse) for key, (name, _) in _OWN.items()}


def _no_sink(source: Source, index: int) -> Exception:
    hint = "write INTO format, for instance INTO parquet OPTIONS (path '...')"
    if source.words(index, "AS") or source.words(index, "USING") or source.words(index, "OPTIONS"):
        hint += "; a table of the session is made by CREATE STREAMING TABLE"
    place = index if source.at(index).end else max(index - 1, 0)
    return source.syntax_error("INTO is missing: where do the rows go?", place, rule=f"write {_FORM}", hint=hint)
