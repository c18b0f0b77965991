"""The text of a query, in one of the many ways to write it: case, quotes, comments, order of clauses, aliases."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from typing import Any

from differential.evaluate import LOOKUP, ONE
from differential.expressions import Column, Expression, WindowColumn, sql, walk
from differential.record import (
    CASE,
    QUOTED,
    SET_OPERATIONS,
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
from differential.values import DAY, HOUR, MINUTE, SECOND, STRING, day_time, literal
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

_GAPS = ("\n", "  ", " /* ) it's */ ", " -- SELECT (\n", "\t", " /**/ ", "\r\n")
_BARE = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*$")
_WORDS = frozenset(
    "select end from where order group window user table all as by on in interval timestamp date".upper().split()
)

ONE_TABLE = f"SELECT {ONE} AS c"
_LOOKUP_ROWS = ", ".join(f"('{key}', {number})" for key, number in LOOKUP)
LOOKUP_TABLE = f"SELECT * FROM VALUES {_LOOKUP_ROWS} AS v(lk, c)"


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def table_sql(table: Table) -> str:
    """A query that gives the table's rows, in their order."""
    names = ", ".join(quoted(column.name) for column in table.columns)
    if not table.rows:
        columns = ", ".join(f"{literal(c.type, None)} AS {quoted(c.name)}" for c in table.columns)
        return f"SELECT {columns} WHERE false"
    # the first row has the types: a literal of NULL has one here
    rows = [", ".join(literal(c.type, held) for c, held in zip(table.columns, row, strict=True)) for row in table.rows]
    lines = ",\n  ".join(f"({row})" for row in rows)
    return f"SELECT * FROM VALUES\n  {lines}\n  AS v({names})"


def text_of(query: Query, session: Session) -> tuple[str, ...]:
    """The query as SQL: one statement, or those that make a view and the one that reads it."""
    spell = Spelling(query.spelling, session)
    texts = [_statement(statement, spell) for statement in query.statements]
    return _AROUND[query.around](query, spell, *texts)


class Spelling:
    """Writes words and names; seed 0 does so plainly."""

    def __init__(self, seed: int, session: Session) -> None:
        self._random = random.Random(seed)
        self.is_plain = seed == 0
        self._any_case = not session.on(CASE)
        self._double = session.on(QUOTED)
        self.qualifier: str | None = None

    def chance(self, share: float) -> bool:
        return not self.is_plain and self._random.random() < share

    def choice(self, options: Iterable[str]) -> str:
        held = list(options)
        return held[0] if self.is_plain else self._random.choice(held)

    def shuffled(self, held: list[str]) -> list[str]:
        """In any order."""
        return held if self.is_plain else self._random.sample(held, len(held))

    def place(self, end: int) -> int:
        return end if self.is_plain else self._random.randint(0, end)

    def gap(self) -> str:
        return self._random.choice(_GAPS) if self.chance(0.15) else " "

    def word(self, words: str) -> str:
        written = self._cased(words) if self.chance(0.3) else words
        return self.gap().join(written.split(" "))

    def function(self, name: str) -> str:
        return self._cased(name) if self.chance(0.3) else name

    def name(self, name: str, *, exact: bool = False) -> str:
        """A name as it may be written; `exact` keeps its letters."""
        if not exact and self._any_case and _BARE.match(name) and self.chance(0.3):
            name = self._cased(name)
        if self._double and self.chance(0.4):
            return '"' + name.replace('"', '""') + '"'
        is_bare = _BARE.match(name) and name.upper() not in _WORDS
        return quoted(name) if not is_bare or self.chance(0.2) else name

    def column(self, name: str) -> str:
        return self._column(name, exact=False)

    def exact_column(self, name: str) -> str:
        return self._column(name, exact=True)

    def _column(self, name: str, *, exact: bool) -> str:
        if name.startswith(("x.", "y.")):
            return f"{name[0]}.{self.name(name[2:], exact=exact)}"
        written = self.name(name, exact=exact)
        return f"{self.qualifier}.{written}" if self.qualifier and self.chance(0.3) else written

    def plain_name(self, name: str) -> str:
        return self._cased(name) if self._any_case and self.chance(0.2) else name

    def output(self, name: str) -> str:
        return self.name(name)

    def _cased(self, words: str) -> str:
        kind = self._random.choice((str.lower, str.upper, str.title, str.swapcase))
        return kind(words)


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


def _window_clauses(statement: Statement, spell: Spelling, time: str) -> list[str]:
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


