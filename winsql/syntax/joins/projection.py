"""The query over the joined rows of a window join: the user's SELECT with two changes.

Window columns get the names that plans use, and `*` becomes the columns of both sides, or of the left one where the
join returns no rows of the right one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from winsql.model.joins import JoinType
from winsql.model.query import WINDOW_COLUMNS, Constant, Unnamed
from winsql.syntax.expressions.field_names import with_field_name
from winsql.syntax.expressions.item_names import Naming
from winsql.syntax.expressions.items import Item, SelectList, generates_rows, quoted, read_select_list
from winsql.syntax.expressions.keys import constant_of
from winsql.syntax.expressions.over import named_windows
from winsql.syntax.expressions.references import Reference, ReferenceKind, all_references
from winsql.syntax.joins.clause import RIGHT, SideNames
from winsql.syntax.text.compose import clause
from winsql.syntax.text.parts import SORTS, TAIL, Part, Section, Select
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.text.tokens import upper_name


def project_join(
    source: Source,
    select: Select,
    sides: SideNames,
    how: JoinType,
    shared: Mapping[str, str] | None = None,
    star: Callable[[Reference | None], str] | None = None,
) -> tuple[str, str, Unnamed | None]:
    """Head and tail of a windowed SELECT over a window join, and the items in them that Spark names.

    shared   the columns of USING, by their folded names: their values as SQL
    star     what `*` means, where FROM alone has none too; None for the columns of both sides
    """
    listed = read_select_list(source, select)
    writer = _Writer(source, listed, sides, how, shared or {}, star)
    head, tail = writer.head(), writer.tail(select)
    group_by = select.body(Part.GROUP_BY)
    is_position = group_by is None or constant_of(source, group_by) is Constant.NUMBER
    grouping = [] if group_by is None or is_position else [writer.rewrite(group_by)]
    return writer.naming.record(head, tail, grouping, select.body(Part.WINDOWS))


class _Writer:
    def __init__(
        self,
        source: Source,
        select_list: SelectList,
        sides: SideNames,
        how: JoinType,
        shared: Mapping[str, str],
        star: Callable[[Reference | None], str] | None,
    ) -> None:
        self.shared = shared
        self.star = star or self._star
        self.source = source
        self.list = select_list
        self.sides = sides
        self.how = how
        reading = tuple(item for item in select_list.items if self._reads_window(item))
        self.naming = Naming(source, reading, frozenset((name,) for name in sides.qualifiers))

    def head(self) -> str:
        items = [*([self.star(None)] if self.list.has_all else []), *map(self._item, self.list.items)]
        return f"{self.list.opening} {', '.join(items)}"

    def tail(self, select: Select) -> str:
        sections = (select.get(part) for part in TAIL)
        return " ".join(clause(s.part.words, self._clause(s)) for s in sections if s is not None)

    def _item(self, item: Item) -> str:
        text = self.rewrite(item.expression)
        if item.alias is not None:
            return f"{text} AS {self.source.verbatim(item.alias)}"
        name = self.naming.labels.get(item) or self._own_name(item)
        return text if name is None else f"{text} AS {name}"

    def _own_name(self, item: Item) -> str | None:
        """The name of an item without an alias as SQL, where Spark would name it after the changed text."""
        if not self._reads_window(item) or generates_rows(self.source, item.expression):
            return None
        return quoted(self.naming.name(item))

    def _reads_window(self, item: Item) -> bool:
        """Whether an item reads window columns or columns of USING, which have other names in the rows of the join."""
        references = all_references(self.source, item.expression)
        return any(r.window is not None or self._shared(r) is not None for r in references)

    def _clause(self, section: Section) -> str:
        """A clause of the tail; where it sorts, names of items come before window columns, as in Spark."""
        names: dict[str, None] = {}
        if section.part in SORTS:
            names = {upper_name(name): None for item in self.list.items for name in self._names(item)}
        if section.part is Part.WINDOWS:
            return named_windows(self.source, section.body, self.rewrite)
        return self.rewrite(section.body, names)

    def _names(self, item: Item) -> tuple[str, ...]:
        if item.alias is not None:
            return item.names
        return () if self._own_name(item) is None else (self.naming.name(item),)

    def rewrite(self, extent: Extent, names: Mapping[str, None] | None = None) -> str:
        edits = []
        for reference in all_references(self.source, extent):
            self._require_left(reference)
            text = self._text(reference, names or {})
            if text is not None:
                edits.append(Edit(*self.source.span(reference.extent), text))
        return self.source.verbatim(extent, edits)

    def _text(self, reference: Reference, names: Mapping[str, None]) -> str | None:
        if reference.kind is ReferenceKind.STAR and self.source.at(reference.extent.first).is_symbol("*"):
            return None if self._is_counted(reference) else self.star(reference)
        if reference.window is not None and reference.path[0] not in names:
            return with_field_name(self.source, reference.extent, WINDOW_COLUMNS[reference.window])
        return self._shared(reference)

    def _shared(self, reference: Reference) -> str | None:
        """The value of a column of USING."""
        is_bare = reference.kind is ReferenceKind.COLUMN and len(reference.path) == 1
        return self.shared.get(self.source.folded(reference.extent.first)) if is_bare else None

    def _is_counted(self, reference: Reference) -> bool:
        """Whether it is the star of COUNT(*) OVER, which means rows, not columns."""
        first, stop = reference.extent
        return stop - first == 1 and self.source.words(first - 2, "COUNT") and self.source.at(stop).is_symbol(")")

    def _star(self, reference: Reference | None) -> str:
        left, right = self.sides.names
        others = f", {right}.*" if self.how.has_right else ""
        if reference is not None and reference.extent.stop - reference.extent.first > 1:
            problem = "* EXCEPT cannot be used over a window join"
            rule, hint = "the columns of each side need its name before them", f"write {left}.* EXCEPT (...){others}"
            raise self.source.spec_error(problem, reference.extent, rule=rule, hint=hint)
        return self.sides.star(self.how)

    def _require_left(self, reference: Reference) -> None:
        """Raises for a column of the right side where the join returns rows of the left side only."""
        if self.how.has_right or self.sides.of(reference) is not RIGHT:
            return
        how, left = self.how.name, self.sides.names[0]
        problem = f"{self.source.verbatim(reference.extent)} is not in the result of the {how} join"
        rule = f"it returns rows of its left side, {left}"
        hint = f"use columns of {left} and window columns, or another type of join"
        raise self.source.spec_error(problem, reference.extent, rule=rule, hint=hint)
