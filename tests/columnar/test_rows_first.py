"""Key groups whose rows come before the watermark of their micro-batch, as those that another window gives do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engines import EVENT, Batch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_engines_agree import BATCHES, SPECS, row
from test_key_group import Query

from winsql.model.assigners import TumblingWindows
from winsql.model.base import MIN_TIME
from winsql.model.query import WindowSpec


def _rows_first(spec: WindowSpec) -> Query:
    query = Query(spec)
    query.task = replace(query.task, rows_first=True)
    return query


@settings(max_examples=60)
@given(SPECS, BATCHES, st.booleans())
def test_the_rows_come_as_if_in_the_micro_batch_before(spec: WindowSpec, batches: list[Batch], columnar: bool) -> None:
    """A micro-batch is one of its rows at the watermark before it, and one of its watermark without rows."""
    first, apart = _rows_first(spec), Query(spec)
    before = MIN_TIME
    for batch in batches:
        first.run(batch, columnar)
        apart.run(replace(batch, watermark=before), columnar)
        apart.run(replace(batch, rows=[], now=None), columnar)
        before = max(before, batch.watermark)
        assert _seen(first) == _seen(apart)


def test_what_the_watermark_has_just_passed_is_not_late() -> None:
    """The window_time of [0, 10) is 9; the watermark 9 that has ended it ends the window [5, 10) too."""
    batch = Batch(9, None, [row("a", 9)], True)
    first, after = (
        _rows_first(WindowSpec.of(TumblingWindows(EVENT, 5))),
        Query(WindowSpec.of(TumblingWindows(EVENT, 5))),
    )
    assert len(first.run(batch, True).firings["a"]) == 1
    assert (len(after.run(batch, True).firings["a"]), len(after.late) + after.group.meta.dropped) == (0, 1)


def _seen(query: Query) -> Any:
    firings, late, (watermark, now, *counters), timers, panes = query.seen()
    return firings, late, watermark, now, counters[:-1], timers, panes
