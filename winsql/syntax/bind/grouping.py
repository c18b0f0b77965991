"""GROUP BY and PARTITION BY: the keys of a windowed query."""

from __future__ import annotations

from winsql.syntax.bind.rewriter import is_window_column
from winsql.syntax.expressions.function_calls import IsAggregate
from winsql.syntax.expressions.items import Item
from winsql.syntax.expressions.keys import Key, KeyMatcher, numbered
from winsql.syntax.expressions.references import Reference, ReferenceKind, beyond_row, find_references
from winsql.syntax.text.parts import Section
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind

__all__ = ["Grouping", "is_all"]


def is_all(source: Source, body: Extent) -> bool:
    """Whether the body of GROUP BY is the word ALL; in quotes it is a column."""
    return len(body.indexes) == 1 and source.words(body.first, "ALL")


class Grouping:
    """Finds the keys after GROUP BY and PARTITION BY; `items` is the select list, for ordinals, aliases and ALL.

    columns   the aliases, upper case, that are columns of the source too; None while nobody knows
    has_windows   whether the window columns are columns of the source too, so that keys may be made of them
    """

    def __init__(
        self,
        source: Source,
        items: tuple[Item, ...],
        qualifiers: frozenset[str],
        is_aggregate: IsAggregate | None,
        columns: frozenset[str] | None = None,
        *,
        has_windows: bool = False,
    ) -> None:
        self.source = source
        self.has_windows = has_windows
        self.items = items
        self.qualifiers = qualifiers
        self.is_aggregate = is_aggregate
        self.columns = columns

    def keys(self, group_by: Section | None, partition_by: tuple[Extent, ...]) -> list[Key]:
        """The keys, in the order of GROUP BY when it is there; window columns are no keys, they go without saying."""
        partitioned = self._distinct([self._checked(extent) for extent in partition_by])
        if group_by is None:
            return numbered(partitioned)
        grouped = self._distinct(self._grouped(group_by))
        if partition_by and not self._same(grouped, partitioned):
            raise self.source.spec_error(
                "GROUP BY and PARTITION BY name different keys",
                group_by.extent,
                rule="a windowed SELECT has one set of keys",
                hint="leave out one of the two",
            )
        return numbered(grouped)

    def keys_of_items(self) -> list[Key]:
        """The keys of a SELECT DISTINCT: all items but the window columns."""
        return numbered(self._distinct(self._all()))

    def _grouped(self, section: Section) -> list[Extent]:
        body = section.body
        if body.is_empty:
            hint = "write the keys, as in GROUP BY k; without GROUP BY all rows share one window"
            raise self.source.syntax_error("GROUP BY needs at least one key", section.head, hint=hint)
        self._refuse_sets(body)
        self._refuse_partition_by(body)
        if is_all(self.source, body):
            return self._all()
        parts = self.source.split(body)
        return [found for part in parts for found in self._part(part, section)]

    def _part(self, part: Extent, section: Section) -> list[Extent]:
        if part.is_empty:
            raise self.source.syntax_error("a key is missing in GROUP BY", section.head, hint=_COMMA)
        token = self.source.tokens[part.first]
        is_single = part.stop - part.first == 1
        if is_single and token.kind is TokenKind.NUMBER and token.upper.isdigit():
            part = self._ordinal(part, int(token.upper))
        elif is_single and token.is_name:
            part = self._aliased(part)
        if self._is_window(part):
            return []
        return [self._checked(part)]

    def _is_window(self, part: Extent) -> bool:
        """Whether the key is one of the window columns, or made of these and literals where it cannot be computed."""
        found = find_references(self.source, part, self.is_aggregate)
        is_made = self.has_windows and [r.extent for r in found] != [self.source.unwrapped(part)]
        return bool(found) and not is_made and all(is_window_column(reference) for reference in found)

    def _ordinal(self, part: Extent, ordinal: int) -> Extent:
        if not 1 <= ordinal <= len(self.items):
            raise self.source.spec_error(
                f"GROUP BY {ordinal} is no position in the select list",
                part,
                rule=f"positions go from 1 to {len(self.items)}",
                hint="write the key itself, or a position in the select list",
            )
        item = self.items[ordinal - 1]
        aggregates = self._found(item.expression, ReferenceKind.AGGREGATE)
        if aggregates:
            problem = f"GROUP BY {ordinal} is an aggregate"
            rule, hint = "a key is computed from each row alone", "name a column, or leave out GROUP BY"
            raise self.source.spec_error(problem, part, rule=rule, hint=hint)
        return item.expression

    def _aliased(self, part: Extent) -> Extent:
        """The expression of an alias; a column of the source comes first, as in Spark.

        While the columns are not known, a name is taken for one where the alias could not be a key, or where its
        expression reads a column of that name or no column at all.
        """
        name = self.source.folded(part.first)
        item = next((i for i in self.items if i.alias and self.source.folded(i.alias.first) == name), None)
        if item is None or name in (self.columns or ()) or self._found(item.expression, ReferenceKind.AGGREGATE):
            return part
        if self.columns is not None or self._is_window(item.expression):
            return item.expression
        columns = [r for r in self._found(item.expression, ReferenceKind.COLUMN) if not is_window_column(r)]
        is_own = any(self.source.folded(r.extent.stop - 1) == name for r in columns)
        return item.expression if columns and not is_own else part

    def _all(self) -> list[Extent]:
        """GROUP BY ALL: every item without an aggregate; of one that reads window columns too, the columns it reads."""
        keys = []
        results: set[str] = set()
        for item in self.items:
            found = find_references(self.source, item.expression, self.is_aggregate)
            if any(r.kind is ReferenceKind.AGGREGATE or (r.path[:1] and r.path[0] in results) for r in found):
                results |= {self.source.at(item.alias.first).upper} if item.alias else set()
                continue
            columns = [r for r in found if r.kind is ReferenceKind.COLUMN and not is_window_column(r)]
            if columns and (self.has_windows or len(columns) == len(found)):
                keys.append(item.expression)
            else:
                keys += [r.extent for r in columns]
        return keys

    def _checked(self, extent: Extent) -> Extent:
        extent = self.source.unwrapped(extent)
        if extent.is_empty:
            raise self.source.syntax_error("a key is missing here", extent, hint=_COMMA)
        beyond = beyond_row(self.source, extent, self.is_aggregate, takes_subqueries=True)
        if beyond is not None:
            problem, rule = f"{beyond[0]} cannot be part of a key", "a key is computed from each row alone"
            raise self.source.spec_error(problem, beyond[1], rule=rule, hint=_KEY_BEFORE)
        return extent

    def _refuse_sets(self, body: Extent) -> None:
        for index in body.indexes:
            token, after = self.source.at(index), self.source.at(index + 1)
            is_set = token.is_word("GROUPING") and after.is_word("SETS")
            is_call = token.is_word("CUBE", "ROLLUP") and after.is_symbol("(")
            is_suffix = token.is_word("WITH") and after.is_word("CUBE", "ROLLUP")
            if (is_set or is_call or is_suffix) and self.source.group[index] == self.source.group[body.first]:
                raise self.source.spec_error(
                    "GROUPING SETS, ROLLUP and CUBE cannot be used with WINDOW ASSIGN",
                    Extent(index, index + 1 if is_call else index + 2),
                    rule="the rows of one key make one window",
                    hint="aggregate the windowed SELECT in an outer query, or UNION ALL several",
                )

    def _refuse_partition_by(self, body: Extent) -> None:
        for index in body.indexes:
            if (
                self.source.words(index, "PARTITION", "BY")
                and self.source.group[index] == self.source.group[body.first]
            ):
                raise self.source.syntax_error(
                    "PARTITION BY cannot come after GROUP BY",
                    Extent(index, index + 2),
                    rule="PARTITION BY comes after the assigner, and names the same keys as GROUP BY",
                    hint="leave it out: the keys of GROUP BY are those of the windows",
                )

    def _found(self, extent: Extent, kind: ReferenceKind) -> list[Reference]:
        return [r for r in find_references(self.source, extent, self.is_aggregate) if r.kind is kind]

    def _distinct(self, extents: list[Extent]) -> list[Extent]:
        found: list[Extent] = []
        for extent in extents:
            if not any(self.source.normal(extent) == self.source.normal(other) for other in found):
                found.append(extent)
        return found

    def _same(self, left: list[Extent], right: list[Extent]) -> bool:
        matcher = KeyMatcher(self.source, [], self.qualifiers)
        contained = all(any(matcher.same(a, b) for b in right) for a in left)
        return contained and all(any(matcher.same(a, b) for b in left) for a in right)


_COMMA = "write the key, or leave out the comma"
_KEY_BEFORE = "compute it as a column before: FROM (SELECT *, ... AS k FROM t)"
