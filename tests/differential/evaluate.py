"""The rows that a query must give, in Python alone."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from functools import cmp_to_key
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from differential.expressions import Column, Expression, Known, Output, Over, WindowColumn, calls_of, value, walk
from differential.firing import INFINITY, Arrived, Firing, Watermark, firings, results
from differential.record import Item, JoinType, Query, Result, Session, Shape, Source, Statement, WindowJoin, Wrapper
from differential.values import (
    BIGINT,
    DAY,
    DOUBLE,
    INT,
    NTZ,
    STRING,
    TIMESTAMP,
    micros_of,
    normal,
    rank,
    same,
    text,
    wall,
)

Rows = list[tuple[Any, ...]]
Stream = Sequence[Watermark | int]
"""A source's rows as a stream brings them: numbers of rows, and watermarks between them."""

ONE = 7
"""What the other row of a join is."""
LOOKUP = (("a", 1), ("b", 2), ("ä", 3), ("", 4))


def expected(query: Query, session: Session, stream: Stream | None = None) -> Result:
    """What the query gives over its tables, or over a stream of the rows of its only table."""
    first, *others = (_statement(statement, session, stream) for statement in query.statements)
    return _AROUND[query.around](query, first, *others)


class _Made(NamedTuple):
    items: tuple[Item, ...]
    values: Rows
    is_sorted: bool

    def result(self, rows: Rows | None = None) -> Result:
        kinds = tuple(item.expression.type for item in self.items)
        values = self.values if rows is None else rows
        texts = [tuple(text(kind, held) for kind, held in zip(kinds, row, strict=True)) for row in values]
        return Result(tuple(_name(item) for item in self.items), kinds, texts, self.is_sorted)


def _name(item: Item) -> str | None:
    if item.alias is not None:
        return item.alias
    return item.expression.name if isinstance(item.expression, WindowColumn) else None


def _statement(statement: Statement, session: Session, stream: Stream | None) -> _Made:
    return _finished(statement, _stages(statement, session, stream))


def _stages(statement: Statement, session: Session, stream: Stream | None) -> list[Known]:
    """The rows before ORDER BY: what each column, key, aggregate and window column is."""
    if isinstance(statement.source, WindowJoin):
        return _joined(statement.source, statement)
    found = source_rows(statement.source)
    steps: list[Any] = list(found) if stream is None else [s if isinstance(s, Watermark) else found[s] for s in stream]
    kept = [step for step in steps if isinstance(step, Watermark) or _holds(statement.where, step)]
    clock = _Clock(statement, session)
    made: list[Known] = []
    for part in _by_key(statement.keys, kept):
        arrived = [s if isinstance(s, Watermark) else Arrived(clock.reading(s), s) for s in part]
        if stream is None:
            arrived = [*sorted(arrived, key=lambda row: -INFINITY if row.time is None else row.time), _END]
        for firing in clock.distinct(firings(statement.windowing, arrived)):
            made.extend(_of_firing(statement, firing, clock, next(s for s in part if not isinstance(s, Watermark))))
    return made


_END = Watermark(INFINITY, is_end=True)


def _of_firing(statement: Statement, firing: Firing, clock: _Clock, first: Known) -> list[Known]:
    window = clock.columns(firing)
    if statement.returns_rows:
        return [{**row.known, **window} for row in firing.rows]
    keys = {key: normal(value(key, first)) for key in statement.keys}
    return [{**keys, **window, **results(calls_of(statement), firing.rows)}]


def _by_key(keys: Sequence[Expression], steps: Iterable[Any]) -> list[list[Any]]:
    """The rows of each key with all watermarks between them; keys in order of arrival."""
    groups: dict[Any, list[Any]] = {}
    before: list[Any] = []
    for step in steps:
        if isinstance(step, Watermark):
            before.append(step)
            for group in groups.values():
                group.append(step)
        else:
            key = same(tuple(value(key, step) for key in keys))
            groups.setdefault(key, list(before)).append(step)
    return list(groups.values())


