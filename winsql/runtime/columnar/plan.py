"""Which queries the columnar engine runs, and what it needs to know of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from winsql.model.columnar import AssignerForm, TriggerForm, form_of
from winsql.model.query import WindowSpec
from winsql.runtime.aggregates import Aggregate
from winsql.runtime.columnar.aggregates import AggregateForm, aggregate_form
from winsql.runtime.columnar.engine import ColumnarEngine
from winsql.runtime.columnar.fit import MAX_DURATION
from winsql.runtime.columnar.parts import Part
from winsql.runtime.columnar.protocol import Engine

__all__ = ["ColumnarPlan", "plan_of", "supports"]


@dataclass(frozen=True, slots=True)
class ColumnarPlan:
    """The columnar forms of a query's policies and aggregates."""

    assigner: AssignerForm
    trigger: TriggerForm
    aggregates: tuple[AggregateForm, ...]
    lateness: int
    late_output: bool

    def engine(self, key_schema: pa.Schema, watermark: int, now: int) -> Engine:
        """An engine that holds nothing yet; the key schema is that of its `KeyTable`."""
        return ColumnarEngine(self, key_schema, watermark, now)

    def parts(self) -> tuple[Part, ...]:
        """All columns of a pane's accumulators, aggregate after aggregate."""
        return tuple(part for aggregate in self.aggregates for part in aggregate.parts)

    def kinds(self) -> tuple[str, ...]:
        """What state calls the columns of each aggregate."""
        return tuple(aggregate.kind() for aggregate in self.aggregates)


def supports(spec: WindowSpec, aggregates: Sequence[Aggregate], keys: Sequence[pa.DataType] = ()) -> str | None:
    """Why the per-row operator must run the query with keys of these types; None when the columnar engine can.

    The query hands out results of aggregates, has no aggregates in its trigger and no STATE TTL.
    """
    plan = plan_of(spec, aggregates, keys)
    return plan if isinstance(plan, str) else None


def plan_of(spec: WindowSpec, aggregates: Sequence[Aggregate], keys: Sequence[pa.DataType] = ()) -> ColumnarPlan | str:
    """The columnar form of a query, or the reason why it has none."""
    assigner = form_of(spec.assigner)
    if assigner is None or not spec.assigner.is_event_time:
        return f"{spec.assigner.NAME} has no columnar form" + ("" if assigner is None else " in processing time")
    trigger = form_of(spec.trigger)
    if trigger is None:
        return f"the trigger {spec.trigger.NAME} has no columnar form"
    if spec.evictor is not None:
        return f"the evictor {spec.evictor.NAME} needs the rows of a window"
    forms = [aggregate_form(aggregate) for aggregate in aggregates]
    if None in forms:
        call = type(aggregates[forms.index(None)]).__name__
        return f"an aggregate ({call}) has no columnar form"
    if any(map(pa.types.is_nested, keys)):
        return "a key is an ARRAY, MAP or STRUCT"
    if max(spec.allowed_lateness, trigger.interval or 0, *_durations(spec)) >= MAX_DURATION:
        return "a duration is too long for exact 64-bit arithmetic"
    bound = tuple(form for form in forms if form is not None)
    return ColumnarPlan(assigner, trigger, bound, spec.allowed_lateness, spec.late_output)


def _durations(spec: WindowSpec) -> list[int]:
    values = (getattr(spec.assigner, parameter.name) for parameter in spec.assigner.parameters())
    return [value for value in values if isinstance(value, int)]
