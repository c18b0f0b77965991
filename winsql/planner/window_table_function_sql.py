"""Window table functions as SQL text: each row of a table with the windows it belongs to, without state.

All of it is arithmetic on microseconds since the epoch (see `time_sql`) or, where windows follow the clocks of a zone,
on what these show. Rows without a time belong to no window and are left out, as Flink's operator drops and counts them.
"""

from __future__ import annotations

from winsql.model.assigners import Assigner
from winsql.model.query import FUNCTION_COLUMNS, INTERNAL_PREFIX, WindowQuery
from winsql.model.wall_clock import wall_clock
from winsql.planner.facts import ColumnFact
from winsql.planner.time_sql import epoch_sql, from_epoch_sql, instant_sql
from winsql.planner.wall_clock_sql import begins_sql, ends_sql, first_sql, second_sql, shown_sql
from winsql.planner.window_sql import arithmetic

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
    form = arithmetic(query.spec.assigner)
    windows = form.windows(f"({micros} + {shift}L)" if shift else micros)
    start, end = form.bounds(windows.first if windows.is_single else _EDGE)
    back = f" - {shift}L" if shift else ""
    edges = (f"{start}{back}", f"{end}{back}", f"{end}{back} - 1L")
    columns = (f"{from_epoch_sql(edge, fact)} AS {name}" for edge, name in zip(edges, FUNCTION_COLUMNS, strict=True))
    star = "*" if windows.is_single else f"* EXCEPT ({_EDGE})"
    text = f"SELECT {', '.join([star, *columns])}\nFROM {query.source}"
    if not windows.is_single:  # of a row without a time it makes none
        return f"{text}\nLATERAL VIEW explode({windows.every}) {_EDGE}s AS {_EDGE}"
    return text if time is None else f"{text}\nWHERE ({attribute.expressions[0]}) IS NOT NULL"


def _local_sql(query: WindowQuery, micros: str, zone: str) -> str:
    """The same in windows over what the clocks of a zone show, step by step, so that each value is written once."""
    assigner, time = query.spec.assigner, query.spec.assigner.time
    assert time is not None
    form = arithmetic(assigner)
    windows = form.windows(_SHOWN)
    start, end = form.bounds(windows.first if windows.is_single else _EDGE)
    text = f"SELECT *, {shown_sql(micros, zone)} AS {_SHOWN} FROM {query.source}"
    if time.is_event:
        text += f" WHERE {time.expressions[0]} IS NOT NULL"
    text = f"SELECT *, {start} AS {_START}, {end} AS {_END} FROM (\n{text}\n)"
    if not windows.is_single:
        text += f" LATERAL VIEW explode({windows.every}) {_EDGE}s AS {_EDGE}"
    before = f"({_END} - 1L)"
    instants = {_FIRST: first_sql(_START, zone), _LAST: first_sql(before, zone), _AGAIN: second_sql(before, zone)}
    text = f"SELECT *, {_named(instants)} FROM (\n{text}\n)"
    instants = {_BEGIN: begins_sql(_START, _FIRST, zone), _FINISH: ends_sql(_END, _LAST, _AGAIN, zone)}
    text = f"SELECT *, {_named(instants)} FROM (\n{text}\n)"
    own = [_SHOWN, *([] if windows.is_single else [_EDGE]), *_STEPS]
    edges = (_BEGIN, _FINISH, f"{_FINISH} - 1L")
    columns = (f"{from_epoch_sql(at, _ZONED)} AS {name}" for at, name in zip(edges, FUNCTION_COLUMNS, strict=True))
    return f"SELECT * EXCEPT ({', '.join(own)}), {', '.join(columns)}\nFROM (\n{text}\n){_once(assigner, zone)}"


def _named(columns: dict[str, str]) -> str:
    return ", ".join(f"{sql} AS {name}" for name, sql in columns.items())


def _once(assigner: Assigner, zone: str) -> str:
    """A WHERE that leaves out windows whose bounds are the same instants as those of the next window.

    Clocks skip their bounds, and with them those of the next window: see `LocalWindows.repeated`.
    """
    repeat = assigner.repeat()
    if repeat is None:
        return ""
    same = f"{shown_sql(_FINISH, zone)} >= {_END} + {repeat.end}L"
    if repeat.start:
        same = f"{shown_sql(_BEGIN, zone)} >= {_START} + {repeat.start}L AND {same}"
    if repeat.below is not None:
        same = f"{_END} - {_START} < {repeat.below}L AND {same}"
    return f"\nWHERE NOT ({same})"
