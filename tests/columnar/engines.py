"""Both engines with one face: micro-batches in, firings out, and the state as the per-row operator holds it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from winsql.model.base import GLOBAL_WINDOW, MIN_TIME, PaneTiming, TimeAttribute, TimeDomain
from winsql.model.columnar import NO_TIME
from winsql.model.query import WindowSpec
from winsql.runtime.aggregates import Aggregate, bind_aggregate
from winsql.runtime.bucket import encode_bucket
from winsql.runtime.columnar import (
    ColumnarPlan,
    Unfit,
    decode_states,
    new_engine,
    plan_of,
)
from winsql.runtime.columnar.shared.protocol import TIMINGS, Engine
from winsql.runtime.contents import Contents, accumulate
from winsql.runtime.operator import WindowOperator
from winsql.runtime.state import KeyState, Pane

EVENT = TimeAttribute(TimeDomain.EVENT, ("ts",))
PROCESSING = TimeAttribute(TimeDomain.PROCESSING)
COLUMNS = {
    "long": pa.int64(),
    "int": pa.int32(),
    "double": pa.float64(),
    "float": pa.float32(),
    "flag": pa.bool_(),
    "time": pa.timestamp("us", "UTC"),
    "day": pa.date32(),
    "interval": pa.duration("us"),
}
SLOTS = {name: slot for slot, name in enumerate(COLUMNS, start=2)}
KEYS = pa.schema([("hash", pa.int64()), ("key", pa.string())])


def call(name: str, *arguments: str, where: str | None = None, result: pa.DataType | None = None) -> Aggregate:
    """The accumulator of `name(arguments) FILTER (WHERE where)`; the result has the type of the first argument unless
    told."""
    aggregate = bind_aggregate(
        name,
        distinct=False,
        slots=tuple(SLOTS[argument] for argument in arguments),
        filter_slot=None if where is None else SLOTS[where],
        types=tuple(COLUMNS[argument] for argument in arguments),
        result_type=COLUMNS[arguments[0]] if result is None else result,
        ansi=True,
    )
    assert aggregate is not None, (name, arguments)
    return aggregate


LONG, DOUBLE = pa.int64(), pa.float64()
AGGREGATES: tuple[Aggregate, ...] = (
    call("COUNT", result=LONG),
    call("COUNT", result=LONG, where="flag"),
    call("COUNT", "double", result=LONG),
    call("COUNT", "long", "flag", result=LONG),
    call("COUNT_IF", "flag", result=LONG),
    call("SUM", "long"),
    call("SUM", "int", result=LONG, where="flag"),
    call("SUM", "double"),
    call("SUM", "float", result=DOUBLE, where="flag"),
    call("SUM", "interval"),
    call("AVG", "double"),
    call("AVG", "long", result=DOUBLE, where="flag"),
    call("MIN", "long", where="flag"),
    call("MAX", "int"),
    call("MIN", "double"),
    call("MAX", "double"),
    call("MIN", "float"),
    call("MAX", "float", where="flag"),
    call("MIN", "time"),
    call("MAX", "day"),
    call("MAX", "interval"),
    call("MIN", "flag"),
    call("BOOL_AND", "flag"),
    call("BOOL_OR", "flag"),
)

Row = tuple[Any, ...]
"""Key, event time, then a value per column of `COLUMNS`, as the operator's rows have them."""


@dataclass
class Batch:
    """A micro-batch."""

    watermark: int
    now: int | None
    rows: list[Row]
    columnar: bool
    """Which engine takes it, where both may."""
    ends: bool = False
    """Whether the bounded input ends after it."""


@dataclass
class Outcome:
    """Firings per key in order, numbers of late rows, count of dropped rows."""

    firings: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    late: list[int] = field(default_factory=list)
    dropped: int = 0


