"""GROUP BY, DISTINCT, aggregates and calls with OVER over results of windows, by nothing that says when all are there.

Spark takes no such SELECT on a stream.
"""

from __future__ import annotations

from winsql.errors import WindowPlanError
from winsql.syntax.expressions.items import read_select_list
from winsql.syntax.expressions.references import ReferenceKind, find_references, has_window_function
from winsql.syntax.selects.endless import endless_groups
from winsql.syntax.selects.stream_relations import find_stream_relations
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.records import Role, Scope

__all__ = ["find_unended"]


def find_unended(source: Source, scope: Scope, select: Select) -> WindowPlanError | None:
    """The error for the SELECT; None where it is none of these."""
    has_results = any(relation.are_results for relation in scope.relations)
    place = _gathers(source, select) if has_results else None
    if place is None or _has_watermark(source, scope, select):
        return None
    ends = (column.name for relation in scope.relations for column in relation.output if column.role is Role.END)
    error = endless_groups(next(ends, None))
    error.located(source.text, source.span(place))
    return error


def _gathers(source: Source, select: Select) -> Extent | None:
    """The first clause, item or word that does."""
    listed = read_select_list(source, select)
    if listed.is_distinct:
        return select.sections[Part.SELECT].head
    if Part.GROUP_BY in select.sections:
        return select.sections[Part.GROUP_BY].extent
    for item in listed.items:
        for reference in find_references(source, item.expression, None):
            if reference.kind is ReferenceKind.AGGREGATE:
                return reference.extent
        if has_window_function(source, item.expression):
            return item.expression
    return select.sections[Part.QUALIFY].extent if Part.QUALIFY in select.sections else None


def _has_watermark(source: Source, scope: Scope, select: Select) -> bool:
    """Whether a relation gets a watermark after its windows: then Spark may know when its groups end."""
    body, origins = select.sections[Part.FROM].body, [origin.extent for origin in scope.origins]
    marked = (relation.extent for relation in find_stream_relations(source) if relation.delay is not None)
    return any(_is_in(extent, body) and not any(_is_in(extent, origin) for origin in origins) for extent in marked)


def _is_in(inner: Extent, outer: Extent) -> bool:
    return outer.first <= inner.first and inner.stop <= outer.stop
