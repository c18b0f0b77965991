"""Relations with words that older versions of Spark lack: what they read, and what is to be made of it.

STREAM name WITH (key = value, ...) [WATERMARK ...]
any relation WATERMARK expression [AS name] DELAY OF interval
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from winsql.syntax.context import Context
from winsql.syntax.items import column_path, quoted
from winsql.syntax.literals import string_value
from winsql.syntax.openers import holds_all
from winsql.syntax.relations import Relation, read_relation
from winsql.syntax.source import Extent, Source
from winsql.syntax.tokens import TokenKind

__all__ = ["StreamRelation", "find_stream_relations"]


@dataclass(frozen=True, slots=True)
class StreamRelation:
    """One relation.

    extent    its tokens, without an alias
    name      what its columns may be qualified with, as SQL; None where an alias follows, or nothing names them
    context   a WITH list of all that it can see
    core      the relation without watermark and options; a table's name where there are options
    options   of the table that is read as a stream
    items     its columns: `*`, and the one that the watermark computes
    column    the watermark's column; None where there is no watermark
    delay     its delay, as SQL
    """

    extent: Extent
    name: str | None
    context: str
    core: str
    options: Mapping[str, str] = field(default_factory=dict)
    items: str = "*"
    column: str | None = None
    delay: str | None = None


def find_stream_relations(source: Source) -> list[StreamRelation]:
    """Those of a statement, inner ones first."""
    if not holds_all(source.text, ("WATERMARK", "DELAY")) and not holds_all(source.text, ("STREAM", "WITH")):
        return []
    found: dict[Extent, Relation] = {}
    for index in range(len(source)):
        if source.words(index, "WATERMARK") or _has_options(source, index):
            relation = _relation_around(source, index)
            if relation is not None and relation.body not in source.stand_ins:
                found[relation.body] = relation
    return [_read(source, found[extent]) for extent in sorted(found, key=lambda extent: extent.stop)]


_STARTERS = ("FROM", "JOIN", "TABLE", "LATERAL")


def _has_options(source: Source, index: int) -> bool:
    return source.words(index, "WITH") and source.at(index + 1).is_symbol("(") and _stream_before(source, index)


def _stream_before(source: Source, index: int) -> bool:
    """Whether `STREAM a.b.c` ends before a token."""
    first = index - 1
    while source.at(first - 1).is_symbol("."):
        first -= 2
    return source.at(first).is_name and source.words(first - 1, "STREAM")


def _relation_around(source: Source, index: int) -> Relation | None:
    """The relation that has the word at `index` as one of its extensions."""
    group = source.group[index]
    for first in range(index - 1, group, -1):
        before = source.at(first - 1)
        starts = before.is_word(*_STARTERS) or before.is_symbol(",", "(")
        if source.group[first] != group or not starts:
            continue
        relation = read_relation(source, first, len(source) if group < 0 else source.closing(group))
        return relation if index in relation.body.indexes and relation.body.first < index else None
    return None


def _read(source: Source, relation: Relation) -> StreamRelation:
    body = relation.body
    places = {word: place for place, word in _extensions(source, body)}
    mark = places.get("WATERMARK", body.stop)
    has_options = "WITH" in places
    stop = min(places.values())
    first = body.first + 1 if has_options else body.first  # a table with options is named without STREAM
    is_named = relation.name is not None and relation.name in body.indexes
    column, delay, items = _watermark(source, Extent(mark, body.stop)) if mark < body.stop else (None, None, "*")
    return StreamRelation(
        body,
        relation.name_sql(source) if is_named else None,
        Context(source).prefix(body.first),
        source.verbatim(Extent(first, stop)),
        _options(source, places["WITH"] + 1) if has_options else {},
        items,
        column,
        delay,
    )


def _extensions(source: Source, body: Extent) -> Iterator[tuple[int, str]]:
    """Where the extensions begin that not every version has."""
    index = body.first
    while index < body.stop:
        if index > body.first and source.words(index, "WATERMARK"):
            yield index, "WATERMARK"
            return
        if _has_options(source, index):
            yield index, "WITH"
        index = source.skip(index, body.stop)


def _options(source: Source, opening: int) -> dict[str, str]:
    """`(key = value, ...)`: keys are names with dots or strings."""
    options = {}
    for part in source.split(Extent(opening + 1, source.closing(opening))):
        value = part.stop - 1
        key = Extent(part.first, value - 1 if source.at(value - 1).is_symbol("=") else value)
        is_text = source.at(key.first).kind is TokenKind.STRING
        name = string_value(source, key.first) if is_text else source.verbatim(key)
        is_string = source.at(value).kind is TokenKind.STRING
        options[name] = string_value(source, value) if is_string else source.verbatim(Extent(value, value + 1))
    return options


def _watermark(source: Source, extent: Extent) -> tuple[str, str, str]:
    """`WATERMARK expression [AS name] DELAY OF interval`: the column, the delay, and the items with that column."""
    place = extent.first + 1
    while not source.words(place, "DELAY", "OF"):
        place = source.skip(place, extent.stop)
    delay = source.verbatim(Extent(place + 2, extent.stop))
    expression = Extent(extent.first + 1, place)
    if column_path(source, expression) is not None:
        return quoted(source.name(expression.stop - 1)), delay, "*"
    if not source.at(place - 2).is_word("AS"):
        hint = "write WATERMARK expression AS name DELAY OF ..., or a column"
        raise source.syntax_error("the column of a watermark needs a name", expression, hint=hint)
    column = quoted(source.name(place - 1))
    return column, delay, f"*, {source.verbatim(Extent(expression.first, place - 2))} AS {column}"
