"""What the window operator does with some rows, step by step: a run of the operator itself that is written down."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from winsql.errors import WindowPlanError
from winsql.model.base import ROW_ID, TIMESTAMP, PaneTiming, Row, Window
from winsql.model.query import WindowSpec
from winsql.runtime.aggregates import Aggregate
from winsql.runtime.contents import Contents, accumulate
from winsql.runtime.operator import WindowOperator
from winsql.runtime.state import Pane

_MOST_WINDOWS = 20_000
"""More cannot be seen in a picture."""
Key = tuple[Any, ...]
Moment = int
"""When something happened: while the row of that number came, or was followed by the watermark it caused."""
END = -1
"""The moment after the last row: the input has ended, and the watermark with it."""


@dataclass(slots=True)
class TracedRow:
    """A row: its number in order of arrival, its event time (None without one), whether it came too late."""

    number: int
    key: Key
    time: int | None
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class Firing:
    """One firing: when, of which window, with which rows and results.

    number    its place among all firings
    timer     time of the timer that fired the window, None when a row did
    rows      numbers of the rows that the firing saw
    results   of the query's aggregates, those that winsql computes
    evicted   numbers of the rows that the evictor took out of the window, before the firing saw them or after
    """

    number: int
    moment: Moment
    key: Key
    window: Window
    index: int
    timing: PaneTiming | None
    timer: int | None
    rows: tuple[int, ...]
    results: tuple[Any, ...]
    evicted: tuple[int, ...]


@dataclass(slots=True)
class Trace:
    """A whole run. `windows` has the rows that ever came into each window; `watermarks` what it was after each row
    that moved it."""

    rows: list[TracedRow] = field(default_factory=list)
    windows: dict[tuple[Key, Window], list[int]] = field(default_factory=dict)
    firings: list[Firing] = field(default_factory=list)
    watermarks: list[tuple[Moment, int]] = field(default_factory=list)


def record(
    spec: WindowSpec,
    aggregates: tuple[Aggregate, ...],
    trigger_aggregates: tuple[Aggregate, ...],
    rows: Iterable[tuple[Key, Row]],
    delay: int,
) -> Trace:
    """Run the rows, in order of arrival, through the operator as a stream would.

    After each row the watermark is `delay` units behind the newest event time; after the last one the input ends.
    The clock of processing time stands still. Raises what the operator raises.
    """
    recorder = _Recorder(spec, aggregates, trigger_aggregates)
    newest = None
    for key, row in rows:
        recorder.take(key, row)
        time = row[TIMESTAMP]
        newest = time if newest is None else newest if time is None else max(newest, time)
        if newest is not None:
            recorder.advance(newest - delay - 1)
    return recorder.ended()


class _Recorder:
    def __init__(
        self, spec: WindowSpec, aggregates: tuple[Aggregate, ...], trigger_aggregates: tuple[Aggregate, ...]
    ) -> None:
        self.trace = Trace()
        self._aggregates = aggregates
        contents = _Watched(trigger_aggregates=trigger_aggregates, evicted=self._evicted)
        self._operator = WindowOperator(replace(spec, late_output=True), contents, self._emit, self._late)
        self._moment: Moment = END

    def take(self, key: Key, row: Row) -> None:
        """One row, with all that it sets off."""
        self._moment = row[ROW_ID]
        self.trace.rows.append(TracedRow(row[ROW_ID], key, row[TIMESTAMP]))
        self._operator.process(key, [row])
        self._note_windows(key)

    def advance(self, watermark: int) -> None:
        """Move the watermark; one that is not greater than the present one does nothing."""
        if watermark > self._operator.watermark:
            self.trace.watermarks.append((self._moment, watermark))
            self._operator.advance_watermark(watermark)

    def ended(self) -> Trace:
        """The end of the input."""
        self._moment = END
        self._operator.finish()
        return self.trace

    def _note_windows(self, key: Key) -> None:
        """Windows and the rows in them; a session that has grown takes the place of those that it has absorbed."""
        known = self.trace.windows
        state = self._operator.keys.get(key)
        if state is None:
            return
        for window, pane in state.panes.items():
            held = known.setdefault((key, window), [])
            _add(held, _numbers(pane.rows or ()))
            for absorbed in [w for k, w in known if k == key and _covers(window, w)] if state.sessions else ():
                _add(held, known.pop((key, absorbed)))
        if len(known) > _MOST_WINDOWS:
            raise WindowPlanError(
                f"the rows are in more than {_MOST_WINDOWS:,} windows",
                rule="a timeline is drawn of windows that can be told apart",
                hint="draw fewer rows, or windows with a longer slide",
            )

    def _emit(
        self, key: Key, window: Window, index: int, timing: PaneTiming | None, timer: int | None, rows: Any
    ) -> None:
        held = self.trace.windows.setdefault((key, window), [])
        _add(held, _numbers(rows))
        accumulators = accumulate(self._aggregates, rows)
        results = tuple(a.result(acc) for a, acc in zip(self._aggregates, accumulators, strict=True))
        number = len(self.trace.firings)
        firing = Firing(number, self._moment, key, window, index, timing, timer, _numbers(rows), results, ())
        self.trace.firings.append(firing)

    def _evicted(self, rows: Iterable[Row]) -> None:
        """The evictor's rows are known when its firing has been handed out."""
        self.trace.firings[-1] = replace(self.trace.firings[-1], evicted=_numbers(rows))

    def _late(self, key: Key, row: Row) -> None:
        self.trace.rows[-1].is_late = True


@dataclass(frozen=True, slots=True)
class _Watched(Contents):
    """Kept rows; `evicted` is told what an evictor takes out of them."""

    evicted: Callable[[list[Row]], None] = field(kw_only=True)

    def replace_rows(self, pane: Pane, rows: list[Row]) -> None:
        left = {row[ROW_ID] for row in rows}
        self.evicted([row for row in pane.rows or () if row[ROW_ID] not in left])
        Contents.replace_rows(self, pane, rows)


def _covers(window: Window, other: Window) -> bool:
    return window != other and window.start <= other.start and other.end <= window.end


def _add(held: list[int], numbers: Iterable[int]) -> None:
    """Numbers that are not there yet, in their order."""
    there = set(held)
    held += [number for number in numbers if number not in there]


def _numbers(rows: Iterable[Row]) -> tuple[int, ...]:
    return tuple(row[ROW_ID] for row in rows)
