"""Windows over what clocks show, seen from outside: an operator runs on times as clocks show them, and its windows
have instants as bounds when they leave it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from winsql.model.assigners import Assigner, CumulatingWindows, SlidingWindows
from winsql.model.columnar import Longs
from winsql.model.wall_clock import DAY, WallClock, wall_clock

__all__ = ["LOCAL_TIME", "LocalWindows", "repeat_after"]

LOCAL_TIME = """\
Over a `TIMESTAMP` (Flink's `TIMESTAMP_LTZ`) and `PROCTIME()` the windows of these functions follow the local time of
the session, as in Flink SQL: with `spark.sql.session.timeZone` Asia/Shanghai a window of a day begins at midnight in
Shanghai, and offsets count from there. Where clocks go forward or back, a window of four hours lasts three or five. The
zone is the one that the session has when the statement is planned. `WINDOW ASSIGN`, `window_join` and `co_group` follow
UTC plus the offset, as DataStream programs and Spark do. A `TIMESTAMP_NTZ` or `DATE` has no zone anywhere."""
"""What the reference says of them."""


@dataclass(frozen=True, slots=True)
class LocalWindows:
    """The windows of an assigner that follows the clocks of a zone.

    Where clocks skip an hour, windows may differ in it alone. They have the same bounds among the instants and hold the
    same rows: they are one window, and all but the last of them do not come out.
    """

    clock: WallClock
    assigner: Assigner

    @classmethod
    def of(cls, assigner: Assigner) -> LocalWindows | None:
        """Of an assigner whose time has a zone; None for others. Raises WindowSpecError as `wall_clock` does."""
        zone = None if assigner.time is None else assigner.time.zone
        return None if zone is None else cls(wall_clock(zone), assigner)

    def instants(self, starts: Longs, ends: Longs) -> tuple[Longs, Longs]:
        """The bounds of windows as instants."""
        return self.clock.begins(starts), self.clock.ends(ends)

    def repeated(self, starts: Longs, ends: Longs) -> npt.NDArray[np.bool_]:
        """Which windows are the same among the instants as the one after them."""
        none = np.zeros(len(starts), dtype=bool)
        step = repeat_after(self.assigner)
        if step is None or self.clock.fixed is not None:
            return none
        begins, finishes = self.instants(starts, ends)
        begin_step, end_step = step
        later_begins, later_finishes = self.instants(starts + begin_step, ends + end_step)
        same: npt.NDArray[np.bool_] = (begins == later_begins) & (finishes == later_finishes)
        if begin_step == 0:
            same &= ends - starts < self.assigner.size  # type: ignore[attr-defined]
        return same


def repeat_after(assigner: Assigner) -> tuple[int, int] | None:
    """By how much the bounds of the next window differ that may hold the same rows; None where there can be none."""
    step = _STEPS.get(type(assigner))
    return None if step is None else step(assigner)


def _sliding(assigner: Any) -> tuple[int, int] | None:
    """Both bounds in skipped hours, but not in the same ones: the window would hold no row. None skips more than a day,
    and no two within one."""
    return (assigner.slide, assigner.slide) if assigner.size > DAY else None


_STEPS: dict[type[Assigner], Callable[[Any], tuple[int, int] | None]] = {
    SlidingWindows: _sliding,
    CumulatingWindows: lambda assigner: (0, assigner.step),
}
