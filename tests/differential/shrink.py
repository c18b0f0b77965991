"""Smaller queries that fail in the same way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from differential.expressions import Aggregate, Call, Column, Expression, walk
from differential.record import Query, Session, Shape, Source, Statement, Table, WindowJoin, Wrapper
from differential.values import BOOLEAN
from differential.windows import AnyOf, Purging, Windowing


@dataclass(frozen=True)
class Case:
    query: Query
    session: Session


Fails = Callable[[Case], bool]


def shrunk(case: Case, fails: Fails, seconds: float = 60.0, *, tables: bool = True) -> Case:
    """A case that is no larger and fails; tries smaller ones, the boldest first, until none fails or time is up.

    Without `tables` these stay as they are.
    """
    end, tried = time.monotonic() + seconds, {repr(case)}
    while (smaller := _first(case, fails, end, tried, tables)) is not None:
        case = smaller
    return case


def _first(case: Case, fails: Fails, end: float, tried: set[str], tables: bool) -> Case | None:
    for smaller in _smaller(case, tables):
        if time.monotonic() > end:
            return None
        if repr(smaller) in tried:
            continue
        tried.add(repr(smaller))
        if all(map(_is_valid, smaller.query.statements)) and fails(smaller):
            return smaller
    return None


def _smaller(case: Case, tables: bool) -> Iterator[Case]:
    if case.session.settings:
        yield replace(case, session=Session({}))
    for smaller in _queries(case.query):
        yield replace(case, query=smaller)
    for smaller in _tables(case.query) if tables else ():
        yield replace(case, query=smaller)
    for settings in _without_settings(case.session):
        yield replace(case, session=settings)


def _without_settings(session: Session) -> Iterator[Session]:
    for name in session.settings:
        yield Session({other: held for other, held in session.settings.items() if other != name})


def _queries(query: Query) -> Iterator[Query]:
    if query.around is not Wrapper.NOTHING:
        for statement in query.statements:
            yield Query(statement, spelling=query.spelling)
        if query.outer is not None:
            yield replace(query, outer=None)
    if query.spelling:
        yield replace(query, spelling=0)
    for statement in _statements(query.statement):
        yield replace(query, statement=statement)
    if query.other is not None:
        for statement in _statements(query.other):
            yield replace(query, other=statement)


def _statements(statement: Statement) -> Iterator[Statement]:
    for name, empty in (("limit", None), ("qualify", None), ("having", None), ("where", None), ("order", ())):
        if getattr(statement, name) not in (None, ()):
            smaller = replace(statement, **{name: empty})
            yield replace(smaller, limit=None) if name == "order" else smaller
    for source in _sources(statement.source):
        yield replace(statement, source=source)
    for windowing in _windowings(statement.windowing):
        yield replace(statement, windowing=windowing)
    for n in range(len(statement.keys)):
        yield replace(statement, keys=_without(statement.keys, n))
    for n in range(len(statement.items)):
        if len(statement.items) > 1:
            yield replace(statement, items=_without(statement.items, n), order=(), limit=None)
    for n, item in enumerate(statement.items):
        for expression in _expressions(item.expression):
            yield replace(statement, items=_with(statement.items, n, replace(item, expression=expression)))
    for name in ("where", "having"):
        if (condition := getattr(statement, name)) is not None:
            for expression in _expressions(condition):
                if expression.type == BOOLEAN:
                    yield replace(statement, **{name: expression})


def _sources(source: Any) -> Iterator[Any]:
    if isinstance(source, WindowJoin):
        if source.residual is not None:
            yield replace(source, residual=None)
        for n in range(len(source.keys)):
            if len(source.keys) > 1:
                yield replace(source, keys=_without(source.keys, n))
        return
    if source.shape is not Shape.TABLE:
        yield Source(source.table)
    if source.is_cte:
        yield replace(source, is_cte=False)
    if source.condition is not None:
        yield replace(source, condition=None)


def _windowings(windowing: Windowing) -> Iterator[Windowing]:
    if windowing.evictor is not None:
        yield replace(windowing, evictor=None, after=False)
    if windowing.lateness is not None:
        yield replace(windowing, lateness=None)
    if windowing.trigger is not None:
        yield replace(windowing, trigger=None)
    if isinstance(windowing.trigger, Purging):
        yield replace(windowing, trigger=windowing.trigger.trigger)
    if isinstance(windowing.trigger, AnyOf):
        for trigger in windowing.trigger.triggers:
            yield replace(windowing, trigger=trigger)
    if getattr(windowing.assigner, "offset", 0):
        yield replace(windowing, assigner=replace(windowing.assigner, offset=0))  # type: ignore[call-arg]


def _expressions(expression: Expression) -> Iterator[Expression]:
    """Parts of it, and itself with less."""
    if isinstance(expression, Call):
        yield from expression.arguments
    if isinstance(expression, Aggregate):
        if expression.filter is not None:
            yield replace(expression, filter=None)
        if expression.distinct:
            yield replace(expression, distinct=False)
        for n, argument in enumerate(expression.arguments):
            for part in _expressions(argument):
                if part.type == argument.type:
                    yield replace(expression, arguments=_with(expression.arguments, n, part))


def _tables(query: Query) -> Iterator[Query]:
    used = {part for part in walk(_without_tables(query)) if isinstance(part, Column)}
    for table in query.tables:
        unused = [n for n, column in enumerate(table.columns) if column not in used]
        if unused:
            yield _with_table(query, _without_columns(table, unused))
        rows, size = table.rows, len(table.rows)
        while size > 0:
            for start in range(0, len(rows), size):
                yield _with_table(query, replace(table, rows=(*rows[:start], *rows[start + size :])))
            size //= 2
        for n in unused:
            yield _with_table(query, _without_columns(table, [n]))


def _without_tables(query: Query) -> Any:
    def parts(statement: Statement) -> Any:
        source = statement.source
        own = replace(statement, source=Source(Table("", (), ())))
        if isinstance(source, WindowJoin):
            return own, source.left_time, source.right_time, source.keys, source.residual
        # a lookup is by the first column of strings
        columns = tuple(source.columns) if source.shape is Shape.LOOKED_UP else ()
        return own, source.condition, columns

    return tuple(map(parts, query.statements)), query.outer


def _with_table(query: Query, table: Table) -> Query:
    def of(statement: Statement) -> Statement:
        source = statement.source
        if isinstance(source, WindowJoin):
            return replace(
                statement,
                source=replace(source, **{side: _same(getattr(source, side), table) for side in ("left", "right")}),
            )
        return replace(statement, source=replace(source, table=_same(source.table, table)))

    other = None if query.other is None else of(query.other)
    return replace(query, statement=of(query.statement), other=other)


def _same(old: Table, new: Table) -> Table:
    """The new rows for the table of that name; a join has each table's columns under a name of its own."""
    if old.name != new.name:
        return old
    kept = [column.name.removeprefix("x.").removeprefix("y.") for column in new.columns]
    columns = tuple(c for c in old.columns if c.name.removeprefix("x.").removeprefix("y.") in kept)
    return replace(new, columns=columns)