def source_rows(source: Source) -> list[Known]:
    """The rows of a FROM body in order of arrival."""
    table = [dict(zip(source.table.columns, row, strict=True)) for row in source.table.rows]
    return [row for row in _SHAPES[source.shape](source, table) if _holds(source.condition, row)]


def _holds(condition: Expression | None, row: Known) -> bool:
    return condition is None or value(condition, row) is True


def _looked_up(source: Source, table: list[Known]) -> list[Known]:
    name = next(column for column in source.table.columns if column.type == STRING)
    return [{**row, source.extra: number} for row in table for key, number in LOOKUP if row[name] == key]


_SHAPES: dict[Shape, Callable[[Source, list[Any]], list[Any]]] = {
    Shape.TABLE: lambda source, table: table,
    Shape.FILTERED: lambda source, table: table,
    Shape.DOUBLED: lambda source, table: [*table, *table],
    Shape.TIMES_ONE: lambda source, table: [{**row, source.extra: ONE} for row in table],
    Shape.CROSS_ONE: lambda source, table: [{**row, source.extra: ONE} for row in table],
    Shape.EXPLODED: lambda source, table: [{**row, source.extra: n} for row in table for n in (1, 2)],
    Shape.LATERAL: lambda source, table: [{**row, source.extra: n} for row in table for n in (1, 2)],
    Shape.LOOKED_UP: _looked_up,
}


class _Clock:
    """The time of a row as the windows read it, and windows as the result shows them.

    Windows of a table function over TIMESTAMP follow the local time of the session, as in Flink SQL.
    """

    def __init__(self, statement: Statement, session: Session) -> None:
        assert isinstance(statement.source, Source)
        self.time = statement.windowing.assigner.time
        self.type = TIMESTAMP if self.time.type == TIMESTAMP else NTZ
        self.has_windows = statement.windowing.has_time
        is_local = statement.function and self.type == TIMESTAMP and session.zone != "UTC"
        self.zone = ZoneInfo(session.zone) if is_local else None

    def reading(self, row: Known) -> int | None:
        held = value(self.time, row)
        if isinstance(held, datetime.date):
            return (held - datetime.date(1970, 1, 1)).days * DAY
        return held if held is None or self.zone is None else local(held, self.zone)

    def distinct(self, fired: Iterable[Firing]) -> list[Firing]:
        """Without windows that are another's because clocks skip what lies between their ends."""
        found = list(fired)
        return found if self.zone is None else list({self._bounds(firing): firing for firing in found}.values())

    def _bounds(self, firing: Firing) -> tuple[int, int]:
        start, end = firing.window
        return (start, end) if self.zone is None else (begins(start, self.zone), ends(end, self.zone))

    def columns(self, firing: Firing) -> dict[Expression, Any]:
        held: list[Any] = [None, None, None]
        if self.has_windows:
            begin, finish = self._bounds(firing)
            held = [begin, finish, finish - 1]
        columns = [WindowColumn(self.type, name) for name in ("window_start", "window_end", "window_time")]
        known: dict[Expression, Any] = dict(zip(columns, held, strict=True))
        return {**known, PANE_INDEX: firing.index, PANE_TIMING: firing.timing}


PANE_INDEX, PANE_TIMING = WindowColumn(BIGINT, "pane_index"), WindowColumn(STRING, "pane_timing")


def local(micros: int, zone: ZoneInfo) -> int:
    """The reading of a zone's clocks at an instant."""
    aware = (wall(micros)).replace(tzinfo=datetime.UTC).astimezone(zone)
    return micros_of(aware.replace(tzinfo=None))


def begins(reading: int, zone: ZoneInfo) -> int:
    """When a zone's clocks first show a reading, or a later one where they skip it."""
    first, second = _instants(reading, zone)
    return first if local(first, zone) == reading else _change(second, first, zone)


def ends(reading: int, zone: ZoneInfo) -> int:
    """From when on a zone's clocks show nothing before a reading."""
    first, second = _instants(reading - 1, zone)
    return second + 1 if local(second, zone) == reading - 1 else _change(second, first, zone)


