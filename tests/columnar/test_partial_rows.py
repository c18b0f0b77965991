"""Partial rows against the rows they stand for: same firings, same counters, same windows, on either engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest
from engines import AGGREGATES, EVENT, PROCESSING, Batch, call
from hypothesis import assume, given, settings
from test_engines_agree import BATCHES, SPECS, row
from test_key_group import SCHEMA, Query, arrow

from winsql.model.assigners import (
    GlobalWindows,
    SessionWindows,
    SlidingWindows,
    TumblingWindows,
)
from winsql.model.evictors import CountEvictor
from winsql.model.query import WindowSpec
from winsql.model.triggers import ContinuousEventTimeTrigger, CountTrigger, EventTimeTrigger
from winsql.runtime.columnar import reduction
from winsql.runtime.columnar.shared.aggregates import aggregate_form
from winsql.spark.streaming.reductions import over_reduced, reduction_of
from winsql.spark.workers.engines import engine_of
from winsql.spark.workers.task import StreamTask


def is_exact(aggregate: Any) -> bool:
    form = aggregate_form(aggregate)
    return form is not None and all(part.exact and not part.has_signs for part in form.parts)


EXACT = (*filter(is_exact, AGGREGATES), call("AVG", "int", result=pa.float64(), where="flag"))
AFTER = SCHEMA.names.index("all")


def rows_task(spec: WindowSpec, aggregates: tuple[Any, ...] = EXACT) -> StreamTask:
    """A task over the rows themselves."""
    task = Query(spec).task
    inner = replace(task.task, aggregates=aggregates)
    return replace(task, task=inner, schema=SCHEMA.remove(AFTER), keeps_late=False)


class Rows(Query):
    def __init__(self, spec: WindowSpec) -> None:
        super().__init__(spec)
        self.task = rows_task(spec)

    def run(self, batch: Batch, columnar: bool) -> Rows:
        query = super().run(batch, columnar)
        assert isinstance(query, Rows)
        return query

    def counters(self) -> Any:
        """What is seen of the query; rows are numbered otherwise."""
        firings, late, counters, timers, panes = self.seen()
        return firings, late, counters[:2] + counters[3:], timers, panes, sorted(map(repr, self.listed()))


class Partials(Rows):
    """The same query over partial rows; each micro-batch arrives in small batches."""

    def __init__(self, spec: WindowSpec) -> None:
        super().__init__(spec)
        partials = reduction_of(self.task)
        assert partials is not None
        self.partials, self.raw = partials, self.task.schema
        self.task = over_reduced(self.task, partials)
        self.taken = self.given = 0

    def run(self, batch: Batch, columnar: bool) -> Rows:
        self.batch = batch
        return super().run(batch, columnar)

    def arrow(self, batch: Batch) -> pa.RecordBatch:
        rows = arrow(batch).select(self.raw.names)
        small: Iterator[pa.RecordBatch] = (rows.slice(begin, 4) for begin in range(0, rows.num_rows, 4))
        united = list(self.partials.united(small))
        self.taken, self.given = self.taken + rows.num_rows, self.given + sum(part.num_rows for part in united)
        nothing = pa.RecordBatch.from_arrays(
            [pa.array([], field.type) for field in self.task.schema], self.task.schema.names
        )
        return pa.concat_batches([nothing.cast(self.task.schema), *united])


@pytest.mark.slow
@pytest.mark.parametrize("held", [1 << 17, 3], ids=["at once", "in pieces"])
def test_partial_rows_are_as_good_as_rows(held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    shrunk = []

    @settings(max_examples=60)
    @given(SPECS, BATCHES)
    def agree(spec: WindowSpec, batches: list[Batch]) -> None:
        spec = replace(spec, allowed_lateness=0, late_output=False)
        assume(reduction_of(rows_task(spec)) is not None)
        rows, partials, switching = Rows(spec), Partials(spec), Partials(spec)
        for batch in batches:
            expected = rows.run(batch, False).counters()
            assert partials.run(batch, True).counters() == expected
            assert switching.run(batch, batch.columnar).counters() == expected
        shrunk.append(partials.given < partials.taken)

    monkeypatch.setattr(reduction, "MAX_HELD", held)
    agree()
    assert shrunk.count(True) > 10


def test_state_of_rows_goes_on_with_partial_rows_and_the_other_way_round() -> None:
    spec = WindowSpec.of(SlidingWindows(EVENT, 20, 10))
    batches = [Batch(time, None, [row("a", time + 5), row("a", time + 8), row("b", time)], True) for time in (0, 9, 20)]
    reference, first, second = Rows(spec), Partials(spec), Rows(spec)
    first.store = second.store = reference.store.__class__()
    for number, batch in enumerate(batches):
        reference.run(batch, True)
        query = (first, second)[number % 2]
        query.watermark = reference.watermark
        query.run(batch, True)
    assert reference.firings.keys() == {"a", "b"}
    for key, firings in reference.firings.items():
        assert sorted(first.firings[key] + second.firings[key]) == sorted(firings)
    assert sorted(map(repr, first.listed())) == sorted(map(repr, reference.listed()))


def test_state_of_the_per_row_operator_over_rows_goes_on_with_partial_rows() -> None:
    spec = WindowSpec.of(TumblingWindows(EVENT, 10))
    reference, rows, partials = Rows(spec), Rows(spec), Partials(spec)
    partials.store = rows.store
    large, small, last = ([row("a", 1, long=2**62)] * 2, [row("a", 2, long=-(2**62))], [])
    for query, values in ((rows, large), (partials, small), (partials, last)):
        batch = Batch(0 if values else 50, None, values, True)
        reference.run(batch, False)
        query.run(batch, True)
    assert partials.firings == reference.firings
    assert partials.firings["a"]


def test_sums_near_the_end_of_their_range_stay_rows() -> None:
    spec = WindowSpec.of(TumblingWindows(EVENT, 10))
    rows, partials = Rows(spec), Partials(spec)
    for values in ([1, 2], [2**62, -(2**62), 5], [2**63 - 1, -(2**63 - 1)]):
        batch = Batch(0, None, [row("a", 1, long=value) for value in values], True)
        assert partials.run(batch, True).counters() == rows.run(batch, False).counters()
    last = Batch(50, None, [], True)
    assert partials.run(last, True).counters() == rows.run(last, False).counters()
    assert partials.given == 1 + 3 + 2
    assert rows.firings["a"]


def test_what_does_not_shrink_is_left_alone_for_a_while() -> None:
    partials = Partials(WindowSpec.of(TumblingWindows(EVENT, 10)))
    apart = [Batch(0, None, [row("a", 10 * n) for n in range(begin, begin + 4)], True) for begin in range(0, 16, 4)]
    together = Batch(0, None, [row("a", 1)] * 4, True)
    batches = [arrow(batch).select(partials.raw.names) for batch in (*apart, together, together)]
    assert [part.num_rows for part in partials.partials.united(batches)] == [4, 4, 4, 4, 4, 4]
    assert [part.num_rows for part in partials.partials.united(batches[-2:])] == [1]


@pytest.mark.parametrize(
    "spec",
    [
        WindowSpec.of(TumblingWindows(EVENT, 10), allowed_lateness=1),
        WindowSpec.of(TumblingWindows(EVENT, 10), late_output=True),
        WindowSpec.of(TumblingWindows(EVENT, 10), CountTrigger(2)),
        WindowSpec.of(TumblingWindows(EVENT, 10), evictor=CountEvictor(2)),
        WindowSpec.of(SlidingWindows(EVENT, 5, 10)),
        WindowSpec.of(SessionWindows(EVENT, 10)),
    ],
    ids=str,
)
def test_rows_that_stay_rows(spec: WindowSpec) -> None:
    assert reduction_of(rows_task(spec)) is None


def test_sums_of_floats_stay_rows() -> None:
    spec = WindowSpec.of(TumblingWindows(EVENT, 10))
    assert reduction_of(rows_task(spec, (call("SUM", "double"),))) is None
    assert reduction_of(rows_task(spec, (call("MIN", "double"),))) is None


@pytest.mark.parametrize(
    "spec",
    [
        WindowSpec.of(TumblingWindows(EVENT, 10)),
        WindowSpec.of(TumblingWindows(PROCESSING, 10)),
        WindowSpec.of(SlidingWindows(EVENT, 20, 10), ContinuousEventTimeTrigger(3)),
        WindowSpec.of(GlobalWindows(), EventTimeTrigger()),
    ],
    ids=str,
)
def test_rows_that_become_partial_ones(spec: WindowSpec) -> None:
    task = rows_task(spec)
    partials = reduction_of(task)
    assert partials is not None
    assert "before the shuffle" in engine_of(over_reduced(task, partials))
