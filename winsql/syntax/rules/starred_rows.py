"""SELECT DISTINCT, or GROUP BY ALL, of a star over rows that have windows.

    SELECT DISTINCT * FROM (SELECT k, window_end, count(*) AS c FROM ... GROUP BY window_start, window_end, k)

All columns of the relation are keys. They must be known: those of a table are not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from winsql.errors import Span
from winsql.model.query import INTERNAL_PREFIX, WINDOW_COLUMNS, EndColumn, KeyColumn, ResultColumn, WindowQuery
from winsql.syntax.bind.grouping import is_all
from winsql.syntax.expressions.items import Item, generates_rows, quoted, read_select_list
from winsql.syntax.expressions.references import ReferenceKind, find_references, has_window_function
from winsql.syntax.rules.attached_windows import attached_windows
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.text.parts import Part
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.joined import joined_of
from winsql.syntax.tree.outputs import left_out_by, star_of
from winsql.syntax.tree.records import Role


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of the result.

    name     its own
    column   the name of the column of the relation that it is, for an expression its last word
    sql      what computes it, over the FROM body
    span     the item that gives it: itself, or a star
    role     the window column that it is
    """

    name: str
    column: str
    sql: str
    span: Span
    role: Role | None

    @property
    def is_key(self) -> bool:
        """Whether windows that end together may differ in it."""
        return self.role not in (Role.END, Role.TIME)


@dataclass(frozen=True, slots=True)
class StarredRows:
    """The distinct rows of a SELECT over one relation with windows, and perhaps tables that it is joined with.

    opening   `SELECT` with its hints
    columns   all that it gives, in order; at least one is the end or last instant of the windows
    """

    block: QueryBlock
    opening: str
    columns: tuple[_Column, ...]
    replaces: frozenset[Extent] = frozenset()

    def bind(self, source: Source, columns: frozenset[str] | None) -> WindowQuery:
        select, end = self.block.select, next(column for column in self.columns if not column.is_key)
        assert end.role is not None
        ends = EndColumn(end.sql, end.column.lower(), self.block.relations[self.block.windowed[0]].names_of(Role.TIME))
        keys = [column for column in self.columns if column.is_key]
        held = {column: f"{INTERNAL_PREFIX}key_{number}" for number, column in enumerate(keys)}
        held |= {c: WINDOW_COLUMNS[c.role.value] for c in self.columns if c.role is not None and not c.is_key}
        where = select.body(Part.WHERE)
        return replace(
            attached_windows(source, select, ends, end.role),
            where=None if where is None else source.verbatim(where),
            keys=tuple(KeyColumn(key.sql, held[key], key.span) for key in keys),
            head=f"{self.opening} {', '.join(f'{held[c]} AS {quoted(c.name)}' for c in self.columns)}",
            window_columns=tuple(dict.fromkeys(held[c] for c in self.columns if not c.is_key)),
            returned=tuple(ResultColumn(c.name, held[c]) for c in self.columns),
        )


def find_starred_rows(source: Source, block: QueryBlock) -> StarredRows | None:
    """The SELECT as its distinct rows; None where it is none, or has a column that is not known."""
    select, nodes = block.select, block.scope.node.expressions
    if len(block.windowed) != 1 or not select.sections.keys() <= _PARTS:
        return None
    keys, listed = select.body(Part.GROUP_BY), read_select_list(source, select)
    is_distinct = listed.is_distinct if keys is None else is_all(source, keys)
    if not is_distinct or not any(map(star_of, nodes)) or len(nodes) != len(listed.items):
        return None
    columns: list[_Column] = []
    for place, item in enumerate(listed.items):
        before = {source.fold(name) for other in listed.items[:place] for name in other.names}
        found = _columns(source, block, place, item, before)
        if not found:
            return None
        columns += found
    names = [column.name.lower() for column in columns]
    if len({*names}) != len(names) or all(column.is_key for column in columns):
        return None
    return StarredRows(block, listed.without_distinct.opening, tuple(columns))


_PARTS = {Part.SELECT, Part.FROM, Part.WHERE, Part.GROUP_BY}
"""What such a SELECT may have."""


def _columns(source: Source, block: QueryBlock, place: int, item: Item, before: set[str]) -> list[_Column]:
    """The columns of an item; none where they are not known. `before` are the aliases of those before it."""
    node, span = block.scope.node.expressions[place], source.span(item.expression)
    star = star_of(node)
    if star is not None:
        return _of_star(source, block, node, star, span)
    has_name = len(item.names) <= 1 and (item.alias is not None or source.is_path(item.expression))
    if not has_name or not _is_by_row(source, item, before):
        return []
    role = block.scope.role_of(place)
    if role is not None and not source.is_path(item.expression):
        return []
    name, column = (source.name(extent.stop - 1) for extent in (item.alias or item.expression, item.expression))
    return [_Column(name, column, source.verbatim(item.expression), span, role)]


def _of_star(source: Source, block: QueryBlock, node: exp.Expr, star: exp.Star, span: Span) -> list[_Column]:
    """The columns of `*` or `a.*`."""
    table = node.table.lower() if isinstance(node, exp.Column) else ""
    relation = block.relations[block.windowed[0]]
    is_alone = len(block.relations) == 1
    is_it = (relation.name == table) if table else is_alone
    is_named = is_alone or not source.settings.case_sensitive
    if not is_it or not is_named or star.args.get("replace") or not all(column.written for column in relation.output):
        return []
    qualifier, left_out = "" if is_alone else f"{quoted(relation.name)}.", left_out_by(star)
    using = () if is_alone else joined_of(block.scope.node, block.relations).shared
    kept = (column for column in relation.beginning_with(using) if column.name not in left_out)
    return [_Column(c.written, c.written, qualifier + quoted(c.written), span, c.role) for c in kept]


def _is_by_row(source: Source, item: Item, before: set[str]) -> bool:
    """Whether an item is computed from columns alone, none of them an item before it."""
    if generates_rows(source, item.expression) or has_window_function(source, item.expression):
        return False
    references = find_references(source, item.expression)
    return all(r.kind is ReferenceKind.COLUMN and source.folded(r.extent.first) not in before for r in references)
