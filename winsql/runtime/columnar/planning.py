"""Which queries the columnar engines run, and which of them runs one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from winsql.model.assigners import Assigner
from winsql.model.base import TimeDomain
from winsql.model.columnar import form_of
from winsql.model.columnar.sessions import Sessions
from winsql.model.policy import Policy
from winsql.model.query import WindowSpec
from winsql.runtime.aggregates import Aggregate
from winsql.runtime.aggregates.registered import name_of
from winsql.runtime.columnar.panes.arrivals import reads
from winsql.runtime.columnar.panes.engine import PanesEngine
from winsql.runtime.columnar.partial_rows import OfPartials
from winsql.runtime.columnar.sessions.engine import SessionEngine
from winsql.runtime.columnar.shared.aggregates import aggregate_form
from winsql.runtime.columnar.shared.limits import MAX_DURATION
from winsql.runtime.columnar.shared.plan import ColumnarPlan, fires_at_end
from winsql.runtime.columnar.shared.protocol import Engine
from winsql.runtime.columnar.slices.engine import SlicedEngine


def plan_of(
    spec: WindowSpec,
    aggregates: Sequence[Aggregate],
    keys: Sequence[pa.DataType] = (),
    *,
    hands_rows: bool = False,
    slots: Mapping[int, pa.DataType] | None = None,
) -> ColumnarPlan | str:
    """The columnar form of a query, or the reason why it has none; `hands_rows` says that firings hand out rows.

    `slots` are the types of a row's slots, where they are known. Otherwise an operand of a type that columns do not
    have is found with the first row, and the per-row operator takes over then.
    """
    assigner, trigger = form_of(spec.assigner), form_of(spec.trigger)
    if spec.changes is not None:
        return "a changelog has no columnar form"
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
    if isinstance(assigner, Sessions) and not fires_at_end(trigger, clock):
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
        return f"an aggregate ({name_of(aggregates[forms.index(None)])}) has no columnar form"
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


def new_engine(plan: ColumnarPlan, key_schema: pa.Schema, watermark: int, now: int) -> Engine:
    """An engine for the query that holds nothing yet; the key schema is that of its `KeyTable`."""
    if isinstance(plan.assigner, Sessions):
        return SessionEngine(plan, plan.assigner, key_schema, watermark, now)
    slices = plan.slices()
    if slices is not None:
        return SlicedEngine(plan, slices, key_schema, watermark, now)
    return PanesEngine(plan, key_schema, watermark, now)


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
