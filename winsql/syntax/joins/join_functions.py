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

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from winsql.model.base import TimeAttribute, TimeDomain
from winsql.model.joins import JoinType
from winsql.model.policy import Kind
from winsql.model.query import (
    FUNCTION_COLUMNS,
    INTERNAL_PREFIX,
    JOIN_LEFT,
    JOIN_RIGHT,
    JOIN_TIME,
    WINDOW_COLUMNS,
    JoinSide,
    WindowJoin,
    WindowQuery,
)
from winsql.model.registry import ASSIGNERS, CO_GROUP_FUNCTIONS
from winsql.syntax.clauses.assign import ASSIGN
from winsql.syntax.clauses.clause import Assignment
from winsql.syntax.clauses.grammar import ClauseParser
from winsql.syntax.clauses.window_spec import clause_parser, read_clauses
from winsql.syntax.expressions.arguments import Argument, split_arguments
from winsql.syntax.expressions.function_calls import is_proctime
from winsql.syntax.expressions.items import column_path, quoted, schema_names
from winsql.syntax.functions.table_function_calls import TableCall, columns_of_descriptor
from winsql.syntax.joins.arguments import JOIN_FUNCTIONS, OPTIONS, TableArgument, read_arguments, read_table
from winsql.syntax.joins.clause import SideNames, columns_of
from winsql.syntax.joins.query import check_operands, join_keys, query_of_join
from winsql.syntax.joins.types import JOIN_TYPES
from winsql.syntax.text.literals import read_string
from winsql.syntax.text.parts import Part, Section, Select
from winsql.syntax.text.source import Edit, Extent, Source

NAMES = ("`left`", "`right`")
SIDES = ("left", "right")
Columns = tuple[tuple[str, ...], tuple[str, ...]]
"""The names of the columns of the left and of the right table, in their order."""


def bind_join_call(call: TableCall, columns: Columns | None, source: Source) -> WindowQuery:
    """The query of a call; its head and tail make a relation of it. `columns` are those of its tables, once known."""
    return _Reader(source, call, columns).read()


