"""Which queries the columnar engine runs, and what it needs to know of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.model.assigners import Assigner
from winsql.model.base import TimeDomain
from winsql.model.columnar import AssignerForm, TimeForm, TriggerForm, form_of
from winsql.model.columnar.evictors import EvictorForm
from winsql.model.columnar.sessions import Sessions
from winsql.model.columnar.slices import SliceForm, slices_of
from winsql.model.policy import Policy
from winsql.model.query import WindowSpec
from winsql.runtime.aggregates import Aggregate
from winsql.runtime.columnar.aggregates import AggregateForm, aggregate_form
from winsql.runtime.columnar.arrivals import reads
from winsql.runtime.columnar.codec import Header
from winsql.runtime.columnar.engine import ColumnarEngine
from winsql.runtime.columnar.fit import MAX_DURATION
from winsql.runtime.columnar.panes import Layout
from winsql.runtime.columnar.partial import OfPartials
from winsql.runtime.columnar.parts import Part
from winsql.runtime.columnar.protocol import Engine, Slots
from winsql.runtime.columnar.sessions_engine import SessionEngine
from winsql.runtime.columnar.slices_engine import SlicedEngine
from winsql.runtime.columnar.timers import TimerRules

__all__ = ["ColumnarPlan", "plan_of", "supports"]

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
        return timed.interval is not None or not timed.fires_behind

    @property
    def sets_end_timer(self) -> bool:
        """Whether a timer stands at the end of each window: the trigger's or that of the cleanup."""
        is_regular = self.timed is not None and self.timed.interval is not None
        return self.clock is not None or not (is_regular and self.trigger.clock is TimeDomain.PROCESSING)

    def engine(self, key_schema: pa.Schema, watermark: int, now: int) -> Engine:
        """An engine that holds nothing yet; the key schema is that of its `KeyTable`."""
        if isinstance(self.assigner, Sessions):
            return SessionEngine(self, self.assigner, key_schema, watermark, now)
        slices = self.slices()
        if slices is not None:
            return SlicedEngine(self, slices, key_schema, watermark, now)
        return ColumnarEngine(self, key_schema, watermark, now)

    def slices(self) -> SliceForm | None:
        """The slices that windows are combined from; None where each row is added to each of its windows."""
        exact = all(part.exact for part in self.layout().parts)
        is_plain = self.clock is TimeDomain.EVENT and _fires_at_end(self.trigger, self.clock) and not self.lateness
        return slices_of(self.assigner) if is_plain and exact and not self.keeps_rows else None

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
        parts = (np.asarray(slot.to_numpy(zero_copy_only=False)) for slot in slots[2:] if slot is not None)
        return [[next(parts) for _ in aggregate.parts] for aggregate in self.aggregates]

    def kinds(self) -> tuple[str, ...]:
        """What state calls the columns of each aggregate; it has none where rows are kept."""
        return () if self.keeps_rows else tuple(aggregate.kind() for aggregate in self.aggregates)

    def header(self, watermark: int) -> Header:
        """What state needs to be understood."""
        value = None if self.trigger.value is None else self.trigger.value.name
        return Header(watermark, self.kinds(), value, TimerRules(self.clock, self.trigger.clock, self.lateness))


def supports(
    spec: WindowSpec, aggregates: Sequence[Aggregate], keys: Sequence[pa.DataType] = (), *, hands_rows: bool = False
) -> str | None:
    """Why the per-row operator must run the query with keys of these types; None when the columnar engine can.

    The query hands out results of aggregates or rows, has no aggregates in its trigger and no STATE TTL.
    """
    plan = plan_of(spec, aggregates, keys, hands_rows=hands_rows)
    return plan if isinstance(plan, str) else None


def plan_of(
    spec: WindowSpec,
    aggregates: Sequence[Aggregate],
    keys: Sequence[pa.DataType] = (),
    *,
    hands_rows: bool = False,
    slots: Mapping[int, pa.DataType] | None = None,
) -> ColumnarPlan | str:
    """The columnar form of a query, which `hands_rows` out where it does; or the reason why it has none.

    `slots` are the types of the columns behind the slots of a row, where they are known: an operand of a type that
    columns do not have is otherwise found out with the first row, and the per-row operator takes over then.
    """
    assigner, trigger = form_of(spec.assigner), form_of(spec.trigger)
    if assigner is None:
        return f"{spec.assigner.NAME} has no columnar form"
    if trigger is None:
        return f"the trigger {spec.trigger.NAME} has no columnar form"
    operand = (slots or {}).get(trigger.slot)
    if operand is not None and not reads(operand):
        return f"the trigger {spec.trigger.NAME} reads a {operand}"
    clock = _clock(spec.assigner)
    if clock is not None and trigger.clock is not None and clock is not trigger.clock:
        return f"the trigger {spec.trigger.NAME} follows another clock than the windows"
    if isinstance(assigner, Sessions) and not _fires_at_end(trigger, clock):
        return f"{spec.assigner.NAME} with the trigger {spec.trigger.NAME} has no columnar form"
    evictor = form_of(spec.evictor)
    if spec.evictor is not None and evictor is None:
        return f"the evictor {spec.evictor.NAME} has no columnar form"
    if isinstance(assigner, Sessions) and (hands_rows or evictor is not None):
        return f"{spec.assigner.NAME} that keeps rows has no columnar form"
    of_partials = any(isinstance(aggregate, OfPartials) for aggregate in aggregates)
    aggregates = [aggregate.inner if isinstance(aggregate, OfPartials) else aggregate for aggregate in aggregates]
    forms = [aggregate_form(aggregate) for aggregate in aggregates]
    if None in forms:
        call = type(aggregates[forms.index(None)]).__name__
        return f"an aggregate ({call}) has no columnar form"
    if any(map(pa.types.is_nested, keys)):
        return "a key is an ARRAY, MAP or STRUCT"
    lateness = spec.allowed_lateness if clock is TimeDomain.EVENT else 0
    policies = [policy for policy in (spec.assigner, spec.trigger, spec.evictor) if policy is not None]
    if max(lateness, *(duration for policy in policies for duration in _durations(policy))) >= MAX_DURATION:
        return "a duration is too long for exact 64-bit arithmetic"
    bound = tuple(form for form in forms if form is not None)
    return ColumnarPlan(
        assigner,
        trigger,
        bound,
        clock,
        lateness,
        spec.late_output,
        evictor,
        spec.evict_after,
        hands_rows,
        of_partials,
    )


def _fires_at_end(trigger: TriggerForm, clock: TimeDomain | None) -> bool:
    """Whether it is the trigger that windows of this clock have by default, or one that also drops the contents."""
    return clock is not None and replace(trigger, purges=False) == TimeForm(
        clock, fires_behind=clock is TimeDomain.EVENT
    )


def _clock(assigner: Assigner) -> TimeDomain | None:
    """The clock that ends the windows."""
    if assigner.is_global:
        return None
    return TimeDomain.EVENT if assigner.is_event_time else TimeDomain.PROCESSING


def _durations(policy: Policy) -> list[int]:
    """The policy's durations and counts, those of nested ones included."""
    values = [getattr(policy, parameter.name) for parameter in policy.parameters()]
    own = [value for value in values if isinstance(value, int)]
    return [0, *own, *(duration for value in values if isinstance(value, Policy) for duration in _durations(value))]
