"""What in a SELECT takes several rows together: groups, aggregates, distinct rows, calls with OVER."""

from __future__ import annotations

from winsql.syntax.expressions.items import read_select_list
from winsql.syntax.expressions.references import ReferenceKind, find_references, has_window_function
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Extent, Source

__all__ = ["first_gathering"]


def first_gathering(source: Source, select: Select) -> Extent | None:
    """The first word, clause or item of a SELECT that does; None where each row is taken by itself."""
    listed = read_select_list(source, select)
    if listed.is_distinct:
        return select.sections[Part.SELECT].head
    for part in (Part.GROUP_BY, Part.HAVING):
        if part in select.sections:
            return select.sections[part].extent
    for item in listed.items:
        for reference in find_references(source, item.expression):
            if reference.kind is ReferenceKind.AGGREGATE:
                return reference.extent
        if has_window_function(source, item.expression):
            return item.expression
    return select.sections[Part.QUALIFY].extent if Part.QUALIFY in select.sections else None
