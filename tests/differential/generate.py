"""Random sessions, tables and queries, all from one number."""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from differential.aggregates import ORDERED
from differential.evaluate import PANE_INDEX, PANE_TIMING
from differential.expressions import (
    Aggregate,
    Call,
    Column,
    Expression,
    Literal,
    Output,
    Over,
    WindowColumn,
    compare,
    field,
    number,
    struct,
    walk,
)
from differential.record import (
    ANSI,
    CASE,
    ESCAPED,
    QUOTED,
    RESERVED,
    SET_OPERATIONS,
    ZONE,
    Around,
    Item,
    JoinType,
    Query,
    Session,
    Shape,
    Source,
    Statement,
    Table,
    WindowJoin,
)
from differential.values import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DAY,
    DAY_TIME,
    DOUBLE,
    INT,
    MINUTE,
    MONEY,
    NTZ,
    NUMBERS,
    PAIR,
    SECOND,
    STRING,
    TIMESTAMP,
    YEAR_MONTH,
    Type,
    array_of,
    decimal,
    micros_of,
)
from differential.windows import (
    AnyOf,
    Assigner,
    Continuous,
    Count,
    CountTrigger,
    Cumulating,
    Delta,
    EndOfStream,
    EventTime,
    Evictor,
    Global,
    KeepLast,
    KeepNear,
    KeepNewest,
    Purging,
    Sliding,
    Trigger,
    Tumbling,
    When,
    Windowing,
)
from differential.windows import (
    Session as SessionWindows,
)