class _Reader:
    """Reads one call, first its arguments, its tables with their keys, and the columns of its times."""

    def __init__(self, source: Source, call: TableCall, columns: Columns | None) -> None:
        self.source = source
        self.call = call
        self.columns = columns
        self.function = JOIN_FUNCTIONS[call.name]
        self.sides = SideNames(source, SIDES, (SIDES[0].upper(), SIDES[1].upper()))
        self.given = read_arguments(source, call)
        self.tables = (self._table("left"), self._table("right"))
        self.keys = self._paired(*self.tables)
        self.pairs = tuple((self._qualified(left, 0), self._qualified(right, 1)) for left, right in self.keys)
        self.times = self._times()

    def read(self) -> WindowQuery:
        how, apply, named = self._join_type(), self._apply(), self._named()
        parser = clause_parser(self.source)
        assign = self._assign(parser)
        select = self._clauses()
        spec, _ = read_clauses(self.source, select, parser, assign)
        check_operands(select, self.sides, assign)
        fold = self.source.fold
        if how is None:
            head = _co_group_head(named, apply, fold)
        else:
            head = _join_head(named, how, self.columns, fold)
        keys = zip(self.keys, self.pairs, strict=True)
        return query_of_join(
            self.source,
            self.call.extent,
            self._record(how),
            spec,
            join_keys(self.source, ((left, " = ".join(pair)) for (left, _), pair in keys)),
            time_span=assign.time_span,
            operands=tuple(parser.operands),
            trigger_aggregates=tuple(parser.aggregates),
            head=head,
            tail=")",
            apply=apply,
        )

    # tables and keys

    def _table(self, name: str) -> TableArgument:
        table = read_table(self.source, self.given[name].value, self.function.name)
        if not table.keys:
            problem = f"{self.function.name}: the {name} table has no PARTITION BY"
            rule = "rows meet in windows of one key"
            hint = f"write {self.source.verbatim(table.extent)} PARTITION BY id"
            raise self.source.spec_error(problem, table.extent, rule=rule, hint=hint)
        return table

    def _paired(self, left: TableArgument, right: TableArgument) -> list[tuple[Extent, Extent]]:
        if len(left.keys) != len(right.keys):
            counts = f"{len(left.keys)} keys on the left side, {len(right.keys)} on the right one"
            problem, place = f"{self.function.name}: {counts}", Extent(right.keys[0].first, right.keys[-1].stop)
            rule = "the keys of both tables are paired by their positions"
            hint = "write as many keys on each side: PARTITION BY (k, j)"
            raise self.source.spec_error(problem, place, rule=rule, hint=hint)
        return list(zip(left.keys, right.keys, strict=True))

    def _named(self) -> list[_CallKey]:
        """The keys with their names in the result."""
        return [
            _CallKey(
                f"key{n}" if column_path(self.source, left) is None else self.source.name(left.stop - 1),
                pair,
                (self._column(left), self._column(right)),
                f"{INTERNAL_PREFIX}key_{n}",
            )
            for n, ((left, right), pair) in enumerate(zip(self.keys, self.pairs, strict=True))
        ]

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
        for reference in columns_of(self.source, extent):
            if reference.is_certain and self.sides.of(reference) != side:
                start = self.source.span(reference.extent).start
                edits.append(Edit(start, start, f"{NAMES[side]}."))
        return self.source.verbatim(extent, edits)

    # time and window

    def _times(self) -> tuple[Extent, Extent] | None:
        """The columns of DESCRIPTOR; None for PROCTIME() or no time."""
        argument = self.given.get("time")
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

    def _assign(self, parser: ClauseParser) -> Assignment:
        given = self.given
        extent = given["window"].value
        section = Section(ASSIGN, _head(given["window"]), extent)
        end = parser.policy_end(section, ASSIGNERS)
        if end != extent.stop:
            problem = f"{self.function.name}: the window ends before this"
            rule = self.function.rule
            hint = "keys come after the tables; trigger => ... and the other options after a comma"
            raise self.source.syntax_error(problem, Extent(end, extent.stop), rule=rule, hint=hint)
        cls = parser.policy_class(extent, ASSIGNERS)
        parameters = [p for p in cls.parameters() if p.kind is Kind.TIME]
        self._refuse_inner_time(extent, [p.kind for p in cls.parameters() if p.kind is not Kind.TIME])
        if "time" not in given and any(p.required for p in parameters):
            problem = f"{self.function.name}: {self.source.name(extent.first).upper()} needs a time"
            rule = self.function.rule
            hint = "write DESCRIPTOR(a_ts, b_ts) or PROCTIME() before it"
            raise self.source.spec_error(problem, extent, rule=rule, hint=hint)
        time = self._attribute() if "time" in given else None
        assigner = parser.parse_policy(extent, ASSIGNERS, {p.name: time for p in parameters})
        time_span = self.source.span(given["time"].value) if "time" in given else None
        return Assignment(assigner, extent, time_span, (), time_hint="write DESCRIPTOR(a_ts, b_ts) before the window")

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

    def _attribute(self) -> TimeAttribute:
        if self.times is None:
            return TimeAttribute(TimeDomain.PROCESSING)
        written = ", ".join(f"{SIDES[n]}.{self.source.verbatim(column)}" for n, column in enumerate(self.times))
        return TimeAttribute(TimeDomain.EVENT, (JOIN_TIME,), f"({written})")

    def _clauses(self) -> Select:
        """The options as the clauses of a windowed SELECT."""
        sections: dict[Part, Section] = {
            part: Section(part, _head(self.given[name]), self.given[name].value)
            for name, part in OPTIONS.items()
            if name in self.given
        }
        return Select(self.call.call, sections, is_branch=False)

    # own options

    def _join_type(self) -> JoinType | None:
        if self.function.own != "join_type":
            return None
        if "join_type" not in self.given:
            return JoinType.INNER
        extent = self.given["join_type"].value
        words = tuple((self._string(extent, "join_type", "'LEFT'") or "INNER").upper().split())
        found = [how for spelling, how in JOIN_TYPES if spelling == words]
        if not found:
            known = ", ".join(how.name for how in JoinType)
            problem = f"{self.source.verbatim(extent)} is not a type of join"
            raise self.source.spec_error(problem, extent, hint=f"one of {known}")
        return found[0]

    def _apply(self) -> str | None:
        if "apply" not in self.given:
            return None
        extent = self.given["apply"].value
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

    def _record(self, how: JoinType | None) -> WindowJoin:
        condition = None if how is None else " AND ".join(self._equalities())
        span = self.source.span(self.call.call)
        return WindowJoin(self._side(0), self._side(1), how, self.pairs, condition, span, keys_alone=True)

    def _side(self, n: int) -> JoinSide:
        table, time = self.tables[n], None if self.times is None else self.times[n]
        return JoinSide(
            self.source.verbatim(table.relation),
            NAMES[n],
            None if time is None else self._qualified(time, n),
            self.source.span(table.extent),
            None if time is None else self.source.verbatim(Extent(time.stop - 1, time.stop)),
        )

    def _equalities(self) -> Iterator[str]:
        """The keys as ON has them, expressions in brackets."""
        for key, pair in zip(self.keys, self.pairs, strict=True):
            are_columns = (column_path(self.source, expression) is not None for expression in key)
            sides = [sql if is_column else f"({sql})" for sql, is_column in zip(pair, are_columns, strict=True)]
            yield " = ".join(sides)


