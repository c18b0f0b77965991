"""Partial rows: rows of one key that go into the same windows, aggregated to one row. Two-phase aggregation.

Rows become partial ones before the shuffle, so that the operator gets one row per key and slice. A partial row has the
time and the place of its first row, so that windows begin and set timers as they would for the rows themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from winsql.model.base import Row
from winsql.model.columnar.assigners import SliceForm
from winsql.runtime.aggregates.base import Wrapper
from winsql.runtime.arrays import empty, to_arrow, to_numpy
from winsql.runtime.columnar.reduction import Reduction, has_known_slices, known_slices, ones, slices_of
from winsql.runtime.columnar.shared.aggregates import AggregateForm, aggregate_form
from winsql.runtime.columnar.shared.keys import KeyTable
from winsql.runtime.columnar.shared.limits import Unfit
from winsql.runtime.columnar.shared.overflow import may_exceed
from winsql.runtime.columnar.shared.parts import COUNT, Part
from winsql.runtime.columnar.shared.plan import ColumnarPlan
from winsql.runtime.columnar.slices.state import SliceRows, Slices


@dataclass(frozen=True, slots=True)
class OfPartials(Wrapper):
    """`inner` over partial rows, for the per-row operator: from slot `first` on they have the columns of its form."""

    first: int

    def add(self, accumulator: Any, row: Row) -> Any:
        form = aggregate_form(self.inner)
        assert form is not None
        columns = [np.array([value]) for value in row[self.first : self.first + len(form.parts)]]
        return self.inner.merge(accumulator, form.accumulators(columns)[0])


@dataclass(frozen=True, slots=True)
class PartialRows(Reduction):
    """How rows become partial ones.

    A batch of rows has hash, time, `slots` slots and `keys` keys. A batch of partial rows has hash, time, a slot per
    part of the accumulators, the keys, and the number of rows that each was made of.

    slices   rows of one slice go into the same windows; None where all rows of a micro-batch do
    """

    forms: tuple[AggregateForm, ...]
    slices: SliceForm | None
    slots: int
    keys: int

    def schema(self, rows: pa.Schema) -> pa.Schema:
        """That of partial rows of such rows."""
        parts = [pa.field(f"part{place}", pa.from_numpy_dtype(part.dtype)) for place, part in enumerate(self._parts)]
        keys = [rows.field(2 + self.slots + place) for place in range(self.keys)]
        return pa.schema([rows.field(0), rows.field(1), *parts[:-1], *keys, pa.field("rows", pa.int64())])

    @property
    def _parts(self) -> tuple[Part, ...]:
        return (*(part for form in self.forms for part in form.parts), COUNT)

    def of_each(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Each row as a partial one of its own."""
        rows = batch.num_rows
        slots = [None, *batch.columns[1 : 2 + self.slots]]
        inputs = [to_arrow(column) for form in self.forms for column in form.inputs(slots, rows)]
        keys = batch.columns[2 + self.slots : 2 + self.slots + self.keys]
        columns = [batch.column(0), batch.column(1), *inputs, *keys, ones(rows)]
        return pa.RecordBatch.from_arrays(columns, schema=self.schema(batch.schema))

    def reduced(self, partial: pa.RecordBatch) -> pa.RecordBatch:
        """One partial row for each key and slice; the same rows again where these do not fit into columns."""
        if not partial.num_rows:
            return partial
        try:
            rows = self._rows(partial)
        except Unfit:
            return partial
        parts = self._parts
        if any(
            part.limit is not None and may_exceed(part.limit, [(rows.key, column)])
            for part, column in zip(parts, rows.inputs, strict=True)
        ):
            return partial
        united = Slices.empty(parts).added(rows, 0, parts)
        order = np.argsort(united.arrival)
        first = partial.take(to_arrow(united.arrival[order]))
        sums = [to_arrow(column[order]) for column in united.parts]
        keys = first.columns[2 + len(parts) - 1 : -1]
        columns = [first.column(0), first.column(1), *sums[:-1], *keys, sums[-1]]
        return pa.RecordBatch.from_arrays(columns, schema=partial.schema)

    def _rows(self, partial: pa.RecordBatch) -> SliceRows:
        """Raises Unfit for keys that share a hash, and for times near the end of 64 bits."""
        parts = self._parts
        first_key = 2 + len(parts) - 1
        named = partial.select([0, *range(first_key, first_key + self.keys)])
        inputs = [*partial.columns[2:first_key], partial.column(first_key + self.keys)]
        columns = [to_numpy(column) for column in inputs]
        index = slices_of(self.slices, partial.column(1))
        return SliceRows(KeyTable(named.schema).add(named), index, np.arange(partial.num_rows), columns)


def partial_rows(plan: ColumnarPlan, rows: pa.Schema, slots: int, keys: int) -> PartialRows | None:
    """How rows of this schema become partial ones; None where windows must see each row by itself.

    They must where rows fire or are kept, where late rows are kept, and where the order of additions changes the
    result.
    """
    if plan.keeps_rows or not has_known_slices(plan):
        return None
    if any(not part.exact or part.has_signs for part in plan.parts()):
        return None
    partial = PartialRows(plan.aggregates, known_slices(plan), slots, keys)
    try:
        list(partial.united([empty(rows)]))
    except Unfit:
        return None
    return partial
