"""Key groups of streaming queries on either engine: same rows of the same types, same counters, same wake-up times."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest
from engines import AGGREGATES, COLUMNS, EVENT, SLOTS, Batch, hash_of
from hypothesis import given, settings
from hypothesis import strategies as st
from stream import MemoryStore
from test_engines_agree import BATCHES, SPECS, evicting, row

from winsql.errors import Span, WindowDataError
from winsql.model.assigners import GlobalWindows, TumblingWindows
from winsql.model.base import MIN_TIME, Operand
from winsql.model.query import WindowSpec
from winsql.model.triggers import ContinuousEventTimeTrigger, DeltaTrigger
from winsql.runtime.columnar import is_columnar
from winsql.runtime.state_listing import PaneListing, list_panes, named_key
from winsql.spark.streaming import key_group as group_module
from winsql.spark.streaming.key_group import KeyGroup
from winsql.spark.workers.engines import stream_plan
from winsql.spark.workers.firings import FIRING
from winsql.spark.workers.task import (
    Handout,
    Place,
    StreamTask,
    Task,
)

SETTINGS = settings(max_examples=40)
TIME = pa.timestamp("us", "UTC")
SCHEMA = pa.schema(
    [
        ("hash", pa.int64()),
        ("ts", TIME),
        *COLUMNS.items(),
        ("key", pa.string()),
        ("parity", pa.float64()),
        ("all", pa.struct([("key", pa.string()), ("ts", pa.int64())])),
    ]
)


def task(spec: WindowSpec, handout: Handout = Handout.RESULTS) -> StreamTask:
    place = Place("the query", Span(0, 3), ("key", "parity"))
    aggregates = AGGREGATES if handout in (Handout.RESULTS, Handout.FIRING) else ()
    inner = Task(spec, handout, aggregates, (), len(COLUMNS), 2, TIME, 0, place, apply=counted)
    return StreamTask(inner, SCHEMA if handout is Handout.RESULTS else PAYLOAD_SCHEMA, keeps_late=True)


PAYLOAD = [("side", pa.int64()), ("left", pa.struct([("n", pa.int64())])), ("right", pa.struct([("n", pa.int64())]))]
"""What a join carries along; any other handout takes it for three columns."""
PAYLOAD_SCHEMA = pa.schema([*list(SCHEMA)[:-1], *(pa.field(*column) for column in PAYLOAD), SCHEMA.field("all")])


def counted(firings: Any, firing: int, rows: pa.RecordBatch) -> pa.RecordBatch:
    """An apply function: how many rows there are, said twice."""
    return pa.RecordBatch.from_arrays([pa.array([rows.num_rows] * 2)], names=["rows"])


def arrow(batch: Batch, schema: pa.Schema = SCHEMA) -> pa.RecordBatch:
    if schema is PAYLOAD_SCHEMA:
        plain = arrow(batch)
        numbers = [{"n": place} for place in range(plain.num_rows)]
        sides = [place * 7 % 5 % 2 for place in range(plain.num_rows)]
        left = [None if side else number for side, number in zip(sides, numbers, strict=True)]
        right = [number if side else None for side, number in zip(sides, numbers, strict=True)]
        payload = [pa.array(v, kind) for v, (_, kind) in zip((sides, left, right), PAYLOAD, strict=True)]
        return pa.RecordBatch.from_arrays([*plain.columns[:-1], *payload, plain.columns[-1]], schema=schema)
    parity = {"a": None, "b": float("nan")}
    rows = [
        (hash_of(key), time, *values, key, parity.get(key, 1.5), {"key": key, "ts": time})
        for key, time, *values in batch.rows
    ]
    columns = zip(*rows, strict=True) if rows else [()] * len(SCHEMA)
    arrays = [pa.array(list(column), field.type) for column, field in zip(columns, SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


class Query:
    """A key group whose only memory between micro-batches is its store."""

    def __init__(self, spec: WindowSpec, handout: Handout = Handout.RESULTS) -> None:
        self.task, self.store = task(spec, handout), MemoryStore()
        self.firings: dict[str, list[Any]] = defaultdict(list)
        self.late: list[Any] = []
        self.schemas: list[pa.Schema] = []
        self.watermark = MIN_TIME

    def run(self, batch: Batch, columnar: bool) -> Query:
        self.watermark = max(self.watermark, batch.watermark)
        self.group = KeyGroup(self.task, self.store, columnar=columnar)
        for results, late in self.group.run(self.arrow(batch), self.watermark, batch.now):
            if results is not None:
                self.schemas.append(results.schema)
                for record in results.drop_columns([FIRING] if FIRING in results.schema.names else []).to_pylist():
                    self.firings[record["key"]].append(list(map(repr, record.values())))
            self.late += [] if late is None else late.to_pylist()
        return self

    def arrow(self, batch: Batch) -> pa.RecordBatch:
        return arrow(batch, self.task.schema)

    def listed(self) -> list[PaneListing]:
        return [pane for data in self.store.buckets.values() for pane in list_panes(data)]

    def seen(self) -> Any:
        meta = self.group.meta
        counters = (meta.watermark, meta.now, meta.next_id, meta.dropped, meta.late, meta.firings, meta.wake)
        timers = min((b.event_timer for b in meta.buckets if b.event_timer is not None), default=None)
        panes = sum(bucket.panes for bucket in meta.buckets)
        return self.firings, sorted(map(repr, self.late)), counters, timers, panes


@pytest.mark.parametrize("max_bytes", [1 << 20, 2000], ids=["one bucket", "split buckets"])
def test_key_groups_agree(max_bytes: int) -> None:
    @SETTINGS
    @given(SPECS, BATCHES)
    def agree(spec: WindowSpec, batches: list[Batch]) -> None:
        reference, columnar, switching = Query(spec), Query(spec), Query(spec)
        for batch in batches:
            expected = reference.run(batch, False).seen()
            assert columnar.run(batch, True).seen() == expected
            assert switching.run(batch, batch.columnar).seen() == expected
            assert all(map(is_columnar, columnar.store.buckets.values()))
        assert set(columnar.schemas) == set(reference.schemas)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(group_module, "MAX_BUCKET_BYTES", max_bytes)
        agree()


HANDOUTS = [Handout.ROWS, Handout.FIRING, Handout.SIDES, Handout.APPLY]


@settings(SETTINGS, max_examples=60)
@given(evicting(), BATCHES, st.sampled_from(HANDOUTS))
def test_key_groups_hand_out_the_same_rows(spec: WindowSpec, batches: list[Batch], handout: Handout) -> None:
    reference, columnar, switching = (Query(spec, handout) for _ in range(3))
    for batch in batches:
        expected = reference.run(batch, False).seen()
        assert columnar.run(batch, True).seen() == expected
        assert switching.run(batch, batch.columnar).seen() == expected
    assert set(columnar.schemas) == set(reference.schemas)


def test_a_bucket_goes_to_the_per_row_operator_and_comes_back() -> None:
    query = Query(WindowSpec.of(TumblingWindows(EVENT, 10)))
    kinds = []
    for long in (1, 2**62, -(2**62), 1):
        query.run(Batch(0, None, [row("a", 1, long=long)], True), True)
        kinds.append([is_columnar(data) for data in query.store.buckets.values()])
    assert kinds == [[True], [False], [False], [True]]
    query.run(Batch(50, None, [], True), True)
    assert len(query.firings["a"]) == 1


def test_both_engines_list_the_same_windows() -> None:
    listings = []
    for columnar in (True, False):
        query = Query(WindowSpec.of(TumblingWindows(EVENT, 10), ContinuousEventTimeTrigger(4), allowed_lateness=30))
        query.run(Batch(0, None, [row("a", 1), row("b", 11), row("a", 12)], True), columnar)
        query.run(Batch(15, None, [row("c", 3)], True), columnar)
        listings.append(sorted(map(repr, query.listed())))
    assert listings[0] == listings[1]
    assert len(listings[0]) == 4


class Void(Query):
    """One of the keys has no type but that of NULL."""

    PLACE, FIELD = SCHEMA.get_field_index("parity"), pa.field("parity", pa.null())

    def __init__(self, spec: WindowSpec) -> None:
        super().__init__(spec)
        self.task = replace(self.task, schema=SCHEMA.set(self.PLACE, self.FIELD))

    def arrow(self, batch: Batch) -> pa.RecordBatch:
        rows = arrow(batch)
        return rows.set_column(self.PLACE, self.FIELD, pa.nulls(rows.num_rows))


def test_a_key_may_be_nothing_but_null() -> None:
    for columnar in (True, False):
        query = Void(WindowSpec.of(TumblingWindows(EVENT, 10)))
        for batch in (Batch(0, None, [row("a", 1), row("b", 2), row("a", 3)], True), Batch(50, None, [], True)):
            query.run(batch, columnar)
        assert [len(query.firings[key]) for key in ("a", "b")] == [1, 1]


def test_listed_keys_have_the_names_of_the_query_where_state_has_them() -> None:
    query = Query(WindowSpec.of(TumblingWindows(EVENT, 10)))
    before = query.run(Batch(0, None, [row("a", 1)], True), True).listed()
    assert [pane.key for pane in before] == ['{"key": "a", "parity": null}']  # as state of earlier versions
    place = SCHEMA.get_field_index("key")
    query.task = replace(query.task, schema=SCHEMA.set(place, named_key(SCHEMA.field(place), "upper(\n  k)")))
    for columnar in (True, False):
        after = query.run(Batch(0, None, [row("a", 2)], True), columnar).listed()
        assert [pane.key for pane in after] == ['{"upper( k)": "a", "parity": null}']


def test_an_error_names_the_query_and_the_key() -> None:
    query = Query(WindowSpec.of(TumblingWindows(EVENT, 10)))
    query.run(Batch(0, None, [row("a", 1, long=2**62), row("a", 2, long=2**62)], True), True)
    with pytest.raises(WindowDataError, match="ARITHMETIC_OVERFLOW"):
        query.run(Batch(50, None, [], True), True)


def test_state_that_is_no_bucket_is_refused() -> None:
    query = Query(WindowSpec.of(TumblingWindows(EVENT, 10)))
    query.run(Batch(0, None, [row("a", 1)], True), True)
    ((number, data),) = query.store.buckets.items()
    for wrong in (b"no bucket", data[: len(data) // 2]):
        query.store.buckets = {number: wrong}
        with pytest.raises(WindowDataError, match="cannot be read"):
            query.run(Batch(50, None, [], True), True)


def test_what_the_engine_leaves_to_the_per_row_operator() -> None:
    plain = task(WindowSpec.of(TumblingWindows(EVENT, 10)))
    assert not isinstance(stream_plan(plain), str)
    expiring = WindowSpec.of(TumblingWindows(EVENT, 10), state_ttl=10)
    assert "STATE TTL" in str(stream_plan(task(expiring)))
    by_distance = task(WindowSpec.of(GlobalWindows(), DeltaTrigger(Operand("long", SLOTS["long"]), 1)))
    assert not isinstance(stream_plan(by_distance), str)
    decimals = SCHEMA.set(SLOTS["long"], pa.field("long", pa.decimal128(10, 2)))
    assert "reads a decimal" in str(stream_plan(replace(by_distance, schema=decimals)))
    when = replace(plain.task, trigger_aggregates=AGGREGATES[:1])
    assert "aggregates of the window" in str(stream_plan(replace(plain, task=when)))
    keyed = SCHEMA.set(SCHEMA.get_field_index("key"), pa.field("key", pa.list_(pa.int64())))
    assert "a key is" in str(stream_plan(replace(plain, schema=keyed)))