class Switching:
    """Runs each micro-batch on the engine it asks for; between batches the state is bytes, or that of the other.

    With `hands_rows`, firings hand out the rows of the window beside the results over them.
    """

    def __init__(
        self, spec: WindowSpec, aggregates: tuple[Aggregate, ...] = AGGREGATES, *, hands_rows: bool = False
    ) -> None:
        plan = plan_of(spec, aggregates, [pa.string()], hands_rows=hands_rows)
        assert isinstance(plan, ColumnarPlan), plan
        self.spec, self.aggregates, self.plan, self.hands_rows = spec, aggregates, plan, hands_rows
        self.outcome = Outcome()
        self.watermark, self.now, self.next_id = MIN_TIME, 0, 0
        self.rows: dict[int, Row] = {}
        self.states: dict[str, KeyState] = {}
        self.data: bytes | None = None
        self.unfit = 0

    def run(self, batch: Batch) -> None:
        numbers = range(self.next_id, self.next_id + len(batch.rows))
        self.rows.update((number, (number, *row)) for number, (_, *row) in zip(numbers, batch.rows, strict=True))
        self.next_id += len(batch.rows)
        if batch.columnar:
            try:
                self._columnar(batch, numbers)
                self._passed(batch)
                return
            except Unfit:
                self.unfit += 1
        self._per_row(batch, numbers)
        self._passed(batch)

    def state(self) -> dict[str, KeyState]:
        """The state as the per-row operator holds it."""
        if self.data is None:
            return self.states
        keys, states, _ = decode_states(self.data, self._tuples)
        return dict(zip(keys.column(1).to_pylist(), states, strict=True))

    def _passed(self, batch: Batch) -> None:
        self.watermark = max(self.watermark, batch.watermark)
        self.now = self.now if batch.now is None else batch.now

    def _per_row(self, batch: Batch, numbers: range) -> None:
        states, self.data = self.state(), None
        kept = self.plan.keeps_rows
        contents = Contents(() if self.hands_rows else self.aggregates, keep_rows=kept)
        operator = WindowOperator(self.spec, contents, self._emit, lambda _, row: self.outcome.late.append(row[0]))
        operator.set_time(self.watermark, self.now)
        for key, state in states.items():
            operator.adopt(key, state)
        if batch.now is not None:
            operator.advance_clock(batch.now)
        operator.advance_watermark(batch.watermark)
        by_key = defaultdict(list)
        for number, (key, *row) in zip(numbers, batch.rows, strict=True):
            by_key[key].append((number, *row))
        for key, rows in by_key.items():
            operator.process(key, rows)
        if batch.ends:
            operator.end_input()
        self.outcome.dropped += operator.dropped
        self.states = operator.keys

    def _emit(self, key: Any, window: Any, index: int, timing: Any, timer: Any, result: Any) -> None:
        numbers = [row[0] for row in result] if self.hands_rows else None
        if self.hands_rows:
            accumulators = accumulate(self.aggregates, result)
            result = [a.result(acc) for a, acc in zip(self.aggregates, accumulators, strict=True)]
        typed = [pa.array([v], a.result_type)[0].as_py() for v, a in zip(result, self.aggregates, strict=True)]
        window = (None, None) if window == GLOBAL_WINDOW else window
        self.outcome.firings[key].append((*window, index, timing, list(map(repr, typed)), numbers))

    def _columnar(self, batch: Batch, numbers: range) -> None:
        engine = new_engine(self.plan, KEYS, self.watermark, self.now)
        engine.restore(self._bytes())
        engine.advance(batch.watermark, batch.now)
        columns = self._table(numbers).columns
        engine.process(keys_of([row[0] for row in batch.rows]), [None, *columns[1:]], np.array(numbers, dtype=np.int64))
        if batch.ends:
            engine.end_input()
        self._store(engine)

    def _bytes(self) -> bytes:
        """The state as a bucket of the engine that had it last."""
        if self.data is not None:
            return self.data
        states = list(self.states.values())
        held = {row[0] for state in states for pane in state.panes.values() for row in pane.rows or ()}
        return encode_bucket(keys_of(list(self.states)), states, self._table(sorted(held)))

    def _table(self, numbers: Sequence[int]) -> pa.RecordBatch:
        """Rows as a bucket keeps them."""
        fields = {"row": pa.int64(), "ts": pa.int64(), **COLUMNS}
        columns = zip(*(self.rows[number] for number in numbers), strict=True) if numbers else [()] * len(fields)
        arrays = [pa.array(list(column), kind) for column, kind in zip(columns, fields.values(), strict=True)]
        return pa.RecordBatch.from_arrays(arrays, names=list(fields))

    def _tuples(self, rows: pa.RecordBatch) -> list[Row]:
        return [self.rows[number] for number in rows.column(0).to_pylist()]

    def _store(self, engine: Engine) -> None:
        for block in engine.firings:
            keys = engine.keys.batch.column(1).take(pa.array(block.key)).to_pylist()
            results = list(zip(*(map(repr, column.to_pylist()) for column in block.results), strict=True))
            longs = (block.start.tolist(), block.end.tolist(), block.index.tolist(), block.timing.tolist())
            for place, (key, start, end, index, timing) in enumerate(zip(keys, *longs, strict=True)):
                window = (None, None) if end == NO_TIME else (start, end)
                numbers = None
                if block.offsets is not None and block.rows is not None:
                    numbers = block.rows[block.offsets[place] : block.offsets[place + 1]].tolist()
                firing = (*window, index, timing_of(timing), list(results[place]), numbers)
                self.outcome.firings[key].append(firing)
        self.outcome.late += [int(number) for numbers in engine.late for number in numbers]
        self.outcome.dropped += engine.dropped
        self.states = {}
        portion = engine.portion(np.arange(len(engine.keys)))
        self.data = portion.encoded(self._table(portion.held().tolist()) if self.plan.keeps_rows else None)


def keys_of(keys: list[str]) -> pa.RecordBatch:
    hashes = pa.array([hash_of(key) for key in keys], pa.int64())
    return pa.RecordBatch.from_arrays([hashes, pa.array(keys, pa.string())], schema=KEYS)


def timing_of(place: int) -> PaneTiming | None:
    return None if place < 0 else TIMINGS[place]


def hash_of(key: str) -> int:
    return {"collides": 7, "collided": 7}.get(key, sum(map(ord, key)) - 100)


def timers_of(pane: Pane) -> tuple[list[int], list[int]]:
    return sorted(pane.event_timers), sorted(pane.processing_timers)


def comparable(states: dict[str, KeyState]) -> dict[str, list[Any]]:
    """State as plain values, panes in order; floats by their text, so that NaN and -0.0 tell."""
    return {
        key: [
            (*window, repr(p.accumulators), repr(p.values), p.firings, p.arrival, p.written, *timers_of(p), p.rows)
            for window, p in state.panes.items()
        ]
        for key, state in states.items()
        if state.panes
    }