def _instants(reading: int, zone: ZoneInfo) -> tuple[int, int]:
    """The instants of a reading by the offsets before and after a change of the clocks near it."""
    aware = (wall(reading).replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    first, second = (micros_of(moment.astimezone(datetime.UTC).replace(tzinfo=None)) for moment in aware)
    return first, second


def _change(before: int, after: int, zone: ZoneInfo) -> int:
    """The instant between two at which the clocks are changed."""
    offset = local(before, zone) - before
    while after - before > 1:
        middle = (before + after) // 2
        before, after = (middle, after) if local(middle, zone) - middle == offset else (before, middle)
    return after


def _joined(join: WindowJoin, statement: Statement) -> list[Known]:
    """Pairs of rows of both sides, per firing of a key."""
    sides = [[dict(zip(table.columns, row, strict=True)) for row in table.rows] for table in (join.left, join.right)]
    times = (join.left_time, join.right_time)
    groups: dict[Any, list[Arrived]] = {}
    for side, rows in enumerate(sides):
        for row in rows:
            key = same(tuple(row[pair[side]] for pair in join.keys))
            groups.setdefault(key, []).append(Arrived(_micros(row[times[side]]), {**row, _SIDE: side}))
    made: list[Known] = []
    kind = TIMESTAMP if join.left_time.type == TIMESTAMP else NTZ
    for key, rows in groups.items():
        rows.sort(key=lambda row: -INFINITY if row.time is None else row.time)
        matches = join.null_safe or None not in key
        for firing in firings(statement.windowing, [*rows, _END]):
            start, end = firing.window
            named = {"window_start": start, "window_end": end, "window_time": end - 1}
            known = {WindowColumn(kind, name): at for name, at in named.items()}
            window = {**known, PANE_INDEX: firing.index, PANE_TIMING: firing.timing}
            made.extend({**pair, **window} for pair in _pairs(join, firing, matches))
    return [row for row in made if _holds(statement.where, row)]


_SIDE = Column(INT, " side")


def _micros(held: Any) -> Any:
    return (held - datetime.date(1970, 1, 1)).days * DAY if isinstance(held, datetime.date) else held


def _pairs(join: WindowJoin, firing: Firing, matches: bool) -> list[dict[Expression, Any]]:
    left, right = ([dict(row.known) for row in firing.rows if row.known[_SIDE] == side] for side in (0, 1))
    found = [
        (a, b)
        for a in range(len(left))
        for b in range(len(right))
        if matches and _holds(join.residual, {**left[a], **right[b]})
    ]
    with_left, with_right = {a for a, _ in found}, {b for _, b in found}
    if join.type in (JoinType.SEMI, JoinType.ANTI):
        return [row for a, row in enumerate(left) if (a in with_left) == (join.type is JoinType.SEMI)]
    no_left = dict.fromkeys(join.left.columns)
    no_right = dict.fromkeys(join.right.columns)
    pairs = [{**left[a], **right[b]} for a, b in found]
    if join.type in (JoinType.LEFT, JoinType.FULL):
        pairs += [{**row, **no_right} for a, row in enumerate(left) if a not in with_left]
    if join.type in (JoinType.RIGHT, JoinType.FULL):
        pairs += [{**no_left, **row} for b, row in enumerate(right) if b not in with_right]
    return pairs


def _finished(statement: Statement, stages: list[Known]) -> _Made:
    """HAVING, window functions of Spark's, QUALIFY, ORDER BY and LIMIT."""
    named = [item for item in statement.items if item.alias and not _has_over(item.expression)]
    rows = [
        {**row, **{Output(i.expression.type, i.alias or ""): value(i.expression, row) for i in named}} for row in stages
    ]
    rows = [row for row in rows if _holds(statement.having, row)]
    for over in [part for part in walk((statement.items, statement.qualify)) if isinstance(part, Over)]:
        rows = [{**row, over: _over(over, row, rows)} for row in rows]
    rows = [row for row in rows if _holds(statement.qualify, row)]
    values = [tuple(value(item.expression, row) for item in statement.items) for row in rows]
    for place, descends, nulls_last in reversed(statement.order):
        values = _sorted(values, place, descends, nulls_last)
    is_sorted = len({place for place, _, _ in statement.order}) == len(statement.items) and bool(statement.items)
    return _Made(statement.items, values[: statement.limit], is_sorted)


def _has_over(expression: Expression) -> bool:
    return any(isinstance(part, Over) for part in walk(expression))


def _sorted(values: Rows, place: int, descends: bool, nulls_last: bool | None) -> Rows:
    last = descends if nulls_last is None else nulls_last

    def compare(left: tuple[Any, ...], right: tuple[Any, ...]) -> int:
        a, b = left[place], right[place]
        if a is None or b is None:
            return 0 if a is b else (1 if (a is None) == last else -1)
        one, two = rank(same_zero(a)), rank(same_zero(b))
        return ((one > two) - (one < two)) * (-1 if descends else 1)

    return sorted(values, key=cmp_to_key(compare))


def same_zero(held: Any) -> Any:
    return held + 0.0 if isinstance(held, float) else held


def _over(over: Over, row: Known, rows: list[Any]) -> int:
    def of(parts: tuple[Expression, ...], held: Known) -> Any:
        return tuple(rank(same_zero(value(part, held))) for part in parts)

    peers = [other for other in rows if of(over.partition, other) == of(over.partition, row)]
    name = over.function.partition(":")[0]
    if name == "count":
        return len(peers)
    before = {of(over.order, other) for other in peers if of(over.order, other) < of(over.order, row)}
    if name == "dense_rank":
        return len(before) + 1
    return sum(of(over.order, other) < of(over.order, row) for other in peers) + 1


def _cross(query: Query, made: _Made) -> Result:
    items = (*made.items, Item(Column(INT, "c"), "c"))
    return _Made(items, [(*row, ONE) for row in _outer(query, made)], False).result()


def _outer(query: Query, made: _Made) -> Rows:
    """The WHERE of the query around it."""
    columns = [Output(item.expression.type, item.alias or "") for item in made.items]
    return [row for row in made.values if _holds(query.outer, dict(zip(columns, row, strict=True)))]


def _scalar(query: Query, made: _Made) -> Result:
    return Result(("n",), (BIGINT,), [(str(len(_outer(query, made))),)])


def _around(query: Query, made: _Made) -> Result:
    kept = _outer(query, made)
    return made._replace(values=kept, is_sorted=False).result()


def _union_all(query: Query, first: _Made, second: _Made) -> Result:
    left, right = first.result(), second.result()
    return Result(left.names, left.types, [*left.rows, *right.rows])


def _distinct(combine: Callable[[set[Any], set[Any]], set[Any]]) -> Callable[..., Result]:
    """As Spark does for all rows that it makes distinct, with one zero instead of two."""

    def result(query: Query, first: _Made, second: _Made) -> Result:
        left, right = first.result(), second.result()
        return Result(left.names, left.types, list(combine({*_one_zero(left)}, {*_one_zero(right)})))

    return result


def _one_zero(result: Result) -> Iterable[Any]:
    for row in result.rows:
        cells = zip(row, result.types, strict=True)
        yield tuple("0.0" if cell == "-0.0" and kind == DOUBLE else cell for cell, kind in cells)


_AROUND: dict[Wrapper, Callable[..., Result]] = {
    Wrapper.NOTHING: lambda query, made: made.result(),
    Wrapper.CTE: _around,
    Wrapper.SUBQUERY: _around,
    Wrapper.VIEW: _around,
    Wrapper.SCALAR: _scalar,
    Wrapper.CROSS: _cross,
    Wrapper.UNION_ALL: _union_all,
    Wrapper.UNION: _distinct(lambda a, b: a | b),
    Wrapper.EXCEPT: _distinct(lambda a, b: a - b),
    Wrapper.INTERSECT: _distinct(lambda a, b: a & b),
}
