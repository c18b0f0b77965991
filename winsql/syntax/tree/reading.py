"""The SELECTs of a statement as its tree has them, those inside calls of table functions included."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from winsql.syntax.functions.calls import time_column
from winsql.syntax.parts import Select
from winsql.syntax.source import Extent, Source
from winsql.syntax.tree.bridge import parse_query
from winsql.syntax.tree.lineage import read_lineage
from winsql.syntax.tree.masks import inner_queries, masks_of, root_of
from winsql.syntax.tree.records import Origin, Reading

__all__ = ["read_selects"]


def read_selects(
    source: Source, calls: Iterable[Extent], others: Iterable[Extent], selects: Iterable[Select]
) -> list[Reading]:
    """The SELECTs around and in windows, inner before outer.

    calls    calls of Flink's window table functions; `others` those of winsql's other table functions
    selects  the SELECTs with window clauses
    """
    made, windowed = list(calls), list(selects)
    masked = [*made, *others]
    masks = masks_of(source, masked, windowed)
    origins = {call.first: _origin(source, call) for call in made}
    origins |= {select.extent.first: Origin(select.extent, are_rows=False) for select in windowed}
    inside = {call.first: _trees(source, inner_queries(source, call), masks) for call in masked}
    outer = [e for e in (*masked, *(s.extent for s in windowed)) if not any(_is_in(e, call) for call in masked)]
    roots = sorted({root_of(source, extent.first) for extent in outer})
    return [r for tree in _trees(source, roots, masks) for r in read_lineage(tree, origins, inside)]


def _origin(source: Source, call: Extent) -> Origin:
    """A call of a function; sessions are known when they have ended alone."""
    is_session = any(source.at(index).is_word("SESSION") for index in range(call.first, min(call.first + 3, call.stop)))
    return Origin(call, are_rows=not is_session, time=time_column(source, call))


def _trees(source: Source, extents: Iterable[Extent], masks: dict[int, int]) -> list[exp.Expr]:
    found = (parse_query(source, extent, masks) for extent in extents if not extent.is_empty)
    return [tree for tree in found if tree is not None]


def _is_in(inner: Extent, outer: Extent) -> bool:
    return outer.first < inner.first and inner.stop <= outer.stop
