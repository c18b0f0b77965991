"""Random expressions and window clauses over the columns of a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from differential.expressions import (
    Aggregate,
    Call,
    Column,
    Expression,
    Literal,
    compare,
    field,
    number,
    struct,
)
from differential.scenes import WORDS, Draw, Roles
from differential.values import (
    BIGINT,
    BOOLEAN,
    DATE,
    DAY,
    DOUBLE,
    INT,
    MINUTE,
    SECOND,
    STRING,
    TIMESTAMP,
    array_of,
    decimal,
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

LACKING = frozenset({"first_known"})
"""Aggregates that a stream does not take."""


class Parts:
    """Draws expressions and window clauses over the columns of a source.

    extra     the column that a join or an explosion adds
    ordered   whether the order of rows is known
    """

    def __init__(self, draw: Draw, *, is_stream: bool) -> None:
        self.draw = draw
        self.is_stream = is_stream
        self.roles = Roles({})
        self.extra: Column | None = None
        self.ordered = True

    def windowing(self, is_function: bool) -> Windowing:
        draw = self.draw
        time = self.roles.of["ts"] if self.is_stream else self.roles.of[draw.choice(("ts", "ts", "ntz", "day"))]
        assigner = self.assigner(time, is_function)
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

    def assigner(self, time: Column, is_function: bool) -> Assigner:
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
            return Cumulating(time, size * steps, size, offset(size * steps))
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
            draw.choice((self.condition(1), compare(">", Aggregate(BIGINT, "sum", (self.roles.of["v"],)), number(4))))
        )
        if isinstance(assigner, SessionWindows):
            options: list[Trigger] = [EventTime(), count, Purging(count), Purging(EventTime()), when]
        elif isinstance(assigner, Global):
            options = [EndOfStream(), count, delta, when, Purging(count), Purging(delta), AnyOf((count, delta))]
            if self.is_stream:
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

    def condition(self, depth: int) -> Expression:
        """A predicate over a row."""
        draw, of = self.draw, self.roles.of
        if depth > 1 and draw.odds(0.3):
            return Call(BOOLEAN, draw.choice(("AND", "OR")), (self.condition(depth - 1), self.condition(depth - 1)))
        options: list[Expression] = [
            of["ok"],
            of["ok"],
            of["ok"],
            Literal(BOOLEAN, True),
            Call(BOOLEAN, "NOT", (of["ok"],)),
            compare(draw.choice(("<", ">=", "<>", "=", "<=>")), self.integer(), number(draw.randrange(-1, 5))),
            compare(draw.choice(("=", "<>", "<")), of["k"], Literal(STRING, draw.choice(WORDS))),
            Call(BOOLEAN, draw.choice(("IS NULL", "IS NOT NULL")), (draw.choice([of["k"], of["v"], of["ts"]]),)),
            Call(BOOLEAN, "IN", (of["v"], number(1), number(2), number(5))),
        ]
        return draw.choice(options)

    def integer(self) -> Expression:
        draw, of = self.draw, self.roles.of
        options: list[Expression] = [of["v"], of["v"], of["v"]]
        options += [Call(INT, draw.choice("+-*"), (of["v"], number(draw.randrange(1, 4))))]
        options += [Call(INT, "%", (of["v"], number(3))), Call(INT, "length", (of["k"],))]
        options += [Call(INT, "coalesce", (of["v"], number(0)))]
        options += [Call(INT, "CASE", (of["ok"], of["v"], number(1)))]
        if self.extra is not None:
            options += [self.extra, Call(INT, "+", (of["v"], self.extra))]
        return draw.choice(options)

    def result(self) -> Expression:
        """An aggregate, or an expression over some."""
        draw, of = self.draw, self.roles.of
        options: list[Callable[[], Expression]] = [
            self._aggregate,
            self._aggregate,
            self._aggregate,
            lambda: Call(BIGINT, "+", (Aggregate(BIGINT, "sum", (self.integer(),)), number(1))),
            lambda: Call(BIGINT, "coalesce", (Aggregate(BIGINT, "sum", (of["v"],)), number(0))),
            lambda: Call(INT, "-", (Aggregate(INT, "max", (of["v"],)), Aggregate(INT, "min", (of["v"],)))),
            lambda: compare(">", Aggregate(BIGINT, "count", ()), number(2)),
            lambda: Call(BIGINT, "*", (Aggregate(BIGINT, "count", (of["k"],)), number(2))),
        ]
        if not self.is_stream:
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
            call = replace(call, filter=self.condition(1))
        return call

    def _calls(self) -> list[Aggregate]:
        of, integer = self.roles.of, self.integer()
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
            Aggregate(BIGINT, "count_if", (self.condition(1),)),
            Aggregate(BOOLEAN, "bool_or", (of["ok"],)),
            Aggregate(BOOLEAN, "bool_and", (self.condition(1),)),
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
        lacking = LACKING if self.is_stream else frozenset()
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
        if not self.is_stream:
            pair = struct(of["v"], of["k"])
            calls.append(Aggregate(array_of(pair.type), "collect_list", (pair,)))
        return calls
