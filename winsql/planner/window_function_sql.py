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
from winsql.planner.facts import ColumnFact
from winsql.planner.instants import epoch_sql, from_epoch_sql, instant_sql
from winsql.planner.local_sql import begins_sql, ends_sql, shown_sql

__all__ = ["FUNCTION_COLUMNS", "windowed_sql"]

FUNCTION_COLUMNS = ("window_start", "window_end", "window_time")
"""The columns that a window table function adds, in order."""

_EDGE = INTERNAL_PREFIX + "edge"
_SHOWN = INTERNAL_PREFIX + "shown"
_START, _END = INTERNAL_PREFIX + "start", INTERNAL_PREFIX + "end"
_BEGIN, _FINISH = INTERNAL_PREFIX + "begin", INTERNAL_PREFIX + "finish"
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
    if attribute.zone is not None:
        return _local_sql(query, micros, attribute.zone)
    bounds = _BOUNDS[type(query.spec.assigner)](query.spec.assigner, micros)
    edges = (bounds.start, bounds.end, f"{bounds.end} - 1L")
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
    known = f" WHERE {time.expressions[0]} IS NOT NULL" if time.is_event else ""
    view, edge = (
        ("", ())
        if bounds.generator is None
        else (f" LATERAL VIEW explode({bounds.generator}) {_EDGE}s AS {_EDGE}", (_EDGE,))
    )
    shown = f"SELECT *, {shown_sql(micros, zone)} AS {_SHOWN} FROM {query.source}{known}"
    windows = f"SELECT *, {bounds.start} AS {_START}, {bounds.end} AS {_END} FROM (\n{shown}\n){view}"
    found = (
        f"SELECT *, {begins_sql(_START, zone)} AS {_BEGIN}, {ends_sql(_END, zone)} AS {_FINISH} FROM (\n{windows}\n)"
    )
    edges = (_BEGIN, _FINISH, f"{_FINISH} - 1L")
    columns = (f"{from_epoch_sql(at, _ZONED)} AS {name}" for at, name in zip(edges, FUNCTION_COLUMNS, strict=True))
    star = f"* EXCEPT ({', '.join((_SHOWN, *edge, _START, _END, _BEGIN, _FINISH))})"
    return f"SELECT {', '.join([star, *columns])}\nFROM (\n{found}\n){_once(assigner, zone)}"


def _once(assigner: Assigner, zone: str) -> str:
    """Leaves out windows that are the same among the instants as the one after them: see `LocalWindows.repeated`."""
    step = repeat_after(assigner)
    if step is None:
        return ""
    begin_step, end_step = step
    same = f"{ends_sql(f'({_END} + {end_step}L)', zone)} = {_FINISH}"
    if begin_step:
        same = f"{begins_sql(f'({_START} + {begin_step}L)', zone)} = {_BEGIN} AND {same}"
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
