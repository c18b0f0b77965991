"""A join of windows, resolved: its sides, its condition, and the query that runs it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from winsql.model.joins import JoinType
from winsql.model.query import JOIN_TIME, WINDOW_COLUMNS, EndColumn, JoinSide, Unnamed, WindowJoin, WindowQuery
from winsql.syntax.expressions.items import quoted, read_select_list
from winsql.syntax.expressions.references import Reference
from winsql.syntax.joins.clause import SideNames
from winsql.syntax.joins.projection import project_join
from winsql.syntax.joins.query import join_keys, query_of_join
from winsql.syntax.rules.attached_windows import instants, last_instant, windows_of
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.rules.sides import Condition, Side, Sides, in_each_row, refused
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Source
from winsql.syntax.tree.records import Role


@dataclass(frozen=True, slots=True)
class ResolvedJoin:
    """Both sides, the condition between them, and which rows come out.

    shared   the columns that USING or NATURAL compares
    called   the window columns that calls are, as in `Join.calls`
    """

    sides: Sides
    condition: Condition
    how: JoinType
    shared: tuple[str, ...] = ()
    called: frozenset[Role] = frozenset()

    @property
    def ends(self) -> tuple[EndColumn, EndColumn]:
        """The columns of both sides that are compared: the ends of windows, or their last instants."""
        assert self.condition.ends is not None
        return self.condition.ends

    @property
    def returned(self) -> tuple[Side, ...]:
        """The sides whose columns come out."""
        return self.sides.pair if self.how.has_right else self.sides.pair[:1]

    def value(self, name: str) -> str:
        """The value of a shared column in a row of the join, as SQL."""
        left, right = self.sides.pair
        return self.how.shared(left.column(name), right.column(name))

    def result(self, name: str) -> str:
        """A shared column in the result of the join's query, as SQL: ends of windows are those of its own windows."""
        roles = {side.role(name.lower()) for side in self.sides.pair}
        role = roles.pop() if len(roles) == 1 else None
        return self.value(name) if role in (None, Role.START) else WINDOW_COLUMNS[role.value]

    @property
    def columns(self) -> dict[str, str]:
        """Shared and called window columns that neither side has in each row: those of the pairs, by name, as SQL."""
        results = {} if in_each_row(self.how) else {name: self.result(name) for name in self.shared}
        results |= {WINDOW_COLUMNS[role.value]: WINDOW_COLUMNS[role.value] for role in self.called}
        return {name: column for name, column in results.items() if column in WINDOW_COLUMNS.values()}

    def begins_with(self, number: int, using: Iterable[str]) -> list[str]:
        """The columns that `a.*` of a side begins with: those of the `using` of later joins that are its own, and the
        shared ones."""
        is_kept = number in in_each_row(self.how)[:1]
        has, shared = self.sides.pair[number].relation.has, self.shared
        later = [name for name in using if (is_kept if name in shared else has(name))]
        return [*dict.fromkeys((*later, *shared))]

    @property
    def structs(self) -> list[str]:
        """The items of the pairs as rows: a struct for each side, and `columns`."""
        sides = [f"struct({side.name}.*) AS {side.name}" for side in self.returned]
        return [*sides, *(f"{column} AS {quoted(name)}" for name, column in self.columns.items())]

    def projection(
        self, source: Source, block: QueryBlock, star: Callable[[Reference | None], str] | None = None
    ) -> tuple[str, str, Unnamed | None]:
        """Head and tail of a SELECT over the joined rows, and the items in them that Spark names.

        Window columns of a side that is in each row are those of the new windows. `star` as for `project_join`.
        """
        left, right = self.sides.pair
        names = SideNames(source, (left.name, right.name), (left.qualifier, right.qualifier))
        columns = {source.fold(name): self.value(name) for name in self.shared}
        own = _with_ends(source, block).with_windows(windows_of(block.scope, in_each_row(self.how)))
        return project_join(own, block.select, names, self.how, columns, star)

    def query(
        self, source: Source, select: Select, head: str = "", tail: str = "", unnamed: Unnamed | None = None
    ) -> WindowQuery:
        """The query that joins rows whose windows end together."""
        pair, place = tuple(zip(self.sides.pair, self.ends, strict=True)), select.sections[Part.FROM].extent
        condition, is_end = self.condition, self.condition.role is Role.END
        if not is_end and any(side.relation.is_row_stream for side in self.sides.pair):
            hint = "write window_end in the place of window_time on both sides"
            raise refused(source, place, "a join of rows by window_time", hint)
        left, right = (
            JoinSide(
                self._sql(source, side),
                side.name,
                last_instant(column.sql, condition.role),
                source.span(side.written.extent),
                None if is_end else quoted(column.name),
            )
            for side, column in pair
        )
        keys, text = tuple((one, other) for one, other, _ in condition.keys), " AND ".join(condition.texts)
        span = source.span(place)
        ends = tuple(replace(column, times=side.relation.names_of(Role.TIME)) for side, column in pair)
        return query_of_join(
            source,
            select.extent,
            WindowJoin(left, right, self.how, keys, text, span, keys_alone=condition.keys_alone),
            instants(JOIN_TIME, f"({left.time}, {right.time})"),
            join_keys(source, ((extent, source.verbatim(extent)) for _, _, extent in condition.keys)),
            time_span=span,
            head=head,
            tail=tail,
            ends=ends if is_end else (),
            unnamed=unnamed,
        )

    def _sql(self, source: Source, side: Side) -> str:
        """A side without its alias, which the query of a buffered side has already."""
        if side.plan is not None:
            return side.plan
        if side.columns:
            return f"(SELECT * FROM {side.written.sql(source)} AS {side.name}({', '.join(side.columns)}))"
        if side.relation.is_row_stream and not all(other.relation.is_row_stream for other in self.sides.pair):
            return f"(SELECT * FROM {source.verbatim(side.written.extent)})"
        return side.written.sql(source)


def _with_ends(source: Source, block: QueryBlock) -> Source:
    """The source with the windows of the join in the place of items such as `coalesce(l.window_end, r.window_end)`."""
    for place, item in enumerate(read_select_list(source, block.select).items):
        role = block.scope.role_of(place)
        is_column = item.alias is None or source.is_path(source.unwrapped(item.expression))
        if role not in (None, Role.START) and not is_column:
            source = source.replaced(item.expression, WINDOW_COLUMNS[role.value])
    return source