_TIMES = "the time of each table is a column of it, the left one's first"


def _head(argument: Argument) -> Extent:
    """The name of an argument, the place of errors about it; without a name the argument itself."""
    return argument.value if argument.name is None else Extent(argument.name, argument.name + 1)


# select lists over the result of the operator


@dataclass(frozen=True, slots=True)
class _CallKey:
    """A key: its name in the result, and on each side its expression, and the column that this is, if it is one.

    column   the column of the operator's result that holds it
    """

    name: str
    sides: tuple[str, str]
    columns: tuple[str | None, str | None]
    column: str


def _join_head(keys: list[_CallKey], how: JoinType, columns: Columns | None, fold: Callable[[str], str]) -> str:
    """Keys, window columns, then the other columns of the sides whose rows the join returns.

    Where the columns are known, `_left` or `_right` is added to a name that another column has already; `fold` as in
    `Source.fold`.
    """
    taken = set(map(fold, FUNCTION_COLUMNS))
    items = [f"{how.shared(*key.sides)} AS {quoted(_own(key.name, 0, taken, fold))}" for key in keys]
    items += _windows(*FUNCTION_COLUMNS)
    returned = NAMES if how.has_right else NAMES[:1]
    for n, name in enumerate(returned):
        known = {fold(column): quoted(column) for key in keys if (column := key.columns[n]) is not None}
        if columns is None or len(set(map(fold, columns[n]))) < len(columns[n]):
            items.append(f"{name}.* EXCEPT ({', '.join(known.values())})" if known else f"{name}.*")
            continue
        others = [column for column in columns[n] if fold(column) not in known]
        items += [f"{name}.{quoted(column)} AS {quoted(_own(column, n, taken, fold))}" for column in others]
    return f"(SELECT {', '.join(items)}"


def _co_group_head(keys: list[_CallKey], apply: str | None, fold: Callable[[str], str]) -> str:
    """Keys, the window, and the rows of both sides; with a function, what it returns."""
    function = None if apply is None else CO_GROUP_FUNCTIONS.find(apply)
    if function is not None:
        return f"(SELECT {', '.join(quoted(name) for name in schema_names(function.returns))}"
    taken = set(map(fold, ("window_start", "window_end", "left", "right")))
    items = [f"{key.column} AS {quoted(_own(key.name, 0, taken, fold))}" for key in keys]
    items += [*_windows("window_start", "window_end"), f"{JOIN_LEFT} AS `left`", f"{JOIN_RIGHT} AS `right`"]
    return f"(SELECT {', '.join(items)}"


def _windows(*names: str) -> list[str]:
    return [f"{WINDOW_COLUMNS[name]} AS {name}" for name in names]


def _own(column: str, side: int, taken: set[str], fold: Callable[[str], str]) -> str:
    """The name of a column, changed where it is taken."""
    name = column
    while fold(name) in taken:
        name += ("_left", "_right")[side]
    taken.add(fold(name))
    return name
