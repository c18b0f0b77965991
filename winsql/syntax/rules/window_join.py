"""WINDOW JOIN in a SELECT that groups or ranks the joined rows.

    SELECT x.k, window_end, count(*) FROM a x WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN ... GROUP BY x.k, window_end

The join becomes a query of its own in the place of the FROM body, in which each side keeps its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from winsql.model.query import FUNCTION_COLUMNS, WINDOW_COLUMNS, WindowQuery
from winsql.syntax.joins.clause import JoinClause, read_join
from winsql.syntax.joins.query import bind_join
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.rules.sides import with_stars
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.bridge import index_of
from winsql.syntax.tree.nodes import columns_of
from winsql.syntax.tree.records import WINDOW_OUTPUT, Meaning, Origin, Relation, Role, Scope, without_windows


@dataclass(frozen=True, slots=True)
class JoinedRows:
    """The rows of a WINDOW JOIN, and the SELECT over them.

    windowed  the SELECT with its window clauses
    block     the SELECT without them, over the rows of the join
    windows   the tokens that name window columns
    """

    windowed: Select
    block: QueryBlock
    clause: JoinClause
    windows: tuple[int, ...]

    @property
    def pairs(self) -> Extent:
        """What these rows replace."""
        return self.block.body

    @property
    def reads(self) -> Extent:
        """The tokens that say what is joined; window clauses may be anywhere."""
        return Extent(self.block.body.first, self.windowed.extent.stop)

    @property
    def replaces(self) -> frozenset[Extent]:
        return frozenset({self.windowed.extent})

    def bind_pairs(self, source: Source, columns: frozenset[str] | None) -> WindowQuery:
        query = bind_join(source, self.windowed, self.clause)
        return replace(query, span=source.span(self.pairs), head="", tail="", unnamed=None)

    def prepared(self, source: Source) -> Source:
        """The source over these rows, where window columns have the names of plans, and stars those of the sides."""
        source = with_stars(source, self.block.select, self.clause.sides.star(self.clause.how))
        for index in self.windows:
            name = WINDOW_COLUMNS[source.name(index).lower()]
            source = source.replaced(Extent(index, index + 1), name)
        return source


def find_joined_rows(source: Source, block: QueryBlock) -> JoinedRows | None:
    """The rows of the WINDOW JOIN of a SELECT with window clauses; None where it has none.

    Raises WindowSpecError for a join that is wrong.
    """
    windowed, scope = block.select, block.scope
    clause = read_join(source, windowed.sections[Part.FROM])
    if clause is None:
        return None
    sections = {part: section for part, section in windowed.sections.items() if not part.is_window_clause}
    origin = frozenset({Origin(windowed.extent, is_row_stream=False)})
    rows = Relation("", None, WINDOW_OUTPUT, origin, is_window_result=True)
    names = dict(_window_columns(scope))
    meanings = {index: Meaning(Role(name), (0,)) for index, name in names.items() if name in FUNCTION_COLUMNS}
    relations, result = (rows, *map(without_windows, scope.relations)), replace(scope.result, origins=origin)
    over = replace(scope, relations=relations, meanings=meanings, result=result)
    rest = replace(block, scope=over, select=replace(windowed, sections=sections))
    return JoinedRows(windowed, rest, clause, tuple(names))


def _window_columns(scope: Scope) -> Iterator[tuple[int, str]]:
    """The tokens that name window columns, and their names."""
    for column in columns_of(scope.node):
        index, name = index_of(column.this), column.name.lower()
        if index is not None and name in WINDOW_COLUMNS and not column.table:
            yield index, name
