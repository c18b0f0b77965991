"""Windows whose rows all come in one micro-batch: what the operator gives that keeps state, and nothing kept."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest
from engines import EVENT, Batch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_engines_agree import BATCHES, row
from test_key_group import Query

from winsql.errors import WindowDataError
from winsql.model.assigners import GlobalWindows, TumblingWindows
from winsql.model.base import LAST_INSTANT
from winsql.model.query import WindowSpec
from winsql.model.triggers import CountTrigger
from winsql.spark.streaming.micro_batch import run_together
from winsql.spark.streaming.packing import Kind, Packing, unpack
from winsql.spark.workers.task import Handout

MOMENTS = WindowSpec.of(TumblingWindows(EVENT, 1))
HANDOUTS = st.sampled_from([Handout.RESULTS, Handout.ROWS, Handout.SIDES])


def together(query: Query, batch: Batch) -> list[pa.RecordBatch]:
    packed = pa.Table.from_batches(Packing(1)([query.arrow(batch)]))
    return run_together(query.task, packed).to_batches()


@settings(max_examples=40)
@given(BATCHES, HANDOUTS)
def test_the_rows_are_those_of_the_operator_that_keeps_state(batches: list[Batch], handout: Handout) -> None:
    for batch in batches:
        query = Query(MOMENTS, handout)
        query.task = replace(query.task, rows_first=True)
        messages = together(query, batch)
        found = [record for rows in unpack(Kind.FIRINGS, messages) for record in rows.to_pylist()]
        query.run(replace(batch, watermark=LAST_INSTANT, now=None), columnar=True)
        assert (query.store.buckets, query.late) == ({}, [])
        expected = [values for firings in query.firings.values() for values in firings]
        assert sorted(list(map(repr, record.values())) for record in found) == sorted(expected)
        counts = [
            n for m in messages for kind, n, _ in zip(*m.to_pydict().values(), strict=True) if kind == Kind.FIRINGS
        ]
        assert sum(counts) == query.group.meta.firings


def test_a_window_that_would_be_left_is_an_error() -> None:
    """Nothing is dropped silently, whatever a plan may have taken for windows of one moment."""
    endless = WindowSpec.of(GlobalWindows(EVENT), CountTrigger(2))
    with pytest.raises(WindowDataError, match="has not ended"):
        together(Query(endless), Batch(0, None, [row("a", 1)], True))
