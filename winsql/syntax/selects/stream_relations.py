"""Relations of streams in words that older versions of Spark lack, read so that DataFrames can take their place.

STREAM name WITH (key = value, ...) [WATERMARK ...], also STREAM (name)
any relation WATERMARK expression [AS name] DELAY OF interval
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from winsql.errors import Span
from winsql.syntax.selects.relations import (
    WrittenRelation,
    delay_of,
    may_begin_relation,
    read_relation,
    watermark_column,
)
from winsql.syntax.selects.scanner import end_of_from
from winsql.syntax.selects.with_lists import Context
from winsql.syntax.text.literals import string_value
from winsql.syntax.text.openers import holds_any
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind


@dataclass(frozen=True, slots=True)
class StreamRelation:
    """A relation with STREAM or WATERMARK.

    extent    its tokens, without an alias
    name      what its columns may be qualified with, as SQL; None where an alias follows, or nothing names them
    context   a WITH list of all that it can see
    core      the relation without these words; after STREAM the name of the table
    is_table  whether it is a table after STREAM
    options   of that table
    items     its columns: `*`, and the one that the watermark computes
    column    the watermark's column; None where there is no watermark
    delay     its delay, as SQL
    place     of the delay
    """

    extent: Extent
    name: str | None
    context: str
    core: str
    is_table: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    items: str = "*"
    column: str | None = None
    delay: str | None = None
    place: Span | None = None


def find_stream_relations(source: Source) -> list[StreamRelation]:
    """The relations with STREAM or WATERMARK of a statement, inner ones first."""
    if not holds_any(source.text, ("STREAM", "WATERMARK")):
        return []
    found: dict[Extent, WrittenRelation] = {}
    for index in range(len(source)):
        relation = _relation_at(source, index)
        if relation is not None and relation.body not in source.stand_ins:
            found[relation.body] = relation
    return [_read(source, found[extent]) for extent in sorted(found, key=lambda extent: extent.stop)]


def with_stand_in(source: Source, relation: StreamRelation, name: str) -> Source:
    """The same source with a name in the place of a relation."""
    text = name if relation.name is None else f"{name} AS {relation.name}"
    other = source.replaced(relation.extent, text)
    other.stand_ins = {**source.stand_ins, relation.extent: name}
    return other


def _relation_at(source: Source, index: int) -> WrittenRelation | None:
    """The relation that has its STREAM or its WATERMARK at `index`."""
    if source.words(index, "STREAM") and may_begin_relation(source, index):
        stream = read_relation(source, index, end_of_from(source, index))
        return stream if _is_stream(source, stream.body) else None
    if not source.words(index, "WATERMARK"):
        return None
    starts = (n for n in range(index - 1, source.group[index], -1) if source.group[n] == source.group[index])
    first = next((n for n in starts if may_begin_relation(source, n)), None)
    relation = None if first is None else read_relation(source, first, end_of_from(source, index))
    return relation if relation is not None and index in relation.body.indexes and index > relation.body.first else None


def _is_stream(source: Source, body: Extent) -> bool:
    """Whether a relation is `STREAM name ...` or `STREAM (name) ...`, and no table of that name."""
    following = source.at(body.first + 1)
    is_longer = body.stop - body.first > 1 and source.words(body.first, "STREAM")
    return is_longer and (following.is_name or following.is_symbol("("))


def _read(source: Source, relation: WrittenRelation) -> StreamRelation:
    body = relation.body
    is_stream = _is_stream(source, body)
    own = [n for n in range(body.first + 1 + is_stream, body.stop) if source.group[n] == source.group[body.first]]
    mark = next((n for n in own if source.words(n, "WATERMARK")), body.stop)
    options = next((n for n in own if n < mark and is_stream and source.words(n, "WITH")), mark)
    core, column, delay, items, span = Extent(body.first + is_stream, options), None, None, "*", None
    if (place := delay_of(source, mark, body.stop)) is not None:
        column, items = watermark_column(source, Extent(mark + 1, place))
        interval = Extent(place + 2, body.stop)
        delay, span = source.verbatim(interval), source.span(interval)
    core = source.unwrapped(core) if is_stream else core
    if relation.name is None and is_stream and source.at(core.stop - 1).is_name:  # the name in brackets
        relation = replace(relation, name=core.stop - 1)
    is_named = relation.name is not None and relation.name in body.indexes
    return StreamRelation(
        body,
        relation.name_sql(source) if is_named else None,
        Context(source).prefix(body.first),
        source.verbatim(core),
        is_stream,
        _options(source, options + 1) if options < mark else {},
        items,
        column,
        delay,
        span,
    )


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
