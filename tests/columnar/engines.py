"""Both engines behind one face: micro-batches in, firings out, and the state as the per-row operator holds it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from winsql.model.base import GLOBAL_WINDOW, MIN_TIME, PaneTiming, TimeAttribute, TimeDomain
from winsql.model.columnar import NO_TIME
from winsql.model.query import WindowSpec
from winsql.runtime.aggregates import Aggregate, bind_aggregate
from winsql.runtime.columnar import (
    TIMINGS,
    ColumnarEngine,
    ColumnarPlan,
    Header,
    Unfit,
    decode_panes,
    decode_states,
    encode_panes,
    panes_from_states,
    plan_of,
)
from winsql.runtime.contents import Contents
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
    """Whether the bounded input ends behind it."""


@dataclass
class Outcome:
    """Firings per key in order, numbers of late rows, count of dropped rows."""

    firings: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    late: list[int] = field(default_factory=list)
    dropped: int = 0


class Switching:
    """Runs each micro-batch on the engine it asks for; between batches the state is bytes, or that of the other."""

    def __init__(self, spec: WindowSpec, aggregates: tuple[Aggregate, ...] = AGGREGATES) -> None:
        plan = plan_of(spec, aggregates, [pa.string()])
        assert isinstance(plan, ColumnarPlan), plan
        self.spec, self.aggregates, self.plan = spec, aggregates, plan
        self.outcome = Outcome()
        self.watermark, self.now, self.next_id = MIN_TIME, 0, 0
        self.states: dict[str, KeyState] = {}
        self.panes: tuple[Header, pa.RecordBatch, Any] | None = None
        self.unfit = 0

    def run(self, batch: Batch) -> None:
        numbers = range(self.next_id, self.next_id + len(batch.rows))
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
        if self.panes is None:
            return self.states
        keys, states = decode_states(encode_panes(*self.panes))
        return dict(zip(keys.column(1).to_pylist(), states, strict=True))

    def _passed(self, batch: Batch) -> None:
        self.watermark = max(self.watermark, batch.watermark)
        self.now = self.now if batch.now is None else batch.now

    def _per_row(self, batch: Batch, numbers: range) -> None:
        states, self.panes = self.state(), None
        contents = Contents(self.aggregates, keep_rows=False)
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
        typed = [pa.array([v], a.result_type)[0].as_py() for v, a in zip(result, self.aggregates, strict=True)]
        window = (None, None) if window == GLOBAL_WINDOW else window
        self.outcome.firings[key].append((*window, index, timing, list(map(repr, typed))))

    def _columnar(self, batch: Batch, numbers: range) -> None:
        engine = ColumnarEngine(self.plan, KEYS, self.watermark, self.now)
        self._load(engine)
        before = len(engine.firings)
        assert before == 0
        arrays = [pa.array([row[0] for row in batch.rows], pa.string())]
        hashes = pa.array([hash_of(row[0]) for row in batch.rows], pa.int64())
        keys = pa.RecordBatch.from_arrays([hashes, *arrays], schema=KEYS)
        slots = [None, pa.array([row[1] for row in batch.rows], pa.int64())]
        for place, kind in enumerate(COLUMNS.values(), start=2):
            slots.append(pa.array([row[place] for row in batch.rows], kind))
        engine.advance(batch.watermark, batch.now)
        engine.process(keys, slots, np.array(numbers, dtype=np.int64))
        if batch.ends:
            engine.end_input()
        self._store(engine)

    def _load(self, engine: ColumnarEngine) -> None:
        if self.panes is None:
            keys = list(self.states)
            hashes = pa.array([hash_of(key) for key in keys], pa.int64())
            engine.keys.add(pa.RecordBatch.from_arrays([hashes, pa.array(keys, pa.string())], schema=KEYS))
            engine.panes = panes_from_states(self.plan, list(self.states.values()), self.watermark)
        else:
            _, keys, panes = self.panes
            engine.keys.add(keys)
            engine.panes = panes

    def _store(self, engine: ColumnarEngine) -> None:
        for block in engine.firings:
            keys = engine.keys.batch.column(1).take(pa.array(block.key)).to_pylist()
            results = zip(*(map(repr, column.to_pylist()) for column in block.results), strict=True)
            longs = (block.start.tolist(), block.end.tolist(), block.index.tolist(), block.timing.tolist())
            for key, start, end, index, timing, result in zip(keys, *longs, results, strict=True):
                window = (None, None) if end == NO_TIME else (start, end)
                self.outcome.firings[key].append((*window, index, timing_of(timing), list(result)))
        self.outcome.late += [int(number) for numbers in engine.late for number in numbers]
        self.outcome.dropped += engine.dropped
        self.states = {}
        self.panes = decode_panes(encode_panes(engine.header, engine.keys.batch, engine.panes))


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