ZONES = ("UTC", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe", "Asia/Kathmandu")

_SETTINGS: dict[str, tuple[str, ...]] = {
    ANSI: ("true", "true", "false"),
    CASE: ("false", "false", "true"),
    ESCAPED: ("false", "false", "true"),
    "spark.sql.shuffle.partitions": ("1", "2", "2", "3"),
    "spark.sql.adaptive.enabled": ("true", "false"),
    "spark.sql.execution.arrow.pyspark.enabled": ("true", "false"),
    "spark.sql.legacy.timeParserPolicy": ("CORRECTED", "EXCEPTION", "LEGACY"),
    # compiling a plan for a handful of rows takes longer than all else
    "spark.sql.codegen.wholeStage": ("false", "false", "false", "true"),
}


class Draw(random.Random):
    """A seeded random source."""

    def odds(self, share: float) -> bool:
        return self.random() < share


def draw_session(draw: Draw) -> Session:
    settings = {name: draw.choice(values) for name, values in _SETTINGS.items()}
    settings[ZONE] = draw.choice(ZONES)
    if settings[ANSI] == "true":
        settings[QUOTED] = draw.choice(("true", "false"))
        settings[RESERVED] = draw.choice(("true", "false"))
    return Session(settings)


# Local readings around which times lie: both changes of clocks in New York, one in Lord Howe, a day before 1970.
ISLANDS = (
    datetime.datetime(2024, 1, 1, 0),
    datetime.datetime(2024, 3, 10, 0, 30),
    datetime.datetime(2024, 3, 10, 5, 30),
    datetime.datetime(2024, 11, 3, 0, 30),
    datetime.datetime(2024, 11, 3, 4, 30),
    datetime.datetime(2024, 10, 6, 1),
    datetime.datetime(1969, 12, 31, 22),
)
_WORDS = ("a", "b", "ä", "", "A", "日本", "x;y", "a--b", "(", 'a"b')
_NAMES = {
    "k": ("k", "K1", "a key", "ключ", "group", "p.q"),
    "ts": ("ts", "time", "event time", "Ts", "timestamp"),
    "ntz": ("ntz", "local", "wall clock"),
    "day": ("day", "date", "the day"),
    "v": ("v", "value", "V1", "end", "count"),
    "w": ("w", "order", "back`tick"),
    "ok": ("ok", "flag", "where", "is ok"),
    "gap": ("gap", "session", "size"),
}
_TYPES: dict[str, Type] = {
    "k": STRING,
    "ts": TIMESTAMP,
    "ntz": NTZ,
    "day": DATE,
    "v": INT,
    "w": BIGINT,
    "ok": BOOLEAN,
    "gap": DAY_TIME,
    "price": MONEY,
    "q": DOUBLE,
    "odd": DOUBLE,
    "bytes": BINARY,
    "pair": PAIR,
    "list": NUMBERS,
    "span": DAY_TIME,
    "months": YEAR_MONTH,
}
_ALWAYS = ("k", "ts", "ntz", "day", "v", "w", "ok", "gap")
_NEVER_NULL = frozenset({"gap"})


@dataclass(frozen=True)
class Roles:
    """Columns of a table by what they are for."""

    of: dict[str, Column]

    def some(self, *roles: str) -> list[Column]:
        return [self.of[role] for role in roles if role in self.of]


def draw_table(draw: Draw, name: str, *, is_stream: bool = False, months: bool = False) -> tuple[Table, Roles]:
    others = [role for role in _TYPES if role not in _ALWAYS and (months or role != "months")]
    roles = [*_ALWAYS, *(role for role in others if draw.odds(0.6))]
    draw.shuffle(roles)
    names = {role: draw.choice(_NAMES[role]) if role in _NAMES and draw.odds(0.4) else role for role in roles}
    columns = {role: Column(_TYPES[role], names[role]) for role in roles}
    island, spread = micros_of(draw.choice(ISLANDS[:-1] if is_stream else ISLANDS)), draw.choice((40, 120, 240))
    step = draw.choice((1, 3, 5, 10)) * MINUTE
    share = draw.choice((0.0, 0.08, 0.25))

    def cell(role: str) -> Any:
        if role not in _NEVER_NULL and not (is_stream and role == "ts") and draw.odds(share):
            return None
        return _CELLS[role](draw, island, spread, step)

    rows = [
        tuple(cell(role) for role in roles) for _ in range(draw.choice((0, 1, 5, 12, 20, 30)) if not is_stream else 18)
    ]
    rows += rows[: len(rows) // 6]
    return Table(name, tuple(columns[role] for role in roles), tuple(rows)), Roles(columns)


def _time(draw: Draw, island: int, spread: int, step: int) -> int:
    return island + draw.randrange(0, spread * MINUTE, step) + draw.choice((0, 0, 0, 1, 500_000, -1))


_CELLS: dict[str, Callable[[Draw, int, int, int], Any]] = {
    "k": lambda draw, *_: draw.choice(_WORDS[: draw.choice((2, 3, 10))]),
    "ts": _time,
    "ntz": _time,
    "day": lambda draw, island, *_: datetime.date(1970, 1, 1) + datetime.timedelta(island // DAY + draw.randrange(4)),
    "v": lambda draw, *_: draw.randrange(-3, 9),
    "w": lambda draw, *_: draw.choice((1, 2, 3, -5, 4_000_000_000)),
    "ok": lambda draw, *_: draw.odds(0.5),
    "gap": lambda draw, *_: draw.choice((1, 5, 12, 30)) * MINUTE,
    "price": lambda draw, *_: Decimal(draw.randrange(-300, 300)) / 100,
    "q": lambda draw, *_: draw.randrange(-8, 9) / 4 + 0.125,
    "odd": lambda draw, *_: draw.choice((0.0, -0.0, float("nan"), 1.5)),
    "bytes": lambda draw, *_: draw.choice((b"", b"x", b"\x00\xff")),
    "pair": lambda draw, *_: (draw.choice((1, None)), draw.choice(("p", "q"))),
    "list": lambda draw, *_: draw.choice(((1, 2), (), (None,), (2,))),
    "span": lambda draw, *_: draw.choice((0, 90 * SECOND, -DAY - MINUTE, 1_500_000)),
    "months": lambda draw, *_: draw.choice((0, 14, -1)),
}
_FORMATTED = {"price"}


@dataclass(frozen=True)
class Scene:
    """A session with tables, which many queries share."""

    session: Session
    tables: tuple[Table, ...]
    roles: tuple[Roles, ...]
    is_stream: bool = False


def draw_scene(seed: str, *, is_stream: bool = False) -> Scene:
    draw = Draw(f"scene {seed}")
    session = draw_session(draw)
    names = (
        [draw.choice(("events", "odd table", "übersicht", "order"))]
        if is_stream
        else ["events", "odd table", "übersicht"]
    )
    # rows of a join travel whole, and Arrow has no intervals of months: one table is for these alone
    made = [draw_table(draw, name, is_stream=is_stream, months=name == names[0]) for name in names]
    return Scene(session, tuple(table for table, _ in made), tuple(roles for _, roles in made), is_stream)


def draw_query(scene: Scene, seed: str) -> Query:
    return _Queries(scene, Draw(f"query {seed}")).query()


AGGREGATES_OF_STREAMS_LACK = frozenset({"bit_xor", "bit_or", "listagg", "first_known"})


class _Queries:
    """Draws one query; `roles` are those of the columns it reads."""

    def __init__(self, scene: Scene, draw: Draw) -> None:
        self.scene = scene
        self.draw = draw
        self.roles = Roles({})
        self.extra: Column | None = None
        self.ordered = True

    def query(self) -> Query:
        draw = self.draw
        spelling = draw.randrange(1, 1 << 30) if draw.odds(0.85) else 0
        if not self.scene.is_stream and draw.odds(0.12):
            return Query(self._join(), spelling=spelling)
        statement = self._statement()
        around = draw.choice(list(Around)) if draw.odds(0.45) else Around.NOTHING
        if self.scene.is_stream:
            around = draw.choice((Around.NOTHING, Around.NOTHING, Around.CTE, Around.SUBQUERY))
        if around is Around.NOTHING:
            return Query(statement, spelling=spelling)
        statement = self._named_once(statement)
        if around is Around.VIEW:
            spelling = spelling or 1  # it is in the view's name
        if around in SET_OPERATIONS:
            statement = replace(statement, order=(), limit=None)
            other = replace(statement, where=self._where(), windowing=self._again(statement))
            return Query(statement, around, other, spelling=spelling)
        return Query(statement, around, outer=self._outer(statement), spelling=spelling)

    def _again(self, statement: Statement) -> Windowing:
        """Windows of the same types."""
        windowing = statement.windowing
        if isinstance(windowing.assigner, Tumbling) and windowing.trigger is None and self.draw.odds(0.5):
            return replace(windowing, assigner=replace(windowing.assigner, size=windowing.assigner.size * 2))
        return windowing

    def _named_once(self, statement: Statement) -> Statement:
        """With an alias for every item, none of them twice and none a column's."""
        items = []
        for n, item in enumerate(statement.items, 1):
            items.append(Item(item.expression, f"{'out' if self.draw.odds(0.8) else 'an alias '}{n}"))
        renamed = {old.alias: new.alias for old, new in zip(statement.items, items, strict=True)}
        having = statement.having
        if isinstance(having, Output):
            having = Output(having.type, renamed[having.name] or "")
        return replace(statement, items=tuple(items), having=having)

    def _outer(self, statement: Statement) -> Expression | None:
        if self.draw.odds(0.4):
            return None
        options: list[Expression] = []
        for item in statement.items:
            output = Output(item.expression.type, item.alias or "")
            if output.type == BOOLEAN:
                options += [output, output]
            if output.type in (INT, BIGINT):
                options.append(compare(">", output, number(1)))
            options.append(Call(BOOLEAN, "IS NOT NULL", (output,)))
        return self.draw.choice(options)

    def _statement(self) -> Statement:
        draw = self.draw
        source, is_function = self._source(), False
        if not self.scene.is_stream and source.extra is None and draw.odds(0.15):
            is_function = True
        windowing = self._windowing(is_function)
        returns_rows = not is_function and draw.odds(0.15)
        where = self._where()
        if is_function and isinstance(windowing.assigner, SessionWindows):
            where = None
        keys = self._keys()
        self.ordered = source.is_ordered and not is_function
        if returns_rows:
            statement = Statement(source, windowing, self._row_items(windowing), keys, where, returns_rows=True)
        else:
            items = self._items(windowing, keys, panes=not is_function)
            statement = Statement(source, windowing, items, keys, where, function=is_function)
            statement = self._filtered(statement)
        return self._in_order(statement)

    def _source(self) -> Source:
        draw = self.draw
        place = draw.randrange(len(self.scene.tables))
        table, self.roles = self.scene.tables[place], self.scene.roles[place]
        shapes = (Shape.TABLE,) * 6 + tuple(Shape)
        if self.scene.is_stream:
            shapes = (Shape.TABLE,)
        shape = draw.choice(shapes)
        extra = None
        if shape not in (Shape.TABLE, Shape.FILTERED, Shape.DOUBLED):
            extra = Column(INT, "c")
        self.extra = extra
        condition = self._condition(1) if shape is Shape.FILTERED else None
        is_cte = shape in (Shape.FILTERED, Shape.DOUBLED) and draw.odds(0.5)
        return Source(table, shape, condition, extra, is_cte)

    def _windowing(self, is_function: bool) -> Windowing:
        draw = self.draw
        time = self.roles.of["ts"] if self.scene.is_stream else self.roles.of[draw.choice(("ts", "ts", "ntz", "day"))]
        assigner = self._assigner(time, is_function)
        if is_function or (draw.odds(0.45) and not isinstance(assigner, Global)):
            return Windowing(assigner)
        trigger = self._trigger(assigner)
        evictor: Evictor | None = None
        if draw.odds(0.3) and not isinstance(assigner, Count):
            evictor = self._evictor(assigner)
        lateness = (
            draw.choice((0, 5, 30)) * MINUTE if draw.odds(0.15) and not isinstance(assigner, (Count, Global)) else None
        )
        if lateness == 0:
            lateness = None
        return Windowing(assigner, trigger, evictor, evictor is not None and draw.odds(0.4), lateness)

    def _assigner(self, time: Column, is_function: bool) -> Assigner:
        draw = self.draw
        unit = DAY if time.type == DATE else MINUTE
        size = draw.choice((1, 2, 3) if unit == DAY else (5, 7, 10, 15, 30, 60, 24 * 60)) * unit

        def offset(bound: int) -> int:
            return 0 if draw.odds(0.7) else draw.randrange(-bound + unit, bound, unit) if bound > unit else 0

        kind = draw.choice(
            (Tumbling, Sliding, Cumulating, SessionWindows) + (() if is_function else (Tumbling, Count, Global))
        )
        if kind is Tumbling:
            return Tumbling(time, size, offset(size))
        if kind is Sliding:
            slide = (
                size * draw.choice((1, 2)) if draw.odds(0.3) and not is_function else size // draw.choice((1, 2, 4, 10))
            )
            slide = max(slide, SECOND)
            if is_function and size % slide:
                slide = size
            return Sliding(time, size, slide, 0 if slide % unit else offset(slide))
        if kind is Cumulating:
            steps = draw.choice((1, 2, 3, 12))
            return Cumulating(time, size * steps, size, offset(size))
        if kind is SessionWindows:
            own_gap = not is_function and draw.odds(0.3)
            return SessionWindows(time, self.roles.of["gap"] if own_gap else draw.choice((1, 3, 5, 12)) * unit)
        if kind is Count:
            return Count(draw.choice((1, 2, 3, 5)), draw.choice((None, None, 1, 2, 3)), time)
        return Global(time)

    def _trigger(self, assigner: Assigner) -> Trigger | None:
        draw = self.draw
        if isinstance(assigner, Count):
            return None
        count = CountTrigger(draw.choice((1, 2, 3)))
        delta = Delta(self.roles.of["v"], draw.choice((0, 1, 3)))
        when = When(
            draw.choice((self._condition(1), compare(">", Aggregate(BIGINT, "sum", (self.roles.of["v"],)), number(4))))
        )
        if isinstance(assigner, SessionWindows):
            options: list[Trigger] = [EventTime(), count, Purging(count), Purging(EventTime()), when]
        elif isinstance(assigner, Global):
            options = [EndOfStream(), count, delta, when, Purging(count), Purging(delta), AnyOf((count, delta))]
            if self.scene.is_stream:
                options = options[1:]
        else:
            every = Continuous(max(assigner.size // draw.choice((1, 2, 5)), MINUTE))
            options = [EventTime(), Purging(EventTime()), count, Purging(count), every, Purging(every), delta]
            options += [AnyOf((count, EventTime())), AnyOf((Purging(count), EventTime())), when]
        if draw.odds(0.2) and not isinstance(assigner, Global):
            return None
        return draw.choice(options)

    def _evictor(self, assigner: Assigner) -> Evictor:
        draw = self.draw
        options: list[Evictor] = [
            KeepLast(draw.choice((1, 2, 3))),
            KeepNear(self.roles.of["v"], draw.choice((1, 2, 4))),
        ]
        if not isinstance(assigner, Global):
            options.append(KeepNewest(draw.choice((1, 5, 30)) * MINUTE))
        return draw.choice(options)

    def _keys(self) -> tuple[Expression, ...]:
        draw = self.draw
        count = draw.choice((0, 1, 1, 1, 2))
        of = self.roles.of
        options: list[Expression] = [of["k"], of["k"], of["v"], of["ok"], Call(STRING, "upper", (of["k"],))]
        options += [Call(INT, "%", (of["v"], number(3))), self._condition(1), of["w"]]
        options += self.roles.some(*_TYPES)
        if not self.scene.is_stream:
            options.append(Literal(STRING, "key"))
        return tuple(dict.fromkeys(draw.choice(options) for _ in range(count)))

    def _where(self) -> Expression | None:
        return self._condition(2) if self.draw.odds(0.5) else None

    def _condition(self, depth: int) -> Expression:
        """A predicate over a row."""
        draw, of = self.draw, self.roles.of
        if depth > 1 and draw.odds(0.3):
            return Call(BOOLEAN, draw.choice(("AND", "OR")), (self._condition(depth - 1), self._condition(depth - 1)))
        options: list[Expression] = [
            of["ok"],
            of["ok"],
            of["ok"],
            Literal(BOOLEAN, True),
            Call(BOOLEAN, "NOT", (of["ok"],)),
            compare(draw.choice(("<", ">=", "<>", "=", "<=>")), self._integer(), number(draw.randrange(-1, 5))),
            compare(draw.choice(("=", "<>", "<")), of["k"], Literal(STRING, draw.choice(_WORDS))),
            Call(BOOLEAN, draw.choice(("IS NULL", "IS NOT NULL")), (draw.choice([of["k"], of["v"], of["ts"]]),)),
            Call(BOOLEAN, "IN", (of["v"], number(1), number(2), number(5))),
        ]
        return draw.choice(options)

    def _integer(self) -> Expression:
        draw, of = self.draw, self.roles.of
        options: list[Expression] = [of["v"], of["v"], of["v"]]
        options += [Call(INT, draw.choice("+-*"), (of["v"], number(draw.randrange(1, 4))))]
        options += [Call(INT, "%", (of["v"], number(3))), Call(INT, "length", (of["k"],))]
        options += [Call(INT, "coalesce", (of["v"], number(0)))]
        options += [Call(INT, "CASE", (of["ok"], of["v"], number(1)))]
        if self.extra is not None:
            options += [self.extra, Call(INT, "+", (of["v"], self.extra))]
        return draw.choice(options)

    def _row_items(self, windowing: Windowing) -> tuple[Item, ...]:
        draw = self.draw
        columns = [*self.roles.of.values(), *([] if self.extra is None else [self.extra])]
        shown: list[Expression] = draw.sample(columns, draw.randrange(1, 4))
        shown += self._window_items(windowing, panes=True)
        if draw.odds(0.4):
            shown.append(self._integer())
        draw.shuffle(shown)
        return self._aliased(shown)

    def _window_items(self, windowing: Windowing, *, panes: bool) -> list[Expression]:
        draw = self.draw
        kind = TIMESTAMP if windowing.assigner.time.type == TIMESTAMP else NTZ
        shown: list[Expression] = []
        if windowing.has_time:
            names = ("window_start", "window_end", "window_time")
            shown += [WindowColumn(kind, name) for name in names if draw.odds(0.6)]
        if panes:
            shown += [column for column in (PANE_INDEX, PANE_TIMING) if draw.odds(0.25)]
        return shown

    def _items(self, windowing: Windowing, keys: tuple[Expression, ...], *, panes: bool) -> tuple[Item, ...]:
        draw = self.draw
        shown: list[Expression] = [key for key in keys if draw.odds(0.8)]
        shown += [self._result() for _ in range(draw.choice((1, 1, 2, 3)))]
        shown += self._window_items(windowing, panes=panes)
        if not self.scene.is_stream and draw.odds(0.06):
            shown.append(Over(BIGINT, "count:*", (), ()))
        draw.shuffle(shown)
        return self._aliased(shown)

    def _aliased(self, shown: Sequence[Expression]) -> tuple[Item, ...]:
        draw = self.draw
        pool = ["n", "total", "a b", "Ärger", "select", 'a "b', "end", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8"]
        taken = {column.name.lower() for column in self.roles.of.values()} | {"c"}
        pool = [name for name in pool if name not in taken]
        draw.shuffle(pool)
        items = []
        for expression in shown:
            alias: str | None = pool.pop()
            if draw.odds(0.25) and not isinstance(expression, (Column, Literal)):
                alias = None
            elif self.roles.of and draw.odds(0.06):
                alias = draw.choice(list(self.roles.of.values())).name
            items.append(Item(expression, alias))
        return tuple(items)

    def _result(self) -> Expression:
        """An aggregate, or an expression over some."""
        draw, of = self.draw, self.roles.of
        options: list[Callable[[], Expression]] = [
            self._aggregate,
            self._aggregate,
            self._aggregate,
            lambda: Call(BIGINT, "+", (Aggregate(BIGINT, "sum", (self._integer(),)), number(1))),
            lambda: Call(BIGINT, "coalesce", (Aggregate(BIGINT, "sum", (of["v"],)), number(0))),
            lambda: Call(INT, "-", (Aggregate(INT, "max", (of["v"],)), Aggregate(INT, "min", (of["v"],)))),
            lambda: compare(">", Aggregate(BIGINT, "count", ()), number(2)),
            lambda: Call(BIGINT, "*", (Aggregate(BIGINT, "count", (of["k"],)), number(2))),
        ]
        if not self.scene.is_stream:
            pair = struct(of["v"], of["k"])
            top = Aggregate(pair.type, draw.choice(("max", "min")), (pair,))
            timed = struct(of["v"], of["ts"])
            options += [
                lambda: top,
                lambda: Call(STRING, "to_json", (top,)),
                lambda: field(Aggregate(timed.type, "max", (timed,)), of["v"].name),
            ]
        return draw.choice(options)()

    def _aggregate(self) -> Expression:
        draw = self.draw
        call = draw.choice(self._calls())
        if call.function in ("count", "sum") and call.arguments and draw.odds(0.2):
            call = replace(call, distinct=True)
        if draw.odds(0.15) and call.function not in ("median", "first_known"):
            call = replace(call, filter=self._condition(1))
        return call

    def _calls(self) -> list[Aggregate]:
        of, integer = self.roles.of, self._integer()
        calls = [
            Aggregate(BIGINT, "count", ()),
            Aggregate(BIGINT, "count", ()),
            Aggregate(BIGINT, "count", (of["v"],)),
            Aggregate(BIGINT, "count", (of["k"], of["v"])),
            Aggregate(BIGINT, "sum", (integer,)),
            Aggregate(DOUBLE, "avg", (integer,)),
            Aggregate(INT, "min", (integer,)),
            Aggregate(STRING, "max", (of["k"],)),
            Aggregate(BIGINT, "max", (of["w"],)),
            Aggregate(TIMESTAMP, "max", (of["ts"],)),
            Aggregate(BIGINT, "count_if", (self._condition(1),)),
            Aggregate(BOOLEAN, "bool_or", (of["ok"],)),
            Aggregate(BOOLEAN, "bool_and", (self._condition(1),)),
            Aggregate(INT, "bit_xor", (of["v"],)),
            Aggregate(DOUBLE, "median", (of["v"],)),
            Aggregate(array_of(INT), "array_sort_set", (of["v"],)),
        ]
        if "price" in of:
            calls += [
                Aggregate(decimal(20, 2), "sum", (of["price"],)),
                Aggregate(decimal(14, 6), "avg", (of["price"],)),
            ]
        if "q" in of:
            calls += [Aggregate(DOUBLE, "sum", (of["q"],)), Aggregate(DOUBLE, "max", (of["q"],))]
        calls += self._ordered_calls() if self.ordered else []
        lacking = AGGREGATES_OF_STREAMS_LACK if self.scene.is_stream else frozenset()
        return [call for call in calls if call.function not in lacking]

    def _ordered_calls(self) -> list[Aggregate]:
        of = self.roles.of
        calls = [
            Aggregate(array_of(INT), "collect_list", (of["v"],)),
            Aggregate(array_of(STRING), "array_agg", (of["k"],)),
            Aggregate(INT, "first", (of["v"],)),
            Aggregate(STRING, "last", (of["k"],)),
            Aggregate(INT, "first_known", (of["v"],)),
            Aggregate(STRING, "listagg", (of["k"],)),
            Aggregate(INT, "max_by", (of["v"], of["w"])),
            Aggregate(STRING, "min_by", (of["k"], of["v"])),
        ]
        if not self.scene.is_stream:
            pair = struct(of["v"], of["k"])
            calls.append(Aggregate(array_of(pair.type), "collect_list", (pair,)))
        return calls

    def _filtered(self, statement: Statement) -> Statement:
        """With HAVING and QUALIFY."""
        draw, of = self.draw, self.roles.of
        taken = {column.name.lower() for column in of.values()}
        if any(item.alias and item.alias.lower() in taken for item in statement.items):
            return statement
        having: Expression | None = None
        if draw.odds(0.25):
            named = [item for item in statement.items if item.expression.type == BOOLEAN and item.alias]
            named = [item for item in named if not isinstance(item.expression, Over)]
            options: list[Expression] = [
                compare(">", Aggregate(BIGINT, "count", ()), number(1)),
                Aggregate(BOOLEAN, "bool_or", (of["ok"],)),
                compare(">=", Aggregate(INT, "max", (of["v"],)), number(2)),
                *(Output(BOOLEAN, item.alias or "") for item in named),
                *(Output(BOOLEAN, item.alias or "") for item in named),
            ]
            having = draw.choice(options)
        qualify: Expression | None = None
        if not (self.scene.is_stream or statement.function) and draw.odds(0.08):  # Spark ranks by what it selects only
            of_rows = Aggregate(BIGINT, "count", ())
            partition = statement.keys[:1]
            over = Over(INT, f"{draw.choice(('rank', 'dense_rank'))}:", partition, (of_rows,))
            qualify = compare("<=", over, number(draw.choice((1, 2))))
        return replace(statement, having=having, qualify=qualify)

    def _in_order(self, statement: Statement) -> Statement:
        draw = self.draw
        has_double = statement.returns_rows and any(i.expression.type == DOUBLE for i in statement.items)
        if self.scene.is_stream or has_double or draw.odds(0.7):
            return statement
        places = draw.sample(range(len(statement.items)), len(statement.items))
        order = tuple((place, draw.odds(0.3), draw.choice((None, None, True, False))) for place in places)
        return replace(statement, order=order, limit=draw.choice((None, 0, 1, 3, 10)))

    def _join(self) -> Statement:
        draw = self.draw
        places = [draw.choice((1, 2)) for _ in range(2)]
        tables, roles = [], []
        for prefix, place in zip("xy", places, strict=True):
            table = self.scene.tables[place]
            named = {column: Column(column.type, f"{prefix}.{column.name}") for column in table.columns}
            tables.append(replace(table, columns=tuple(named[column] for column in table.columns)))
            roles.append({role: named[column] for role, column in self.scene.roles[place].of.items()})
        left, right = roles
        shared = [
            role
            for role in ("k", "v", "w", "ok", "day", "ts", "price", "bytes", "span")
            if role in left and role in right
        ]
        keys = draw.sample(shared, draw.choice((1, 1, 2)))
        time = draw.choice(("ts", "ntz", "day"))
        self.roles = Roles(left)
        kind = draw.choice(list(JoinType))
        residual = compare(draw.choice(("<", "<>")), left["v"], right["v"]) if draw.odds(0.3) else None
        assigner = self._assigner(left[time], True)
        if isinstance(assigner, SessionWindows) and not isinstance(assigner.gap, int):
            assigner = replace(assigner, gap=5 * MINUTE)
        trigger = draw.choice((None, None, EventTime(), Purging(EventTime())))
        join = WindowJoin(
            kind,
            tables[0],
            tables[1],
            left[time],
            right[time],
            tuple((left[r], right[r]) for r in keys),
            draw.odds(0.2),
            residual,
        )
        one_side = kind in (JoinType.SEMI, JoinType.ANTI)
        columns = [*left.values(), *([] if one_side else right.values())]
        windowing = Windowing(assigner, trigger)
        shown: list[Expression] = [*draw.sample(columns, 3), *self._window_items(windowing, panes=False)]
        self.roles = Roles({})
        items = self._aliased(shown)
        items = tuple(Item(i.expression, i.alias or f"j{n}") for n, i in enumerate(items))
        self.roles = Roles(left)
        where = self._condition(1) if draw.odds(0.2) else None
        return Statement(join, windowing, items, where=where)


__all__ = ["ORDERED", "Scene", "draw_query", "draw_scene", "walk"]