def _statement(statement: Statement, spell: Spelling) -> str:
    """The windowed SELECT."""
    w = spell.word
    if isinstance(statement.source, WindowJoin):
        spell.qualifier = None
        before, body = "", _join(statement.source, spell)
        pair = (statement.source.left_time, statement.source.right_time)
        time = f"({', '.join(sql(column, spell) for column in pair)})"
    else:
        before, body = _source(statement.source, spell, statement)
        time = sql(statement.windowing.assigner.time, spell)
    items = ", ".join(_item(item, spell) for item in statement.items)
    tail = []
    if statement.where is not None:
        tail.append(f"{w('WHERE')}{spell.gap()}{sql(statement.where, spell)}")
    if groups := _groups(statement, spell):
        tail.append(f"{w('GROUP BY')} {', '.join(groups)}")
    if statement.having is not None:
        tail.append(f"{w('HAVING')}{spell.gap()}{sql(statement.having, spell)}")
    if statement.qualify is not None:
        tail.append(f"{w('QUALIFY')} {sql(statement.qualify, spell)}")
    if statement.order:
        tail.append(f"{w('ORDER BY')} {', '.join(_order(statement, spell, *part) for part in statement.order)}")
    if statement.limit is not None:
        tail.append(f"{w('LIMIT')} {statement.limit}")
    if not statement.function:
        _insert(tail, _window_clauses(statement, spell, time), spell)
    return f"{before}{w('SELECT')}{spell.gap()}{items}\n{w('FROM')} {body}" + "".join(
        f"\n{spell.gap()}{clause}" for clause in tail
    )


def _insert(tail: list[str], clauses: list[str], spell: Spelling) -> None:
    """Window clauses in any order and at any place; plainly after WHERE."""
    if spell.is_plain:
        at = 1 if tail and tail[0].startswith("WHERE") else 0
        tail[at:at] = clauses
        return
    for clause in spell.shuffled(clauses):
        tail.insert(spell.place(len(tail)), clause)


def _groups(statement: Statement, spell: Spelling) -> list[str]:
    """By expression, alias or position; an alias that is a column of the source is that column."""
    if statement.returns_rows:
        return []
    columns = {c.name.lower() for c in getattr(statement.source, "columns", ())}
    found = []
    for key in statement.keys:
        forms = [sql(key, spell)]
        for place, item in enumerate(statement.items, 1):
            if item.expression == key:
                forms.append(str(place))
                if item.alias and item.alias.lower() not in columns:
                    forms.append(spell.output(item.alias))
        found.append(spell.choice(forms))
    if statement.function:
        shown = {part.name for part in walk(statement.items) if isinstance(part, WindowColumn)}
        windows = [spell.plain_name(name) for name in ("window_start", "window_end", *({"window_time"} & shown))]
        found = [*spell.shuffled(windows), *found]
    return found


def _order(statement: Statement, spell: Spelling, place: int, descends: bool, nulls_last: bool | None) -> str:
    item = statement.items[place]
    text = str(place + 1)
    if item.alias and spell.chance(0.5) and sum(i.alias == item.alias for i in statement.items) == 1:
        columns = {c.name.lower() for c in getattr(statement.source, "columns", ())}
        text = text if item.alias.lower() in columns else spell.output(item.alias)
    nulls = "" if nulls_last is None else spell.word(" NULLS LAST" if nulls_last else " NULLS FIRST")
    return text + (spell.word(" DESC") if descends else "") + nulls


def _item(item: Item, spell: Spelling) -> str:
    # the name of a bare column is the one that is written
    text = sql(item.expression, spell)
    if item.alias is None:
        return item.expression.name if hasattr(item.expression, "name") else text
    return f"{text} {spell.word('AS')} {spell.name(item.alias, exact=True)}"


def _join(join: WindowJoin, spell: Spelling) -> str:
    w = spell.word
    outer = join.type in (JoinType.LEFT, JoinType.RIGHT, JoinType.FULL)
    kinds = [join.type.value]
    if join.type is JoinType.INNER:
        kinds = ["INNER", ""]
    elif outer:
        kinds = [join.type.value, f"{join.type.value} OUTER"]
    else:
        kinds = [join.type.value, f"LEFT {join.type.value}"]
    equal = "<=>" if join.null_safe else "="
    conditions = [
        f"{sql(a, spell)} {equal} {sql(b, spell)}"
        if spell.is_plain or spell.chance(0.5)
        else f"{sql(b, spell)} {equal} {sql(a, spell)}"
        for a, b in join.keys
    ]
    if join.residual is not None:
        conditions.append(sql(join.residual, spell))
    kind = w(spell.choice(kinds))
    left, right = (f"{spell.name(t.name)} {w('AS')} {n}" for t, n in ((join.left, "x"), (join.right, "y")))
    on = f" {w('AND')} ".join(spell.shuffled(conditions))
    return f"{left} {kind} {w('WINDOW JOIN')} {right} {w('ON')} {on}"


