"""Window table functions as SQL text: each row of a table with the windows it belongs to, without state.

As in `native`, all of it is arithmetic on microseconds since the epoch, or where windows follow the clocks of a zone,
on what these show. Rows without a time belong to no window and are left out, as Flink's operator drops and counts them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from winsql.model.assigners import Assigner, CumulatingWindows, SlidingWindows, TumblingWindows
from winsql.model.local_windows import repeat_after
from winsql.model.query import INTERNAL_PREFIX, WindowQuery
from winsql.model.wall_clock import wall_clock
from winsql.planner.facts import ColumnFact
from winsql.planner.instants import epoch_sql, from_epoch_sql, instant_sql
from winsql.planner.local_sql import begins_sql, ends_sql, first_sql, second_sql, shown_sql

__all__ = ["FUNCTION_COLUMNS", "windowed_sql"]

FUNCTION_COLUMNS = ("window_start", "window_end", "window_time")
"""The columns that a window table function adds, in order."""

_EDGE = INTERNAL_PREFIX + "edge"
_SHOWN = INTERNAL_PREFIX + "shown"
_STEPS = tuple(INTERNAL_PREFIX + name for name in ("start", "end", "first", "last", "again", "begin", "finish"))
_START, _END, _FIRST, _LAST, _AGAIN, _BEGIN, _FINISH = _STEPS
_ZONED = ColumnFact("timestamp", None)


def windowed_sql(query: WindowQuery, time: ColumnFact | None) -> str:
    """The query that gives the rows of `query.source` with the columns of their windows.

    time   type of the time column; None for PROCTIME(), the moment at which a query, or a micro-batch, begins
    """
    attribute = query.spec.assigner.time
    assert attribute is not None
    fact = time or _ZONED
    if time is None:
        micros = "unix_micros(current_timestamp())"
    else:
        micros = epoch_sql(instant_sql(attribute.expressions[0], time), time)
    shift = 0 if attribute.zone is None else wall_clock(attribute.zone).fixed
    if shift is None:
        assert attribute.zone is not None
        return _local_sql(query, micros, attribute.zone)
    bounds = _BOUNDS[type(query.spec.assigner)](query.spec.assigner, f"({micros} + {shift}L)" if shift else micros)
    back = f" - {shift}L" if shift else ""
    edges = (f"{bounds.start}{back}", f"{bounds.end}{back}", f"{bounds.end}{back} - 1L")
    columns = (f"{from_epoch_sql(edge, fact)} AS {name}" for edge, name in zip(edges, FUNCTION_COLUMNS, strict=True))
    star = "*" if bounds.generator is None else f"* EXCEPT ({_EDGE})"
    text = f"SELECT {', '.join([star, *columns])}\nFROM {query.source}"
    if bounds.generator is not None:  # of a row without a time it makes none
        return f"{text}\nLATERAL VIEW explode({bounds.generator}) {_EDGE}s AS {_EDGE}"
    return text if time is None else f"{text}\nWHERE ({attribute.expressions[0]}) IS NOT NULL"


def _local_sql(query: WindowQuery, micros: str, zone: str) -> str:
    """The same in windows over what the clocks of a zone show, step by step, so that each value is written once."""
    assigner, time = query.spec.assigner, query.spec.assigner.time
    assert time is not None
    bounds = _BOUNDS[type(assigner)](assigner, _SHOWN)
    text = f"SELECT *, {shown_sql(micros, zone)} AS {_SHOWN} FROM {query.source}"
    if time.is_event:
        text += f" WHERE {time.expressions[0]} IS NOT NULL"
    text = f"SELECT *, {bounds.start} AS {_START}, {bounds.end} AS {_END} FROM (\n{text}\n)"
    if bounds.generator is not None:
        text += f" LATERAL VIEW explode({bounds.generator}) {_EDGE}s AS {_EDGE}"
    before = f"({_END} - 1L)"
    instants = {_FIRST: first_sql(_START, zone), _LAST: first_sql(before, zone), _AGAIN: second_sql(before, zone)}
    text = f"SELECT *, {_named(instants)} FROM (\n{text}\n)"
    instants = {_BEGIN: begins_sql(_START, _FIRST, zone), _FINISH: ends_sql(_END, _LAST, _AGAIN, zone)}
    text = f"SELECT *, {_named(instants)} FROM (\n{text}\n)"
    own = [_SHOWN, *([] if bounds.generator is None else [_EDGE]), *_STEPS]
    edges = (_BEGIN, _FINISH, f"{_FINISH} - 1L")
    columns = (f"{from_epoch_sql(at, _ZONED)} AS {name}" for at, name in zip(edges, FUNCTION_COLUMNS, strict=True))
    return f"SELECT * EXCEPT ({', '.join(own)}), {', '.join(columns)}\nFROM (\n{text}\n){_once(assigner, zone)}"


def _named(columns: dict[str, str]) -> str:
    return ", ".join(f"{sql} AS {name}" for name, sql in columns.items())


def _once(assigner: Assigner, zone: str) -> str:
    """Leaves out windows that are the same among the instants as the one after them: see `LocalWindows.repeated`.

    Those are windows whose bounds clocks skip until past the bounds of the next one.
    """
    step = repeat_after(assigner)
    if step is None:
        return ""
    begin_step, end_step = step
    same = f"{shown_sql(_FINISH, zone)} >= {_END} + {end_step}L"
    if begin_step:
        same = f"{shown_sql(_BEGIN, zone)} >= {_START} + {begin_step}L AND {same}"
    else:
        assert isinstance(assigner, CumulatingWindows)
        same = f"{_END} - {_START} < {assigner.size}L AND {same}"
    return f"\nWHERE NOT ({same})"


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Start and end of a window in microseconds; with a generator in terms of the array element it makes, `_EDGE`."""

    start: str
    end: str
    generator: str | None = None


