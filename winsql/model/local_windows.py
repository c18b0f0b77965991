"""Windows over what the clocks of a zone show: rows enter the operator with such times, and the bounds of windows
become instants when they leave it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from winsql.model.assigners import Assigner
from winsql.model.columnar import Longs
from winsql.model.wall_clock import WallClock, wall_clock

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

    Where clocks skip an hour, several windows may differ only within it: their bounds are the same instants, and they
    hold the same rows. They are one window, so only the last of them comes out.
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
        """Which windows have the same instants as bounds as the window after them."""
        none = np.zeros(len(starts), dtype=bool)
        repeat = self.assigner.repeat()
        if repeat is None or self.clock.fixed is not None:
            return none
        begins, finishes = self.instants(starts, ends)
        later_begins, later_finishes = self.instants(starts + repeat.start, ends + repeat.end)
        same: npt.NDArray[np.bool_] = (begins == later_begins) & (finishes == later_finishes)
        if repeat.below is not None:
            same &= ends - starts < repeat.below
        return same
