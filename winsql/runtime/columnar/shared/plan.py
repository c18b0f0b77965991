"""The columnar form of a query: what every engine needs to know of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.model.base import TimeDomain
from winsql.model.columnar import AssignerForm, TimeForm, TriggerForm
from winsql.model.columnar.assigners import SliceForm
from winsql.model.columnar.evictors import EvictorForm
from winsql.runtime.arrays import to_numpy
from winsql.runtime.columnar.shared.aggregates import AggregateForm
from winsql.runtime.columnar.shared.codec import Header
from winsql.runtime.columnar.shared.panes import Layout
from winsql.runtime.columnar.shared.parts import Part
from winsql.runtime.columnar.shared.protocol import Slots
from winsql.runtime.columnar.shared.timers import TimerRules

Column = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class ColumnarPlan:
    """The columnar forms of a query's policies and aggregates; `clock` is the one that ends its windows, `of_partials`
    says that rows are partial ones."""

    assigner: AssignerForm
    trigger: TriggerForm
    aggregates: tuple[AggregateForm, ...]
    clock: TimeDomain | None
    lateness: int
    late_output: bool
    evictor: EvictorForm | None = None
    evict_after: bool = False
    hands_rows: bool = False
    of_partials: bool = False

    @property
    def keeps_rows(self) -> bool:
        """Whether windows keep their rows, from which results are computed at each firing."""
        return self.hands_rows or self.evictor is not None

    @property
    def timed(self) -> TimeForm | None:
        """The trigger, where it sets timers."""
        return self.trigger if isinstance(self.trigger, TimeForm) else None

    @property
    def needs_time_to_go_on(self) -> bool:
        """Whether a watermark at the end of time asks for what columns cannot say, on a window that never ends."""
        timed = self.timed if self.clock is None else None
        if timed is None or timed.clock is TimeDomain.PROCESSING:
            return False
        return timed.interval is not None or not timed.fires_after_end

    @property
    def sets_end_timer(self) -> bool:
        """Whether there is a timer at the end of each window: the trigger's or that of the cleanup."""
        is_regular = self.timed is not None and self.timed.interval is not None
        return self.clock is not None or not (is_regular and self.trigger.clock is TimeDomain.PROCESSING)

    def slices(self) -> SliceForm | None:
        """The slices that windows are combined from; None where each row is added to each of its windows."""
        exact = all(part.exact for part in self.layout().parts)
        is_plain = self.clock is TimeDomain.EVENT and fires_at_end(self.trigger, self.clock) and not self.lateness
        return self.assigner.slices() if is_plain and exact and not self.keeps_rows else None

    def layout(self) -> Layout:
        """The columns of a pane; its accumulators aggregate after aggregate, none where rows are kept."""
        return Layout(self.trigger.value, () if self.keeps_rows else self.parts())

    def parts(self) -> tuple[Part, ...]:
        """The parts of the accumulators, aggregate after aggregate."""
        return tuple(part for aggregate in self.aggregates for part in aggregate.parts)

    def brought(self, slots: Slots, rows: int) -> list[list[Column]]:
        """What rows bring to each aggregate, a column per part. Raises Unfit for a column of an unexpected type."""
        if not self.of_partials:
            return [aggregate.inputs(slots, rows) for aggregate in self.aggregates]
        parts = (to_numpy(slot) for slot in slots[2:] if slot is not None)
        return [[next(parts) for _ in aggregate.parts] for aggregate in self.aggregates]

    def results(self, parts: Sequence[Column]) -> list[pa.Array]:
        """The results of accumulators whose columns are `parts`, a column per aggregate."""
        columns = iter(parts)
        with np.errstate(all="ignore"):
            return [aggregate.result([next(columns) for _ in aggregate.parts]) for aggregate in self.aggregates]

    def kinds(self) -> tuple[str, ...]:
        """What state calls the columns of each aggregate; it has none where rows are kept."""
        return () if self.keeps_rows else tuple(aggregate.kind() for aggregate in self.aggregates)

    def header(self, watermark: int) -> Header:
        """What state needs to be understood."""
        value = None if self.trigger.value is None else self.trigger.value.name
        return Header(watermark, self.kinds(), value, TimerRules(self.clock, self.trigger.clock, self.lateness))


def fires_at_end(trigger: TriggerForm, clock: TimeDomain | None) -> bool:
    """Whether it is the trigger that windows of this clock have by default, or one that also drops the contents."""
    return clock is not None and replace(trigger, purges=False) == TimeForm(
        clock, fires_after_end=clock is TimeDomain.EVENT
    )
