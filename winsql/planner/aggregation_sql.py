"""Aggregation by Spark alone, as SQL: a query over keys and windows that replaces the FROM body of a windowed SELECT.

All of it is arithmetic on microseconds since the epoch (see `time_sql`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from winsql.errors import WindowDataError
from winsql.model.assigners import SessionWindows
from winsql.model.base import LONGEST
from winsql.model.query import (
    INTERNAL_PREFIX,
    PANE_INDEX,
    PANE_TIMING,
    WINDOW_END,
    WINDOW_START,
    WINDOW_TIME,
    Constant,
    KeyColumn,
    WindowQuery,
)
from winsql.planner.facts import ColumnFact, Facts
from winsql.planner.plan import Strategy
from winsql.planner.time_sql import epoch_sql, from_epoch_sql, instant_sql
from winsql.planner.window_sql import FixedSize, arithmetic
from winsql.syntax.text.compose import clause, column, conjunction

_WINDOW = INTERNAL_PREFIX + "window"
_MERGED = INTERNAL_PREFIX + "session"
_DAY = 86_400_000_000


def native_sql(query: WindowQuery, facts: Facts, strategy: Strategy) -> str:
    """A query with the key, aggregate and window columns of each window; it reads the source as the user wrote it."""
    assert facts.time is not None
    windows = _WINDOWS[strategy](query, facts.time)
    keys = [column(key.sql, key.column) for key in query.keys]
    calls = [column(call.sql, call.column) for call in query.aggregates]
    groups = [*map(_grouping, query.keys), windows.group]
    condition = conjunction(query.where, windows.condition)
    inner = f"SELECT {', '.join([*keys, *calls, f'{windows.group} AS {_WINDOW}'])}\nFROM {query.source}"
    if windows.generator:
        inner += f"\nLATERAL VIEW {windows.generator}"
    if condition:
        inner += f"\n{clause('WHERE', condition)}"
    inner += f"\nGROUP BY {', '.join(groups)}"
    names = [*(key.column for key in query.keys), *(call.column for call in query.aggregates)]
    columns = [
        *names,
        f"{windows.start} AS {WINDOW_START}",
        f"{windows.end} AS {WINDOW_END}",
        f"timestampadd(MICROSECOND, -1, {windows.end}) AS {WINDOW_TIME}",
        f"0L AS {PANE_INDEX}",
        f"'ON_TIME' AS {PANE_TIMING}",
    ]
    return f"SELECT {', '.join(columns)}\nFROM (\n{inner}\n){windows.view}"


def sql_string(text: str) -> str:
    """A string as SQL that reads the same whether or not the session's strings know escapes."""
    pieces = re.split(r"(['\\\n])", text)
    parts = [
        f"char({ord(piece)})" if n % 2 else f"'{piece}'" for n, piece in enumerate(pieces) if piece or len(pieces) == 1
    ]
    return parts[0] if len(parts) == 1 else f"concat({', '.join(parts)})"


class _Windows:
    """The SQL of one kind of window; `start` and `end` read the grouped column, or what `view` makes of it."""

    def __init__(
        self, group: str, start: str = f"{_WINDOW}.start", end: str = f"{_WINDOW}.`end`", condition: str | None = None
    ) -> None:
        self.group = group
        self.start = start
        self.end = end
        self.condition = condition
        self.generator: str | None = None
        self.view = ""


def _window(query: WindowQuery, fact: ColumnFact) -> _Windows:
    form = arithmetic(query.spec.assigner)
    assert isinstance(form, FixedSize)
    time = _time(query, fact)
    period, offset = _micros(form.slide), _micros(form.offset)
    if form.slide <= form.size:
        return _Windows(f"window({time}, {_micros(form.size)}, {period}, {offset})")
    # window() knows no gaps between windows: only rows in the first part of each slide are in one
    inside = form.is_inside(epoch_sql(time, fact))
    end = f"timestampadd(MICROSECOND, {form.size}L, {_WINDOW}.start)"
    return _Windows(f"window({time}, {period}, {period}, {offset})", end=end, condition=inside)


