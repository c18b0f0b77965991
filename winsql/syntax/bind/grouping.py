"""GROUP BY and PARTITION BY: the keys of a windowed query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from winsql.syntax.bind.binding import Binding
from winsql.syntax.bind.grouping_sets import sets_in
from winsql.syntax.expressions.items import Item
from winsql.syntax.expressions.keys import Key, KeyMatcher, numbered
from winsql.syntax.expressions.references import Reference, ReferenceKind, aggregates_in, beyond_row, find_references
from winsql.syntax.text.near_words import begins_name
from winsql.syntax.text.parts import Section, words_in
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind


def is_all(source: Source, body: Extent) -> bool:
    """Whether the body of GROUP BY is the word ALL; in quotes it is a column."""
    body = source.unwrapped(body)
    return body.is_single and source.words(body.first, "ALL")


@dataclass(slots=True)
class Grouping:
    """Finds the keys after GROUP BY and PARTITION BY.

    known     names, lower case, that are columns of the source
    has_windows   whether the window columns are columns of the source too, so that keys may be made of them
    """

    binding: Binding
    known: frozenset[str] = frozenset()
    has_windows: bool = False
    source: Source = field(init=False)
    items: tuple[Item, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.source, self.items = self.binding.source, self.binding.items

    def keys(self, group_by: Section | None, partition_by: tuple[Extent, ...]) -> list[Key]:
        """The keys, in the order of GROUP BY if there is one; window columns are left out: all windows have them."""
        partitioned = self._distinct([self._checked(extent) for extent in partition_by])
        if group_by is None:
            return numbered(partitioned)
        grouped = self._distinct(self._grouped(group_by))
        if partition_by and not self.are_same(grouped, partitioned):
            problem, rule = "GROUP BY and PARTITION BY name different keys", "a windowed SELECT has one set of keys"
            hint = "leave out one of the two"
            raise self.source.spec_error(problem, group_by.extent, rule=rule, hint=hint)
        return numbered(grouped)

    def hint_of_settings(self, body: Extent) -> str | None:
        """What to set where a part of GROUP BY would be an item, but for a setting of the session."""
        settings = self.source.settings
        aliases = {self.source.folded(item.alias.first) for item in self.items if item.alias}
        names = [part.first for part in map(self.source.unwrapped, self.source.split(body)) if part.is_single]
        is_position = any(self.source.at(n).upper in map(str, range(1, len(self.items) + 1)) for n in names)
        if is_position and not settings.group_by_ordinal:
            return "write the key itself, or SET spark.sql.groupByOrdinal = true for positions in GROUP BY"
        if not settings.group_by_aliases and any(self.source.folded(n) in aliases for n in names):
            return "write the key itself, or SET spark.sql.groupByAliases = true for aliases in GROUP BY"
        return None

    def keys_of_items(self) -> list[Key]:
        """The keys of a SELECT DISTINCT: all items but the window columns."""
        return numbered(self._distinct(self._columns_of(self.grouped_items())))

    def key(self, part: Extent, head: Extent) -> Extent | None:
        """The key that a part of GROUP BY names, None for a window column; `head` is the words GROUP BY."""
        if part.is_empty:
            raise self.source.syntax_error("a key is missing in GROUP BY", head, hint=_COMMA)
        second = part.first + 1  # Spark does not say where
        if len(part.indexes) == 2 and all(begins_name(self.source, n) for n in part.indexes):
            rule, hint = "keys are separated by commas", f"write a comma before {self.source.name(second)}"
            raise self.source.syntax_error("a comma is missing in GROUP BY", second, rule=rule, hint=hint)
        self._check_position(part)
        key = self.meant(part)
        return None if self._is_window(key) else self._checked(key)

    def meant(self, part: Extent) -> Extent:
        """What a part of GROUP BY refers to: the item at this position or with this alias, else the part itself."""
        part = self.source.unwrapped(part)
        position = self._position(part)
        if position is None:
            return self.aliased(part)
        is_item = 1 <= position <= len(self.items)
        return self.source.unwrapped(self.items[position - 1].expression) if is_item else part

    def aliased(self, part: Extent) -> Extent:
        """The expression of the item that an expression names by its alias, else the expression itself.

        A column of the source comes first, as in Spark. While the columns are not known, a name is taken for a column
        if the item could not be a key, or if it reads a column of that name or no column at all.
        """
        item = self._named(part)
        if item is None:
            return part
        name, expression = self.source.folded(part.first), self.source.unwrapped(item.expression)
        if self.binding.columns is not None or self._is_window(expression):
            return expression
        columns = self._columns(find_references(self.source, expression))
        is_own = any(self.source.folded(r.extent.stop - 1) == name for r in columns)
        return expression if columns and not is_own else part

    def are_same(self, left: Sequence[Extent], right: Sequence[Extent]) -> bool:
        """Whether two lists of keys hold the same ones."""
        matcher = KeyMatcher(self.source, [], self.binding.paths)
        contained = all(any(matcher.same(a, b) for b in right) for a in left)
        return contained and all(any(matcher.same(a, b) for b in left) for a in right)

    def grouped_items(self) -> list[Item]:
        """The items that GROUP BY ALL groups by: those without an aggregate."""
        found = []
        results: set[str] = set()
        for item in self.items:
            references = find_references(self.source, item.expression)
            if any(r.kind is ReferenceKind.AGGREGATE or (r.path[:1] and r.path[0] in results) for r in references):
                results |= {self.source.at(item.alias.first).upper} if item.alias else set()
            else:
                found.append(item)
        return found

    def _named(self, part: Extent) -> Item | None:
        """The item that an expression may name."""
        is_name = part.is_single and self.source.at(part.first).is_name
        if not is_name or not self.source.settings.group_by_aliases:
            return None
        name = self.source.folded(part.first)
        is_window = self.source.windows is not None and self.source.window_column(part) is not None
        if is_window or name in (self.binding.columns or ()) or name.lower() in self.known:
            return None
        item = next((i for i in self.items if i.alias and self.source.folded(i.alias.first) == name), None)
        return None if item is None or aggregates_in(self.source, item.expression) else item

    def _position(self, part: Extent) -> int | None:
        """The position in the select list that a key is; as in Spark, brackets around it change nothing."""
        if not self.source.settings.group_by_ordinal:
            return None
        token = self.source.at(part.first)
        is_number = part.is_single and token.kind is TokenKind.NUMBER and token.upper.isdigit()
        digits = token.upper.lstrip("0") or "0"
        return int(digits) if is_number and (len(digits), digits) <= _LAST_POSITION else None

    def _check_position(self, part: Extent) -> None:
        part = self.source.unwrapped(part)
        position = self._position(part)
        if position is None:
            return
        if not 1 <= position <= len(self.items):
            problem = f"GROUP BY {position} is no position in the select list"
            rule = f"positions go from 1 to {len(self.items)}"
            hint = "write the key itself, or a position in the select list"
            raise self.source.spec_error(problem, part, rule=rule, hint=hint)
        if aggregates_in(self.source, self.items[position - 1].expression):
            hint = "name a column, or leave out GROUP BY"
            raise self.source.spec_error(f"GROUP BY {position} is an aggregate", part, rule=_BY_ROW, hint=hint)

    def _grouped(self, section: Section) -> list[Extent]:
        body = section.body
        if body.is_empty:
            hint = "write the keys, as in GROUP BY k; without GROUP BY all rows share one window"
            raise self.source.syntax_error("GROUP BY needs at least one key", section.head, hint=hint)
        self._refuse_sets(body)
        self._refuse_partition_by(body)
        if is_all(self.source, body) or self.binding.select.is_aggregate:
            return self._columns_of(self.grouped_items())
        keys = (self.key(part, section.head) for part in self.source.split(body))
        return [key for key in keys if key is not None]

    def _is_window(self, part: Extent) -> bool:
        """Whether a key is a window column, or computed from window columns only where these are no columns yet."""
        found = find_references(self.source, part)
        is_made = self.has_windows and [r.extent for r in found] != [self.source.unwrapped(part)]
        return bool(found) and not is_made and all(reference.window is not None for reference in found)

    def _columns_of(self, items: Iterable[Item]) -> list[Extent]:
        """Items as keys; of an item that also reads window columns, the other columns that it reads."""
        keys = []
        for item in items:
            found = find_references(self.source, item.expression)
            columns = self._columns(found)
            if columns and (self.has_windows or len(columns) == len(found)):
                keys.append(self.source.unwrapped(item.expression))
            else:
                keys += [r.extent for r in columns]
        return keys

    def _checked(self, extent: Extent) -> Extent:
        extent = self.source.unwrapped(extent)
        if extent.is_empty:
            raise self.source.syntax_error("a key is missing here", extent, hint=_COMMA)
        beyond = beyond_row(self.source, extent, takes_subqueries=True)
        if beyond is not None:
            problem = f"{beyond[0]} cannot be part of a key"
            raise self.source.spec_error(problem, beyond[1], rule=_BY_ROW, hint=_KEY_BEFORE)
        return extent

    def _refuse_sets(self, body: Extent) -> None:
        words = sets_in(self.source, body)
        if words is not None:
            problem = "GROUPING SETS, ROLLUP and CUBE cannot be used with WINDOW ASSIGN"
            rule = "the rows of one key make one window"
            hint = "aggregate the windowed SELECT in an outer query, or UNION ALL several"
            raise self.source.spec_error(problem, words, rule=rule, hint=hint)

    def _refuse_partition_by(self, body: Extent) -> None:
        for index in words_in(self.source, body, "PARTITION"):
            if self.source.words(index + 1, "BY"):
                problem = "PARTITION BY cannot come after GROUP BY"
                rule = "PARTITION BY comes after the assigner, and names the same keys as GROUP BY"
                hint = "leave it out: the keys of GROUP BY are those of the windows"
                raise self.source.syntax_error(problem, Extent(index, index + 2), rule=rule, hint=hint)

    def _columns(self, references: list[Reference]) -> list[Reference]:
        """Those that are columns, but no window columns."""
        return [r for r in references if r.kind is ReferenceKind.COLUMN and r.window is None]

    def _distinct(self, extents: list[Extent]) -> list[Extent]:
        found: dict[tuple[str, ...], Extent] = {}
        for extent in extents:
            found.setdefault(self.source.normal(extent), extent)
        return list(found.values())


_BY_ROW = "a key is computed from each row alone"
_COMMA = "write the key, or leave out the comma"
_KEY_BEFORE = "compute it as a column before: FROM (SELECT *, ... AS k FROM t)"
_LAST_POSITION = (10, "2147483647")
"""Length and digits of the greatest number that Spark takes for a position: an INT."""
