"""Reduces rows before the shuffle, so that the operator gets few of them for each key and slice."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa

from winsql.model.base import TimeDomain
from winsql.model.columnar import Longs
from winsql.model.columnar.assigners import SliceForm
from winsql.model.columnar.sessions import Sessions
from winsql.runtime.arrays import to_arrow, to_numpy
from winsql.runtime.columnar.shared.limits import require_instants
from winsql.runtime.columnar.shared.plan import ColumnarPlan

MAX_HELD = 1 << 17
"""Rows that wait for more to unite with."""
WORTH_IT = 0.6
"""The greatest share of its rows that may be left of a batch for the next ones to be reduced too."""
PAUSE = 7
"""Batches that stay as they are after one that uniting did not shrink."""


class Reduction(ABC):
    """Makes few rows of many. A batch of rows has the columns that a `StreamTask` says; a reduced one has one more
    column, how many rows of the same windows each of its rows replaces."""

    __slots__ = ()

    @abstractmethod
    def schema(self, rows: pa.Schema) -> pa.Schema:
        """That of reduced batches of such rows."""

    @abstractmethod
    def of_each(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Each row as a reduced one of its own."""

    @abstractmethod
    def reduced(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Fewer rows in the place of these reduced ones, in order of arrival; the same ones where that cannot be."""

    def united(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Batches of rows, reduced, and united where that pays."""
        held: list[pa.RecordBatch] = []
        pause = 0
        for batch in batches:
            each = self.of_each(batch)
            if pause:
                pause -= 1
            else:
                fewer = self.reduced(each)
                pause = PAUSE if fewer.num_rows > WORTH_IT * each.num_rows else 0
                each = fewer
            held.append(each)
            if pause or sum(part.num_rows for part in held) > MAX_HELD:
                yield from self._together(held)
                held = []
        yield from self._together(held)

    def _together(self, held: list[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        if len(held) > 1:
            yield self.reduced(pa.concat_batches(held))
        else:
            yield from held


def ones(rows: int) -> pa.Array:
    """The last column of reduced rows that each replace a single row."""
    return to_arrow(np.ones(rows, dtype=np.int64))


def slices_of(form: SliceForm | None, times: pa.Array) -> Longs:
    """The slice of each row; without slices all rows are in one. Raises Unfit for times near the end of 64 bits."""
    if form is None:
        return np.zeros(len(times), dtype=np.int64)
    return form.slices_at(require_instants(to_numpy(times)))


def has_known_slices(plan: ColumnarPlan) -> bool:
    """Whether time alone decides when windows fire, and rows of one slice have the same windows, and are late together.

    Sessions have no slices: which window a row comes into depends on the others.
    """
    if plan.timed is None or plan.lateness or plan.late_output or isinstance(plan.assigner, Sessions):
        return False
    slices = known_slices(plan)
    return slices is None or _covers_all(slices)


def known_slices(plan: ColumnarPlan) -> SliceForm | None:
    """The slices of the windows of event time; None where all rows of a micro-batch come into the same ones."""
    return plan.assigner.slices() if plan.clock is TimeDomain.EVENT else None


def _covers_all(slices: SliceForm) -> bool:
    """Whether each slice is in a window: between windows, whether a row is late depends on its own time."""
    two = np.arange(2)
    return bool((slices.newest(two) >= slices.oldest(two)).all())