def _session(query: WindowQuery, fact: ColumnFact) -> _Windows:
    """The sessions, taken through a generator, which Spark's optimizer does not look through.

    Without one Spark 4.3 merges this aggregation with one around it that groups by the start of the sessions, and then
    groups by the window of each row instead.
    """
    windows = _Windows(_session_group(query, fact), f"{_MERGED}.start", f"{_MERGED}.`end`")
    windows.view = f"\nLATERAL VIEW explode(array({_WINDOW})) {_MERGED}s AS {_MERGED}"
    return windows


def _session_group(query: WindowQuery, fact: ColumnFact) -> str:
    assigner = query.spec.assigner
    assert isinstance(assigner, SessionWindows)
    time = _time(query, fact)
    if isinstance(assigner.gap, int):
        return f"session_window({time}, {_micros(assigner.gap)})"
    gap = assigner.gap.sql
    longest = f"make_dt_interval({LONGEST // _DAY})"
    is_good = f"({gap}) > INTERVAL '0' SECOND AND ({gap}) <= {longest} OR ({time}) IS NULL"
    is_long = f"({gap}) > {longest} THEN {_bad_gap(query, gap, 'longer than 10,000,000 days')}"
    checked = f"CASE WHEN {is_good} THEN ({gap}) WHEN {is_long} ELSE {_bad_gap(query, gap, 'NULL or not positive')} END"
    seconds = f"CAST(CAST({checked} AS INTERVAL SECOND) AS DECIMAL(18, 6))"
    return f"session_window({time}, make_interval(0, 0, 0, 0, 0, 0, {seconds}))"


def _bad_gap(query: WindowQuery, gap: str, problem: str) -> str:
    span = next(operand.span for operand in query.operands if operand.sql == gap)
    error = WindowDataError(
        f"SESSION: the gap {query.text[span.start : span.end]} of a row is {problem}",
        rule="a dynamic session gap must be positive for every row, and 10,000,000 days at most",
        hint="give a smallest gap with GREATEST, or leave such rows out with WHERE",
    )
    said, _, rest = str(error.located(query.text, span)).partition("\n")
    parts = [sql_string(f"{WindowDataError.__name__}: {said}")]
    for index, key in enumerate(query.keys):
        parts.append(sql_string(f"{', ' if index else ' (key: '}{key.text} = "))
        parts.append(f"coalesce(CAST({key.sql} AS STRING), 'NULL')")
    time = query.spec.assigner.time
    assert time is not None
    parts.append(sql_string(", time: " if query.keys else " (time: "))
    parts.append(f"coalesce(CAST({time.expressions[0]} AS STRING), 'NULL')")
    parts.append(sql_string(f")\n{rest}"))
    return f"raise_error(concat({', '.join(parts)}))"


def _exploded(query: WindowQuery, fact: ColumnFact) -> _Windows:
    """Each row once for every window it belongs to."""
    form = arithmetic(query.spec.assigner)
    start, end = (from_epoch_sql(bound, fact) for bound in form.bounds(_WINDOW))
    windows = _Windows(f"{_WINDOW}_end", start=start, end=end)
    every = form.windows(epoch_sql(_time(query, fact), fact)).every
    windows.generator = f"explode({every}) {_WINDOW}_ends AS {_WINDOW}_end"
    return windows


_WINDOWS: dict[Strategy, Callable[[WindowQuery, ColumnFact], _Windows]] = {
    Strategy.WINDOW: _window,
    Strategy.SESSION_WINDOW: _session,
    Strategy.EXPLODE: _exploded,
}


def _time(query: WindowQuery, fact: ColumnFact) -> str:
    time = query.spec.assigner.time
    assert time is not None
    return instant_sql(time.expressions[0], fact)


def _micros(duration: int) -> str:
    return f"'{duration} microseconds'"


def _grouping(key: KeyColumn) -> str:
    """A key in GROUP BY, where a bare number, or a parameter that has one, would be a position in the select list."""
    if key.constant is Constant.PARAMETER:
        return f"coalesce({key.sql})"
    return f"CAST({key.sql} AS INT)" if key.constant is Constant.NUMBER else key.sql
