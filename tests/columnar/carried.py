"""Micro-batches on any engine, with the state carried from one to the next as the bytes of a bucket."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
from engines import COLUMNS, KEYS, Outcome, Row, hash_of

from winsql.model.base import MIN_TIME
from winsql.model.query import WindowSpec
from winsql.runtime.aggregates import Aggregate
from winsql.runtime.bucket import decode_bucket, encode_bucket
from winsql.runtime.columnar import ColumnarPlan, Unfit, is_columnar, new_engine, plan_of
from winsql.runtime.columnar.shared.protocol import TIMINGS, Engine
from winsql.runtime.contents import Contents
from winsql.runtime.operator import WindowOperator
from winsql.runtime.state import KeyState

Make = Callable[[ColumnarPlan, int, int], Engine]
"""Builds an engine from plan, watermark and clock."""


@dataclass
class Step:
    """A micro-batch. `engine` is the place of the engine that takes it, -1 for the per-row operator; with `ends` the
    input ends after its rows, as that of a table."""

    watermark: int
    now: int | None
    rows: list[Row]
    engine: int = 0
    ends: bool = False


class PortableFunction:
    """Runs micro-batches, each on the engine it asks for; where that cannot take it, on the per-row operator."""

    def __init__(self, spec: WindowSpec, aggregates: tuple[Aggregate, ...], makes: list[Make]) -> None:
        plan = plan_of(spec, aggregates, [pa.string()])
        assert isinstance(plan, ColumnarPlan), plan
        self.spec, self.aggregates, self.plan, self.makes = spec, aggregates, plan, makes
        self.outcome = Outcome()
        self.watermark, self.now, self.next_id, self.unfit = MIN_TIME, 0, 0, 0
        self.data: bytes | None = None

    def run(self, step: Step) -> None:
        numbers = range(self.next_id, self.next_id + len(step.rows))
        self.next_id += len(step.rows)
        if step.engine < 0:
            self._per_row(step, numbers, self._states())
        else:
            self._columnar(step, numbers)
        self.watermark = MIN_TIME if step.ends else max(self.watermark, step.watermark)
        self.now = self.now if step.now is None else step.now

    def states(self) -> dict[str, list[Any]]:
        """The state as the per-row operator holds it; of sessions, which merge, in order of time."""
        order: Callable[[Any], list[Any]] = sorted if self.spec.assigner.is_merging else list
        states = {key: state.panes.items() for key, state in self._states().items() if state.panes}
        return {key: order([_plain(*item) for item in panes]) for key, panes in states.items()}

    def sessions(self) -> dict[str, list[Any]]:
        """The windows in flight."""
        return {key: list(state.sessions) for key, state in self._states().items() if state.panes}

    def _states(self) -> dict[str, KeyState]:
        if self.data is None:
            return {}
        if is_columnar(self.data):
            engine = new_engine(self.plan, KEYS, self.watermark, self.now)
            engine.restore(self.data)
            keys, states = engine.keys.batch, engine.states({})
        else:
            keys, states, _ = decode_bucket(self.data, self.spec.assigner.is_merging, lambda _: ())
        return dict(zip(keys.column(1).to_pylist(), states, strict=True))

    def _per_row(self, step: Step, numbers: range, states: dict[str, KeyState]) -> None:
        operator = WindowOperator(
            self.spec,
            Contents(self.aggregates, keep_rows=False),
            self._emit,
            lambda _, row: self.outcome.late.append(row[0]),
        )
        operator.set_time(self.watermark, self.now)
        for key, state in states.items():
            operator.adopt(key, state)
        if step.now is not None:
            operator.advance_clock(step.now)
        operator.advance_watermark(step.watermark)
        by_key = defaultdict(list)
        for number, (key, *row) in zip(numbers, step.rows, strict=True):
            by_key[key].append((number, *row))
        for key, rows in by_key.items():
            operator.process(key, rows)
        if step.ends:
            operator.end_input()
        self.outcome.dropped += operator.dropped
        rows = pa.RecordBatch.from_arrays([pa.array([], pa.int64())], names=["row"])
        self.data = encode_bucket(keys_of(list(operator.keys)), list(operator.keys.values()), rows)

    def _emit(self, key: Any, window: Any, index: int, timing: Any, timer: Any, result: Any) -> None:
        typed = [pa.array([v], a.result_type)[0].as_py() for v, a in zip(result, self.aggregates, strict=True)]
        self.outcome.firings[key].append((*window, index, timing, list(map(repr, typed))))

    def _columnar(self, step: Step, numbers: range) -> None:
        engine = self.makes[step.engine](self.plan, self.watermark, self.now)
        passed = replace(step, watermark=MIN_TIME, now=None)
        try:
            if self.data is not None:
                engine.restore(self.data)
        except Unfit:
            self.unfit += 1
            self._per_row(step, numbers, self._states())
            return
        engine.advance(step.watermark, step.now)
        slots = [None, pa.array([row[1] for row in step.rows], pa.int64())]
        for place, kind in enumerate(COLUMNS.values(), start=2):
            slots.append(pa.array([row[place] for row in step.rows], kind))
        try:
            engine.process(keys_of([row[0] for row in step.rows]), slots, np.array(numbers, dtype=np.int64))
        except Unfit:
            self.unfit += 1
            self._take(engine)
            names = engine.keys.batch.column(1).to_pylist()
            states = dict(zip(names, engine.states({}), strict=True))
            self.watermark, self.now = engine.watermark, engine.now
            self._per_row(passed, numbers, {key: state for key, state in states.items() if state.panes})
            return
        if step.ends:
            engine.end_input()
        self._take(engine)
        portion = engine.portion(np.arange(len(engine.keys)))
        self.data = portion.encoded()
        self.watermark, self.now = engine.watermark, engine.now
        held = [pane for state in self._states().values() for pane in state.panes.values()]
        assert portion.panes == len(held)
        for own, timers in (
            (portion.earliest_event_timer(), [pane.event_timers for pane in held]),
            (portion.earliest_processing_timer(), [pane.processing_timers for pane in held]),
        ):
            assert own == min((time for pane in timers for time in pane), default=None)

    def _take(self, engine: Engine) -> None:
        for block in engine.firings:
            keys = engine.keys.batch.column(1).take(pa.array(block.key)).to_pylist()
            results = zip(*(map(repr, column.to_pylist()) for column in block.results), strict=True)
            longs = (block.start.tolist(), block.end.tolist(), block.index.tolist(), block.timing.tolist())
            for key, start, end, index, timing, result in zip(keys, *longs, results, strict=True):
                self.outcome.firings[key].append((start, end, index, TIMINGS[timing], list(result)))
        self.outcome.late += [int(number) for numbers in engine.late for number in numbers]
        self.outcome.dropped += engine.dropped


def agree(
    spec: WindowSpec, aggregates: tuple[Aggregate, ...], makes: list[Make], steps: list[Step]
) -> tuple[PortableFunction, PortableFunction]:
    """Run the steps on the per-row operator, and on the engines they ask for; they must agree after each."""
    reference, other = PortableFunction(spec, aggregates, makes), PortableFunction(spec, aggregates, makes)
    for step in steps:
        reference.run(replace(step, engine=-1))
        other.run(step)
        assert other.outcome.firings == reference.outcome.firings
        assert sorted(other.outcome.late) == sorted(reference.outcome.late)
        assert other.outcome.dropped == reference.outcome.dropped
        assert other.states() == reference.states()
        assert other.sessions() == reference.sessions()
    return reference, other


def moving(seed: int, engines: list[int], *, steps: int = 25) -> list[Step]:
    """Micro-batches of a stream: time goes on, rows come around the present, most but not all before the watermark."""
    random = Random(seed)
    batches, present = [], -40
    for now in range(steps):
        present += random.choice([0, 3, 7, 20])
        rows = [_random_row(random, present + random.randint(-25, 25)) for _ in range(random.choice([0, 2, 8, 15]))]
        batches.append(Step(present - random.choice([5, 15, 30]), now, rows, random.choice(engines)))
    return batches


def _random_row(random: Random, time: int) -> Row:
    long, double = random.choice([None, *range(-3, 4)]), random.choice([None, 0.0, -0.0, 0.1, 0.2, -7.5, 1e300])
    real, flag, gap = random.choice([None, 0.0, -0.0, 0.5]), random.choice([None, True, False]), random.randint(1, 15)
    return random.choice("ab"), time, long, long, double, real, flag, long, long, gap


def keys_of(keys: list[str]) -> pa.RecordBatch:
    hashes = pa.array([hash_of(key) for key in keys], pa.int64())
    return pa.RecordBatch.from_arrays([hashes, pa.array(keys, pa.string())], schema=KEYS)


def _plain(window: Any, pane: Any) -> Any:
    """Floats by their text, so that NaN and -0.0 tell."""
    timers = sorted(pane.event_timers), sorted(pane.processing_timers)
    return (*window, repr(pane.accumulators), pane.values, pane.firings, pane.arrival, pane.written, *timers)
