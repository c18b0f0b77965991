"""Which timers panes have. They are not kept: they follow from the window, the trigger's value and the clocks.

The end's timer and an early firing's are pending while the clock has not passed the end, a cleanup always. No pane is
left whose end the clock of processing time has reached.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from winsql.model.base import TimeDomain
from winsql.model.columnar import NO_TIME, Longs
from winsql.runtime.columnar.shared.panes import Panes


@dataclass(frozen=True, slots=True)
class TimerRules:
    """Who sets timers.

    windows    the clock that ends the windows and clears them, so much `lateness` later; None when they never end
    trigger    the clock the trigger follows, None for one that looks at rows only
    """

    windows: TimeDomain | None
    trigger: TimeDomain | None
    lateness: int

    def event_timers(self, panes: Panes, watermark: int) -> list[Longs]:
        """Columns of times of pending timers, NO_TIME where a pane has none; some may be equal."""
        columns, last = [], panes.last
        if self.windows is TimeDomain.EVENT:
            columns.append(last + self.lateness)
        if self.trigger is TimeDomain.EVENT:
            ahead = last > watermark
            columns += [np.where(ahead, column, NO_TIME) for column in (last, *panes.values)]
        return columns

    def processing_timers(self, panes: Panes) -> list[Longs]:
        """As `event_timers`, of processing time."""
        columns = [panes.last] if self.windows is TimeDomain.PROCESSING else []
        if self.trigger is TimeDomain.PROCESSING:
            # on a window that never ends, the end's timer is set by a trigger that has no others
            ends = np.where(panes.values[0] == NO_TIME, panes.last, NO_TIME)
            columns += [ends, panes.values[0]]
        return columns


def earliest(columns: list[Longs]) -> int | None:
    """The earliest time of all."""
    times = [column[column != NO_TIME] for column in columns]
    return min((int(column.min()) for column in times if len(column)), default=None)