def _tumble(assigner: Assigner, micros: str) -> _Bounds:
    assert isinstance(assigner, TumblingWindows)
    start = _floor(micros, assigner.size, assigner.offset)
    return _Bounds(start, f"{start} + {assigner.size}L")


def _hop(assigner: Assigner, micros: str) -> _Bounds:
    """One row per start, the newest first; none where the slide is longer than the size and leaves a gap."""
    assert isinstance(assigner, SlidingWindows)
    size, slide = assigner.size, assigner.slide
    newest = _floor(micros, slide, assigner.offset)
    most = -(-size // slide)
    starts = f"sequence({newest}, {newest} - {(most - 1) * slide}L, -{slide}L)" if most > 1 else f"array({newest})"
    if size % slide:
        starts = f"filter({starts}, {_EDGE} -> {_EDGE} > {micros} - {size}L)"
    elif most == 1:
        starts = f"sequence({newest}, {newest}, 1L)"  # of NULL it makes NULL, and array(NULL) one element
    return _Bounds(_EDGE, f"{_EDGE} + {size}L", starts)


def _cumulate(assigner: Assigner, micros: str) -> _Bounds:
    """One row per end; the end tells the start."""
    assert isinstance(assigner, CumulatingWindows)
    size, step, offset = assigner.size, assigner.step, assigner.offset
    first = f"{_floor(micros, step, offset)} + {step}L"
    last = f"{_floor(micros, size, offset)} + {size}L"
    return _Bounds(_floor(f"{_EDGE} - 1L", size, offset), _EDGE, f"sequence({first}, {last}, {step}L)")


_BOUNDS: dict[type[Assigner], Callable[[Assigner, str], _Bounds]] = {
    TumblingWindows: _tumble,
    SlidingWindows: _hop,
    CumulatingWindows: _cumulate,
}


def _floor(micros: str, step: int, offset: int) -> str:
    """The last multiple of `step`, counted from `offset`, that is not behind `micros`; right for negative times too."""
    return f"{micros} - pmod({micros} - {offset}L, {step}L)"