def _source(source: Source, spell: Spelling, statement: Statement) -> tuple[str, str]:
    """WITH before the SELECT, and the FROM body."""
    w = spell.word
    spell.qualifier = None
    table = spell.name(source.table.name)
    condition = "" if source.condition is None else f" {w('WHERE')} {sql(source.condition, spell)}"
    inner = f"{w('SELECT')} * {w('FROM')} {table}{condition}"
    if source.shape is Shape.DOUBLED:
        inner += f" {w('UNION ALL')} {inner}"
    is_query = source.shape in (Shape.FILTERED, Shape.DOUBLED)
    before = ""
    if source.is_cte:
        before, table, is_query = f"{w('WITH')} src {w('AS')} ({inner})\n", "src", False
    if statement.function:
        return before, _function(statement, spell, f"({inner})" if is_query else table)
    alias = spell.choice(("q", "the_rows", "Ü1" if spell.chance(0) else "q1"))
    head = f"({inner})" if is_query else table
    if is_query or source.shape not in (Shape.TABLE, Shape.FILTERED, Shape.DOUBLED) or spell.chance(0.4):
        head += f" {w('AS')} {alias}"
        spell.qualifier = alias
    return before, head + _JOINED.get(source.shape, lambda spell, source: "")(spell, source)


def _looked_up(spell: Spelling, source: Source) -> str:
    name = next(column for column in source.table.columns if column.type == STRING)
    return f" {spell.word('JOIN')} lookup {spell.word('ON')} {sql(name, spell)} = lk"


_JOINED: dict[Shape, Callable[[Spelling, Source], str]] = {
    Shape.TIMES_ONE: lambda spell, source: ", one",
    Shape.CROSS_ONE: lambda spell, source: f" {spell.word('CROSS JOIN')} one",
    Shape.EXPLODED: lambda spell, source: f" {spell.word('LATERAL VIEW')} explode(array(1, 2)) e {spell.word('AS')} c",
    Shape.LATERAL: lambda spell, source: f", {spell.word('LATERAL')} explode(array(1, 2)) {spell.word('AS')} e(c)",
    Shape.LOOKED_UP: _looked_up,
}


def _function(statement: Statement, spell: Spelling, table: str) -> str:
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


def _outer(query: Query, spell: Spelling) -> str:
    spell.qualifier = None
    return "" if query.outer is None else f" {spell.word('WHERE')} {sql(query.outer, spell)}"


def _with(query: Query, spell: Spelling, text: str) -> tuple[str, ...]:
    w = spell.word
    return (f"{w('WITH')} result {w('AS')} (\n{text}\n)\n{w('SELECT')} * {w('FROM')} result{_outer(query, spell)}",)


def _subquery(query: Query, spell: Spelling, text: str) -> tuple[str, ...]:
    w = spell.word
    return (f"{w('SELECT')} * {w('FROM')} (\n{text}\n) {w('AS')} result{_outer(query, spell)}",)


def _view(query: Query, spell: Spelling, text: str) -> tuple[str, ...]:
    name = f"result_view_{query.spelling}"
    made = f"CREATE OR REPLACE TEMPORARY VIEW {name} AS\n{text}"
    return made, f"SELECT * FROM {name}{_outer(query, spell)}"


def _scalar(query: Query, spell: Spelling, text: str) -> tuple[str, ...]:
    return (f"SELECT (SELECT count(*) FROM (\n{text}\n) AS result{_outer(query, spell)}) AS n",)


def _cross(query: Query, spell: Spelling, text: str) -> tuple[str, ...]:
    return (f"SELECT result.*, one.c FROM (\n{text}\n) AS result CROSS JOIN one{_outer(query, spell)}",)


def _combined(query: Query, spell: Spelling, first: str, second: str) -> tuple[str, ...]:
    word = spell.word(query.around.value)
    is_bare = not getattr(query.statement.source, "is_cte", False) and spell.chance(0.5)
    return (f"{first}\n{word}\n{second}",) if is_bare else (f"({first})\n{word}\n({second})",)


_AROUND: dict[Around, Callable[..., tuple[str, ...]]] = {
    Around.NOTHING: lambda query, spell, text: (text,),
    Around.CTE: _with,
    Around.SUBQUERY: _subquery,
    Around.VIEW: _view,
    Around.SCALAR: _scalar,
    Around.CROSS: _cross,
    **dict.fromkeys(SET_OPERATIONS, _combined),
}

__all__ = ["Column", "Expression", "Spelling", "quoted", "table_sql", "text_of"]
