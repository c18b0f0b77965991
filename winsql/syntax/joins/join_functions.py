"""The table functions over two inputs, window_join and co_group.

    window_join ( table , table [, time] , window [, join_type => string] {, option} )
    co_group    ( table , table [, time] , window [, apply => string] {, option} )
    table       = TABLE ( a ) PARTITION BY key | TABLE ( query ) PARTITION BY ( key {, key} )      as many keys each
    time        = DESCRIPTOR ( column , column ) | PROCTIME ( )          left out with COUNT(...) and GLOBAL()
    window      = an assigner without its time: TUMBLING(INTERVAL 5 MINUTES)
    option      = name => what the window clause of that name says

The first four may be named too: left, right, time, window. The keys of the tables are paired by their positions, and
NULL equals nothing in a window_join. Columns that policies read come after `left` or `right`: `left.price`.

window_join returns the keys, window_start, window_end and window_time, then the other columns of the left table and
those of the right one where the join has rows of it. co_group returns the keys, window_start, window_end, and the rows
of both tables as `left` and `right`, two ARRAYs of STRUCTs; with `apply`, what the function returns.

A key has the name of its column on the left side, or key0, key1, ... by its position where that is an expression. A
column whose name is taken, by a column before it or a window column, gets `_left` or `_right` after it: `ts_right`.
"""

from __future__ import annotations

from collections.abc import Iterator

from winsql.model.base import TimeAttribute, TimeDomain
from winsql.model.joins import JoinType
from winsql.model.policy import Kind
from winsql.model.query import (
    INTERNAL_PREFIX,
    JOIN_KEY,
    JOIN_TIME,
    JoinSide,
    KeyColumn,
    WindowJoin,
    WindowQuery,
)
from winsql.model.registry import ASSIGNERS, CO_GROUP_FUNCTIONS
from winsql.syntax.clauses.assign import ASSIGN
from winsql.syntax.clauses.clause import Assignment
from winsql.syntax.clauses.grammar import ClauseParser
from winsql.syntax.clauses.window_spec import clause_parser, read_clauses
from winsql.syntax.expressions.arguments import Argument, split_arguments
from winsql.syntax.expressions.function_calls import IsAggregate, is_proctime
from winsql.syntax.expressions.items import column_path
from winsql.syntax.functions.table_function_calls import TableCall, columns_of_descriptor
from winsql.syntax.joins.arguments import JOIN_FUNCTIONS, OPTIONS, TableArgument, read_arguments, read_table
from winsql.syntax.joins.clause import Sides, columns_of
from winsql.syntax.joins.query import check_operands, query_of_join
from winsql.syntax.joins.results import CallKey, Columns, co_group_head, join_head
from winsql.syntax.joins.types import JOIN_TYPES
from winsql.syntax.text.literals import read_string
from winsql.syntax.text.parts import Part, Section, Select
from winsql.syntax.text.source import Edit, Extent, Source

__all__ = ["bind_join_call"]

NAMES = ("`left`", "`right`")
SIDES = ("left", "right")


def bind_join_call(
    call: TableCall, columns: Columns | None, source: Source, is_aggregate: IsAggregate | None
) -> WindowQuery:
    """The query of a call; its head and tail make a relation of it. `columns` are those of its tables, once known."""
    return _Reader(source, call, columns, is_aggregate).read()


