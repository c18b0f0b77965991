"""WINDOW JOIN in a SELECT that groups or ranks the joined rows, or has them once each.

    SELECT x.k, window_end, count(*) FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN ... GROUP BY x.k, window_end

The join takes the place of the FROM body, each side under its name, and the rest is a query over that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from winsql.model.query import WINDOW_COLUMNS, WindowQuery
from winsql.syntax.expressions.function_calls import IsAggregate
from winsql.syntax.joins.clause import JoinClause, read_join
from winsql.syntax.joins.query import bind_join
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.tree.bridge import index_of
from winsql.syntax.tree.nodes import columns_of
from winsql.syntax.tree.records import WINDOW_OUTPUT, Meaning, Origin, Relation, Role, Scope, without_windows

__all__ = ["Joined", "bind_joined", "find_joined", "with_joined_columns"]


@dataclass(frozen=True, slots=True)
class Joined:
    """Such a SELECT.

    windowed  with its window clauses
    select    the rest of it
    scope   over the rows of the join, whose windows are those of the first relation
    windows   the tokens that name window columns
    """

    windowed: Select
    select: Select
    scope: Scope
    clause: JoinClause
    windows: tuple[int, ...]

    @property
    def reads(self) -> Extent:
        """All that says what is joined: window clauses may be anywhere."""
        return Extent(self.select.sections[Part.FROM].body.first, self.windowed.extent.stop)


def find_joined(source: Source, scope: Scope, windowed: Select) -> Joined | None:
    """The SELECT as one over a window join; None where it has none. Raises WindowSpecError for a join that is wrong."""
    clause = read_join(source, windowed.sections[Part.FROM])
    if clause is None:
        return None
    sections = {part: section for part, section in windowed.sections.items() if not part.is_window_clause}
    origin = frozenset({Origin(windowed.extent, are_rows=False)})
    relations = (Relation("", None, WINDOW_OUTPUT, origin, are_results=True), *map(without_windows, scope.relations))
    names = dict(_window_columns(scope))
    roles = {role.value: role for role in Role}
    meanings = {index: Meaning(roles[name], 0) for index, name in names.items() if name in roles}
    own = replace(scope, relations=relations, meanings=meanings, result=replace(scope.result, origins=origin))
    return Joined(windowed, replace(windowed, sections=sections), own, clause, tuple(names))


def _window_columns(scope: Scope) -> Iterator[tuple[int, str]]:
    """The tokens that name window columns, and their names."""
    for column in columns_of(scope.node):
        index, name = index_of(column.this), column.name.lower()
        if index is not None and name in WINDOW_COLUMNS and not column.table:
            yield index, name


def bind_joined(source: Source, found: Joined, is_aggregate: IsAggregate | None) -> WindowQuery:
    """The query of the join alone."""
    query = bind_join(source, found.windowed, found.clause, is_aggregate)
    body = source.span(found.select.sections[Part.FROM].body)
    return replace(query, span=body, head="", tail="", unnamed=None)


def with_joined_columns(source: Source, found: Joined) -> Source:
    """The source where window columns have the names that the join gives them, and stars say whose columns they are."""
    left, right = found.clause.sides.names
    star = f"{left}.*, {right}.*" if found.clause.how.has_right else f"{left}.*"
    for item in source.split(found.select.sections[Part.SELECT].body):
        if source.at(item.first, item.stop).is_symbol("*"):
            source = source.edited(Edit(*source.span(Extent(item.first, item.first + 1)), star))
    for index in found.windows:
        name = WINDOW_COLUMNS[source.name(index).lower()]
        source = source.edited(Edit(*source.span(Extent(index, index + 1)), name))
    return source