def _without_columns(table: Table, places: list[int]) -> Table:
    kept = [n for n in range(len(table.columns)) if n not in places]
    columns = tuple(table.columns[n] for n in kept)
    return replace(table, columns=columns, rows=tuple(tuple(row[n] for n in kept) for row in table.rows))


def _without(held: tuple[Any, ...], place: int) -> tuple[Any, ...]:
    return (*held[:place], *held[place + 1 :])


def _with(held: tuple[Any, ...], place: int, new: Any) -> tuple[Any, ...]:
    return (*held[:place], new, *held[place + 1 :])


def _is_valid(statement: Statement) -> bool:
    """Columns are there, and those of a result are keys or in aggregates."""
    source = statement.source
    there = {*source.columns} if isinstance(source, Source) else {*source.left.columns, *source.right.columns}
    used = [part for part in walk(replace(statement, source=Source(Table("", (), ())))) if isinstance(part, Column)]
    if any(column not in there for column in used):
        return False
    if statement.returns_rows or isinstance(source, WindowJoin):
        return True
    results = (*(item.expression for item in statement.items), statement.having, statement.qualify)
    return all(_is_result(part, statement.keys) for part in results) and any(
        isinstance(part, Aggregate) for part in walk(statement.items)
    )


def _is_result(expression: Expression | None, keys: tuple[Expression, ...]) -> bool:
    if expression is None or expression in keys or isinstance(expression, Aggregate):
        return True
    if isinstance(expression, Call):
        return all(_is_result(argument, keys) for argument in expression.arguments)
    return not isinstance(expression, Column)