class _Reader:
    def __init__(
        self, source: Source, call: TableCall, columns: Columns | None, is_aggregate: IsAggregate | None
    ) -> None:
        self.source = source
        self.call = call
        self.columns = columns
        self.is_aggregate = is_aggregate
        self.function = JOIN_FUNCTIONS[call.name]
        self.sides = Sides(source, SIDES, (SIDES[0].upper(), SIDES[1].upper()))

    def read(self) -> WindowQuery:
        given = read_arguments(self.source, self.call)
        tables = tuple(self._table(given, name) for name in ("left", "right"))
        keys = self._keys(tables[0], tables[1])
        times = self._times(given.get("time"))
        how, apply = self._join_type(given), self._apply(given)
        parser = clause_parser(self.source, self.is_aggregate)
        assign = self._assign(parser, given, times)
        select = self._clauses(given)
        spec, _ = read_clauses(self.source, select, parser, assign)
        check_operands(select, self.sides, assign, self.is_aggregate)
        join = self._record(tables, keys, times, how)
        return query_of_join(
            self.source,
            self.call.extent,
            join,
            spec,
            self._key_columns(tables, join),
            time_span=assign.time_span,
            operands=tuple(parser.operands),
            trigger_aggregates=tuple(parser.aggregates),
            head=self._head(keys, how, apply),
            tail=")",
            apply=apply,
        )

    # tables and keys

    def _table(self, given: dict[str, Argument], name: str) -> TableArgument:
        table = read_table(self.source, given[name].value, self.function.name)
        if not table.keys:
            raise self.source.spec_error(
                f"{self.function.name}: the {name} table has no PARTITION BY",
                table.extent,
                rule="rows meet in windows of one key",
                hint=f"write {self.source.verbatim(table.extent)} PARTITION BY id",
            )
        return table

    def _keys(self, left: TableArgument, right: TableArgument) -> list[tuple[Extent, Extent]]:
        if len(left.keys) != len(right.keys):
            raise self.source.spec_error(
                f"{self.function.name}: {len(left.keys)} keys on the left side, {len(right.keys)} on the right one",
                Extent(right.keys[0].first, right.keys[-1].stop),
                rule="the keys of both tables are paired by their positions",
                hint="write as many keys on each side: PARTITION BY (k, j)",
            )
        return list(zip(left.keys, right.keys, strict=True))

    def _named(self, keys: list[tuple[Extent, Extent]]) -> list[CallKey]:
        """The keys with their names in the result."""
        named = []
        for n, (left, right) in enumerate(keys):
            is_column = column_path(self.source, left) is not None
            named.append(
                CallKey(
                    self.source.name(left.stop - 1) if is_column else f"key{n}",
                    (self._qualified(left, 0), self._qualified(right, 1)),
                    (self._column(left), self._column(right)),
                    f"{INTERNAL_PREFIX}key_{n}",
                )
            )
        return named

    def _head(self, keys: list[tuple[Extent, Extent]], how: JoinType | None, apply: str | None) -> str:
        named = self._named(keys)
        return co_group_head(named, apply) if how is None else join_head(named, NAMES, how, self.columns)

    def _column(self, key: Extent) -> str | None:
        """The name of the column that a key is; None for an expression or a field of a column."""
        path = column_path(self.source, key)
        if not all(reference.is_certain for reference in columns_of(self.source, key)):
            return None
        is_own = path is not None and (len(path) == 1 or (len(path) == 2 and path[0] in self.sides.qualifiers))
        return self.source.name(key.stop - 1) if is_own else None

    def _qualified(self, extent: Extent, side: int) -> str:
        """An expression with the name of its side before the columns."""
        edits = []
        for reference in columns_of(self.source, extent, self.is_aggregate):
            if reference.is_certain and self.sides.of(reference) != side:
                start = self.source.span(reference.extent).start
                edits.append(Edit(start, start, f"{NAMES[side]}."))
        return self.source.verbatim(extent, edits)

    # time and window

    def _times(self, argument: Argument | None) -> tuple[Extent, Extent] | None:
        """The columns of DESCRIPTOR; None for PROCTIME() or no time."""
        if argument is None or is_proctime(self.source, argument.value):
            return None
        extent = argument.value
        columns = columns_of_descriptor(self.source, extent)
        if columns is None:
            problem, hint = f"{self.function.name} needs the times of both tables here", "write DESCRIPTOR(a_ts, b_ts)"
            raise self.source.syntax_error(problem, extent, rule=_TIMES, hint=f"{hint}, or PROCTIME()")
        if len(columns) != 2:
            given = {0: "no column", 1: "one column"}.get(len(columns), f"{len(columns)} columns")
            hint = "write DESCRIPTOR(a_ts, b_ts), or PROCTIME() in its place"
            raise self.source.spec_error(f"DESCRIPTOR names {given}", extent, rule=_TIMES, hint=hint)
        for column in columns:
            if column_path(self.source, column) is None:
                hint = "compute the time in the table: TABLE(SELECT *, ... AS ts FROM a)"
                raise self.source.spec_error("DESCRIPTOR names columns", column, rule=_TIMES, hint=hint)
        return columns[0], columns[1]

    def _assign(
        self, parser: ClauseParser, given: dict[str, Argument], times: tuple[Extent, Extent] | None
    ) -> Assignment:
        extent = given["window"].value
        section = Section(ASSIGN, _head(given["window"]), extent)
        end = parser.policy_end(section, ASSIGNERS)
        if end != extent.stop:
            raise self.source.syntax_error(
                f"{self.function.name}: the window ends before this",
                Extent(end, extent.stop),
                rule=self.function.rule,
                hint="keys come after the tables; trigger => ... and the other options after a comma",
            )
        cls = parser.policy_class(extent, ASSIGNERS)
        parameters = [p for p in cls.parameters() if p.kind is Kind.TIME]
        self._refuse_inner_time(extent, [p.kind for p in cls.parameters() if p.kind is not Kind.TIME])
        if "time" not in given and any(p.required for p in parameters):
            raise self.source.spec_error(
                f"{self.function.name}: {self.source.name(extent.first).upper()} needs a time",
                extent,
                rule=self.function.rule,
                hint="write DESCRIPTOR(a_ts, b_ts) or PROCTIME() before it",
            )
        time = self._attribute(times) if "time" in given else None
        assigner = parser.parse_policy(extent, ASSIGNERS, {p.name: time for p in parameters})
        time_span = self.source.span(given["time"].value) if "time" in given else None
        return Assignment(assigner, extent, time_span, ())

    def _refuse_inner_time(self, window: Extent, kinds: list[Kind]) -> None:
        """Raises for a time where the assigner has its size, as it has one in WINDOW ASSIGN."""
        arguments = split_arguments(self.source, Extent(window.first + 2, window.stop - 1))
        if not arguments or arguments[0].name is not None or kinds[:1] != [Kind.DURATION]:
            return
        first = arguments[0].value
        if column_path(self.source, first) is None and not is_proctime(self.source, first):
            return
        name = self.source.name(window.first).upper()
        hint = "leave it out here, and write DESCRIPTOR(a_ts, b_ts) or PROCTIME() before the window"
        raise self.source.spec_error(f"{self.function.name}: {name} has no time here", first, rule=_TIMES, hint=hint)

    def _attribute(self, times: tuple[Extent, Extent] | None) -> TimeAttribute:
        if times is None:
            return TimeAttribute(TimeDomain.PROCESSING)
        written = ", ".join(f"{SIDES[n]}.{self.source.verbatim(column)}" for n, column in enumerate(times))
        return TimeAttribute(TimeDomain.EVENT, (JOIN_TIME,), f"({written})")

    def _clauses(self, given: dict[str, Argument]) -> Select:
        """The options as the clauses of a windowed SELECT."""
        sections: dict[Part, Section] = {
            part: Section(part, _head(given[name]), given[name].value)
            for name, part in OPTIONS.items()
            if name in given
        }
        return Select(self.call.call, sections, is_branch=False)

    # own options

    def _join_type(self, given: dict[str, Argument]) -> JoinType | None:
        if self.function.own != "join_type":
            return None
        if "join_type" not in given:
            return JoinType.INNER
        extent = given["join_type"].value
        words = tuple((self._string(extent, "join_type", "'LEFT'") or "INNER").upper().split())
        found = [how for spelling, how in JOIN_TYPES if spelling == words]
        if not found:
            known = ", ".join(how.name for how in JoinType)
            problem = f"{self.source.verbatim(extent)} is not a type of join"
            raise self.source.spec_error(problem, extent, hint=f"one of {known}")
        return found[0]

    def _apply(self, given: dict[str, Argument]) -> str | None:
        if "apply" not in given:
            return None
        extent = given["apply"].value
        name = self._string(extent, "apply", "'f'")
        if name is not None and name not in CO_GROUP_FUNCTIONS:
            near = CO_GROUP_FUNCTIONS.nearest(name)
            known = ", ".join(CO_GROUP_FUNCTIONS) or "none is registered"
            hint = f"did you mean {near}?" if near else f"known: {known}"
            raise self.source.spec_error(f"{name} is not a co-group function", extent, hint=hint)
        return name

    def _string(self, extent: Extent, what: str, example: str) -> str | None:
        return read_string(self.source, extent, f"{self.function.name}: {what}", f"{what} => {example}")

    # the record

    def _record(
        self,
        tables: tuple[TableArgument, ...],
        keys: list[tuple[Extent, Extent]],
        times: tuple[Extent, Extent] | None,
        how: JoinType | None,
    ) -> WindowJoin:
        pairs = tuple((self._qualified(left, 0), self._qualified(right, 1)) for left, right in keys)
        left, right = (
            JoinSide(
                self.source.verbatim(table.relation),
                NAMES[n],
                None if times is None else self._qualified(times[n], n),
                self.source.span(table.extent),
                None if times is None else self.source.verbatim(Extent(times[n].stop - 1, times[n].stop)),
            )
            for n, table in enumerate(tables)
        )
        condition = None if how is None else " AND ".join(self._equalities(keys, pairs))
        return WindowJoin(left, right, how, pairs, condition, self.source.span(self.call.call), keys_alone=True)

    def _equalities(self, keys: list[tuple[Extent, Extent]], pairs: tuple[tuple[str, str], ...]) -> Iterator[str]:
        """The keys as ON has them, expressions in brackets."""
        for key, pair in zip(keys, pairs, strict=True):
            are_columns = (column_path(self.source, expression) is not None for expression in key)
            sides = [sql if is_column else f"({sql})" for sql, is_column in zip(pair, are_columns, strict=True)]
            yield " = ".join(sides)

    def _key_columns(self, tables: tuple[TableArgument, ...], join: WindowJoin) -> tuple[KeyColumn, ...]:
        return tuple(
            KeyColumn(f"{JOIN_KEY}{n}", f"{INTERNAL_PREFIX}key_{n}", self.source.span(key), f"{left} = {right}")
            for n, (key, (left, right)) in enumerate(zip(tables[0].keys, join.keys, strict=True))
        )


_TIMES = "the time of each table is a column of it, the left one's first"


def _head(argument: Argument) -> Extent:
    """The name of an argument, for errors; the argument where it has none."""
    return argument.value if argument.name is None else Extent(argument.name, argument.name + 1)
