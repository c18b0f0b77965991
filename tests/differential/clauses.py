"""Window clauses and Flink SQL's table functions as SQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from differential.expressions import sql
from differential.record import (
    Statement,
)
from differential.spelling import Spelling
from differential.values import DAY, HOUR, MINUTE, SECOND, day_time
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
    Global,
    KeepLast,
    KeepNear,
    KeepNewest,
    Purging,
    Sliding,
    Tumbling,
    When,
)
from differential.windows import (
    Session as SessionWindows,
)


def duration(micros: int, spell: Spelling, *, strings: bool = True) -> str:
    """An interval in one of its forms."""
    unit, name = next((u, n) for u, n in _UNITS if micros % u == 0)
    number = micros // unit
    if unit == 1:
        return f"INTERVAL '{micros}' MICROSECOND" if number < 0 else f"{spell.word('INTERVAL')} {number} MICROSECONDS"
    if number < 0:
        return f"INTERVAL '{number}' {spell.word(name)}"
    forms = [
        f"INTERVAL {number} {name}S",
        f"INTERVAL '{number}' {name}",
        f"{spell.word('INTERVAL')} {number} {spell.word(name)}",
        day_time(micros),
    ]
    return spell.choice([*forms, f"'{number} {name.lower()}s'"] if strings else forms)


_UNITS = ((DAY, "DAY"), (HOUR, "HOUR"), (MINUTE, "MINUTE"), (SECOND, "SECOND"), (1, "MICROSECOND"))


def _arguments(spell: Spelling, *arguments: tuple[str, str | None], own: tuple[str, str] | None = None) -> str:
    """Positional ones first, named ones after them; None leaves one out."""
    given = [(name, held) for name, held in arguments if held is not None]
    positional = len(given) if not spell.chance(0.35) else spell.place(len(given))
    texts = [held for _, held in given[:positional]]
    named = [f"{spell.function(name)} => {held}" for name, held in given[positional:]]
    if own is not None:
        named.append(f"{spell.function(own[0])} => {own[1]}")
    return ", ".join([*texts, *spell.shuffled(named)])


def _assigner(assigner: Assigner, spell: Spelling, time: str) -> str:
    return _ASSIGNERS[type(assigner)](assigner, spell, time)


def _named(name: str, *parts: str) -> Callable[[Any, Spelling, str], str]:
    def write(assigner: Any, spell: Spelling, time: str) -> str:
        held = [(part, duration(getattr(assigner, part), spell)) for part in parts]
        offset = duration(assigner.offset, spell) if assigner.offset else None
        return f"{spell.function(name)}({_arguments(spell, ('time', time), *held, ('offset', offset))})"

    return write


def _session(assigner: SessionWindows, spell: Spelling, time: str) -> str:
    gap = duration(assigner.gap, spell) if isinstance(assigner.gap, int) else sql(assigner.gap, spell)
    return f"{spell.function('SESSION')}({_arguments(spell, ('time', time), ('gap', gap))})"


def _count(assigner: Count, spell: Spelling, time: str) -> str:
    slide = None if assigner.slide is None else str(assigner.slide)
    given = _arguments(spell, ("n", str(assigner.n)), ("slide", slide), own=("time", time))
    return f"{spell.function('COUNT')}({given})"


_ASSIGNERS: dict[type, Callable[[Any, Spelling, str], str]] = {
    Tumbling: _named("TUMBLING", "size"),
    Sliding: _named("SLIDING", "size", "slide"),
    Cumulating: _named("CUMULATING", "size", "step"),
    SessionWindows: _session,
    Count: _count,
    Global: lambda assigner, spell, time: f"{spell.function('GLOBAL')}({time})",
}


def _trigger(trigger: Any, spell: Spelling) -> str:
    name = {
        EventTime: "EVENT_TIME",
        EndOfStream: "END_OF_STREAM",
        CountTrigger: "COUNT",
        Continuous: "CONTINUOUS_EVENT_TIME",
        Delta: "DELTA",
        When: "WHEN",
        Purging: "PURGING",
        AnyOf: "ANY",
    }[type(trigger)]
    return f"{spell.function(name)}({_TRIGGERS[type(trigger)](trigger, spell)})"


_TRIGGERS: dict[type, Callable[[Any, Spelling], str]] = {
    EventTime: lambda trigger, spell: "",
    EndOfStream: lambda trigger, spell: "",
    CountTrigger: lambda trigger, spell: _arguments(spell, ("n", str(trigger.n))),
    Continuous: lambda trigger, spell: _arguments(spell, ("interval", duration(trigger.interval, spell))),
    Delta: lambda t, spell: _arguments(spell, ("expr", sql(t.of, spell)), ("threshold", str(t.threshold))),
    When: lambda trigger, spell: _arguments(spell, ("predicate", sql(trigger.condition, spell))),
    Purging: lambda trigger, spell: _arguments(spell, ("trigger", _trigger(trigger.trigger, spell))),
    AnyOf: lambda trigger, spell: ", ".join(_trigger(t, spell) for t in trigger.triggers),
}


def _evictor(evictor: Any, spell: Spelling) -> str:
    if isinstance(evictor, KeepLast):
        return f"{spell.function('COUNT')}({evictor.n})"
    if isinstance(evictor, KeepNewest):
        return f"{spell.function('TIME')}({duration(evictor.age, spell)})"
    assert isinstance(evictor, KeepNear)
    return f"{spell.function('DELTA')}({sql(evictor.of, spell)}, {evictor.threshold})"


def window_clauses(statement: Statement, spell: Spelling, time: str) -> list[str]:
    windowing, w = statement.windowing, spell.word
    assign = f"{w('WINDOW ASSIGN')} {_assigner(windowing.assigner, spell, time)}"
    if statement.returns_rows and statement.keys:
        assign += f" {w('PARTITION BY')} {', '.join(sql(key, spell) for key in statement.keys)}"
    clauses = [assign]
    if windowing.trigger is not None:
        clauses.append(f"{w(spell.choice(('TRIGGER', 'WINDOW TRIGGER')))} {_trigger(windowing.trigger, spell)}")
    if windowing.evictor is not None:
        after = w(" AFTER") if windowing.after else spell.choice(("", " BEFORE"))
        clauses.append(f"{w(spell.choice(('EVICT', 'WINDOW EVICT')))} {_evictor(windowing.evictor, spell)}{after}")
    if windowing.lateness is not None:
        clauses.append(f"{w('ALLOWED LATENESS')} {duration(windowing.lateness, spell)}")
    return clauses


def function_sql(statement: Statement, spell: Spelling, table: str) -> str:
    """One of Flink SQL's table functions."""
    assigner, w = statement.windowing.assigner, spell.word
    data = f"{w('TABLE')} {table}"
    if isinstance(assigner, SessionWindows) and statement.keys:
        data += f" {w('PARTITION BY')} ({', '.join(sql(key, spell) for key in statement.keys)})"
    time = f"{w('DESCRIPTOR')}({sql(assigner.time, spell)})"  # type: ignore[arg-type]
    name, parts = _FLINK[type(assigner)]
    held: list[tuple[str, str | None]] = [("data", data), ("timecol", time)]
    held += [(part, duration(getattr(assigner, part), spell, strings=False)) for part in parts]
    if getattr(assigner, "offset", 0):
        held.append(("offset", duration(assigner.offset, spell, strings=False)))  # type: ignore[union-attr]
    call = f"{spell.function(name)}({_arguments(spell, *held)})"
    return f"{w('TABLE')}({call})" if spell.is_plain or spell.chance(0.6) else call


_FLINK: dict[type, tuple[str, tuple[str, ...]]] = {
    Tumbling: ("TUMBLE", ("size",)),
    Sliding: ("HOP", ("slide", "size")),
    Cumulating: ("CUMULATE", ("step", "size")),
    SessionWindows: ("SESSION", ("gap",)),
}
