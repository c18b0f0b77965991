"""Window assigners: which windows a row belongs to.

The rules are those of Flink's `streaming.api.windowing.assigners` (and of the CUMULATE function of Flink SQL), on
integers of one unit. Ends saturate at MAX_TIME where Flink's 64-bit arithmetic would wrap around.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from winsql.errors import WindowDataError
from winsql.model.base import (
    GLOBAL_WINDOW,
    LONGEST,
    MAX_TIME,
    MIN_TIME,
    TIMESTAMP,
    Operand,
    Row,
    TimeAttribute,
    Window,
)
from winsql.model.columnar import AssignerForm, Cumulating, Endless, Sliding
from winsql.model.columnar.sessions import Sessions
from winsql.model.evictors import CountEvictor, Evictor
from winsql.model.nested_triggers import PurgingTrigger
from winsql.model.policy import Kind, Policy, parameter, require
from winsql.model.triggers import (
    CountTrigger,
    EventTimeTrigger,
    NeverTrigger,
    ProcessingTimeTrigger,
    Trigger,
)
from winsql.model.wall_clock import DAY


@dataclass(frozen=True, slots=True)
class Repeat:
    """The next window that may hold the same rows as a window, where clocks skip an hour.

    start, end   how much later it starts and ends, in microseconds
    below        only a window shorter than this has such a next one; None: any window has
    """

    start: int
    end: int
    below: int | None = None


class Assigner(Policy):
    """Base of all assigners. `time` is the clock and, for event time, the SQL expression of the timestamp."""

    __slots__ = ()
    time: TimeAttribute | None

    @property
    def is_event_time(self) -> bool:
        """Whether the watermark closes the windows; False for processing time and for GLOBAL, as in Flink."""
        return self.time is not None and self.time.is_event

    @property
    def is_merging(self) -> bool:
        """Whether windows of one key that intersect or touch become one."""
        return False

    @property
    def is_global(self) -> bool:
        """Whether every row belongs to the one window that never ends."""
        return False

    @property
    def has_one_size(self) -> bool:
        """Whether all windows have one size, so that the start tells a window as its end does."""
        return isinstance(self.columnar(), Sliding)

    def assign(self, row: Row, now: int) -> Sequence[Window]:
        """The windows of the row, in the order in which Flink visits them; `now` is the processing time."""
        raise NotImplementedError

    def default_trigger(self) -> Trigger:
        """The trigger used when the query names none."""
        return EventTimeTrigger() if self.is_event_time else ProcessingTimeTrigger()

    def default_evictor(self) -> Evictor | None:
        """The evictor used when the query names none."""
        return None

    def columnar(self) -> AssignerForm | None:
        """The same rule for a column of times; None when the per-row operator must assign."""
        return None

    def repeat(self) -> Repeat | None:
        """The next window that may hold the same rows where clocks skip an hour; None where there is none."""
        return None

    def _instant(self, row: Row, now: int) -> int:
        if not self.is_event_time:
            return now
        timestamp: int | None = row[TIMESTAMP]
        if timestamp is None:
            raise WindowDataError(
                f"{self.NAME}: a row has no event time",
                rule="a row of an event-time window needs a timestamp",
                hint="leave such rows out with WHERE, or give them a time with COALESCE",
            )
        return timestamp


@dataclass(frozen=True, slots=True)
class TumblingWindows(Assigner):
    """TUMBLING(time, size [, offset]): windows of one size, one after the other."""

    NAME = "TUMBLING"
    SUMMARY = "windows of one size that follow each other without gap or overlap"
    time: TimeAttribute = parameter(Kind.TIME)
    size: int = parameter(Kind.DURATION)
    offset: int = parameter(Kind.DURATION, 0)

    def __post_init__(self) -> None:
        require(self.size > 0, self, "the size must be positive", parameter="size", hint=_A_LENGTH)
        _require_offset(self, self.offset, self.size, "size")

    def assign(self, row: Row, now: int) -> Sequence[Window]:
        instant = self._instant(row, now)
        start = instant - (instant - self.offset) % self.size
        return (_window(start, start + self.size),)

    def columnar(self) -> AssignerForm:
        return Sliding(self.size, self.size, self.offset)


@dataclass(frozen=True, slots=True)
class SlidingWindows(Assigner):
    """SLIDING(time, size, slide [, offset]): a window of `size` starts every `slide`; newest window first."""

    NAME = "SLIDING"
    SUMMARY = "windows of one size that start every slide; they overlap, or leave gaps when slide > size"
    time: TimeAttribute = parameter(Kind.TIME)
    size: int = parameter(Kind.DURATION)
    slide: int = parameter(Kind.DURATION)
    offset: int = parameter(Kind.DURATION, 0)

    def __post_init__(self) -> None:
        require(self.size > 0, self, "the size must be positive", parameter="size", hint=_A_LENGTH)
        require(self.slide > 0, self, "the slide must be positive", parameter="slide", hint=_A_LENGTH)
        _require_offset(self, self.offset, self.slide, "slide")
        _require_number(self, self.size, self.slide, "slide")

    def assign(self, row: Row, now: int) -> Sequence[Window]:
        instant = self._instant(row, now)
        newest = instant - (instant - self.offset) % self.slide
        return [_window(start, start + self.size) for start in range(newest, instant - self.size, -self.slide)]

    def columnar(self) -> AssignerForm:
        return Sliding(self.size, self.slide, self.offset)

    def repeat(self) -> Repeat | None:
        # Clocks must skip both bounds, and do so twice: a window within one skipped hour would hold no row. They never
        # skip more than a day, nor twice within a day.
        return Repeat(self.slide, self.slide) if self.size > DAY else None


@dataclass(frozen=True, slots=True)
class CumulatingWindows(Assigner):
    """CUMULATING(time, size, step [, offset]): windows of one start that grow by `step` up to `size`."""

    NAME = "CUMULATING"
    SUMMARY = "windows that share a start and grow by step until they reach the size"
    time: TimeAttribute = parameter(Kind.TIME)
    size: int = parameter(Kind.DURATION)
    step: int = parameter(Kind.DURATION)
    offset: int = parameter(Kind.DURATION, 0)

    def __post_init__(self) -> None:
        require(self.size > 0, self, "the size must be positive", parameter="size", hint=_A_LENGTH)
        require(self.step > 0, self, "the step must be positive", parameter="step", hint=_A_LENGTH)
        is_swapped = self.step > self.size
        require(
            self.size % self.step == 0,
            self,
            "the size must be a whole multiple of the step",
            parameter="step",
            hint="the size comes before the step"
            if is_swapped
            else "write for instance a size of '1 hour' and a step of '10 minutes'",
        )
        _require_offset(self, self.offset, self.size, "size")
        _require_number(self, self.size, self.step, "step")

    def assign(self, row: Row, now: int) -> Sequence[Window]:
        instant = self._instant(row, now)
        start = instant - (instant - self.offset) % self.size
        first_end = instant - (instant - self.offset) % self.step + self.step
        return [_window(start, end) for end in range(first_end, start + self.size + 1, self.step)]

    def columnar(self) -> AssignerForm:
        return Cumulating(self.size, self.step, self.offset)

    def repeat(self) -> Repeat | None:
        return Repeat(0, self.step, below=self.size)


@dataclass(frozen=True, slots=True)
class SessionWindows(Assigner):
    """SESSION(time, gap): `[t, t + gap)` of each row, merged when they intersect or touch.

    `gap` is a duration, or an operand that gives one per row (a dynamic session). A row without event time belongs
    at MIN_TIME, as in Flink.
    """

    NAME = "SESSION"
    SUMMARY = "activity of a key until nothing comes for the gap; a gap that reads a column is taken from each row"
    time: TimeAttribute = parameter(Kind.TIME)
    gap: int | Operand = parameter(Kind.GAP)

    def __post_init__(self) -> None:
        fixed = isinstance(self.gap, int)
        is_positive = not fixed or self.gap > 0  # type: ignore[operator]
        require(is_positive, self, "the gap must be positive", parameter="gap", hint=_A_LENGTH)

    @property
    def is_merging(self) -> bool:
        return True

    def assign(self, row: Row, now: int) -> Sequence[Window]:
        timestamp: int | None = row[TIMESTAMP] if self.time.is_event else now
        start = MIN_TIME if timestamp is None else timestamp
        gap = self.gap if isinstance(self.gap, int) else self._row_gap(self.gap, row)
        return (_window(start, start + gap),)

    def columnar(self) -> AssignerForm:
        return Sessions(self.gap) if isinstance(self.gap, int) else Sessions(None, self.gap.slot)

    def _row_gap(self, operand: Operand, row: Row) -> int:
        gap: int | None = operand.of(row)
        if gap is None or not 0 < gap <= LONGEST:
            problem = "NULL" if gap is None else "not positive" if gap <= 0 else "longer than 10,000,000 days"
            raise WindowDataError(
                f"SESSION: the gap {operand.sql} of a row is {problem}",
                rule="a dynamic session gap must be positive for every row, and 10,000,000 days at most",
                hint="give a smallest gap with GREATEST, or leave such rows out with WHERE",
            )
        return gap


class _Endless(Assigner):
    """An assigner of the one window that never ends. It follows no clock: nothing is late, nothing is cleaned up."""

    __slots__ = ()

    @property
    def is_event_time(self) -> bool:
        return False

    @property
    def is_global(self) -> bool:
        return True

    def assign(self, row: Row, now: int) -> Sequence[Window]:
        return _GLOBAL


@dataclass(frozen=True, slots=True)
class GlobalWindows(_Endless):
    """GLOBAL([time]): all rows of a key in one window that never ends; `time` orders bounded input."""

    NAME = "GLOBAL"
    SUMMARY = "one window per key that never ends; a TRIGGER says when it fires"
    time: TimeAttribute | None = parameter(Kind.TIME, None)

    def default_trigger(self) -> Trigger:
        return NeverTrigger()

    def columnar(self) -> AssignerForm:
        return Endless()


@dataclass(frozen=True, slots=True)
class CountWindows(_Endless):
    """COUNT(n [, slide] [, time => ts]): Flink's countWindow, a GLOBAL window with its own trigger and evictor."""

    NAME = "COUNT"
    SUMMARY = "every n rows of a key; with a slide, the last n rows every slide rows"
    n: int = parameter(Kind.INTEGER)
    slide: int | None = parameter(Kind.INTEGER, None)
    time: TimeAttribute | None = parameter(Kind.TIME, None, named_only=True)

    def __post_init__(self) -> None:
        hint = "COUNT(1) makes a window of every row"
        require(self.n > 0, self, "the number of rows must be at least 1", parameter="n", hint=hint)
        hint = "COUNT(n, 1) gives the last n rows at every row"
        require(
            self.slide is None or self.slide > 0, self, "the slide must be at least 1", parameter="slide", hint=hint
        )

    def default_trigger(self) -> Trigger:
        if self.slide is None:
            return PurgingTrigger(CountTrigger(self.n))
        return CountTrigger(self.slide)

    def default_evictor(self) -> Evictor | None:
        return None if self.slide is None else CountEvictor(self.n)

    def columnar(self) -> AssignerForm:
        return Endless()


_GLOBAL = (GLOBAL_WINDOW,)
_A_LENGTH = "write a length such as INTERVAL 10 MINUTES"


MOST_WINDOWS = 1_000_000
"""Windows of one row at most: each of them is a row of the result for its key."""


def _require_number(assigner: Assigner, size: int, period: int, name: str) -> None:
    windows = -(-size // period)
    require(
        windows <= MOST_WINDOWS,
        assigner,
        f"each row would be in {windows:,} windows; {MOST_WINDOWS:,} is the most",
        parameter=name,
        hint=f"each of them is a row of the result: take a longer {name}, or a smaller size",
    )


def _require_offset(assigner: Assigner, offset: int, period: int, name: str) -> None:
    require(
        abs(offset) < period,
        assigner,
        f"abs(offset) must be smaller than the {name}",
        parameter="offset",
        hint=f"windows begin every {name}: take whole ones off the offset, which gives the same windows",
    )


def _window(start: int, end: int) -> Window:
    return Window(start, min(end, MAX_TIME))
