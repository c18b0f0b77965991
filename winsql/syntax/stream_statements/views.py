"""Statements about the sources of streams: text -> frozen records.

    view      = CREATE [OR REPLACE] [TEMPORARY] STREAMING VIEW [IF NOT EXISTS] name ["(" column {"," column} ")"]
                USING format
                {OPTIONS "(" option {"," option} ")" | WATERMARK time [AS name] DELAY OF interval}   (each once)
                [AS SELECT ... FROM SOURCE ...]
    column    = name                     of the view; or
                name type                of what the source reads, which then takes a schema
    others    = SHOW STREAMING VIEWS | DESCRIBE STREAMING VIEW name | DROP STREAMING VIEW [IF EXISTS] name

In the query, SOURCE without quotes is what the source gives; in backquotes it is a table of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from winsql.errors import Span
from winsql.model.settings import ParserSettings
from winsql.syntax.other_systems import clause_of_others
from winsql.syntax.selects.relations import WrittenRelation, begins_relation, delay_of, read_relation, watermark_column
from winsql.syntax.selects.scanner import end_of_from
from winsql.syntax.selects.with_lists import Context
from winsql.syntax.stream_statements.create import ClauseReader, query_after, read_clauses
from winsql.syntax.stream_statements.names import Name, end_of_statement, read_if_not_exists, read_name, require_end
from winsql.syntax.stream_statements.options import option_value, read_options
from winsql.syntax.text.literals import read_duration
from winsql.syntax.text.parts import is_query_start, outside_brackets
from winsql.syntax.text.source import Edit, Extent, Source


@dataclass(frozen=True, slots=True)
class Watermark:
    """WATERMARK ... DELAY OF ...; `delay` in microseconds.

    column   the time column, as SQL
    items    the view's columns: `*`, and the one that the watermark computes
    span     the place of the time
    text     all of it, as written
    """

    column: str
    items: str
    delay: int
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class CreateStreamView:
    """CREATE STREAMING VIEW.

    columns   names of the view's columns; empty: those of the query, or of the source
    schema    what the source reads, as DDL: the columns with types, or the option `schema`; `layout` is its place
    options   for Spark, all but `schema`; `values` are the places of their values
    query     the place of the query after AS
    """

    name: Name
    format: str
    format_span: Span
    or_replace: bool = False
    if_not_exists: bool = False
    columns: tuple[str, ...] = ()
    schema: str | None = None
    layout: Span | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Span] = field(default_factory=dict)
    watermark: Watermark | None = None
    query: Span | None = None


@dataclass(frozen=True, slots=True)
class ShowStreamViews:
    """SHOW STREAMING VIEWS."""


@dataclass(frozen=True, slots=True)
class DescribeStreamView:
    """DESCRIBE STREAMING VIEW name."""

    name: Name


@dataclass(frozen=True, slots=True)
class DropStreamView:
    """DROP STREAMING VIEW [IF EXISTS] name."""

    name: Name
    if_exists: bool = False


ViewStatement: TypeAlias = CreateStreamView | ShowStreamViews | DescribeStreamView | DropStreamView


def read_view_statement(source: Source) -> ViewStatement | None:
    """The statement; None when it is another one. Raises WindowSyntaxError and WindowSpecError."""
    if source.words(0, "CREATE"):
        index = 3 if source.words(1, "OR", "REPLACE") else 1
        if source.words(index, "GLOBAL") and source.words(index + 2, "STREAMING", "VIEW"):
            rule = "it is a temporary view, which belongs to the session"
            raise source.spec_error("a streaming view cannot be global", index, rule=rule, hint="leave out GLOBAL")
        index += source.at(index).is_word("TEMPORARY", "TEMP")
        if source.words(index, "STREAMING", "VIEW"):
            return _create(source, index + 2, or_replace=source.words(1, "OR", "REPLACE"))
        return None
    if source.words(0, "SHOW", "STREAMING", "VIEWS"):
        require_end(source, 3)
        return ShowStreamViews()
    is_named = source.words(1, "STREAMING", "VIEW") and source.at(_VERB).is_name
    if is_named and source.at(0).is_word("DESCRIBE", "DESC"):
        return DescribeStreamView(_last_name(source, _VERB))
    if is_named and source.words(0, "DROP"):
        if_exists = source.words(_VERB, "IF", "EXISTS")
        return DropStreamView(_last_name(source, _VERB + 2 * if_exists), if_exists)
    return None


def query_of_view(text: str, settings: ParserSettings, view: CreateStreamView, name: str) -> str:
    """The query after AS with `name` in the place of SOURCE; positional parameters have their names."""
    assert view.query is not None
    source = Source(text, settings=settings)
    edits = []
    for index, relation in _sources(source, view.query):
        start, end = source.span(relation.body)  # with STREAM, which not every version has: a source is a stream anyway
        edits.append(Edit(start, source.at(index).end, name))
        if relation.extent == relation.body and not source.at(index - 1).is_word("TABLE"):
            edits.append(Edit(end, end, " AS SOURCE"))
    return source.slice(view.query, edits)


_VERB = 3  # the tokens before the name
_FORM = (
    "CREATE [OR REPLACE] [TEMPORARY] STREAMING VIEW [IF NOT EXISTS] name [(column, ...)] USING format [OPTIONS (...)] "
    "[WATERMARK time DELAY OF interval] [AS SELECT ... FROM SOURCE ...]"
)


def _last_name(source: Source, index: int) -> Name:
    name, stop = _view_name(source, index)
    require_end(source, stop)
    return name


def _view_name(source: Source, index: int) -> tuple[Name, int]:
    name, stop = read_name(source, index, "the streaming view")
    if len(name.parts) > 1:
        rule = "it is a temporary view, which belongs to the session and to no database"
        hint = f"write {Name(name.parts[-1:], name.span).shown}"
        raise source.spec_error(f"a streaming view cannot be called {name.shown}", name.span, rule=rule, hint=hint)
    return name, stop


def _create(source: Source, index: int, *, or_replace: bool) -> CreateStreamView:
    source.require_balance()
    if_not_exists, index = read_if_not_exists(source, index, "view", or_replace=or_replace)
    name, index = _view_name(source, index)
    columns: dict[str, Any] = {}
    if source.at(index).is_symbol("("):
        columns, index = _columns(source, index)
    found, index = read_clauses(source, index, _CLAUSES, _FORM, _HINTS)
    if "schema" in columns and "schema" in found:
        problem, rule = "the columns have types, and OPTIONS have a schema", "both say what the source reads"
        hint = "leave one of them out"
        raise source.spec_error(problem, found["layout"], rule=rule, hint=hint)
    found = {**columns, **found}
    if "format" not in found:
        place = min(index, end_of_statement(source) - 1)
        hint = "add for instance USING json, rate or kafka, and its OPTIONS (...)"
        raise source.syntax_error("the format of the source is missing", place, rule=f"write {_FORM}", hint=hint)
    view = CreateStreamView(name, or_replace=or_replace, if_not_exists=if_not_exists, **found)
    has_query = index < end_of_statement(source)
    return replace(view, query=_query(source, index)) if has_query else view


def _query(source: Source, index: int) -> Span:
    """The query after AS, which reads SOURCE."""
    hint = "write AS SELECT ... FROM SOURCE"
    query = query_after(source, index, _FORM, hint)._replace(end=source.at(end_of_statement(source) - 1).end)
    own = next((d for found in Context(source).lists for d in found.definitions if d.name == "SOURCE"), None)
    if own is not None:
        place = Extent(own.extent.first, own.extent.first + 1)
        rule = "in this query SOURCE is what the source gives"
        raise source.spec_error("a CTE is called SOURCE", place, rule=rule, hint="choose another name")
    if not any(True for _ in _sources(source, query)):
        rule = "the query of a streaming view reads what its source gives, which is called SOURCE there"
        raise source.spec_error("the query does not read SOURCE", index + 1, rule=rule, hint=hint)
    return query


def _sources(source: Source, query: Span) -> Iterator[tuple[int, WrittenRelation]]:
    """Each SOURCE of the query that is a relation: its token, and the relation."""
    for index in source.places("SOURCE"):
        first = index - 1 if source.words(index - 1, "STREAM") else index
        if source.at(index).start < query.start or source.at(index + 1).is_symbol(".", "("):
            continue
        is_table = source.words(first - 1, "TABLE")
        if is_table or begins_relation(source, first):
            stop = first + 1 if is_table else min(end_of_from(source, first), end_of_statement(source))
            relation = read_relation(source, first, stop)
            if index in relation.body.indexes:
                yield index, relation


# -- columns ----------------------------------------------------------------------------------------------------------


def _columns(source: Source, index: int) -> tuple[dict[str, Any], int]:
    closing = source.closing(index)
    parts = source.split_columns(Extent(index + 1, closing))
    names: list[str] = []
    for part in parts:
        if part.is_empty or not source.at(part.first).is_name:
            place = part if not part.is_empty else max(part.first - 1, 0)
            raise source.syntax_error("a column needs a name", place, rule=f"write {_FORM}", hint="write (a, b)")
        for error in clause_of_others(source, part.first):  # WATERMARK FOR
            raise error
        names.append(source.name(part.first))
    typed = [part for part in parts if len(part.indexes) > 1]
    layout = source.span(Extent(index, closing + 1))
    if not typed:
        return {"columns": tuple(names), "layout": layout}, closing + 1
    plain = next((part for part in parts if part not in typed), None)
    if plain is not None:
        problem = f"column {source.name(plain.first)} has no type, and others have one"
        rule = "columns with types are what the source reads; names alone are those of the view"
        hint = "give each column a type, or none of them"
        raise source.spec_error(problem, plain, rule=rule, hint=hint)
    return {"schema": source.verbatim(Extent(index + 1, closing)), "layout": layout}, closing + 1


# -- clauses ----------------------------------------------------------------------------------------------------------


def _using(source: Source, index: int) -> tuple[dict[str, Any], int]:
    if not source.at(index + 1).is_name:
        raise source.syntax_error("USING needs a format", index, hint="write for instance USING json")
    extent = Extent(index + 1, source.path_end(index + 1))  # a class has dots
    names = [source.name(place) for place in extent.indexes[::2]]
    return {"format": ".".join(names), "format_span": source.span(extent)}, extent.stop


def _options(source: Source, index: int) -> tuple[dict[str, Any], int]:
    given, stop = read_options(source, index)
    own = next((option for option in given if option.key.lower() == "schema"), None)
    others = [option for option in given if option is not own]
    found: dict[str, Any] = {
        "options": {option.key: option_value(source, option) for option in others},
        "values": {option.key: source.span(option.value) for option in others},
    }
    if own is not None:
        found |= {"schema": option_value(source, own), "layout": source.span(own.value)}
    return found, stop


def _watermark(source: Source, index: int) -> tuple[dict[str, Any], int]:
    hint = "write WATERMARK ts DELAY OF INTERVAL 10 SECONDS"
    end = end_of_statement(source)
    starts = (n for n in source.places("AS") if index < n < end and is_query_start(source, n + 1))
    query = next(starts, end)
    place = delay_of(source, index, query)
    if place is None:
        raise source.syntax_error("WATERMARK needs DELAY OF", index, rule=f"write {_FORM}", hint=hint)
    after = outside_brackets(source, Extent(place + 2, query))
    stop = next((n for n in after if any(source.words(n, *words) for words in _CLAUSES)), query)
    time, length = Extent(index + 1, place), Extent(place + 2, stop)
    for extent, what in ((time, "WATERMARK needs a time column"), (length, "DELAY OF needs an interval")):
        if extent.is_empty:
            raise source.syntax_error(what, extent.first - 1, rule=f"write {_FORM}", hint=hint)
    delay = read_duration(source, length, "DELAY OF", hint_below_zero=hint)
    column, items = watermark_column(source, time, is_qualified=False, rule=f"write {_FORM}")
    text = source.verbatim(Extent(index, stop))
    return {"watermark": Watermark(column, items, delay, source.span(time), re.sub(r"\s+", " ", text))}, stop


_CLAUSES: dict[tuple[str, ...], ClauseReader] = {("USING",): _using, ("OPTIONS",): _options, ("WATERMARK",): _watermark}
_HINTS = {
    "FROM": "write USING before the format, as in USING json",
    "LOCATION": "write OPTIONS (path '...')",
    "SELECT": "write AS SELECT ... FROM SOURCE",
    "TBLPROPERTIES": "write OPTIONS (...)",
}
